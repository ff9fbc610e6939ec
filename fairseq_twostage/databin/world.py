"""The world that a data-bin carries."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from fairseq_twostage.databases.opening import SCHEMA_FILE, carry_schema, open_schema
from fairseq_twostage.databin.folder import (
    WORLD,
    Manifest,
    check_files,
    data_bin_lines,
    read_manifest,
    world_file,
)
from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.registry import GEO
from fairseq_twostage.domains.worlds import function_world
from fairseq_twostage.semantics import ExactMatchWorld, World, load_world
from fairseq_twostage.text.frontend import VALUES_FILE
from fairseq_twostage.text.value_settings import read_settings

W = TypeVar("W", bound=World)
TRIPLES = "world.tsv"
EXECUTOR_FOLDER = "executor"
EXACT_MATCH = "exact match"


def carry_world(domain: Domain, raw: Path, folder: Path) -> dict[str, Any]:
    """Put into a data-bin what execution needs.

    Returns:
        what the manifest's options say of it; nothing for Overnight's domains and geo, whose
        name says it, and of aggregates only what the world does not imply.
    """
    base = domain.base(raw)
    if domain.database is not None:
        carry_schema(base / domain.database, folder / SCHEMA_FILE)
        return {"database": SCHEMA_FILE}
    if domain.executor is not None:
        world = function_world(domain.executor, base, installed=True)
        (folder / EXECUTOR_FOLDER).mkdir()
        shutil.copyfile(world.source, folder / EXECUTOR_FOLDER / world.source.name)
        return {"executor": world.name}
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
    check_files(folder, manifest)
    if manifest.options.get("database") is not None:
        return with_units(open_schema(folder / SCHEMA_FILE, manifest.domain), folder)
    executor = manifest.options.get("executor")
    if executor is not None:
        return function_world(executor, folder / EXECUTOR_FOLDER)
    return _carried_world(folder, manifest)


def _carried_world(folder: Path, manifest: Manifest) -> World:
    name, aggregates = manifest.options.get("world"), manifest.options.get("aggregates")
    if name == EXACT_MATCH:
        return ExactMatchWorld(_known_forms(folder))
    if name == TRIPLES:
        world = load_world(str(folder / TRIPLES), None, aggregates)
        return with_units(world, folder)
    if name == WORLD:
        return load_world(GEO, folder / WORLD, aggregates)
    return load_world(name or manifest.domain, world_file(folder), aggregates)


def with_units(world: W, folder: Path) -> W:
    """The world, converting between the units that a data-bin or an exported folder tells of."""
    if (folder / VALUES_FILE).is_file():
        world.units = read_settings(folder / VALUES_FILE).sizes
    return world


def _known_forms(folder: Path) -> Iterable[str]:
    for split in ("train", "valid"):
        yield from data_bin_lines(folder / "text" / f"{split}.cf-lf.lf")
