"""What people call a kind of things that a database calls otherwise, learnt without labels."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from fairseq_twostage.models.sentence_encoder import SentenceEncoder
from fairseq_twostage.text.function_words import zipf
from fairseq_twostage.text.question_words import asked_kinds
from fairseq_twostage.text.word_forms import base

FEWEST = 2  # questions that ask for it
SIMILAR = 0.8  # in the mean, to the nearest canonical utterance
MARGIN = 0.04  # above the kind of things that comes next
COMPARED = 150  # canonical utterances with a question: those that share most words with it


def unknown_kinds(utterances: Sequence[str], canonical: Sequence[str]) -> list[str]:
    """The plurals that at least two questions ask for and no canonical utterance has.

    Args:
        utterances: their tokens.
        canonical: likewise.
    """
    known = {base(word) for line in canonical for word in line.split()}
    found = Counter(filter(None, map(asked_kinds, utterances)))
    return [
        kind
        for kind, count in found.most_common()
        if count >= FEWEST and base(kind) not in known and kind.isalpha() and zipf(kind) > 0
    ]


def called_so(
    unknown: Sequence[str],
    utterances: Sequence[str],
    canonical: Sequence[str],
    plurals: Mapping[str, str],
    encoder: SentenceEncoder,
) -> dict[str, str]:
    """For each unknown kind the known one that makes its questions most like canonical ones.

    Each plural of the domain is put in its place; the best one is taken, if it is good enough and
    better than the next.

    Args:
        unknown: of :func:`unknown_kinds`.
        utterances: of people, their tokens with placeholders.
        canonical: likewise of the domain.
        plurals: kind of things -> how many of it are called.
        encoder: compares two sentences by the cosine of their vectors.
    """
    if not unknown or not plurals:
        return {}
    words = list(map(str.split, utterances))
    lines = {kind: [line for line in words if kind in line] for kind in unknown}
    said = {
        (kind, name): [" ".join(plural if w == kind else w for w in line) for line in lines[kind]]
        for kind in unknown
        for name, plural in plurals.items()
    }
    vectors = encoder.embed(_alike(chain.from_iterable(said.values()), canonical))
    found: dict[str, str] = {}
    for kind in unknown:
        nearest = []
        for name in plurals:
            scores = (encoder.embed(said[kind, name]) @ vectors.T).max(dim=1).values
            nearest.append((float(scores.mean()), name))
        nearest.sort(reverse=True)
        (score, name), *others = nearest
        if score >= SIMILAR and (not others or score - others[0][0] >= MARGIN):
            found[kind] = name
    return found


def _alike(questions: Iterable[str], canonical: Sequence[str]) -> list[str]:
    """The canonical utterances that share most words with one of the questions."""
    words = [frozenset(line.split()) for line in canonical]
    found: set[int] = set()
    for question in {*questions}:
        own = frozenset(question.split())
        shared = [len(own & each) / (len(own) + len(each)) for each in words]
        found.update(heapq.nlargest(COMPARED, range(len(words)), key=shared.__getitem__))
    return [canonical[place] for place in sorted(found)]
