"""``twostage parse``: where text comes from, formats, errors."""

import json
import os
import subprocess
import sys

import pytest

from fairseq_twostage.cli.main import main
from tests.ships import ROWS, ships, ships_folder  # noqa: F401

QUESTION, CANONICAL, FORM = ROWS[0]


@pytest.fixture
def parse(ships_folder, capfdbinary):  # noqa: F811
    def run(*arguments):
        status = main(["parse", str(ships_folder), *map(str, arguments)])
        captured = capfdbinary.readouterr()
        return status, captured.out.decode(), captured.err.decode()

    return run


def test_text(parse):
    status, out, err = parse("How long is the Aurora?", "zeppelin aurora")
    assert (status, err) == (0, "")
    first, second, rest = out.split("\n\n")
    assert rest == ""
    lines = first.splitlines()
    assert lines[0] == "How long is the Aurora?"
    assert lines[1].startswith(f"  canonical     {CANONICAL}   (-0.0")
    assert lines[2].startswith(f"  logical form  {FORM}   (-0.0")
    assert lines[3] == "  answer        120 metres"
    assert "unknown words  zeppelin" in second


def test_explain(parse):
    _, out, _ = parse("which ships are longer than the aurora", "--explain")
    assert "  attention\n    ship    <- " in out
    assert "\n      filter · · > ·   = baltic, meridian\n" in out


def test_jsonl(parse):
    _, out, _ = parse("what lies in turku", "--format", "jsonl", "--n-best", 2, "--explain")
    record = json.loads(out)
    assert record["utterance"] == "what lies in turku"
    assert record["tokens"] == "what lies in _port_"
    assert record["variables"] == {"_port_": "en.port.turku"}
    best = record["readings"][0]
    assert best["canonical"] == "ship whose port is turku"
    assert best["canonical_tokens"] == "ship whose port is _port_"
    assert "en.port.turku" in best["logical_form"] and "_port_" in best["logical_form_tokens"]
    assert best["answer"] == "(list (name en.ship.aurora) (name en.ship.meridian))"
    assert best["error"] is None
    assert best["explanation"]["tree"]["label"] == "listValue"
    assert best["explanation"]["table"]["columns"][0] == "ship"


def test_n_best(parse):
    _, out, _ = parse("how long is the baltic", "--n-best", 2, "--format", "tsv")
    first, second = (line.split("\t") for line in out.splitlines()[1:])
    assert [first[1], second[1]] == ["1", "2"]
    assert first[2] == "length of baltic" != second[2]
    assert 0 >= float(first[3]) > float(second[3])


def test_tsv_of_a_file_with_variables_and_unreadable_lines(parse, tmp_path):
    file = tmp_path / "questions.txt"
    file.write_bytes(
        b"what lies in _port_ ?\t" + json.dumps({"_port_": "en.port.tallinn"}).encode() + b"\r\n"
        b"\n"
        b"ship\t{broken\n"
        b"how heavy is the aurora\xff"
    )
    status, out, err = parse("--file", file, "--format", "tsv")
    header, *lines = [line.split("\t") for line in out.splitlines()]
    assert header[:3] == ["utterance", "rank", "canonical"] and len(lines) == 4
    assert all(len(line) == len(header) for line in lines)
    answer = header.index("answer")
    assert lines[0][answer] == "(list (name en.ship.baltic))"
    assert lines[1][answer] == "ERROR: no words to parse"
    assert lines[3][answer].startswith("ERROR: ")
    assert status == 1
    assert err.splitlines() == [
        f"twostage parse: error: {file}:2: no words to parse",
        f"twostage parse: error: {file}:3: variables must be a JSON object of strings",
        f"twostage parse: error: {file}:4: not UTF-8 text",
    ]


@pytest.mark.parametrize("text", [b"what\rhow\r", b"what\rhow\r\n", b"what\rhow"])
def test_line_ends_of_an_old_macintosh_are_told(parse, tmp_path, text):
    file = tmp_path / "questions.txt"
    file.write_bytes(text)
    status, _, err = parse("--file", file)
    assert (status, err.count("\n")) == (1, 1)
    assert f"error: {file}:1: holds a carriage return inside a line; end lines with" in err
    assert parse("show me\r\nevery ship")[0] == 0  # an argument may have several lines
    file.write_bytes(b"show me every ship\r")
    assert parse("--file", file)[0] == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("question;note\nshow me every ship;ann\n", True),
        ("show me every ship; please\nshow me every ship\n", False),
        ("show me every ship; please\n", False),
    ],
)
def test_that_a_file_is_a_spreadsheet_is_noted_once(parse, tmp_path, text, told):
    file = tmp_path / "questions.csv"
    file.write_text(text)
    status, _, err = parse("--file", file)
    assert (status, err.count(f"note: {file}: the lines have columns")) == (0, int(told))


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--n-best", "0", "x"], "--n-best: must be at least 1"),
        (["--file", "f", "x"], "--file: give utterances or a file, not both"),
        (["--file", "no-such-file"], "no-such-file: no such file"),
        (["--explain", "--format", "tsv", "x"], "--explain: shown by the formats text and jsonl"),
    ],
)
def test_wrong_usage_is_one_line(parse, arguments, message):
    status, _, err = parse(*arguments)
    assert status > 0
    assert err.startswith(f"twostage parse: error: {message}") and err.count("\n") == 1


def test_a_folder_that_is_no_parser(capsys, tmp_path):
    assert main(["parse", str(tmp_path), "x"]) == 1
    assert main(["parse", str(tmp_path / "nowhere"), "x"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert f"{tmp_path}: holds no record of a system (SYSTEM.json)" in first
    assert "no such folder" in second


def test_standard_input_is_answered_line_by_line(ships_folder):  # noqa: F811
    command = [sys.executable, "-m", "fairseq_twostage.cli.main", "parse", str(ships_folder)]
    process = subprocess.Popen(
        [*command, "--format", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert process.stdin and process.stdout and process.stderr
    for row in ROWS[:2]:  # the next question is asked after the answer to the last
        process.stdin.write(row[0].encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["readings"][0]["canonical"] == row[1]
    out, err = process.communicate(b"show me every ship")  # without a newline
    assert json.loads(out)["readings"][0]["canonical"] == "ship"
    assert (process.returncode, err) == (0, b"")
