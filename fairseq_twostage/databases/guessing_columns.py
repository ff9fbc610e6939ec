"""What a column is: a dimension, a time dimension or a measure, and how it is said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from fairseq_twostage.databases.column_kinds import (
    are_parties,
    called_by_sex,
    is_done,
    is_postal,
    is_role,
    is_root,
    is_unique,
    repeated,
    said_of,
    short_name,
    unsaid,
)
from fairseq_twostage.databases.guessed import Guessed, Kind, says_key
from fairseq_twostage.databases.guessing_details import (
    is_bookkeeping,
    members,
    other_words,
    playing_unit,
)
from fairseq_twostage.databases.happening_words import (
    ALONE,
    CHECKS,
    CREATED,
    HAPPENED,
    MOMENTS,
    OFFERS,
    YEARS,
)
from fairseq_twostage.databases.identifier_words import IDENTIFYING, SAID_KEYS
from fairseq_twostage.databases.inflection import is_plural, participle, singular, third_person
from fairseq_twostage.databases.measure_words import TALL
from fairseq_twostage.databases.nationalities import LANGUAGES
from fairseq_twostage.databases.phrases import is_participle
from fairseq_twostage.databases.reflection import ColumnFacts
from fairseq_twostage.databases.vocabulary import (
    ADJECTIVAL,
    AT_ADDRESSES,
    PAID,
    PERSONS,
    PLACES,
    SAID_OF_PARTIES,
    SECRET,
    SERVED,
    STAFF,
    TRUTHS,
    VERBS,
    WITHOUT_QUESTIONS,
)
from fairseq_twostage.databases.words import (
    column_words,
    comparison_of,
    comparison_rank,
    identifier_of,
)

MOST_ADJECTIVES = 500  # distinct values that stand before a noun
MOST_ROLES = 100  # distinct values that are nouns for persons
MOST_LETTERS = 60  # of a value that somebody would say
LEAST_COMMON = 5  # one value in so many of two columns that hold places
LEAST_COMMON_OF_KINDS = 2  # or statuses and the like: no membership is *attended*
UNCOUNTED = ("zip", "phone", "extension", "postcode", "isbn", "fax")  # numbers, but no measures
_BASED = ("base", "home")  # the home town of somebody
_FLAGS = ("is", "has", "can", "was", "with", "in")


class ColumnGuesser:
    """Adds columns as properties to the tables that have been guessed."""

    def __init__(self, guessed: Guessed) -> None:
        self.guessed = guessed
        self._texts: dict[tuple[str, str], ColumnFacts] = {}

    def share_types(self) -> None:
        """One type for dimensions that are called alike and have values in common."""
        by_word: dict[str, list[tuple[str, str]]] = {}
        for place in self._texts:
            by_word.setdefault(place[1].split("_")[-1], []).append(place)
        for word, places in by_word.items():
            values = [{*self._texts[place].values} for place in places]
            least = LEAST_COMMON if word in PLACES else LEAST_COMMON_OF_KINDS
            common = all(
                len(one & other) * least >= min(len(one), len(other))
                for one, other in pairwise(values)
            )
            if len(places) > 1 and common and word not in self.guessed.tables:
                for table, name in places:
                    self.guessed.tables[table]["dimensions"][name]["type"] = word

    def forget(self, table: str, name: str) -> None:
        """Take a dimension for none whose values others may share."""
        self._texts.pop((table, name), None)

    def add(self, kind: Kind, column: ColumnFacts, table: str, through: dict[str, Any]) -> None:
        """A dimension, a time dimension or a measure."""
        at = f"{kind.facts.name}.{column.name}"
        if column.kind == "other":
            self.guessed.left_out.append(f"{at}: nothing can be asked of its type")
            return
        words, unit = column_words(column.name, kind.words, kind.short)
        synonyms = list(other_words(kind, words, column.name))
        said = column.kind == "text" and (not says_key(column) or words[-1] in SAID_KEYS)
        hidden = not (said or is_postal(words)) and column.kind != "date"
        only_key = column.name in kind.key and hidden
        coded = column.kind == "text" and len(words) > 1 and words[-1] == "code"
        if coded and column.name not in kind.key:
            synonyms, words = [" ".join(words)], words[:-1]
        if column.name in kind.linked or only_key:
            return
        entry: dict[str, Any] = {"column": column.name, **through}
        name = identifier_of(words)
        group = self._group(kind, column, words, entry)
        if group == "measures":
            if unit := unit or playing_unit(kind, words, column):
                entry["unit"] = unit
            if words[-1] in WITHOUT_QUESTIONS:
                entry["aside"] = True
            person = self.guessed.tables[table].get("person")
            self._compared(entry, words, table)
            if person and words == ["height"]:
                entry |= TALL._asdict()
        if group == "time_dimensions":
            there = self.guessed.tables[table].get("time_dimensions", {}).values()
            self._moment(entry, words, kind.words[-1], there)
            if is_bookkeeping(words, column):
                entry["aside"] = True
        if group == "dimensions" and words[-1] in VERBS and "stored_as" not in entry:
            entry["asked"] = f"who {third_person(VERBS[words[-1]].split()[0])}"
        if synonyms:  # an IATA code is called IATA and IATA code
            entry["synonyms"] = synonyms
        if column.comment:
            entry["description"] = column.comment
        groups = self.guessed.tables[table]
        if not through and column.name == name:
            del entry["column"]
        while self.guessed.has(table, name):
            name = f"{kind.name}_{name}"
        groups.setdefault(group, {})[name] = entry
        listed = column.kind == "text" and "values" not in entry and "stored_as" not in entry
        if group == "dimensions" and listed and not through:
            self._texts[table, name] = column
        self._note(column, ("tables", table, group, name))

    @staticmethod
    def _moment(
        entry: dict[str, Any], words: Sequence[str], of: str, there: Iterable[dict[str, Any]]
    ) -> None:
        """How a condition on a date is said, and who is the youngest; of what, by its noun.

        An order was placed when its row was created, unless a date ``there`` says so.
        """
        made, placed = (HAPPENED | CREATED).get(of), [*words] == ["date"] and of in HAPPENED
        alike = [other for other in there if made and other.get("wording") == made]
        if placed and alike:
            alike[0]["wording"] = "created"
        if words[0] == "created" and made and not alike:
            entry["wording"] = made
        elif words[0] in ALONE or is_done(*words):
            entry["wording"] = words[0]
            if words[1:] in (["on"], ["at"]):
                entry["phrase"] = f"{words[0]} date"
        elif len(words) == 2 and words[1] == "date" and is_root(words[0], of):
            entry["wording"] = participle(words[0])  # the pay date of a payment
        elif len(words) == 2 and words[1] in ("on", "at") and words[0].endswith("s"):
            entry["wording"] = f"that {singular(words[0])}"  # expires on
        elif words[-1] == "since" and of in PERSONS:
            entry["wording"] = "that joined"
        elif words[-1] == "died":
            entry["wording"] = "that died"
        elif len(words) == 2 and words[0] in ("date", "year") and is_done(words[1]):
            entry["wording"] = words[1]
        elif len(words) == 2 and words[0] == "check" and words[1] in CHECKS:
            entry["wording"] = CHECKS[words[1]]
        elif [*words] in (["end"], ["end", "date"]) and of in OFFERS:
            entry["wording"] = "that expire"
        elif len(words) == 2 and words[0] in MOMENTS:
            entry["wording"] = MOMENTS[words[0]]
        elif placed:
            entry["wording"] = HAPPENED[of]
        if of in PERSONS and entry.get("wording") in ("hired", "that joined", "that signed up"):
            entry["least"] = "longest standing" if of in SERVED else "longest serving"
        if "born" in words or "birth" in words:
            entry |= {"most": "youngest", "least": "oldest"}

    def _compared(self, entry: dict[str, Any], words: Sequence[str], table: str) -> None:
        """Words of comparison: of two measures with the same ones, for one: size before number."""
        found = comparison_of(words)
        if found is None or words[0] in ("minimum", "maximum") or words[0] == "payment":
            return
        for name, other in self.guessed.tables[table].get("measures", {}).items():
            if other.get("most") == found.most:
                if comparison_rank(words) >= comparison_rank(name.split("_")):
                    return
                for key in found._fields:
                    del other[key]
        entry |= found._asdict()

    def _note(self, column: ColumnFacts, at: tuple[str, ...]) -> None:
        if not column.filled:
            self.guessed.notes[at] = "always missing"
        elif column.distinct == 1:
            self.guessed.notes[at] = f"always {str(column.values[0])[:40]}"
        elif column.kind in ("number", "date", "timestamp", "month") and column.least is not None:
            least, most = (_short(value) for value in (column.least, column.most))
            self.guessed.notes[at] = f"{least} to {most}"
        else:
            some = ", ".join(str(value)[:20] for value in column.values[:3])
            more = ", …" if column.distinct > 3 else ""
            self.guessed.notes[at] = f"{column.distinct} values: {some}{more}"

    def _group(
        self, kind: Kind, column: ColumnFacts, words: Sequence[str], entry: dict[str, Any]
    ) -> str:
        """Which kind of property a column is; adds to the entry how it is stored."""
        last = words[-1]
        if column.kind in ("date", "timestamp", "month", "time"):
            if column.stored_as_text or column.kind == "time":
                entry["stored_as"] = column.kind
            return "time_dimensions"
        if column.kind == "number":
            flag = column.whole and {column.least, column.most} <= {0, 1}
            if flag and (words[0] in _FLAGS or column.distinct == 2):
                entry["stored_as"] = "boolean"
                return "dimensions"
            years = column.least is not None and column.least >= 1000 and column.most <= 2200
            dated = set(words) & {*YEARS} or words[0].endswith("ed")
            if column.whole and dated and years:
                entry["stored_as"] = "year"
                return "time_dimensions"
            if is_postal(words):
                return "dimensions"  # which people say, whatever its digits
            if last in IDENTIFYING or last in UNCOUNTED:
                entry |= {"values": "none", "aside": True}
                if column.stored_as_text:
                    entry["stored_as"] = "text"
                return "dimensions"
            if column.stored_as_text:
                entry["stored_as"] = "number"
            return "measures"
        if column.kind == "boolean":
            entry["stored_as"] = "boolean"
            return "dimensions"
        self._text(kind, column, words, entry)
        return "dimensions"

    def _text(
        self, kind: Kind, column: ColumnFacts, words: Sequence[str], entry: dict[str, Any]
    ) -> None:
        values = [str(value) for value in column.values]
        if {value.strip().lower() for value in values} in map(set, TRUTHS) and column.all_listed:
            entry["stored_as"] = "boolean"
            return
        if column.all_listed and (several := members(values)):
            entry["members"] = several
            if is_plural(words[-1]):
                entry["phrase"] = " ".join((*words[:-1], singular(words[-1])))
            return
        mean = sum(map(len, values)) / max(1, len(values))
        person = kind.words[-1] in PERSONS
        if column.distinct < 2 or not SECRET.isdisjoint(words):
            entry |= {"values": "none", "aside": True}
        elif words[-1] == "address" and kind.words[-1] in AT_ADDRESSES and is_unique(column):
            entry["unique"] = True
        elif mean > MOST_LETTERS or (unsaid(words) and not short_name(words, mean)):
            entry |= {"values": "none"}
        elif len(words) == 2 and words[1] == "by" and is_participle(words[0]):
            entry["wording"] = " ".join(words)
        elif words[0] == "payment" and words[1:] in ([], ["method"], ["type"]):
            entry["wording"] = PAID
        elif [*words] == ["title"] and kind.words[-1] in STAFF and repeated(column):
            entry |= {"wording": "noun", "phrase": "job title", "synonyms": ["job", "title"]}
        elif len(words) == 2 and words[0] in _BASED and words[1] in PLACES and person:
            entry["wording"] = "from"
        elif len(words) == 1 and words[0] in PLACES:
            entry["wording"] = "from" if person else "in"
        elif column.distinct <= MOST_ROLES and (
            are_parties(words, values) or (person and is_role(words))
        ):
            entry["wording"] = "noun"
        elif words[-1] in ADJECTIVAL and column.distinct <= MOST_ADJECTIVES:
            entry["wording"] = "adjective"
            if words[-1] in ("sex", "gender"):
                entry |= said_of(called_by_sex(kind.words[-1]), values)
            elif words[-1] == "language":
                entry |= said_of({(code,): [said] for code, said in LANGUAGES.items()}, values)
            elif words[-1] == "type" and kind.words[-1] in PERSONS:
                entry |= said_of(SAID_OF_PARTIES, values)
        elif is_unique(column):
            entry["unique"] = True


def _short(value: Any) -> str:
    return f"{value:.10g}" if isinstance(value, (int, float)) else str(value)
