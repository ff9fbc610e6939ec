"""Labelled pairs (x, z), in both directions: the semi-supervised setting."""

from __future__ import annotations

from fairseq_twostage.criterions.back_translation import other_side
from fairseq_twostage.criterions.objective import Batch, Mean, ObjectiveOutput, zero_loss
from fairseq_twostage.models.dual_paraphraser import SIDES, DualParaphraser
from fairseq_twostage.models.scoring import sentence_log_probs


class Supervised:
    """``−Σ log P(z | x; D_z∘E) − Σ log P(x | z; D_x∘E)`` over the batch's labelled pairs.

    The task adds labelled pairs to its batches only for an explicit ``--labelled-share``.
    """

    name = "supervised"
    in_validation = False

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        """Loss summed over both directions."""
        loss = zero_loss(model)
        logs: dict[str, Mean] = {}
        pairs = batch.get("labelled")
        for source in SIDES:
            target_side = other_side(source)
            if pairs is None:  # a worker without a batch is given one of validation
                logs[f"supervised_{source}_{target_side}"] = Mean(0.0, 0)
                continue
            memory = model.memory(pairs[source], source, target_side)
            target = model.as_target(pairs[target_side], target_side)
            side_loss = -sentence_log_probs(model.decoder(target_side), memory, target).sum()
            loss = loss + side_loss
            logs[f"supervised_{source}_{target_side}"] = Mean(side_loss.item(), target.size(0))
        return ObjectiveOutput(loss, logs)
