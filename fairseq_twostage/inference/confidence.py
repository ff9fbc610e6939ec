"""The probability that the chosen reading's answer is right, fitted without a label.

Two estimates are added as log-odds, each with a share, to those of a reading of which nothing
is known. The first is the posterior of the readings under the scores
by which candidates are ranked, at a fixed temperature. The second is a logistic regression over
what speaks for the chosen reading and against the others. Its positives are the training
utterances X as they are read; its negatives are the same utterances with every candidate of the
chosen answer taken away, so that the reading is wrong by construction.

A few marks or labels recalibrate the sum (Platt scaling, with a prior that nothing changes).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairseq_twostage.inference.candidates import Pool

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

# Chosen on development rows (research/log.md, 2026-11-26).
POSTERIOR_SHARE = 0.4
VERIFIER_SHARE = 0.2
BASE = 0.6  # log-odds that a reading is right, before anything is known of it
INVERSE_PENALTY = 0.1
LEAST_SHARE = 0.01  # of the posterior: a candidate with less is executed for no comparison
DIGITS = 9  # after the point, of what is fitted
ONE_SIDED_95 = 1.645  # standard deviations
LARGEST = float(np.log(1e6))  # log-odds
FEATURES = (
    *("posterior", "sharp_posterior", "bound_posterior", "direct_posterior", "dual_posterior"),
    *("bound_margin", "direct_margin", "dual_margin", "aligned", "mismatch", "direct_mean"),
    *("dual_mean", "bound_rank", "direct_rank", "dual_rank", "lengths"),
)


def logistic(log_odds: float) -> float:
    """The probability with these log-odds."""
    return float(1 / (1 + np.exp(-np.clip(log_odds, -LARGEST, LARGEST))))


class Evidence(NamedTuple):
    """What speaks for a reading.

    Attributes:
        posterior: log-odds of its answer among all readings, at the pool's temperature.
        features: in the order of :data:`FEATURES`.
    """

    posterior: float
    features: Array


def evidence(pool: Pool, chosen: int, same: Mask, kept: Mask) -> Evidence:
    """Weigh a candidate against the others.

    Args:
        pool: the candidates.
        chosen: place of the one that was chosen.
        same: which have its answer, itself among them.
        kept: which may be meant at all, the chosen one among them.
    """
    total, inside = pool.total, same[kept]

    def log_odds(scores: Array, temperature: float) -> float:
        s = scores[kept] / temperature
        others = np.logaddexp.reduce(s[~inside])  # minus infinity of none
        return float(np.clip(np.logaddexp.reduce(s[inside]) - others, -LARGEST, LARGEST))

    def margin(scores: Array) -> float:
        s = scores[kept]
        return float(s[inside].max() - (s[~inside].max() if not inside.all() else s.min()))

    def rank(scores: Array) -> float:
        return -float(np.log1p((scores[kept] > scores[chosen]).sum()))

    words = len(pool.lines[chosen].split()) + 1
    posterior = log_odds(total, pool.temperature)
    found = [
        posterior,
        log_odds(total, pool.temperature / 2),
        log_odds(pool.bound, pool.temperature),
        log_odds(pool.direct, 1.0),
        log_odds(pool.dual, 1.0),
        *map(margin, (pool.bound, pool.direct, pool.dual)),
        pool.aligned[chosen],
        -pool.mismatch[chosen],
        pool.direct[chosen] / words,
        pool.dual[chosen] / (pool.length + 1),
        *map(rank, (pool.bound, pool.direct, pool.dual)),
        -abs(float(np.log((pool.length + 1) / words))),
    ]
    return Evidence(posterior, np.array(found))


class Weighed(NamedTuple):
    """A pool with what is known of the chosen reading's answer.

    Attributes:
        pool: the candidates.
        chosen: place of the chosen one.
        same: which have its answer.
        kept: which may be meant: not those that were better and gave no answer.
    """

    pool: Pool
    chosen: int
    same: Mask
    kept: Mask

    @property
    def evidence(self) -> Evidence:
        """For the chosen reading."""
        return evidence(self.pool, self.chosen, self.same, self.kept)


def weigh(
    pool: Pool, line: str, form_of: Callable[[str], str | None], same_answer: Callable[[str], bool]
) -> Weighed:
    """Find which candidates of a pool mean the same as the chosen one.

    Args:
        pool: the candidates, ``line`` among them.
        line: the ẑ that was chosen.
        form_of: the logical form that is known of a candidate.
        same_answer: whether a logical form has the chosen reading's answer. It is asked for
            candidates that :data:`LEAST_SHARE` of the posterior falls to, and for no others.
    """
    chosen = pool.lines.index(line)
    total = pool.total
    kept = total <= total[chosen]  # a better one was tried, and left since it gave no answer
    share = np.where(kept, total, -np.inf) / pool.temperature
    share = np.exp(share - np.logaddexp.reduce(share))
    mine = form_of(line)
    forms = [form_of(z) for z in pool.lines]
    same = np.array([form is not None and form == mine for form in forms])
    same[chosen] = True
    for place in np.flatnonzero(kept & ~same & (share >= LEAST_SHARE)):
        form = forms[place]
        same[place] = form is not None and same_answer(form)
    return Weighed(pool, chosen, same, kept)


@dataclass(frozen=True)
class ConfidenceModel:
    """From evidence to a probability.

    Attributes:
        mean: of each feature, ``(features,)``.
        scale: its standard deviation.
        weights: of the standardised features.
        bias: of the regression.
        slope: of the recalibration, 1 without labels.
        shift: likewise, 0 without.
    """

    mean: Array
    scale: Array
    weights: Array
    bias: float
    slope: float = 1.0
    shift: float = 0.0

    @classmethod
    def fit(cls, right: Sequence[Evidence], wrong: Sequence[Evidence]) -> ConfidenceModel:
        """A logistic regression; features that never differ have no weight.

        Args:
            right: of utterances as they are read.
            wrong: of the same without the candidates of the chosen answer.
        """
        from sklearn.linear_model import LogisticRegression

        # The last digits of sums differ from run to run; a parser made again is to be the same.
        rows = np.round([each.features for each in (*right, *wrong)], DIGITS)
        mean, scale = rows.mean(axis=0), rows.std(axis=0)
        scale[scale < 1e-9] = 1.0
        truth = [1] * len(right) + [0] * len(wrong)
        model = LogisticRegression(C=INVERSE_PENALTY, max_iter=3_000)
        model.fit((rows - mean) / scale, truth)
        weights = np.round(model.coef_[0], DIGITS)
        bias = round(float(model.intercept_[0]), DIGITS)
        return cls(np.round(mean, DIGITS), np.round(scale, DIGITS), weights, bias)

    def log_odds(self, found: Evidence) -> float:
        """Before the recalibration."""
        fitted = float((found.features - self.mean) / self.scale @ self.weights) + self.bias
        return POSTERIOR_SHARE * found.posterior + VERIFIER_SHARE * fitted + BASE

    def __call__(self, found: Evidence) -> float:
        """The probability that the answer is right."""
        return self.probability(self.log_odds(found))

    def probability(self, log_odds: float) -> float:
        """The same of log-odds before the recalibration."""
        return logistic(self.slope * log_odds + self.shift)

    def recalibrated(self, found: Sequence[Evidence], right: Sequence[bool]) -> ConfidenceModel:
        """Fitted to readings of which it is known whether they are right.

        Slope and shift are the most probable ones under a normal prior around 1 and 0 with
        standard deviations of 1/2 and 1.
        """
        if not found:
            return self
        from scipy.optimize import minimize

        logits = np.array([self.log_odds(each) for each in found])
        truth = np.array(right, dtype=float)

        def loss(values: Array) -> float:
            z = values[0] * logits + values[1]
            likelihood = np.logaddexp(0.0, z) - truth * z
            return float(likelihood.sum() + 2 * (values[0] - 1) ** 2 + values[1] ** 2 / 2)

        slope, shift = minimize(loss, np.array([1.0, 0.0])).x
        return replace(self, slope=float(slope), shift=float(shift))


def threshold_for(
    precision: float, confidences: Sequence[float], answers: int | None = None
) -> float:
    """The least confidence above which so many answers are right, as the confidences say.

    Args:
        precision: share of right answers among those given, 0 … 1.
        confidences: of utterances as they come.
        answers: so many answers are to keep to it, with a probability of 95 %; None: it holds on
            the whole.

    Returns:
        the threshold; above all of them where none is that sure; 0 of none.
    """
    if not len(confidences):
        return 0.0
    ordered = np.sort(np.asarray(confidences, dtype=float))[::-1]
    counts = np.arange(1, len(ordered) + 1)
    means = np.cumsum(ordered) / counts
    if answers is not None:  # the variance of a share of right ones among them
        variances = np.cumsum(ordered * (1 - ordered)) / counts / answers
        means = means - ONE_SIDED_95 * np.sqrt(variances)
    good = np.flatnonzero(means >= precision)
    if not len(good):
        return float(np.nextafter(ordered[0], 2.0))
    if good[-1] == len(ordered) - 1:  # all of them together are that sure
        return 0.0
    return float(ordered[good[-1]])
