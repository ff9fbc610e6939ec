"""Pseudo-pairs (x, z) with weights, in both directions: guessed pairs in place of labels."""

from __future__ import annotations

from fairseq_twostage.criterions.objective import Batch, ObjectiveOutput
from fairseq_twostage.criterions.supervised import both_directions
from fairseq_twostage.models.dual_paraphraser import DualParaphraser


class PseudoPairs:
    """``−Σ w log P(z | x; D_z∘E) − Σ w log P(x | z; D_x∘E)`` over the batch's pseudo-pairs.

    The weight is how probable it is that x and z belong together. In a schedule the objective
    serves as a warm start and fades out beside others.
    """

    name = "pseudo_pairs"
    in_validation = False

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        return both_directions(model, batch.get("pseudo_pairs"), self.name)
