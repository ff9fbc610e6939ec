"""How rows and values of a database are written in logical forms.

==============  ============================  ==============================================
what            in a logical form             example
==============  ============================  ==============================================
a table         ``en.TABLE``                  ``en.film``
a row of it     ``en.TABLE.KEY``              ``en.film.42``, ``en.line.10248,11``
a text value    ``en.TABLE.DIMENSION.VALUE``  ``en.film.genre.science%20fiction``
a property      ``TABLE.PROPERTY``            ``(string film.genre)``
a relationship  its name                      ``(string directed_by)``
an inverse      ``!`` before it               ``(string !film.genre)``
a number        with the unit as in the file  ``(number 90 minute)``, ``(number 5)``
a date, a time  as ever                       ``(date 2004 -1 -1)``, ``(time 9 30)``
==============  ============================  ==============================================

``en`` is the schema's prefix. ``PROPERTY`` alone does where one table has it.
A dimension with a ``type`` has values ``en.TYPE.VALUE``, so that dimensions can share them.
Whole rows are named by the values of a name: ``(call SW.getProperty en.film.title.Alien (string
!film.title))`` denotes all films of that title, needs no key and holds for rows added later.

Beside SEMPRE's functions there are those of :mod:`fairseq_twostage.semantics.own_functions`
(``top``, ``group``, ``groupSuperlative``, ``any``, ``without``, a ``filter`` by ``(boolean
false)``) and ``aggregate`` by ``min`` and ``max``. In a person's database a date that is a year or
month stands for all its days, and concat keeps a row once.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.values import Name

_SPECIAL = re.compile(r"[^\w.'&/+:@-]")
_DOT_OR_FIRST = re.compile(r"\.|^_|^$")


def constant(type_name: str, *parts: object) -> str:
    """The atom that stands for a row (by the columns of its key) or for a value.

    Args:
        type_name: with its prefix, as ``en.film`` or ``en.film.genre``.
        parts: the key's columns, or the value.
    """
    texts = [_SPECIAL.sub(_percent, str(part)) for part in parts]
    name = f"{type_name}.{','.join(texts)}"
    if _has_type(name, type_name):
        return name
    return f"{type_name}.{','.join(_DOT_OR_FIRST.sub(_percent_or_empty, text) for text in texts)}"


def parts_of(name: str, type_name: str) -> list[str]:
    """The texts that :func:`constant` wrote into a name of this type."""
    return [
        "" if text == "%" else unquote(text, errors="surrogateescape")
        for text in name[len(type_name) + 1 :].split(",")
    ]


def is_of(name: str, type_name: str) -> bool:
    """Whether a name is that of a row or value of the type."""
    return _has_type(name, type_name)


def _has_type(name: str, type_name: str) -> bool:
    try:
        return Name(name).type == type_name
    except ExecutionError:
        return False


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))


def _percent_or_empty(match: re.Match[str]) -> str:
    return _percent(match) if match[0] else "%"
