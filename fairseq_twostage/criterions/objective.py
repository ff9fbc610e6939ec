"""What an objective is, and how any weighted sum of them becomes a fairseq criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import torch
from fairseq.criterions import FairseqCriterion
from fairseq.logging import metrics
from torch import Tensor

from fairseq_twostage.criterions.schedule import Schedule
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import DualParaphraser

Batch = Mapping[str, Any]


@dataclass(frozen=True)
class Mean:
    """A logged quantity: its sum and over how many."""

    total: float
    count: int


class ObjectiveOutput(NamedTuple):
    """What an objective gives for a batch.

    Attributes:
        loss: summed over sentences (and their words), in nats.
        logs: mean quantities by name, the same names for every batch.
    """

    loss: Tensor
    logs: dict[str, Mean]


class Objective(Protocol):
    """A loss of the paraphrase model on an unpaired batch."""

    name: str
    in_validation: bool

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        """The loss of ``batch`` (see ``UnpairedDataset.collater``)."""


class MeanLossCriterion(FairseqCriterion):
    """A criterion whose loss is a mean per sentence, with other means beside it."""

    @staticmethod
    def logging_output(
        loss: Tensor, sample: Batch, sentences: int, logs: Mapping[str, Mean]
    ) -> dict[str, Any]:
        """What fairseq gathers of a batch: sums and counts.

        Args:
            loss: summed over the batch.
            sample: the batch.
            sentences: how many the loss is a sum of.
            logs: other mean quantities by name.
        """
        output: dict[str, Any] = {
            "loss": loss.detach(),
            "ntokens": sample["ntokens"],
            "nsentences": sentences,
            "sample_size": sentences,
        }
        for name, mean in logs.items():
            output[f"sum/{name}"], output[f"count/{name}"] = mean.total, mean.count
        return output

    @classmethod
    def reduce_metrics(cls, logging_outputs: list[dict[str, Any]]) -> None:
        """Mean loss per sentence, and each logged quantity's own mean."""
        size = sum(output.get("sample_size", 0) for output in logging_outputs)
        if size:
            loss = sum(float(output.get("loss", 0.0)) for output in logging_outputs)
            metrics.log_scalar("loss", loss / size, size, round=3)
        log_means(logging_outputs)

    @staticmethod
    def logging_outputs_can_be_summed() -> bool:
        return True


class WeightedObjectivesCriterion(MeanLossCriterion):
    """``Σ_i weight_i(update) · objective_i``, each logged under its own name.

    ``sample_size`` is the number of sentences of both sides, so the gradient is that of the
    mean loss per sentence whatever objectives are on.
    """

    def __init__(self, task: Any, objectives: Sequence[tuple[Objective, Schedule]]) -> None:
        super().__init__(task)
        self.objectives = list(objectives)

    @property
    def names(self) -> list[str]:
        return [objective.name for objective, _ in self.objectives]

    def forward(
        self, model: DualParaphraser, sample: Batch, reduce: bool = True
    ) -> tuple[Tensor, int, dict[str, Any]]:
        require_gradient_sync(model)
        loss = zero_loss(model)  # so that a run whose weights are all zero now can go on
        logs: dict[str, Mean] = {}
        sentences = sample["nsentences"]
        update = getattr(self.task, "updates", 0)
        for objective, schedule in self.objectives:
            weight = schedule.at(update)
            if model.training and weight == 0.0:
                continue
            if not model.training and not objective.in_validation:
                continue
            output = objective(model, sample)
            loss = loss + weight * output.loss
            logs[f"{objective.name}_loss"] = Mean(output.loss.item(), sentences)
            logs.update(output.logs)
        return loss, sentences, self.logging_output(loss, sample, sentences, logs)


def log_means(logging_outputs: Sequence[Mapping[str, Any]]) -> None:
    """Log every ``sum/NAME`` divided by its ``count/NAME``, weighted by the count."""
    names = {key[4:]: None for output in logging_outputs for key in output if key[:4] == "sum/"}
    for name in names:
        total = sum(float(output.get(f"sum/{name}", 0.0)) for output in logging_outputs)
        count = sum(int(output.get(f"count/{name}", 0)) for output in logging_outputs)
        if count:
            metrics.log_scalar(name, total / count, count, round=4)


def zero_loss(model: torch.nn.Module) -> Tensor:
    """A loss of nothing that still has a gradient (zero) for the optimiser."""
    return next(model.parameters()).sum() * 0.0


def require_gradient_sync(model: torch.nn.Module) -> None:
    """Refuse PyTorch's own data-parallel wrapper.

    It synchronises gradients of its ``forward`` only; objectives call encoders and decoders.

    Raises:
        UserError: the model is wrapped in it.
    """
    if isinstance(getattr(model, "module", None), torch.nn.parallel.DistributedDataParallel):
        raise UserError(
            "would not synchronise the objectives' gradients: add --ddp-backend legacy_ddp",
            "--ddp-backend pytorch_ddp",
        )
