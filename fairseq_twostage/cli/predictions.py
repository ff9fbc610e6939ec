"""Predicted logical forms from a file: records of ``twostage parse``, or forms by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, stream_lines
from fairseq_twostage.text.rows import Row

WANTED = "give what twostage parse --format jsonl writes, or a logical form on each line"


class Prediction(NamedTuple):
    """The forms predicted for a row, best first, and the values of their placeholders.

    There is no form where the utterance could not be read.
    """

    forms: Sequence[str]
    variables: Mapping[str, str]


def read_predictions(file: str, rows: Sequence[Row], what: str, nbest: int) -> list[Prediction]:
    """The predictions for rows; the file's first line tells of which kind it is.

    Args:
        file: to read; ``-`` is standard input.
        rows: what was to be parsed, in this order; forms by line have their variables.
        what: names the rows in errors.
        nbest: forms wanted of each.

    Raises:
        UserError: with ``file:line`` for another number of lines, a line that is no record among
            records, and a text that holds no logical form.
    """
    lines = list(stream_lines(file))
    if not lines or not lines[0].lstrip().startswith(("{", "[")):
        return _forms(lines, rows, file, what, nbest)
    while not lines[-1].strip():
        lines.pop()
    found = [_record(line, f"{file}:{number}", nbest) for number, line in enumerate(lines, 1)]
    if len(found) != len(rows):
        place = f"{file}:{min(len(found), len(rows)) + 1}"
        raise UserError(
            f"{len(found)} records, but {what} has {len(rows)} rows; parse every utterance of it, "
            "in order",
            place,
        )
    return found


def _forms(
    lines: Sequence[str], rows: Sequence[Row], file: str, what: str, nbest: int
) -> list[Prediction]:
    wanted = nbest * len(rows)
    if len(lines) != wanted:
        times = f" and --nbest is {nbest}" if nbest > 1 else ""
        place = f"{file}:{min(len(lines), wanted) + 1}"
        raise UserError(
            f"{len(lines)} lines, but {what} has {len(rows)} rows{times}; {WANTED}", place
        )
    check_forms(lines, [row.logical_form for row in rows], file)
    return [
        Prediction(lines[place * nbest : (place + 1) * nbest], row.variables)
        for place, row in enumerate(rows)
    ]


def _record(line: str, where: str, nbest: int) -> Prediction:
    try:
        record = load_json(line)
    except ValueError:
        raise UserError(f"no JSON; {WANTED}", where) from None
    try:
        readings = record["readings"][:nbest]
        if not readings:
            return Prediction([], {})
        # As written, with the entities of its utterance; without these, as it was filled in.
        variables = _texts(record["variables"]) if "variables" in record else None
        if variables is not None and all("logical_form_tokens" in item for item in readings):
            return Prediction([_text(item["logical_form_tokens"]) for item in readings], variables)
        return Prediction([_text(item["logical_form"]) for item in readings], variables or {})
    except (KeyError, TypeError):
        raise UserError(f"no record of a parse; {WANTED}", where) from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _texts(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError
    return {name: _text(constant) for name, constant in value.items()}


def check_forms(lines: Sequence[str], gold: Sequence[str], file: str) -> None:
    """Refuse a text without any form, as utterances or a table, where ``gold`` have brackets.

    Raises:
        UserError: with ``file:line``.
    """
    if not all(form.lstrip().startswith("(") for form in gold):
        return
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            raise UserError(f"a tab, so no logical form; {WANTED}", f"{file}:{number}")
    if not any(line.lstrip().startswith("(") for line in lines):
        raise UserError(f"no logical form; {WANTED}", f"{file}:1")
