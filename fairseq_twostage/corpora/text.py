"""From raw text to tokens: utterances and logical forms."""

from __future__ import annotations

import re
from pathlib import Path

from fairseq_twostage.errors import UserError

FULL_CLASS_NAME = "edu.stanford.nlp.sempre.overnight.SimpleWorld"
SHORT_CLASS_NAME = "SW"
_BRACKET = re.compile(r"([()])")
_DETACHED_REVERSAL = re.compile(r"(?<!\S)! (?=[^\s()])")


def read_text(path: Path) -> str:
    """The whole file as UTF-8 text; :class:`UserError` if that cannot be."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError("no such file", where=str(path)) from None
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 text (byte {error.start})", where=str(path)) from None
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=str(path)) from None


def read_lines(path: Path) -> list[str]:
    """The lines of a text file, which a line feed alone ends; :class:`UserError` as above."""
    *lines, rest = read_text(path).split("\n")
    return [*lines, rest] if rest else lines


def tokenize_utterance(text: str) -> str:
    """Tokens separated by single spaces: brackets apart, lower case.

    The datasets are lower-case throughout and so is GloVe 6B; lower-casing only matters for
    what users type and for corpora of their own.
    """
    return " ".join(_BRACKET.sub(r" \1 ", text).lower().split())


def normalize_logical_form(text: str) -> str:
    """One spelling for all datasets: brackets apart, ``!type`` in one piece, class name ``SW``."""
    text = " ".join(_BRACKET.sub(r" \1 ", text).split())
    text = _DETACHED_REVERSAL.sub("!", text)
    return text.replace(FULL_CLASS_NAME, SHORT_CLASS_NAME)


def check_brackets(form: str, where: str) -> None:
    """Raise :class:`UserError` unless the brackets of a normalised logical form match."""
    depth = 0
    for token in form.split():
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth < 0:
            raise UserError("broken logical form: ')' without '('", where=where)
    if depth:
        raise UserError(f"broken logical form: {depth} bracket(s) not closed", where=where)
