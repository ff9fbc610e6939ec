"""What kind of column one is, by its words and its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fairseq_twostage.databases.identifier_words import SAID_KEYS
from fairseq_twostage.databases.inflection import plural
from fairseq_twostage.databases.reflection import ColumnFacts
from fairseq_twostage.databases.vocabulary import PARTIES, ROLES, SEXES, SHE, UNSAID
from fairseq_twostage.text.function_words import zipf
from fairseq_twostage.text.word_forms import PARTICIPLES

MOST_OF_A_NAME = 25  # letters, in the mean
MOSTLY_UNIQUE, FEWEST_UNIQUE = 0.9, 10  # of the rows of a column that groups none of them
_POSTAL = frozenset(("zip", "postal", "post"))


def called_by_sex(noun: str) -> dict[tuple[str, ...], list[str]]:
    """Words for sexes, among them what women of a job are called: *actresses*."""
    she = [SHE[noun], plural(SHE[noun])] if noun in SHE else []
    return {sex: said + she * ("female" in sex) for sex, said in SEXES.items()}


def is_unique(column: ColumnFacts) -> bool:
    """Whether nearly every row has a value of its own."""
    return column.distinct > MOSTLY_UNIQUE * column.filled and column.filled >= FEWEST_UNIQUE


def repeated(column: ColumnFacts) -> bool:
    """Whether several rows have the same value, as a job and no name."""
    return column.distinct < MOSTLY_UNIQUE * column.filled


def are_parties(words: Sequence[str], values: Sequence[str]) -> bool:
    """Whether most values of a type are nouns for what has them: company, foundation."""
    sorts = [value for value in values if value.lower().split("_")[-1] in PARTIES]
    return words[-1] == "type" and 2 * len(sorts) > len(values)


def is_role(words: Sequence[str]) -> bool:
    """Whether values say what a person is: a job, a job title."""
    return words[-1] in ROLES or [*words[-2:]] == ["job", "title"]


def is_root(word: str, noun: str) -> bool:
    """Whether a noun is made of a verb: payment, of pay."""
    return len(word) > 2 and noun in {f"{word}{ending}" for ending in ("ment", "ing", "er", "al")}


def is_done(word: str, after: str = "", *more: str) -> bool:
    """Whether words say when something was done: "billed on", "sent at", "hired"; no "set date"."""
    irregular = word in PARTICIPLES.values() and word not in PARTICIPLES
    done = word.endswith("ed") and (after != "" or zipf(word) > 0)
    return not more and (done or (irregular and after in ("on", "at", "date", "time", "year")))


def said_of(known: Mapping[tuple[str, ...], list[str]], values: Sequence[str]) -> dict[str, Any]:
    """Words for values such as F and M, where no value is anything else."""
    found = {
        value: [word for word in said if word != value.strip().lower()]
        for value in values
        for called, said in known.items()
        if value.strip().lower() in called
    }
    said = {value: words for value, words in found.items() if words}
    return {"said": said} if said and len(found) == len(values) else {}


def short_name(words: Sequence[str], letters: float) -> bool:
    """Whether a description is so short that it names its row."""
    return words[-1] == "description" and letters <= MOST_OF_A_NAME


def unsaid(words: Sequence[str]) -> bool:
    """Whether a column's values are hardly said: ``phone``, ``phone_no``."""
    return words[-1] in UNSAID or (words[-1] in SAID_KEYS and words[0] in UNSAID)


def is_postal(words: Sequence[str]) -> bool:
    """Whether a column is a postal code, which people say though it is a number."""
    return words[-1] == "code" and not _POSTAL.isdisjoint(words)
