"""Pairs (x, z), in both directions: labelled ones, or guessed ones in their place."""

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
        return both_directions(model, batch.get("labelled"), self.name)


class PseudoPairs:
    """``−Σ w log P(z | x; D_z∘E) − Σ w log P(x | z; D_x∘E)`` over the batch's pseudo-pairs.

    The weight is how probable it is that x and z belong together. In a schedule the objective
    serves as a warm start and fades out beside others.
    """

    name = "pseudo_pairs"
    in_validation = False

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        return both_directions(model, batch.get("pseudo_pairs"), self.name)


def both_directions(model: DualParaphraser, pairs: Batch | None, name: str) -> ObjectiveOutput:
    """``−Σ w log P(z | x; D_z∘E) − Σ w log P(x | z; D_x∘E)`` over pairs (x, z).

    Args:
        model: the paraphraser.
        pairs: ``nl`` and ``cf``, utterance ids ``(batch, length)``; ``weight`` ``(batch,)``,
            or 1 each without. None: a worker without a batch is given one of validation.
        name: of the objective, for the logs.
    """
    loss = zero_loss(model)
    logs: dict[str, Mean] = {}
    for source in SIDES:
        target_side = other_side(source)
        log_name = f"{name}_{source}_{target_side}"
        if pairs is None:
            logs[log_name] = Mean(0.0, 0)
            continue
        memory = model.memory(pairs[source], target_side)
        target = model.as_target(pairs[target_side], target_side)
        log_probs = sentence_log_probs(model.decoder(target_side), memory, target)
        if "weight" in pairs:
            log_probs = pairs["weight"].to(log_probs) * log_probs
        side_loss = -log_probs.sum()
        loss = loss + side_loss
        logs[log_name] = Mean(side_loss.item(), target.size(0))
    return ObjectiveOutput(loss, logs)
