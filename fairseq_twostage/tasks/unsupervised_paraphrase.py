"""Learning the paraphraser from X and Z alone, and using it in either direction."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Optional

import numpy as np
import torch
from fairseq.data import Dictionary, FairseqDataset, LanguagePairDataset
from fairseq.logging import metrics
from fairseq.tasks import register_task
from omegaconf import II
from torch import Tensor

from fairseq_twostage.criterions.denoising import Denoising
from fairseq_twostage.data.mapped_dataset import MappedDataset
from fairseq_twostage.data.unpaired_dataset import Corpus, UnpairedDataset
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.decoding.constraints import Constraint
from fairseq_twostage.decoding.generator import ConstrainedGenerator
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import SIDES, id_maps
from fairseq_twostage.noise.channels import noise_generator
from fairseq_twostage.pairing.pseudo_pairs import read_pairs
from fairseq_twostage.scoring.label_free import (
    FrequencyMetric,
    LabelFreeMetric,
    label_free,
    label_free_release,
)
from fairseq_twostage.selection import FREQUENCY, check_metrics
from fairseq_twostage.semantics import execute
from fairseq_twostage.tasks.also_best import AlsoBest
from fairseq_twostage.tasks.auxiliaries import Auxiliaries, device_of
from fairseq_twostage.tasks.base import DataBinTask
from fairseq_twostage.tasks.data_bin import known_sentences
from fairseq_twostage.tasks.labels import labelled_rows
from fairseq_twostage.tasks.noising import NoiseOptions, side_noises

UNPAIRED_SPLITS = ("train", "valid")
NO_DIRECTION = "generation needs a direction: -s nl -t cf, or another"


@dataclass
class UnsupervisedParaphraseConfig(NoiseOptions):
    """Options of the task."""

    data: str = field(default="", metadata={"help": "data-bin made by twostage prepare"})
    source_lang: Optional[str] = field(
        default=None,
        metadata={"help": "side to paraphrase from (generation): nl or cf", "argparse_alias": "-s"},
    )
    target_lang: Optional[str] = field(
        default=None,
        metadata={"help": "side to paraphrase into (generation): nl or cf", "argparse_alias": "-t"},
    )
    labelled_share: float = field(
        default=0.0,
        metadata={"help": "share of the training rows whose pairing (x, z) may be seen, in [0, 1]"},
    )
    pseudo_pairs: Optional[str] = field(
        default=None,
        metadata={"help": "pseudo-pairs for the objective of that name: what twostage pair wrote"},
    )
    constrain: Optional[str] = field(
        default=None,
        metadata={
            "help": "hold canonical paraphrases to a closed list, in training and generation: "
            "'known' (the data-bin's canonical utterances), or a file with one per line"
        },
    )
    lm_nl: Optional[str] = field(default=None, metadata={"help": "checkpoint of LM_x"})
    lm_cf: Optional[str] = field(default=None, metadata={"help": "checkpoint of LM_z"})
    style: Optional[str] = field(default=None, metadata={"help": "checkpoint of P_dis"})
    parser: Optional[str] = field(default=None, metadata={"help": "checkpoint of P_nsp"})
    also_best: Optional[str] = field(
        default=None,
        metadata={
            "help": "keep the checkpoint that is best by this metric, too, as "
            "checkpoint_best_METRIC.pt (the larger, the better)"
        },
    )
    best_checkpoint_metric: str = II("checkpoint.best_checkpoint_metric")
    save_dir: str = II("checkpoint.save_dir")
    seed: int = II("common.seed")
    cpu: bool = II("common.cpu")


@register_task("unsupervised_paraphrase", dataclass=UnsupervisedParaphraseConfig)
class UnsupervisedParaphraseTask(DataBinTask):
    """Training sees X and Z without their pairing; ``-s``/``-t`` paraphrase gold splits.

    Validation computes the label-free metric (``label_free``, and the released code's
    ``label_free_release``; ``label_free_frequency`` if it is to choose); choose checkpoints by
    ``--best-checkpoint-metric label_free --maximize-best-checkpoint-metric``.
    """

    cfg: UnsupervisedParaphraseConfig

    def __init__(self, cfg: UnsupervisedParaphraseConfig) -> None:
        super().__init__(cfg)
        self.dictionaries: dict[str, Dictionary] = {
            side: self.data_bin.dictionary(side) for side in ("utterance", *SIDES)
        }
        if not 0.0 <= cfg.labelled_share <= 1.0:
            raise UserError(f"must lie in [0, 1], not {cfg.labelled_share}", "--labelled-share")
        for option, side in (("-s", cfg.source_lang), ("-t", cfg.target_lang)):
            if side is not None and side not in SIDES:
                raise UserError(f"no side {side!r}; choose nl or cf", option)
        if (cfg.source_lang is None) != (cfg.target_lang is None):
            raise UserError(NO_DIRECTION, "-s/-t")
        self.auxiliaries = Auxiliaries(
            cfg.data,
            {"lm_nl": cfg.lm_nl, "lm_cf": cfg.lm_cf, "style": cfg.style, "parser": cfg.parser},
            device_of(cfg.cpu),
        )
        self.constraints: dict[str, Constraint] = {}
        if cfg.constrain is not None:
            self.constraints["cf"] = known_sentences(
                self.data_bin, "cf", cfg.constrain, self.dictionaries["cf"]
            )
        self.also_best = None if cfg.also_best is None else AlsoBest(cfg.also_best)
        self.updates = 0
        self.denoises = True  # until a criterion says otherwise
        self._metric: LabelFreeMetric | None = None
        self._frequency: FrequencyMetric | None = None
        self._frequency_is_due = False

    @property
    def source_dictionary(self) -> Dictionary:
        return self.dictionaries["utterance"]

    @property
    def target_dictionary(self) -> Dictionary:
        """What the decoder of ``-t`` writes; of D_z where there is no ``-t``."""
        return self.dictionaries[self.cfg.target_lang or "cf"]

    # ------------------------------------------------------------------ data

    def load_dataset(self, split: str, combine: bool = False, **_: Any) -> None:
        """Unpaired corpora in training; the aligned rows of ``split`` with ``-s`` and ``-t``."""
        if self.cfg.source_lang is not None and self.cfg.target_lang is not None:
            self.datasets[split] = self._gold_pairs(split)
            return
        if split not in UNPAIRED_SPLITS:
            raise UserError(NO_DIRECTION, "-s/-t")
        if split == "valid":
            self._check_selection()
        self.datasets[split] = self._unpaired(split)

    def _unpaired(self, split: str) -> UnpairedDataset:
        words = self.source_dictionary
        corpora = {
            side: Corpus(
                self.data_bin.sentences(f"{split}.{side}", words),
                self.data_bin.variables(split) if side == "nl" else None,
            )
            for side in SIDES
        }
        training = split == "train"
        return UnpairedDataset(
            corpora,
            words.pad(),
            self.cfg.seed,
            shuffle=training,
            noise=side_noises(self.cfg, self.data_bin, words, corpora)
            if training and self.denoises
            else None,
            noise_generator=noise_generator,
            labelled=self._labelled() if training else (),
            pseudo_pairs=self._pseudo_pairs() if training else (),
        )

    def _labelled(self) -> Sequence[tuple[np.ndarray, np.ndarray]]:
        """A seeded share of the aligned training rows; none are read unless asked for."""
        if self.cfg.labelled_share == 0.0:
            return ()
        natural, canonical = (
            self.data_bin.sentences(self.data_bin.gold("train", side), self.source_dictionary)
            for side in SIDES
        )
        rows = labelled_rows(len(natural), self.cfg.labelled_share, self.cfg.seed)
        return [(natural[row], canonical[row]) for row in rows]

    def _pseudo_pairs(self) -> Sequence[tuple[np.ndarray, np.ndarray, float]]:
        """Guessed pairs with their weights, in utterance ids."""
        if self.cfg.pseudo_pairs is None:
            return ()

        def ids(line: str) -> np.ndarray:
            encoded = self.source_dictionary.encode_line(line, add_if_not_exist=False)
            return encoded.numpy().astype(np.int64)

        pairs = read_pairs(Path(self.cfg.pseudo_pairs))
        return [(ids(pair.utterance), ids(pair.canonical), pair.weight) for pair in pairs]

    def _gold_pairs(self, split: str) -> LanguagePairDataset:
        source, target = self.cfg.source_lang, self.cfg.target_lang
        words = self.source_dictionary
        sources = self.data_bin.indexed(self.data_bin.gold(split, str(source)), words)
        name = self.data_bin.gold(split, str(target))
        targets = None
        if self.data_bin.exists(name):
            table, _ = id_maps(words, self.target_dictionary)
            targets = MappedDataset(self.data_bin.indexed(name, words), table)
        return LanguagePairDataset(
            sources,
            sources.sizes,
            words,
            targets,
            None if targets is None else targets.sizes,
            self.target_dictionary,
            left_pad_source=False,
        )

    def build_dataset_for_inference(
        self, src_tokens: Sequence[Tensor], src_lengths: Sequence[int], **_: Any
    ) -> FairseqDataset:
        return LanguagePairDataset(
            src_tokens,
            src_lengths,
            self.source_dictionary,
            tgt_dict=self.target_dictionary,
            left_pad_source=False,
        )

    def has_sharded_data(self, split: str) -> bool:
        return False

    # ------------------------------------------------------------------ training

    def executes(self) -> Callable[[str, Mapping[str, str]], bool]:
        """Whether a logical form, its variables filled in, has a value in this domain's world."""
        world = world_of(self.data_bin.folder)
        return lambda form, variables: execute(form, world, variables).executable

    def train_step(
        self,
        sample: dict[str, Any],
        model: Any,
        criterion: Any,
        optimizer: Any,
        update_num: int,
        ignore_grad: bool = False,
        ema_model: Any = None,
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """fairseq's, with the number of updates remembered for scheduled weights."""
        self.updates = update_num
        return super().train_step(sample, model, criterion, optimizer, update_num, ignore_grad)

    def validate(
        self, sample: dict[str, Any], model: Any, criterion: Any
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """The criterion's losses and the label-free metric."""
        loss, sample_size, logging_output = super().validate(sample, model, criterion)
        with torch.no_grad():
            for name, mean in self.label_free_metric(model, sample).items():
                logging_output[f"sum/{name}"] = mean.total
                logging_output[f"count/{name}"] = mean.count
            if self._frequency_is_due:  # once in a validation; fairseq tells the average here only
                self._frequency_is_due = False
                logging_output[f"sum/{FREQUENCY}"] = self.frequency_metric(model)
                logging_output[f"count/{FREQUENCY}"] = 1
        return loss, sample_size, logging_output

    def begin_valid_epoch(self, epoch: int, model: Any) -> None:
        super().begin_valid_epoch(epoch, model)
        self._frequency_is_due = FREQUENCY in self._chosen_by()

    def begin_epoch(self, epoch: int, model: Any) -> None:
        super().begin_epoch(epoch, model)
        if self.also_best is not None:
            self.also_best.begins(self.cfg.save_dir)

    def post_validate(self, model: Any, stats: dict[str, Any], agg: Any) -> None:
        if self.also_best is not None:
            self.also_best.validated(stats)

    def get_checkpoint_dict(self) -> dict[str, Any]:
        """What a checkpoint holds beside the rest (fairseq)."""
        return {} if self.also_best is None else self.also_best.extra_state()

    def post_save(self, cp_path: str, num_updates: int) -> None:
        if self.also_best is not None:
            self.also_best.saved(cp_path)
        super().post_save(cp_path, num_updates)

    def build_criterion(self, cfg: Any, from_checkpoint: bool = False) -> Any:
        if self.cfg.source_lang is not None:
            raise UserError("a direction is for generation; training learns both", "-s/-t")
        criterion = super().build_criterion(cfg, from_checkpoint)
        # Noise costs time: none is made for a run whose objectives do not read it.
        self.denoises = Denoising.name in getattr(criterion, "names", (Denoising.name,))
        return criterion

    def _check_selection(self) -> None:
        """Fail before training, not at the end of its first epoch."""
        if self.cfg.best_checkpoint_metric == "label_free" and not self.auxiliaries.has_parser():
            raise UserError(
                "label_free needs the naive parser: give --parser",
                "--best-checkpoint-metric",
            )
        check_metrics(
            self._chosen_by(),
            self.data_bin.manifest.frequent_as_meant,
            "--best-checkpoint-metric, --also-best",
        )
        _ = self.label_free_metric

    def _chosen_by(self) -> tuple[str | None, ...]:
        return self.cfg.best_checkpoint_metric, self.cfg.also_best

    @property
    def frequency_metric(self) -> FrequencyMetric:
        """The selection metric that compares frequencies."""
        if self._frequency is None:
            words = self.source_dictionary
            natural, canonical = (self.data_bin.sentences(f"train.{side}", words) for side in SIDES)
            self._frequency = FrequencyMetric(natural, canonical, words.pad(), LengthLimit())
        return self._frequency

    @property
    def label_free_metric(self) -> LabelFreeMetric:
        """The selection metric; without ``--parser`` its agreement is missing."""
        if self._metric is None:
            parses = self.auxiliaries.parses() if self.auxiliaries.has_parser() else None
            self._metric = LabelFreeMetric(self.source_dictionary, parses, LengthLimit())
        return self._metric

    def reduce_metrics(self, logging_outputs: list[dict[str, Any]], criterion: Any) -> None:
        """The criterion's, and the metrics that choose checkpoints.

        fairseq also asks batch by batch, and the last batches of the longer side have no row of
        the other: such a batch alone has no metric.
        """
        super().reduce_metrics(logging_outputs, criterion)
        counted = {
            key.removeprefix("count/")
            for output in logging_outputs
            for key, count in output.items()
            if key.startswith("count/") and count
        }
        if {"cycle_bleu", "cycle_agreement"} <= counted:
            metrics.log_derived(
                "label_free",
                lambda meters: label_free(meters["cycle_bleu"].avg, meters["cycle_agreement"].avg),
            )
        if {"cycle_bleu", "cycle_exact"} <= counted:
            metrics.log_derived(
                "label_free_release",
                lambda meters: label_free_release(
                    meters["cycle_bleu"].avg, meters["cycle_exact"].avg
                ),
            )

    # ------------------------------------------------------------------ generation

    def build_generator(self, models: Sequence[Any], args: Namespace, **kwargs: Any) -> Any:
        """fairseq's generator over the direction ``-s`` → ``-t``."""
        source, target = self.cfg.source_lang, self.cfg.target_lang
        if source is None or target is None:
            raise UserError(NO_DIRECTION, "-s/-t")
        views = [model.view(target) for model in models]
        if self.cfg.constrain is not None:
            if target not in self.constraints:
                raise UserError(f"a closed list is known for -t cf, not {target}", "--constrain")
            return ConstrainedGenerator(views, self.constraints[target], args)
        return super().build_generator(views, args, **kwargs)
