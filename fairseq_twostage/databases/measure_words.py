"""Words of measures: their units, and how two of them are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fairseq_twostage.text.function_words import word_set

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
    "qm": "square_meter",
    "ft2": "square_foot",
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
    "tonne": "tonne",
    "tonnes": "tonne",
    "ha": "hectare",
    "hectares": "hectare",
    "acres": "acre",
    "sqm": "square_meter",
    "m2": "square_meter",
    "sqft": "square_foot",
    "litres": "liter",
    "liters": "liter",
    "hp": "horsepower",
    "kw": "kilowatt",
    "kwh": "kilowatt_hour",
    "usd": "dollar",
    "dollar": "dollar",
    "dollars": "dollar",
    "eur": "euro",
    "euro": "euro",
    "euros": "euro",
    "gbp": "pound",
    "chf": "franc",
    "inr": "rupee",
    "jpy": "yen",
    "sek": "krona",
    "nok": "krone",
    "dkk": "krone",
    "pln": "zloty",
    "czk": "koruna",
    "cad": "dollar",
    "aud": "dollar",
    "nzd": "dollar",
    "pct": "percent",
    "percent": "percent",
    "mph": "mile_per_hour",
    "kmh": "kilometer_per_hour",
    "mb": "megabyte",
    "gb": "gigabyte",
    "kb": "kilobyte",
    "bytes": "byte",
}
ADDITIVE = word_set(
    "minute hour day gram kilogram pound ton tonne kilometer mile liter kilowatt_hour byte "
    "kilobyte megabyte gigabyte"
)
"""Units of what adds up over what happened."""
CURRENCIES = frozenset(
    ("dollar", "euro", "pound", "franc", "rupee", "yen", "krona", "krone", "zloty", "koruna")
)
LETTERS = {"t": "tonne", "m": "meter", "l": "liter", "h": "hour"}
"""Units where they stand in brackets: ``Yield (t)``."""
METRIC = word_set(
    "altitude beam depth diameter distance draft draught elevation height length radius wingspan "
    "width"
)
"""Of these an *m* at the end is meters."""
LIQUID = word_set("capacity diesel fuel milk oil petrol tank volume water")
"""Of these an *l* at the end is liters."""
MEASURED = {
    **dict.fromkeys(("millisecond", "second", "minute", "hour"), "length"),
    **dict.fromkeys(("kilobyte", "megabyte", "gigabyte", "byte"), "size"),
    **dict.fromkeys(("gram", "kilogram"), "weight"),
    **dict.fromkeys(("kilometer", "mile"), "distance"),
    **dict.fromkeys(("liter", "gallon"), "volume"),
    **dict.fromkeys(("square_meter", "square_foot"), "area"),
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
EXPENSIVE = Comparison("more expensive", "cheaper", "most expensive", "cheapest")
RATES = word_set(
    "base basic daily day hourly monthly night nightly rack rental room standard weekly"
)
"""Of these a *rate* is a price."""
LATE = Comparison("later", "earlier", "latest", "earliest")
_NEW = Comparison("newer", "older", "newest", "oldest")
COMPARISONS: Sequence[tuple[str, Comparison]] = (
    ("length duration runtime playtime distance", _LONG),
    ("height altitude elevation", _HIGH),
    ("area size surface acreage", _LARGE),
    ("population inhabitants capacity", _LARGE),
    ("price cost fare fee rent budget", EXPENSIVE),
    ("weight mass", Comparison("heavier", "lighter", "heaviest", "lightest")),
    ("salary wage pay", Comparison("higher paid", "lower paid", "highest paid", "lowest paid")),
    (
        "value worth",
        Comparison("more valuable", "less valuable", "most valuable", "least valuable"),
    ),
    ("age", Comparison("older", "younger", "oldest", "youngest")),
    ("abv alcohol strength", Comparison("stronger", "weaker", "strongest", "weakest")),
    ("depth", Comparison("deeper", "shallower", "deepest", "shallowest")),
    ("width", Comparison("wider", "narrower", "widest", "narrowest")),
    ("speed", Comparison("faster", "slower", "fastest", "slowest")),
    (
        "rating score grade stars",
        Comparison("better rated", "worse rated", "best rated", "worst rated"),
    ),
    ("released release published publication built founded purchase purchased bought", _NEW),
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
SCALES = word_set(
    "altitude elevation floor grade latitude level longitude order position rank rating score "
    "temperature temp version year"
)
"""Of these zero is a value like others, and not that there is none."""
