"""MultiTaskDae's loss: parse (z, y), rebuild x."""

from __future__ import annotations

from typing import Any

from fairseq.criterions import register_criterion
from fairseq.dataclass import FairseqDataclass
from torch import Tensor

from fairseq_twostage.criterions.objective import Mean, MeanLossCriterion, require_gradient_sync
from fairseq_twostage.models.multitask_parser import MultitaskParser
from fairseq_twostage.models.scoring import sentence_log_probs


@register_criterion("parsing_and_denoising", dataclass=FairseqDataclass)
class ParsingAndDenoising(MeanLossCriterion):
    """``−Σ log P(y | z) − Σ log P(x | N_x(x); D_x∘E)``, over the pairs and utterances of a batch.

    There are as many pairs as utterances; ``sample_size`` is that number, so the gradient is
    that of the two mean losses per sentence. A batch without utterances (validation) is parsed.
    """

    def forward(
        self, model: MultitaskParser, sample: dict[str, Any], reduce: bool = True
    ) -> tuple[Tensor, int, dict[str, Any]]:
        require_gradient_sync(model)
        size = sample["target"].size(0)
        memory = model.decoder.memory(model.encoder(sample["net_input"]["src_tokens"]))
        losses = {"parsing": -sentence_log_probs(model.decoder, memory, sample["target"]).sum()}
        if "denoising" in sample:
            texts = sample["denoising"]
            log_probs = model.reconstruction_log_probs(texts["noised"], texts["tokens"])
            losses["denoising_nl"] = -log_probs.sum()
        loss = sum(losses.values(), start=losses["parsing"].new_zeros(()))
        logs = {name: Mean(value.item(), size) for name, value in losses.items()}
        logs.setdefault("denoising_nl", Mean(0.0, 0))  # workers add up the same names
        return loss, size, self.logging_output(loss, sample, size, logs)
