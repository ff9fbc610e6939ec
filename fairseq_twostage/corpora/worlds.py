"""What a domain's logical forms are executed in: before preparation, and from a data-bin."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from fairseq_twostage.corpora.databin import (
    WORLD,
    Manifest,
    data_bin_lines,
    read_manifest,
    world_file,
)
from fairseq_twostage.corpora.domain import Domain
from fairseq_twostage.corpora.domains import GEO, domain_file, load_domain
from fairseq_twostage.corpora.pairs import domain_pairs
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import ExactMatchWorld, FunctionWorld, World, load_world

TRIPLES = "world.tsv"
EXECUTOR_FOLDER = "executor"
EXACT_MATCH = "exact match"


def open_world(name: str, geo_db: str | os.PathLike[str] | None = None) -> World:
    """The world of ``--domain``: a built-in domain, a ``.tsv``, a ``domain.yaml`` or its folder.

    Raises:
        UserError: there is none.
    """
    if domain_file(name) is None:
        return load_world(name, geo_db)
    domain = load_domain(name)
    base = domain.base(Path())
    world = database_world(domain, base)
    if world is None:
        return ExactMatchWorld(form for _, form in domain_pairs(domain, base, None))
    return world


def database_world(domain: Domain, raw: Path) -> World | None:
    """The domain's world or executor; None where logical forms are compared as text."""
    base = domain.base(raw)
    if domain.executor is not None:
        return function_world(domain.executor, base)
    if domain.world is None:
        return None
    if domain.world.endswith(".db"):
        return load_world(GEO, base / domain.world, domain.aggregates)
    if domain.world.endswith(".tsv"):
        return load_world(str(base / domain.world), None, domain.aggregates)
    return load_world(domain.world, None, domain.aggregates)


def carry_world(domain: Domain, raw: Path, folder: Path) -> dict[str, Any]:
    """Put into a data-bin what execution needs.

    Returns:
        what the manifest's options say of it; nothing for Overnight's domains and geo, whose
        name says it, and of aggregates only what the world does not imply.
    """
    base = domain.base(raw)
    if domain.executor is not None:
        module = base / f"{domain.executor.partition(':')[0]}.py"
        if module.is_file():
            (folder / EXECUTOR_FOLDER).mkdir()
            shutil.copyfile(module, folder / EXECUTOR_FOLDER / module.name)
        return {"executor": domain.executor}
    if domain.world is None:
        return {"world": EXACT_MATCH}
    own = domain.world.endswith(".tsv")
    unusual = domain.aggregates not in (None, "rows" if own else "values")
    said = {"aggregates": domain.aggregates} if unusual else {}
    if domain.world_file:
        name = TRIPLES if own else WORLD
        shutil.copyfile(base / domain.world, folder / name)
        return said if (name, domain.name) == (WORLD, GEO) else {"world": name, **said}
    return said if domain.world == domain.name else {"world": domain.world, **said}


def world_of(folder: str | Path) -> World:
    """The world of a data-bin's domain, from what the data-bin itself carries.

    Raises:
        UserError: it is no data-bin, or its executor cannot be imported.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    executor = manifest.options.get("executor")
    if executor is not None:
        return function_world(executor, folder / EXECUTOR_FOLDER)
    return _carried_world(folder, manifest)


def _carried_world(folder: Path, manifest: Manifest) -> World:
    name, aggregates = manifest.options.get("world"), manifest.options.get("aggregates")
    if name == EXACT_MATCH:
        return ExactMatchWorld(_known_forms(folder))
    if name == TRIPLES:
        return load_world(str(folder / TRIPLES), None, aggregates)
    if name == WORLD:
        return load_world(GEO, folder / WORLD, aggregates)
    return load_world(name or manifest.domain, world_file(folder), aggregates)


def _known_forms(folder: Path) -> Iterable[str]:
    for split in ("train", "valid"):
        yield from data_bin_lines(folder / "text" / f"{split}.cf-lf.lf")


def function_world(name: str, folder: Path) -> FunctionWorld:
    """The executor ``module:function``; the module lies in ``folder`` or can be imported.

    Raises:
        UserError: there is no such module or function, or importing it fails.
    """
    module_name, _, function_name = name.partition(":")
    path = folder / f"{module_name}.py"
    source = path if path.is_file() else None
    try:
        module = importlib.import_module(module_name) if source is None else _import(source)
        function: Callable[[str], Any] = getattr(module, function_name)
    except Exception as error:  # a user's module may raise anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise UserError(f"cannot be used as executor ({reason})", where=name) from error
    if not callable(function):
        raise UserError("is no function", where=name)
    return FunctionWorld(name, function, source)


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
