"""Beam search in a lean loop: the K best hypotheses of many inputs at once.

The same search as fairseq's ``SequenceGenerator`` (length-normalised scores, a hypothesis
counts when its end is among the K best continuations), without what only generation needs.
Hypotheses of one input attend to one memory, and inputs that are done leave the batch.
"""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.decoding.constraints import DEAD, Constraint, mask_logits
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.stepping import steps_of


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


@torch.no_grad()
def best_hypotheses(
    decoder: AttentionalLSTMDecoder,
    memory: Memory,
    k: int,
    limit: LengthLimit,
    constraint: Constraint | None = None,
) -> list[list[tuple[list[int], float]]]:
    """The ``k`` best hypotheses of each input, best first.

    Args:
        decoder: in the mode that the caller wants.
        memory: one row per input.
        k: width of the beam; the dictionary must have more than ``2 k`` words to write.
        limit: a hypothesis that reaches it is ended.
        constraint: the set of sentences to search; no limit then ends a hypothesis, and there
            may be fewer than ``k``. Scores stay those of the free model.

    Returns:
        per input (ids with end of sentence, log-probability / length) by falling score.
    """
    words = decoder.dictionary
    eos = words.eos()
    device = memory.keys.device
    specials = torch.tensor([words.pad(), words.bos(), words.unk()], device=device)
    first_specials = torch.cat([specials, torch.tensor([eos], device=device)])
    limits = limit.of(memory)
    finished: list[list[tuple[list[int], float]]] = [[] for _ in range(len(limits))]
    search = Search(decoder, memory, k, constraint)
    step = 0
    while len(search.inputs):
        scores = search.continuations(specials if step else first_specials)
        at_limit = (limits[search.inputs] <= step) & (constraint is None)
        if at_limit.any():
            last = scores[:, :, eos].clone()
            scores[at_limit] = float("-inf")
            scores[:, :, eos] = torch.where(at_limit.unsqueeze(1), last, scores[:, :, eos])
        best, flat = scores.flatten(1).topk(2 * k, dim=1)
        beams, chosen = flat // scores.size(2), flat % scores.size(2)
        ends = chosen.eq(eos) & best.isfinite()
        step += 1
        _collect(finished, search, ends[:, :k], beams, best, step)
        # The k best continuations that are no ends; there are that many among 2 k.
        order = ends.to(torch.int8).argsort(dim=1, stable=True)[:, :k]
        search.extend(*(tensor.gather(1, order) for tensor in (beams, chosen, best)))
        done = torch.tensor([len(finished[index]) >= k for index in search.inputs.tolist()])
        dead = search.scores.isinf().all(dim=1)  # all that the constraint allows has ended
        open_inputs = (~(done.to(device) | at_limit | dead)).nonzero().squeeze(1)
        if len(open_inputs) < len(search.inputs):
            search.keep(open_inputs)
    return [sorted(found, key=lambda hypothesis: -hypothesis[1])[:k] for found in finished]


def _collect(
    finished: list[list[tuple[list[int], float]]],
    search: Search,
    ends: Tensor,
    beams: Tensor,
    scores: Tensor,
    length: int,
) -> None:
    """Move ended hypotheses, ``ends`` ``(inputs, k)``, to their input's finished ones."""
    positions, ranks = ends.nonzero(as_tuple=True)
    if not len(positions):
        return
    inputs = search.inputs[positions].tolist()
    prefixes = search.prefixes[positions, beams[positions, ranks]].tolist()
    eos = search.decoder.dictionary.eos()
    for index, prefix, score in zip(inputs, prefixes, scores[positions, ranks].tolist()):
        found = finished[index]
        if len(found) < search.k:
            found.append(([*prefix, eos], score / length))
