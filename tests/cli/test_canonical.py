from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fairseq_twostage.cli import main as cli

GRAMMAR = """
(when (and generate general)
  (rule $N (b) b)
  (rule $N (a) a))
(when loud (rule $N (shout) s))
(rule $N (not $N) (lambda x (call not (var x))))
(rule $ROOT ($N) (lambda x (call list (var x))))
"""


@pytest.fixture
def grammar(tmp_path: Path) -> str:
    path = tmp_path / "g.grammar"
    path.write_text(GRAMMAR, encoding="utf-8")
    return str(path)


def run(
    capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0
) -> tuple[list[str], str]:
    assert cli.main(["canonical", *arguments]) == status
    captured = capsys.readouterr()
    return captured.out.splitlines(), captured.err


def test_pairs_are_sorted_lines_with_a_tab(
    grammar: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, errors = run(capsys, "--grammar", grammar, "--depth", "3")
    assert lines == [
        "a\t( call list a )",
        "b\t( call list b )",
        "not a\t( call list ( call not a ) )",
        "not b\t( call list ( call not b ) )",
    ]
    assert errors == ""


def test_stream_prints_in_the_order_of_finding(
    grammar: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, _ = run(capsys, "--grammar", grammar, "--budget", "3", "--stream")
    assert [line.split("\t")[0] for line in lines] == ["b", "a", "not b"]


def test_tags(grammar: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines, errors = run(
        capsys, "--grammar", grammar, "--depth", "2", "--tags", "loud", "generate", "laud"
    )
    assert lines == ["shout\t( call list s )"]
    assert errors == "twostage canonical: warning: no 'when' knows the tag laud\n"


def test_samples_are_seeded_and_a_short_one_is_announced(
    grammar: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--grammar", grammar, "--depth", "12", "--sample", "5", "--seed")
    first, errors = run(capsys, *options, "1")
    assert (len(first), errors) == (5, "")
    assert first == run(capsys, *options, "1")[0]
    assert first != run(capsys, *options, "2")[0]
    few, errors = run(capsys, "--grammar", grammar, "--depth", "3", "--sample", "5")
    assert len(few) == 4
    assert errors == "twostage canonical: warning: found 4 pairs, not 5\n"


def test_output_goes_to_a_file_whole_or_not_at_all(
    grammar: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "pairs.tsv"
    run(capsys, "--grammar", grammar, "--depth", "2", "--output", str(output))
    assert output.read_text(encoding="utf-8") == "a\t( call list a )\nb\t( call list b )\n"

    bad = tmp_path / "bad.grammar"
    bad.write_text(GRAMMAR + "(rule $ROOT ($N $N) (JoinFn forward betaReduce))")
    fresh = tmp_path / "fresh.tsv"
    _, errors = run(
        capsys, "--grammar", str(bad), "--depth", "2", "--stream", "--output", str(fresh), status=1
    )
    assert errors.startswith(f"twostage canonical: error: {bad}:8: not a lambda")
    assert not fresh.exists()


def test_lint_prints_warnings_instead_of_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "g.grammar"
    path.write_text("(rule $ROOT (a) a)\n(rule $ROOT (a) b)\n(rule $X (x) x)")
    lines, _ = run(capsys, "--grammar", str(path), "--lint")
    assert lines == [
        "ambiguous utterance 'a' has 2 logical forms: a; b",
        f"{path}:3: $X -> x is never reached from $ROOT",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            (),
            "is recursive, so its phrases have no end: give a depth, "
            "depth: in domain.yaml or --depth, or a budget",
        ),
        (("--budget", "1", "--sample", "1"), "--budget, --sample: choose one"),
        (("--lint", "--sample", "1"), "--lint: needs all pairs"),
        (("--lint", "--placeholders", "city"), "lint reads the words of the grammar"),
        (("--depth", "1", "--domain", "nowhere"), "no domain 'nowhere'"),
    ],
)
def test_wrong_use_is_one_line(
    grammar: str, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    lines, errors = run(capsys, "--grammar", grammar, *options, status=1)
    assert lines == []
    assert message in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("option", ["--depth", "--budget", "--sample", "--capacity"])
def test_numbers_must_be_positive(grammar: str, option: str) -> None:
    assert cli.main(["canonical", "--grammar", grammar, option, "0"]) == 2


def test_the_real_command_writes_the_published_list(data_dir: Path) -> None:
    file = data_dir / "grammar" / "overnight" / "recipes.grammar"
    command = [sys.executable, "-m", "fairseq_twostage.cli.main", "canonical"]
    command += ["--grammar", str(file), "--domain", "recipes"]
    result = subprocess.run(command, capture_output=True, check=True)
    assert result.stdout == (data_dir / "canonical" / "recipes.tsv").read_bytes()
    assert result.stderr == b""


def test_names_as_placeholders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.grammar"
    path.write_text(
        "(rule $E (new tull) (ConstantFn fb:en.city.tull))\n"
        "(rule $ROOT (size of $E) (lambda x (call size (var x))))\n"
    )
    lines, _ = run(capsys, "--grammar", str(path), "--placeholders", "city")
    assert lines == ["size of _city_\t( call size _city_ )"]
    _, errors = run(capsys, "--grammar", str(path), "--placeholders", "lake", status=1)
    assert errors == "twostage canonical: error: --placeholders: the grammar names no lake\n"
