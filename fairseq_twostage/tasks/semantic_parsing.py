"""Utterance to logical form: the naive parser, and one-stage parsers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from fairseq.data import Dictionary, FairseqDataset, LanguagePairDataset
from fairseq.dataclass import FairseqDataclass
from fairseq.logging import metrics
from fairseq.tasks import register_task
from torch import Tensor

from fairseq_twostage.decoding.lean import decode
from fairseq_twostage.errors import UserError
from fairseq_twostage.rewards.executability import PARSE_LIMIT, sentence_keys
from fairseq_twostage.tasks.base import DataBinTask


@dataclass
class SemanticParsingConfig(FairseqDataclass):
    """Options of the task."""

    data: str = field(default="", metadata={"help": "data-bin made by twostage prepare"})
    source_lang: str = field(
        default="cf", metadata={"help": "side to parse: cf or nl", "argparse_alias": "-s"}
    )
    target_lang: str = field(default="lf", metadata={"help": "always lf", "argparse_alias": "-t"})
    supervised: bool = field(
        default=False,
        metadata={"help": "train on the annotated rows instead of the grammar's (z, y) pairs"},
    )


@register_task("semantic_parsing", dataclass=SemanticParsingConfig)
class SemanticParsingTask(DataBinTask):
    """Trains on the generated pairs (z, y); ``test`` and other gold splits are for generation.

    The source dictionary covers both sides, so the same parser also reads natural words.
    """

    cfg: SemanticParsingConfig

    def __init__(self, cfg: SemanticParsingConfig) -> None:
        super().__init__(cfg)
        if cfg.source_lang not in ("nl", "cf"):
            raise UserError(f"no side {cfg.source_lang!r} to parse; choose nl or cf", "-s")
        if cfg.target_lang != "lf":
            raise UserError(f"a parser writes lf, not {cfg.target_lang!r}", "-t")
        self.words = self.data_bin.dictionary("utterance")
        self.symbols = self.data_bin.dictionary("lf")

    @property
    def source_dictionary(self) -> Dictionary:
        """Words of both sides."""
        return self.words

    @property
    def target_dictionary(self) -> Dictionary:
        """Symbols of logical forms."""
        return self.symbols

    def load_dataset(self, split: str, combine: bool = False, **_: Any) -> None:
        """(z, y) pairs, or gold rows for ``test``, a natural source or ``--supervised``."""
        source = self.cfg.source_lang
        generated = f"{split}.cf-lf"
        if source == "cf" and not self.cfg.supervised and self.data_bin.exists(f"{generated}.cf"):
            names = [f"{generated}.cf", f"{generated}.lf"]
        elif split in ("train", "valid") and not self.cfg.supervised:
            raise UserError(
                f"annotated rows are needed to learn {source} → lf: add --supervised", "-s"
            )
        else:
            names = [self.data_bin.gold(split, side) for side in (source, "lf")]
        sources = self.data_bin.indexed(names[0], self.words)
        targets = self.data_bin.indexed(names[1], self.symbols)
        self.datasets[split] = LanguagePairDataset(
            sources,
            sources.sizes,
            self.words,
            targets,
            targets.sizes,
            self.symbols,
            left_pad_source=False,
        )

    def build_dataset_for_inference(
        self, src_tokens: Sequence[Tensor], src_lengths: Sequence[int], **_: Any
    ) -> FairseqDataset:
        """What ``fairseq-interactive`` reads."""
        return LanguagePairDataset(
            src_tokens, src_lengths, self.words, tgt_dict=self.symbols, left_pad_source=False
        )

    def valid_step(
        self, sample: dict[str, Any], model: Any, criterion: Any
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """The criterion's loss, and how many greedy parses equal the target."""
        loss, sample_size, logging_output = super().valid_step(sample, model, criterion)
        with torch.no_grad():
            memory = model.decoder.memory(model.encoder(sample["net_input"]["src_tokens"]))
            parses = decode(model.decoder, memory, PARSE_LIMIT)
        pad = self.symbols.pad()
        pairs = zip(sentence_keys(parses, pad), sentence_keys(sample["target"], pad))
        logging_output["exact"] = sum(parse == target for parse, target in pairs)
        logging_output["parsed"] = sample["target"].size(0)
        return loss, sample_size, logging_output

    def reduce_metrics(self, logging_outputs: list[dict[str, Any]], criterion: Any) -> None:
        """The criterion's, and exact match in percent."""
        super().reduce_metrics(logging_outputs, criterion)
        parsed = sum(int(output.get("parsed", 0)) for output in logging_outputs)
        if parsed:
            exact = sum(int(output.get("exact", 0)) for output in logging_outputs)
            metrics.log_scalar("exact_match", 100 * exact / parsed, parsed, round=2)
