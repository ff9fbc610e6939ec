"""R_rel: does a sample keep the meaning of its input?"""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.decoding.lean import evaluation_mode
from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.models.packing import (
    attend_in_groups,
    repeat_sentences,
    split_by_length,
    written_words,
)
from fairseq_twostage.models.scoring import sum_by_sentence


class Relevance:
    """``log P(x | z̃; D_x∘E)``, or ``log P(z | x̃; D_z∘E)``: the dual model's view.

    Summed over the input's words, by the current model.

    Args:
        dropout: ask the model in its own mode, as the released code does, and not in evaluation
            mode. What the objective has computed so already is not computed again.
    """

    def __init__(self, dropout: bool = False) -> None:
        self.dropout = dropout

    @torch.no_grad()
    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        """A log-probability, ``(n,)``, in nats."""
        if not self.dropout:
            with evaluation_mode(samples.policy):
                return dual_log_probs(inputs, samples)
        known = samples.dual_log_probs
        return dual_log_probs(inputs, samples) if known is None else known


def dual_log_probs(inputs: Inputs, samples: Samples) -> Tensor:
    """``log P(input | sample)`` under the dual direction, differentiable, ``(n,)``."""
    model = samples.policy
    decoder = model.decoder(inputs.side)
    targets = model.as_target(inputs.tokens, inputs.side)
    # The decoder's states do not depend on what it attends to: one reading per input. With
    # dropout the samples of an input share what is dropped of its words.
    written = repeat_sentences(written_words(decoder, targets), samples.rows)
    contexts, places = [], []
    sources = samples.utterance_tokens
    lengths = sources.ne(decoder.padding_idx).sum(dim=1)
    number = torch.empty_like(samples.rows)
    for rows in split_by_length(lengths):
        memory = model.memory(sources[rows, : int(lengths[rows[-1]])], inputs.side)
        number.fill_(-1)
        number[rows] = torch.arange(len(rows), device=rows.device)
        memory_row = number[written.sentences]
        place = memory_row.ge(0).nonzero().squeeze(1)
        states = written.states.index_select(0, place)
        contexts.append(attend_in_groups(decoder.attention, states, memory_row[place], memory))
        places.append(place)
    written = written.select(torch.cat(places))
    return sum_by_sentence(decoder, written, torch.cat(contexts), len(sources))
