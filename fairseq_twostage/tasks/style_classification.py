"""Telling canonical from natural utterances: the task of P_dis."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from fairseq.criterions import FairseqCriterion, register_criterion
from fairseq.data import Dictionary, data_utils
from fairseq.dataclass import FairseqDataclass
from fairseq.logging import metrics
from fairseq.tasks import register_task
from omegaconf import II
from torch import Tensor

from fairseq_twostage.data.epoch_order import EpochDataset
from fairseq_twostage.models.dual_paraphraser import SIDES
from fairseq_twostage.tasks.base import DataBinTask


class StyleDataset(EpochDataset):
    """Utterances of both sides with the label "canonical", in a new order at each epoch.

    Args:
        natural: utterance ids of X, each ``(length,)``.
        canonical: of Z.
        padding_idx: id of the padding.
        seed: of the order.
    """

    def __init__(
        self, natural: list[np.ndarray], canonical: list[np.ndarray], padding_idx: int, seed: int
    ) -> None:
        self.sentences = natural + canonical
        self.labels = [0.0] * len(natural) + [1.0] * len(canonical)
        self.padding_idx = padding_idx
        self.seed = seed
        self.length = len(self.sentences)
        self.set_epoch(1)

    def set_epoch(self, epoch: int) -> None:
        self.order = np.random.default_rng([self.seed, epoch]).permutation(self.length)

    def __getitem__(self, index: int) -> tuple[Tensor, float]:
        return torch.from_numpy(self.sentences[index]), self.labels[index]

    def collater(self, samples: list[tuple[Tensor, float]]) -> dict[str, Any]:
        """``net_input.src_tokens`` ``(batch, length)``, ``target`` ``(batch,)``."""
        if not samples:
            return {}
        tokens = data_utils.collate_tokens([tokens for tokens, _ in samples], self.padding_idx)
        return {
            "net_input": {"src_tokens": tokens},
            "target": torch.tensor([label for _, label in samples]),
            "nsentences": len(samples),
            "ntokens": int(tokens.ne(self.padding_idx).sum()),
        }

    def size(self, index: int) -> int:
        return len(self.sentences[index])

    def ordered_indices(self) -> np.ndarray:
        return self.order


@dataclass
class StyleClassificationConfig(FairseqDataclass):
    """Options of the task."""

    data: str = field(default="", metadata={"help": "data-bin made by twostage prepare"})
    seed: int = II("common.seed")


@register_task("style_classification", dataclass=StyleClassificationConfig)
class StyleClassificationTask(DataBinTask):
    """X against Z, with the criterion ``style``."""

    cfg: StyleClassificationConfig

    def __init__(self, cfg: StyleClassificationConfig) -> None:
        super().__init__(cfg)
        self.words = self.data_bin.dictionary("utterance")

    @property
    def source_dictionary(self) -> Dictionary:
        return self.words

    @property
    def target_dictionary(self) -> None:
        """None: the target is a label."""

    def load_dataset(self, split: str, combine: bool = False, **_: Any) -> None:
        """X and Z of ``split``."""
        natural, canonical = (
            self.data_bin.sentences(f"{split}.{side}", self.words) for side in SIDES
        )
        self.datasets[split] = StyleDataset(natural, canonical, self.words.pad(), self.cfg.seed)


@dataclass
class StyleCriterionConfig(FairseqDataclass):
    """No options; without a dataclass checkpoints would hold an ``argparse.Namespace``."""


@register_criterion("style", dataclass=StyleCriterionConfig)
class StyleCriterion(FairseqCriterion):
    """Binary cross-entropy of "canonical", in nats, and accuracy in percent."""

    def forward(
        self, model: Any, sample: dict[str, Any], reduce: bool = True
    ) -> tuple[Tensor, int, dict[str, Any]]:
        logits = model(**sample["net_input"])
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            logits, sample["target"], reduction="sum"
        )
        correct = (logits > 0).eq(sample["target"] > 0.5).sum().item()
        size = sample["nsentences"]
        logging_output = {
            "loss": loss.detach(),
            "correct": correct,
            "ntokens": sample["ntokens"],
            "nsentences": size,
            "sample_size": size,
        }
        return loss, size, logging_output

    @classmethod
    def reduce_metrics(cls, logging_outputs: list[dict[str, Any]]) -> None:
        size = sum(output.get("sample_size", 0) for output in logging_outputs)
        loss = sum(float(output.get("loss", 0.0)) for output in logging_outputs)
        correct = sum(output.get("correct", 0) for output in logging_outputs)
        metrics.log_scalar("loss", loss / size, size, round=4)
        metrics.log_scalar("accuracy", 100 * correct / size, size, round=2)

    @staticmethod
    def logging_outputs_can_be_summed() -> bool:
        return True
