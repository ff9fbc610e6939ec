"""Learning the paraphraser from X and Z alone, and using it in either direction."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional

from fairseq.data import Dictionary
from fairseq.tasks import register_task
from omegaconf import II
from torch import Tensor

from fairseq_twostage.criterions.denoising import Denoising
from fairseq_twostage.data.pairs import Pairs
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.decoding.constraints import Constraint
from fairseq_twostage.decoding.generator import ConstrainedGenerator
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import SIDES
from fairseq_twostage.semantics import execute
from fairseq_twostage.tasks.also_best import AlsoBest
from fairseq_twostage.tasks.auxiliaries import Auxiliaries, device_of
from fairseq_twostage.tasks.base import DataBinTask
from fairseq_twostage.tasks.data_bin import known_sentences
from fairseq_twostage.tasks.label_free_selection import LabelFreeSelection, log_label_free
from fairseq_twostage.tasks.noising import NoiseOptions
from fairseq_twostage.tasks.paraphrase_data import unpaired

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
        self.selection = LabelFreeSelection(
            (cfg.best_checkpoint_metric, cfg.also_best),
            self.data_bin,
            self.source_dictionary,
            self.auxiliaries,
        )

    @property
    def source_dictionary(self) -> Dictionary:
        return self.dictionaries["utterance"]

    @property
    def target_dictionary(self) -> Dictionary:
        """What the decoder of ``-t`` writes; of D_z where there is no ``-t``."""
        return self.dictionaries[self.cfg.target_lang or "cf"]

    def load_dataset(self, split: str, combine: bool = False, **_: Any) -> None:
        """Unpaired corpora in training; the aligned rows of ``split`` with ``-s`` and ``-t``."""
        source, target = self.cfg.source_lang, self.cfg.target_lang
        words, symbols = self.source_dictionary, self.target_dictionary
        if source is not None and target is not None:
            read, written = (self.data_bin.gold(split, side) for side in (source, target))
            targets = self.data_bin.translated(written, words, symbols)
            self.datasets[split] = Pairs(
                self.data_bin.indexed(read, words), words, targets, symbols
            )
            return
        if split not in UNPAIRED_SPLITS:
            raise UserError(NO_DIRECTION, "-s/-t")
        if split == "valid":
            self.selection.check()
        self.datasets[split] = unpaired(self.cfg, self.data_bin, words, split, self.denoises)

    def has_sharded_data(self, split: str) -> bool:
        return False

    def executes(self) -> Callable[[str, Mapping[str, str]], bool]:
        """Whether a logical form, its variables filled in, has a value in this domain's world."""
        world = world_of(self.data_bin.folder)
        return lambda form, variables: execute(form, world, variables).executable

    def build_criterion(self, cfg: Any, from_checkpoint: bool = False) -> Any:
        """fairseq's; only training and validation have a criterion."""
        if self.cfg.source_lang is not None:
            raise UserError("a direction is for generation; training learns both", "-s/-t")
        criterion = super().build_criterion(cfg, from_checkpoint)
        # Noise costs time: none is made for a run whose objectives do not read it.
        self.denoises = Denoising.name in getattr(criterion, "names", (Denoising.name,))
        return criterion

    def train_step(
        self,
        sample: Any,
        model: Any,
        criterion: Any,
        optimizer: Any,
        update_num: int,
        *args: Any,
        **kwargs: Any,
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """fairseq's, with the number of updates remembered for scheduled weights."""
        self.updates = update_num
        return super().train_step(sample, model, criterion, optimizer, update_num, *args, **kwargs)

    def validate(
        self, sample: dict[str, Any], model: Any, criterion: Any
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """The criterion's losses and the label-free metrics."""
        loss, sample_size, logging_output = super().validate(sample, model, criterion)
        return loss, sample_size, logging_output | self.selection.measure(model, sample)

    def reduce_metrics(self, logging_outputs: list[dict[str, Any]], criterion: Any) -> None:
        """The criterion's, and the metrics that choose checkpoints."""
        super().reduce_metrics(logging_outputs, criterion)
        log_label_free(logging_outputs)

    def begin_valid_epoch(self, epoch: int, model: Any) -> None:
        super().begin_valid_epoch(epoch, model)
        self.selection.begin_validation()

    def begin_epoch(self, epoch: int, model: Any) -> None:
        super().begin_epoch(epoch, model)
        if self.also_best is not None:
            self.also_best.begins(self.cfg.save_dir)

    def post_validate(self, model: Any, stats: dict[str, Any], agg: Any) -> None:
        if self.also_best is not None:
            self.also_best.validated(stats)

    def get_checkpoint_dict(self) -> dict[str, Any]:
        """What a checkpoint holds beside the rest."""
        return {} if self.also_best is None else self.also_best.extra_state()

    def post_save(self, cp_path: str, num_updates: int) -> None:
        if self.also_best is not None:
            self.also_best.saved(cp_path)
        super().post_save(cp_path, num_updates)

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
