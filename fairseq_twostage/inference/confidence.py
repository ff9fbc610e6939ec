"""The probability that the chosen reading's answer is right, without a label of the domain.

It adds four things as log-odds, by weights that are the same in every domain and system: the
posterior of the answer among the foremost readings, how alike the utterance and the chosen ẑ are,
the numbers and comparisons that only one of the two has, and the conditions that the reading leaves
out (:mod:`.conditions`); of a database's questions also the words that only one of the two has. An
utterance that is said as its ẑ is hardly misunderstood, however near other readings are.

A few marks or labels recalibrate the sum (Platt scaling, with a prior that nothing changes).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairseq_twostage.inference.candidates import Pool

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

# Chosen on development rows of five domains (research/log.md, 2026-11-26).
POSTERIOR_WEIGHT = 0.28
ALIKE_WEIGHT = 0.3
MISMATCH_WEIGHT = 0.7
LEFT_OUT_WEIGHT = 1.7  # research/log.md, 2026-11-27
# Of a database's questions; chosen on those of strangers (research/log.md, 2026-11-29).
UNSHARED_WEIGHT = 0.3
USUAL_UNSHARED = 2  # content words that speak neither for nor against
LITERAL = 3.0  # the least log-odds of a ẑ with the same words as the utterance
USUAL = 3.8  # similarity of an utterance and its ẑ that speaks neither for nor against it
WEIGHTS = (POSTERIOR_WEIGHT, ALIKE_WEIGHT, MISMATCH_WEIGHT, LEFT_OUT_WEIGHT, USUAL, LITERAL)
LEAST_SHARE = 0.01  # of the posterior: a candidate with less is executed for no comparison
KEPT_WITH = 0.7  # the probability with which a promise is kept
_DEVIATIONS = NormalDist().inv_cdf(KEPT_WITH)
LARGEST = float(np.log(1e6))  # log-odds


def logistic(log_odds: float) -> float:
    """The probability with these log-odds."""
    return float(1 / (1 + np.exp(-np.clip(log_odds, -LARGEST, LARGEST))))


class Evidence(NamedTuple):
    """What speaks for a reading.

    Attributes:
        posterior: log-odds of its answer among all readings.
        alike: similarity of the utterance and its ẑ, :data:`USUAL` where nothing compares them.
        mismatch: numbers and comparisons that only one of the two has.
        literal: whether both have the same words, but for those that only ask.
        left_out: how many words of conditions the reading leaves out.
        unshared: how many content words only one of the two has, where canonical utterances are
            made of a schema, in words that people say; None: elsewhere, where it says nothing.
    """

    posterior: float
    alike: float = USUAL
    mismatch: float = 0.0
    literal: bool = False
    left_out: int = 0
    unshared: int | None = None


def evidence(pool: Pool, same: Mask, kept: Mask) -> Evidence:
    """Weigh the chosen candidate of a pool against the others.

    Args:
        pool: the candidates.
        same: which have the chosen one's answer, itself among them.
        kept: which may be meant at all, the chosen one among them.
    """
    scores = pool.total[kept] / pool.sharp_temperature
    inside = same[kept]
    others = np.logaddexp.reduce(scores[~inside])  # minus infinity of none
    posterior = float(np.clip(np.logaddexp.reduce(scores[inside]) - others, -LARGEST, LARGEST))
    alike = USUAL if pool.alike is None else pool.alike
    return Evidence(posterior, alike, pool.mismatch, pool.literal)


class Weighed(NamedTuple):
    """A pool with what is known of the chosen reading's answer.

    Attributes:
        pool: the candidates.
        chosen: place of the chosen one.
        same: which have its answer.
        kept: which may be meant: not those that were better and gave no answer, nor those that
            answer another question.
    """

    pool: Pool
    chosen: int
    same: Mask
    kept: Mask

    @property
    def evidence(self) -> Evidence:
        """For the chosen reading."""
        return evidence(self.pool, self.same, self.kept)


def weigh(
    pool: Pool,
    line: str,
    form_of: Callable[[str], str | None],
    same_answer: Callable[[str], bool | None],
    contradicted: Callable[[str], bool] = lambda z: False,
) -> Weighed:
    """Find which candidates of a pool mean the same as the chosen one.

    Args:
        pool: the candidates, ``line`` among them.
        line: the ẑ that was chosen.
        form_of: the logical form that is known of a candidate.
        same_answer: whether a logical form has the chosen reading's answer; None where it has
            none: it could not have been chosen. It is asked for candidates that
            :data:`LEAST_SHARE` of the posterior falls to, and for no others.
        contradicted: whether a candidate answers another question than the one that was asked; such
            ones cannot be meant where the chosen one can. It is asked for the same candidates.
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
    at_all = not contradicted(line)
    for place in np.flatnonzero(kept & ~same & (share >= LEAST_SHARE)).tolist():
        form = forms[place]
        if at_all and contradicted(pool.lines[place]):
            kept[place] = False
            continue
        answers = False if form is None else same_answer(form)
        same[place], kept[place] = bool(answers), answers is not None
    return Weighed(pool, chosen, same, kept)


@dataclass(frozen=True)
class ConfidenceModel:
    """From evidence to a probability.

    Attributes:
        slope: of the recalibration, 1 without labels.
        shift: likewise, 0 without.
    """

    slope: float = 1.0
    shift: float = 0.0

    @staticmethod
    def log_odds(found: Evidence) -> float:
        """Before the recalibration."""
        weighed = (
            POSTERIOR_WEIGHT * found.posterior
            + ALIKE_WEIGHT * (found.alike - USUAL)
            - MISMATCH_WEIGHT * found.mismatch
            - LEFT_OUT_WEIGHT * found.left_out
        )
        if found.unshared is not None:
            weighed -= UNSHARED_WEIGHT * (found.unshared - USUAL_UNSHARED)
        return max(weighed, LITERAL) if found.literal else weighed

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
        answers: so many answers are to keep to it, with a probability of :data:`KEPT_WITH`;
            None: it holds on the whole.

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
        means = means - _DEVIATIONS * np.sqrt(variances)
    good = np.flatnonzero(means >= precision)
    if not len(good):
        return float(np.nextafter(ordered[0], 2.0))
    if good[-1] == len(ordered) - 1:  # all of them together are that sure
        return 0.0
    return float(ordered[good[-1]])
