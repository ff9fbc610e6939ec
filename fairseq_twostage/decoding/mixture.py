"""Several paraphrasers as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairseq_twostage.decoding.stage import BeamStage, Hypothesis


@dataclass(frozen=True)
class MixtureStage:
    """A first stage whose P(z | x) is the mean over several paraphrasers.

    Trainings that differ in their seed alone misread different utterances. What is not in the beam
    of one of them has no probability there. Ranked by that mean, where a single stage ranks by
    log-probability per token.

    Attributes:
        stages: of one target dictionary, at least one.
    """

    stages: Sequence[BeamStage]

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The hypotheses of each line, best first."""
        return [[text for text, _ in found] for found in self.scored(lines)]

    def scored(self, lines: Sequence[str]) -> list[list[Hypothesis]]:
        """The same, each with its log-probability per token; as many as the widest beam has."""
        beams = [stage.scored(lines) for stage in self.stages]
        return [self._mixed(found) for found in zip(*beams)]

    def attention(self, source: str, target: str) -> list[list[float]]:
        """As of a :class:`.stage.BeamStage`, the mean over the models."""
        weights = [stage.attention(source, target) for stage in self.stages]
        rows: list[list[float]] = np.mean(weights, axis=0).tolist()
        return rows

    @staticmethod
    def _mixed(beams: Sequence[Sequence[Hypothesis]]) -> list[Hypothesis]:
        total: dict[str, float] = {}  # log Σ P(z | x)
        for beam in beams:
            for text, score in beam:
                total[text] = np.logaddexp(total.get(text, -np.inf), score * _tokens(text))
        best = sorted(total, key=lambda text: -total[text])[: max(map(len, beams))]
        mean = np.log(len(beams))
        return [Hypothesis(text, float(total[text] - mean) / _tokens(text)) for text in best]


def as_one(stages: Sequence[BeamStage]) -> BeamStage | MixtureStage:
    """A single stage as it is, several as their mixture."""
    return stages[0] if len(stages) == 1 else MixtureStage(tuple(stages))


def _tokens(text: str) -> int:
    """Of a hypothesis, with its end of sentence."""
    return len(text.split()) + 1
