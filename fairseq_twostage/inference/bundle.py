"""The folder of an exported parser: safetensors, JSON and a world; no pickle.

::

    bundle.json              format, version, domain, tokenisation, sizes of both networks,
                             SHA-256 of the other files
    dictionaries.json        the words of the encoder (utterance), of D_z (cf) and of P_nsp (lf)
    paraphraser.safetensors  E and D_z; of a mixture those of the first paraphraser, the others'
                             being paraphraser.2.safetensors, …
    parser.safetensors       P_nsp
    known.jsonl              known canonical utterances with their n-best logical forms
    world.tsv                triples, where the domain has a world
    executor/                the module of an executor of one's own: code that loading imports
    lexicon.tsv              phrases that become placeholders, where the domain has them
    sentencepiece.model      where the domain uses it
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairseq.data import Dictionary
from safetensors import SafetensorError
from safetensors.torch import load_file, save
from torch import nn

from fairseq_twostage import __version__
from fairseq_twostage.corpora.frontend import read_frontend
from fairseq_twostage.corpora.worlds import EXECUTOR_FOLDER, function_world
from fairseq_twostage.decoding.lean import PARSE_LIMIT
from fairseq_twostage.decoding.mixture import MixtureStage, as_one
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import (
    atomic_write,
    replace_folder,
    sha256,
    staged_folder,
    written_or_said,
)
from fairseq_twostage.inference.memory import Hypotheses
from fairseq_twostage.inference.parser import PARAPHRASE_LIMIT, TwoStageParser
from fairseq_twostage.inference.plain_models import Sizes, build_model, dictionary_of
from fairseq_twostage.inference.reading import UtteranceReader
from fairseq_twostage.semantics import TripleStore, World, read_triples
from fairseq_twostage.semantics.foreign import ExactMatchWorld, ForeignWorld, FunctionWorld
from fairseq_twostage.semantics.loading import write_triples

FORMAT = 1
MIXTURE = 2  # the format of a mixture, of which a reader of 1 would see the first paraphraser alone
BUNDLE = "bundle.json"
DICTIONARIES = "dictionaries.json"
KNOWN = "known.jsonl"
WORLD = "world.tsv"
PARSER = "parser"
WEIGHTS = "{}.safetensors"


def write_bundle(parser: TwoStageParser, dest: Path, force: bool = False) -> int:
    """Write the folder of a parser; it appears whole, by a rename, or not at all.

    Returns:
        its size in bytes.

    Raises:
        UserError: ``dest`` exists and is not to be replaced, or cannot be written.
    """
    check_destination(dest, force)
    with written_or_said(dest), staged_folder(dest) as folder:
        _write_files(parser, folder)
        size = sum(path.stat().st_size for path in folder.rglob("*"))
        replace_folder(folder, dest)
    return size


def check_destination(dest: Path, force: bool) -> None:
    """Fail before the work if ``dest`` could not be written.

    Raises:
        UserError: it is there, and is no exported parser or ``force`` is not given.
    """
    if not dest.exists() or (dest.is_dir() and not any(dest.iterdir())):
        return
    if not (dest / BUNDLE).is_file():
        raise UserError("exists and is no exported parser; choose another folder", str(dest))
    if not force:
        raise UserError("exists already; --force replaces it", str(dest))


def _write_files(parser: TwoStageParser, folder: Path) -> None:
    stages = _stages(parser)
    sizes = {name: Sizes.of(stage.encoder, stage.decoder) for name, stage in stages.items()}
    for name, stage in stages.items():
        parts: dict[str, nn.Module] = {"encoder": stage.encoder, "decoder": stage.decoder}
        weights = {
            f"{part}.{key}": tensor.detach().cpu().contiguous()
            for part, module in parts.items()
            for key, tensor in module.state_dict().items()
        }
        path = folder / WEIGHTS.format(name)
        with atomic_write(path, "wb") as file:  # with the usual permissions
            file.write(save(weights))
    words = {
        "utterance": stages[PARSER].encoder.dictionary,
        "cf": next(iter(stages.values())).decoder.dictionary,
        "lf": stages[PARSER].decoder.dictionary,
    }
    for name, stage in stages.items():
        target = words["lf" if name == PARSER else "cf"]
        if (stage.encoder.dictionary.symbols, stage.decoder.dictionary.symbols) != (
            words["utterance"].symbols,
            target.symbols,
        ):
            raise UserError("paraphraser and parser were trained with different dictionaries")
    _write_json(folder / DICTIONARIES, {side: found.symbols for side, found in words.items()})
    with open(folder / KNOWN, "w", encoding="utf-8", newline="\n") as file:
        for canonical, hypotheses in sorted(parser.parse.known.items()):
            forms = [[text, round(score, 6)] for text, score in hypotheses]
            file.write(json.dumps([canonical, forms], ensure_ascii=False) + "\n")
    world = _write_world(parser.world, folder)
    parser.reader.frontend.write(folder)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): sha256(path) for path in paths}
    content = {
        "format": MIXTURE if isinstance(parser.paraphrase, MixtureStage) else FORMAT,
        "version": __version__,
        "domain": parser.domain,
        "beam": stages[PARSER].beam,
        "pick": parser.pick,
        "tokenisation": parser.reader.frontend.tokenisation,
        "networks": {name: found._asdict() for name, found in sizes.items()},
        "world": world,
        "examples": list(parser.examples),
        "files": files,
    }
    _write_json(folder / BUNDLE, content)


def _stages(parser: TwoStageParser) -> dict[str, BeamStage]:
    """By name, the paraphrasers first."""
    first = parser.paraphrase
    firsts = first.stages if isinstance(first, MixtureStage) else [first]
    named = {f"paraphraser.{place}": stage for place, stage in enumerate(firsts[1:], start=2)}
    return {"paraphraser": firsts[0], **named, PARSER: parser.parse_stage}


def _write_world(world: World, folder: Path) -> dict[str, str]:
    """Write the world's triples, or say which function executes forms."""
    if isinstance(world, FunctionWorld):
        if world.source is not None:  # no installed module
            (folder / EXECUTOR_FOLDER).mkdir()
            shutil.copyfile(world.source, folder / EXECUTOR_FOLDER / world.source.name)
        return {"kind": "function", "name": world.name}
    if isinstance(world, ForeignWorld):
        return {"kind": "none"}
    if not isinstance(world.database, TripleStore):
        raise UserError("only a world of triples or an executor module:function can be exported")
    write_triples(world.database, folder / WORLD)
    return {
        "kind": "triples",
        "numbers": "exact" if world.exact else "rounded",
        "aggregates": "rows" if world.rows else "values",
    }


def _write_json(path: Path, content: object) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")


def is_bundle(folder: Path) -> bool:
    """Whether a folder is an exported parser."""
    return (folder / BUNDLE).is_file()


def read_bundle(folder: Path) -> TwoStageParser:
    """The parser of an exported folder.

    Raises:
        UserError: there is none, it is of another format, or damaged.
    """
    content = _read_description(folder)
    try:
        for name, digest in content["files"].items():
            if sha256(folder / name) != digest:
                raise UserError("damaged or changed since it was exported", str(folder / name))
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
        SafetensorError,
    ) as error:
        reason = " ".join(str(error).split())[:120]
        raise UserError(f"a damaged export ({reason}); export again", str(folder)) from error


def _read_description(folder: Path) -> dict[str, Any]:
    path = folder / BUNDLE
    if not folder.is_dir():
        raise UserError("no such folder; make it with twostage export", str(folder))
    if not path.is_file():
        raise UserError(
            f"no exported parser (no {BUNDLE}); make one with twostage export", str(folder)
        )
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        layout = content["format"]
    except (ValueError, KeyError, TypeError) as error:
        raise UserError("not written by twostage export", str(path)) from error
    if layout not in (FORMAT, MIXTURE):
        raise UserError(
            f"an export of format {layout}, made by version {content.get('version', 'unknown')}; "
            f"this version reads formats {FORMAT} and {MIXTURE}: export again",
            str(folder),
        )
    return dict(content)


def _assemble(folder: Path, content: Mapping[str, Any]) -> TwoStageParser:
    symbols = json.loads((folder / DICTIONARIES).read_text(encoding="utf-8"))
    words = {side: dictionary_of(found) for side, found in symbols.items()}
    stages = {name: _read_stage(folder, content, name, words) for name in content["networks"]}
    second = stages.pop(PARSER)
    known = _read_known(folder / KNOWN)
    return TwoStageParser(
        _read_reader(folder, content["tokenisation"], words["utterance"]),
        as_one(list(stages.values())),
        second,
        _read_world(folder, content["world"], known, content["domain"]),
        content["domain"],
        content["pick"],
        known,
        content["examples"],
    )


def _read_stage(
    folder: Path, content: Mapping[str, Any], name: str, words: Mapping[str, Dictionary]
) -> BeamStage:
    weights = load_file(folder / WEIGHTS.format(name))
    side, limit = ("lf", PARSE_LIMIT) if name == PARSER else ("cf", PARAPHRASE_LIMIT)
    sizes = Sizes(**content["networks"][name])
    model = build_model(words["utterance"], words[side], sizes, weights)
    return BeamStage(model.encoder, model.decoder, content["beam"], limit)


def _read_reader(folder: Path, tokenisation: str, words: Dictionary) -> UtteranceReader:
    frontend = read_frontend(folder, tokenisation)
    return UtteranceReader(words.symbols[words.nspecial :], frontend)


def _read_known(path: Path) -> dict[str, Hypotheses]:
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {
        canonical: tuple(Hypothesis(text, score) for text, score in forms)
        for canonical, forms in rows
    }


def _read_world(
    folder: Path, world: Mapping[str, str], known: Mapping[str, Hypotheses], domain: str
) -> World:
    if world["kind"] == "triples":
        exact, rows = world.get("numbers") == "exact", world.get("aggregates") == "rows"
        return World(read_triples(folder / WORLD), domain, exact, rows)
    if world["kind"] == "none":
        return ExactMatchWorld(found[0].text for found in known.values() if found)
    return function_world(world["name"], folder / EXECUTOR_FOLDER)
