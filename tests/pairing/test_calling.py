"""What people call things, by an encoder that counts words, so that similarities are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from fairseq_twostage.pairing.calling import called_so, unknown_kinds

CANONICAL = [
    "which artists are from _country_",
    "which artists are older than _number_",
    "which stages are covered",
    "how many stages are there",
]
PLURALS = {"artist": "artists", "stage": "stages"}
ASKED = ["which bands are from _country_", "which bands are older than _number_"]


class Counting:
    """The cosine of two sentences is that of their words."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}

    def embed(self, sentences: Sequence[str]) -> torch.Tensor:
        rows = torch.zeros(len(sentences), 100)
        for row, sentence in enumerate(sentences):
            for word in sentence.split():
                rows[row, self.words.setdefault(word, len(self.words))] += 1
        return torch.nn.functional.normalize(rows, dim=1)


def found(asked: Sequence[str], plurals: dict[str, str] = PLURALS) -> dict[str, str]:
    encoder: Any = Counting()
    return called_so(unknown_kinds(asked, CANONICAL), asked, CANONICAL, plurals, encoder)


def test_the_kind_in_whose_place_it_stands() -> None:
    assert unknown_kinds(ASKED, CANONICAL) == ["bands"]
    assert found(ASKED) == {"bands": "artist"}


@pytest.mark.parametrize(
    "asked",
    [
        ASKED[:1],  # one question alone
        ["which bands", "how many bands"],  # both kinds are as good
        ["list bands that played loud yesterday", "list bands with a singer"],  # unlike any
        ["which stages are wet", "which stages are covered"],  # known
        ["which bndas are from _country_", "which bndas are older than _number_"],  # no word
    ],
)
def test_nothing_is_said_that_is_not_clear(asked: list[str]) -> None:
    assert found(asked) == {}


def test_one_kind_needs_no_margin_and_none_is_nothing() -> None:
    assert found(ASKED, {"artist": "artists"}) == {"bands": "artist"}
    assert found(ASKED, {}) == {}


def test_the_margin_is_of_the_mean() -> None:
    """By hand, of the words that two sentences of one length share: artists 3/4 and 5/5, in the
    mean 0.875; stages 4/4 and 4/5, 0.9. With a third question artists (3/4 + 1 + 1) / 3 = 0.917,
    stages (1 + 4/5 + 5/6) / 3 = 0.878: 0.039 more. With a fourth 0.938 and 0.867."""
    asked = ["which bands are covered", "which bands are from _country_"]
    assert found(asked) == {}
    asked += ["which bands are older than _number_"]
    assert found(asked) == {}
    assert found([*asked, asked[-1]]) == {"bands": "artist"}
