"""What labels teach a parser that ranks canonical utterances by a similarity.

Two things are learnt. Which words of people go with which words of Z:
``u(x)ᵀ · A · v(z)`` is added to the similarity, ``u`` and ``v`` being the words of each, weighted
by rarity and of length 1. And what an utterance that was labelled means: the same utterance, with
whatever names, is read so again.

A is fitted to be most probable, with a normal prior that holds words without evidence at 0: a
softmax over each label's foremost candidates, at the temperature of the confidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairseq_twostage.files import read_text
from fairseq_twostage.inference.candidates import Pool, words_in
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.index import Rarity
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.schema import strict
from fairseq_twostage.writing import write_json

# Chosen on labelled training and development rows (research/log.md, 2026-11-26).
PENALTY = 2.0
CERTAIN = 10.0  # standard deviations of the similarity that a label is worth
EXPLAINED = 0.05  # what a word adds to the similarity of the ẑ in which it plays a part
SMALLEST = 1e-4  # entries of A below it are left out
ITERATIONS = 60
LEARNT = "learnt.json"


class Labelled(NamedTuple):
    """An utterance and what it means.

    Attributes:
        utterance: tokens with placeholders.
        canonical: z, a candidate.
        right: False: this is what it does not mean.
    """

    utterance: str
    canonical: str
    right: bool = True


@strict
@dataclass(frozen=True)
class _File:
    """``learnt.json``: words as ``[of x, of z, weight]``, labels as ``[x, z, right]``."""

    words: list[tuple[str, str, float]]
    labels: list[tuple[str, str, bool]]


@dataclass(frozen=True)
class Learnt:
    """See the module.

    Attributes:
        words: A, by a word of x and one of z.
        labels: what is known of utterances.
    """

    words: Mapping[tuple[str, str], float] = field(default_factory=dict)
    labels: Sequence[Labelled] = ()

    @cached_property
    def _of_word(self) -> Mapping[str, Mapping[str, float]]:
        found: dict[str, dict[str, float]] = {}
        for (x, z), weight in self.words.items():
            found.setdefault(x, {})[z] = weight
        return found

    @cached_property
    def _known(self) -> Mapping[str, Sequence[Labelled]]:
        found: dict[str, list[Labelled]] = {}
        for label in self.labels:
            found.setdefault(label.utterance, []).append(label)
        return found

    def wanted(self, utterance: str, rarity: Rarity) -> Mapping[str, float]:
        """``u(x)ᵀ · A``: what each word of z adds, where there is something to add."""
        found: dict[str, float] = {}
        for word, share in unit_words(utterance, rarity).items():
            for z, weight in self._of_word.get(word, {}).items():
                found[z] = found.get(z, 0.0) + share * weight
        return found

    def certain(self, utterance: str) -> Mapping[str, float]:
        """What candidates gain or lose by labels of the very utterance."""
        known = self._known.get(utterance, ())
        return {each.canonical: CERTAIN if each.right else -CERTAIN for each in known}

    def explains(self, utterance: str, canonical: str, rarity: Rarity) -> Callable[[str], bool]:
        """Whether a word of an utterance plays a part in a canonical one, as labels say."""
        known = self._known.get(utterance, ())
        if any(each.right and each.canonical == canonical for each in known):
            return lambda word: True
        v = unit_words(canonical, rarity)

        def explained(word: str) -> bool:
            of = self._of_word.get(word, {})
            return sum(of.get(z, 0.0) * share for z, share in v.items()) >= EXPLAINED

        return explained

    def without(self, utterances: frozenset[str]) -> Learnt:
        """The same without labels of these utterances."""
        kept = [label for label in self.labels if label.utterance not in utterances]
        return Learnt(self.words, kept)

    def write(self, folder: Path) -> None:
        """Write ``learnt.json``."""
        words = [[x, z, round(weight, 6)] for (x, z), weight in sorted(self.words.items())]
        write_json(
            folder / LEARNT, {"words": words, "labels": [list(each) for each in self.labels]}
        )


def read_learnt(folder: Path) -> Learnt:
    """What :meth:`Learnt.write` wrote.

    Raises:
        UserError: it is damaged.
    """
    from pydantic import TypeAdapter

    path = folder / LEARNT
    content = TypeAdapter(_File).validate_json(read_text(path))
    words = {(x, z): weight for x, z, weight in content.words}
    return Learnt(words, [Labelled(*each) for each in content.labels])


def unit_words(line: str, rarity: Rarity) -> dict[str, float]:
    """The distinct words of a line but placeholders, weighted by rarity, of length 1 together."""
    words = list(dict.fromkeys(words_in(line)))
    weights = rarity.weights(words)
    length = float(np.linalg.norm(weights))
    return dict(zip(words, (weights / length).tolist())) if length else {}


class Bags:
    """The words of many canonical utterances, to be weighed at once.

    Args:
        lines: canonical utterances.
        rarity: in Z.
    """

    def __init__(self, lines: Sequence[str], rarity: Rarity) -> None:
        bags = [unit_words(line, rarity) for line in lines]
        self.columns = {word: n for n, word in enumerate(sorted(set().union(*bags)))}
        self.matrix = np.zeros((len(lines), len(self.columns)))
        for row, bag in enumerate(bags):
            for word, share in bag.items():
                self.matrix[row, self.columns[word]] = share

    def scores(self, wanted: Mapping[str, float]) -> Matrix:
        """``wanted · v(z)`` of each line, ``(lines,)``."""
        weights = np.zeros(len(self.columns))
        for word, weight in wanted.items():
            if word in self.columns:
                weights[self.columns[word]] = weight
        return self.matrix @ weights


class Lesson(NamedTuple):
    """A label with what it is chosen among.

    Attributes:
        utterance: tokens.
        pool: the foremost candidates.
        meant: which of these are right by the label, ``(candidates,)``; some and not all.
    """

    utterance: str
    pool: Pool
    meant: npt.NDArray[np.bool_]


def fit_words(
    lessons: Sequence[Lesson], similarity: FittedSimilarity, weight: float
) -> dict[tuple[str, str], float]:
    """The most probable A.

    Args:
        lessons: what labels say.
        similarity: whose rarities weigh words.
        weight: of the similarity in the scores of the pools.
    """
    if not lessons:
        return {}
    from scipy.optimize import minimize

    bags = [Bags(each.pool.lines, similarity.canonical) for each in lessons]
    units = [unit_words(each.utterance, similarity.natural) for each in lessons]
    rows = {word: n for n, word in enumerate(sorted(set().union(*units)))}
    columns = {word: n for n, word in enumerate(sorted(set().union(*(b.columns for b in bags))))}
    u = np.zeros((len(lessons), len(rows)))
    for n, unit in enumerate(units):
        for word, share in unit.items():
            u[n, rows[word]] = share
    places = [[columns[word] for word in bag.columns] for bag in bags]
    scores = [each.pool.total / each.pool.temperature for each in lessons]
    sharpness = [weight / each.pool.temperature for each in lessons]

    def loss(values: Matrix) -> tuple[float, Matrix]:
        a = values.reshape(len(rows), len(columns))
        wanted = u @ a
        total, gradient = 0.0, np.zeros_like(wanted)
        for n, (lesson, bag) in enumerate(zip(lessons, bags)):
            s = scores[n] + sharpness[n] * (bag.matrix @ wanted[n, places[n]])
            all_, some = np.logaddexp.reduce(s), np.logaddexp.reduce(s[lesson.meant])
            total += float(all_ - some)
            surplus = np.exp(s - all_) - np.where(lesson.meant, np.exp(s - some), 0.0)
            gradient[n, places[n]] = sharpness[n] * (surplus @ bag.matrix)
        total += PENALTY / 2 * float((a**2).sum())
        return total, (u.T @ gradient + PENALTY * a).ravel()

    start = np.zeros(len(rows) * len(columns))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}).x
    a = found.reshape(len(rows), len(columns))
    of_x, of_z = list(rows), list(columns)
    return {
        (of_x[x], of_z[z]): float(a[x, z]) for x, z in np.argwhere(np.abs(a) >= SMALLEST).tolist()
    }
