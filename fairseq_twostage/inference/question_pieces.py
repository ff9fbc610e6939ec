"""What a database's known questions are made of: conditions, and what is asked of a set.

*which issues are closed in _date_* is a filter of all issues, so *are closed in _date_* is a
condition with this filter. *what is the total estimate of issues* is about all issues, so it can be
asked of those that conditions narrow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fairseq_twostage.inference.candidates import names_in
from fairseq_twostage.text.placeholders import is_placeholder

MOST_CALLS = 10  # operations of a condition

_ALL = r"\( call SW\.getProperty \( call SW\.singleton \S+ \) \( string !type \) \)"
_EVERY = re.compile(rf"\( call SW\.listValue ({_ALL}) \)")
_NARROWED = re.compile(rf"\( call SW\.listValue (\( call SW\.\w+ )({_ALL})(.*) \)")
_COUNTED = re.compile(
    r"^\( call SW\.listValue \( call (?:\.size|SW\.aggregate|SW\.\w+Superlative|SW\.group) "
)
_RANKED = re.compile(
    rf"(\( call SW\.listValue \( call SW\.countSuperlative {_ALL} \( string \w+ \) "
    r"\( string !\S+ \)) \) \)"
)


SMALL = frozenset(
    ("are", "have", "has", "do", "does", "that", "of", "with", "in", "a", "an", "the", "not", "no")
)

_ASKING = frozenset(
    ("which", "what", "is", "are", "how", "many", "who", "number", "per", "each")  # and how much
) | {"total", "highest", "lowest", "most", "fewest"}
_NO_CONDITION = ("have a ", "have an ", "still ", "does ", "are of no ", "are in no ")


class Piece(NamedTuple):
    """A condition, or what is asked of a set.

    Attributes:
        words: of a condition what stands behind the noun; of what is asked the text before and
            behind the condition.
        form: the text before and behind the set that is narrowed.
        names: placeholders.
        content: words that have to be said.
        others: how many other things a condition is about: employees who report to *employees*
            from a country.
    """

    words: tuple[str, ...]
    form: tuple[str, str]
    names: frozenset[str]
    content: tuple[str, ...]
    others: int = 0

    @property
    def said(self) -> str:
        """Its words alone."""
        return " ".join(self.words)

    @property
    def plain(self) -> bool:
        """Whether it asks which or how many."""
        return len(self.words) == 2 and not self.words[1] and "that" not in self.words[0].split()


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
        names = names_in(line)
        found = _NARROWED.fullmatch(form)
        if found is not None and found[2] in plurals and form.count("( call ") <= MOST_CALLS:
            every = found[2]
            for plural in plurals[every]:
                if line.startswith(f"which {plural} "):
                    said = line.removeprefix(f"which {plural} ")
                    if not _says_nothing(said, form):
                        things = [word for word in _content(said) if word in of_things]
                        content = tuple(things) if names else _content(said)
                        piece = Piece((said,), (found[1], found[3]), names, content, len(things))
                        conditions[every].append(piece)
        counted = _COUNTED.search(form) and " with the " not in line
        if not names and (counted or (_EVERY.fullmatch(form) and line.endswith(" are there"))):
            for every, of in plurals.items():
                asked[every].extend(_asked(line, form, every, of, names))
    return conditions, asked


def _says_nothing(said: str, form: str) -> bool:
    """Whether it narrows nothing, or what it narrows cannot be told from its form."""
    some = form.endswith("( string >= ) ( number 1 ) ) )") or said.startswith(_NO_CONDITION)
    return some or not {"the", "their", "there"}.isdisjoint(said.split())


def _asked(
    line: str, form: str, every: str, plurals: Sequence[str], names: frozenset[str]
) -> Iterator[Piece]:
    """What a known question asks of a table's things, if of all of them."""
    for plural in plurals:
        if line in (f"which {plural} are there", f"how many {plural} are there"):
            before, behind = form.split(every)
            yield Piece(
                (line.removesuffix("are there"), ""), (before, behind), names, _content(plural)
            )
            return
        before_words, found, behind_words = f"{line} ".partition(f" {plural} ")
        if not found or (behind_words and not behind_words.startswith("per ")):
            continue
        # Hours are of shifts, whether the question says so or not.
        implied = " of " in f"{before_words} "
        content = _content(before_words if implied else f"{before_words} {plural}")
        before_words = f"{before_words} {plural} that "
        if form.count(every) == 1:
            before, behind = form.split(every)
        elif ranked := _RANKED.fullmatch(form):
            before, behind = f"{ranked[1]} ", " ) )"
        else:
            continue
        yield Piece((before_words, f" {behind_words}".rstrip()), (before, behind), names, content)


def put_together(whole: Piece, conditions: Sequence[Piece], every: str) -> tuple[str, str]:
    """A question and its logical form.

    Args:
        whole: what is asked.
        conditions: at least one.
        every: the form of all things of the table that both are of.
    """
    before, behind = whole.words
    form = every
    for condition in conditions:
        opening, closing = condition.form
        form = f"{opening}{form}{closing}"
    line = f"{before}{' and '.join(each.said for each in conditions)}{behind}"
    opening, closing = whole.form
    return line, f"{opening}{form}{closing}"


def _content(said: str) -> tuple[str, ...]:
    return tuple(word for word in words_of(said) if word not in SMALL | _ASKING)


def words_of(text: str) -> Iterator[str]:
    """The words of a text but its placeholders."""
    return (word for word in text.split() if not is_placeholder(word))
