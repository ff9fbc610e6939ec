"""Marks and labels make the confidence of a parser that of its own domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fairseq_twostage.domains.tsv import read_rows
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_lines
from fairseq_twostage.inference.confidence import Evidence
from fairseq_twostage.inference.parser import Parse, TwoStageParser
from fairseq_twostage.inference.trust import Trust
from fairseq_twostage.semantics import execute, same_denotation
from fairseq_twostage.text.rows import Row

WRONG_ENDING = ".wrong.jsonl"  # what ``twostage serve`` adds to the file of marks


def recalibrated(parser: TwoStageParser, rows: Sequence[Row], wrong: Sequence[Row] = ()) -> Trust:
    """The parser's judgement, its confidence fitted to utterances whose meaning is known.

    Args:
        parser: with a judgement.
        rows: annotated: a reading is right if it has the answer of the row's form.
        wrong: readings that are none: one of that form is wrong; another one tells nothing.

    Raises:
        UserError: the parser judges no readings, or none of the rows tells anything.
    """
    trust = parser.trust
    if trust is None or trust.model is None:
        raise UserError("this parser has no confidence that marks could change")
    known = [*_judged(parser, rows), *_refuted(parser, wrong)]
    if not known:
        raise UserError("no mark tells anything about what is read now")
    evidences, right = zip(*known)
    model = trust.model.recalibrated(evidences, right)
    return replace(trust, model=model).promising(trust.precision)


def _judged(parser: TwoStageParser, rows: Sequence[Row]) -> Iterator[tuple[Evidence, bool]]:
    for row, parse in _parsed(parser, rows):
        gold = execute(row.logical_form, parser.world, row.variables)
        if parse.verdict.evidence is not None:
            yield parse.verdict.evidence, same_denotation(parse.answer, gold)


def _refuted(parser: TwoStageParser, rows: Sequence[Row]) -> Iterator[tuple[Evidence, bool]]:
    for row, parse in _parsed(parser, rows):
        if parse.verdict.evidence is not None and parse.logical_form == row.logical_form:
            yield parse.verdict.evidence, False


def _parsed(parser: TwoStageParser, rows: Sequence[Row]) -> Iterator[tuple[Row, Parse]]:
    decode = parser.reader.frontend.tokeniser.decode
    read = [parser.reader(decode(row.utterance), row.variables) for row in rows]
    return zip(rows, parser.parse_utterances(read))


def read_marks(path: Path) -> tuple[list[Row], list[Row]]:
    """Rows that are right and readings that are wrong, as ``twostage serve`` saves them.

    Raises:
        UserError: neither file is there, or one is none of marks.
    """
    beside = path.with_name(path.name + WRONG_ENDING)
    if not path.is_file() and not beside.is_file():
        raise UserError("no such file", str(path))
    right = read_rows(path) if path.is_file() else []
    return right, list(_wrong(beside)) if beside.is_file() else []


def _wrong(path: Path) -> Iterator[Row]:
    for number, line in enumerate(read_lines(path), 1):
        try:
            found = load_json(line)
            names = ("utterance", "canonical", "logical_form", "variables")
            yield Row(*(found[name] for name in names))
        except (ValueError, KeyError, TypeError):
            raise UserError("no mark of twostage serve", f"{path}:{number}") from None
