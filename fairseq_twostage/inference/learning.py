"""A parser that learns from labels, without training: what it reads, and how sure it is of it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.candidates import Query
from fairseq_twostage.inference.confidence import Evidence
from fairseq_twostage.inference.labels import Label
from fairseq_twostage.inference.learnt import Labelled, Learnt, Lesson, fit_words
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.inference.trust import Trust
from fairseq_twostage.semantics.accuracy import is_right

FOLDS = 5
BATCH = 64


class Judged(NamedTuple):
    """How a label's question is read.

    Attributes:
        label: with the right meaning or a wrong one.
        right: whether the answer is the right one; None: the label does not tell.
        evidence: of the reading's worth, where something judges it; None of one that is refused for
            another reason than its confidence.
    """

    label: Label
    right: bool | None
    evidence: Evidence | None


def share_of(utterance: str, seed: int) -> float:
    """A number from 0 to 1 that depends on an utterance's tokens and the seed alone."""
    digest = hashlib.sha256(f"{seed} {utterance}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def held_out(labels: Sequence[Label], share: float, seed: int) -> tuple[list[Label], list[Label]]:
    """Labels to learn from, and those that are held out: always the same utterances."""
    learn = [label for label in labels if share_of(label.tokens, seed) >= share]
    return learn, [label for label in labels if share_of(label.tokens, seed) < share]


def learned(parser: TwoStageParser, labels: Sequence[Label]) -> TwoStageParser:
    """The parser with what labels teach; what it was taught before is taught again.

    Args:
        parser: ranks canonical utterances by a similarity.
        labels: as it reads them.

    Raises:
        UserError: it does not.
    """
    plain, before = untaught(parser)
    plain, known = _with_candidates(plain, labels)
    said = {each.utterance for each in known}
    kept = [each for each in before if each.utterance not in said and each.canonical in plain.pairs]
    return _taught(plain, [*kept, *known])


def untaught(parser: TwoStageParser) -> tuple[TwoStageParser, Sequence[Labelled]]:
    """The parser without what labels have taught it, and these labels.

    Raises:
        UserError: labels cannot teach it.
    """
    first = parser.first
    if not isinstance(first, Reranking) or not first.similarities:
        raise UserError(
            "this system ranks no canonical utterances by a similarity, so labels change its "
            "confidence alone: twostage export --marks"
        )
    if first.learnt is None:
        return parser, ()
    return parser.changed(replace(first, learnt=None)), first.learnt.labels


def forgetting(parser: TwoStageParser, utterances: Collection[str]) -> TwoStageParser:
    """The parser without labels of these utterances; words that were learnt stay."""
    first = parser.first
    if not isinstance(first, Reranking) or first.learnt is None:
        return parser
    return parser.changed(replace(first, learnt=first.learnt.without(frozenset(utterances))))


def remembering(parser: TwoStageParser, labels: Sequence[Label]) -> TwoStageParser:
    """The parser that reads these utterances as they are labelled, and all others as before."""
    learnt = _reranking(parser).learnt or Learnt()
    parser, known = _with_candidates(parser, labels)
    said = {each.utterance for each in known}
    kept = [each for each in learnt.labels if each.utterance not in said]
    first = replace(_reranking(parser), learnt=Learnt(learnt.words, [*kept, *known]))
    return parser.changed(first)


def cross_validated(
    parser: TwoStageParser, labels: Sequence[Label], teach: bool = True
) -> list[Judged]:
    """How each label's question is read by a parser that was taught without it.

    Args:
        parser: with what it was taught before; that is taught again but for the question's labels.
        labels: in parts; those of the same utterance are in one.
        teach: whether the labels of the other parts are taught, too.
    """
    if not teach and not untaught(parser)[1]:
        return judged(parser, labels)
    found = []
    for fold in range(FOLDS):
        mine = [label for label in labels if _fold(label) == fold]
        if mine:
            others = [label for label in labels if teach and _fold(label) != fold]
            taught = learned(forgetting(parser, {label.tokens for label in mine}), others)
            found += judged(taught, mine)
    return found


def judged(parser: TwoStageParser, labels: Sequence[Label]) -> list[Judged]:
    """How the questions of labels are read."""
    return list(_judged(parser, labels))


def recalibrated(
    parser: TwoStageParser, labels: Sequence[Label], found: Sequence[Judged] | None = None
) -> Trust:
    """The parser's judgement, its confidence fitted to utterances whose meaning is known.

    Args:
        parser: with a judgement.
        labels: a right one tells whether a reading is right; a wrong one, that its form is not.
        found: how they are read, if that is known.

    Raises:
        UserError: the parser judges no readings, or no label tells anything.
    """
    trust = parser.trust
    if trust is None or trust.model is None:
        raise UserError("this parser has no confidence that marks could change")
    if found is None:
        found = judged(parser, labels)
    known = [(each.evidence, each.right) for each in found]
    told = [(e, right) for e, right in known if e is not None and right is not None]
    if not told:
        raise UserError("no mark tells anything about what is read now")
    model = trust.model.recalibrated(*zip(*told))
    return replace(trust, model=model).promising(trust.precision)


def _judged(parser: TwoStageParser, labels: Sequence[Label]) -> Iterator[Judged]:
    for start in range(0, len(labels), BATCH):
        some = labels[start : start + BATCH]
        parses = parser.parse_utterances([label.utterance for label in some])
        for label, parse in zip(some, parses):
            variables = label.utterance.variables
            right: bool | None
            if label.right:
                right = is_right(parse.answer, label.gold, parser.world, variables)
            else:
                right = False if parse.logical_form == label.form else None
            verdict = parse.verdict
            fits = verdict.understood or verdict.unsure  # else no confidence would let it through
            yield Judged(label, right, verdict.evidence if fits else None)


def _fold(label: Label) -> int:
    return int(share_of(label.tokens, -1) * FOLDS)


def _reranking(parser: TwoStageParser) -> Reranking:
    assert isinstance(parser.first, Reranking)
    return parser.first


def _with_candidates(
    parser: TwoStageParser, labels: Sequence[Label]
) -> tuple[TwoStageParser, list[Labelled]]:
    """With a canonical utterance of each label: that of its form, else the question itself."""
    known, new = list[Labelled](), dict[str, str]()
    for label in labels:
        if not label.form:
            continue
        canonical = parser.canonical_of.get(label.form)
        if canonical is None and label.right and label.tokens not in parser.pairs:
            canonical = label.tokens
            new[canonical] = label.form
        if canonical is not None:
            known.append(Labelled(label.tokens, canonical, label.right))
    if not new:
        return parser, known
    return parser.changed(_reranking(parser).extended(list(new)), new), known


def _taught(plain: TwoStageParser, known: Sequence[Labelled]) -> TwoStageParser:
    first = _reranking(plain)
    similarity, weight = first.foremost
    lessons = list(_lessons(first, known, plain.pairs))
    learnt = Learnt(fit_words(lessons, similarity, weight), known)
    return plain.changed(replace(first, learnt=learnt))


def _lessons(
    first: Reranking, known: Sequence[Labelled], forms: Mapping[str, str]
) -> Iterator[Lesson]:
    for each in known:
        (search,) = first.search([Query.of(each.utterance)])
        pool = search.pool(each.canonical)
        if pool is None or each.canonical not in pool.lines:
            continue
        form = forms.get(each.canonical)
        same = np.array([z == each.canonical or forms.get(z) == form for z in pool.lines])
        meant = same if each.right else ~same
        if meant.any() and not meant.all() and np.isfinite(pool.total[meant]).any():
            yield Lesson(each.utterance, pool, meant)
