"""The folder of an exported parser: safetensors, JSON and a world; no pickle.

::

    bundle.json              format, version, system, domain, how it reads, sizes of the networks,
                             what it needs to be installed, SHA-256 of the other files
    dictionaries.json        the words of the encoder (utterance), of D_z (cf), D_x (nl), P_nsp (lf)
    paraphraser.safetensors  E and D_z; of a mixture those of the first paraphraser, the others'
                             being paraphraser.2.safetensors, …
    dual.safetensors         D_x, with its own encoder where E is not shared
    parser.safetensors       P_nsp
    similarity.NAME.*        the similarity of utterances, fitted over X and Z
    learnt.json              what labels have taught
    trust.*                  what judges whether a reading is to be believed
    pairs.tsv                canonical utterances that the domain knows, with their logical forms
    further.tsv              those that are too many to be compared with every question, likewise
    known.jsonl              canonical utterances with the n-best ŷ that P_nsp finds
    world.tsv                triples, where the domain has a world
    forms.txt                the domain's logical forms, where nothing executes them
    schema.yaml              where the domain is a database
    executor/                the module of an executor of one's own: code that loading imports
    lexicon.tsv              phrases that become placeholders, where the domain has them
    values.json              units, and how numbers, dates and times are read, where it has them
    sentencepiece.model      where the domain uses it
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.torch import load_file

from fairseq_twostage.databases.opening import SCHEMA_FILE, open_schema, with_names
from fairseq_twostage.databin.world import EXECUTOR_FOLDER, with_units
from fairseq_twostage.decoding.lean import PARSE_LIMIT
from fairseq_twostage.decoding.mixture import as_one
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.domains.worlds import function_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import check_regular, load_json, read_lines, sha256
from fairseq_twostage.inference.candidates import BeamSearch, FirstStage, NoParaphrase
from fairseq_twostage.inference.description import Description
from fairseq_twostage.inference.learnt import read_learnt
from fairseq_twostage.inference.likelihood import Direction, DirectLikelihood, DualLikelihood
from fairseq_twostage.inference.memory import Hypotheses
from fairseq_twostage.inference.parser import PARAPHRASE_LIMIT, TwoStageParser
from fairseq_twostage.inference.plain_models import Sizes, build_model
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.inference.similarity_files import read_similarity
from fairseq_twostage.inference.trust_files import read_trust
from fairseq_twostage.models.vocabulary import Vocabulary
from fairseq_twostage.schema import CHECKSUM, check_format, checked, checksum, read_object
from fairseq_twostage.semantics import World, read_triples
from fairseq_twostage.semantics.foreign import ExactMatchWorld
from fairseq_twostage.text.frontend import read_frontend
from fairseq_twostage.text.reading import UtteranceReader

FORMAT = 4
DECIDING = (  # files that are read where they are there
    "*.safetensors",
    "*.jsonl",
    "*.tsv",
    "*.txt",
    "*.model",
    "schema.yaml",
    "similarity.*",
    "trust.*",
    "learnt.json",
    "executor/*.py",
)
BUNDLE = "bundle.json"
DICTIONARIES = "dictionaries.json"
PAIRS = "pairs.tsv"
FURTHER = "further.tsv"
KNOWN = "known.jsonl"
WORLD = "world.tsv"
FORMS = "forms.txt"
PARAPHRASER, DUAL, PARSER = "paraphraser", "dual", "parser"
SHARED = "shared"  # the dual direction has the paraphraser's encoder
WEIGHTS = "{}.safetensors"
TARGETS = {PARSER: "lf", DUAL: "nl"}  # which words a network writes; the others: cf


def is_bundle(folder: Path) -> bool:
    """Whether a folder is an exported parser."""
    return (folder / BUNDLE).is_file()


def read_bundle(folder: Path) -> TwoStageParser:
    """The parser of an exported folder.

    Raises:
        UserError: there is none, it is of another format, damaged, or needs what is not installed.
    """
    content = read_description(folder)
    try:
        _check_files(folder, content["files"])
        return _assemble(folder, content)
    except OSError as error:
        where = str(error.filename or folder)
        raise UserError(f"cannot be read: {error.strerror}", where) from error
    except UserError:
        raise
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RuntimeError,
        RecursionError,
        SafetensorError,
    ) as error:
        reason = " ".join(str(error).split())[:120]
        raise UserError(
            f"damaged, or exported by another version ({reason}); export again", str(folder)
        ) from error


def _check_files(folder: Path, files: Mapping[str, str]) -> None:
    for name, digest in files.items():
        check_regular(folder / name)
        if sha256(folder / name) != digest:
            raise UserError("damaged or changed since it was exported", str(folder / name))
    for pattern in DECIDING:
        for path in folder.glob(pattern):
            if path.relative_to(folder).as_posix() not in files:
                raise UserError("was added after the export; remove it or export again", str(path))
    missing = {DICTIONARIES, PAIRS, KNOWN} - set(files)
    if missing:
        raise UserError(f"a damaged export ({min(missing)} is missing); export again", str(folder))


def read_description(folder: Path) -> dict[str, Any]:
    """What ``bundle.json`` says.

    Raises:
        UserError: there is none, or one of another format.
    """
    path = folder / BUNDLE
    if not folder.is_dir():
        raise UserError("no such folder; make it with twostage export", str(folder))
    if not path.is_file():
        raise UserError(
            f"no exported parser (no {BUNDLE}); make one with twostage export", str(folder)
        )
    content = read_object(path, "not written by twostage export")
    if "format" not in content:
        raise UserError("not written by twostage export", str(path))
    check_format(content, FORMAT, "an export", "export again", str(folder))
    if content.get(CHECKSUM) != checksum(content):
        raise UserError("changed since it was exported; export again", str(path))
    checked(
        Description,
        content,
        str(folder),
        "damaged, or exported by another version ({}); export again",
    )
    return content


def _assemble(folder: Path, content: Mapping[str, Any]) -> TwoStageParser:
    symbols = read_object(folder / DICTIONARIES, "no dictionaries of an export")
    words = {side: Vocabulary.of(found) for side, found in symbols.items()}
    networks: dict[str, Direction] = {}
    for name in sorted(content["networks"], key=lambda name: (name == DUAL, name)):
        networks[name] = _read_network(folder, content, name, words, networks)
    second = networks.pop(PARSER, None)
    beam = content["beam"]
    pairs, further = _read_pairs(folder / PAIRS), _read_further(folder)
    known = words["utterance"]
    world = _read_world(folder, content["world"], content["domain"])
    frontend = with_names(read_frontend(folder, content["tokenisation"]), world)
    return TwoStageParser(
        UtteranceReader(known.symbols[known.nspecial :], frontend),
        _read_first_stage(folder, content, networks, tuple(further)),
        None if second is None else BeamStage(*second, beam, PARSE_LIMIT),
        world,
        content["domain"],
        content["pick"],
        pairs,
        content["lookup"],
        _read_known(folder / KNOWN),
        content["examples"],
        read_trust(folder) if content["trust"] else None,
        further,
    )


def _read_network(
    folder: Path,
    content: Mapping[str, Any],
    name: str,
    words: Mapping[str, Vocabulary],
    before: Mapping[str, Direction],
) -> Direction:
    weights = load_file(folder / WEIGHTS.format(name))
    sizes = dict(content["networks"][name])
    shared = sizes.pop(SHARED)
    if shared:
        encoder = before[PARAPHRASER].encoder
        weights |= {f"encoder.{key}": tensor for key, tensor in encoder.state_dict().items()}
    target = words[TARGETS.get(name, "cf")]
    model = build_model(words["utterance"], target, Sizes(**sizes), weights)
    return Direction(encoder if shared else model.encoder, model.decoder)


def _read_first_stage(
    folder: Path,
    content: Mapping[str, Any],
    networks: Mapping[str, Direction],
    further: Sequence[str],
) -> FirstStage:
    first = content["first_stage"]
    if first["kind"] == "none":
        return NoParaphrase(None if first["canonical"] is None else set(first["canonical"]))
    if first["kind"] == "beam":
        beam = content["beam"]
        stages = [BeamStage(*network, beam, PARAPHRASE_LIMIT) for network in networks.values()]
        return BeamSearch(as_one(stages))
    if first["kind"] != "reranking":
        raise ValueError(f"first stage {first['kind']!r}")
    similarities = {name: read_similarity(folder, name) for name in first["similarities"]}
    if any(len(each.index.lines) != len(first["candidates"]) for each in similarities.values()):
        raise ValueError("first_stage.candidates: not those of its similarities")
    found = Reranking(
        first["candidates"],
        first["weights"],
        similarities,
        prior=None if first["prior"] is None else np.array(first["prior"]),
        faithful=first["faithful"],
        learnt=read_learnt(folder) if first.get("learnt") else None,
        further=further,
    )
    if PARAPHRASER in networks and {"forward", "forward_mean"} & first["weights"].keys():
        found = replace(found, direct=DirectLikelihood(networks[PARAPHRASER]))
    if DUAL in networks:
        found = replace(found, dual=DualLikelihood(networks[DUAL]))
    if first["proposals"]:
        beam = BeamStage(*networks[PARAPHRASER], first["proposals"], PARAPHRASE_LIMIT)
        found = replace(found, proposals=beam)
    return found


def _read_pairs(path: Path) -> dict[str, str]:
    return dict(line.split("\t") for line in read_lines(path))


def _read_further(folder: Path) -> dict[str, str]:
    path = folder / FURTHER
    return _read_pairs(path) if path.is_file() else {}


def _read_known(path: Path) -> dict[str, Hypotheses]:
    rows = map(load_json, read_lines(path))
    return {
        canonical: tuple(Hypothesis(text, score) for text, score in forms)
        for canonical, forms in rows
    }


def _read_world(folder: Path, world: Mapping[str, str], domain: str) -> World:
    if world["kind"] == "triples":
        exact, rows = world.get("numbers") == "exact", world.get("aggregates") == "rows"
        return with_units(World(read_triples(folder / WORLD), domain, exact, rows), folder)
    if world["kind"] == "none":
        return ExactMatchWorld(read_lines(folder / FORMS))
    if world["kind"] == "database":
        return with_units(open_schema(folder / SCHEMA_FILE, domain), folder)
    return function_world(world["name"], folder / EXECUTOR_FOLDER)
