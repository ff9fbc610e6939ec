"""Whether a parser that has learnt from labels and logged questions is better than before."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.labels import Label
from fairseq_twostage.inference.learning import (
    Judged,
    cross_validated,
    forgetting,
    judged,
    learned,
    recalibrated,
    remembering,
    untaught,
)
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.text.utterance import Utterance

MOST_QUESTIONS = 500  # over which the share of answers is taken
BATCH = 64
SEED = 1
LEAST_TOLD = 10  # labels that tell whether an answer is right, to which confidence is fitted


@dataclass(frozen=True)
class Standing:
    """What a parser achieves.

    Attributes:
        held_out: which held-out questions it answers right; it has never seen their labels.
        others: likewise the other labelled questions, each without its own label.
        given: likewise these, with their labels.
        answered: share of unlabelled questions that it answers at the promised precision; None:
            there are none, or nothing judges readings.
    """

    held_out: Sequence[bool] = ()
    others: Sequence[bool] = ()
    given: Sequence[bool] = ()
    answered: float | None = None

    @property
    def unseen(self) -> list[bool]:
        """Of all questions whose labels it has not seen."""
        return [*self.held_out, *self.others]


@dataclass(frozen=True)
class Comparison:
    """Two parsers on the same questions.

    Attributes:
        before, after: what each achieves.
        unlabelled: how many questions there are without a label.
    """

    before: Standing
    after: Standing
    unlabelled: int

    @property
    def better(self) -> bool:
        """Whether the new one reads more questions right, labels it has seen among them.

        If it reads as many, whether it answers more. It is not, where it reads more unseen ones
        wrong than chance explains.
        """
        before, after = self.before, self.after
        if worse(before.unseen, after.unseen):
            return False
        counts = [
            (sum(each.unseen) + sum(each.given), round(each.answered or 0.0, 3))
            for each in (before, after)
        ]
        return counts[1] > counts[0]

    def __str__(self) -> str:
        old, new = self.before, self.after
        kinds = (
            ("held-out labels", old.held_out, new.held_out),
            ("other labels, each unseen", old.others, new.others),
            ("the same, seen", old.given, new.given),
        )
        parts = [
            f"{name} {sum(one)} → {sum(other)} of {len(one)}" for name, one, other in kinds if one
        ]
        if self.unlabelled and None not in (old.answered, new.answered):
            share = f"{old.answered:.0%} → {new.answered:.0%}"
            parts.append(f"answered without a label {share} of {self.unlabelled}")
        return "; ".join(parts) or "nothing to compare by"


def worse(before: Sequence[bool], after: Sequence[bool]) -> bool:
    """Whether more answers became wrong than chance explains: by more than one deviation."""
    lost = sum(one and not other for one, other in zip(before, after))
    won = sum(other and not one for one, other in zip(before, after))
    return lost - won > (lost + won) ** 0.5


def improved(
    old: TwoStageParser,
    start: TwoStageParser,
    learn: Sequence[Label],
    held: Sequence[Label],
    questions: Sequence[Utterance],
    seen: bool = False,
) -> tuple[TwoStageParser, Comparison]:
    """A parser that has learnt, and how it compares; neither has seen a held-out label.

    Words that labels associate are left out where unseen questions are read worse with them.

    Args:
        old: as it is.
        start: what learns: ``old`` itself, or one of data prepared anew.
        learn: labels to learn from.
        held: labels that are held out.
        questions: without a label.
        seen: whether ``start`` was trained on the labels to learn from, so that only held-out ones
            compare.

    Returns:
        the new parser, which remembers held-out labels, too, since it has been compared, and the
        comparison.

    Raises:
        UserError: the old one cannot learn, or there is nothing to learn from.
    """
    untaught(old)
    if not learn and start is old:
        raise UserError("nothing to learn from: no label that is not held out, no new question")
    hidden = {label.tokens for label in held}
    sample = list(questions)
    if len(sample) > MOST_QUESTIONS:
        sample = random.Random(SEED).sample(sample, MOST_QUESTIONS)
    labels = _Labels(learn, held, sample, seen)
    shown = forgetting(old, hidden)
    before = labels.standing(shown, cross_validated(shown, learn, teach=False))
    plain = forgetting(start, hidden)
    new, after = plain, labels.standing(plain, [])
    if learn:
        new, after = _with(learned(plain, learn), labels, cross_validated(plain, learn))
    if learn and worse(before.unseen, after.unseen):
        found = cross_validated(plain, learn, teach=False)
        new, after = _with(remembering(plain, learn), labels, found)
    return remembering(new, held) if held else new, Comparison(before, after, len(sample))


@dataclass(frozen=True)
class _Labels:
    """What parsers are compared by; see :func:`improved`."""

    learn: Sequence[Label]
    held: Sequence[Label]
    questions: Sequence[Utterance]
    seen: bool

    def standing(self, parser: TwoStageParser, found: Sequence[Judged]) -> Standing:
        """Of a parser; ``found`` is how questions are read without their own labels."""
        return Standing(
            right_of(judged(parser, [label for label in self.held if label.right])),
            () if self.seen else right_of(found),
            right_of(judged(parser, [label for label in self.learn if label.right])),
            answered(parser, self.questions),
        )


def _with(
    parser: TwoStageParser, labels: _Labels, found: Sequence[Judged]
) -> tuple[TwoStageParser, Standing]:
    parser = calibrated(parser, labels.learn, found)
    return parser, labels.standing(parser, found)


def calibrated(
    parser: TwoStageParser, labels: Sequence[Label], found: Sequence[Judged]
) -> TwoStageParser:
    """With a confidence fitted to labels, where readings are judged and enough of them tell."""
    if parser.trust is None or parser.trust.model is None:
        return parser
    if sum(each.evidence is not None and each.right is not None for each in found) < LEAST_TOLD:
        return parser
    return parser.changed(parser.first, trust=recalibrated(parser, labels, found))


def right_of(found: Sequence[Judged]) -> list[bool]:
    """Which answers are right, of labels that say what is."""
    return [each.right is True for each in found if each.label.right]


def answered(parser: TwoStageParser, questions: Sequence[Utterance]) -> float | None:
    """The share of questions that are answered and not refused."""
    if not questions or parser.trust is None or parser.trust.model is None:
        return None
    count = 0
    for start in range(0, len(questions), BATCH):
        found = parser.parse_utterances(questions[start : start + BATCH])
        count += sum(parse.verdict.understood for parse in found)
    return count / len(questions)
