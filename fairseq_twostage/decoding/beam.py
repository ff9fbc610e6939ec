"""Beams in place of samples."""

from __future__ import annotations

import torch
from torch import Tensor

from fairseq_twostage.decoding.constraints import Constraint
from fairseq_twostage.decoding.lean import LengthLimit, evaluation_mode
from fairseq_twostage.decoding.patient_beam import padded, patient_hypotheses
from fairseq_twostage.decoding.samples import Inputs
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import DualParaphraser


def beam_samples(
    model: DualParaphraser,
    inputs: Inputs,
    target: str,
    count: int,
    limit: LengthLimit,
    constraint: Constraint | None = None,
) -> Tensor:
    """The ``count`` best hypotheses of each input in place of samples.

    Where a constraint allows fewer, the best one stands in for those that are missing.

    Returns:
        ids of the decoder's dictionary, padded, ``(batch · count, length)``, input by input.

    Raises:
        UserError: the dictionary is too small for a beam of ``count``.
    """
    with evaluation_mode(model):
        return dropout_beam_samples(model, inputs, target, count, limit, constraint)


@torch.no_grad()
def dropout_beam_samples(
    model: DualParaphraser,
    inputs: Inputs,
    target: str,
    count: int,
    limit: LengthLimit,
    constraint: Constraint | None = None,
) -> Tensor:
    """As :func:`beam_samples`, in the model's own mode: dropout makes each visit's beam another.

    That is what the released code does.
    """
    decoder = model.decoder(target)
    words = decoder.dictionary
    if len(words) - words.nspecial < 2 * count:
        raise UserError(f"{len(words)} symbols do not make {count} hypotheses", "--samples")
    memory = model.memory(inputs.tokens, target)
    found = patient_hypotheses(decoder, memory, count, limit, constraint)
    rows = [
        scored
        for hypotheses in found
        for scored in [*hypotheses, *[hypotheses[0]] * (count - len(hypotheses))]
    ]
    return padded(rows, decoder)


class SharedBeam:
    """One search for two objectives: DRL's samples, the best of which back-translates.

    Between the two the model does not change. Each search is handed over once.

    Args:
        width: of the beam.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._found: dict[str, tuple[Tensor, Tensor]] = {}

    def best(
        self,
        model: DualParaphraser,
        inputs: Inputs,
        target: str,
        limit: LengthLimit,
        constraint: Constraint | None = None,
    ) -> Tensor:
        """The best hypothesis of each input, ids of the decoder's dictionary, ``(batch, length)``.

        All are kept for the next call of this object with the same inputs.
        """
        drawn = beam_samples(model, inputs, target, self.width, limit, constraint)
        self._found[target] = inputs.tokens, drawn
        best = drawn[:: self.width]
        written = best.ne(model.decoder(target).padding_idx).any(dim=0)
        return best[:, written]

    def __call__(
        self,
        model: DualParaphraser,
        inputs: Inputs,
        target: str,
        count: int,
        limit: LengthLimit,
        constraint: Constraint | None = None,
    ) -> Tensor:
        tokens, drawn = self._found.pop(target, (None, None))
        if drawn is not None and tokens is inputs.tokens and count == self.width:
            return drawn
        return beam_samples(model, inputs, target, count, limit, constraint)
