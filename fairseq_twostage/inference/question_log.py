"""The log of questions: JSON Lines that ``twostage serve --log`` writes and other commands read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_text
from fairseq_twostage.schema import checked, strict

NO_LINE = "no line of a log of twostage serve ({})"


@strict
@dataclass(frozen=True)
class Question:
    """A question that was asked; nothing else of who asked it is kept.

    Attributes:
        time: when it was answered, UTC, ISO 8601 in seconds.
        question: as typed.
        understood: whether the answer was given without a refusal.
        refused_because: why not, in words.
        canonical: the first reading in canonical words.
        logical_form: of the first reading.
        confidence: probability that its answer is right; None where nothing judges readings.
        in_domain: probability that it is about the domain, likewise.
    """

    time: str
    question: str
    understood: bool
    refused_because: str | None
    canonical: str
    logical_form: str
    confidence: float | None
    in_domain: float | None

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Question:
        """By what :func:`.records.parse_record` says, now."""
        first = record["readings"][0]
        return cls(
            datetime.now(timezone.utc).isoformat(timespec="seconds"),
            record["utterance"],
            record["understood"],
            record["refused_because"],
            first["canonical"],
            first["logical_form"],
            record["confidence"],
            record["in_domain"],
        )

    def line(self) -> bytes:
        """As a line of the log; half of a surrogate pair cannot be written and becomes ``?``."""
        return f"{json.dumps(asdict(self), ensure_ascii=False)}\n".encode("utf-8", "replace")


def is_question(line: bytes) -> bool:
    """Whether a line is a whole one of a log."""
    try:
        checked(Question, load_json(line.decode()), "")
    except (ValueError, UserError):
        return False
    return True


def read_log(path: Path) -> list[Question]:
    """The questions of a log, in their order; half a line at its end is passed over.

    Raises:
        UserError: the file cannot be read, or with ``file:line`` a line is none of a log.
    """
    text = read_text(path)
    lines = text.split("\n")
    if lines.pop() and not is_question(text.rpartition("\n")[2].encode()):
        whole: Iterable[str] = lines  # a server was killed within the last one
    else:
        whole = text.splitlines()
    found = []
    for number, line in enumerate(whole, 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            values = load_json(line)
        except ValueError:
            raise UserError(NO_LINE.format("not JSON"), where) from None
        found.append(checked(Question, values, where, NO_LINE))
    return found
