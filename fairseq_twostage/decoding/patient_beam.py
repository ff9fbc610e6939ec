"""Beam search that waits for the hypothesis that is ahead.

fairseq's search is over when K hypotheses have ended. A sure model's beam holds one good
hypothesis and K − 1 bad ones, and the bad ones may all end first: a long logical form is then
lost to fragments, although its own score is much better. Here a search goes on until no open
hypothesis is better, per word, than the best one that has ended.

What fairseq's search loses is no detail: two-stage supervised parsers stand in ``docs/results.md``
with either search.
"""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.decoding.constraints import Constraint
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.lean_beam import Search
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder

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
