"""The HTTP API and the page.

=====================  =============================================================
``GET /``              the page
``GET /api/info``      the domain, examples, known canonical utterances
``POST /api/parse``    ``{"utterance", "n_best", "variables", "explain"}`` → readings
``POST /api/read``     ``{"canonical", "utterance"}`` → readings, second stage only
``POST /api/marks``    ``{"verdict", "utterance", "canonical", "logical_form"}``
=====================  =============================================================

Errors are ``{"error": "one line"}`` with a status of 4xx, 503 where there is too much to do,
or 500.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from fairseq_twostage import __version__
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.question_log import Question
from fairseq_twostage.inference.records import parse_record
from fairseq_twostage.server.asked import QuestionLog
from fairseq_twostage.server.batching import Batcher, BusyError
from fairseq_twostage.server.limits import TOO_MANY, AllowedHosts, RequestLimits
from fairseq_twostage.server.marks import Marks

STATIC = Path(__file__).parent / "static"
MAX_CHARACTERS = 1_000
MAX_FORM = 8_000
MAX_READINGS = 20
MAX_SUGGESTIONS = 2_000

Text = Annotated[str, Field(min_length=1, max_length=MAX_CHARACTERS)]
Form = Annotated[str, Field(min_length=1, max_length=MAX_FORM)]
Count = Annotated[int, Field(ge=1, le=MAX_READINGS)]


@dataclass(frozen=True)
class Limits:
    """What a server bears.

    Attributes:
        max_bytes: of a request's body.
        body_seconds: for the body to arrive.
        seconds: for the answer.
        waiting: requests that may wait for the models.
    """

    max_bytes: int = 32_768
    body_seconds: float = 10.0
    seconds: float = 60.0
    waiting: int = 2_000


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ParseRequest(_Body):
    """What ``/api/parse`` takes."""

    utterance: Text
    n_best: Count = 5
    variables: Annotated[dict[Text, Text], Field(max_length=20)] = Field(default_factory=dict)
    explain: bool = True


class ReadRequest(_Body):
    """What ``/api/read`` takes; ``utterance`` is what the canonical one is to rewrite."""

    canonical: Text
    utterance: Text | None = None


class RowsRequest(_Body):
    """What ``/api/rows`` takes: a reading's form, and which rows of its table are wanted."""

    logical_form: Form
    rows: Annotated[int, Field(ge=1, le=1_000)] = 200
    skip: Annotated[int, Field(ge=0, le=10**9)] = 0


class MarkRequest(_Body):
    """What ``/api/marks`` takes: a reading, and whether it is right."""

    verdict: Literal["right", "wrong"]
    utterance: Text
    canonical: Text
    logical_form: Form


Job = ParseRequest | ReadRequest | RowsRequest
Answer = dict[str, Any] | UserError


def create_app(
    parser: TwoStageParser,
    marks: Marks,
    hosts: Sequence[str] = ("127.0.0.1", "localhost", "[::1]"),
    limits: Limits | None = None,
    log: QuestionLog | None = None,
) -> FastAPI:
    """The application.

    Args:
        parser: what answers.
        marks: where marked answers are saved.
        hosts: names by which requests may call the server; ``*``: any. A page elsewhere that
            a browser was tricked into sending here calls it by another name.
        limits: of requests.
        log: of the questions; None: they are not kept.
    """
    limits = limits or Limits()

    def answered(jobs: Sequence[Job]) -> list[Answer]:
        answers = answer(parser, jobs)
        if log is not None:
            log.add(asked(jobs, answers))
        return answers

    batcher: Batcher[Job, Answer] = Batcher(answered, limits.waiting)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.get_running_loop().run_in_executor(None, batcher.close)

    app = FastAPI(
        title="fairseq_twostage",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )  # fmt: skip  (its documentation pages load scripts from elsewhere)
    app.add_middleware(AllowedHosts, hosts=list(hosts))
    app.add_middleware(RequestLimits, max_bytes=limits.max_bytes, seconds=limits.body_seconds)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _add_error_handlers(app)

    async def work(job: Job) -> dict[str, Any]:
        result = await batcher(job, limits.seconds)
        if isinstance(result, UserError):
            raise result
        return result

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/api/info")
    async def info() -> dict[str, Any]:
        return {
            "version": __version__,
            "domain": parser.domain,
            "examples": list(parser.examples),
            "canonical": list(parser.suggestions[:MAX_SUGGESTIONS]),
            "marks": str(marks.labelled.name),
            "marked": len(marks),
            "logged": log is not None,
        }

    @app.post("/api/parse")
    async def parse(request: ParseRequest) -> dict[str, Any]:
        return await work(request)

    @app.post("/api/read")
    async def read(request: ReadRequest) -> dict[str, Any]:
        return await work(request)

    @app.post("/api/rows")
    async def rows(request: RowsRequest) -> dict[str, Any]:
        return await work(request)

    @app.post("/api/marks")
    async def mark(request: MarkRequest) -> dict[str, Any]:
        reading = (request.utterance, request.canonical, request.logical_form)
        right = request.verdict == "right"
        try:  # the disk is waited for
            new = await run_in_threadpool(marks.right if right else marks.is_wrong, *reading)
        except OSError as error:
            raise HTTPException(503, f"cannot be saved: {error.strerror}") from error
        saved = marks.labelled if right else marks.wrong
        return {"saved": saved.name, "new": new, "marked": len(marks)}

    return app


def answer(parser: TwoStageParser, jobs: Sequence[Job]) -> list[Answer]:
    """The answers to jobs; utterances that want as many readings are parsed at once."""
    answers: dict[int, Answer] = {}
    groups: dict[int, list[tuple[int, ParseRequest, Any]]] = {}
    for index, job in enumerate(jobs):
        try:
            if isinstance(job, ReadRequest):
                answers[index] = _read(parser, job)
            elif isinstance(job, RowsRequest):
                answers[index] = _rows(parser, job)
            else:
                utterance = parser.reader(job.utterance, job.variables)
                groups.setdefault(job.n_best, []).append((index, job, utterance))
        except UserError as error:
            answers[index] = error
    for n_best, members in groups.items():
        parses = parser.parse_utterances([utterance for *_, utterance in members], n_best)
        for (index, job, _), parse in zip(members, parses):
            answers[index] = parse_record(parser, parse, job.explain)
    return [answers[index] for index in range(len(jobs))]


def asked(jobs: Sequence[Job], answers: Sequence[Answer]) -> list[Question]:
    """What a log keeps: questions that were read, with their first readings."""
    return [
        Question.of(answer)
        for job, answer in zip(jobs, answers)
        if isinstance(job, ParseRequest) and not isinstance(answer, UserError)
    ]


def _rows(parser: TwoStageParser, job: RowsRequest) -> dict[str, Any]:
    table = parser.table(job.logical_form, {}, job.rows, job.skip)
    if table is None:
        raise UserError("has no table of a database", "logical_form")
    return table.record()


def _read(parser: TwoStageParser, job: ReadRequest) -> dict[str, Any]:
    utterance = parser.reader(job.utterance) if job.utterance else None
    parse = parser.read_canonical(job.canonical, utterance)
    return parse_record(parser, parse)


def _add_error_handlers(app: FastAPI) -> None:
    def error(status: int, message: str) -> JSONResponse:
        # A lone surrogate can be sent in JSON, but not written as UTF-8.
        return JSONResponse({"error": message.encode("utf-8", "replace").decode()}, status)

    @app.exception_handler(UserError)
    async def user_error(_: Request, found: UserError) -> JSONResponse:
        return error(422, str(found))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, found: RequestValidationError) -> JSONResponse:
        if "json" not in request.headers.get("content-type", ""):
            wanted = "send JSON with the header Content-Type: application/json"
            return error(415, f"{wanted} (curl -H 'Content-Type: application/json' -d …)")
        problems = found.errors()
        where = ".".join(map(str, problems[0]["loc"][1:])) if problems else ""
        what = problems[0]["msg"] if problems else "not understood"
        return error(422, f"{where}: {what}" if where else what)

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, found: HTTPException) -> JSONResponse:
        return error(found.status_code, str(found.detail))

    @app.exception_handler(BusyError)
    async def busy(_: Request, found: BusyError) -> JSONResponse:
        return error(503, TOO_MANY)

    @app.exception_handler(TimeoutError)
    async def late(_: Request, found: TimeoutError) -> JSONResponse:
        return error(503, "the answer took too long; try again in a moment")
