"""Pseudo-pairs (x, z) with weights, in both directions: guessed pairs in place of labels."""

from __future__ import annotations

from fairseq_twostage.criterions.back_translation import other_side
from fairseq_twostage.criterions.objective import Batch, Mean, ObjectiveOutput, zero_loss
from fairseq_twostage.models.dual_paraphraser import SIDES, DualParaphraser
from fairseq_twostage.models.scoring import sentence_log_probs


class PseudoPairs:
    """``−Σ w log P(z | x; D_z∘E) − Σ w log P(x | z; D_x∘E)`` over the batch's pseudo-pairs.

    The weight is how probable it is that x and z belong together. In a schedule the objective
    serves as a warm start and fades out beside others.
    """

    name = "pseudo_pairs"
    in_validation = False

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        """Loss summed over both directions."""
        loss = zero_loss(model)
        logs: dict[str, Mean] = {}
        pairs = batch.get("pseudo_pairs")
        for source in SIDES:
            target_side = other_side(source)
            name = f"pseudo_pairs_{source}_{target_side}"
            if pairs is None:  # a worker without a batch is given one of validation
                logs[name] = Mean(0.0, 0)
                continue
            memory = model.memory(pairs[source], source, target_side)
            target = model.as_target(pairs[target_side], target_side)
            log_probs = sentence_log_probs(model.decoder(target_side), memory, target)
            side_loss = -(pairs["weight"].to(log_probs) * log_probs).sum()
            loss = loss + side_loss
            logs[name] = Mean(side_loss.item(), target.size(0))
        return ObjectiveOutput(loss, logs)
