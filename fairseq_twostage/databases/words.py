"""From the names of tables and columns to people's words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from fairseq_twostage.databases.identifier_words import (
    BOTH_ENDS,
    CODED,
    COUNTING,
    IDENTIFYING,
    NAMING,
    NUMBERS,
    OF_ENDS,
    PERIODS,
    PREFIXES,
    REGULAR,
    SHORT,
    SHORT_ALONE,
    SHORT_BEFORE,
    SUFFIXES,
    TALLIED,
)
from fairseq_twostage.databases.inflection import is_plural, plural, singular
from fairseq_twostage.databases.measure_words import (
    COMPARISONS,
    CURRENCIES,
    EXPENSIVE,
    LATE,
    LETTERS,
    LIQUID,
    MEASURED,
    METRIC,
    RATES,
    UNITS,
    Comparison,
)
from fairseq_twostage.databases.vocabulary import PHONES, SECONDARY
from fairseq_twostage.text.function_words import zipf
from fairseq_twostage.text.money import MONEY
from fairseq_twostage.text.word_forms import PARTICIPLES

RARE = 4.0  # below it what is short for something is no word that people say
_RANGE = re.compile(r"\s*[(\[]\s*\d+\s*(?:-|–|to|\.\.)\s*\d+\s*[)\]]\s*$")
_REMARK = re.compile(
    r"\s*[(\[]\s*(?:(?:incl|excl|approx|optional|if any|e\.g|i\.e)\b[^)\]]*|"
    r"\w{1,3}(?:/\w{1,3})+)\s*[)\]]\s*$",
    re.IGNORECASE,
)
"""What a heading says in brackets besides its unit: "Seats (incl. cox)", "Sex (f/m)"."""
_E_MAIL = re.compile(r"\be[-_ ]?mail", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"[(\[]\w+[)\]]$")
_PIECE = re.compile(r"A+(?!a)|A?a+|0+")  # of a shape: see _shape


def words_of(identifier: str) -> list[str]:
    """The lower-case words of a name: ``ShipCity``, ``SHIP_CITY`` and ``ship city`` alike."""
    text = unicodedata.normalize("NFKC", identifier)
    text = _E_MAIL.sub("email", _REMARK.sub("", _RANGE.sub("", text)))
    pieces = [text[slice(*found.span())].lower() for found in _PIECE.finditer(_shape(text))]
    if "".join(pieces[-2:]) in UNITS and pieces[-1].isdigit():  # m2
        pieces[-2:] = ["".join(pieces[-2:])]
    for place, (piece, following) in enumerate(pairwise(pieces)):
        meant, before = SHORT_BEFORE.get(piece, ("", ()))
        if following in before:
            pieces[place] = meant
    words = [word for piece in pieces for word in SHORT.get(piece, piece).split()] or ["thing"]
    words = words[:-1] if len(words) > 1 and words[-1] in ("yn", "flg") else words
    words = [*words[:-1], "category"] if len(words) > 1 and words[-1] == "cat" else words
    words = [SHORT_ALONE.get(words[0], words[0])] if len(words) == 1 else words
    if words[0] in BOTH_ENDS and words[1:2] and words[1] in OF_ENDS:
        words[0] = BOTH_ENDS[words[0]]
    return words


def _shape(text: str) -> str:
    """``A`` for a capital of any alphabet, ``a`` for another letter, ``0`` for a digit."""
    return "".join(
        "A" if each.isupper() else "a" if each.isalpha() else "0" if each.isdecimal() else "_"
        for each in text
    )


def undone(done: str) -> str | None:
    """``unpaid`` of paid; None where nobody says such a word."""
    word = f"un{done}"
    return word if done.isalpha() and zipf(word) > 0 else None


def identifier_of(words: Sequence[str]) -> str:
    """A name for ``schema.yaml`` and logical forms; it starts with a letter."""
    name = "_".join(words)
    return name if name[0].isalpha() else f"n{name}"


def initial_id(words: Sequence[str]) -> str:
    """How a key calls a table by its first letter: ``gid``, of genres."""
    return f"{words[-1][0]}id"


def table_words(name: str) -> list[str]:
    """The words of a table's name, its last in the singular, without ``tbl`` and the like."""
    words = words_of(name)
    if len(words) > 1 and words[0] in PREFIXES:
        words = words[1:]
    if words[-2:] in (["waiting", "list"], ["waiting", "lists"]) or words == ["waitlist"]:
        return ["applicant"]
    if len(words) > 1 and words[-1] in SUFFIXES:
        words = words[:-1]
    if len(words) > 1 and words[-1] in ("code", "codes") and words[-2] in CODED:
        words = words[:-1]
    last = singular(words[-1])
    return [*words[:-1], *SHORT.get(last, last).split()]  # depts are departments


def column_words(
    name: str, table: Sequence[str], short: str | None = None
) -> tuple[list[str], str | None]:
    """The words of a column without those of its table, and the unit at the end of it.

    Args:
        name: the column's.
        table: the words of a row.
        short: how the table's key calls a row, ``ev`` of ``ev_id``.
    """
    words, unit = _without_unit(name, words_of(name))
    if len(words) > 1 and words[0] == short:
        words = words[1:]
    if len(words) == 3 and words[0] == "date" and singular(words[1]) in table[-1:]:
        words = ["date", words[2]]  # date_order_placed
    if len(words) > 1:
        words[0] = {"min": "minimum", "max": "maximum"}.get(words[0], words[0])
        words = words[:-1] if words[-1] == "amount" else words
    size = len(table)
    named = len(words) == 2 and words[1] in (*NAMING, *IDENTIFYING, "type")
    if len(words) > 1 and table and is_short_for(words[0], table[-1], word=named):
        words = [table[-1], *words[1:]]
    if len(words) > size and (words[:size] == [*table] or singular(words[0]) == table[-1]):
        rest = words[size:] if words[:size] == [*table] else words[1:]
        words = rest if rest != ["of"] else words
    if words == ["number"] and table:
        words = [table[-1], "number"]
    if len(words) == 1:
        words = _alone(words[0], table, unit).split()
    return words, unit


def _without_unit(name: str, words: list[str]) -> tuple[list[str], str | None]:
    """The words of a column that say what it is, and the unit at the end or start of them."""
    if "".join(words) in UNITS and len(words) == 2:  # sq_m
        words = ["".join(words)]
    if len(words) == 1:
        unit = UNITS.get(words[0]) if len(words[0]) > 2 else None
        return ([MEASURED[unit]], unit) if unit in MEASURED else (words, None)
    first, *rest, last = words
    if first in COUNTING and is_plural(last):
        return words[1:], None  # num_beds: a number of beds
    if last in ("cnt", "count"):
        return [*words[:-2], plural(words[-2])], None  # seat_cnt
    if last in NUMBERS and first in TALLIED and not rest:
        return [plural(first)], None  # citation_num
    if last in NUMBERS:
        return [*words[:-1], "number"], None
    if last == "ext" and first in PHONES:
        return [first, *rest, "extension"], None
    if last in PERIODS and not MONEY.isdisjoint(words):
        return [PERIODS[last], *words[:-1]], None  # rent_pm
    if last in LETTERS and _IN_BRACKETS.search(name):
        return words[:-1], LETTERS[last]
    if last == "m" and not METRIC.isdisjoint(words):
        return words[:-1], LETTERS[last]  # height_m
    if last == "l" and not LIQUID.isdisjoint(words):
        return words[:-1], LETTERS[last]  # fuel_l
    if rest[-1:] == ["per"] and last in UNITS:  # price_eur_per_kg
        unit = UNITS.get(words[-3])
        before = words[:-3] if unit else words[:-2]
        return [*(before or ["price"]), "per", UNITS[last].replace("_", " ")], unit
    if last in UNITS:
        return words[:-1], UNITS[last]
    if first in UNITS and not rest and (last.endswith("ed") or last in PARTICIPLES.values()):
        return [plural(UNITS[first]), last], UNITS[first]  # mins_spent
    if last == "total" and not rest and is_plural(first):
        return [last, first], None  # seats_total
    if first == "temperature" and last in ("c", "f"):
        return words[:-1], None
    return words, None


def _alone(word: str, table: Sequence[str], unit: str | None) -> str:
    """What a name of one word is: ``rname`` of restaurants their name, ``cat`` a category."""
    if word == "cat":
        return "category"
    if word in REGULAR and unit in CURRENCIES:
        return f"{word} rate"  # hourly_chf
    if word in REGULAR and unit == "hour":
        return f"{word} hours"
    if word == "pay" and unit is not None and unit not in CURRENCIES:
        return "payment term"
    initial, rest = word[:1], word[1:]
    own = bool(table) and initial == table[-1][0] and zipf(word) < RARE
    if own and rest in (*NAMING, "type", "status"):
        return rest
    return " ".join([*table[-1:], "number"]) if word in NUMBERS else word


def is_short_for(piece: str, noun: str, word: bool) -> bool:
    """Whether a piece of a name is a table's noun in short: ``cert`` of certifications, ``appt`` of
    appointments; a ``word`` of its own may be, too (``work_id`` of a workshop)."""
    rare = zipf(piece) < RARE or (piece, noun) == ("cat", "category")
    if not 2 < len(piece) <= len(noun) - 2 or not (word or rare):
        return False
    letters = iter(noun)
    return noun[0] == piece[0] and all(letter in letters for letter in piece)


def comparison_of(words: Sequence[str], moment: bool = False) -> Comparison | None:
    """Words of comparison for a measure, or a moment, of this name."""
    if len(words) > 1 and words[-1] == "rate" and words[0] in RATES:
        return EXPENSIVE
    for names, found in COMPARISONS:
        if set(names.split()) & set(words):
            return found
    return LATE if moment else None


def comparison_rank(words: Sequence[str]) -> tuple[bool, int, int, int]:
    """Which of two measures with the same words of comparison has them: the one of lower rank.

    That is whether it is what a thing is sold for, the line of :data:`COMPARISONS`, the place in
    it, and how many words it has.
    """
    secondary = not SECONDARY.isdisjoint(words)
    said = ["price"] if [*words[-1:]] == ["rate"] and words[0] in RATES else words
    ranks = (
        (secondary, rank, names.split().index(word), len(words))
        for rank, (names, _) in enumerate(COMPARISONS)
        for word in said
        if word in names.split()
    )
    return min(ranks, default=(secondary, len(COMPARISONS), 0, 0))
