"""Typed schemas of the JSON that this package writes, and the checksum over what it says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, StringConstraints, TypeAdapter, ValidationError

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json, read_text

T = TypeVar("T")
_adapters: dict[Any, TypeAdapter[Any]] = {}
CHECKSUM = "sha256"
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
# Becomes a part of paths.
DomainName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
# Of a file below a folder: no way up, nothing absolute.
FileName = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9_][\w.-]*(/[A-Za-z0-9_][\w.-]*)*$")
]
FunctionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*:[A-Za-z_]\w*$")]


def strict(kind: type[T]) -> type[T]:
    """A dataclass that :func:`checked` makes of JSON of exactly its fields and types."""
    config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
    kind.__pydantic_config__ = config  # type: ignore[attr-defined]
    return kind


def checked(kind: type[T], values: Any, where: str, damaged: str = "damaged: {}") -> T:
    """What JSON says, as a class marked by :func:`strict`.

    Args:
        kind: the class.
        values: JSON that has been read.
        where: names it in the error.
        damaged: the message; ``{}`` is which field, and what is wrong.

    Raises:
        UserError: a field is missing, unknown or cannot be.
    """
    try:
        return _adapter(kind).validate_json(json.dumps(values))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise UserError(damaged.format(f"{field}: {first['msg'].lower()}"), where) from None


def _adapter(kind: Any) -> TypeAdapter[Any]:
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def read_object(path: Path, what: str) -> dict[str, Any]:
    """The JSON object of a file that this package wrote.

    Raises:
        UserError: it cannot be read, as a pipe, or is none; ``what`` says then what it is not.
    """
    try:
        return dict(load_json(read_text(path, pipe=False)).items())
    except UserError:
        raise
    except (ValueError, AttributeError):
        raise UserError(what, str(path)) from None


def check_format(values: Mapping[str, Any], known: int, what: str, advice: str, where: str) -> None:
    """Refuse what another version wrote.

    Args:
        values: JSON with a ``format``.
        known: the format of this version.
        what: an export, say.
        advice: what to do.
        where: names it in the error.

    Raises:
        UserError: it is of another format, or its format is no whole number.
    """
    found = values["format"]
    if type(found) is not int:
        said = json.dumps(found)[:20]
        raise UserError(f"{what} whose format is no whole number but {said}: {advice}", where)
    if found != known:
        raise UserError(
            f"{what} of format {found!s:.20}, made by version {values.get('version', 'unknown')}; "
            f"this version reads format {known}: {advice}",
            where,
        )


def checksum(content: Mapping[str, Any]) -> str:
    """SHA-256 of all that JSON says but the sum itself, however it is laid out."""
    rest = {name: value for name, value in content.items() if name != CHECKSUM}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def with_checksum(content: Mapping[str, Any]) -> dict[str, Any]:
    """The content with its sum."""
    return {**content, CHECKSUM: checksum(content)}
