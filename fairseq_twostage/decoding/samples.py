"""Paraphrases drawn from a model, and the utterances that they were drawn for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from fairseq_twostage.models.dual_paraphraser import DualParaphraser


@dataclass(frozen=True)
class Inputs:
    """The utterances that samples were drawn for.

    Attributes:
        side: ``nl`` or ``cf``.
        tokens: utterance ids with end of sentence, padded on the right, ``(batch, length)``.
        variables: for each input what replaces its variables before execution, or None.
    """

    side: str
    tokens: Tensor
    variables: Sequence[Mapping[str, str]] | None = None


@dataclass(frozen=True)
class Samples:
    """Paraphrases drawn from the current model.

    Attributes:
        side: of the samples, the other one than the inputs'.
        tokens: ids of that side's decoder, end of sentence included, padded on the right,
            ``(n, length)``.
        rows: the input of each sample, ``(n,)``.
        policy: the model that drew them; also gives the dual direction.
        dual_log_probs: ``log P(input | sample)`` by it with dropout, a constant, ``(n,)``; None
            unless the objective computed it.
    """

    side: str
    tokens: Tensor
    rows: Tensor
    policy: DualParaphraser
    dual_log_probs: Tensor | None = None

    @property
    def utterance_tokens(self) -> Tensor:
        """The samples in utterance ids, for models that read them."""
        return self.policy.as_source(self.tokens, self.side)
