"""What ``twostage train`` refuses before it trains."""

import json
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from tests.builders import write_data_bin

CONFIG = Path(__file__).resolve().parents[2] / "configs" / "minus_cycle_learning.yaml"
KEEP_EPOCHS = ("--set", "stages.dae.options.no-epoch-checkpoints=false")


@pytest.fixture
def train(tmp_path, capsys):
    """Run it dry with these options; the status, and what it says of errors."""
    data = write_data_bin(tmp_path / "bin")
    folders = {"data": data, "runs": tmp_path / "runs", "results": tmp_path / "results"}

    def train(*options):
        arguments = [text for name, path in folders.items() for text in (f"--{name}", str(path))]
        status = main(["train", "--config", str(CONFIG), *arguments, "--dry-run", *options])
        return status, capsys.readouterr().err

    return train


def test_a_history_of_epochs_that_are_kept(train):
    assert train("--history", "valid", *KEEP_EPOCHS) == (0, "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--seed", "-3"), "--seed: must be from 0 to 4294967295, not -3"),
        (("--runs", __file__), f"{__file__}: is a file where a folder is needed"),
        (("--results", f"{__file__}/results"), f"{__file__}: is a file where a folder is needed"),
        (("--history", "valid"), "--set stages.dae.options.no-epoch-checkpoints=false"),
        (("--history", "later", *KEEP_EPOCHS), "later.tsv: no such split"),
        (("--set", "seed=2"), "--set seed: is given by --seed"),
        (("--set", "evaluate.split=later"), "(--until parser.reader and --until dae.averaged)"),
        (
            ("--set", "evaluate.paraphraser=null", "--set", "evaluate.source=cf"),
            "gold/test.tsv: some rows have no canonical utterance",
        ),
    ],
)  # fmt: skip
def test_what_would_fail_later_is_refused_at_once(train, options, message):
    status, error = train(*options)
    assert status == 1
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize("name", ["complete_restarts", "complete_mixture"])
def test_a_history_is_of_one_training(train, name):
    other = str(CONFIG.with_stem(name))
    status, error = train("--config", other, "--history", "valid")
    assert status == 1
    assert "--history: is for one training; this system has several\n" in error


def test_a_metric_that_the_data_do_not_allow_is_refused_before_the_first_stage(train, tmp_path):
    manifest = tmp_path / "bin" / "bin" / "manifest.json"
    assert manifest.exists()
    content = json.loads(manifest.read_text())
    config = ("--config", str(CONFIG.with_stem("complete_balanced")))
    assert train(*config) == (0, "")
    manifest.write_text(json.dumps({**content, "canonical": "grammar"}))
    status, error = train(*config)
    assert status == 1 and "stage cycle.balanced: label_free_frequency needs a Z as" in error
    assert train(*config, "--until", "cycle") == (0, "")


def test_a_result_on_other_rows_is_not_replaced(train, tmp_path):
    path = tmp_path / "results" / CONFIG.stem / "geo.paper.1.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"split": "valid"}')
    status, error = train()
    assert status == 1 and f"{path}: holds a result on valid rows" in error
    assert train("--set", "evaluate.split=valid") == (0, "")


def test_without_rows_to_score_on_stages_can_be_trained(train, tmp_path):
    next(tmp_path.rglob("gold/test.tsv")).unlink()
    status, error = train()
    assert status == 1 and "test.tsv: no such rows to score on" in error
    assert train("--until", "dae.averaged") == (0, "")


def test_predictions_of_another_split_than_test_say_so(tmp_path, capsys):
    data = write_data_bin(tmp_path / "bin")
    for name, file in (("naive_parser", "naive_parser.valid.tsv"), (CONFIG.stem, None)):
        config = CONFIG.with_stem(name)
        command = ["train", "--config", config, "--data", data, "--runs", tmp_path, "--dry-run"]
        assert main(list(map(str, command))) == 0
        path = tmp_path / "geo.paper.1" / "predictions" / (file or f"{name}.tsv")
        assert f"--predictions {path}" in capsys.readouterr().out
