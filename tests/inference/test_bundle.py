"""The exported folder: what is in it, that it stands alone, and what is wrong with a bad one."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fairseq_twostage
from fairseq_twostage.corpora.frontend import Frontend
from fairseq_twostage.corpora.tokenisation import train_pieces
from fairseq_twostage.corpora.worlds import function_world
from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.inference.bundle import read_bundle, write_bundle
from fairseq_twostage.inference.reading import UtteranceReader
from fairseq_twostage.inference.records import parse_record
from fairseq_twostage.semantics import ExactMatchWorld, World
from tests.builders import paraphraser
from tests.ships import ROWS

TEXTS = [*(row[0] for row in ROWS), "What lies in Turku?", "is the baltic a port"]


@pytest.fixture
def copy(ships_folder, tmp_path):
    return Path(shutil.copytree(ships_folder, tmp_path / "copy"))


def records(parser, texts=TEXTS):
    return [parse_record(parser, parse, True) for parse in parser.parse_batch(texts, n_best=3)]


def test_files(ships_folder):
    names = {path.name for path in ships_folder.iterdir()}
    assert names == {
        *("bundle.json", "dictionaries.json", "known.jsonl", "world.tsv", "lexicon.tsv"),
        *("paraphraser.safetensors", "parser.safetensors"),
    }
    for path in ships_folder.iterdir():
        assert path.read_bytes()[:2] not in (b"PK", b"\x80\x02", b"\x80\x04")  # no pickle
        assert path.stat().st_mode & 0o044 == 0o044


def test_it_gives_identical_answers_in_a_fresh_process_elsewhere(ships, ships_folder, tmp_path):
    script = (
        "import json, sys\n"
        "from fairseq_twostage.inference import TwoStageParser\n"
        "from fairseq_twostage.inference.records import parse_record\n"
        "parser = TwoStageParser.load(sys.argv[1])\n"
        "parses = parser.parse_batch(json.loads(sys.argv[2]), n_best=3)\n"
        "print(json.dumps([parse_record(parser, parse, True) for parse in parses]))\n"
        "assert 'fairseq_twostage.tasks' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(ships_folder), json.dumps(TEXTS)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(fairseq_twostage.__file__).parents[1]),
            "OMP_NUM_THREADS": "1",
        },
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == records(ships)


def test_reading_and_writing_again_changes_nothing(ships_folder, tmp_path):
    write_bundle(read_bundle(ships_folder), tmp_path / "again")
    for path in ships_folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_mixture_of_paraphrasers(ships, ships_folder, tmp_path):
    first = ships.paraphrase
    read, written = first.encoder.dictionary, first.decoder.dictionary
    words = {"utterance": read, "nl": read, "cf": written}
    other = paraphraser(seed=5, dictionary_by_side=words, double=False)
    second = BeamStage(other.encoder("cf"), other.decoder("cf"), first.beam, first.limit)
    mixed = TwoStageParser(
        *(ships.reader, MixtureStage([first, second]), ships.parse_stage, ships.world, "ships"),
        known=ships.parse.known,
    )
    write_bundle(mixed, tmp_path / "mixed")
    assert (tmp_path / "mixed" / "paraphraser.2.safetensors").is_file()
    again = read_bundle(tmp_path / "mixed")
    assert records(again) == records(mixed) != records(ships)
    for name, folder in (("mixed", tmp_path / "mixed"), ("one", ships_folder)):
        layout = json.loads((folder / "bundle.json").read_text())["format"]
        assert layout == (2 if name == "mixed" else 1)
    unlike = paraphraser(seed=5)
    stage = BeamStage(unlike.encoder("cf"), unlike.decoder("cf"), first.beam, first.limit)
    mixed.paraphrase = MixtureStage([first, stage])
    with pytest.raises(UserError, match="trained with different dictionaries"):
        write_bundle(mixed, tmp_path / "unlike")
    assert not (tmp_path / "unlike").exists()


def test_known_utterances_are_not_decoded(ships_folder, monkeypatch):
    parser = TwoStageParser.load(ships_folder)
    monkeypatch.setattr(parser.parse, "parse", None)
    for canonical in parser.canonical_utterances:
        assert parser.read_canonical(canonical).logical_form
    with pytest.raises(TypeError):
        parser.read_canonical("ship ship ship")


def test_an_existing_folder_is_replaced_only_if_that_is_asked_for(ships, copy, tmp_path):
    with pytest.raises(UserError, match="--force"):
        write_bundle(ships, copy)
    (copy / "known.jsonl").write_text("")
    write_bundle(ships, copy, force=True)
    assert records(read_bundle(copy)) == records(ships)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(UserError, match="no exported parser"):
        write_bundle(ships, tmp_path / "other", force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "other"]


def test_a_failed_export_leaves_nothing(ships, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fairseq_twostage.inference.bundle.write_triples", fail)
    with pytest.raises(UserError, match="No space left"):
        write_bundle(ships, tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_damage_is_told(copy):
    path = copy / "parser.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UserError, match=r"parser\.safetensors: damaged"):
        read_bundle(copy)
    path.unlink()
    with pytest.raises(UserError, match=r"parser\.safetensors: cannot be read"):
        read_bundle(copy)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda content: content.update(format=99), "format 99"),
        (lambda content: content.pop("networks"), "damaged export"),
        (lambda content: content["networks"]["parser"].update(hidden_dim=9), "damaged export"),
        (lambda content: content["world"].update(kind="function", name="no_such:f"), "no_such"),
    ],
)
def test_a_wrong_description_is_told(copy, change, message):
    content = json.loads((copy / "bundle.json").read_text())
    change(content)
    (copy / "bundle.json").write_text(json.dumps(content))
    with pytest.raises(UserError, match=message) as caught:
        read_bundle(copy)
    assert "\n" not in str(caught.value)


def test_what_is_no_export(tmp_path):
    with pytest.raises(UserError, match="no such folder"):
        TwoStageParser.load(tmp_path / "nowhere")
    with pytest.raises(UserError, match="no exported parser"):
        TwoStageParser.load(tmp_path)
    (tmp_path / "bundle.json").write_text("[1]")
    with pytest.raises(UserError, match="not written by twostage export"):
        TwoStageParser.load(tmp_path)


def test_the_rules_of_the_world_come_along(ships, ships_folder, copy, tmp_path, monkeypatch):
    said = json.loads((ships_folder / "bundle.json").read_text())["world"]
    assert said == {"kind": "triples", "numbers": "rounded", "aggregates": "values"}
    monkeypatch.setattr(ships, "world", World(ships.world.database, "ships", True, True))
    write_bundle(ships, tmp_path / "bundle")
    said = json.loads((tmp_path / "bundle" / "bundle.json").read_text())["world"]
    assert said == {"kind": "triples", "numbers": "exact", "aggregates": "rows"}
    world = read_bundle(tmp_path / "bundle").world
    assert world.exact and world.rows
    content = json.loads((copy / "bundle.json").read_text())
    content["world"] = {"kind": "triples"}  # as earlier versions wrote it
    (copy / "bundle.json").write_text(json.dumps(content))
    world = read_bundle(copy).world
    assert not world.exact and not world.rows


def test_an_executor_of_ones_own_comes_along(ships, tmp_path, monkeypatch):
    module = tmp_path / "executor" / "counting_words.py"
    module.parent.mkdir()
    module.write_text("def run(form):\n    return len(form.split())\n")
    monkeypatch.setattr(ships, "world", function_world("counting_words:run", module.parent))
    write_bundle(ships, tmp_path / "bundle")
    shutil.rmtree(module.parent)
    parser = read_bundle(tmp_path / "bundle")
    assert parser("show me every ship").answer.text == str(len(ROWS[3][2].split()))


def test_executors_of_one_name_and_pythons_own_stay_apart(ships, tmp_path, monkeypatch):
    worlds = []
    for number in (1, 2):
        module = tmp_path / str(number) / "calendar.py"
        module.parent.mkdir()
        module.write_text(f"def run(form):\n    return 'calendar {number}'\n")
        worlds.append(function_world("calendar:run", module.parent))
    assert hasattr(importlib.import_module("calendar"), "timegm")
    monkeypatch.setattr(ships, "world", worlds[0])
    write_bundle(ships, tmp_path / "bundle")
    answer = read_bundle(tmp_path / "bundle")("show me every ship").answer
    assert answer.text == "calendar 1"


def test_without_executor_a_form_is_its_own_answer(ships, tmp_path, monkeypatch):
    monkeypatch.setattr(ships, "world", ExactMatchWorld([]))
    write_bundle(ships, tmp_path / "bundle")
    answer = read_bundle(tmp_path / "bundle")("how long is the aurora").answer
    assert answer.metric_text == ROWS[0][2]
    assert answer.executable  # one of the known forms


def test_subwords_come_along(ships, tmp_path, monkeypatch):
    pieces = train_pieces(["the ship sails home", "a ship at home"], 30)
    monkeypatch.setattr(ships, "reader", UtteranceReader([], Frontend(pieces)))
    write_bundle(ships, tmp_path / "bundle")
    reader = read_bundle(tmp_path / "bundle").reader
    found = reader("The ships, at home?")
    assert found.tokens == ships.reader("The ships, at home?").tokens
    assert len(found.tokens.split()) > 4
    assert reader.write_out(found.tokens, found) == "the ships at home"
