"""Whether a value that a person wrote into a file of facts is one that can be meant.

The reader of forms takes what SEMPRE takes: what follows a form is ignored, ``(boolean yes)`` is
false, a date may be the thirtieth of February. In facts of one's own each of these is a slip.
"""

from __future__ import annotations

import datetime
import math

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.numerals import in_full
from fairseq_twostage.semantics.sexp import tokens
from fairseq_twostage.semantics.values import Boolean, Date, Name, Number, Time, Value

_SIZES = {"name": (2,), "number": (2, 3), "date": (4,), "time": (3,), "boolean": (2,)}
UNSAID = -1
LEAP_YEAR = 2004


def check_written(text: str, value: Value) -> None:
    """Raise :class:`ExecutionError` unless ``text``, read as ``value``, can be meant so."""
    items = [item if type(item) is str else item[0] or "" for item in tokens(text)]
    inside = items[1:-1] if items[:1] == ["("] else ["name", *items]
    if len(inside) not in _SIZES.get(inside[0], ()) or {"(", ")"} & set(inside):
        raise _error(text, "is more than one value")
    if isinstance(value, Number):
        _check_number(text, inside[1:], value)
    elif isinstance(value, Date) and not _is_date(value):
        raise _error(text, "is no date of the calendar")
    elif isinstance(value, Time) and not (
        UNSAID <= value.hour < 24 and UNSAID <= value.minute < 60
    ):
        raise _error(text, "is no time of a day")
    elif isinstance(value, Boolean) and inside[1].lower() not in ("true", "false"):
        raise _error(text, "is neither true nor false")
    elif isinstance(value, Name) and value.id.replace(".", "", 1).isdecimal():
        raise _error(text, f"is a name; a number is written (number {value.id})")


def _check_number(text: str, said: list[str], number: Number) -> None:
    digits = said[0].lstrip("+-")
    if not math.isfinite(number.value) and "Infinity" not in digits:
        raise _error(text, "is too large for a number")
    if digits.isdecimal() and int(digits) != abs(int(number.value)):
        raise _error(text, f"has more digits than are kept: it would be {in_full(number.value)}")
    if len(said) > 1 and said[1][:1].isdecimal():
        raise _error(text, "has a digit where its unit should be; write 1000, not 1 000")


def _is_date(date: Date) -> bool:
    month = 1 if date.month == UNSAID else date.month
    day = 1 if date.day == UNSAID else date.day
    year = date.year if 1 <= date.year <= datetime.MAXYEAR else LEAP_YEAR
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


def _error(text: str, reason: str) -> ExecutionError:
    return ExecutionError("parse", f"{text[:80]!r} {reason}")
