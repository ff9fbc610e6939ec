"""From what people type to the tokens that a domain's utterances are made of."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from fairseq_twostage.text.normalisation import tokenize_utterance
from fairseq_twostage.text.scripts import SIGNS, without_invisible

_TYPED_AS_ASCII = str.maketrans("‘’‚‛“”„‟′″‐‑‒–—−", "''''\"\"\"\"'\"------")
_PIECE = re.compile(rf"[\w{SIGNS}]+(?:[.,:'/&-][\w{SIGNS}]+)*|[^\w\s]")
_INNER = re.compile(r"[.,:'/&-]")
_NUMBER_AND_UNIT = re.compile(r"(\d+)([^\W\d_]+)")


class DomainSpelling:
    """Lower case, and punctuation as the domain's own utterances have it.

    Which marks stand apart and which are part of a word differs between corpora, and the
    domain's vocabulary tells: a mark or spelling that it knows is kept, an unknown mark is
    dropped, an unknown word is cut at its marks where that gives known words.

    Args:
        vocabulary: the words that the domain's utterances are made of.
    """

    def __init__(self, vocabulary: Collection[str]) -> None:
        self.vocabulary = vocabulary

    def __call__(self, text: str) -> str:
        """Tokens separated by single spaces; a text in the domain's own spelling is unchanged."""
        plain = unicodedata.normalize("NFKC", without_invisible(text)).translate(_TYPED_AS_ASCII)
        plain = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in plain)
        chunks = tokenize_utterance(plain).split()
        return " ".join(token for chunk in chunks for token in self._tokens(chunk))

    def _tokens(self, chunk: str) -> Iterator[str]:
        if chunk in self.vocabulary:
            yield chunk
            return
        for match in _PIECE.finditer(chunk):
            yield from self._piece(match[0])

    def _piece(self, piece: str) -> list[str]:
        for candidate in self._spellings(piece):
            if candidate and all(token in self.vocabulary for token in candidate):
                return candidate
        return [piece] if piece[0].isalnum() or piece[0] == "_" else []

    def _spellings(self, piece: str) -> Iterator[list[str]]:
        """Ways to write a word, the most faithful first."""
        yield [piece]
        head, mark, tail = piece.partition("'")
        if mark:
            yield [head, f"'{tail}"]  # alice 's
            yield [head, "'", tail]
            yield [head + tail]
            if tail == "s":
                yield [head]
        parts = _INNER.split(piece)
        if len(parts) > 1:
            yield ["".join(parts)]  # 3,000 as 3000, e-mail as email
            yield parts
        number = _NUMBER_AND_UNIT.fullmatch(piece)
        if number:
            yield [number[1], number[2]]  # 3pm
