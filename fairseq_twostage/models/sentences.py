"""Sentences as rows of ids."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from fairseq_twostage.models.vocabulary import Words


def padded_ids(words: Words, lines: Sequence[str], add: bool = False) -> Tensor:
    """Tokenised lines as ids with end of sentence, padded on the right, ``(lines, longest)``.

    Args:
        words: whose ids.
        lines: at least one.
        add: whether words that are missing are added; otherwise they are ``<unk>``.
    """
    id_of = words.add_symbol if add else words.index
    rows = [torch.tensor([*map(id_of, line.split()), words.eos()]) for line in lines]
    return pad_sequence(rows, batch_first=True, padding_value=words.pad())


def shift_right(tokens: Tensor, eos: int) -> Tensor:
    """The prefix that predicts ``tokens``: end of sentence first, last column dropped.

    Args:
        tokens: words and end of sentence, padded on the right, ``(batch, length)``.
        eos: id of the end of sentence.
    """
    first = tokens.new_full((tokens.size(0), 1), eos)
    return torch.cat([first, tokens[:, :-1]], dim=1)
