"""Better by use: a small domain without training, its questions, labels and the parser in use."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fairseq_twostage import durable
from fairseq_twostage.cli.main import main
from fairseq_twostage.inference.bundle import read_bundle
from fairseq_twostage.inference.confidence import ConfidenceModel
from fairseq_twostage.inference.learning import share_of
from fairseq_twostage.inference.question_log import Question
from fairseq_twostage.systems.record import read_record
from tests.integration.test_first_steps import SHORT

ASKED = ["what is the mass of Rex ?", "mass of Mila", "who is the chubbiest ?", "hand me a puppy"]
MEANT = ["weight of rex", "weight of mila", "animal with highest weight", "animal with kind dog"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The skeleton of a domain, built without training."""
    folder = tmp_path_factory.mktemp("improve")
    assert main(["init", str(folder / "shelter")]) == 0
    where = ["--data", str(folder / "bin"), "--runs", str(folder / "runs")]
    assert main(["build", str(folder / "shelter"), "--config", "untrained_words", *where]) == 0
    return folder


@pytest.fixture
def shelter(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in the working folder."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    log = [Question("2026-01-01T00:00:00+00:00", x, True, None, "", "", 0.5, 0.9) for x in ASKED]
    away = Question("2026-01-01T00:00:00+00:00", "who won in 1966", False, "", "", "", 0.1, 0.01)
    torn = b'{"time": "2026'
    Path("log.jsonl").write_bytes(b"".join(each.line() for each in [*log, away]) + torn)
    rows = [f"{x}\t{z}\n" for x, z in zip(ASKED, MEANT)]
    Path("labels.tsv").write_text("".join(rows))
    return tmp_path


def run(*words: str, where: Sequence[str] = ("--data", "bin", "--runs", "runs")) -> int:
    return main([words[0], words[1], *where, *words[2:]])


EXPORT = Path("runs/shelter.grammar.1/exported")


def readings() -> list[str]:
    parser = read_bundle(EXPORT)
    found = parser.parse_batch(ASKED)
    return [parser.reader.write_out(each.canonical, each.utterance) for each in found]


def test_labels_and_logged_questions_make_it_better(shelter, capsys):
    before = readings()
    assert before != MEANT
    seed, share = 1, 0.5
    given = ("--labels", "labels.tsv", "--held-out", str(share))
    assert run("improve", "shelter", *given, "--log", "log.jsonl") == 0
    out = capsys.readouterr().out.splitlines()
    parser = read_bundle(EXPORT.with_name("exported.1"))
    tokens = [parser.reader(text).tokens for text in ASKED]
    held = {x for x in tokens if share_of(x, seed) < share}
    different = set(tokens)
    assert held and held != different
    assert out[0] == (
        f"{len(different)} labelled questions, {len(held)} of them held out; 4 logged questions"
    )
    assert out[-1].startswith("better: ") and out[-1].endswith(
        "the one before is " + str(EXPORT) + ".1"
    )
    assert readings() == MEANT
    new = (EXPORT.parent / "improved/data/text/train.nl").read_text().splitlines()
    assert set(new) & different == different - held  # the log's, but not the held-out ones
    assert not any("1966" in line for line in new)

    # The same labels again teach nothing new.
    files = {path.name: path.read_bytes() for path in EXPORT.iterdir()}
    assert run("improve", "shelter", *given) == 0
    assert re.match(r"not better: .*stays as it is$", capsys.readouterr().out.splitlines()[-1])
    assert files == {path.name: path.read_bytes() for path in EXPORT.iterdir()}


def test_a_sheet_is_filled_in_and_given_back(shelter, capsys):
    assert run("ask-for-labels", "shelter", "--log", "log.jsonl", "-n", "6") == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert header.split("\t") == ["question", "label", "confidence", "1", "2", "3", "4"]
    assert len(rows) == 6 and all(len(row.split("\t")) == 7 for row in rows)
    questions = [row.split("\t")[0] for row in rows]
    assert len(set(questions)) == 6 and "who won in 1966" not in questions
    filled = [row.replace("\t\t", "\t1\t", 1) for row in rows]
    Path("sheet.tsv").write_text("\n".join([header, *filled]) + "\n")
    known = ("--labels", "sheet.tsv", "-n", "500")
    assert (
        run("ask-for-labels", "shelter", "--log", "log.jsonl", *known, "--output", "rest.tsv") == 0
    )
    rest = [line.split("\t")[0] for line in Path("rest.tsv").read_text().splitlines()]
    assert not set(rest) & set(questions)  # they have labels
    assert run("improve", "shelter", "--labels", "sheet.tsv") == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("6 labelled questions")


def test_what_was_labelled_is_never_refused(shelter):
    asked = "not a single kitten or cat please"
    before = read_bundle(EXPORT)(asked)
    assert not before.verdict.understood
    Path("labels.tsv").write_text(f"{asked}\tanimal with kind dog\n")
    assert run("improve", "shelter", "--labels", "labels.tsv", "--held-out", "0") == 0
    after = read_bundle(EXPORT)(asked)
    assert after.canonical == "animal with kind dog" and after.verdict.understood
    assert after.verdict.confidence is not None


def test_few_labels_leave_the_confidence_as_it_is(shelter):
    assert run("improve", "shelter", "--labels", "labels.tsv", "--held-out", "0") == 0
    one, other = (read_bundle(each).trust for each in (EXPORT.with_name("exported.1"), EXPORT))
    assert one.threshold == other.threshold
    assert other.model == one.model == ConfidenceModel()


def test_an_export_over_what_has_learnt_keeps_it_and_says_so(shelter, capsys):
    assert run("improve", "shelter", "--labels", "labels.tsv") == 0
    learnt = {path.name: path.read_bytes() for path in EXPORT.iterdir()}
    words = ["--run", "runs/shelter.grammar.1", "--output", str(EXPORT), "--force"]
    for kept in (True, False):
        capsys.readouterr()
        assert main(["export", *words]) == 0
        notes = [line for line in capsys.readouterr().err.splitlines() if "learnt" in line]
        assert bool(notes) == kept and all(f"the one before is {EXPORT}.2;" in n for n in notes)
    assert {path.name: path.read_bytes() for path in Path(f"{EXPORT}.2").iterdir()} == learnt


@pytest.mark.parametrize("step", ["copytree", "exchange", "rmtree"])
def test_a_kill_at_any_step_leaves_a_parser(shelter, monkeypatch, step):
    before = {path.name: path.read_bytes() for path in EXPORT.iterdir()}

    def killed(*paths: object, **options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if step == "exchange":
            patch.setattr(durable, step, killed)
        else:
            patch.setattr(durable.shutil, step, killed)
        with pytest.raises((KeyboardInterrupt, SystemExit)):
            raise SystemExit(run("improve", "shelter", "--labels", "labels.tsv"))
    after = {path.name: path.read_bytes() for path in EXPORT.iterdir()}
    assert after == before or step == "rmtree"
    assert read_bundle(EXPORT).parse_batch(ASKED)
    assert run("improve", "shelter", "--labels", "labels.tsv") == 0
    assert readings() == MEANT
    kept = [path for path in EXPORT.parent.iterdir() if path.name.startswith("exported.")]
    assert any({p.name: p.read_bytes() for p in each.iterdir()} == before for each in kept)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["improve", "shelter"], "nothing to learn from: give --log, --marks or --labels"),
        (["improve", "nowhere", "--labels", "labels.tsv"], "unknown domain 'nowhere'"),
        (["improve", "shelter", "--labels", "no.tsv"], "no.tsv"),
        (["improve", "shelter", "--domain", "geo", "--labels", "labels.tsv"], "--domain: is for"),
        (["improve", "shelter", "--log", "labels.tsv"], "labels.tsv:1: no line of a log"),
        (
            ["improve", "shelter", "--labels", "rome.tsv"],
            "rome.tsv:1: the logical form has no answer",
        ),
        (["improve", "shelter", "--labels", "blank.tsv"], "blank.tsv: no question has a label yet"),
        (["ask-for-labels", "shelter", "--output", "labels.tsv"], "labels.tsv: exists already"),
        (["ask-for-labels", str(EXPORT)], "no questions to choose from"),
        (["improve", "shelter", "--labels", "labels.tsv", "--seed", "7"], "no exported parser"),
    ],
)
def test_what_cannot_be_is_one_line(shelter, capsys, words, message):
    Path("rome.tsv").write_text(
        "hi rex\t( call SW.listValue ( call SW.getProperty en.animal.x ( string kind ) ) )\n"
    )
    Path("blank.tsv").write_text("question\tlabel\tconfidence\t1\nhi rex\t\t0.5\tanimal\n")
    assert run(*words) == 1
    error = capsys.readouterr().err.strip().splitlines()
    assert len(error) == 1 and message in error[0]


def test_networks_are_trained_with_labels(shelter, forks):
    changes = [word for change in SHORT for word in ("--set", change)]
    record = read_record(EXPORT.parent)  # as if its networks had been trained before
    replace(record, config="words_only").write(EXPORT.parent)
    given = ("--data", "bin", "--runs", "runs", "--labels", "labels.tsv", "--held-out", "0.5")
    improved = forks("twostage", "improve", "shelter", *given, "--train", *changes, folder=shelter)
    out = improved.ok().out.splitlines()
    assert re.match("(not )?better: held-out labels", out[-1]) and "unseen" not in out[-1]
    rows = (EXPORT.parent / "improved/data/gold/train.tsv").read_text()
    assert rows.count("\n") == 2  # the others are held out
    commands = (EXPORT.parent / "improved").glob("shelter.grammar.1/*/command")
    assert any("supervised=1" in path.read_text() for path in commands)


def test_an_export_learns_alone(shelter, capsys):
    shutil.copytree(EXPORT, "alone")
    shutil.rmtree("runs")
    shutil.rmtree("bin")
    assert main(["improve", "alone", "--labels", "labels.tsv"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("better: ")
    assert Path("alone.1/bundle.json").is_file()
