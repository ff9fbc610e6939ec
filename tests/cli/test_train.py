"""What ``twostage train`` refuses before it trains, and a system that is not trained at all."""

import argparse
import json

import pytest

from fairseq_twostage.cli import train as command
from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.folder import known_forms, read_manifest
from fairseq_twostage.inference.loading import fitted_similarity
from fairseq_twostage.schema import with_checksum
from fairseq_twostage.systems.opening import open_parser
from fairseq_twostage.systems.record import fingerprint, read_record
from tests.builders import GEO_ROWS, write_data_bin
from tests.configurations import configuration
from tests.research.helpers import run

CONFIG = "minus_cycle_learning"
KEEP_EPOCHS = ("--set", "stages.dae.options.no-epoch-checkpoints=false")


@pytest.fixture
def train(tmp_path, capsys):
    """Run it dry with these options; the status, and what it says of errors."""
    data = write_data_bin(tmp_path / "bin")
    folders = {"data": data, "runs": tmp_path / "runs", "results": tmp_path / "results"}

    def train(*options):
        arguments = [text for name, path in folders.items() for text in (f"--{name}", str(path))]
        status = main(["train", "--config", CONFIG, *arguments, "--dry-run", *options])
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
    assert status > 0
    assert message in error and error.count("\n") == 1


@pytest.mark.parametrize("name", ["complete_restarts", "complete_mixture"])
def test_a_history_is_of_one_training(train, name):
    status, error = train("--config", configuration(name), "--history", "valid")
    assert status == 1
    assert "--history: is for one training; this system has several\n" in error


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("rewards.fluencey=1", "stage cycle: --rewards: unknown name 'fluencey'; choose from"),
        ("objectives.policy=1", "stage cycle: --objectives: unknown name 'policy'; choose from"),
    ],
)
def test_an_unknown_name_is_told_before_the_first_stage(train, change, message):
    config = ("--config", "complete", "--set", f"stages.cycle.options.{change}")
    status, error = train(*config)
    assert status == 1 and message in error and error.count("\n") == 1
    assert train(*config, "--until", "dae") == (0, "")


def test_a_metric_that_the_data_do_not_allow_is_refused_before_the_first_stage(train, tmp_path):
    manifest = tmp_path / "bin" / "bin" / "manifest.json"
    assert manifest.exists()
    content = json.loads(manifest.read_text())
    config = ("--config", "complete_balanced")
    assert train(*config) == (0, "")
    manifest.write_text(json.dumps(with_checksum({**content, "canonical": "grammar"})))
    status, error = train(*config)
    assert status == 1 and "stage cycle.balanced: label_free_frequency needs a Z as" in error
    assert train(*config, "--until", "cycle") == (0, "")


def test_a_result_on_other_rows_is_not_replaced(train, tmp_path):
    path = run(CONFIG, "geo", split="valid").write(tmp_path / "results")
    status, error = train()
    assert status == 1 and f"{path}: holds a result of {CONFIG} geo paper 1 on valid" in error
    assert train("--set", "evaluate.split=valid") == (0, "")


def test_without_rows_to_score_on_stages_can_be_trained(train, tmp_path):
    next(tmp_path.rglob("gold/test.tsv")).unlink()
    status, error = train()
    assert status == 1 and "test.tsv: no such rows to score on" in error
    assert train("--until", "dae.averaged") == (0, "")


def test_predictions_of_another_split_than_test_say_so(tmp_path, capsys):
    data = write_data_bin(tmp_path / "bin")
    for name, file in (("naive_parser", "naive_parser.valid.tsv"), (CONFIG, None)):
        words = ["train", "--config", name, "--data", data, "--runs", tmp_path, "--dry-run"]
        assert main(list(map(str, words))) == 0
        path = tmp_path / "geo.paper.1" / "predictions" / (file or f"{name}.tsv")
        assert f"--predictions {path}" in capsys.readouterr().out


# -------------------------------------------------------------- without any training


def run_here(words):
    """``twostage train`` whose commands run in this process; returns them."""
    ran = []

    def execute(argv):
        ran.append(argv)
        return main(argv[1:])

    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.main(parser.parse_args(list(map(str, words))), execute) == 0
    return ran


@pytest.fixture(scope="module", params=["untrained_words", "untrained_words_prior"])
def untrained(request, tmp_path_factory):
    """The configuration's name, the folder of runs, and what was run."""
    folder = tmp_path_factory.mktemp(request.param)
    data = write_data_bin(folder)
    options = ["--runs", folder, "--results", folder / "results"]
    ran = run_here(["--config", request.param, "--data", data, *options])
    return request.param, folder, data, ran


def test_a_system_without_stages_is_evaluated_by_its_record(untrained, capsys):
    name, folder, data, ran = untrained
    run = folder / "geo.paper.1"
    predictions = run / "predictions" / f"{name}.tsv"
    assert ran == [
        [
            *("twostage", "evaluate", "--run", str(run), "--system", name, "--data", str(data)),
            *("--results", str(folder / "results"), "--predictions", str(predictions)),
        ]
    ]
    record = read_record(run)
    assert (record.system, record.config, record.stages) == (name, "untrained", [])
    assert record.fingerprint == fingerprint(data, read_manifest(data))
    pipeline = record.pipeline
    assert (pipeline.parser, pipeline.paraphrasers, pipeline.lookup) == (None, [], True)
    assert len(pipeline.prior) == (len(GEO_ROWS) if "prior" in pipeline.rerank else 0)
    result = json.loads((folder / "results" / "results.jsonl").read_text())
    assert (result["total"], result["stage_seconds"], result["seconds"]) == (1, {}, None)
    assert result["options"]["rerank"] == ",".join(
        f"{feature}={weight:g}" for feature, weight in pipeline.rerank.items()
    )
    (logged,) = (folder / "results" / "test-scorings.jsonl").read_text().splitlines()
    assert json.loads(logged)["accuracy"] == result["accuracy"]


def test_it_reads_the_pairs_as_run_and_as_export(untrained, tmp_path, capsys):
    _, folder, data, _ = untrained
    run, export = folder / "geo.paper.1", tmp_path / "export"
    assert main(["export", "--run", str(run), "--output", str(export)]) == 0
    capsys.readouterr()
    parsers = [open_parser(run), open_parser(export)]
    texts, canonicals, _ = zip(*GEO_ROWS)
    lakes = [{"_lake_": "lake.one"}] * len(texts)
    for parser in parsers:
        parses = parser.parse_batch(texts, variables=lakes)
        assert [parse.canonical for parse in parses] == list(canonicals)
        assert [parse.logical_form for parse in parses] == [
            known_forms(data)[z] for z in canonicals
        ]
    scores = [
        [
            reading.canonical_score
            for parse in parser.parse_batch(texts)
            for reading in parse.readings
        ]
        for parser in parsers
    ]
    assert scores[0] == pytest.approx(scores[1], abs=1e-5)
    line = f"{texts[0]}\t" + json.dumps(lakes[0])
    for place in (run, export):
        assert main(["parse", str(place), line, "--format", "jsonl"]) == 0
        (reading,) = json.loads(capsys.readouterr().out)["readings"]
        assert reading["canonical_tokens"] == canonicals[0]
        assert reading["canonical"] == "depth of one here"  # lake.one


def test_an_exported_parser_is_scored_on_rows_of_its_domain(untrained, tmp_path, capsys):
    _, folder, data, _ = untrained
    export = tmp_path / "export"
    assert main(["export", "--run", str(folder / "geo.paper.1"), "--output", str(export)]) == 0
    capsys.readouterr()
    shown, tables = [], []
    for words in (["--run", folder / "geo.paper.1"], ["--run", export, "--data", data]):
        table = tmp_path / f"{len(tables)}.tsv"
        options = ["--split", "train", "--predictions", str(table)]
        assert main(["evaluate", *options, *map(str, words)]) == 0
        shown.append(capsys.readouterr().out.splitlines()[-1])
        tables.append(table.read_text())
        assert not (export / "test-scorings.jsonl").exists()
    assert shown[0] == shown[1] and shown[0].endswith("of 5)")
    assert tables[0] == tables[1]
    rows = [line.split("\t")[:3] for line in tables[0].splitlines()[1:]]
    assert sorted(map(tuple, rows)) == sorted(GEO_ROWS)
    assert main(["evaluate", "--run", str(export), "--data", str(data)]) == 0
    assert "of 1)" in capsys.readouterr().out
    assert not (export / "test-scorings.jsonl").exists()  # the folder stays as it was exported
    assert len((data / "gold" / "test-scorings.jsonl").read_text().splitlines()) == 1
    for options, message in (
        ([], "--data: an exported parser needs a data-bin"),
        (["--data", data, "--results", tmp_path], "--results, --history: are of a run"),
        (["--data", data, "--beam", "2"], "--beam: is for checkpoints by hand"),
    ):
        assert main(["evaluate", "--run", str(export), *map(str, options)]) == 1
        assert message in capsys.readouterr().err


def test_the_run_keeps_what_was_fitted(untrained):
    _, folder, data, _ = untrained
    run = folder / "geo.paper.1"
    record = read_record(run)
    kept = fitted_similarity("word_vectors", data, run, record.fingerprint)
    assert kept.scales == fitted_similarity("word_vectors", data).scales
    assert sorted(path.name for path in (run / "similarity").iterdir()) == [
        *("similarity.word_vectors.json", "similarity.word_vectors.safetensors")
    ]
