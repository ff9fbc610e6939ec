"""Arithmetic on columns, as a measure of ``schema.yaml`` has it: ``QUANTITY * UNIT_PRICE``, and
spans between dates: ``days(START_DATE, END_DATE)``, ``years(BIRTH_DATE, today)``."""

from __future__ import annotations

import ast
import json
import keyword
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.errors import UserError

SPANS = ("days", "years")


def arithmetic(
    text: str, column: Callable[[str], Any], date: Callable[[str], Any], dialect: str, where: str
) -> Any:
    """The SQL of ``+ - * /``, brackets, numbers, columns and spans; a division by zero is missing.

    Args:
        text: names of columns with blanks or other marks stand in quotes.
        column: what a name means.
        date: what a name means within a span, as text in ISO 8601, or a year alone.
        dialect: of the database.
        where: the schema's file, for messages.

    Raises:
        UserError: it is anything else, or a name means nothing.
    """

    def made(node: ast.expr) -> Any:
        if (name := _column(node)) is not None:
            return sa.cast(column(name), sa.Double())
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return sa.literal(float(node.value), sa.Double())  # type: ignore[arg-type]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -made(node.operand)
        if isinstance(node, ast.BinOp):
            left, right = made(node.left), made(node.right)
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Sub):
                return left - right
            if isinstance(node.op, ast.Mult):
                return left * right
            if isinstance(node.op, ast.Div):
                return left / sa.func.nullif(right, 0.0)
        if (span := _span(node)) is not None:
            unit, *ends = span
            first, last = map(date, ends)
            return years(first, last) if unit == "years" else days(first, last, dialect)
        raise UserError(
            f"expression: {text!r} is more than + - * / of columns and numbers, days(A, B) and "
            "years(A, B)",
            where,
        )

    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UserError(f"expression: {text!r} cannot be read", where) from None
    return made(tree)


def quoted(column: str) -> str:
    """A column's name as it stands in an expression: ``"Date of birth"`` in quotes."""
    plain = column.isascii() and column.isidentifier() and not keyword.iskeyword(column)
    return column if plain else json.dumps(column, ensure_ascii=False)


def _column(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return None


def _span(node: ast.expr) -> tuple[str, str, str] | None:
    """The function and its two dates of ``days(A, B)``."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        return None
    names = [name for each in node.args if (name := _column(each)) is not None]
    if node.func.id not in SPANS or len(names) != 2 or len(node.args) != 2:
        return None
    return node.func.id, names[0], names[1]


def days(first: Any, last: Any, dialect: str) -> Any:
    """Days from one date to another, which are texts in ISO 8601."""
    ends = [sa.func.substr(end, 1, 10) for end in (last, first)]
    if dialect == "sqlite":
        until, since = map(sa.func.julianday, ends)
        return sa.cast(until - since, sa.Double())
    dates = [sa.cast(end, sa.Date()) for end in ends]
    return sa.cast(dates[0].op("-")(dates[1]), sa.Double())


def years(first: Any, last: Any) -> Any:
    """Whole years from one date to another; where one of them is a year alone, of the years."""
    number = [sa.cast(sa.func.substr(end, 1, 4), sa.Integer()) for end in (last, first)]
    within = [sa.func.substr(end, 6, 5) for end in (last, first)]
    earlier = sa.and_(within[0] < within[1], within[0] != "")
    return sa.cast(number[0] - number[1] - sa.case((earlier, 1), else_=0), sa.Double())
