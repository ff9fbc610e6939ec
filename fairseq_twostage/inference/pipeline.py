"""How a system reads, as data: what a run's record and the options of commands say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from fairseq_twostage.criterions.schedule import parse_weighted_names
from fairseq_twostage.errors import UserError
from fairseq_twostage.pairing.features import SENTENCE_ENCODER, SIMILARITIES
from fairseq_twostage.schema import checked, strict

SOURCES = NATURAL, CANONICAL = "nl", "cf"
BEST, EXECUTABLE, EXECUTABLE_PARAPHRASE = PICKS = ("best", "executable", "executable_paraphrase")
# A form that does not execute is never the right answer.
DEFAULT_PICK = EXECUTABLE_PARAPHRASE
PRIOR = "prior"
LIKELIHOODS = ("forward", "forward_mean", "dual")
FEATURES = (*LIKELIHOODS, *SIMILARITIES, PRIOR)


@strict
@dataclass(frozen=True)
class Pipeline:
    """How a system reads.

    Attributes:
        paraphrasers: checkpoints; of several the mixture is read with.
        parser: checkpoint of the naive parser, or None where every ẑ is looked up.
        rerank: weights by feature; empty: ẑ comes from a beam, or there is one stage.
        prior: of each known canonical utterance in alphabetic order, where ``rerank`` has a
            weight for it.
        proposals: width of the beam whose ẑ are considered beside the known ones.
        beam: of each stage.
        pick: see :mod:`.inference.picking`.
        lookup: whether a known ẑ has the logical form of the domain's pairs and no other.
        source: what is read, ``nl`` or gold ``cf``.
        skip_punctuation: whether tokens that Z does not have are left out if they have no letter.
        encoder: file of the sentence encoder's layers that were adapted to the domain; of word
            vectors that were, where ``rerank`` has no sentence encoder.
    """

    paraphrasers: list[str] = field(default_factory=list)
    parser: str | None = None
    rerank: dict[str, float] = field(default_factory=dict)
    prior: list[float] = field(default_factory=list)
    proposals: int = 0
    beam: int = 5
    pick: str = "best"
    lookup: bool = False
    source: str = NATURAL
    skip_punctuation: bool = False
    encoder: str | None = None

    @property
    def two_stages(self) -> bool:
        """Whether a ẑ is found first."""
        return bool(self.paraphrasers or self.rerank)

    def adapted(self, similarity: str) -> str | None:
        """The file of a similarity that was adapted; None: it is as it was."""
        other = similarity != SENTENCE_ENCODER and SENTENCE_ENCODER in self.rerank
        return None if other else self.encoder

    def check(self, where: str) -> None:
        """Refuse what cannot be, and what would be ignored.

        Raises:
            UserError: in one line, about ``where``.
        """
        checked(Pipeline, asdict(self), where, "{}")
        if self.beam < 1:
            raise UserError(f"beam must be at least 1, not {self.beam}", where)
        if self.proposals < 0:
            raise UserError(f"proposals must be at least 0, not {self.proposals}", where)
        if self.pick not in PICKS:
            raise UserError(f"pick is {', '.join(PICKS)}, not {self.pick!r}", where)
        if self.source not in SOURCES:
            raise UserError(f"source is {' or '.join(SOURCES)}, not {self.source!r}", where)
        if self.rerank:
            _check_weights(self.rerank, where)
        if self.parser is None and not (self.rerank and self.lookup):
            raise UserError("without a parser, rerank and lookup are needed", where)
        if self.proposals and not (self.rerank and self.paraphrasers and self.parser):
            raise UserError("proposals need rerank, a paraphraser and a parser", where)
        if len(self.paraphrasers) > 1 and self.rerank:
            raise UserError("rerank is for one paraphraser, not for several", where)
        if set(self.rerank) & set(LIKELIHOODS) and not self.paraphrasers:
            raise UserError("forward, forward_mean and dual need a paraphraser", where)
        if self.encoder is not None and not set(SIMILARITIES) & set(self.rerank):
            raise UserError(f"an adapted encoder needs {SENTENCE_ENCODER} in rerank", where)

    def options(self) -> dict[str, Any]:
        """What results say of it."""
        found: dict[str, Any] = {"beam": self.beam, "pick": self.pick, "source": self.source}
        if self.rerank:
            found["rerank"] = ",".join(f"{name}={weight:g}" for name, weight in self.rerank.items())
            found["proposals"] = self.proposals
        if self.lookup:
            found["lookup"] = True
        if self.skip_punctuation:
            found["skip_punctuation"] = True
        if self.encoder is not None:
            found["adapted"] = True
        if len(self.paraphrasers) > 1:
            found["paraphrasers"] = len(self.paraphrasers)
        return found


def parse_weights(text: str, where: str) -> dict[str, float]:
    """Read ``forward=1,dual=0.3,prior=1``.

    Raises:
        UserError: an unknown feature, a weight that is none, or nothing but a prior.
    """
    weights = {
        name: schedule.at(0) for name, schedule in parse_weighted_names(text, FEATURES, where)
    }
    _check_weights(weights, where)
    return weights


def _check_weights(weights: Mapping[str, float], where: str) -> None:
    for name, weight in weights.items():
        if name not in FEATURES:
            raise UserError(f"no feature {name!r}, only {', '.join(FEATURES)}", where)
        if not 0 <= weight < math.inf:
            raise UserError(f"{name} must not be below 0, nor infinite", where)
    if set(weights) <= {PRIOR}:
        raise UserError("a prior alone says nothing about an utterance", where)


def placed(pipeline: Pipeline, run: Path) -> Pipeline:
    """With the checkpoints where they lie.

    Raises:
        UserError: one is gone.
    """

    def at(path: str) -> str:
        found = run / path
        if not found.is_file():
            raise UserError("the checkpoint is gone; train it again", str(found))
        return str(found)

    return replace(
        pipeline,
        paraphrasers=[at(path) for path in pipeline.paraphrasers],
        parser=None if pipeline.parser is None else at(pipeline.parser),
        encoder=None if pipeline.encoder is None else at(pipeline.encoder),
    )
