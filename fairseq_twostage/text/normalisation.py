"""One spelling of utterances and logical forms."""

from __future__ import annotations

import re
import unicodedata

from fairseq_twostage.errors import UserError

FULL_CLASS_NAME = "edu.stanford.nlp.sempre.overnight.SimpleWorld"
SHORT_CLASS_NAME = "SW"
_ACCENTS = frozenset(map(chr, range(0x300, 0x370)))  # not the vowel signs of other scripts
_STROKES = str.maketrans("đðħıłøŧ", "ddhilot")  # letters that are not made of one and an accent
_WRITTEN_OUT = str.maketrans(
    {"ä": "ae", "å": "aa", "æ": "ae", "ö": "oe", "ø": "oe", "œ": "oe", "ü": "ue", "þ": "th"}
)
_BRACKET = re.compile(r"([()])")
_DETACHED_REVERSAL = re.compile(r"(?<!\S)! (?=[^\s()])")


def tokenize_utterance(text: str) -> str:
    """Tokens separated by single spaces: brackets apart, lower case.

    The datasets are lower-case throughout and so is GloVe 6B; lower-casing only matters for
    what users type and for corpora of their own.
    """
    return " ".join(_BRACKET.sub(r" \1 ", text).lower().split())


def without_accents(word: str) -> str:
    """Letters without what stands above and below them: ``zoe`` of ``zoë``."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word.translate(_STROKES))
    return unicodedata.normalize("NFC", "".join(c for c in parts if c not in _ACCENTS))


def written_out(word: str) -> str:
    """Lower-case letters as those write them who have no other keys: ``koeln`` of ``köln``."""
    return without_accents(word.translate(_WRITTEN_OUT))


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
