"""Beam search that waits for the hypothesis that is ahead.

fairseq's search is over when K hypotheses have ended. A sure model's beam holds one good
hypothesis and K − 1 bad ones, and the bad ones may all end first: a long logical form is then
lost to fragments, although its own score is much better. Here a search goes on until no open
hypothesis is better, per word, than the best one that has ended. Otherwise it is the same search
(length-normalised scores, a hypothesis counts when its end is among the K best continuations),
without what only generation needs: hypotheses of one input attend to one memory, and inputs that
are done leave the batch.

What fairseq's search loses is no detail: two-stage supervised parsers stand in ``docs/results.md``
with either search.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from fairseq_twostage.decoding.constraints import DEAD, Constraint, mask_logits
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.stepping import steps_of

Scored = tuple[list[int], float]


@torch.no_grad()
def patient_hypotheses(
    decoder: AttentionalLSTMDecoder,
    memory: Memory,
    k: int,
    limit: LengthLimit,
    constraint: Constraint | None = None,
) -> list[list[Scored]]:
    """The ``k`` best hypotheses of each input, best first.

    Args:
        decoder: in the mode that the caller wants.
        memory: one row per input.
        k: width of the beam.
        limit: a hypothesis that reaches it is ended.
        constraint: the set of sentences to search; no limit then ends a hypothesis, and there
            may be fewer than ``k``. Scores stay those of the free model.

    Returns:
        per input (ids with end of sentence, log-probability / length) by falling score.
    """
    words = decoder.dictionary
    forbidden = torch.tensor([words.pad(), words.bos(), words.unk()], device=memory.keys.device)
    empty = torch.cat([forbidden, forbidden.new_tensor([words.eos()])])
    limits = limit.of(memory)
    finished: list[list[Scored]] = [[] for _ in range(len(limits))]
    search = Search(decoder, memory, k, constraint)
    length = 0
    while len(search.inputs):
        scores = search.continuations(forbidden if length else empty)
        at_limit = (limits[search.inputs] <= length) & (constraint is None)
        length += 1
        ended = scores[:, :, words.eos()].clone()
        scores[:, :, words.eos()] = float("-inf")
        scores[at_limit] = float("-inf")
        best, flat = scores.flatten(1).topk(k, dim=1)
        _collect(finished, search, ended, best, length)
        search.extend(flat // scores.size(2), flat % scores.size(2), best)
        waiting = ~at_limit & _ahead(finished, search, k, length)
        if not waiting.all():
            search.keep(waiting.nonzero().squeeze(1))
    return [sorted(found, key=lambda scored: -scored[1])[:k] for found in finished]


def padded(hypotheses: Iterable[Scored], decoder: AttentionalLSTMDecoder) -> Tensor:
    """Their ids, one row each, padded on the right; on the decoder's device."""
    rows = [torch.tensor(ids) for ids, _ in hypotheses]
    ids = pad_sequence(rows, batch_first=True, padding_value=decoder.padding_idx)
    return ids.to(decoder.output.weight.device)


def _collect(
    finished: list[list[Scored]], search: Search, ended: Tensor, best: Tensor, length: int
) -> None:
    """Keep every ending that is among the k best continuations, as fairseq's search does.

    Args:
        finished: by input, added to.
        search: the prefixes.
        ended: scores of the endings, ``(inputs, k)``.
        best: scores of the k best continuations that are no endings.
        length: of a hypothesis that ends now.
    """
    threshold = torch.cat([ended, best], dim=1).topk(ended.size(1), dim=1).values[:, -1:]
    kept = (ended >= threshold) & ended.isfinite()
    eos = search.decoder.dictionary.eos()
    positions, beams = kept.nonzero(as_tuple=True)
    prefixes = search.prefixes[positions, beams].tolist()
    rows = zip(search.inputs[positions].tolist(), prefixes, ended[positions, beams].tolist())
    for index, prefix, score in rows:
        finished[index].append(([*prefix, eos], score / length))


def _ahead(finished: list[list[Scored]], search: Search, k: int, length: int) -> Tensor:
    """Whether an input has too few hypotheses yet, or an open one that is the best so far.

    With none open, all that a constraint allows has ended.
    """
    best_open = (search.scores.max(dim=1).values / length).tolist()
    return torch.tensor(
        [
            best > float("-inf")
            and (len(finished[index]) < k or best > max(score for _, score in finished[index]))
            for index, best in zip(search.inputs.tolist(), best_open)
        ],
        device=search.inputs.device,
    )


class Search:
    """The open hypotheses of the inputs that are not done, ``k`` per input."""

    def __init__(
        self,
        decoder: AttentionalLSTMDecoder,
        memory: Memory,
        k: int,
        constraint: Constraint | None = None,
    ) -> None:
        inputs = memory.padding.size(0)
        self.decoder = decoder
        self.k = k
        self.steps = steps_of(decoder)
        self.memory = self.steps.prepare(memory)
        self.inputs = torch.arange(inputs, device=memory.keys.device)
        self.state = self.steps.start(inputs * k)
        eos = decoder.dictionary.eos()
        self.words = self.inputs.new_full((inputs, k), eos)
        self.prefixes = self.inputs.new_empty((inputs, k, 0))
        # All beams start alike: only the first one counts in the first step.
        self.scores = memory.keys.new_full((inputs, k), float("-inf"))
        self.scores[:, 0] = 0.0
        self.constraint = constraint
        self.constraint_states = self.words.new_full(
            (inputs, k), DEAD if constraint is None else constraint.start
        )

    def continuations(self, forbidden: Tensor) -> Tensor:
        """Score of every next word of every hypothesis, ``(inputs, k, words)``."""
        logits, self.state = self.steps.step(self.words.flatten(), self.state, self.memory)
        log_probs = logits.log_softmax(dim=1)
        log_probs.index_fill_(1, forbidden, float("-inf"))
        if self.constraint is not None:
            log_probs = mask_logits(log_probs, self.constraint, self.constraint_states.flatten())
        return log_probs.view(len(self.inputs), self.k, -1) + self.scores.unsqueeze(2)

    def extend(self, beams: Tensor, words: Tensor, scores: Tensor) -> None:
        """Go on with the given continuations, each ``(inputs, k)``."""
        self.prefixes = self.prefixes.gather(
            1, beams.unsqueeze(2).expand(-1, -1, self.prefixes.size(2))
        )
        self.prefixes = torch.cat([self.prefixes, words.unsqueeze(2)], dim=2)
        self.words, self.scores = words, scores
        if self.constraint is not None:
            before = self.constraint_states.gather(1, beams).flatten()
            after = self.constraint.advance(before, words.flatten()).view_as(words)
            self.constraint_states = after
            self.scores = scores.masked_fill(after.eq(DEAD), float("-inf"))
        offsets = torch.arange(len(self.inputs), device=beams.device).unsqueeze(1) * self.k
        self.state = self.state.select((beams + offsets).flatten())

    def keep(self, inputs: Tensor) -> None:
        """Go on with the given inputs (positions) only."""
        rows = inputs.unsqueeze(1) * self.k + torch.arange(self.k, device=inputs.device)
        self.state = self.state.select(rows.flatten())
        self.memory = self.memory.select(inputs)
        self.inputs, self.words = self.inputs[inputs], self.words[inputs]
        self.prefixes, self.scores = self.prefixes[inputs], self.scores[inputs]
        self.constraint_states = self.constraint_states[inputs]
