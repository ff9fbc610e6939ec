"""L_BT: translate with the current model, learn to translate back."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from fairseq_twostage.criterions.objective import Batch, Mean, ObjectiveOutput, zero_loss
from fairseq_twostage.decoding.beam import SharedBeam
from fairseq_twostage.decoding.constraints import Constraint
from fairseq_twostage.decoding.lean import LengthLimit, decode, evaluation_mode
from fairseq_twostage.decoding.patient_beam import padded, patient_hypotheses
from fairseq_twostage.decoding.samples import Inputs
from fairseq_twostage.models.dual_paraphraser import SIDES, DualParaphraser
from fairseq_twostage.models.scoring import sentence_log_probs


class BackTranslation:
    """``x → ẑ`` and ``z → x̂`` in evaluation mode, then D_x∘E on (ẑ, x), D_z∘E on (x̂, z).

    No gradient passes through the translations.

    Args:
        limit: of the translations' length.
        constraints: by side, what its translations are held to.
        beam: width of the search for translations; 1: greedy (paper), released code: 5.
        shared: searches in place of that, for DRL too.
    """

    name = "back_translation"
    in_validation = True

    def __init__(
        self,
        limit: LengthLimit,
        constraints: Mapping[str, Constraint] | None = None,
        beam: int = 1,
        shared: SharedBeam | None = None,
    ) -> None:
        self.limit = limit
        self.constraints = constraints or {}
        self.beam = beam
        self.shared = shared

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        loss = zero_loss(model)
        logs: dict[str, Mean] = {}
        for side in SIDES:
            other = other_side(side)
            if side not in batch:
                logs[f"back_translation_{other}_{side}"] = Mean(0.0, 0)
                continue
            tokens = batch[side]["tokens"]
            translated = self._translate(model, tokens, side)
            memory = model.memory(translated, side)
            target = model.as_target(tokens, side)
            side_loss = -sentence_log_probs(model.decoder(side), memory, target).sum()
            loss = loss + side_loss
            logs[f"back_translation_{other}_{side}"] = Mean(side_loss.item(), target.size(0))
        return ObjectiveOutput(loss, logs)

    def _translate(self, model: DualParaphraser, tokens: Tensor, side: str) -> Tensor:
        other = other_side(side)
        constraint = self.constraints.get(other)
        if self.shared is None:
            return translate(model, tokens, side, self.limit, constraint, self.beam)
        best = self.shared.best(model, Inputs(side, tokens), other, self.limit, constraint)
        return model.as_source(best, other)


@torch.no_grad()
def translate(
    model: DualParaphraser,
    tokens: Tensor,
    source: str,
    limit: LengthLimit,
    constraint: Constraint | None = None,
    beam: int = 1,
) -> Tensor:
    """Paraphrases by the model in evaluation mode.

    Args:
        model: the paraphraser.
        tokens: utterance ids of side ``source``, ``(batch, length)``.
        source: ``nl`` or ``cf``; the paraphrases are of the other side.
        limit: of their length.
        constraint: the set of sentences that they are held to.
        beam: width of the search; 1: greedy.

    Returns:
        utterance ids with end of sentence, padded on the right, ``(batch, length)``.
    """
    target = other_side(source)
    with evaluation_mode(model):
        memory = model.memory(tokens, target)
        decoder = model.decoder(target)
        if beam == 1:
            written = decode(decoder, memory, limit, constraint=constraint)
        else:
            found = patient_hypotheses(decoder, memory, beam, limit, constraint)
            written = padded((hypotheses[0] for hypotheses in found), decoder)
    return model.as_source(written, target)


def other_side(side: str) -> str:
    """``cf`` for ``nl`` and the reverse."""
    return SIDES[1 - SIDES.index(side)]
