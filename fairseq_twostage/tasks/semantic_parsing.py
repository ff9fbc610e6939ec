"""Learning from pairs: the naive parser, one-stage parsers, and paraphrasers with labels."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Optional

import torch
from fairseq.data import Dictionary, FairseqDataset
from fairseq.dataclass import FairseqDataclass
from fairseq.logging import metrics
from fairseq.tasks import register_task
from omegaconf import II
from torch import Tensor

from fairseq_twostage.data.epoch_order import EpochOrder
from fairseq_twostage.data.pairs import Pairs
from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.decoding.generator import ConstrainedGenerator
from fairseq_twostage.decoding.lean import PARSE_LIMIT, LengthLimit, decode, sentences
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import id_maps
from fairseq_twostage.rewards.executability import sentence_keys
from fairseq_twostage.semantics import World
from fairseq_twostage.semantics.accuracy import DenotationAccuracy
from fairseq_twostage.tasks.auxiliaries import Auxiliaries, device_of
from fairseq_twostage.tasks.base import DataBinTask
from fairseq_twostage.tasks.data_bin import ALIGNED, known_sentences, labelled_rows
from fairseq_twostage.text.rows import Row

LEARNT_SPLITS = ("train", "valid")


@dataclass
class SemanticParsingConfig(FairseqDataclass):
    """Options of the task."""

    data: str = field(default="", metadata={"help": "data-bin made by twostage prepare"})
    source_lang: str = field(
        default="cf", metadata={"help": "side to read: cf or nl", "argparse_alias": "-s"}
    )
    target_lang: str = field(
        default="lf", metadata={"help": "side to write: lf or cf", "argparse_alias": "-t"}
    )
    supervised: bool = field(
        default=False,
        metadata={"help": "train on the annotated rows instead of the grammar's (z, y) pairs"},
    )
    labelled_share: float = field(
        default=1.0,
        metadata={"help": "share of the annotated training rows that --supervised sees, in (0, 1]"},
    )
    random_batches: bool = field(
        default=False,
        metadata={
            "help": "train on batches of any pairs in place of fairseq's of like length, where a "
            "pair that is repeated meets itself; a share of labels is always trained on so"
        },
    )
    pairs: Optional[str] = field(
        default=None,
        metadata={"help": "folder of pseudo-labelled rows to train on, made by twostage label"},
    )
    parser: Optional[str] = field(
        default=None,
        metadata={
            "help": "checkpoint of P_nsp: with --supervised -t cf, it reads what is written of "
            "development rows, for the metric 'denotation'"
        },
    )
    constrain: Optional[str] = field(
        default=None,
        metadata={
            "help": "hold what is generated to a closed list: 'known' (the data-bin's canonical "
            "utterances, or logical forms of its pairs), or a file with one per line"
        },
    )
    seed: int = II("common.seed")
    cpu: bool = II("common.cpu")


@register_task("semantic_parsing", dataclass=SemanticParsingConfig)
class SemanticParsingTask(DataBinTask):
    """Trains on the generated pairs (z, y); ``test`` and other gold splits are for generation.

    With ``--supervised`` or ``--pairs`` it learns x → y, or with ``-t cf`` x → z. The source
    dictionary covers both sides, so a parser of canonical utterances also reads natural words.

    Validation logs ``exact_match`` and, of annotated rows, ``denotation``: how many parses have
    the answer of the row's own form, in percent.
    """

    cfg: SemanticParsingConfig

    def __init__(self, cfg: SemanticParsingConfig) -> None:
        super().__init__(cfg)
        source, target = cfg.source_lang, cfg.target_lang
        if source not in ("nl", "cf"):
            raise UserError(f"no side {source!r} to parse; choose nl or cf", "-s")
        if target not in ("cf", "lf") or source == target:
            raise UserError(
                f"from {source} one can write lf or the other side, not {target!r}", "-t"
            )
        if not 0.0 < cfg.labelled_share <= 1.0:
            raise UserError(f"must lie in (0, 1], not {cfg.labelled_share}", "--labelled-share")
        if cfg.labelled_share < 1.0 and not cfg.supervised:
            raise UserError("labels are for --supervised alone", "--labelled-share")
        if cfg.supervised and cfg.pairs is not None:
            raise UserError("either annotated rows or pseudo-labelled ones", "--supervised/--pairs")
        self.words = self.data_bin.dictionary("utterance")
        self.symbols = self.data_bin.dictionary(target)
        self.limit = PARSE_LIMIT if target == "lf" else LengthLimit()
        if cfg.parser is not None and not (cfg.supervised and target == "cf"):
            raise UserError("is for --supervised -t cf", "--parser")
        self.auxiliaries = Auxiliaries(cfg.data, {"parser": cfg.parser}, device_of(cfg.cpu))

    @property
    def source_dictionary(self) -> Dictionary:
        return self.words

    @property
    def target_dictionary(self) -> Dictionary:
        """Symbols of logical forms, or canonical words."""
        return self.symbols

    def load_dataset(self, split: str, combine: bool = False, **_: Any) -> None:
        """Pairs of ``split``: generated, pseudo-labelled, or annotated (gold)."""
        source, target = self._names(split)
        sources = self.data_bin.indexed(source, self.words)
        if self.cfg.target_lang == "lf":
            targets = self.data_bin.indexed(target, self.symbols)
        else:
            targets = self.data_bin.translated(target, self.words, self.symbols)
        annotated = split == "valid" and self._answers()
        rows = read_gold(self.cfg.data, split) if annotated else None
        pairs = Pairs(sources, self.words, targets, self.symbols, rows)
        self.datasets[split] = self._in_random_order(pairs) if split == "train" else pairs

    def _in_random_order(self, pairs: FairseqDataset) -> FairseqDataset:
        """Pairs as they are trained on: all of them, or a share of labels that goes round."""
        seed, share, length = self.cfg.seed, self.cfg.labelled_share, len(pairs)
        if share < 1.0:  # an epoch is as long as with all labels
            return EpochOrder(pairs, labelled_rows(length, share, seed), length, seed)
        return EpochOrder(pairs, range(length), length, seed) if self.cfg.random_batches else pairs

    @cached_property
    def _written_to_read(self) -> Tensor:
        return id_maps(self.words, self.symbols)[1]

    @cached_property
    def _world(self) -> World:
        return world_of(self.cfg.data)

    def _answers(self) -> bool:
        """Whether development rows may be seen with their forms, and can be answered."""
        writes_forms = self.cfg.target_lang == "lf" or self.auxiliaries.has_parser()
        return self.cfg.supervised and writes_forms

    def _names(self, split: str) -> list[str]:
        """Names of the binarized sources and targets of ``split``."""
        source, target = self.cfg.source_lang, self.cfg.target_lang
        if split in LEARNT_SPLITS and self.cfg.pairs is not None:
            folder = Path(self.cfg.pairs).resolve()
            return [str(folder / f"{split}.{ALIGNED}.{side}") for side in (source, target)]
        generated = [f"{split}.cf-lf.{side}" for side in ("cf", "lf")]
        if [source, target] == ["cf", "lf"] and not self.cfg.supervised:
            if split in LEARNT_SPLITS or all(map(self.data_bin.exists, generated)):
                return generated
        elif split in LEARNT_SPLITS and not self.cfg.supervised:
            raise UserError(
                f"annotated rows are needed to learn {source} → {target}: add --supervised, "
                "or give pseudo-labelled rows (--pairs)",
                "-s/-t",
            )
        return [self.data_bin.gold(split, side) for side in (source, target)]

    def build_generator(self, models: Sequence[Any], args: Namespace, **kwargs: Any) -> Any:
        """fairseq's generator, or one held to a closed list."""
        if self.cfg.constrain is None:
            return super().build_generator(models, args, **kwargs)
        known = known_sentences(
            self.data_bin, self.cfg.target_lang, self.cfg.constrain, self.symbols
        )
        return ConstrainedGenerator(models, known, args)

    def validate(
        self, sample: dict[str, Any], model: Any, criterion: Any
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """The criterion's loss, how many greedy parses equal the target, and how many are right."""
        loss, sample_size, logging_output = super().validate(sample, model, criterion)
        with torch.no_grad():
            memory = model.decoder.memory(model.encoder(sample["net_input"]["src_tokens"]))
            parses = decode(model.decoder, memory, self.limit)
        pad = self.symbols.pad()
        pairs = zip(sentence_keys(parses, pad), sentence_keys(sample["target"], pad))
        logging_output["exact"] = sum(parse == target for parse, target in pairs)
        logging_output["parsed"] = sample["target"].size(0)
        if "rows" in sample:
            logging_output["right"] = self._right(sample["rows"], self._forms(parses))
        return loss, sample_size, logging_output

    def _forms(self, parses: Tensor) -> list[str]:
        """Logical forms: what was written, or what P_nsp makes of it."""
        if self.cfg.target_lang == "lf":
            return sentences(self.symbols, parses)
        return self.auxiliaries.parses()(self._written_to_read.to(parses.device)[parses])

    def _right(self, rows: Sequence[Row], forms: Sequence[str]) -> int:
        """How many forms have the answer of the row's own."""
        accuracy = DenotationAccuracy()
        for row, form in zip(rows, forms):
            accuracy.add(form, row.logical_form, self._world, row.variables)
        return accuracy.correct

    def reduce_metrics(self, logging_outputs: list[dict[str, Any]], criterion: Any) -> None:
        """The criterion's, exact match and denotation accuracy in percent."""
        super().reduce_metrics(logging_outputs, criterion)
        parsed = sum(int(output.get("parsed", 0)) for output in logging_outputs)
        for name, key in (("exact_match", "exact"), ("denotation", "right")):
            counts = [int(output[key]) for output in logging_outputs if key in output]
            if parsed and counts:
                metrics.log_scalar(name, 100 * sum(counts) / parsed, parsed, round=2)
