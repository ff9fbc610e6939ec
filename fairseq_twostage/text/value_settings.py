"""What a domain's values are made of: kinds, units and the words that people say."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from fairseq_twostage.errors import UserError
from fairseq_twostage.text.moments import DMY

NUMBER, DATE, TIME = KINDS = ("number", "date", "time")
ANY_UNIT = "any"  # as the executor has it
_A_NUMBER = re.compile(r"\(number (\S+?)(?: (\S+?))?\)")


class Said(NamedTuple):
    """What a word behind a number means.

    Attributes:
        unit: that of the facts, or one that no fact has; empty where nothing is measured so.
        factor: so many of these are one of what is said, as text: ``60``, ``1/12``.
        measured: whether it can be divided: an hour, not a star.
    """

    unit: str
    factor: str = "1"
    measured: bool = False

    @property
    def ratio(self) -> Fraction:
        """:attr:`factor` as a number."""
        return Fraction(self.factor)


@dataclass(frozen=True)
class Unit:
    """A unit of the facts.

    Attributes:
        word: that canonical utterances have behind the placeholder.
        kind: units of one kind are converted into each other.
        size: in the kind's base unit, as text: ``60``.
        examples: numbers that facts have, from the small ones up.
    """

    word: str
    kind: str
    size: str = "1"
    examples: tuple[str, ...] = ()


@dataclass(frozen=True)
class ValueSettings:
    """How a domain's values are read; all of it lies in one file.

    Attributes:
        kinds: of ``KINDS``; those whose placeholders the canonical utterances have.
        units: by the name that the facts have.
        said: by the words that people say.
        counted: words that canonical utterances have right behind ``_number_``, without units.
        labels: a word and the number behind it that canonical utterances have as they stand
            (``hall 2``): no values.
        order: of the parts of a date in digits.
        years: the first and the last year among the facts.
        hours: minutes since midnight of the first and the last time among the facts.
        examples: of dates and times, as people write them, that facts have.
    """

    kinds: tuple[str, ...]
    units: Mapping[str, Unit] = field(default_factory=dict)
    said: Mapping[str, Said] = field(default_factory=dict)
    counted: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    order: str = DMY
    years: tuple[int, int] | None = None
    hours: tuple[int, int] | None = None
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def sizes(self) -> dict[str, tuple[str, Fraction]]:
        """Kind and size of the units, as a world converts by them."""
        return {name: (unit.kind, Fraction(unit.size)) for name, unit in self.units.items()}

    def write(self, path: Path) -> None:
        """As :func:`read_settings` reads it."""
        content = asdict(self)
        content["said"] = {word: list(said) for word, said in sorted(self.said.items())}
        path.write_text(
            json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n",
            encoding="utf-8",
            newline="\n",
        )


def read_settings(path: Path) -> ValueSettings:
    """Of a data-bin or an exported folder.

    Raises:
        UserError: it is damaged.
    """
    try:
        return _read(path)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError("damaged; run twostage prepare again", str(path)) from None


def _read(path: Path) -> ValueSettings:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    content["units"] = {
        name: Unit(**{**unit, "examples": tuple(unit["examples"])})
        for name, unit in content["units"].items()
    }
    content["examples"] = {kind: tuple(found) for kind, found in content["examples"].items()}
    content["said"] = {word: Said(*said) for word, said in content["said"].items()}
    content["labels"] = tuple(map(tuple, content["labels"]))
    for name in ("kinds", "counted"):
        content[name] = tuple(content[name])
    for name in ("years", "hours"):
        content[name] = None if content[name] is None else tuple(content[name])
    return ValueSettings(**content)


def same_value(constant: str, other: str) -> bool:
    """Whether two constants are one, or one number of which a unit is said only once."""
    if constant == other:
        return True
    one, two = _A_NUMBER.fullmatch(constant), _A_NUMBER.fullmatch(other)
    return bool(one and two and one[1] == two[1] and ANY_UNIT in (one[2], two[2]))
