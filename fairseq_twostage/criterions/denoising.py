"""L_DAE: rebuild each utterance from a noised copy of itself."""

from __future__ import annotations

from fairseq_twostage.criterions.objective import Batch, Mean, ObjectiveOutput, zero_loss
from fairseq_twostage.models.dual_paraphraser import SIDES, DualParaphraser
from fairseq_twostage.models.scoring import sentence_log_probs


class Denoising:
    """``−Σ_x log P(x | N_x(x); D_x∘E) − Σ_z log P(z | N_z(z); D_z∘E)``.

    The batch brings the noised copies; the dataset makes them anew at every visit.
    """

    name = "denoising"
    in_validation = True

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        loss = zero_loss(model)
        logs: dict[str, Mean] = {}
        for side in SIDES:
            if side not in batch:
                logs[f"denoising_{side}"] = Mean(0.0, 0)
                continue
            noised = batch[side].get("noised", batch[side]["tokens"])
            target = model.as_target(batch[side]["tokens"], side)
            memory = model.memory(noised, side)
            side_loss = -sentence_log_probs(model.decoder(side), memory, target).sum()
            loss = loss + side_loss
            logs[f"denoising_{side}"] = Mean(side_loss.item(), target.size(0))
        return ObjectiveOutput(loss, logs)
