"""Reranking over a data-bin's known canonical utterances, from an option's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from fairseq_twostage.corpora.databin import data_bin_lines
from fairseq_twostage.criterions.schedule import parse_weighted_names
from fairseq_twostage.decoding.reranking import (
    Direction,
    Feature,
    FluencyOfCandidates,
    Proposals,
    Reranker,
    StyleOfCandidates,
)
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import DualParaphraser
from fairseq_twostage.models.naive_parser import NaiveParser
from fairseq_twostage.pairing.features import SIMILARITIES, resources
from fairseq_twostage.pairing.similarity import Matrix, standardise
from fairseq_twostage.pairing.transport import EVEN_BALANCE
from fairseq_twostage.tasks.auxiliaries import Auxiliaries
from fairseq_twostage.tasks.data_bin import DataBin

PRIOR = "prior"
FEATURES = ("forward", "forward_mean", "dual", "fluency", "style", *SIMILARITIES, PRIOR)


def build_reranker(
    text: str,
    model: DualParaphraser | NaiveParser,
    data: str,
    auxiliaries: Auxiliaries,
    best: int,
    proposals: Proposals | None = None,
    option: str = "--rerank",
) -> Reranker:
    """Read ``forward=1,dual=0.3,prior=1``.

    Args:
        text: features and weights. ``prior`` balances the data-bin's own X over its Z; in the
            setting ``paper`` by the frequencies in Z, else evenly and by half.
        model: the paraphraser.
        data: the data-bin; nothing of its gold rows is read.
        auxiliaries: LM_z and P_dis, if ``fluency`` or ``style`` is asked for.
        best: how many candidates it returns.
        proposals: candidates besides the data-bin's canonical utterances.
        option: that ``text`` comes from, named in errors.

    Raises:
        UserError: an unknown feature, one that ``model`` does not have or whose model is
            missing, or nothing but a prior.
    """
    data_bin = DataBin(data)
    chosen = {
        name: schedule.at(0) for name, schedule in parse_weighted_names(text, FEATURES, option)
    }
    prior = chosen.pop(PRIOR, 0.0)
    if not chosen:
        raise UserError("a prior alone says nothing about an utterance", option)
    natural = _corpus(data_bin, "nl")
    counts = Counter(_corpus(data_bin, "cf"))
    candidates = sorted(counts)
    words = data_bin.dictionary("utterance")

    def direction(source: str, per_word: bool = False) -> Direction:
        if not isinstance(model, DualParaphraser):
            raise UserError(
                "forward, forward_mean and dual need a model of both directions, not a "
                f"{type(model).__name__}",
                "--paraphraser",
            )
        return Direction(model, source, per_word)

    builders: dict[str, Callable[[], Feature]] = {
        "forward": lambda: direction("nl"),
        "forward_mean": lambda: direction("nl", per_word=True),
        "dual": lambda: direction("cf"),
        "fluency": lambda: FluencyOfCandidates(auxiliaries.language_model("cf")),
        "style": lambda: StyleOfCandidates(auxiliaries.style_classifier(), words),
    }
    for name in SIMILARITIES:
        builders[name] = lambda name=name: Similarity(name, data_bin.folder, natural, candidates)  # type: ignore[misc]
    features = {name: builders[name]() for name in chosen}
    reranker = Reranker(candidates, features, chosen, best=best, proposals=proposals)
    if prior == 0.0:
        return reranker
    by_frequency = data_bin.manifest.canonical == "paper"
    mass = np.array([counts[line] if by_frequency else 1 for line in candidates], dtype=float)
    return reranker.balanced(natural, mass, prior if by_frequency else EVEN_BALANCE * prior)


class Similarity:
    """What :func:`resources` knows, standardised over the data-bin's own utterances.

    Args:
        name: of the resources.
        data: the data-bin.
        natural: X, from which rarity and scale are taken, with those judged.
        canonical: the same of Z.
    """

    def __init__(
        self, name: str, data: Path, natural: Sequence[str], canonical: Sequence[str]
    ) -> None:
        self.resources = resources(name, data)
        self.natural = natural
        self.canonical = canonical

    def __call__(self, natural: Sequence[str], canonical: Sequence[str]) -> Matrix:
        """``(x, z)``."""
        x, rows = _with(self.natural, natural)
        z, columns = _with(self.canonical, canonical)
        scores = standardise(self.resources.similarity(x, z))
        return scores[np.ix_(rows, columns)]


def _with(known: Sequence[str], judged: Sequence[str]) -> tuple[list[list[str]], list[int]]:
    """Words of all distinct lines, and where among them each of ``judged`` is."""
    index: dict[str, int] = {}
    for line in (*known, *judged):
        index.setdefault(line, len(index))
    return [line.split() for line in index], [index[line] for line in judged]


def _corpus(data_bin: DataBin, side: str) -> list[str]:
    """Of training alone: a balance over development rows would judge their answers by them."""
    return data_bin_lines(data_bin.folder / "text" / f"train.{side}")
