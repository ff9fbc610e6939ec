"""What a domain's logical forms are executed in."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fairseq_twostage.databases.opening import SCHEMA_FILE, open_schema
from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.pairs import domain_pairs
from fairseq_twostage.domains.registry import GEO, domain_file, load_domain
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import ExactMatchWorld, FunctionWorld, World, load_world


def open_world(name: str, geo_db: str | os.PathLike[str] | None = None) -> World:
    """The world of ``--domain``: a built-in domain, a ``.tsv``, a ``domain.yaml`` or its folder,
    a ``schema.yaml``.

    Raises:
        UserError: there is none.
    """
    if Path(name).name == SCHEMA_FILE:
        return open_schema(Path(name))
    if domain_file(name) is None:
        return load_world(name, geo_db)
    domain = load_domain(name)
    base = domain.base(Path())
    world = database_world(domain, base)
    if world is None:
        return ExactMatchWorld(form for _, form in domain_pairs(domain, base, None)[0])
    return world


def database_world(domain: Domain, raw: Path) -> World | None:
    """The domain's world or executor; None where logical forms are compared as text."""
    base = domain.base(raw)
    if domain.database is not None:
        return open_schema(base / domain.database, domain.name)
    if domain.executor is not None:
        return function_world(domain.executor, base, installed=True)
    if domain.world is None:
        return None
    if domain.world.endswith(".db"):
        return load_world(GEO, base / domain.world, domain.aggregates)
    if domain.world.endswith(".tsv"):
        return load_world(str(base / domain.world), None, domain.aggregates)
    return load_world(domain.world, None, domain.aggregates)


_allowed: set[str] = set()  # installed modules that a domain.yaml may name


def allow_executors(modules: Iterable[str]) -> None:
    """Let a ``domain.yaml`` name these installed modules: importing one runs its code."""
    _allowed.update(modules)


def function_world(name: str, folder: Path, installed: bool = False) -> FunctionWorld:
    """The executor ``module:function``.

    Args:
        name: of both.
        folder: where the module's file lies.
        installed: whether it may be an installed module instead, if :func:`allow_executors` has
            been told of it.

    Raises:
        UserError: there is no such module or function, or importing it fails.
    """
    module_name, _, function_name = name.partition(":")
    path = folder / f"{module_name}.py"
    plain = module_name.isidentifier() and function_name.isidentifier()
    source = path if plain and path.is_file() else None
    if source is None and not (installed and module_name in _allowed):
        reason = f"no file {module_name}.py in {folder}"
        if installed:
            reason += f"; an installed module is loaded with --allow-executor {module_name}"
        raise UserError(f"cannot be used as executor ({reason})", where=name)
    try:
        module = importlib.import_module(module_name) if source is None else _import(source)
        function: Callable[[str], Any] = getattr(module, function_name)
    except Exception as error:  # a user's module may raise anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise UserError(f"cannot be used as executor ({reason})", where=name) from error
    if not callable(function):
        raise UserError("is no function", where=name)
    if source is None:
        name, source = f"{module_name.rpartition('.')[2]}:{function_name}", _source_of(module, name)
    return FunctionWorld(name, function, source)


def _source_of(module: Any, name: str) -> Path:
    """The file of an installed module, which data-bins and exports carry."""
    file = Path(getattr(module, "__file__", None) or "")
    if file.suffix != ".py" or file.stem == "__init__":
        raise UserError(
            "is no single Python file, so a data-bin cannot carry it; name a file beside "
            "domain.yaml that imports it",
            where=name,
        )
    return file


def _import(path: Path) -> Any:
    """The module in a file, under a name of its own: ``calendar.py`` is not Python's."""
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    name = f"{path.stem}_executor_{place}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that what it defines can be pickled
    spec.loader.exec_module(module)
    return module
