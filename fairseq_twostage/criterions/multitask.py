"""MultiTaskDae's loss: parse (z, y), rebuild x."""

from __future__ import annotations

from typing import Any

from fairseq.criterions import FairseqCriterion, register_criterion
from fairseq.dataclass import FairseqDataclass
from fairseq.logging import metrics
from torch import Tensor

from fairseq_twostage.criterions.objective import log_means, require_gradient_sync
from fairseq_twostage.models.multitask_parser import MultitaskParser
from fairseq_twostage.models.scoring import sentence_log_probs


@register_criterion("parsing_and_denoising", dataclass=FairseqDataclass)
class ParsingAndDenoising(FairseqCriterion):
    """``−Σ log P(y | z) − Σ log P(x | N_x(x); D_x∘E)``, over the pairs and utterances of a batch.

    There are as many pairs as utterances; ``sample_size`` is that number, so the gradient is
    that of the two mean losses per sentence. A batch without utterances (validation) is parsed.
    """

    def forward(
        self, model: MultitaskParser, sample: dict[str, Any], reduce: bool = True
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """fairseq's call: loss, sample size, what to log (sums)."""
        require_gradient_sync(model)
        size = sample["target"].size(0)
        memory = model.decoder.memory(model.encoder(sample["net_input"]["src_tokens"]))
        losses = {"parsing": -sentence_log_probs(model.decoder, memory, sample["target"]).sum()}
        if "denoising" in sample:
            texts = sample["denoising"]
            log_probs = model.reconstruction_log_probs(texts["noised"], texts["tokens"])
            losses["denoising_nl"] = -log_probs.sum()
        loss = sum(losses.values(), start=losses["parsing"].new_zeros(()))
        logs: dict[str, Any] = {
            "loss": loss.detach(),
            "ntokens": sample["ntokens"],
            "nsentences": size,
            "sample_size": size,
        }
        for name, value in losses.items():
            logs[f"sum/{name}"], logs[f"count/{name}"] = value.item(), size
        return loss, size, logs

    @classmethod
    def reduce_metrics(cls, logging_outputs: list[dict[str, Any]]) -> None:
        """Mean losses per sentence."""
        size = sum(output.get("sample_size", 0) for output in logging_outputs)
        if size:
            loss = sum(float(output.get("loss", 0.0)) for output in logging_outputs)
            metrics.log_scalar("loss", loss / size, size, round=3)
        log_means(logging_outputs)

    @staticmethod
    def logging_outputs_can_be_summed() -> bool:
        """Yes: they are sums and counts."""
        return True
