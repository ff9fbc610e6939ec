"""Constrained beam search behind the interface of fairseq's generator.

``fairseq-generate`` and ``fairseq-interactive`` call it. fairseq's own search asks a Python
function for every hypothesis at every step; here a step of the whole batch is a few array
operations, so that a closed list costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from fairseq_twostage.decoding.constraints import Constraint
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.patient_beam import Scored, padded, patient_hypotheses
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.sentences import shift_right


class ConstrainedGenerator:
    """The best hypotheses within a constraint, best first.

    Args:
        models: one encoder-decoder.
        constraint: in ids of its decoder.
        args: fairseq's generation options; the beam's width counts.

    Raises:
        UserError: an ensemble, or options that it does not know.
    """

    def __init__(self, models: Sequence[Any], constraint: Constraint, args: Any) -> None:
        if len(models) != 1:
            raise UserError("one model at a time, not an ensemble", "--constrain")
        if getattr(args, "sampling", False):
            raise UserError("a beam is searched; leave --sampling out", "--constrain")
        if getattr(args, "prefix_size", 0):
            raise UserError("no prefix can be forced as well", "--constrain")
        self.model = models[0]
        self.constraint = constraint
        self.eos = models[0].decoder.dictionary.eos()  # fairseq reads it
        self.beam = int(getattr(args, "beam", 5))

    @torch.no_grad()
    def generate(
        self, models: Any, sample: Mapping[str, Any], **_: Any
    ) -> list[list[dict[str, Tensor]]]:
        """fairseq's call: per sentence its hypotheses with tokens and scores.

        There may be fewer than the beam is wide. Scores are mean log-probabilities of the
        unconstrained model.
        """
        tokens = sample["net_input"]["src_tokens"]
        self.model.eval()
        decoder = self.model.decoder
        encoded = self.model.encoder(tokens, src_lengths=sample["net_input"].get("src_lengths"))
        memory = decoder.memory(encoded)
        found = patient_hypotheses(decoder, memory, self.beam, LengthLimit(), self.constraint)
        flat = [scored for hypotheses in found for scored in hypotheses]
        target = padded(flat, decoder)
        rows = target.new_tensor([row for row, hypotheses in enumerate(found) for _ in hypotheses])
        prefix = shift_right(target, decoder.dictionary.eos())
        logits, _weights = decoder.teacher_forced(prefix, memory.select(rows))
        chosen = logits.log_softmax(dim=2).gather(2, target.unsqueeze(2)).squeeze(2)
        written = iter(zip(flat, target, chosen))
        return [[_hypothesis(*next(written)) for _ in hypotheses] for hypotheses in found]


def _hypothesis(scored: Scored, tokens: Tensor, log_probs: Tensor) -> dict[str, Tensor]:
    ids, score = scored
    return {
        "tokens": tokens[: len(ids)],
        "score": torch.tensor(score),
        "attention": torch.empty(0),
        "alignment": torch.empty(0),
        "positional_scores": log_probs[: len(ids)],
    }
