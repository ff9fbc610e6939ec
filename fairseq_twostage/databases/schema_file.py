"""Reading ``schema.yaml``: each mistake is one line with its place and the nearest right name."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from fairseq_twostage.databases.schema import Place, Schema
from fairseq_twostage.databases.schema_checks import contradictions, missing_names
from fairseq_twostage.errors import UserError, nearest
from fairseq_twostage.yaml_reading import compose_yaml, construct


def read_schema(path: Path) -> Schema:
    """The schema in a file.

    Raises:
        UserError: with ``file:line`` for anything that cannot be.
    """
    values, lines = _read_yaml(path)
    _warn_of_indexes(values, lines, path)
    try:
        schema = Schema.model_validate(values)
    except ValidationError as errors:
        first = min(errors.errors(), key=lambda error: _line(lines, error["loc"]))
        raise UserError(_message(first), f"{path}:{_line(lines, first['loc'])}") from None
    wrong = [
        (at, f"no {name!r}{nearest(name, known)}") for at, name, known in missing_names(schema)
    ]
    wrong.extend(contradictions(schema))
    if wrong:
        at, message = min(wrong, key=lambda item: _line(lines, item[0]))
        raise UserError(f"{at[-1]}: {message}", f"{path}:{_line(lines, at)}")
    return schema


def line_of(path: Path, at: Place) -> int:
    """The line of a part of the file, or of what is around it."""
    return _line(_read_yaml(path)[1], at)


def _warn_of_indexes(values: Any, lines: dict[Place, int], path: Path) -> None:
    """Take ``values: index``, as earlier files have it, for the lexicon's."""
    for at, line in lines.items():
        if at[0:1] == ("tables",) and at[2:3] == ("dimensions",) and at[4:] == ("values",):
            dimension = values["tables"][at[1]]["dimensions"][at[3]]
            if dimension["values"] == "index":
                dimension["values"] = "lexicon"
                message = "all values are looked up in an index; leave 'values: index' out"
                print(f"warning: {path}:{line}: {message}", file=sys.stderr)


def _read_yaml(path: Path) -> tuple[Any, dict[Place, int]]:
    """What the file says, and the line of each of its parts."""
    root = compose_yaml(path)
    if getattr(root, "id", None) != "mapping":
        raise UserError("wants lines of key: value", str(path))
    lines: dict[Place, int] = {(): 1}

    def value(node: Any, at: Place) -> Any:
        lines.setdefault(at, node.start_mark.line + 1)
        if node.id == "mapping":
            made: dict[Any, Any] = {}
            for key_node, value_node in node.value:
                line = key_node.start_mark.line + 1
                if key_node.id != "scalar":
                    raise UserError("wants a text before the colon", f"{path}:{line}")
                # As written: YAML reads yes, no, on and off as truth values, 12 as a number.
                key = key_node.value
                place = (*at, key)
                lines[place] = line
                made[key] = value(value_node, place)
            return made
        if node.id == "sequence":
            return [value(item, (*at, number)) for number, item in enumerate(node.value)]
        if node.tag.endswith(":bool") and node.value.lower() not in ("true", "false"):
            return node.value  # "on" is a preposition here
        return construct(node, path)

    return value(root, ()), lines


def _line(lines: dict[Place, int], at: Place) -> int:
    while at not in lines:
        at = at[:-1]
    return lines[at]


def _message(error: Any) -> str:
    at = [part for part in error["loc"] if part != "[key]"]
    last = str(at[-1])
    if error["type"] == "extra_forbidden":
        return f"no setting {last!r}{nearest(last, _settings(at[:-1]))}"
    if error["type"] == "missing":
        return f"{last} is missing" if len(at) < 2 else f"{at[-2]}: {last} is missing"
    if error["type"] == "string_pattern_mismatch":
        return f"{last}: a name here has letters, digits and _, and begins with a letter"
    return f"{last}: {error['msg'][:1].lower()}{error['msg'][1:]}, not {str(error['input'])[:60]!r}"


def _settings(at: list[Any]) -> list[str]:
    """The settings that the part of the file has."""
    model: Any = Schema
    for part in at:
        if not (isinstance(model, type) and issubclass(model, BaseModel)):
            model = _member(model)
            continue
        fields = {field.alias or name: field for name, field in model.model_fields.items()}
        model = fields[str(part)].annotation
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return []
    return [field.alias or name for name, field in model.model_fields.items()]


def _member(annotation: Any) -> Any:
    """The type of a mapping's values or a list's members."""
    return (get_args(annotation) or (None,))[-1]
