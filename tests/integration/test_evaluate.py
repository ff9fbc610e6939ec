"""``twostage evaluate`` from checkpoints to accuracy, predictions and results."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch

from fairseq_twostage import plugin
from fairseq_twostage.databin.folder import known_forms
from fairseq_twostage.inference.checkpoints import load_paraphraser
from fairseq_twostage.inference.loading import beam_of
from fairseq_twostage.semantics import execute, load_world, same_denotation
from tests.integration.commands import (
    LABEL_FREE,
    PARAPHRASE,
    PARSER,
    TRAINING,
    Forks,
    Stages,
    files_of,
    json_records,
    real,
)

SCORINGS = "test-scorings.jsonl"
# The fields of a line of results that every run has.
FIELDS = {
    *("system", "domain", "setting", "seed", "split", "accuracy", "correct", "total"),
    *("correct_rows", "metric", "history", "commit", "command", "config", "seconds", "peak_mb"),
    "options",
}


def count(output: str, total: int) -> int:
    """The n of the last line, which has the agreed form."""
    last = output.splitlines()[-1]
    match = re.fullmatch(rf"denotation accuracy: (\d+\.\d) % \((\d+) of {total}\)", last)
    assert match, last
    assert float(match[1]) == pytest.approx(100 * int(match[2]) / total, abs=0.051)
    return int(match[2])


def table(path: Path) -> list[dict[str, str]]:
    header, *lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    assert header == ["utterance", "canonical", "logical_form", "denotation", "correct"]
    return [dict(zip(header, fields, strict=True)) for fields in lines]


def gold(data: Path) -> list[list[str]]:
    text = (data / "gold" / "test.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


def result(folder: Path) -> dict[str, Any]:
    assert set(files_of(folder)) <= {"results.jsonl", SCORINGS}
    (line,) = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    values: dict[str, Any] = json.loads(line)
    assert values.keys() >= FIELDS
    assert sum(values["errors"].values()) == values["total"] - values["correct"]
    return values


def test_two_stages(stages: Stages, tmp_path: Path) -> None:
    predictions, results = tmp_path / "predictions.tsv", tmp_path / "results"
    done = real(
        *("twostage", "evaluate", "--data", stages.data, "--run", stages.run, "--seed", "7"),
        *("--paraphraser", stages.checkpoint("cycle"), "--parser", stages.checkpoint("parser")),
        *("--predictions", predictions, "--results", results, "--stages", "parser,dae,cycle"),
    ).ok()
    correct = count(done.out, 168)
    assert str(predictions) in done.out and str(stages.checkpoint("cycle")) in done.out

    rows = table(predictions)
    world = load_world("calendar")
    right = []
    for index, (row, (x, _, y, _)) in enumerate(zip(rows, gold(stages.data), strict=True)):
        assert row["utterance"] == x and row["canonical"] and row["logical_form"]
        answer = execute(row["logical_form"], world)
        assert row["denotation"] == (answer.metric_text or "ERROR")
        if same_denotation(answer, execute(y, world)):
            right.append(index)
    assert [index for index, row in enumerate(rows) if row["correct"] == "1"] == right
    assert len(right) == correct

    values = result(results)
    assert values["correct_rows"] == right and values["correct"] == correct
    assert values["accuracy"] == pytest.approx(100 * correct / 168, abs=0.005)
    expected = {"domain": "calendar", "setting": "paper", "seed": 7, "split": "test"}
    assert {name: values[name] for name in expected} == expected
    log = (stages.run / "cycle" / "train.log").read_text(encoding="utf-8")
    metrics = [epoch["valid_label_free"] for epoch in json_records(log, "valid")]
    assert values["metric"] == pytest.approx(max(metrics), abs=1e-5)
    assert [epoch["metric"] for epoch in values["history"]["cycle"]] == metrics
    assert values["seconds"] > 0 and values["peak_mb"] > 100
    assert values["stage_seconds"].keys() == {"parser", "dae", "cycle"}
    (logged,) = (results / SCORINGS).read_text(encoding="utf-8").splitlines()
    assert json.loads(logged)["accuracy"] == values["accuracy"]
    sentences = {row["utterance"] for row in rows if len(row["utterance"].split()) > 3}
    text = json.dumps(values)
    assert not [sentence for sentence in sentences if sentence in text]


def test_a_run_is_read_as_its_record_says(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    options = ("--split", "valid", "--predictions")
    by_hand = (
        *("--data", stages.data, "--paraphraser", stages.checkpoint("cycle")),
        *("--parser", stages.checkpoint("parser"), "--no-lookup"),
    )
    forks("twostage", "evaluate", *by_hand, *options, tmp_path / "hand.tsv").ok()
    done = forks(
        *("twostage", "evaluate", "--run", stages.run, *options, tmp_path / "run.tsv"),
        *("--results", tmp_path / "results"),
    ).ok()
    assert table(tmp_path / "hand.tsv") == table(tmp_path / "run.tsv")
    values = result(tmp_path / "results")
    assert values["system"] == "momentary" and values["correct"] == count(done.out, 67)
    assert values["options"]["pick"] == "executable_paraphrase"
    assert not (stages.run / SCORINGS).exists()


def test_the_training_whose_paraphrases_are_as_frequent_as_z(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    paraphrasers = {name: stages.checkpoint(name) for name in ("dae", "cycle")}
    corpus = Counter((stages.data / "text" / "train.cf").read_text(encoding="utf-8").splitlines())
    natural = (stages.data / "text" / "train.nl").read_text(encoding="utf-8").splitlines()
    known = known_forms(stages.data)
    plugin.load()
    expected = {}
    for name, checkpoint in paraphrasers.items():
        forks(
            *("twostage", "evaluate", "--data", stages.data, "--split", "train"),
            *("--run", stages.run, "--paraphraser", checkpoint, "--stages", name),
            *("--pick", "best", "--no-lookup"),
            *("--parser", stages.checkpoint("parser"), "--results", tmp_path / name),
            *("--predictions", tmp_path / f"{name}.tsv"),
        ).ok()
        beam = beam_of(load_paraphraser(str(checkpoint), str(stages.data)), 5)
        written = Counter(found[0] for found in beam(natural))
        # Calendar has an x for every z.
        distance = sum(abs(written[z] - corpus[z]) for z in written | corpus) / 2
        expected[str(checkpoint)] = 1 - distance / corpus.total()
        assert result(tmp_path / name)["frequency_match"] == pytest.approx(
            expected[str(checkpoint)], abs=5e-5
        )
        assert not (tmp_path / name / SCORINGS).exists()  # no test rows
        for row in table(tmp_path / f"{name}.tsv"):  # what is shown means what is run
            if row["logical_form"] in known.values():
                assert known[row["canonical"]] == row["logical_form"]
    assert len(set(expected.values())) == 2
    command = ("twostage", "choose", "--data", stages.data, "--paraphraser", *paraphrasers.values())
    printed = forks(*command, "--dest", tmp_path / "chosen").ok().out.splitlines()
    lines = [line.split("\t") for line in printed]
    assert [path for _, path in lines] == sorted(expected, key=lambda each: -expected[each])
    for percent, path in lines:
        assert float(percent) == pytest.approx(100 * expected[path], abs=0.051)
    kept = {path.name: path for path in (tmp_path / "chosen").iterdir()}
    assert sorted(kept) == ["checkpoint_best.pt", "choice.tsv"]
    assert kept["checkpoint_best.pt"].read_bytes() == Path(lines[0][1]).read_bytes()
    assert kept["choice.tsv"].read_text().splitlines()[1:] == printed
    released = tmp_path / "checkpoint_best_label_free_release.pt"
    shutil.copy(stages.checkpoint("dae"), released)
    forks(*command[: -len(paraphrasers)], released, "--dest", tmp_path / "renamed").ok()
    assert (tmp_path / "renamed" / released.name).exists()  # the name tells what chose
    assert not (tmp_path / "chosen" / "choice").exists()
    forks(*command, "--dest", tmp_path / "chosen").ok()  # an earlier choice is replaced
    for wrong, message in (
        (("--paraphraser", tmp_path / "none.pt"), "--paraphraser: no"),
        (("--dest", stages.checkpoint("dae").parent), str(stages.checkpoint("dae").parent)),
        (("--beam", 0), "--beam"),
    ):
        refused = forks(*command, *wrong)
        assert refused.status > 0
        assert refused.err.splitlines()[-1].startswith(f"twostage choose: error: {message}")


def test_a_mixture_of_paraphrasers(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    command = (
        *("twostage", "evaluate", "--data", stages.data, "--run", stages.run),
        *("--paraphraser", stages.checkpoint("dae"), stages.checkpoint("cycle")),
        *("--parser", stages.checkpoint("parser"), "--beam", "2", "--results", tmp_path),
        *("--stages", "parser,dae,cycle"),
    )
    correct = count(forks(*command).ok().out, 168)
    values = result(tmp_path)
    assert values["correct"] == correct and values["options"]["paraphrasers"] == 2
    assert values["metric"] is None  # each has one of its own
    assert values["options"]["selection"]["paraphraser"]["metric"] == "label_free"
    for wrong, message in (
        (("--rerank", "forward=1"), "checkpoints by hand: rerank is for one paraphraser"),
        (("--history", "valid"), "--history: is for one training"),
    ):
        refused = forks(*command, *wrong)
        assert refused.status == 1
        assert refused.err.splitlines()[-1].startswith(f"twostage evaluate: error: {message}")


def test_the_naive_parser_alone_on_gold_canonical_utterances(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    done = forks(
        *("twostage", "evaluate", "--data", stages.data, "--source", "cf"),
        *("--parser", stages.checkpoint("parser"), "--system", "naive_parser"),
        *("--predictions", tmp_path / "predictions.tsv", "--results", tmp_path / "results"),
    ).ok()
    correct = count(done.out, 168)
    assert correct > 0  # six epochs suffice for some
    values = result(tmp_path / "results")
    assert (values["system"], values["correct"]) == ("naive_parser", correct)
    assert values["metric"] is None and values["history"] == {}
    assert {row["canonical"] for row in table(tmp_path / "predictions.tsv")} == {""}


def test_accuracy_of_every_kept_epoch(forks: Forks, stages: Stages, tmp_path: Path) -> None:
    cycle = tmp_path / "run" / "cycle"
    cycle.mkdir(parents=True)
    shutil.copy(stages.run / "cycle" / "train.log", cycle)
    shutil.copy(stages.checkpoint("cycle"), cycle)
    alone = (
        *("twostage", "evaluate", "--data", stages.data, "--run", tmp_path / "run"),
        *("--paraphraser", cycle / "checkpoint_best.pt", "--parser", stages.checkpoint("parser")),
        *("--beam", "1"),
    )
    recorded = (*alone, "--results", tmp_path / "results", "--stages", "cycle")
    evaluate = (*recorded, "--history", "valid")
    refused = forks(*evaluate)
    assert refused.status == 1
    assert "cycle: holds no epoch's checkpoint" in refused.err.splitlines()[-1]

    shutil.copy(stages.checkpoint("cycle"), cycle / "checkpoint1.pt")
    forks(*evaluate).ok()
    values = result(tmp_path / "results")
    assert values["options"]["history_split"] == "valid"
    first, *others = values["history"]["cycle"]
    assert all(epoch.keys() == {"epoch", "metric"} for epoch in others)
    replacing = forks(*recorded, "--split", "valid")
    assert replacing.status == 1 and "on test rows, which one on valid rows" in replacing.err
    last = forks(*alone, "--split", "valid").ok().out.splitlines()[-1]
    found = re.search(r"\((\d+) of (\d+)\)", last)
    assert found
    assert first["accuracy"] == pytest.approx(100 * int(found[1]) / int(found[2]), abs=0.005)


def test_epochs_of_a_parser_that_its_loss_chose(
    forks: Forks, stages: Stages, tmp_path: Path
) -> None:
    parser = tmp_path / "run" / "parser"
    parser.mkdir(parents=True)
    shutil.copy(stages.run / "parser" / "train.log", parser)
    state = torch.load(stages.checkpoint("parser"), weights_only=True)
    chosen = {"best_checkpoint_metric": "loss", "maximize_best_checkpoint_metric": False}
    state["cfg"]["checkpoint"].update(chosen)
    for name in ("checkpoint_best.pt", "checkpoint1.pt"):
        torch.save(state, parser / name)
    forks(
        *("twostage", "evaluate", "--data", stages.data, "--run", tmp_path / "run"),
        *("--parser", parser / "checkpoint_best.pt", "--source", "cf", "--history", "valid"),
        *("--split", "valid", "--beam", "1", "--results", tmp_path / "results"),
        *("--stages", "parser"),
    ).ok()
    options = result(tmp_path / "results")["options"]
    assert (options["history_metric"], options["history_minimized"]) == ("loss", True)


def test_a_domain_with_variables(forks: Forks, geo: Path, tmp_path: Path) -> None:
    train = ("fairseq-train", geo, *TRAINING)
    forks(
        *(*train, *PARSER, "--lr", "0.006", "--max-epoch", "4", "--validate-interval", "4"),
        *("--save-dir", tmp_path / "parser"),
    ).ok()
    parser = tmp_path / "parser" / "checkpoint_best.pt"
    # Rewards run the parses of samples, with the variables of their inputs filled in.
    trained = forks(
        *(*train, *PARAPHRASE, *LABEL_FREE, "--criterion", "policy_gradient", "--parser", parser),
        *("--rewards", "executability=1,relevance=1", "--max-update", "3"),
        *("--max-valid-steps", "1", "--save-dir", tmp_path / "dae"),
    ).ok()
    assert "train_reward_executability_nl_cf" in trained.records("train")[-1]
    paraphraser = tmp_path / "dae" / "checkpoint_best.pt"
    total = len(gold(geo))
    evaluate = ("twostage", "evaluate", "--data", geo, "--parser", parser)
    done = forks(
        *(*evaluate, "--paraphraser", paraphraser, "--predictions", tmp_path / "predictions.tsv")
    ).ok()
    correct = count(done.out, total)
    world = load_world("geo")
    right = 0
    rows = table(tmp_path / "predictions.tsv")
    for row, (_, _, form, variables) in zip(rows, gold(geo), strict=True):
        names = json.loads(variables)
        answers = [execute(each, world, names) for each in (row["logical_form"], form)]
        right += same_denotation(*answers)
        assert row["correct"] == str(int(same_denotation(*answers)))
    assert right == correct

    refused = forks(*evaluate, "--source", "cf")
    assert refused.status == 1
    assert refused.err.splitlines()[-1].startswith("twostage evaluate: error: --source cf: ")
