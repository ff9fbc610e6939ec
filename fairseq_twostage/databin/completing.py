"""Names that people shortened in the utterances of a database domain are written out.

What stands in an utterance is known to the models, and a known word is no part of a name. So this
comes before words are counted: in "who ordered coat racks" there is a *coat rack five branches*.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.name_index import Ids, Parts, in_all
from fairseq_twostage.text.names import singulars
from fairseq_twostage.text.vocabulary import count_words

USUAL = 3  # utterances that make a word one that people use, whatever names have it
LONGEST = 6  # words of a part
SHORTEST = 5  # letters of a part that is one word


def completer(
    frontend: Frontend, canonicals: Iterable[str], utterances: Iterable[str]
) -> Callable[[str], str]:
    """What writes out the names of rows in a text, where one row alone is called so.

    Args:
        frontend: of the domain.
        canonicals: a part of a name has a word that these do not have,
        utterances: and that fewer than ``USUAL`` of these have.
    """
    counts = count_words(" ".join({*frontend.read(text).tokens.split()}) for text in utterances)
    usual = {word for line in canonicals for word in line.split()}
    usual |= {word for word, count in counts.items() if count >= USUAL}
    return _Completer(frontend, usual)


class _Completer:
    def __init__(self, frontend: Frontend, usual: Collection[str]) -> None:
        self.frontend = frontend
        self.usual = usual
        self._phrases = [
            " ".join(words)
            for words, entries in frontend.names.senses.items()
            if any(entry.constant.startswith("(") for entry in entries)
        ]
        self._parts = Parts(self._phrases)

    def __call__(self, text: str) -> str:
        words = self.frontend.words(text).split()
        made: list[str] = []
        place, found = 0, dict(self._found(words))
        while place < len(words):
            end, phrase = found.get(place, (place + 1, words[place]))
            made.append(phrase)
            place = end
        return " ".join(made) if found else text

    def _found(self, words: Sequence[str]) -> Iterator[tuple[int, tuple[int, str]]]:
        """Parts that do not overlap, the longest ones, by their first word."""
        listed = list(self.frontend.names.spans(words))
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + LONGEST), start, -1):
                inside = [span for span in listed if span[0] < end and start < span[1]]
                whole = all(start <= a and b <= end and (a, b) != (start, end) for a, b in inside)
                if whole and (phrase := self._only(words[start:end])):
                    yield start, (end, phrase)
                    start = end
                    break
            else:
                start += 1

    def _only(self, span: Sequence[str]) -> str | None:
        """The one name that has all words of a span."""
        if not any(word.isalpha() and word not in self.usual for word in span):
            return None
        if len(span) == 1 and len(span[0]) < SHORTEST:
            return None
        found = in_all(map(self._having, span))
        return self._phrases[found[0]] if len(found) == 1 else None

    def _having(self, word: str) -> Ids:
        found = self._parts.having(word)
        return found if len(found) else self._parts.having_any(singulars(word))
