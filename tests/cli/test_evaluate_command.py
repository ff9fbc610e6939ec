"""The options of ``twostage evaluate``, and the results file that it fills."""

import argparse
import json
from pathlib import Path

import pytest
import torch
from fairseq_twostage.inference.picks import PICKS

from fairseq_twostage.cli import evaluate, export
from fairseq_twostage.cli.evaluate import check_options, run_result, without_punctuation
from fairseq_twostage.cli.main import main
from fairseq_twostage.corpora.databin import EmbeddingsInfo, Manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.results import portable_command
from fairseq_twostage.systems.commands import Run
from fairseq_twostage.systems.config import load_system

CONFIGS = sorted((Path(__file__).resolve().parents[2] / "configs").glob("*.yaml"))
SECOND = "label_free_release"


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


def test_tokens_without_letter_or_digit_can_be_left_out():
    assert without_punctuation("how deep is _lake_ ?", {"deep"}) == "how deep is _lake_"
    assert without_punctuation("( 2 pm ) , é", {"(", ")"}) == "( 2 pm ) é"
    assert without_punctuation("? !", {}) == "? !"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--beam", "0"], "--beam: must be at least 1"),
        (["--paraphraser", "a.pt", "--rerank", "forward=1", "--beam", "-2"], "--beam: must be"),
        (["--rerank", "forward=1"], "--rerank: .* give --paraphraser"),
        (["--rerank", "", "--proposals", "5"], "--rerank: .* give --paraphraser"),
        (["--paraphraser", "a.pt", "--proposals", "5"], "--proposals: is for --rerank"),
        (["--paraphraser", "a.pt", "--lm-cf", "b.pt"], "--lm-cf: is for --rerank"),
        (["--style", "b.pt"], "--style: is for --rerank"),
        (["--paraphraser", "a.pt", "--rerank", "dual", "--proposals", "-1"], "--proposals: must"),
    ],
)
def test_options_that_would_do_nothing(options, message, tmp_path, capsys):
    results = ["--results", str(tmp_path / "results")]
    words = ["--data", str(tmp_path), "--parser", "p.pt", *results, *options]
    with pytest.raises(UserError, match=message):
        check_options(parsed(*words))
    assert main(["evaluate", *words]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_configuration_may_be_evaluated(path):
    for domain in ("calendar", "geo"):
        run = Run(load_system(path, domain=domain), Path("data"), Path("run"), seed=1)
        check_options(parsed(*run.evaluate_command(domain)[2:]))


def test_an_exported_parser_picks_as_the_evaluation_does():
    for command in (evaluate, export):
        parser = argparse.ArgumentParser()
        command.add_arguments(parser)
        (pick,) = (each for each in parser._actions if each.dest == "pick")
        assert pick.choices is PICKS and pick.default in PICKS


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


def result_of(run, paraphraser):
    options = ["--data", "data", "--run", run, "--parser", run / "parser" / "checkpoint_best.pt"]
    options += ["--paraphraser", run / "dae" / paraphraser] if paraphraser else []
    args = parsed(*options, "--stages", "parser,dae", "--results", run, "--history", "valid")
    vectors = EmbeddingsInfo(0, 0, 0, 0, file="", sha256="", dim=0)
    manifest = Manifest(1, "0", "calendar", "paper", 1, {}, [], {}, vectors)
    return run_result(args, manifest, [("", True), ("", False)], {2: 50.0})


def test_metric_and_history_are_of_what_chose(tmp_path):
    values = {"label_free": [1.5, 1.25, 1.0], SECOND: [0.25, 0.5, 0.75]}
    stage(tmp_path / "parser", {}, {"exact_match": 1})
    stage(tmp_path / "dae", values, {"label_free": 1, SECOND: 3})
    for name, chosen in (("", "label_free"), (f"_{SECOND}", SECOND)):
        result = result_of(tmp_path, f"checkpoint_best{name}.pt")
        assert result.metric == max(values[chosen])
        assert result.options["selection"]["paraphraser"]["metric"] == chosen
        assert [epoch["metric"] for epoch in result.history["dae"]] == values[chosen]
        assert [epoch.get("accuracy") for epoch in result.history["dae"]] == [None, 50.0, None]


def test_another_metric_leaves_the_history_to_the_label_free_one(tmp_path):
    values = {"label_free": [1.5, 1.25, 1.0], "denotation": [0.1, 0.2, 0.3]}
    stage(tmp_path / "parser", {}, {"exact_match": 1})
    stage(tmp_path / "dae", values, {"denotation": 3})
    result = result_of(tmp_path, "checkpoint_best.pt")
    assert result.metric is None
    assert [epoch["metric"] for epoch in result.history["dae"]] == values["label_free"]


def test_a_parser_alone_has_a_history_of_its_own_metric(tmp_path):
    stage(tmp_path / "parser", {"exact_match": [50, 100, 75]}, {"exact_match": 2})
    result = result_of(tmp_path, None)
    assert result.metric is None and result.history_metric == "exact_match"
    assert "history_minimized" not in result.options
    assert result.history == {
        "parser": [
            {"epoch": 1, "metric": 50},
            {"epoch": 2, "metric": 100, "accuracy": 50},
            {"epoch": 3, "metric": 75},
        ]
    }
