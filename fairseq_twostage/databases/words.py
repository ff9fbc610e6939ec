"""From the names of tables and columns to people's words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from fairseq_twostage.text.function_words import word_set

_PIECE = re.compile(r"[A-ZÄÖÜ]+(?![a-zäöüß])|[A-ZÄÖÜ]?[^\W\d_A-ZÄÖÜ]+|\d+|[^\W\d_]+")
_PREFIXES = ("tbl", "tab", "dim", "fact", "vw", "view", "ref", "lkp", "lookup", "stg")
_SHORT = {
    "acct": "account", "addr": "address", "amt": "amount", "bldg": "building", "cd": "code",
    "cust": "customer", "dept": "department", "descr": "description", "dob": "birth date",
    "dt": "date", "emp": "employee", "hrs": "hours", "loc": "location", "mfr": "manufacturer",
    "mgr": "manager", "mth": "month", "nm": "name", "org": "organization", "pmt": "payment",
    "pos": "position", "prod": "product", "proj": "project", "qty": "quantity", "sal": "salary",
    "tel": "phone", "tot": "total", "txn": "transaction", "wk": "week", "yr": "year",
}  # fmt: skip
"""What is written short in names of tables and columns."""
COUNTING = ("num", "number", "no", "nr", "nbr", "cnt", "count")
VERBS = {
    "author": "write", "coach": "coach", "composer": "compose", "creator": "create",
    "designer": "design", "developer": "develop", "director": "direct", "editor": "edit",
    "founder": "found", "instructor": "teach", "lead": "lead", "leader": "lead",
    "manager": "manage", "manufacturer": "make", "owner": "own", "producer": "produce",
    "publisher": "publish", "scorer": "score", "singer": "sing", "supervisor": "supervise",
    "supplier": "supply", "teacher": "teach", "trainer": "train", "winner": "win",
    "writer": "write",
}  # fmt: skip
"""What those do of whom something has one."""
MOMENTS = {
    "birth": "born", "founding": "founded", "hire": "hired", "hiring": "hired",
    "opening": "opened", "publication": "published", "release": "released", "start": "that started",
    "end": "that ended", "join": "that joined", "joining": "that joined", "ship": "shipped",
}  # fmt: skip
"""How a condition on such a date is said."""
YEARS = ("year", "built", "born", "since", "vintage")
WITHOUT_QUESTIONS = ("lat", "lon", "lng", "latitude", "longitude")
WORK = ("project", "task", "case", "ticket", "assignment")  # of a staff
STAFF = word_set("employee staff worker nurse doctor manager member teacher")
_SUFFIXES = ("table", "tbl", "info", "data", "list")
IDENTIFYING = ("id", "key", "code", "no", "nr", "num", "number", "uuid", "guid")
SAID_KEYS = ("code", "number", "no", "nr", "num")  # keys that people ask for, if they are texts
GIVEN = word_set("first given fore christian forename firstname fname givenname")
FAMILY = word_set("last family sur second surname lastname lname familyname")
NAMING = ("name", "title", "label", "caption")
PERSONS = word_set(
    "actor actress artist author buyer citizen client coach composer customer director doctor "
    "driver employee guest instructor manager member passenger patient person player politician "
    "president professor scientist singer staff student teacher user visitor worker writer"
)
CONTAINERS = word_set(
    "area branch building category cinema city class continent country county department "
    "district division folder genre group hall league museum neighborhood neighbourhood "
    "office park place playlist port province region room school section state station store "
    "street team town university village season tournament competition stadium venue arena site "
    "hospital clinic airport club warehouse world zone "
)
PERFORMERS = word_set("actor actress player singer musician dancer")
PURCHASES = word_set("order invoice purchase sale transaction receipt booking")
BUYERS = PERSONS - word_set("employee staff worker manager doctor teacher driver")
MAKERS = word_set(
    "architect artist author band brand composer designer developer director inventor maker "
    "manufacturer painter photographer producer publisher singer studio writer"
)
"""Things are by these."""
ADJECTIVAL = word_set(
    "brand breed category color colour condition cuisine flavor flavour format gender genre "
    "kind language level material nationality period priority season sex size species status "
    "style type "
)
"""Of these the values stand before a noun: "drama films"."""
TRUTHS = (("y", "n"), ("yes", "no"), ("true", "false"), ("t", "f"), ("1", "0"))
"""Yes and no as texts have them."""
PLACES = word_set("city country state region province continent county district town nation")
"""Things are in these, and people from them."""
UNSAID = word_set(
    "url email description comment comments notes note phone telephone mobile fax website image "
    "photo picture path hash token password address street text body"
)
"""Their values are asked for, and hardly ever said."""
UNITS: Mapping[str, str] = {
    "ms": "millisecond",
    "millis": "millisecond",
    "milliseconds": "millisecond",
    "min": "minute",
    "mins": "minute",
    "minutes": "minute",
    "sec": "second",
    "secs": "second",
    "seconds": "second",
    "hrs": "hour",
    "hours": "hour",
    "days": "day",
    "weeks": "week",
    "months": "month",
    "years": "year",
    "km": "kilometer",
    "km2": "square_kilometer",
    "sqkm": "square_kilometer",
    "sqmi": "square_mile",
    "mi": "mile",
    "miles": "mile",
    "meters": "meter",
    "metres": "metre",
    "cm": "centimeter",
    "mm": "millimeter",
    "ft": "foot",
    "g": "gram",
    "grams": "gram",
    "kg": "kilogram",
    "lb": "pound",
    "lbs": "pound",
    "tons": "ton",
    "usd": "dollar",
    "eur": "euro",
    "gbp": "pound",
    "pct": "percent",
    "percent": "percent",
    "mph": "mile_per_hour",
    "kmh": "kilometer_per_hour",
    "mb": "megabyte",
    "gb": "gigabyte",
    "kb": "kilobyte",
    "bytes": "byte",
}


_MEASURED = {
    **dict.fromkeys(("millisecond", "second", "minute", "hour"), "length"),
    **dict.fromkeys(("kilobyte", "megabyte", "gigabyte", "byte"), "size"),
    **dict.fromkeys(("gram", "kilogram"), "weight"),
    **dict.fromkeys(("kilometer", "mile"), "distance"),
}
"""What a column holds that is called by its unit alone."""


class Comparison(NamedTuple):
    """Words of comparison for a measure."""

    more: str
    less: str
    most: str
    least: str


_LONG = Comparison("longer", "shorter", "longest", "shortest")
_HIGH = Comparison("higher", "lower", "highest", "lowest")
TALL = Comparison("taller", "shorter", "tallest", "shortest")  # of persons' height
_LARGE = Comparison("larger", "smaller", "largest", "smallest")
_EXPENSIVE = Comparison("more expensive", "cheaper", "most expensive", "cheapest")
_LATE = Comparison("later", "earlier", "latest", "earliest")
_NEW = Comparison("newer", "older", "newest", "oldest")
_COMPARISONS: Sequence[tuple[str, Comparison]] = (
    ("length distance duration runtime playtime", _LONG),
    ("height altitude elevation", _HIGH),
    ("area size surface acreage", _LARGE),
    ("population inhabitants capacity", _LARGE),
    ("price cost fare fee rent", _EXPENSIVE),
    ("weight mass", Comparison("heavier", "lighter", "heaviest", "lightest")),
    ("salary wage pay", Comparison("higher paid", "lower paid", "highest paid", "lowest paid")),
    (
        "value worth",
        Comparison("more valuable", "less valuable", "most valuable", "least valuable"),
    ),
    ("age", Comparison("older", "younger", "oldest", "youngest")),
    ("depth", Comparison("deeper", "shallower", "deepest", "shallowest")),
    ("width", Comparison("wider", "narrower", "widest", "narrowest")),
    ("speed", Comparison("faster", "slower", "fastest", "slowest")),
    (
        "rating score grade stars",
        Comparison("better rated", "worse rated", "best rated", "worst rated"),
    ),
    ("released release published publication built founded", _NEW),
)
ADJECTIVES: Mapping[str, str] = {
    "longest": "long",
    "highest": "high",
    "largest": "large",
    "biggest": "big",
    "most expensive": "expensive",
    "heaviest": "heavy",
    "oldest": "old",
    "deepest": "deep",
    "widest": "wide",
    "fastest": "fast",
    "tallest": "tall",
}
"""Of a superlative the word that "how … is" asks with."""


def words_of(identifier: str) -> list[str]:
    """The lower-case words of a name: ``ShipCity``, ``SHIP_CITY`` and ``ship city`` alike."""
    text = unicodedata.normalize("NFKC", identifier)
    pieces = (piece.lower() for piece in _PIECE.findall(text))
    return [word for piece in pieces for word in _SHORT.get(piece, piece).split()] or ["thing"]


def identifier_of(words: Sequence[str]) -> str:
    """A name for ``schema.yaml`` and logical forms; it starts with a letter."""
    name = "_".join(words)
    return name if name[0].isalpha() else f"n{name}"


def table_words(name: str) -> list[str]:
    """The words of a table's name, its last in the singular, without ``tbl`` and the like."""
    words = words_of(name)
    if len(words) > 1 and words[0] in _PREFIXES:
        words = words[1:]
    if len(words) > 1 and words[-1] in _SUFFIXES:
        words = words[:-1]
    return [*words[:-1], singular(words[-1])]


def column_words(name: str, table: Sequence[str]) -> tuple[list[str], str | None]:
    """The words of a column without those of its table, and the unit at the end of it."""
    words = words_of(name)
    unit = None
    if len(words) > 1 and words[0] in COUNTING and is_plural(words[-1]):
        words = words[1:]  # num_beds: a number of beds
    elif len(words) > 1 and words[-1] in UNITS:
        unit = UNITS[words[-1]]
        words = words[:-1]
    elif len(words) == 1 and len(words[0]) > 2 and _MEASURED.get(UNITS.get(words[0], "")):
        unit = UNITS[words[0]]
        words = [_MEASURED[unit]]
    if len(words) > 1:
        words[0] = {"min": "minimum", "max": "maximum"}.get(words[0], words[0])
        words = words[:-1] if words[-1] == "amount" else words
    size = len(table)
    if len(words) > size and (words[:size] == [*table] or singular(words[0]) == table[-1]):
        rest = words[size:] if words[:size] == [*table] else words[1:]
        words = rest if rest != ["of"] else words
    return words, unit


def comparison_of(words: Sequence[str], moment: bool = False) -> Comparison | None:
    """Words of comparison for a measure, or a moment, of this name."""
    for names, found in _COMPARISONS:
        if set(names.split()) & set(words):
            return found
    return _LATE if moment else None


def comparison_rank(words: Sequence[str]) -> int:
    """Which of two measures with the same words of comparison has them: the one of lower rank."""
    named = ((rank, names.split()) for rank, (names, _) in enumerate(_COMPARISONS))
    ranks = (
        100 * rank + 10 * names.index(word) + len(words)
        for rank, names in named
        for word in words
        if word in names
    )
    return min(ranks, default=100 * len(_COMPARISONS))


def singular(word: str) -> str:
    """``cities``, city; a word that is none stays."""
    if word.endswith(("ss", "us", "is")) or len(word) < 4 or not word.isascii():
        return word
    found = _inflect().singular_noun(word)
    return str(found) if found else word


def is_plural(words: str) -> bool:
    """Whether they name several things: ``delivery days``; not ``price``."""
    last = words.rpartition(" ")[2]
    return singular(last) != last


def plural(words: str) -> str:
    """``city``, cities."""
    head, _, last = words.rpartition(" ")
    if last in ("staff", "personnel"):
        return words
    made = str(_inflect().plural_noun(last)) if last.isascii() and last.isalpha() else last
    return f"{head} {made}".strip()


def third_person(verb: str) -> str:
    """``run through``, runs through; ``have``, has."""
    first, *rest = verb.split()
    irregular = {"have": "has", "be": "is", "are": "is", "do": "does", "go": "goes"}
    if first in irregular:
        first = irregular[first]
    elif first.endswith(("s", "x", "z", "ch", "sh", "o")):
        first += "es"
    elif first.endswith("y") and first[-2:-1] not in "aeiou":
        first = f"{first[:-1]}ies"
    else:
        first += "s"
    return " ".join([first, *rest])


def base_form(verb: str) -> str:
    """``runs through``, run through."""
    first, *rest = verb.split()
    irregular = {"has": "have", "is": "are", "be": "are", "does": "do", "goes": "go"}
    if first in irregular:
        return " ".join([irregular[first], *rest])
    if first.endswith("ies") and len(first) > 4:
        first = f"{first[:-3]}y"
    elif first.endswith(("sses", "xes", "zes", "ches", "shes")):
        first = first[:-2]
    elif first.endswith("s") and not first.endswith("ss"):
        first = first[:-1]
    return " ".join([first, *rest])


@cache
def _inflect() -> Any:
    import inflect

    return inflect.engine()
