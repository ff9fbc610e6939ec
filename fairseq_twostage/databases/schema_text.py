"""``schema.yaml`` as a person reads and edits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from fairseq_twostage.databases.guessed import Guessed

WIDTH = 100
_HEAD = """\
# What the database means, in people's words: questions are made of this file, and answered by it.
# Edit what is wrong or missing; "guessed: true" was not declared in the database.
# Which words count most: noun, plural, synonyms; phrase and inverse of relationships; most and
# least of measures. "twostage canonical DIR" shows the questions that they make.
"""
_COMMENTS = {
    "tables": "# A kind of things each; name: the dimension by which people name one.",
    "relationships": (
        '# How things belong together. phrase reads on from the first thing (a film "directed by"\n'
        '# a person, a river that "runs through" a state), inverse from the second ("director of").'
    ),
}


def schema_text(database: str, guessed: Guessed) -> str:
    """The whole file."""
    lines = [_HEAD, "version: 1", f"database: {_scalar(database)}"]
    lines += ["asides: [] # what all rows have in common and people say: [usa, our shop]", ""]
    lines += [_COMMENTS["tables"], "tables:"]
    for name, table in guessed.tables.items():
        lines += [*_mapping({name: table}, (("tables",)), guessed.notes, 1), ""]
    if guessed.relationships:
        lines += [_COMMENTS["relationships"], "relationships:"]
        for name, entry in guessed.relationships.items():
            lines.append(f"  {name}: {_flow(entry)}")
        lines.append("")
    if guessed.left_out:
        lines.append("# Left out:")
        lines += [f"# {line}" for line in guessed.left_out]
    return "\n".join(lines).rstrip() + "\n"


def _mapping(
    values: Mapping[str, Any], at: tuple[str, ...], notes: Mapping[tuple[str, ...], str], depth: int
) -> Iterator[str]:
    indent = "  " * depth
    for key, value in values.items():
        place = (*at, key)
        note = f" # {' '.join(notes[place].split())}" if place in notes else ""
        if isinstance(value, Mapping) and depth < 4 and _is_group(place):
            yield f"{indent}{key}:{note}"
            yield from _mapping(value, place, notes, depth + 1)
        else:
            yield f"{indent}{_scalar(key)}: {_flow(value)}{note}"


def _is_group(place: tuple[str, ...]) -> bool:
    """Tables and their groups of properties are blocks; a property is one line."""
    return len(place) in (2, 3)


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    """As YAML writes it on one line, inside braces or not."""
    if isinstance(value, str):
        value = "".join(value)  # a plain one: SQLAlchemy has a subclass
    text = yaml.safe_dump([value], default_flow_style=True, width=float("inf"), allow_unicode=True)
    return text.strip()[1:-1]
