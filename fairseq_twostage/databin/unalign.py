"""De-pairing: X, Z and the (z, y) pairs as corpora that no longer know of one another."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from fairseq_twostage.text.rows import Row

T = TypeVar("T")
VALID_SHARE_OF_GRAMMAR = 0.2


@dataclass(frozen=True)
class UnalignedSplit:
    """What an unsupervised run may see of one split.

    Args:
        utterances: X, each with its variables as JSON (they belong to the utterance).
        canonicals: Z.
        pairs: (z, y) for the naive parser.
    """

    utterances: list[tuple[str, str]]
    canonicals: list[str]
    pairs: list[tuple[str, str]]


def unalign(rows: Sequence[Row], split: str, seed: int) -> UnalignedSplit:
    """De-pair a split in the setting ``paper``: Z is the canonical side, with repetition.

    Each corpus depends only on the multiset of its own items, because it is sorted before
    it is shuffled with a seed of its own.
    """
    return UnalignedSplit(
        utterances=_utterances(rows, split, seed),
        canonicals=_reordered((row.canonical for row in rows), seed, f"{split}.cf"),
        pairs=_reordered(
            ((row.canonical, row.logical_form) for row in rows), seed, f"{split}.cf-lf"
        ),
    )


def unalign_with_grammar(
    rows: Sequence[Row], pairs: Iterable[tuple[str, str]], split: str, seed: int
) -> UnalignedSplit:
    """De-pair a split in the setting ``grammar``: Z is every generated utterance once.

    All pairs serve training; validation sees a seeded fifth of them.
    """
    chosen = sorted(pairs)
    if split == "valid":
        size = max(1, round(VALID_SHARE_OF_GRAMMAR * len(chosen)))
        chosen = _reordered(chosen, seed, "valid sample of the grammar")[:size]
    return UnalignedSplit(
        utterances=_utterances(rows, split, seed),
        canonicals=_reordered((z for z, _ in chosen), seed, f"{split}.cf"),
        pairs=_reordered(chosen, seed, f"{split}.cf-lf"),
    )


def with_parser_pairs(
    part: UnalignedSplit, pairs: Iterable[tuple[str, str]], split: str, seed: int
) -> UnalignedSplit:
    """``part`` with more pairs for the naive parser; Z stays as it is.

    A pair serves if Z has all words of its canonical utterance, for D_z writes no other, and if
    that utterance is not among the pairs already.
    """
    words = {word for z in part.canonicals for word in z.split()}
    known = {z for z, _ in part.pairs}
    more = [(z, y) for z, y in pairs if z not in known and words.issuperset(z.split())]
    return replace(part, pairs=_reordered([*part.pairs, *more], seed, f"{split}.cf-lf"))


def _utterances(rows: Sequence[Row], split: str, seed: int) -> list[tuple[str, str]]:
    return _reordered(((row.utterance, row.variables_json) for row in rows), seed, f"{split}.nl")


def _reordered(items: Iterable[T], seed: int, corpus: str) -> list[T]:
    """Sort, then shuffle with a seed made of the run's seed and the corpus's name."""
    ordered = sorted(items)  # type: ignore[type-var]
    order = np.random.RandomState([seed, zlib.crc32(corpus.encode())]).permutation(len(ordered))
    return [ordered[i] for i in order]
