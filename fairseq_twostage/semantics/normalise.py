"""From a dataset's line to the text that the reader takes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fairseq_twostage.semantics.errors import ExecutionError

LONG_PREFIX = "edu.stanford.nlp.sempre.overnight.SimpleWorld"
GUARD = "SW.ensure"  # of type
MAX_GROWTH = 1_000_000  # characters that placeholders of a form may stand for
_CLASS = re.compile(r"(?<!\S)SW(?![^\s.])")  # not in a name, as en.ship.SWIFT
_BLANKS = re.compile(r"[ \t-\r]+")
_BLANKS_TELL = re.compile(r'["\\#]')


def normalise(line: str, variables: Mapping[str, str] | None = None) -> str:
    """Space the brackets, join ``! type``, write class names in full, fill in variables.

    Args:
        line: a logical form as the dataset or a decoder writes it.
        variables: values of placeholders such as ``_state_``; only whole tokens are replaced.

    Raises:
        ExecutionError: category ``budget``: the values are longer than a million characters.
    """
    text = _space_brackets(line).replace("! ", "!")
    text = _CLASS.sub(LONG_PREFIX, text)
    if variables:
        text = _replace_tokens(text, variables)
    # Elsewhere the number and kind of blanks tells nothing.
    return _BLANKS.sub(" ", text) if _BLANKS_TELL.search(text) else text


def fill(line: str, variables: Mapping[str, str]) -> str:
    """Only space the brackets and fill in variables: for forms that are not of our language.

    Raises:
        ExecutionError: as :func:`normalise`.
    """
    return " ".join(_replace_tokens(_space_brackets(line), variables).split())


def program(form: str) -> tuple[str, ...]:
    """A form's tokens without ``( call SW.ensureNumericProperty … )`` and the like, which return
    their argument: GeoGranno's test rows have them where its training rows have none."""
    kept: list[str] = []
    guards: list[bool] = []  # of the open brackets
    for token in fill(form, {}).split():
        if token.startswith(GUARD) and kept[-2:] == ["(", "call"]:
            del kept[-2:]
            guards[-1] = True
        elif token == ")" and guards and guards.pop():
            continue
        else:
            kept.append(token)
            if token == "(":
                guards.append(False)
    return tuple(kept)


def _replace_tokens(text: str, variables: Mapping[str, str]) -> str:
    tokens = _BLANKS.split(text)
    grown = sum(len(variables[token]) for token in tokens if token in variables)
    if grown > MAX_GROWTH:
        raise ExecutionError("budget", f"placeholders stand for {grown} characters")
    return " ".join(
        _space_brackets(variables[token]) if token in variables else token for token in tokens
    )


def _space_brackets(text: str) -> str:
    return text.replace("(", " ( ").replace(")", " ) ")
