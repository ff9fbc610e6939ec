"""Writing the folder of an exported parser; :mod:`.bundle` says what lies in it and reads it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import save
from torch import nn

from fairseq_twostage import __version__
from fairseq_twostage.databases.opening import SCHEMA_FILE, carry_schema, schema_file
from fairseq_twostage.databin.world import EXECUTOR_FOLDER
from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.domains.pairs import write_pairs
from fairseq_twostage.durable import alone, install
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import sha256
from fairseq_twostage.inference.bundle import (
    BUNDLE,
    DICTIONARIES,
    DUAL,
    FORMAT,
    FORMS,
    FURTHER,
    KNOWN,
    PAIRS,
    PARAPHRASER,
    PARSER,
    SHARED,
    TARGETS,
    WEIGHTS,
    WORLD,
)
from fairseq_twostage.inference.candidates import BeamSearch, FirstStage, NoParaphrase
from fairseq_twostage.inference.description import Description
from fairseq_twostage.inference.likelihood import Direction
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.plain_models import Sizes
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.inference.similarity_files import write_similarity
from fairseq_twostage.inference.trust_files import write_trust
from fairseq_twostage.models.vocabulary import Vocabulary
from fairseq_twostage.pairing.features import SENTENCE_ENCODER
from fairseq_twostage.schema import checked, with_checksum
from fairseq_twostage.semantics import TripleStore, World
from fairseq_twostage.semantics.foreign import ExactMatchWorld, FunctionWorld
from fairseq_twostage.semantics.loading import write_triples
from fairseq_twostage.writing import atomic_write, check_folder, staged_folder, write_json


def write_bundle(
    parser: TwoStageParser, dest: Path, force: bool = False, system: str = "by_hand"
) -> int:
    """Write the folder of a parser; it appears whole, by a rename, or not at all.

    Args:
        parser: what is exported.
        dest: the folder.
        force: whether an exported parser there is replaced.
        system: the name that its scores go by.

    Returns:
        its size in bytes.

    Raises:
        UserError: ``dest`` exists and is not to be replaced, or cannot be written.
    """
    check_destination(dest, force)
    with staged_folder(dest) as folder:
        _write_files(parser, folder, system)
        size = sum(path.stat().st_size for path in folder.rglob("*"))
        with alone(dest.parent):
            check_destination(dest, force)
            install(folder, dest)
    return size


def check_destination(dest: Path, force: bool) -> None:
    """Fail before the work if ``dest`` could not be written.

    Raises:
        UserError: it is there, and is no exported parser or ``force`` is not given.
    """
    check_folder(dest.parent)
    if not dest.exists() or (dest.is_dir() and not any(dest.iterdir())):
        return
    if not (dest / BUNDLE).is_file():
        raise UserError("exists and is no exported parser; choose another folder", str(dest))
    if not force:
        raise UserError("exists already; --force replaces it", str(dest))


def _write_files(parser: TwoStageParser, folder: Path, system: str) -> None:
    networks = _networks(parser)
    described: dict[str, Any] = {}
    words: dict[str, list[str]] = {}
    if not networks:
        words["utterance"] = _symbols(parser.reader.vocabulary)
    for name, network in networks.items():
        described[name] = Sizes.of(network.encoder, network.decoder)._asdict()
        parts: dict[str, nn.Module] = {"encoder": network.encoder, "decoder": network.decoder}
        described[name][SHARED] = name == DUAL and network.encoder is networks[PARAPHRASER].encoder
        if described[name][SHARED]:
            del parts["encoder"]
        _write_weights(folder / WEIGHTS.format(name), parts)
        sides = {"utterance": network.encoder, TARGETS.get(name, "cf"): network.decoder}
        for side, module in sides.items():
            symbols = list(module.dictionary.symbols)
            if words.setdefault(side, symbols) != symbols:
                raise UserError("paraphraser and parser were trained with different dictionaries")
    write_json(folder / DICTIONARIES, words)
    write_pairs(sorted(parser.pairs.items()), folder / PAIRS)
    if parser.further:
        write_pairs(sorted(parser.further.items()), folder / FURTHER)
    with open(folder / KNOWN, "w", encoding="utf-8", newline="\n") as file:
        for canonical, hypotheses in sorted(parser.parse.known.items()):
            forms = [[text, round(score, 6)] for text, score in hypotheses]
            file.write(json.dumps([canonical, forms], ensure_ascii=False) + "\n")
    world = _write_world(parser.world, folder)
    parser.reader.frontend.write(folder)
    first = _write_first_stage(parser.first, folder)
    if parser.trust is not None:
        write_trust(parser.trust, folder)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    content = {
        "format": FORMAT,
        "version": __version__,
        "system": system,
        "domain": parser.domain,
        "beam": parser.second.beam if parser.second is not None else 0,
        "pick": parser.pick,
        "lookup": parser.lookup,
        "first_stage": first,
        "tokenisation": parser.reader.frontend.tokenisation,
        "networks": described,
        "needs": ["sentence-encoder"] if SENTENCE_ENCODER in first.get("similarities", ()) else [],
        "world": world,
        "trust": parser.trust is not None,
        "examples": list(parser.examples),
        "files": {path.relative_to(folder).as_posix(): sha256(path) for path in paths},
    }
    said = with_checksum(content)
    checked(Description, said, str(folder), "cannot be exported: {}")
    write_json(folder / BUNDLE, said)


def _networks(parser: TwoStageParser) -> dict[str, Direction | BeamStage]:
    """By name, those of the first stage first."""
    first, found = parser.first, dict[str, Direction | BeamStage]()
    if isinstance(first, BeamSearch):
        stages = first.stage.stages if isinstance(first.stage, MixtureStage) else [first.stage]
        for place, stage in enumerate(stages, start=1):
            found[PARAPHRASER if place == 1 else f"{PARAPHRASER}.{place}"] = stage
    elif isinstance(first, Reranking):
        direct = first.direct.direction if first.direct is not None else first.proposals
        if direct is not None:
            found[PARAPHRASER] = direct
        if first.dual is not None:
            if direct is None:
                raise UserError("the dual model alone cannot be exported; add forward", "--rerank")
            found[DUAL] = first.dual.direction
    elif not isinstance(first, NoParaphrase):
        raise UserError(f"a {type(first).__name__} cannot be exported")
    if parser.second is not None:
        found[PARSER] = parser.second
    return found


def _symbols(words: Iterable[str]) -> list[str]:
    return Vocabulary(sorted(words)).symbols


def _write_weights(path: Path, parts: Mapping[str, nn.Module]) -> None:
    weights = {
        f"{part}.{key}": tensor.detach().cpu().contiguous()
        for part, module in parts.items()
        for key, tensor in module.state_dict().items()
    }
    with atomic_write(path, "wb") as file:  # with the usual permissions
        file.write(save(weights))


def _write_first_stage(first: FirstStage, folder: Path) -> dict[str, Any]:
    """Write what is fitted; returns how ẑ is found."""
    if isinstance(first, Reranking):
        for similarity in first.similarities.values():
            write_similarity(similarity, folder)
        if first.learnt is not None:
            first.learnt.write(folder)
        return {
            "kind": "reranking",
            "candidates": list(first.candidates),
            "weights": dict(first.weights),
            "similarities": list(first.similarities),
            "prior": None if first.prior is None else first.prior.tolist(),
            "proposals": 0 if first.proposals is None else first.proposals.beam,
            "faithful": first.faithful,
            "learnt": first.learnt is not None,
        }
    if isinstance(first, NoParaphrase):
        words = None if first.canonical is None else sorted(first.canonical)
        return {"kind": "none", "canonical": words}
    return {"kind": "beam"}


def _write_world(world: World, folder: Path) -> dict[str, str]:
    """Write the world's triples, or say which function executes forms."""
    if isinstance(world, FunctionWorld):
        (folder / EXECUTOR_FOLDER).mkdir()
        shutil.copyfile(world.source, folder / EXECUTOR_FOLDER / world.source.name)
        return {"kind": "function", "name": world.name}
    if isinstance(world, ExactMatchWorld):
        lines = "".join(f"{form}\n" for form in sorted(world.forms))
        (folder / FORMS).write_text(lines, encoding="utf-8", newline="\n")
        return {"kind": "none"}
    if (schema := schema_file(world)) is not None:
        carry_schema(schema, folder / SCHEMA_FILE)
        return {"kind": "database"}
    if not isinstance(world.database, TripleStore):
        raise UserError("only a world of triples, a database or an executor can be exported")
    write_triples(world.database, folder / WORLD)
    return {
        "kind": "triples",
        "numbers": "exact" if world.exact else "rounded",
        "aggregates": "rows" if world.rows else "values",
    }
