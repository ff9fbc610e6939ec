"""Selective prediction: how well confidences tell right answers from wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

BINS = 10
Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Selective:
    """How answers fare that are given only where they are trusted; shares, 0 … 1.

    Attributes:
        coverage: share of the questions that are answered.
        precision: share of right answers among those given; None: none is.
        auroc: probability that a right answer has a larger confidence than a wrong one, equal ones
            counting half; None where all are right, or all wrong.
        aurc: area under the risk–coverage curve, the mean share of wrong answers over all numbers
            of answers given (Geifman and El-Yaniv, 2017).
        ece: expected calibration error, over ten bins of equal mass.
    """

    coverage: float
    precision: float | None
    auroc: float | None
    aurc: float
    ece: float

    @classmethod
    def of(
        cls, confidences: Sequence[float], right: Sequence[bool], given: Sequence[bool]
    ) -> Selective:
        """Of answers.

        Args:
            confidences: of each answer.
            right: whether it is.
            given: whether it is given.
        """
        p, truth, answered = np.array(confidences), np.array(right), np.array(given)
        return cls(
            coverage=float(answered.mean()),
            precision=float(truth[answered].mean()) if answered.any() else None,
            auroc=auroc(p, truth),
            aurc=float(risks(p, truth).mean()),
            ece=calibration_error(p, truth),
        )

    def as_dict(self) -> dict[str, float | None]:
        """Rounded to four decimals."""
        return {
            name: None if value is None else round(value, 4) for name, value in asdict(self).items()
        }


def auroc(confidences: Array, right: npt.NDArray[np.bool_]) -> float | None:
    """The area under the receiver's curve: Mann–Whitney's U over the number of pairs."""
    positive, negative = int(right.sum()), int((~right).sum())
    if not positive or not negative:
        return None
    _, inverse, sizes = np.unique(confidences, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(sizes) - (sizes - 1) / 2)[inverse]
    u = ranks[right].sum() - positive * (positive + 1) / 2
    return float(u / (positive * negative))


def risks(confidences: Array, right: npt.NDArray[np.bool_]) -> Array:
    """The share of wrong answers among the n most confident ones, for n = 1 … all, ``(n,)``.

    Equal confidences are given in any order: each has the mean share of wrong ones among them.
    """
    _, inverse = np.unique(-confidences, return_inverse=True)
    wrong = np.bincount(inverse, weights=~right) / np.bincount(inverse)
    expected = np.sort(inverse)
    found: Array = np.cumsum(wrong[expected]) / np.arange(1, len(right) + 1)
    return found


def calibration_error(confidences: Array, right: npt.NDArray[np.bool_], bins: int = BINS) -> float:
    """The mean distance of confidence and accuracy over bins of equal mass."""
    order = np.argsort(confidences, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    gaps = [abs(confidences[part].mean() - right[part].mean()) * len(part) for part in parts]
    return float(sum(gaps) / len(right))
