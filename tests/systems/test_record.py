"""What a run says of itself: written, read again, and refused in one line where it is wrong."""

import json
import os
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from fairseq_twostage import __version__
from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.folder import read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.pipeline import Pipeline, placed
from fairseq_twostage.schema import with_checksum
from fairseq_twostage.systems import record as module
from fairseq_twostage.systems.record import by_hand, check_data, fingerprint, read_record
from tests.builders import write_data_bin

PIPELINE = Pipeline(
    paraphrasers=["cycle/checkpoint_best.pt"],
    parser="parser/checkpoint_best.pt",
    rerank={"forward": 1.0, "dual": 0.3, "prior": 1.0},
    prior=[0.5, -1.25],
    proposals=4,
    pick="executable_paraphrase",
    lookup=True,
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_data_bin(tmp_path_factory.mktemp("record"))


@pytest.fixture
def record(data):
    return by_hand(data, PIPELINE, "mine_05", "mine", 3, ["parser", "dae", "cycle"], "valid")


def error_of(function, *arguments):
    with pytest.raises(UserError) as caught:
        function(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_it_is_read_as_it_was_written(data, record, tmp_path):
    assert record.write(tmp_path) == tmp_path / "mine_05.json"
    assert read_record(tmp_path) == record
    assert read_record(tmp_path, "mine_05") == read_record(tmp_path, "mine") == record
    said = json.loads((tmp_path / "mine_05.json").read_text())
    assert said == with_checksum(json.loads(json.dumps(asdict(record))))
    expected = {
        "format": 1,
        "version": __version__,
        "domain": "geo",
        "setting": "paper",
        "seed": 3,
        "data": str(data),
        "split": "valid",
        "stages": ["parser", "dae", "cycle"],
    }
    assert {name: said[name] for name in expected} == expected
    assert said["pipeline"]["rerank"] == PIPELINE.rerank


def test_a_folder_without_a_record(tmp_path):
    (tmp_path / "parser").mkdir()
    assert error_of(read_record, tmp_path).startswith(
        f"{tmp_path}: holds no record of a system (SYSTEM.json): twostage train writes it"
    )
    nowhere = tmp_path / "nowhere"
    assert error_of(read_record, nowhere) == (
        f"{nowhere}: no such folder; twostage build and twostage train make one"
    )


def test_nothing_is_waited_for_at_a_pipe(tmp_path):
    path = tmp_path / "mine.json"
    os.mkfifo(path)
    assert error_of(read_record, tmp_path) == f"{path}: cannot be read: Is no regular file"


def test_one_of_several_systems_is_chosen(record, tmp_path):
    other = replace(record, system="other", config="other")
    third = replace(record, system="mine_15")
    for each in (record, other):
        each.write(tmp_path)
    assert error_of(read_record, tmp_path) == (
        f"{tmp_path}: has mine_05, other: choose one with --system"
    )
    assert read_record(tmp_path, "other") == other
    assert read_record(tmp_path, "mine") == record  # by its configuration
    third.write(tmp_path)
    assert error_of(read_record, tmp_path, "mine") == (
        f"{tmp_path}: has mine_05, mine_15, other: choose one with --system"
    )
    assert read_record(tmp_path, "mine_15") == third
    assert error_of(read_record, tmp_path, "fourth") == (
        f"{tmp_path}: has no system 'fourth', only mine_05, mine_15, other: choose one with "
        "--system"
    )
    # A name in results goes before that of a configuration.
    named = replace(record, system="mine", config="first")
    named.write(tmp_path)
    assert read_record(tmp_path, "mine") == named


def test_a_checkpoint_that_is_gone(tmp_path):
    for path in (*PIPELINE.paraphrasers, PIPELINE.parser):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).touch()
    found = placed(PIPELINE, tmp_path)
    assert found.paraphrasers == [str(tmp_path / PIPELINE.paraphrasers[0])]
    assert found.parser == str(tmp_path / PIPELINE.parser)
    assert replace(found, paraphrasers=PIPELINE.paraphrasers, parser=PIPELINE.parser) == PIPELINE
    (tmp_path / PIPELINE.parser).unlink()
    assert error_of(placed, PIPELINE, tmp_path) == (
        f"{tmp_path / PIPELINE.parser}: the checkpoint is gone; train it again"
    )
    assert placed(replace(PIPELINE, parser=None), tmp_path).parser is None


def test_the_data_bin_is_the_one_that_it_was_trained_on(data, record, tmp_path):
    copy = Path(shutil.copytree(data, tmp_path / "copy"))
    check_data(record, read_manifest(copy), copy)
    shutil.rmtree(copy / "gold")  # annotated rows may come and go
    check_data(record, read_manifest(copy), copy)
    with open(copy / "text" / "train.nl", "a") as file:
        file.write("how deep is it\n")
    assert error_of(check_data, record, read_manifest(copy), copy) == (
        f"{copy}: not the data-bin that mine_05 was made of (geo, paper); prepare that again, "
        "or make it of this one"
    )


def test_a_fingerprint_is_of_all_that_training_may_read(data, tmp_path):
    known = fingerprint(data, read_manifest(data))
    assert len(known) == 16 and int(known, 16) >= 0
    copy = Path(shutil.copytree(data, tmp_path / "copy"))
    assert fingerprint(copy, read_manifest(copy)) == known
    found = {known}
    for path in sorted(copy.rglob("*")):
        name = path.relative_to(copy).as_posix()
        if not path.is_file() or name.startswith("gold/") or name == "manifest.json":
            continue
        content = path.read_bytes()
        path.write_bytes(content + b"x")
        found.add(fingerprint(copy, read_manifest(data)))
        path.write_bytes(content)
    assert len(found) > 10
    manifest = read_manifest(copy)
    for change in ({"domain": "other"}, {"canonical": "grammar"}, {"options": {"a": 1}}):
        assert fingerprint(copy, replace(manifest, **change)) not in found
    assert fingerprint(copy, replace(manifest, version="9", seed=9)) == known


def test_another_format(record, tmp_path):
    path = replace(record, format=2).write(tmp_path)
    assert error_of(read_record, tmp_path).startswith(
        f"{path}: a record of format 2, made by version {record.version}; "
        "this version reads format 1: run twostage train again"
    )


@pytest.mark.parametrize("text", ["", "[]", "3", "{", "null"])
def test_what_is_no_record(tmp_path, text):
    (tmp_path / "mine.json").write_text(text)
    assert error_of(read_record, tmp_path) == (
        f"{tmp_path / 'mine.json'}: not a record of twostage train"
    )


def test_every_damaged_value_is_told(record, tmp_path):
    path = record.write(tmp_path)
    good = {k: v for k, v in json.loads(path.read_text()).items() if k != "sha256"}

    def told(content):
        path.write_text(json.dumps(with_checksum(content)))
        message = error_of(read_record, tmp_path)
        assert message.startswith(f"{path}: ")
        return message

    for name in good.keys() - {"format", "pipeline"}:
        assert f"damaged: {name}: input" in told({**good, name: None})
        assert f"damaged: {name}" in told({**good, name: [7]})
        rest = {other: value for other, value in good.items() if other != name}
        assert f"damaged: {name}: field required" in told(rest)
    for name in good["pipeline"]:
        assert f"damaged: pipeline.{name}" in told(
            {**good, "pipeline": {**good["pipeline"], name: {"a": "b"}}}
        )
    assert "damaged: more: unexpected" in told({**good, "more": 1})
    for change, message in (
        ({"beam": 0}, "beam must be at least 1"),
        ({"pick": "worst"}, "not 'worst'"),
        ({"source": "lf"}, "source is nl or cf"),
        ({"parser": None, "lookup": False}, "rerank and lookup are needed"),
        ({"rerank": {"forward": -1.0}}, "forward must not be below 0"),
        ({"rerank": {"guess": 1.0}}, "'guess'"),
    ):
        assert message in told({**good, "pipeline": {**good["pipeline"], **change}})
    told({**good, "pipeline": {}})
    path.write_bytes(b"\xff{}")
    assert "not UTF-8 text" in error_of(read_record, tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        ["parse", "{}", "how deep"],
        ["evaluate", "--run", "{}"],
        ["export", "--run", "{}", "--output", "{}/new"],
    ],
    ids=lambda command: command[0],
)
def test_the_commands_say_it_in_one_line(data, record, tmp_path, capsys, command):
    words = [word.format(tmp_path) for word in command]
    gone, other = str(tmp_path / PIPELINE.paraphrasers[0]), Path(tmp_path / "other")

    def said(*options):
        assert main([*words, *options]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"twostage {words[0]}: error: ")
        return line

    assert "holds no record of a system" in said()
    record.write(tmp_path)
    assert f"{gone}: the checkpoint is gone; train it again" in said()
    assert "has no system 'none', only mine_05" in said("--system", "none")
    shutil.copytree(data, other)
    (other / "text" / "train.nl").write_text("how deep\n")
    assert "not the data-bin that mine_05 was made of" in said("--data", str(other))
    replace(record, data=str(tmp_path / "moved")).write(tmp_path)
    assert f"{tmp_path / 'moved'}: no such folder" in said()
    replace(record, format=7).write(tmp_path)
    assert "a record of format 7" in said()


def test_the_commit_is_that_of_the_code(monkeypatch, data):
    monkeypatch.setattr(module, "current_commit", lambda: "abc")
    assert by_hand(data, PIPELINE).commit == "abc"
