"""The words of a network and their ids, without fairseq."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")


class Words(Protocol):
    """What an encoder and a decoder know of words: :class:`Vocabulary`, fairseq's ``Dictionary``.

    Attributes:
        symbols: the special ones first.
        nspecial: how many those are.
    """

    symbols: list[str]
    nspecial: int

    def __len__(self) -> int: ...

    def __getitem__(self, index: int) -> str: ...

    def index(self, symbol: str) -> int:
        """Of a word; that of ``<unk>`` if it is none."""

    def add_symbol(self, word: str) -> int:
        """The id of a word, which is added where it is missing."""

    def bos(self) -> int:
        """Id of the beginning of sentence."""

    def pad(self) -> int:
        """Id of the padding."""

    def eos(self) -> int:
        """Id of the end of sentence."""

    def unk(self) -> int:
        """Id of what is no word."""


class Vocabulary:
    """Words with the ids that fairseq's ``Dictionary`` gives them.

    Args:
        words: without the special ones; a repeated word is the same word.
    """

    nspecial = len(SPECIAL)

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.symbols: list[str] = []
        self._ids: dict[str, int] = {}
        for word in (*SPECIAL, *words):
            self.add_symbol(word)

    @classmethod
    def of(cls, symbols: Iterable[str]) -> Vocabulary:
        """The vocabulary of given symbols, the special ones first.

        Raises:
            ValueError: they are not a vocabulary's symbols.
        """
        symbols = list(symbols)
        words = cls(symbols[cls.nspecial :])
        if words.symbols != symbols:
            raise ValueError("not the symbols of a dictionary")
        return words

    def __len__(self) -> int:
        return len(self.symbols)

    def __getitem__(self, index: int) -> str:
        return self.symbols[index] if index < len(self.symbols) else SPECIAL[self.unk()]

    def index(self, symbol: str) -> int:
        return self._ids.get(symbol, self.unk())

    def add_symbol(self, word: str) -> int:
        if word not in self._ids:
            self._ids[word] = len(self.symbols)
            self.symbols.append(word)
        return self._ids[word]

    def bos(self) -> int:
        return 0

    def pad(self) -> int:
        return 1

    def eos(self) -> int:
        return 2

    def unk(self) -> int:
        return 3
