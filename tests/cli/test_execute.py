"""``twostage execute``, as a command."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest

from fairseq_twostage.cli.main import main

COMMAND = [sys.executable, "-m", "fairseq_twostage.cli.main", "execute", "--domain", "calendar"]
DATE = "( call SW.listValue ( call SW.getProperty {} ( string date ) ) )"
NULL = (
    "( call SW.listValue ( call SW.superlative ( call SW.filter ( call SW.domain ( string date ) ) "
    "( string date ) ( string = ) ( date 1900 1 1 ) ) ( string max ) ( string length ) ) )"
)


def run(data: bytes, *options: str) -> list[bytes]:
    result = subprocess.run([*COMMAND, *options], input=data, capture_output=True, check=True)
    assert result.stderr == b""
    assert result.stdout.endswith(b"\n") or not result.stdout
    return result.stdout.split(b"\n")[:-1]


def test_one_line_per_line():
    long = DATE.replace("SW", "edu.stanford.nlp.sempre.overnight.SimpleWorld")
    lines = [
        DATE.format("en.meeting.3"),
        long.format("en.meeting.3"),
        DATE.format("_m_") + '\t{"_m_": "en.meeting.3"}',
        NULL,
        "",
        "  foo  ",
        DATE.format("en.meeting.zz"),
        "foo\tbar",
        "foo\t{bar",
    ]
    answer = "(list (date 2015 1 4))"
    assert run("\n".join(lines).encode()) == [
        answer.encode(),
        answer.encode(),
        answer.encode(),
        b"(list)",
        b"ERROR\tparse\tno form on the line",
        b"(name foo)",
        b"ERROR\tentity\tthe world has no (name en.meeting.zz)",
        b"(name foo)",
        b"ERROR\tparse\tvariables must be a JSON object of strings",
    ]


def test_any_bytes():
    garbage = bytes(range(256)).replace(b"\n", b"") + b"\n\xff\xfe\n\0\n\r\n\x0b\n\xe2\x80\xa8\n"
    assert len(run(garbage)) == 6
    assert run(b"( string \xff\\n )") == [b'(string "\xff\\n")']
    assert len(run(b"x\t" + b"{" * 200_000)) == 1
    assert run(b'_x_\t{"_x_": "\\ud800"}') == [b"(name ?)"]


def test_empty_input():
    assert run(b"") == []


def test_a_file(tmp_path):
    (tmp_path / "forms").write_text("foo\nbar")
    assert run(b"", str(tmp_path / "forms")) == [b"(name foo)", b"(name bar)"]


@pytest.mark.parametrize(
    "options, message",
    [
        (["--domain", "nonsense"], "no domain 'nonsense'"),
        (["--domain", "calendar", "/no/such/file"], "/no/such/file: no such file"),
    ],
)
def test_bad_usage_is_one_line(options, message, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["execute", *options]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_starts_without_torch_or_fairseq():
    code = (
        "import sys; sys.modules.update(torch=None, fairseq=None)\n"
        "from fairseq_twostage.cli.main import main\n"
        "sys.exit(main(['execute', '--domain', 'blocks']))"
    )
    result = subprocess.run([sys.executable, "-c", code], input=b"foo\n", capture_output=True)
    assert (result.stdout, result.stderr, result.returncode) == (b"(name foo)\n", b"", 0)
