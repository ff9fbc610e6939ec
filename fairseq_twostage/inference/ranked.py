"""The candidates of one question, in the order of a reranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairseq_twostage.decoding.stage import Hypothesis
from fairseq_twostage.inference.candidates import Pool, Search
from fairseq_twostage.inference.judging import Judge
from fairseq_twostage.inference.learnt import unit_words


class Ranked(Search):
    """The candidates of one query in the order of :class:`.reranking.Reranking`.

    Args:
        judge: of the query.
        others: hypotheses of a beam beside the list, each with similarity and prior.
    """

    def __init__(self, judge: Judge, others: Mapping[str, float]) -> None:
        self.query, self.read = judge.query, judge.read
        self._judge, self._others = judge, others
        self._found = judge.reranking.in_order(judge, others)

    def __next__(self) -> Hypothesis:
        return next(self._found)

    def pool(self, chosen: str) -> Pool | None:
        """See :class:`.candidates.Search`."""
        return self._judge.reranking.pool(self._judge, self._others, chosen)

    def lacking(self, chosen: str) -> Sequence[tuple[str, float]] | None:
        """See :class:`.candidates.Search`."""
        return self._judge.reranking.lacking(self._judge, chosen)

    def alike(self, word: str, chosen: str) -> float | None:
        """See :class:`.candidates.Search`."""
        return self._judge.reranking.alike(word, chosen)

    def labelled(self, chosen: str) -> bool:
        """See :class:`.candidates.Search`."""
        return self._judge.certain.get(chosen, 0.0) > 0

    def meant(self, word: str, said: str) -> float | None:
        """See :class:`.candidates.Search`."""
        wanted = self._judge.wanted
        if wanted:
            similarity, _ = self._judge.reranking.foremost
            if any(wanted.get(unit, 0.0) > 0 for unit in unit_words(word, similarity.canonical)):
                return 1.0
        return self.alike(word, said)
