"""Arithmetic on columns, as a measure of ``schema.yaml`` has it: ``QUANTITY * UNIT_PRICE``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from fairseq_twostage.errors import UserError


def arithmetic(text: str, column: Callable[[str], Any], where: str) -> Any:
    """The SQL of ``+ - * /``, brackets, numbers and columns; a division by zero is missing.

    Args:
        text: a column with blanks or other marks in its name cannot stand there.
        column: what a name means.
        where: the schema's file, for messages.

    Raises:
        UserError: it is anything else, or a name means nothing.
    """

    def made(node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return sa.cast(column(node.id), sa.Double())
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
        raise UserError(f"expression: {text!r} is more than + - * / of columns and numbers", where)

    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UserError(f"expression: {text!r} cannot be read", where) from None
    return made(tree)
