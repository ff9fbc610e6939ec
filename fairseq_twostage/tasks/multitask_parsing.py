"""MultiTaskDae: parsing canonical utterances while rebuilding natural ones."""

from dataclasses import dataclass
from typing import Any

from fairseq.data import Dictionary
from fairseq.tasks import register_task

from fairseq_twostage.data.multitask_dataset import MultitaskDataset
from fairseq_twostage.data.unpaired_dataset import Corpus
from fairseq_twostage.models.dual_paraphraser import SIDES
from fairseq_twostage.noise.channels import noise_generator
from fairseq_twostage.tasks.noising import NoiseOptions, side_noises
from fairseq_twostage.tasks.semantic_parsing import SemanticParsingConfig, SemanticParsingTask


@dataclass
class MultitaskParsingConfig(SemanticParsingConfig, NoiseOptions):
    """Options of the task."""


@register_task("multitask_parsing", dataclass=MultitaskParsingConfig)
class MultitaskParsingTask(SemanticParsingTask):
    """Training batches hold pairs (z, y) and noised x; everything else is the parser's."""

    cfg: MultitaskParsingConfig

    def __init__(self, cfg: MultitaskParsingConfig) -> None:
        super().__init__(cfg)
        self.natural_words = self.data_bin.dictionary("nl")

    @property
    def natural_dictionary(self) -> Dictionary:
        return self.natural_words

    def load_dataset(self, split: str, combine: bool = False, **options: Any) -> None:
        """Pairs as the parser's; in training with X beside them."""
        super().load_dataset(split, combine, **options)
        if split != "train":
            return
        corpora = {
            side: Corpus(self.data_bin.sentences(f"{split}.{side}", self.words)) for side in SIDES
        }
        self.datasets[split] = MultitaskDataset(
            self.datasets[split],
            corpora["nl"].sentences,
            side_noises(self.cfg, self.data_bin, self.words, corpora)["nl"],
            noise_generator,
            self.cfg.seed,
        )
