"""R_sim: is a sample like its input in the eyes of a frozen, pre-trained sentence encoder?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from fairseq.data import Dictionary
from torch import Tensor

from fairseq_twostage.decoding.samples import Inputs, Samples

Embed = Callable[[Sequence[str]], Tensor]


class Similarity:
    """Cosine of the input's and the sample's sentence vectors, −1 … 1.

    Relevance to the current model changes with it; this does not, and it was learnt from other
    text than the domain's.

    Args:
        embed: sentences to vectors of length 1, ``(n, dim)``.
        dictionary: the utterance dictionary.
        capacity: vectors remembered; when full, all are forgotten.
    """

    def __init__(self, embed: Embed, dictionary: Dictionary, capacity: int = 100_000) -> None:
        self.embed = embed
        self.dictionary = dictionary
        self.capacity = capacity
        self.remembered: dict[str, Tensor] = {}

    @torch.no_grad()
    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        read, written = self._texts(inputs.tokens), self._texts(samples.utterance_tokens)
        new = [text for text in dict.fromkeys([*read, *written]) if text not in self.remembered]
        if len(self.remembered) + len(new) > self.capacity:
            self.remembered.clear()
            new = list(dict.fromkeys([*read, *written]))
        if new:
            self.remembered.update(zip(new, self.embed(new)))
        left = torch.stack([self.remembered[read[row]] for row in samples.rows.tolist()])
        right = torch.stack([self.remembered[text] for text in written])
        return (left * right).sum(dim=1).to(samples.tokens.device)

    def _texts(self, tokens: Tensor) -> list[str]:
        skipped = (self.dictionary.pad(), self.dictionary.eos())
        return [
            " ".join(self.dictionary[word] for word in row if word not in skipped)
            for row in tokens.tolist()
        ]
