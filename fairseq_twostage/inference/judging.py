"""One question and its candidates: likelihoods, asked for as far as an order needs them."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fairseq_twostage.decoding.stage import Hypothesis
from fairseq_twostage.inference.candidates import Query
from fairseq_twostage.inference.likelihood import DirectLikelihood, DualLikelihood
from fairseq_twostage.inference.memory import BatchMemory
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.index import Index, Read
from fairseq_twostage.pairing.similarity import Matrix

if TYPE_CHECKING:
    from fairseq_twostage.inference.reranking import Reranking

CHUNK, LARGEST_CHUNK = 12, 48  # candidates whose direct likelihood is asked for at once
LogProbs = Callable[[Sequence[str]], Sequence[float]]
Places = npt.NDArray[np.int64]


class Judge:
    """What is known of one query and its candidates, each part computed once.

    Args:
        reranking: whose models judge.
        query: the utterance.
        read: the utterance as each similarity sees it.
    """

    def __init__(self, reranking: Reranking, query: Query, read: Mapping[str, Read]) -> None:
        self.reranking = reranking
        self.query = query
        self.read = read
        self.bounds: dict[frozenset[str], Matrix] = {}
        self.proposed: dict[tuple[str, str], tuple[FittedSimilarity, Index]] = {}
        self.wanted: Mapping[str, float] = {}
        self.certain: Mapping[str, float] = {}
        if (learnt := reranking.learnt) is not None:
            self.wanted = learnt.wanted(query.tokens, reranking.foremost[0].natural)
            self.certain = learnt.certain(query.tokens)

    @cached_property
    def _direct(self) -> LogProbs:
        return _log_probs(self.reranking.direct, self.query)

    @cached_property
    def _dual(self) -> LogProbs:
        return _log_probs(self.reranking.dual, self.query)

    def direct(self, lines: Sequence[str]) -> list[float]:
        """The share of ``log P(z | x)`` in the score of each candidate, at most 0."""
        weights = self.reranking.weights
        forward, mean = weights.get("forward", 0.0), weights.get("forward_mean", 0.0)
        return [forward * p + mean * p / length_of(z) for z, p in zip(lines, self._direct(lines))]

    def dual(self, lines: Sequence[str]) -> list[float]:
        """The share of ``log P(x | z)``, at most 0."""
        weight = self.reranking.weights.get("dual", 0.0)
        return [weight * p for p in self._dual(lines)]

    def mean(self, line: str) -> float | None:
        """``log P(z | x)`` per token; None without a paraphraser."""
        if self.reranking.direct is None:
            return None
        (log_prob,) = self._direct([line])
        return log_prob / length_of(line)

    def best_first(
        self, lines: Sequence[str], bounds: Matrix, places: Places
    ) -> Iterator[Hypothesis]:
        """The lines by falling score, of equal ones that of the lesser place first."""
        order = np.lexsort((places, -bounds))
        whole = self.reranking.dual is None
        heap: list[
            tuple[float, int, int, bool]
        ] = []  # -(bound or score), place, row, whether whole
        seen, size = 0, CHUNK
        while seen < len(order) or heap:
            while seen < len(order) and (not heap or -heap[0][0] <= bounds[order[seen]]):
                chunk = order[seen : seen + size].tolist()
                for row, direct in zip(chunk, self.direct([lines[row] for row in chunk])):
                    bound = -(float(bounds[row]) + direct)
                    heapq.heappush(heap, (bound, int(places[row]), row, whole))
                seen, size = seen + size, min(2 * size, LARGEST_CHUNK)
            ahead = list[tuple[float, int, int, bool]]()
            while heap and not heap[0][3] and len(ahead) < CHUNK // 2:
                ahead.append(heapq.heappop(heap))
            for (bound, place, row, _), dual in zip(
                ahead, self.dual([lines[row] for _, _, row, _ in ahead])
            ):
                heapq.heappush(heap, (bound - dual, place, row, True))
            if not ahead:
                total, _, row, _ = heapq.heappop(heap)
                mean = self.mean(lines[row])
                yield Hypothesis(lines[row], -total if mean is None else mean)


def _log_probs(model: DirectLikelihood | DualLikelihood | None, query: Query) -> LogProbs:
    """Of candidates by a model, each asked for once; 0 without one."""
    if model is None:
        return lambda lines: [0.0] * len(lines)
    ask = model.of(query.tokens)
    return BatchMemory(lambda lines: ask(lines).tolist())


def length_of(line: str) -> int:
    """Tokens, end of sentence included."""
    return len(line.split()) + 1
