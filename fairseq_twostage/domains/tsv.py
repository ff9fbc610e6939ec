"""Readers of tab-separated files: annotated rows, and plain (z, y) pairs."""

from __future__ import annotations

from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_columns
from fairseq_twostage.semantics.gold_rows import is_gold, is_query
from fairseq_twostage.semantics.gold_rows import read_rows as read_gold_rows
from fairseq_twostage.text.normalisation import (
    check_brackets,
    normalize_logical_form,
    tokenize_utterance,
)
from fairseq_twostage.text.rows import Row

NO_CANONICAL = "none"  # what GeoGranno's test file writes where no canonical utterance exists


def read_rows(path: Path) -> list[Row]:
    """Rows of ``utterance TAB canonical [TAB logical form [TAB JSON of variables]]``, or, where
    the domain is a database, of ``utterance TAB query or rows in JSON``.

    The canonical utterance may be empty; ``none``, as GeoGranno writes it, means the same.
    Without a third column the logical form is empty: a grammar's pairs can fill it in.

    Raises:
        UserError: with ``file:line`` for any other shape; with the file if it has no rows.
    """
    rows = []
    for where, (utterance, canonical, *rest) in read_columns(path, 2, 3, 4):
        x, z = tokenize_utterance(utterance), tokenize_utterance(canonical)
        if not x:
            raise UserError("the utterance is empty", where=where)
        if not rest and is_gold(canonical):
            rows.append(Row(x, "", _gold(canonical, where), {}, where))
            continue
        z = "" if z == NO_CANONICAL else z
        if not rest and not z:
            raise UserError("neither a canonical utterance nor a logical form", where=where)
        form = _logical_form(rest[0], where) if rest else ""
        variables = read_variables(rest[1], where) if len(rest) > 1 else {}
        rows.append(Row(x, z, form, variables, where))
    if not rows:
        raise UserError("holds no row", where=str(path))
    return rows


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Distinct pairs of ``canonical utterance TAB logical form``, in file order.

    Raises:
        UserError: with ``file:line`` for a malformed line or a canonical utterance that
            comes with two different logical forms; with the file if it is empty.
    """
    forms: dict[str, str] = {}
    for where, (canonical, text) in read_columns(path, 2):
        z, form = tokenize_utterance(canonical), _logical_form(text, where)
        if not z:
            raise UserError("the canonical utterance is empty", where=where)
        if forms.setdefault(z, form) != form:
            raise UserError(f"a second logical form for the utterance {z!r}", where=where)
    if not forms:
        raise UserError("holds no pair", where=str(path))
    return list(forms.items())


def _gold(text: str, where: str) -> str:
    try:
        return text.strip() if is_query(text) or read_gold_rows(text) is not None else ""
    except ValueError as error:
        raise UserError(f"the gold rows are not JSON: {error}", where=where) from None


def _logical_form(text: str, where: str) -> str:
    form = normalize_logical_form(text)
    if not form:
        raise UserError("the logical form is empty", where=where)
    check_brackets(form, where)
    return form


def read_variables(text: str, where: str) -> dict[str, str]:
    """Values of placeholders, as JSON; ``where`` is for the :class:`UserError`."""
    try:
        variables = load_json(text)
    except ValueError as error:
        reason = getattr(error, "msg", error)
        raise UserError(f"the variables are not JSON: {reason}", where=where) from None
    if not isinstance(variables, dict) or not all(
        isinstance(value, str) for value in variables.values()
    ):
        raise UserError('the variables must look like {"_name_": "entity"}', where=where)
    return variables
