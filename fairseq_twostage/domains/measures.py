"""What people call units, and how large these are: the table of a domain's values.

``pint`` knows the sizes. It is asked when a data-bin is made; the table travels with that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from fairseq_twostage.errors import UserError, nearest
from fairseq_twostage.text.value_settings import ANY_UNIT, Said, Unit

# By pint's name. Letters that are rather another word (s, d, t, in) are left out.
MEASURES: Mapping[str, str] = {
    "millisecond": "milliseconds millisecond ms",
    "second": "seconds second secs sec",
    "minute": "minutes minute mins min",
    "hour": "hours hour hrs hr h",
    "day": "days day",
    "week": "weeks week",
    "month": "months month",
    "year": "years year yrs yr",
    "milligram": "milligrams milligram mg",
    "gram": "grams gram grammes gramme g",
    "kilogram": "kilograms kilogram kilos kilo kg kgs",
    "metric_ton": "tonnes tonne tons ton",
    "ounce": "ounces ounce oz",
    "pound": "pounds pound lbs lb",
    "stone": "stone stones",
    "millimeter": "millimetres millimetre millimeters millimeter mm",
    "centimeter": "centimetres centimetre centimeters centimeter cm",
    "meter": "metres metre meters meter m",
    "kilometer": "kilometres kilometre kilometers kilometer km kms",
    "inch": "inches inch",
    "foot": "feet foot ft",
    "yard": "yards yard yd",
    "mile": "miles mile",
    "milliliter": "millilitres millilitre milliliters milliliter ml",
    "centiliter": "centilitres centilitre centiliters centiliter cl",
    "liter": "litres litre liters liter l",
    "pint": "pints pint",
    "gallon": "gallons gallon",
    "meter**2": "square|metres square|metre square|meters square|meter sqm m2 m²",
    "foot**2": "square|feet square|foot sqft",
    "kilometer**2": "square|kilometres square|kilometers km2 km²",
    "mile**2": "square|miles",
    "hectare": "hectares hectare ha",
    "acre": "acres acre",
    "kilometer/hour": "km/h kph kmh",
    "mile/hour": "mph",
    "watt": "watts watt w",
    "kilowatt": "kilowatts kilowatt kw",
    "byte": "bytes byte",
    "kilobyte": "kilobytes kilobyte kb",
    "megabyte": "megabytes megabyte mb",
    "gigabyte": "gigabytes gigabyte gb",
    "terabyte": "terabytes terabyte tb",
}
FARTHEST = 10_000  # times as large or small as the facts' unit
FINE, FARTHEST_OF_FINE = ("millisecond", "byte"), 10**10  # nobody says it in these
# By code: people's words, and those of the hundredth.
CURRENCIES: Mapping[str, tuple[str, str]] = {
    "USD": ("dollars dollar bucks buck usd $", "cents cent"),
    "EUR": ("euros euro eur €", "cents cent"),
    "GBP": ("pounds pound quid gbp £", "pence penny"),
    "JPY": ("yen jpy ¥", ""),
    "CHF": ("francs franc chf", ""),
    "INR": ("rupees rupee inr", ""),
    "SEK": ("kronor krona sek", ""),
    "NOK": ("kroner krone nok dkk kr", ""),
    "PLN": ("zloty zlotys złoty pln", ""),
    "CZK": ("korunas koruna czk", ""),
}
# Names of units in facts that are no name of a measure, or of no other.
_ALSO = {"kilo": "kilogram", "metre": "meter", "litre": "liter", "kilometre": "kilometer"}
_ALSO |= {"dollar": "USD", "euro": "EUR", "yen": "JPY", "franc": "CHF", "rupee": "INR"}
_ALSO |= {"krona": "SEK", "krone": "NOK", "zloty": "PLN", "koruna": "CZK"}
_ALSO |= {"tonne": "metric_ton", "kg": "kilogram"}
_ALSO |= {"km": "kilometer", "cm": "centimeter", "mm": "millimeter", "gigabyte": "gigabyte"}
_ALSO |= {"square_feet": "foot**2", "square_metre": "meter**2", "hour": "hour"}
_ALSO |= {f"square_{unit}": f"{unit}**2" for unit in ("meter", "kilometer", "foot", "mile")}


class Spec(NamedTuple):
    """What a unit of the facts is.

    Attributes:
        measure: a name in ``MEASURES``, a code of ``CURRENCIES``, another name that pint knows;
            empty: something that is counted.
        words: what people say, first what canonical utterances say.
    """

    measure: str
    words: tuple[str, ...]


def spec_of(unit: str, told: Any) -> Spec:
    """What ``en.minute`` is, by its name unless a domain file tells.

    Args:
        unit: as in the facts.
        told: nothing; the measure, ``GBP``; or ``{unit: GBP, words: [pounds, quid]}``.
    """
    name = unit.rpartition(".")[2]
    words: tuple[str, ...] = ()
    if isinstance(told, dict):
        listed = told.get("words", ())
        words = (listed,) if isinstance(listed, str) else tuple(listed)
        told = told.get("unit")
    if told is None:
        measure = _ALSO.get(name, name if name in MEASURES and name != "pound" else "")
    else:
        measure = _ALSO.get(str(told), str(told))
        if measure not in CURRENCIES and measure not in MEASURES and not _known(measure):
            words, measure = (*words, str(told)), ""
    spoken = name.replace("_", " ")
    if not words and not measure:
        words = (spoken, "%", "per cent") if name == "percent" else (_plural(spoken), spoken)
    known = tuple(_words(measure))
    called = _plural(name) if len(name) > 2 else name
    first = (called,) if called in known else ()
    return Spec(measure, tuple(dict.fromkeys((*words, *first, *known))))


def unknown_measure(told: Any) -> str | None:
    """What is wrong with the measure that a domain file tells; None: it is one."""
    name = told.get("unit") if isinstance(told, dict) else told
    measure = _ALSO.get(str(name), str(name))
    if name is None or measure in CURRENCIES or measure in MEASURES or _known(measure):
        return None
    hint = nearest(str(name), [*MEASURES, *CURRENCIES])
    counted = f"leave the line out where it is counted, or say {{words: [{name}]}}"
    return f"{name!r} is no measure that is known; {counted}{hint}"


def unlike_its_name(unit: str, told: Any) -> str | None:
    """What is odd about a unit called after one measure and told to be of another kind."""
    called, meant = spec_of(unit, None).measure, spec_of(unit, told).measure
    if not called or not meant or _kind(called)[0] == _kind(meant)[0]:
        return None
    return f"{unit} is called {called} and told to be {meant}, which is of another kind"


def table(
    specs: Mapping[str, Spec], examples: Mapping[str, tuple[str, ...]], priced: bool = False
) -> tuple[dict[str, Unit], dict[str, Said]]:
    """Units of the facts, and what each word that people say means.

    Another currency than that of the facts has a unit of its own, so that it fits no fact. What
    is measured in a unit of another kind, or a far larger or smaller one, is no value: a film for
    "a six year old" is not looked for by minutes.

    Args:
        specs: by unit of the facts.
        examples: numbers of facts by unit.
        priced: facts are prices, in whatever currency: without one among ``specs`` all of them
            are said of a number.
    """
    units: dict[str, Unit] = {}
    for name, spec in specs.items():
        kind, size = _kind(spec.measure) if spec.measure else (name, Fraction(1))
        units[name] = Unit(spec.words[0], kind, str(size), examples.get(name, ()))
    said: dict[str, Said] = {}
    money = any(unit.kind in CURRENCIES for unit in units.values())
    for measure in (*MEASURES, *CURRENCIES):
        kind, size = _kind(measure)
        nearest = _nearest(units, kind, size)
        of_any = ANY_UNIT if priced else ""
        other = (f"other.{measure}" if money else of_any) if measure in CURRENCIES else ""
        for word in _words(measure):
            if nearest is None:
                said.setdefault(word, Said(other, "1", measure in MEASURES))
            else:
                factor = size / Fraction(units[nearest].size)
                said[word] = Said(nearest, str(factor), measure in MEASURES)
        for word in CURRENCIES.get(measure, ("", ""))[1].split():
            if nearest is not None:
                said[word] = Said(nearest, str(Fraction(1, 100)), False)
    for name, spec in specs.items():
        measured = bool(spec.measure) and spec.measure not in CURRENCIES
        for word in spec.words:
            plural = (word,) if spec.measure else (word, word.removesuffix("s"), _plural(word))
            said.update(dict.fromkeys(plural, Said(name, "1", measured)))
    return units, said


def _nearest(units: Mapping[str, Unit], kind: str, size: Fraction) -> str | None:
    """The unit of a kind that is nearest in size."""

    def apart(name: str) -> Fraction:
        ratio = size / Fraction(units[name].size)
        return max(ratio, 1 / ratio)

    def farthest(name: str) -> int:
        return FARTHEST_OF_FINE if spec_of(name, None).measure in FINE else FARTHEST

    same = [
        name for name, unit in units.items() if unit.kind == kind and apart(name) <= farthest(name)
    ]
    return min(same, key=apart, default=None)


def _words(measure: str) -> Iterator[str]:
    told = MEASURES.get(measure) or CURRENCIES.get(measure, ("", ""))[0]
    if measure and not told:
        told = f"{_plural(measure)} {measure}"
    return (word.replace("|", " ") for word in told.split())


def _plural(word: str) -> str:
    return word if word.endswith("s") else f"{word}s"


@cache
def _kind(measure: str) -> tuple[str, Fraction]:
    """The kind of a measure, and its size in the kind's base unit."""
    if measure in CURRENCIES:
        return measure, Fraction(1)
    found = _registry().Quantity(Fraction(1), measure).to_base_units()
    powers = found.dimensionality or found.unit_items()
    kind = " ".join(f"{name}^{float(power):g}" for name, power in sorted(dict(powers).items()))
    return kind, Fraction(found.magnitude)


def _known(measure: str) -> bool:
    """Whether pint knows it as a measure that is 0 where any other of its kind is."""
    registry = _registry()
    try:
        zero = registry.Quantity(Fraction(0), measure).to_base_units()
        names: Iterable[str] = registry.parse_units(measure)._units
    except Exception:  # of many kinds
        return False
    return zero.magnitude == 0 and str(measure) in {*map(str, names)}


@cache
def _registry() -> Any:
    try:
        from pint import UnitRegistry
    except ImportError:
        raise UserError("units need pint: pip install pint", where="units") from None
    return UnitRegistry(non_int_type=Fraction)
