"""Labels: marks of ``twostage serve``, sheets of ``ask-for-labels``, rows of one's own.

Whatever a file holds, a label is a question and what it means, or does not mean:

===========================================  ======================================================
a line                                       is
===========================================  ======================================================
question TAB meaning                         the meaning is a logical form, SQL, rows in JSON, or
                                             canonical words
question TAB meaning TAB form [TAB JSON]     a mark: canonical words, logical form, placeholders
question TAB meaning TAB … (with a header)   a sheet; the meaning may be the number of an offered
                                             reading, or ``-``: none of them
{"utterance": …, "logical_form": …} (JSON)   a mark of a wrong reading
===========================================  ======================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rapidfuzz.fuzz import token_sort_ratio
from rapidfuzz.process import extractOne

from fairseq_twostage.domains.tsv import read_variables
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_columns, read_lines
from fairseq_twostage.inference.candidates import names_in
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.semantics.accuracy import answered, is_right
from fairseq_twostage.semantics.denotation import EMPTY
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.foreign import ForeignWorld, QueriedWorld
from fairseq_twostage.semantics.gold_forms import check_alone, constants_of, why_without_value
from fairseq_twostage.semantics.gold_rows import is_gold
from fairseq_twostage.semantics.normalise import fill
from fairseq_twostage.text.normalisation import check_brackets, normalize_logical_form
from fairseq_twostage.text.rows import Row
from fairseq_twostage.text.utterance import Utterance

WRONG_ENDING = ".wrong.jsonl"  # what ``twostage serve`` adds to the file of marks
OFFERED = ("1", "2", "3", "4")
HEADER = ("question", "label", "confidence", *OFFERED)  # of a sheet
MARK = ("utterance", "logical_form", "variables")  # what a mark of a wrong reading says
NONE_OF_THEM = "-"
MOST_SEARCHED = 300  # readings whose answers are compared with those of a query


@dataclass(frozen=True)
class Given:
    """A label as it is written down.

    Attributes:
        question: the text.
        meaning: a logical form, a gold query or rows, or canonical words.
        right: False: this is what it does not mean.
        variables: values of placeholders that question and form have.
        where: ``file:line``.
    """

    question: str
    meaning: str
    right: bool = True
    variables: Mapping[str, str] = field(default_factory=dict)
    where: str = ""


@dataclass(frozen=True)
class Label:
    """A label as a parser understands it.

    Attributes:
        utterance: the question, read.
        form: logical form in its placeholders; empty where a query has an answer that no reading
            has.
        gold: what answers are compared with: the form, or a query or rows.
        right: False: this is what it does not mean.
        where: ``file:line``.
    """

    utterance: Utterance
    form: str
    gold: str
    right: bool = True
    where: str = ""

    @property
    def tokens(self) -> str:
        """Of the question."""
        return self.utterance.tokens


def read_labels(path: Path, marks: bool = False) -> list[Given]:
    """The labels of a file.

    Args:
        path: see the module. Questions of a sheet that have no label yet are passed over.
        marks: whether wrong readings may lie in the file beside it, and it may itself be missing.

    Raises:
        UserError: with ``file:line``, what cannot be a label; with the file, there is none.
    """
    beside = path.with_name(path.name + WRONG_ENDING)
    if marks and beside.is_file():
        return [*(read_labels(path) if path.is_file() else []), *_wrong(beside)]
    if path.name.endswith(WRONG_ENDING):
        return list(_wrong(path))
    rows = read_columns(path, *range(1, len(HEADER) + 1))
    first = next(rows, None)
    if first is None:
        raise UserError("holds no label", str(path))
    if tuple(first[1][:2]) == HEADER[:2]:
        return [given for where, columns in rows for given in _of_sheet(where, columns)]
    return [_of_row(*first), *(_of_row(*row) for row in rows)]


def _of_sheet(where: str, columns: Sequence[str]) -> Iterator[Given]:
    question, label, _, *offered = [*columns, *[""] * (len(HEADER) - len(columns))]
    if not label:
        return
    if label == NONE_OF_THEM:
        for canonical in filter(None, offered):
            yield Given(question, canonical, False, where=where)
        return
    if label in OFFERED:
        label = offered[OFFERED.index(label)]
        if not label:
            raise UserError("no reading with this number was offered", where)
    elif label.isdigit():
        raise UserError(f"the label is a number of {OFFERED[0]} to {OFFERED[-1]}", where)
    yield Given(question, label, where=where)


def _of_row(where: str, columns: Sequence[str]) -> Given:
    if not 2 <= len(columns) <= 4:
        raise UserError("expected a question and, behind a tab, what it means", where)
    question, meaning, *rest = columns
    variables = read_variables(rest[1], where) if len(rest) > 1 else {}
    if rest and rest[0]:
        meaning = rest[0]
    if not question or not meaning:
        raise UserError(f"the {'question' if not question else 'label'} is empty", where)
    return Given(question, meaning, True, variables, where)


def _wrong(path: Path) -> Iterator[Given]:
    lines = read_lines(path)
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        try:
            found = load_json(line)
            question, form, variables = (found[name] for name in MARK)
            if not all(isinstance(text, str) for text in (question, form, *variables.values())):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError):
            if number == len(lines) and not line.endswith("}"):
                return  # a server was killed within it
            raise UserError("no mark of twostage serve", where) from None
        yield Given(question, form, False, variables, where)


def understood(parser: TwoStageParser, given: Sequence[Given]) -> list[Label]:
    """The labels as a parser reads them, the last one of those that say the same once.

    Raises:
        UserError: with ``file:line``: a question without words, a form without an answer, or words
            that are no canonical utterance.
    """
    found: dict[tuple[str, str, bool], Label] = {}
    for each in given:
        label = _understood(parser, each)
        found[label.tokens, label.form or label.gold, label.right] = label
    return list(found.values())


def _understood(parser: TwoStageParser, given: Given) -> Label:
    try:
        text = parser.reader.frontend.tokeniser.decode(given.question)
        read = parser.reader(text, given.variables or None)
        if is_gold(given.meaning):
            return _by_answer(parser, read, given)
        if given.meaning.startswith("("):
            form = normalize_logical_form(given.meaning)
            check_brackets(form, given.where)
            form = abstracted(form, read.variables)
        else:
            form = _of_canonical(parser, read, given.meaning)
        if given.right:
            check_form(parser, form, read.variables)
    except UserError as error:
        raise (error if error.where else UserError(str(error), given.where)) from None
    return Label(read, form, form, given.right, given.where)


def check_form(parser: TwoStageParser, form: str, variables: Mapping[str, str]) -> None:
    """Refuse a form that cannot be what a question means.

    Args:
        parser: where it would be learnt.
        form: its placeholders in it.
        variables: their values in the question.

    Raises:
        UserError: it is more than a form, has no answer, or names what is not known.
    """
    if not isinstance(parser.world, ForeignWorld):  # one's own executor reads what it likes
        check_alone(form)
    if loose := names_in(form) - variables.keys():
        raise UserError(f"the question has no {min(loose)}, which the logical form has")
    if why := why_without_value(form, variables, parser.world):
        raise UserError(f"the logical form has no answer: {why}")
    answer = parser.denote(form, variables)
    for name in constants_of(form):
        if not parser.knows(name) and answer.metric_text == EMPTY:
            raise UserError(f"the label names {name}, which is not known here")


def check_canonical(parser: TwoStageParser, meant: Utterance, row: Row) -> None:
    """Refuse a row whose form is not what its canonical utterance means, where that is certain.

    Args:
        parser: where it would be learnt.
        meant: the canonical utterance, with the placeholders of the question.
        row: what it would be learnt as.

    Raises:
        UserError: the domain's pairs give the canonical utterance another meaning.
    """
    listed = parser.forms.get(meant.tokens) if parser.lookup else None
    if listed is None:
        return
    listed, form = fill(listed, meant.variables), fill(row.logical_form, row.variables)
    if form != listed and parser.denote(form) != parser.denote(listed):
        raise UserError(f"is not what {meant.text!r} means: {listed}")


def abstracted(form: str, variables: Mapping[str, str]) -> str:
    """A form with the placeholders of an utterance in place of what they stand for."""
    tokens = form.split()
    for name, value in variables.items():
        constant = normalize_logical_form(value).split()
        at = 0
        while at + len(constant) <= len(tokens):
            if tokens[at : at + len(constant)] == constant:
                tokens[at : at + len(constant)] = [name]
            at += 1
    return " ".join(tokens)


def _of_canonical(parser: TwoStageParser, read: Utterance, text: str) -> str:
    meant = parser.reader.rewriting(text, read)
    form = parser.form_of(meant.tokens)
    if form is None:
        near = extractOne(text.lower(), parser.suggestions, scorer=token_sort_ratio)
        hint = f"; the nearest: {near[0]!r}" if near else ""
        raise UserError(f"{text!r} is no canonical utterance of the domain{hint}")
    foreign = {name: meant.variables[name] for name in meant.variables.keys() - read.variables}
    return abstracted(fill(form, foreign), read.variables) if foreign else form


def _by_answer(parser: TwoStageParser, read: Utterance, given: Given) -> Label:
    """The nearest reading with the answer of a query or with the rows."""
    gold = given.meaning
    if not isinstance(parser.world, QueriedWorld):
        raise UserError("a query is a label of a domain with a database alone")
    try:
        if not answered(gold, parser.world):
            raise UserError("the query does not run here or answers nothing")
    except ExecutionError as error:
        raise UserError(str(error)) from None
    form = ""
    for canonical in parser.candidates_of(read, MOST_SEARCHED):
        other = parser.forms.get(canonical, "")
        if other and is_right(parser.denote(other, read.variables), gold, parser.world):
            form = other
            break
    return Label(read, form, gold, given.right, given.where)
