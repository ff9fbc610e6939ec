"""Whether an utterance is about the domain at all, fitted without a label.

A logistic regression over the utterance's vector, over how near the nearest utterance of X and of Z
is, over its words and what it asks for tells X from texts of other matters. The vector is that of a
similarity that has such (a sentence encoder); else the mean of its words' states; without any
similarity the words themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fairseq_twostage.inference.confidence import logistic
from fairseq_twostage.inference.usage import Usage
from fairseq_twostage.pairing.fitted import Read
from fairseq_twostage.pairing.similarity import unit_rows

Vectors = npt.NDArray[np.float32]
INVERSE_PENALTY = 0.1
VECTOR_SCALE, NEARNESS_SCALE = 4.0, 10.0  # against the penalty
USAGE_SCALES = (4.0, 3.0)  # of the usage's features (research/log.md, 2026-11-28)
LEAST_REFUSED, MOST_REFUSED = 0.01, 0.03  # shares of X that may lie below the threshold
CAUGHT = 0.99  # share of foreign texts that is to lie below it
# Where there is hardly an X (research/log.md, 2026-11-26):
# the cosine to the nearest of Z from which on an utterance is of the domain, and how steep that is.
LEAST_NEAR, STEEPNESS = 0.6, 12.0
FOLDS = 5


@dataclass(frozen=True)
class ScopeModel:
    """From an utterance to the probability that it is about the domain.

    Attributes:
        natural: vectors of X, each of length 1, ``(x, dim)``.
        canonical: of Z, ``(z, dim)``.
        weights: of the vector, then of both nearnesses, ``(dim + 2,)``; then of both features of
            the usage, where there is one.
        bias: of the regression.
        threshold: the probability below which an utterance is not about it.
        columns: by word, where words themselves make the vector.
        usage: of X and Z.
    """

    natural: Vectors
    canonical: Vectors
    weights: npt.NDArray[np.float64]
    bias: float
    threshold: float
    columns: Mapping[str, int] | None = None
    usage: Usage | None = None

    def __call__(self, tokens: str, read: Mapping[str, Read]) -> float:
        """The probability.

        Args:
            tokens: of the utterance.
            read: the same as similarities see it.
        """
        vector = vectors([tokens], [read], self.columns)
        features = _features(vector, self.natural, self.canonical, self.usage, [tokens])
        (score,) = features @ self.weights + self.bias
        return logistic(float(score))

    @classmethod
    def near(cls, canonical: Vectors) -> ScopeModel:
        """By the nearest of Z alone, where hardly an X says how people put things.

        Args:
            canonical: vectors of Z.
        """
        weights = np.zeros(canonical.shape[1] + 2)
        weights[-1] = STEEPNESS / NEARNESS_SCALE
        bias = -STEEPNESS * LEAST_NEAR
        return cls(canonical[:1], canonical, weights, bias, 0.5)

    @classmethod
    def fit(
        cls,
        natural: Vectors,
        canonical: Vectors,
        foreign: Vectors,
        columns: Mapping[str, int] | None = None,
        lines: tuple[Sequence[str], Sequence[str], Sequence[str]] | None = None,
    ) -> ScopeModel:
        """Over vectors of X, Z and texts of other matters.

        Foreign texts that lie nearer to X than half of X does may be of the domain after all:
        they are left out. The threshold has :data:`CAUGHT` of the foreign texts below it, where
        that costs from :data:`LEAST_REFUSED` to :data:`MOST_REFUSED` of X; each text is judged by
        a regression that has not seen it. Where no foreign text is left, every utterance is about
        the domain.

        Args:
            natural: of X.
            canonical: of Z.
            foreign: of the others.
            columns: see the attributes.
            lines: the tokens of all three; without them words are not looked at.
        """
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import cross_val_predict

        near = _nearest(natural, natural, themselves=True)
        apart = _nearest(foreign, natural) < np.median(near)
        foreign = foreign[apart]
        if not len(foreign):
            return cls(natural, canonical, np.zeros(natural.shape[1] + 2), 0.0, 0.0, columns)
        usage = None if lines is None else Usage.of(*lines[:2])
        x, _, others = lines or ((), (), ())
        others = [line for line, far in zip(others, apart) if far]
        rows = np.concatenate(
            [_features(natural, natural, canonical, usage, x, themselves=True),
             _features(foreign, natural, canonical, usage, others)]
        )  # fmt: skip
        truth = np.array([1] * len(natural) + [0] * len(foreign))
        model = LogisticRegression(C=INVERSE_PENALTY, max_iter=3_000, class_weight="balanced")
        folds = min(FOLDS, len(natural), len(foreign))
        judged = cross_val_predict(model, rows, truth, cv=folds, method="predict_proba")[:, 1]
        model.fit(rows, truth)
        least, most = np.quantile(judged[: len(natural)], [LEAST_REFUSED, MOST_REFUSED])
        threshold = float(np.clip(np.quantile(judged[len(natural) :], CAUGHT), least, most))
        weights, bias = model.coef_[0], float(model.intercept_[0])
        return cls(natural, canonical, weights, bias, threshold, columns, usage)


def vectors(
    lines: Sequence[str],
    reads: Sequence[Mapping[str, Read]],
    columns: Mapping[str, int] | None = None,
) -> Vectors:
    """Of utterances, each of length 1, ``(n, dim)``; zero where none of the words is known.

    Args:
        lines: their tokens.
        reads: the same as similarities see them; not looked at with ``columns``.
        columns: place of each word, the last of them for words that have none.
    """
    if columns is None:
        return unit_rows(np.stack([_vector(read) for read in reads])).astype(np.float32)
    found = np.zeros((len(lines), len(columns) + 1))
    for row, line in enumerate(lines):
        for word in line.split():
            found[row, columns.get(word, len(columns))] += 1.0
    return unit_rows(found).astype(np.float32)


def _vector(read: Mapping[str, Read]) -> npt.NDArray[np.float64]:
    (first, *_) = read.values()
    vector = first.states.mean(axis=0) if first.vector is None else first.vector
    return np.asarray(vector, dtype=np.float64)


def _features(
    rows: Vectors,
    natural: Vectors,
    canonical: Vectors,
    usage: Usage | None = None,
    lines: Sequence[str] = (),
    themselves: bool = False,
) -> npt.NDArray[np.float64]:
    near = [_nearest(rows, natural, themselves), _nearest(rows, canonical)]
    columns = [VECTOR_SCALE * rows, *(NEARNESS_SCALE * each for each in near)]
    if usage is not None:
        columns.append(usage.features(lines, themselves) * USAGE_SCALES)
    return np.column_stack(columns)


def _nearest(rows: Vectors, others: Vectors, themselves: bool = False) -> Vectors:
    """The cosine to the nearest of the others, ``(rows,)``; each row's own place left out."""
    cosines = rows @ others.T
    if themselves:
        np.fill_diagonal(cosines, -1.0)
    found: Vectors = cosines.max(axis=1)
    return found
