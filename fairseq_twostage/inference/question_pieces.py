"""What a database's known questions are made of: conditions, and what is asked of a set.

*which issues are closed in _date_* is a filter of all issues, so *are closed in _date_* is a
condition with this filter. *what is the total estimate of issues* is about all issues, so it can be
asked of those that conditions narrow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fairseq_twostage.inference.candidates import names_in, words_in
from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.question_words import negations
from fairseq_twostage.text.word_forms import base, one_of

MOST_CALLS = 10  # operations of a condition

_ALL = r"\( call SW\.getProperty \( call SW\.singleton \S+ \) \( string !type \) \)"
_EVERY = re.compile(rf"\( call SW\.listValue ({_ALL}) \)")
_NARROWED = re.compile(rf"\( call SW\.listValue (\( call SW\.\w+ )({_ALL})(.*) \)")
_COUNTED = re.compile(
    r"\( call SW\.listValue \( call (?:\.size|SW\.aggregate|SW\.\w+Superlative|SW\.group) "
)
_OF_SEVERAL = {"has": "have", "is": "are"}
_MOST_OF_ALL = re.compile(
    rf"\( call SW\.listValue \( call SW\.countSuperlative ({_ALL}) \( string max \) "
    r"(\( string !\w+ \)) \) \)"
)
_RANKED = re.compile(
    rf"(\( call SW\.listValue \( call SW\.countSuperlative {_ALL} \( string \w+ \) "
    r"\( string !\S+ \)) \) \)"
)

_SMALL = word_set("are have has do does that of with in a an the not no")
_ASKING = word_set(
    "which what is are how many who number per each total highest lowest most fewest"  # how much
)
_NO_CONDITION = ("have a ", "have an ", "still ", "does ", "are of no ", "are in no ")


@dataclass(frozen=True, eq=False)
class Piece:
    """A condition, or what is asked of a set.

    Attributes:
        before, behind: words; of a condition all are before.
        form: the text before and behind the set that is narrowed.
        content: words that have to be said.
        names: placeholders of a condition.
        others: how many other things a condition is about: employees who report to *employees*
            from a country.
        doers: whether persons are asked for by what they did: which donors *give gifts that*.
    """

    before: str
    behind: str
    form: tuple[str, str]
    content: tuple[str, ...]
    names: frozenset[str] = frozenset()
    others: int = 0
    doers: bool = False

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words but placeholders and small ones."""
        return tuple(w for w in words_in(f"{self.before} {self.behind}") if w not in _SMALL)

    @cached_property
    def denies(self) -> bool:
        """Whether it has a negation."""
        return bool(negations(self.before))

    @cached_property
    def plain(self) -> bool:
        """Whether it asks which or how many."""
        return not self.behind and "that" not in self.before.split()


def read_pieces(
    forms: Mapping[str, str],
) -> tuple[dict[str, list[Piece]], dict[str, list[Piece]]]:
    """Conditions and what is asked, by the form of all things of a table.

    Args:
        forms: known questions with their logical forms.
    """
    plurals: dict[str, list[str]] = {}
    for line, form in forms.items():
        if line.startswith("which ") and line.endswith(" are there"):
            all_of = _EVERY.fullmatch(form)
            if all_of is not None:
                plurals.setdefault(all_of[1], []).append(line[6:-10])
    of_things = {plural.split()[-1] for each in plurals.values() for plural in each}
    conditions: dict[str, list[Piece]] = {every: [] for every in plurals}
    asked: dict[str, list[Piece]] = {every: [] for every in plurals}
    for line, form in forms.items():
        found = _NARROWED.fullmatch(form) if line.startswith("which ") else None
        if found is not None and found[2] in plurals and form.count("( call ") <= MOST_CALLS:
            every, names = found[2], names_in(line)
            for plural in plurals[every]:
                if line.startswith(f"which {plural} "):
                    said = line.removeprefix(f"which {plural} ")
                    if not _says_nothing(said, form):
                        things = [word for word in _content(said) if word in of_things]
                        content = tuple(things) if names else _content(said)
                        form_of = found[1], found[3]
                        piece = Piece(said, "", form_of, content, names, len(things))
                        conditions[every].append(piece)
        counted = _COUNTED.match(form) and " with the " not in line
        listed = line.endswith(" are there") and _EVERY.fullmatch(form)
        if (counted or listed) and not names_in(line):
            for every, of in plurals.items():
                asked[every].extend(_asked(line, form, every, of))
    for every, piece in _having(forms, plurals):
        asked[every].append(piece)
    return conditions, asked


def _having(
    forms: Mapping[str, str], plurals: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, Piece]]:
    """Who or what has such, asked of what they have: of gifts, which donors *give gifts that* …

    Of *who* are persons who alone have such, no persons themselves, or whose verb says what they
    do: agents *work on* tickets, of which employees are the requesters.
    """
    of = {plural: every for every, each in plurals.items() for plural in each}
    who = {form for line, form in forms.items() if line.startswith("who ")}
    heads = {
        f"which {noun} ": every
        for every, each in plurals.items()
        for plural in each
        for noun in (plural, one_of(plural))
    }
    asked = [line for line, form in forms.items() if form in who and line.startswith("which ")]
    people = {
        every
        for line in asked
        for head, every in heads.items()
        if line.startswith(head) and every in forms[line]  # gift aid donors are no gifts
    }
    found = dict[tuple[str, str, str], str]()
    for line, form in forms.items():
        said, _, happened = line.partition(" the most ")
        most = _MOST_OF_ALL.fullmatch(form) if happened in of else None
        if most is None or not plurals.get(most[1]):
            continue
        nouns = [f"which {one_of(plural)} " for plural in plurals[most[1]]]
        lead = next((noun for noun in ("who ", *nouns) if said.startswith(noun)), None)
        if lead is not None:
            verb, _, rest = said.removeprefix(lead).partition(" ")
            verb = _OF_SEVERAL.get(verb, base(verb))
            found[most[1], f"{verb} {rest}".strip(), happened] = most[2]
    for (every, verb, happened), relation in found.items():
        plural = plurals[every][0]
        opening = f"( call SW.listValue ( call SW.filter {every} {relation} ( string = ) "
        asks, closed = f"which {plural} {verb} {happened} that ", (opening, " ) )")
        yield of[happened], Piece(asks, "", closed, _content(plural))
        persons = {who for who, _, what in found if what == happened and who in people}
        theirs = of[happened] not in people and (verb != "have" or len(persons) == 1)
        if every in people and theirs:
            yield of[happened], Piece(asks, "", closed, (), doers=True)


def _says_nothing(said: str, form: str) -> bool:
    """Whether it narrows nothing, or what it narrows cannot be told from its form."""
    some = form.endswith("( string >= ) ( number 1 ) ) )") or said.startswith(_NO_CONDITION)
    return some or not {"the", "their", "there"}.isdisjoint(said.split())


def _asked(line: str, form: str, every: str, plurals: Sequence[str]) -> Iterator[Piece]:
    """What a known question asks of a table's things, if of all of them."""
    for plural in plurals:
        if line in (f"which {plural} are there", f"how many {plural} are there"):
            before, behind = form.split(every)
            yield Piece(line.removesuffix("are there"), "", (before, behind), _content(plural))
            return
        lead, found, rest = f"{line} ".partition(f" {plural} ")
        if not found or (rest and not rest.startswith("per ")):
            continue
        # Hours are of shifts, whether the question says so or not.
        content = _content(lead if " of " in f"{lead} " else f"{lead} {plural}")
        if form.count(every) == 1:
            before, behind = form.split(every)
        elif ranked := _RANKED.fullmatch(form):
            before, behind = f"{ranked[1]} ", " ) )"
        else:
            continue
        yield Piece(f"{lead} {plural} that ", f" {rest}".rstrip(), (before, behind), content)


def put_together(whole: Piece, conditions: Sequence[Piece], every: str) -> tuple[str, str]:
    """A question and its logical form.

    Args:
        whole: what is asked.
        conditions: at least one.
        every: the form of all things of the table that both are of.
    """
    form = every
    for condition in conditions:
        opening, closing = condition.form
        form = f"{opening}{form}{closing}"
    said = " and ".join(condition.before for condition in conditions)
    opening, closing = whole.form
    return f"{whole.before}{said}{whole.behind}", f"{opening}{form}{closing}"


def _content(said: str) -> tuple[str, ...]:
    return tuple(word for word in words_in(said) if word not in _SMALL | _ASKING)
