"""The two stages in a row: utterance → ẑ → ŷ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from fairseq_twostage.decoding.lean import PARSE_LIMIT, LengthLimit
from fairseq_twostage.decoding.mixture import MixtureStage, as_one
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.models.dual_paraphraser import DualParaphraser
from fairseq_twostage.models.naive_parser import NaiveParser

Stage = Callable[[Sequence[str]], list[list[str]]]
Accepts = Callable[[int, str], bool]


def paraphrase_stage(
    model: DualParaphraser, target: str, beam: int, limit: LengthLimit
) -> BeamStage:
    """One direction of the paraphraser as a stage."""
    return BeamStage(model.encoder(target), model.decoder(target), beam, limit)


def first_stage(model: DualParaphraser | NaiveParser, beam: int, limit: LengthLimit) -> BeamStage:
    """Natural to canonical: one direction of the paraphraser, or a model of that alone."""
    if isinstance(model, DualParaphraser):
        return paraphrase_stage(model, "cf", beam, limit)
    return BeamStage(model.encoder, model.decoder, beam, limit)


def first_stages(
    models: Sequence[DualParaphraser | NaiveParser], beam: int, limit: LengthLimit
) -> BeamStage | MixtureStage:
    """The first stage of one model, or of several as a mixture."""
    return as_one([first_stage(model, beam, limit) for model in models])


def parse_stage(model: NaiveParser, beam: int) -> BeamStage:
    """The naive parser as a stage."""
    opened = model.open_vocabulary
    return BeamStage(model.encoder, model.decoder, beam, PARSE_LIMIT, open_vocabulary=opened)


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
