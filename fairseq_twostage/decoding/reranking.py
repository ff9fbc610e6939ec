"""Choosing ẑ among all candidates of a closed list by several views of the pair (x, ẑ).

The direct model ``log P(z | x)`` alone prefers short and frequent z; the dual model
``log P(x | z)`` asks whether z explains all of x (a noisy channel); a similarity knows words
that neither model has seen together; the prior of a balanced assignment over the training
utterances keeps favourites of everything back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from fairseq.data import Dictionary
from torch import Tensor

from fairseq_twostage.decoding.lean import evaluation_mode
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.dual_paraphraser import DualParaphraser
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.packing import written_words
from fairseq_twostage.models.scoring import sum_by_sentence
from fairseq_twostage.models.sentences import padded_ids
from fairseq_twostage.models.utterance_lm import UtteranceLM
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.pairing.transport import Vector, balanced_assignment

# (x, z) to a number for each pair, (x, z).
Feature = Callable[[Sequence[str], Sequence[str]], Matrix]
# Lines to further candidates of each.
Proposals = Callable[[Sequence[str]], list[list[str]]]
BATCH = 64


@dataclass(frozen=True)
class Reranker:
    """The candidates of each x, best first: a stage in place of beam search.

    Attributes:
        candidates: distinct z.
        features: by name.
        weights: of the features, the same names.
        prior: added to every x's scores, ``(z,)``.
        best: how many candidates are returned.
        proposals: further candidates of each line, where the list does not hold every z that
            may be meant; they have the smallest prior.
    """

    candidates: Sequence[str]
    features: Mapping[str, Feature]
    weights: Mapping[str, float]
    prior: Vector | None = None
    best: int = 5
    proposals: Proposals | None = None

    def scores(self, lines: Sequence[str]) -> Matrix:
        """``Σ weight · feature + prior``, ``(x, z)``."""
        total = self._evidence(lines, self.candidates)
        return total if self.prior is None else total + self.prior

    def _evidence(self, lines: Sequence[str], candidates: Sequence[str]) -> Matrix:
        total = np.zeros((len(lines), len(candidates)))
        for name, weight in self.weights.items():
            total += weight * self.features[name](lines, candidates)
        return total

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The ``best`` candidates of each line."""
        scores = self.scores(lines)
        if self.proposals is None:
            return [_best(self.candidates, row, self.best) for row in scores]
        listed = set(self.candidates)
        lowest = 0.0 if self.prior is None else float(self.prior.min())
        proposed = [
            [line for line in dict.fromkeys(found) if line not in listed]
            for found in self.proposals(lines)
        ]
        further = sorted(set().union(*proposed))
        evidence = self._evidence(lines, further) + lowest if further else scores[:, :0]
        columns = {candidate: column for column, candidate in enumerate(further)}
        return [
            _best(
                [*self.candidates, *new],
                np.concatenate([row, other[[columns[candidate] for candidate in new]]]),
                self.best,
            )
            for row, other, new in zip(scores, evidence, proposed)
        ]

    def balanced(self, lines: Sequence[str], mass: Vector, weight: float = 1.0) -> Reranker:
        """With the prior under which ``lines`` spread over the candidates by ``mass``.

        Args:
            lines: training utterances.
            mass: expected frequency of each candidate, up to a factor.
            weight: of the prior; 1 is the transport's own.
        """
        found = balanced_assignment(self.scores(lines), mass)
        return replace(self, prior=weight * found.prior)


def _best(candidates: Sequence[str], scores: Vector, best: int) -> list[str]:
    return [candidates[index] for index in np.argsort(-scores, kind="stable")[:best]]


class Direction:
    """``log P(z | x)`` or ``log P(x | z)`` of the paraphraser, for every pair.

    Args:
        model: the paraphraser.
        source: ``nl`` for ``log P(z | x)``, ``cf`` for ``log P(x | z)``.
        per_word: the mean over the written words in place of the sum.
    """

    def __init__(self, model: DualParaphraser, source: str, per_word: bool = False) -> None:
        self.model = model
        self.source = source
        self.per_word = per_word

    def __call__(self, natural: Sequence[str], canonical: Sequence[str]) -> Matrix:
        """``(x, z)``, in nats."""
        if self.source == "nl":
            return self._log_probs(natural, canonical, "cf")
        return self._log_probs(canonical, natural, "nl").T

    @torch.no_grad()
    def _log_probs(self, sources: Sequence[str], targets: Sequence[str], side: str) -> Matrix:
        model, decoder = self.model, self.model.decoder(side)
        words = model.encoder(side).dictionary
        written = model.as_target(_tokens(words, targets), side)
        parts = []
        with evaluation_mode(model):
            for start in range(0, len(sources), BATCH):
                tokens = _tokens(words, sources[start : start + BATCH])
                memory = model.memory(tokens, side)
                parts.append(every_log_prob(decoder, memory, written))
        log_probs = torch.cat(parts)
        if self.per_word:
            log_probs = log_probs / written.ne(decoder.padding_idx).sum(dim=1)
        return log_probs.double().numpy()


def every_log_prob(decoder: AttentionalLSTMDecoder, memory: Memory, target: Tensor) -> Tensor:
    """``log P(target | input)`` of every target for every input.

    The decoder's states do not depend on what it attends to: targets are read once.

    Args:
        decoder: in evaluation mode; writes ids of its own dictionary.
        memory: one row per input.
        target: words and end of sentence, padded on the right, ``(n, length)``.

    Returns:
        ``(inputs, n)``, in nats.
    """
    written = written_words(decoder, target)
    queries = decoder.attention.queries(written.states).unsqueeze(0)
    lengths = (~memory.padding).sum(dim=1).tolist()
    rows = []
    for row, length in enumerate(lengths):
        part = memory.select(torch.tensor([row], device=target.device)).shorten(length)
        context, _ = decoder.attention.attend(queries, part)
        rows.append(sum_by_sentence(decoder, written, context.squeeze(0), target.size(0)))
    return torch.stack(rows)


class FluencyOfCandidates:
    """``log LM_z(z)``, the same for every x."""

    def __init__(self, model: UtteranceLM) -> None:
        self.model = model

    @torch.no_grad()
    def __call__(self, natural: Sequence[str], canonical: Sequence[str]) -> Matrix:
        """``(x, z)``, in nats."""
        tokens = _tokens(self.model.decoder.dictionary, canonical)
        return _for_all(self.model.sentence_log_probs(tokens), natural)


class StyleOfCandidates:
    """``log P_dis(z)``, the same for every x."""

    def __init__(self, classifier: object, words: Dictionary) -> None:
        self.classifier = classifier
        self.words = words

    @torch.no_grad()
    def __call__(self, natural: Sequence[str], canonical: Sequence[str]) -> Matrix:
        """``(x, z)``, in nats."""
        tokens = _tokens(self.words, canonical)
        return _for_all(self.classifier.probability_canonical(tokens).log(), natural)  # type: ignore[attr-defined]


def _for_all(values: Tensor, natural: Sequence[str]) -> Matrix:
    return np.tile(values.double().numpy(), (len(natural), 1))


def _tokens(words: Dictionary, lines: Sequence[str]) -> Tensor:
    return padded_ids(words, lines)
