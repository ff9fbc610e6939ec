from __future__ import annotations

import argparse
import subprocess
import sys
from types import ModuleType

import pytest

import fairseq_twostage
from fairseq_twostage.cli import main as cli
from fairseq_twostage.errors import UserError


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A subcommand ``echo WORD`` that prints the word, and refuses ``bad``."""
    module = ModuleType("fairseq_twostage.cli.echo")

    def add_arguments(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("word")

    def main(args: argparse.Namespace) -> int:
        if args.word == "bad":
            raise UserError("a bad word", where="word")
        print(args.word)
        return 3

    module.add_arguments = add_arguments  # type: ignore[attr-defined]
    module.main = main  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(cli.COMMANDS, "echo", "print a word")
    return module


@pytest.mark.usefixtures("echo")
def test_subcommand_gets_its_arguments_and_gives_the_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["echo", "hello"]) == 3
    assert capsys.readouterr().out == "hello\n"


@pytest.mark.usefixtures("echo")
def test_user_error_is_one_line_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["echo", "bad"]) == 1
    assert capsys.readouterr() == ("", "twostage echo: error: word: a bad word\n")


def test_other_errors_are_not_hidden(monkeypatch: pytest.MonkeyPatch, echo: ModuleType) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise KeyError("a bug")

    monkeypatch.setattr(echo, "main", fail)
    with pytest.raises(KeyError):
        cli.main(["echo", "hello"])


@pytest.mark.parametrize(
    ("package", "extra"), [("scipy", "[fairseq,train]"), ("sqlalchemy.dialects", "[database]")]
)
def test_a_package_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch,
    echo: ModuleType,
    capsys: pytest.CaptureFixture[str],
    package: str,
    extra: str,
) -> None:
    def fail(args: argparse.Namespace) -> int:
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)

    monkeypatch.setattr(echo, "main", fail)
    assert cli.main(["echo", "hello"]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"twostage echo: error: needs the package {package},")
    assert extra in error and error.count("\n") == 1


@pytest.mark.usefixtures("echo")
def test_a_package_that_the_command_itself_imports_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "fairseq_twostage.cli.echo", None)  # as if it were missing
    assert cli.main(["echo", "hello"]) == 1
    assert "error: needs the package fairseq_twostage.cli.echo" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["no-such-command"], []])
def test_unknown_or_missing_command_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert cli.main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("twostage: error: ")


def test_a_command_that_has_gone_says_what_to_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["report", "--results", "x"]) == 2
    error = capsys.readouterr().err
    assert "python -m research.report" in error and error.count("\n") == 1


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--help"])
    assert end.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    listed = {line.split()[0] for line in lines if line.startswith("    ") and line.strip()}
    assert set(cli.COMMANDS) <= listed


def test_version_imports_neither_torch_nor_any_command() -> None:
    script = (
        "import atexit, sys\n"
        "from fairseq_twostage.cli.main import main\n"
        "heavy = {'torch', 'fairseq', 'numpy'}\n"
        "atexit.register(lambda: print(sorted(m for m in sys.modules if m in heavy\n"
        "    or m.startswith('fairseq_twostage.cli.') and m != 'fairseq_twostage.cli.main')))\n"
        "main(['--version'])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"twostage {fairseq_twostage.__version__}\n[]\n"
