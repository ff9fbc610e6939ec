"""The options of ``twostage evaluate``, and the line of results that it fills."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from fairseq_twostage.cli import evaluate, export
from fairseq_twostage.cli.by_hand import pipeline_by_hand
from fairseq_twostage.cli.evaluate import SCORINGS, log_scoring
from fairseq_twostage.cli.main import main
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.provenance import portable_command
from fairseq_twostage.systems.commands import Run
from fairseq_twostage.systems.config import load_system
from fairseq_twostage.systems.record import by_hand
from fairseq_twostage.systems.results_of import run_result
from fairseq_twostage.systems.scoring import Scored
from fairseq_twostage.text.rows import Row
from tests.builders import write_data_bin
from tests.configurations import EVERY

SECOND = "label_free_release"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_data_bin(tmp_path_factory.mktemp("evaluate"))


def parsed(*words):
    parser = argparse.ArgumentParser()
    evaluate.add_arguments(parser)
    return parser.parse_args(list(map(str, words)))


def test_folders_of_the_machine_are_left_out(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWOSTAGE_RUNS", "/somewhere/runs/")
    monkeypatch.delenv("TWOSTAGE_DATA", raising=False)
    arguments = ["evaluate", "--run", "/somewhere/runs/a.1", "--data", f"{tmp_path}/data-bin/a b"]
    arguments += ["--results", "/elsewhere/my results", "--rerank", "forward=1"]
    shown = (
        "twostage evaluate --run $TWOSTAGE_RUNS/a.1 --data 'data-bin/a b' "
        "--results '.../my results' --rerank forward=1"
    )
    assert portable_command(arguments) == shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--parser", "p.pt", "--beam", "0"], "--beam: must be at least 1"),
        (["--parser", "p.pt", "--proposals", "-1"], "--proposals: must be at least 0"),
        (["--parser", "p.pt", "--proposals", "5"], "proposals need rerank"),
        (["--paraphraser", "a.pt"], "without a parser, rerank and lookup are needed"),
        (["--parser", "p.pt", "--rerank", "dual=1"], "need a paraphraser"),
        (
            ["--rerank", "word_vectors=1", "--no-lookup"],
            "without a parser, rerank and lookup are needed",
        ),
        (["--rerank", "guess=1"], "--rerank: unknown name 'guess'"),
        (
            ["--parser", "p.pt", "--rerank", "forward=1", "--paraphraser", "a.pt", "b.pt"],
            "rerank is for one paraphraser",
        ),
    ],
)
def test_checkpoints_by_hand_that_cannot_read(options, message, data, tmp_path, capsys):
    results = ["--results", str(tmp_path / "results")]
    assert main(["evaluate", "--data", str(data), *results, *options]) > 0
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--run: give the run folder, or checkpoints"),
        (["--parser", "p.pt"], "--data: checkpoints by hand need their data-bin"),
        (["--run", "{}", "--beam", "3"], "--beam: is for checkpoints by hand"),
        (["--run", "{}", "--skip-punctuation"], "--skip-punctuation: is for checkpoints by hand"),
        (["--run", "{}", "--pick", "executable"], "--pick: is for checkpoints by hand"),
        (["--run", "{}", "--seed", "2"], "--seed: is for checkpoints by hand"),
    ],
)
def test_options_that_would_do_nothing(options, message, tmp_path, capsys):
    assert main(["evaluate", *(word.format(tmp_path) for word in options)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line


def test_stages_are_named_for_results_of_checkpoints_by_hand(data, tmp_path, capsys):
    words = ["--data", str(data), "--parser", "p.pt", "--run", str(tmp_path)]
    assert main(["evaluate", *words, "--results", str(tmp_path / "results")]) == 1
    assert "--stages: name the stages" in capsys.readouterr().err
    assert main(["evaluate", *words, "--history", "valid"]) == 1
    assert "--history: needs --results and --run" in capsys.readouterr().err


@pytest.mark.parametrize("config", EVERY, ids=lambda config: config.name)
def test_every_configuration_can_read(config):
    for domain in ("calendar", "geo"):
        run = Run(load_system(config, domain=domain), Path("data"), Path("run"), seed=1)
        run.pipeline().check("here")
        parsed(*run.evaluate_command()[2:])


@pytest.mark.parametrize(
    ("options", "pick", "lookup"),
    [
        ("--parser p --paraphraser a", "executable_paraphrase", True),
        ("--parser p --paraphraser a --pick best --no-lookup --beam 3", "best", False),
        ("--parser p --paraphraser a --rerank forward=1 --proposals 2", None, True),
        ("--parser p", "best", False),
    ],
)
def test_the_same_options_score_and_export_the_same_parser(options, pick, lookup):
    found = []
    for command in (evaluate, export):
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        more = ["--output", "o"] if command is export else []
        found.append(pipeline_by_hand(parser.parse_args([*options.split(), *more])))
    assert found[0] == found[1]
    assert found[0].pick == (pick or "executable_paraphrase") and found[0].lookup == lookup


# ---------------------------------------------------------- the log of scored test rows


def test_scorings_of_published_test_rows_are_logged(data, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["twostage", "evaluate", "--beam", "5"])
    record = by_hand(data, Pipeline(parser="p.pt"), "mine", seed=4)
    for folder in ("results", "run"):
        (tmp_path / folder).mkdir()
    results, run = (f"--{name}={tmp_path / name}" for name in ("results", "run"))
    for options, percent in (([results, run], 12.345), ([run], 50.0), ([results], 60.0), ([], 7)):
        log_scoring(parsed("--data", data, *options), record, percent)

    def logged(folder):
        lines = (folder / "test-scorings.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    first, third = logged(tmp_path / "results")
    assert [first["accuracy"], third["accuracy"]] == [12.35, 60.0]
    assert [line["accuracy"] for line in logged(tmp_path / "run")] == [50.0]
    assert [line["accuracy"] for line in logged(data / "gold")] == [7]
    (data / "gold" / "test-scorings.jsonl").unlink()
    expected = {"system": "mine", "domain": "geo", "setting": "paper", "seed": 4}
    assert {name: first[name] for name in expected} == expected
    assert first["fingerprint"] == record.fingerprint and first["date"].startswith("20")
    assert first["command"] == "twostage evaluate --beam 5"


def test_a_log_that_cannot_be_written_is_said(data, tmp_path):
    record = by_hand(data, Pipeline(parser="p.pt"))
    (tmp_path / SCORINGS).mkdir()  # in the way
    with pytest.raises(UserError, match=r"test-scorings\.jsonl: cannot be written"):
        log_scoring(parsed("--data", data, "--run", tmp_path), record, 50.0)


def test_nothing_else_is_logged(data, tmp_path):
    record = by_hand(data, Pipeline(parser="p.pt"))
    for other in (
        replace(record, split="valid"),
        replace(record, split="held_out"),
        replace(record, domain="ships"),
    ):
        log_scoring(parsed("--data", data, "--results", tmp_path), other, 50.0)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------- the results


def stage(folder, epochs, best):
    """A stage's log, and the checkpoints that each metric chose.

    Args:
        folder: of the stage.
        epochs: values of each metric, by name.
        best: epoch that each metric chose, by name, fairseq's own first.
    """
    folder.mkdir(parents=True)
    lines = []
    for epoch in range(3):
        values = {f"valid_{name}": str(found[epoch]) for name, found in epochs.items()}
        lines.append(json.dumps({"epoch": epoch + 1, "valid_loss": "1", **values}) + "\n")
    (folder / "train.log").write_text("".join(lines))
    own, *others = best
    for name, epoch in best.items():
        state = {
            "extra_state": {
                "val_loss": epochs[own][epoch - 1] if own in epochs else None,
                "also_best": {other: epochs[other][epoch - 1] for other in others},
            },
            "cfg": {
                "checkpoint": {
                    "best_checkpoint_metric": own,
                    "maximize_best_checkpoint_metric": own != "loss",
                    "patience": 0,
                },
                "task": {"supervised": False},
            },
        }
        suffix = "" if name == own else f"_{name}"
        torch.save(state, folder / f"checkpoint_best{suffix}.pt")


def result_of(data, run, paraphraser):
    pipeline = Pipeline(
        [str(run / "dae" / paraphraser)] if paraphraser else [],
        str(run / "parser" / "checkpoint_best.pt"),
    )
    record = by_hand(data, pipeline, stages=["parser", "dae"])
    row = Row("x", "z", "y", {})
    found = ["z", "a"]
    scored = Scored([row, row], ["z", "z"], ["y", "b"], ["1", "ERROR"], [True, False], None, found)
    return run_result(record, scored, run, {2: 50.0}, "valid", ["z", "z"])


def test_metric_and_history_are_of_what_chose(data, tmp_path):
    values = {"label_free": [1.5, 1.25, 1.0], SECOND: [0.25, 0.5, 0.75]}
    stage(tmp_path / "parser", {}, {"exact_match": 1})
    stage(tmp_path / "dae", values, {"label_free": 1, SECOND: 3})
    for name, chosen in (("", "label_free"), (f"_{SECOND}", SECOND)):
        result = result_of(data, tmp_path, f"checkpoint_best{name}.pt")
        assert result.metric == max(values[chosen])
        assert (result.accuracy, result.correct_rows, result.total) == (50, [0], 2)
        assert result.frequency_match == 0.5  # one of two z is one that Z has
        assert result.options["path"] == "inference"
        assert result.options["selection"]["paraphraser"]["metric"] == chosen
        assert [epoch["metric"] for epoch in result.history["dae"]] == values[chosen]
        assert [epoch.get("accuracy") for epoch in result.history["dae"]] == [None, 50.0, None]


def test_another_metric_leaves_the_history_to_the_label_free_one(data, tmp_path):
    values = {"label_free": [1.5, 1.25, 1.0], "denotation": [0.1, 0.2, 0.3]}
    stage(tmp_path / "parser", {}, {"exact_match": 1})
    stage(tmp_path / "dae", values, {"denotation": 3})
    result = result_of(data, tmp_path, "checkpoint_best.pt")
    assert result.metric is None
    assert [epoch["metric"] for epoch in result.history["dae"]] == values["label_free"]


def test_a_parser_alone_has_a_history_of_its_own_metric(data, tmp_path):
    stage(tmp_path / "parser", {"exact_match": [50, 100, 75]}, {"exact_match": 2})
    result = result_of(data, tmp_path, None)
    assert result.metric is None and result.history_metric == "exact_match"
    assert result.frequency_match is None
    assert "history_minimized" not in result.options
    assert result.history == {
        "parser": [
            {"epoch": 1, "metric": 50},
            {"epoch": 2, "metric": 100, "accuracy": 50},
            {"epoch": 3, "metric": 75},
        ]
    }
