"""Questions with more conditions than the known ones have, made of these.

A database's known questions say which words narrow a set, and by which operation: *which issues
are closed in _date_* is a filter of all issues. They also say what can be asked of a set: *what is
the total estimate of issues*. Of both, questions are made that have just the names of what is
asked: *what is the total estimate of issues that are closed in _date_ and have assignee _user_*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.candidates import Query, names_in
from fairseq_twostage.inference.question_pieces import (
    SMALL,
    Piece,
    put_together,
    read_pieces,
    words_of,
)
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.semantics import Denotation
from fairseq_twostage.semantics.values import Number
from fairseq_twostage.text.omissions import EACH
from fairseq_twostage.text.question_words import negations
from fairseq_twostage.text.word_forms import has_form

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import Parse, TwoStageParser

MOST_NARROWED = 12  # candidates of one question
MOST_COMPARED = 200  # of which so many are compared with what is asked
MOST_ASKED = 20  # of what is asked of one set
MOST_ALIKE = 3  # conditions with the same names
UNSAID = 0.5  # how much a word that nobody said takes away, beside one that is said
OTHER = 0.5  # the same of another thing that a condition goes through
STRANGE = 0.4  # the cosine of words that have nothing to do with each other
MOST_TRIED = 8  # readings that are judged
NEAR = 0.8  # the cosine of a word that a condition without a name is said by


class _Weighed(NamedTuple):
    """A piece beside a question.

    Attributes:
        near: of each word of the question the largest cosine to the piece's words.
        words: of the piece, with the rarity of each and that times its distance to the question.
    """

    piece: Piece
    near: Matrix
    words: Sequence[tuple[str, float, float]]


class Narrowing:
    """Makes questions of known ones.

    Args:
        forms: known questions with their logical forms.
        similarity: knows how near words are, and how rare.
    """

    def __init__(self, forms: Mapping[str, str], similarity: FittedSimilarity) -> None:
        self.similarity = similarity
        self._vectors: dict[str, Matrix] = {}
        self.conditions, self.asked = read_pieces(forms)

    def near(
        self, query: Query, contradicted: Callable[[str], bool] = lambda line: False
    ) -> dict[str, str]:
        """The nearest questions with just the names of a query, with their logical forms.

        Args:
            query: what is asked.
            contradicted: whether a question is another than the one that is asked.
        """
        words = list(dict.fromkeys(words_of(query.tokens)))
        if not words:
            return {}
        of_x = self.similarity.natural.weights(words)
        denies = min(1, len(negations(query.tokens)))
        x = np.stack([self._vector(word) for word in words])
        found: dict[str, tuple[float, str]] = {}
        for every, asked in self.asked.items():
            for score, line, form in self._of_set(every, asked, query, denies, x, of_x):
                if line not in found or score > found[line][0]:
                    found[line] = score, form
        best = sorted(found, key=lambda line: (-found[line][0], line))[:MOST_COMPARED]
        fit = (line for line in best if not contradicted(line))
        return {line: found[line][1] for line in islice(fit, MOST_NARROWED)}

    def _of_set(
        self,
        every: str,
        asked: Sequence[Piece],
        query: Query,
        denies: int,
        x: Matrix,
        of_x: Matrix,
    ) -> Iterator[tuple[float, str, str]]:
        """Questions about one table with their scores."""
        tokens, names, _ = query

        def weighed(pieces: Iterable[Piece]) -> list[_Weighed]:
            return [self._weighed(piece, x) for piece in pieces if piece.names <= names]

        def score(parts: Sequence[_Weighed]) -> float:
            there = np.max([part.near for part in parts], axis=0)
            unsaid, before = 0.0, set[str]()
            for word, rare, far in (each for part in parts for each in part.words):
                unsaid += rare if word in before else far  # what is said twice is asked for once
                before.add(word)
            others = sum(part.piece.others for part in parts)
            return float((of_x * there).sum() - UNSAID * unsaid - OTHER * others)

        groups: dict[tuple[frozenset[str], bool], list[_Weighed]] = {}
        for each in weighed(self.conditions[every]):
            denied = _denied(each.piece)
            either = " or " in each.piece.said and "or" not in tokens.split()
            if (denies or not denied) and not either and self._is_said(each.piece, x):
                groups.setdefault((each.piece.names, denied), []).append(each)
        by_names: dict[frozenset[str], list[_Weighed]] = {}
        for (these, _), group in groups.items():
            group.sort(key=lambda part: -score([part]))
            for further in (False, True):
                kind = (part for part in group if bool(part.piece.others) is further)
                by_names.setdefault(these, []).extend(islice(kind, MOST_ALIKE))
        unnamed = by_names.pop(frozenset(), [])
        each_asked = not EACH.isdisjoint(tokens.split())
        head = _KIND.match(tokens)
        implied = head is not None and any(
            each.said == f"are {head[1]}" for each in self.conditions[every]
        )
        wholes = [
            part
            for part in weighed(asked)
            if (implied and part.piece.plain)
            or (
                self._is_said(part.piece, x)
                and (each_asked or not part.piece.words[1])
                and not _counts_another(tokens, part.piece)
            )
        ]
        wholes.sort(key=lambda part: (not part.piece.plain, -score([part])))
        del wholes[MOST_ASKED:]
        for whole in wholes:
            for named in _covers(names - whole.piece.names, by_names):
                for count in range(0, min(2, len(unnamed)) + 1):
                    for others in combinations(unnamed, count):
                        conditions = [*others, *named]
                        pieces = [part.piece for part in conditions]
                        number = sum(map(_denied, pieces))
                        if pieces and number == denies and not _said_twice(whole, conditions):
                            value = score([whole, *conditions])
                            yield value, *put_together(whole.piece, pieces, every)

    def _is_said(self, piece: Piece, x: Matrix) -> bool:
        """Whether the question has each word of a piece that has to be said, or one near it."""
        return all(self._has(word, x) for word in piece.content)

    def _has(self, word: str, x: Matrix) -> bool:
        return float((x @ self._vector(word)).max()) >= NEAR

    def _weighed(self, piece: Piece, x: Matrix) -> _Weighed:
        words = [word for word in words_of(piece.said) if word not in SMALL]
        if not words:
            return _Weighed(piece, np.zeros(len(x)), ())
        cosines = x @ np.stack([self._vector(word) for word in words]).T
        cosines = np.clip((cosines - STRANGE) / (1 - STRANGE), 0.0, 1.0)
        of_z = self.similarity.canonical.weights(words)
        far = of_z * (1 - cosines.max(axis=0))
        return _Weighed(piece, cosines.max(axis=1), list(zip(words, of_z.tolist(), far.tolist())))

    def _vector(self, word: str) -> Matrix:
        if word not in self._vectors:
            (self._vectors[word],) = self.similarity.resources.embed([word])
        return self._vectors[word]

    def warm_up(self) -> None:
        """Compute what depends on no question."""
        pieces = [*self.conditions.values(), *self.asked.values()]
        words = sorted({word for each in pieces for piece in each for word in words_of(piece.said)})
        self._vectors.update(zip(words, self.similarity.resources.embed(words)))


def narrowed(parser: TwoStageParser, parse: Parse) -> Parse | None:
    """A parse that was refused, read anew with the questions that are made for it: the foremost
    reading that nothing speaks against; None where it was not refused, or all are."""
    if parse.verdict.understood or parser.narrowing is None:
        return None
    query = Query(parse.utterance.tokens, names_in(parse.utterance.tokens))
    made = parser.narrowing.near(query, partial(parser.agreement.other_words, query.tokens))
    made = {line: form for line, form in made.items() if form not in parser.known_forms}
    for again in islice(parser.each_reading(parse.utterance, made), MOST_TRIED):
        if again.verdict.understood and not _is_nothing(again.answer):
            return again
    return None


def _counts_another(tokens: str, piece: Piece) -> bool:
    """Whether a question has a number of things, and a piece is of a sum or an average of what is
    said elsewhere: the total rating, of how many bars have one above _number_."""
    found = _HOW_MANY.search(tokens)
    return (
        found is not None
        and _IS_SUM.match(piece.words[0]) is not None
        and not any(has_form(word, found[1].split()) for word in piece.content)
    )


def _is_nothing(answer: Denotation) -> bool:
    """Whether an answer is an empty list, or none of something: what too many conditions give."""
    return all(isinstance(value, Number) and not value.value for value in answer_values(answer))


_HOW_MANY = re.compile(r"\bhow many((?: \S+){1,3})")
_IS_SUM = re.compile(r"what is the (?:total|average|highest|lowest) ")
# Which _things_: "how many bugs", where these are issues of a type.
_KIND = re.compile(r"(?:how many|which|what)(?: [a-z]+){0,2} (_\w+_)")


def _denied(piece: Piece) -> bool:
    return bool(negations(piece.said))


def _said_twice(whole: _Weighed, conditions: Sequence[_Weighed]) -> bool:
    """Whether a condition without a name has the words of what is asked, or of another one."""
    said = [{*words_of(part.piece.said)} - SMALL for part in (whole, *conditions)]
    return any(
        not part.piece.names and any(mine <= other for other in (*said[:at], *said[at + 1 :]))
        for at, (part, mine) in enumerate(zip((whole, *conditions), said))
        if at
    )


def _covers(
    names: frozenset[str], by_names: Mapping[frozenset[str], Sequence[_Weighed]]
) -> Iterator[list[_Weighed]]:
    """Conditions that together have each of the names once."""
    if not names:
        yield []
        return
    first = min(names)
    for these, group in by_names.items():
        if first in these and these <= names:
            for rest in _covers(names - these, by_names):
                for each in group:
                    yield [each, *rest]
