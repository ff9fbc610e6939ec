"""YAML that people bring, read in bounded time and memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text

if TYPE_CHECKING:
    import yaml

MAX_BYTES = 1 << 22
MAX_DEPTH = 40
MAX_NODES = 200_000  # aliases written out


def compose_yaml(path: Path) -> yaml.Node | None:
    """The nodes of a file, which know their lines; None of an empty one.

    Raises:
        UserError: with ``file:line``: it is no YAML, or is nested too deeply, or is too much, or
            says a key a second time.
    """
    yaml = _yaml(path)
    # A tab that a spreadsheet or an editor left at a line's end is no token of YAML's.
    text = "\n".join(line.rstrip(" \t") for line in read_text(path, MAX_BYTES).split("\n"))
    with one_line_errors(path):
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                where = f"{path}:{event.start_mark.line + 1}"
                raise UserError(f"nested more than {MAX_DEPTH} deep", where)
        root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None:
        _written_out(root, {}, path)
    return root


def load_yaml(path: Path) -> Any:
    """What a file says; :class:`UserError` as :func:`compose_yaml`."""
    root = compose_yaml(path)
    return None if root is None else construct(root, path)


def construct(node: yaml.Node, path: Path) -> Any:
    """The value of a node.

    Raises:
        UserError: it has none, as a number of ten thousand digits.
    """
    yaml = _yaml(path)
    with one_line_errors(path, node):
        return yaml.SafeLoader("").construct_object(node, deep=True)


@contextmanager
def one_line_errors(path: Path, node: yaml.Node | None = None) -> Iterator[None]:
    """Say what cannot be read with ``file:line``."""
    yaml = _yaml(path)
    line = f"{path}:{node.start_mark.line + 1}" if node is not None else str(path)
    try:
        yield
    except UserError:
        raise
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error)
        where = f"{path}:{mark.line + 1}" if mark else line
        raise UserError(f"not YAML: {' '.join(reason.split())}", where) from None
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise UserError(f"not YAML: {' '.join(str(error).split())[:120]}", line) from None


def _written_out(
    node: yaml.Node, known: dict[int, tuple[int, int] | None], path: Path
) -> tuple[int, int]:
    """How many nodes there are, and how deep, aliases written out; None while they are counted.

    Raises:
        UserError: these are too many, or a mapping has a key twice.
    """
    where = f"{path}:{node.start_mark.line + 1}"
    if id(node) in known:
        found = known[id(node)]
        if found is None:
            raise UserError("an alias that stands for itself", where)
        return found
    known[id(node)] = None
    _check_keys(node, path)
    parts: Any = node.value if isinstance(node.value, list) else []
    pairs = (each if isinstance(each, tuple) else (each,) for each in parts)
    size = depth = 1
    for part in (part for pair in pairs for part in pair):
        nodes, levels = _written_out(part, known, path)
        size, depth = size + nodes, max(depth, levels + 1)
    if size > MAX_NODES:
        raise UserError(f"more than {MAX_NODES} values, aliases written out", where)
    if depth > MAX_DEPTH + 1:
        raise UserError(f"nested more than {MAX_DEPTH} deep, aliases written out", where)
    known[id(node)] = size, depth
    return size, depth


def _check_keys(node: yaml.Node, path: Path) -> None:
    """Refuse a key that a mapping has twice: YAML would take the last one in silence."""
    keys: set[str] = set()
    for key, _ in node.value if node.id == "mapping" else ():
        if key.id == "scalar" and not key.tag.endswith(":merge"):
            if key.value in keys:
                where = f"{path}:{key.start_mark.line + 1}"
                raise UserError(f"{key.value[:60]} is said a second time", where)
            keys.add(key.value)


def _yaml(path: Path) -> Any:
    try:
        import yaml
    except ImportError:
        raise UserError("reading it needs PyYAML: pip install PyYAML", where=str(path)) from None
    return yaml
