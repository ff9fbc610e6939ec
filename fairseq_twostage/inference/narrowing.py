"""Questions with more conditions than the known ones have, made of these.

A database's known questions say which words narrow a set, and by which operation: *which issues
are closed in _date_* is a filter of all issues. They also say what can be asked of a set: *what is
the total estimate of issues*. Of both, questions are made that have just the names of what is
asked: *what is the total estimate of issues that are closed in _date_ and have assignee _user_*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import combinations, islice
from typing import TYPE_CHECKING

import numpy as np

from fairseq_twostage.decoding.stage import Hypothesis
from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.candidates import Query, words_in
from fairseq_twostage.inference.compared_pieces import ComparedQuestion
from fairseq_twostage.inference.memory import BatchMemory
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.question_pieces import Piece, put_together, read_pieces
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.semantics import Denotation
from fairseq_twostage.semantics.values import Number
from fairseq_twostage.text.question_words import AVERAGE, MOST_OF, NAMED_KIND, TOTAL
from fairseq_twostage.text.unit_words import EACH
from fairseq_twostage.text.word_forms import has_form

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.inference.parses import Parse

MOST_NARROWED = 12  # candidates of one question
MOST_COMPARED = 200  # of which so many are compared with what is asked
MOST_ASKED = 20  # of what is asked of one set
MOST_ALIKE = 3  # conditions with the same names
MOST_UNNAMED = 2  # conditions without a name
MOST_TRIED = 8  # readings that are judged
MOST_REMEMBERED = 4_096  # words of questions

_HOW_MANY = re.compile(r"\bhow many((?: \S+){1,3})")
_IS_SUM = re.compile(r"what is the (total|average|highest|lowest) ")
_ASKED_BY = {"total": TOTAL | {"much", "many", "spend", "spent", "cost"}, "average": AVERAGE}
_ByNames = Mapping[frozenset[str], Sequence[Piece]]


class Narrowing:
    """Makes questions of known ones.

    Args:
        forms: known questions with their logical forms.
        similarity: knows how near words are, and how rare.
    """

    def __init__(self, forms: Mapping[str, str], similarity: FittedSimilarity) -> None:
        self.similarity = similarity
        self.conditions, self.asked = read_pieces(forms)
        self._vectors = BatchMemory(
            lambda words: [*similarity.resources.embed(words)], MOST_REMEMBERED
        )

    def near(
        self, query: Query, contradicted: Callable[[str], bool] = lambda line: False
    ) -> dict[str, str]:
        """The nearest questions with just the names of a query, with their logical forms.

        Args:
            query: what is asked.
            contradicted: whether a question is another than the one that is asked.
        """
        words = list(dict.fromkeys(words_in(query.tokens)))
        if not words or not self._places:
            return {}
        cosines = np.stack(self._vectors(words)) @ self._table.T
        of_x = self.similarity.natural.weights(words)
        question = ComparedQuestion(query, self._places, cosines, of_x, self._rarities)
        found: dict[str, tuple[float, str]] = {}
        for every in self.asked:
            for score, line, form in self._of_table(every, question):
                if line not in found or score > found[line][0]:
                    found[line] = score, form
        best = sorted(found, key=lambda line: (-found[line][0], line))[:MOST_COMPARED]
        fit = (line for line in best if not contradicted(line))
        return {line: found[line][1] for line in islice(fit, MOST_NARROWED)}

    def warm_up(self) -> None:
        """Compute what depends on no question."""
        _ = self._table, self._rarities

    @cached_property
    def _places(self) -> Mapping[str, int]:
        pieces = (each for group in (self.conditions, self.asked) for each in group.values())
        words = {
            word for each in pieces for piece in each for word in (*piece.words, *piece.content)
        }
        return {word: place for place, word in enumerate(sorted(words))}

    @cached_property
    def _table(self) -> Matrix:
        return self.similarity.resources.embed([*self._places])

    @cached_property
    def _rarities(self) -> Matrix:
        return self.similarity.canonical.weights([*self._places])

    def _of_table(self, every: str, question: ComparedQuestion) -> Iterator[tuple[float, str, str]]:
        """Questions about one table with their scores."""
        by_names = self._conditions(every, question)
        unnamed = by_names.pop(frozenset(), [])
        some = [
            others
            for count in range(min(MOST_UNNAMED, len(unnamed)) + 1)
            for others in combinations(unnamed, count)
        ]
        wholes = self._wholes(every, question)
        for named in _covers(question.query.names, by_names) if wholes else ():
            for others in some:
                conditions = [*others, *named]
                if not conditions or sum(each.denies for each in conditions) != question.denies:
                    continue
                for whole in wholes:
                    if not _said_twice(whole, conditions):
                        line, form = put_together(whole, conditions, every)
                        yield question.score([whole, *conditions]), line, form

    def _conditions(
        self, every: str, question: ComparedQuestion
    ) -> dict[frozenset[str], list[Piece]]:
        """The foremost conditions by their names: those about no other thing and the others."""
        groups: dict[tuple[frozenset[str], bool, bool], list[Piece]] = {}
        for piece in self.conditions[every]:
            either = " or " in piece.before and "or" not in question.words
            fits = piece.names <= question.query.names and (question.denies or not piece.denies)
            if fits and not either and question.has(piece):
                key = piece.names, piece.denies, bool(piece.others)
                groups.setdefault(key, []).append(piece)
        by_names: dict[frozenset[str], list[Piece]] = {}
        for (names, _, _), group in sorted(groups.items(), key=lambda each: each[0][2]):
            group.sort(key=lambda piece: -question.score([piece]))
            by_names.setdefault(names, []).extend(group[:MOST_ALIKE])
        return by_names

    def _wholes(self, every: str, question: ComparedQuestion) -> list[Piece]:
        """What may be asked of a table's things, which and how many of them first."""
        head = NAMED_KIND.match(question.query.tokens)
        implied = head is not None and any(
            piece.before == f"are {head[1]}" for piece in self.conditions[every]
        )
        each = not EACH.isdisjoint(question.words)
        wholes = [
            piece
            for piece in self.asked[every]
            if (implied and piece.plain)
            or (
                (question.asks_who or not piece.doers)
                and question.has(piece)
                and (each or not piece.behind)
                and not _counts_another(question.query.tokens, piece)
                and not _sums_unasked(question.query.tokens, piece)
            )
        ]
        wholes.sort(key=lambda piece: (not piece.plain, -question.score([piece])))
        return wholes[:MOST_ASKED]


def narrowed(parser: TwoStageParser, parse: Parse) -> Parse | None:
    """A parse that was refused, read anew with the questions that are made for it: the foremost
    reading that nothing speaks against; None where it was not refused, or all are."""
    if parse.verdict.understood or parser.narrowing is None:
        return None
    query = Query.of(parse.utterance.tokens)
    made = parser.narrowing.near(query, partial(parser.agreement.other_words, query.tokens))
    made = {line: form for line, form in made.items() if form not in parser.known_forms}
    if not made:
        return None
    (search,) = parser.first.search([query._replace(more=made)])
    # No further ẑ is asked for than the last of those that were made.
    found = islice((z for z in search if z.text in made), len(made))
    readings = (_reading(parser, parse, z, made[z.text]) for z in found)
    executable = (reading for reading in readings if reading.answer.executable)
    for reading in islice(executable, MOST_TRIED):
        again = parser.judged(replace(parse, readings=(reading,)), search)
        if again.verdict.understood and not _is_nothing(reading.answer):
            return again
    return None


def _reading(parser: TwoStageParser, parse: Parse, z: Hypothesis, form: str) -> Reading:
    answer = parser.denote(form, parse.utterance.variables)
    return Reading(z.text, form, answer, z.score, 0.0, z.text)


def _counts_another(tokens: str, piece: Piece) -> bool:
    """Whether a question has a number of things, and a piece is of a sum or an average of what is
    said elsewhere: the total rating, of how many bars have one above _number_."""
    found = _HOW_MANY.search(tokens)
    return (
        found is not None
        and _IS_SUM.match(piece.before) is not None
        and not any(has_form(word, found[1].split()) for word in piece.content)
    )


def _sums_unasked(tokens: str, piece: Piece) -> bool:
    """Whether a piece is a total, an average or an end of something, and the question asks for
    none: *available 2 beds in bath*."""
    found = _IS_SUM.match(piece.before)
    if found is None:
        return False
    words = tokens.split()
    by = _ASKED_BY.get(found[1])
    return by.isdisjoint(words) if by is not None else not any(map(MOST_OF.fullmatch, words))


def _is_nothing(answer: Denotation) -> bool:
    """Whether an answer is an empty list, or none of something: what too many conditions give."""
    return all(isinstance(value, Number) and not value.value for value in answer_values(answer))


def _said_twice(whole: Piece, conditions: Sequence[Piece]) -> bool:
    """Whether a condition without a name has the words of what is asked, or of another one."""
    pieces = [whole, *conditions]
    said = [{*piece.words} for piece in pieces]
    return any(
        not piece.names and any(mine <= other for other in (*said[:at], *said[at + 1 :]))
        for at, (piece, mine) in enumerate(zip(pieces, said))
        if at
    )


def _covers(names: frozenset[str], by_names: _ByNames) -> Iterator[list[Piece]]:
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
