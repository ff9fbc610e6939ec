"""Characters of all scripts; text of those that are written without blanks.

These are Chinese, Japanese, Thai, Lao, Burmese and Khmer.
"""

from __future__ import annotations

import re
import unicodedata

_BLOCKS = (
    (0x0E01, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # marks that stand for a character: 々 〆 〇
    (0x3041, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
SIGNS = "".join(c for c in map(chr, range(0x1FFFF)) if unicodedata.category(c)[0] == "M")
"""Vowel signs and other marks upon a letter, of all scripts: ``\\w`` leaves them out."""
_LETTERS = "".join(f"{chr(first)}-{chr(last)}" for first, last in _BLOCKS)
_LETTER = rf"(?!\d)[{_LETTERS}]"  # digits of such scripts make numbers
_CHARACTER = re.compile(rf"{_LETTER}[{SIGNS}]*")
_GAP = re.compile(rf"(?<=[{_LETTERS}{SIGNS}]) (?={_LETTER})(?![{SIGNS}])")


def apart(text: str) -> str:
    """Each character of such a script between blanks, with the signs upon it."""
    return _CHARACTER.sub(r" \g<0> ", text)


def closed_up(text: str) -> str:
    """The same text without blanks between two such characters."""
    return _GAP.sub("", text)


def without_invisible(text: str) -> str:
    """Without soft hyphens, joiners and marks of direction, which nobody sees in a word."""
    return "".join(c for c in text if c.isascii() or unicodedata.category(c) != "Cf")
