"""Which questions to ask a person about: those whose label would teach most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fairseq_twostage.inference.candidates import Search
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.parses import Parse
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.inference.scope import vectors
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.text.utterance import Utterance

NEIGHBOURS = 10  # over which it is taken how common a way to ask is
REFUSED = 0.5  # least uncertainty of what was refused
BATCH = 64


@dataclass(frozen=True)
class Asked:
    """A question with what the parser makes of it.

    Attributes:
        parse: its readings.
        times: how often it was asked.
    """

    parse: Parse
    times: int


def worth_a_label(
    parser: TwoStageParser, questions: Sequence[tuple[Utterance, int]], most: int, readings: int
) -> list[Asked]:
    """The questions whose label would teach most, that one first.

    A question counts for as much as the parser is unsure of it, for as much as others are like it,
    and for the less, the more one that was taken before is like it. What is not about the domain is
    left out.

    Args:
        parser: with a judgement.
        questions: all different, each with how often it was asked.
        most: how many are wanted.
        readings: how many of each are to be offered.
    """
    asked = list[Asked]()
    for start in range(0, len(questions), BATCH):
        some = questions[start : start + BATCH]
        parses = parser.parse_utterances([utterance for utterance, _ in some], readings)
        asked += [Asked(parse, times) for parse, (_, times) in zip(parses, some)]
    asked = [each for each in asked if _about_the_domain(parser, each.parse)]
    if not asked:
        return []
    alike = _alike(parser, [each.parse.utterance.tokens for each in asked])
    common = np.sort(alike, axis=1)[:, -NEIGHBOURS - 1 : -1]
    density = common.mean(axis=1) if common.shape[1] else np.ones(len(asked))
    times = 1 + np.log([each.times for each in asked])
    worth = np.array([uncertainty(each.parse) for each in asked]) * density.clip(0.01) * times
    nearest = np.zeros(len(asked))
    chosen = list[int]()
    while len(chosen) < min(most, len(asked)):
        gain = worth * (1 - nearest.clip(0, 1))
        gain[chosen] = -1.0
        best = int(gain.argmax())
        chosen.append(best)
        nearest = np.maximum(nearest, alike[:, best])
    return [asked[place] for place in chosen]


def uncertainty(parse: Parse) -> float:
    """How probable it is that the answer is wrong, 0 to 1; a refused one is at least half so."""
    verdict = parse.verdict
    wrong = REFUSED if verdict.confidence is None else 1 - verdict.confidence
    return wrong if verdict.understood else max(wrong, REFUSED)


def _about_the_domain(parser: TwoStageParser, parse: Parse) -> bool:
    found = parse.verdict.in_domain
    return found is None or parser.trust is None or found >= parser.trust.scope.threshold


def _alike(parser: TwoStageParser, lines: Sequence[str]) -> Matrix:
    """The cosine of every two questions, ``(n, n)``."""
    read = [Search.read for _ in lines]
    columns = None
    if isinstance(parser.first, Reranking) and parser.first.similarities:
        (name, similarity), *_ = parser.first.similarities.items()
        read = [{name: each} for each in similarity.read(lines)]
    else:
        words = sorted({word for line in lines for word in line.split()})
        columns = {word: place for place, word in enumerate(words)}
    found = vectors(lines, read, columns).astype(np.float64)
    return np.asarray(found @ found.T)
