"""The two stages in a row: utterance → ẑ → ŷ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import torch
from fairseq.data import Dictionary, data_utils
from fairseq.models import FairseqEncoderDecoderModel

from fairseq_twostage.decoding.lean import LengthLimit, evaluation_mode
from fairseq_twostage.decoding.patient_beam import patient_hypotheses
from fairseq_twostage.models.dual_paraphraser import DualParaphraser
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.naive_parser import NaiveParser
from fairseq_twostage.rewards.executability import PARSE_LIMIT

Stage = Callable[[Sequence[str]], list[list[str]]]
Accepts = Callable[[int, str], bool]


@dataclass(frozen=True)
class BeamDecoder:
    """One stage: text in, hypotheses out.

    Attributes:
        model: encoder-decoder.
        source: what its encoder reads.
        target: what its decoder writes.
        beam: width.
        limit: of the output's length.
        batch_size: sentences at once.
        open_vocabulary: whether the encoder reads words that ``source`` does not have; they
            are added to it.
    """

    model: FairseqEncoderDecoderModel
    source: Dictionary
    target: Dictionary
    beam: int
    limit: LengthLimit
    batch_size: int = 64
    open_vocabulary: bool = False

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The hypotheses of each line, best first; equal lines are decoded once."""
        distinct = sorted(set(lines), key=lambda line: (len(line.split()), line))
        found: dict[str, list[str]] = {}
        for start in range(0, len(distinct), self.batch_size):
            batch = distinct[start : start + self.batch_size]
            for line, hypotheses in zip(batch, self._search(batch)):
                found[line] = [self._text(ids) for ids in hypotheses] or [""]
        return [found[line] for line in lines]

    @torch.no_grad()
    def _search(self, lines: Sequence[str]) -> list[list[list[int]]]:
        rows = [
            self.source.encode_line(line, add_if_not_exist=self.open_vocabulary).long()
            for line in lines
        ]
        tokens = data_utils.collate_tokens(rows, self.source.pad())
        decoder = cast(AttentionalLSTMDecoder, self.model.decoder)
        with evaluation_mode(self.model):
            encoded = self.model.encoder(tokens.to(next(self.model.parameters()).device))
            memory = decoder.memory(encoded)
            found = patient_hypotheses(decoder, memory, self.beam, self.limit)
        return [[ids for ids, _ in hypotheses] for hypotheses in found]

    def _text(self, ids: Sequence[int]) -> str:
        return " ".join(self.target[index] for index in ids if index != self.target.eos())


def paraphrase_stage(
    model: DualParaphraser, source: str, target: str, beam: int, limit: LengthLimit
) -> BeamDecoder:
    """One direction of the paraphraser as a stage."""
    decoder = model.decoder(target)
    words = model.encoder(source).dictionary
    return BeamDecoder(model.view(source, target), words, decoder.dictionary, beam, limit)


def first_stage(model: DualParaphraser | NaiveParser, beam: int, limit: LengthLimit) -> BeamDecoder:
    """Natural to canonical: one direction of the paraphraser, or a model of that alone."""
    if isinstance(model, DualParaphraser):
        return paraphrase_stage(model, "nl", "cf", beam, limit)
    return BeamDecoder(model, model.encoder.dictionary, model.decoder.dictionary, beam, limit)


def parse_stage(model: NaiveParser, beam: int) -> BeamDecoder:
    """The naive parser as a stage."""
    words, symbols = model.encoder.dictionary, model.decoder.dictionary
    opened = model.open_vocabulary
    return BeamDecoder(model, words, symbols, beam, PARSE_LIMIT, open_vocabulary=opened)


@dataclass(frozen=True)
class Lookup:
    """The second stage where a grammar has said what some canonical utterances mean.

    Attributes:
        parse: of all others, and for the further hypotheses of these.
        known: logical form of a canonical utterance.
    """

    parse: Stage
    known: Mapping[str, str]

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The hypotheses of each line, a known form first."""
        return [
            list(dict.fromkeys([self.known[line], *found])) if line in self.known else found
            for line, found in zip(lines, self.parse(lines))
        ]


@dataclass(frozen=True)
class Parse:
    """What the stages made of an utterance; ``canonical`` is empty with one stage."""

    utterance: str
    canonical: str
    logical_form: str


@torch.no_grad()
def two_stage_parse(
    utterances: Sequence[str],
    paraphrase: Stage | None,
    parse: Stage,
    accepts: Accepts | None = None,
    paraphrases: int = 1,
) -> Iterator[Parse]:
    """Utterance → ẑ → ŷ, the best hypothesis of each stage or the best that is accepted.

    Args:
        utterances: tokenised.
        paraphrase: the first stage; None parses the utterances themselves.
        parse: the second stage.
        accepts: (row, logical form) to whether it may be the answer, as whether it
            executes. The parses of the best ẑ are tried in order, then those of the next;
            if none is accepted, the best of the best is the answer. None: that at once.
        paraphrases: how many ẑ are tried.
    """
    candidates = [[utterance] for utterance in utterances]
    if paraphrase is not None:
        candidates = [found[:paraphrases] for found in paraphrase(utterances)]
    distinct = sorted({canonical for found in candidates for canonical in found})
    forms = dict(zip(distinct, parse(distinct)))
    for row, (utterance, found) in enumerate(zip(utterances, candidates)):
        pairs = [(canonical, form) for canonical in found for form in forms[canonical]]
        tried = (pair for pair in pairs if accepts is None or accepts(row, pair[1]))
        canonical, form = next(tried, pairs[0])
        yield Parse(utterance, canonical if paraphrase is not None else "", form)
