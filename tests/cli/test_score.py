"""``twostage score``."""

from __future__ import annotations

import json

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.semantics import FunctionWorld

DATE = "( call SW.listValue ( call SW.getProperty {} ( string date ) ) )"


@pytest.fixture
def score(tmp_path, capsys):
    def run(hyp, ref, *options, variables=None):
        for name, lines in (("hyp", hyp), ("ref", ref), ("vars", variables or [])):
            (tmp_path / name).write_text("".join(line + "\n" for line in lines))
        files = ["--hyp", str(tmp_path / "hyp"), "--ref", str(tmp_path / "ref")]
        if variables is not None:
            files += ["--variables", str(tmp_path / "vars")]
        status = main(["score", "--domain", "calendar", *files, *options])
        return status, *capsys.readouterr()

    return run


def test_compares_denotations(score):
    ref = [DATE.format(f"en.meeting.{i}") for i in (3, 4, 5, 6)]
    hyp = [ref[0], "( date 2015 1 1 )", "( broken", ref[3].replace("( ", "(")]
    status, out, _ = score(hyp, ref)
    assert status == 0
    assert out == "denotation accuracy 50.0 % (2 of 4), executable 3\n"


def test_json(score):
    ref = [DATE.format("en.meeting.3"), "( broken"]
    _, out, _ = score(ref, ref, "--json")
    assert json.loads(out) == {
        "accuracy": 50.0,
        "correct": 1,
        "total": 2,
        "executable": 1,
        "references_without_value": 1,
        "correct_rows": [0],
    }


def test_variables_of_each_row(score):
    ref = [DATE.format("_m_")] * 2
    variables = ['{"_m_": "en.meeting.3"}', '{"_m_": "en.meeting.4"}']
    assert "100.0 %" in score(ref, ref, variables=variables)[1]
    assert " 0.0 %" in score(ref, ref)[1]


def test_the_first_executable_of_an_nbest_list_counts(score):
    ref = [DATE.format("en.meeting.3")] * 2
    hyp = ["( broken", ref[0], "foo", ref[0]]
    assert "50.0 % (1 of 2)" in score(hyp, ref, "--nbest", "2")[1]


@pytest.mark.parametrize(
    "hyp, ref, options, variables, message",
    [
        (["a"], ["a", "b"], [], None, "1 lines, but"),
        (["a", "b"], ["a", "b"], ["--nbest", "2"], None, "--nbest is 2"),
        (["a"], ["a"], ["--nbest", "0"], None, "at least 1"),
        ([], [], [], None, "no logical form"),
        (["a"], ["a"], [], ["{}", "{}"], "2 lines, but there are 1"),
        (["a"], ["a"], [], ["[]"], "vars:1: variables must be"),
    ],
)
def test_bad_input_is_one_line(score, hyp, ref, options, variables, message):
    status, out, error = score(hyp, ref, *options, variables=variables)
    assert status > 0 and (out, error.count("\n")) == ("", 1)
    assert message in error


# Against the rows of a data-bin


HEIGHT = "( call SW.listValue ( call SW.getProperty {} ( string height ) ) )"
FACTS = "".join(
    f"type\ten.tree.{name}\ten.tree\nheight\ten.tree.{name}\t(number {height} en.metre)\n"
    for name, height in (("oak", 0.00125), ("elm", 0.0012), ("ash", 0.00125))
)


@pytest.fixture
def data(tmp_path):
    """A data-bin with what scoring reads of it: two rows of one form, and a third."""
    folder = tmp_path / "bin"
    (folder / "gold").mkdir(parents=True)
    embeddings = dict(file="none", sha256="", dim=1)
    coverage = dict.fromkeys(("types", "types_covered", "tokens", "tokens_covered"), 0)
    manifest = {
        **dict(format=1, version="0", domain="trees", canonical="grammar", seed=1),
        **dict(options={"world": "world.tsv"}, sources=[], sizes={}),
        "embeddings": {**embeddings, **coverage},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "world.tsv").write_text(FACTS)
    rows = [
        ("how tall is _tree_", HEIGHT.format("_tree_"), {"_tree_": f"en.tree.{name}"})
        for name in ("oak", "elm")
    ]
    rows.append(("height of ash", HEIGHT.format("en.tree.ash"), {}))
    lines = (f"{x}\t\t{y}\t{json.dumps(variables)}\n" for x, y, variables in rows)
    (folder / "gold" / "test.tsv").write_text("".join(lines))
    return folder


def record(form, variables, **more):
    filled = form
    for name, value in variables.items():
        filled = filled.replace(name, value)
    reading = {"canonical": "", "logical_form": filled, "logical_form_tokens": form, **more}
    return json.dumps({"utterance": "…", "variables": variables, "readings": [reading]})


GOOD = [
    record(HEIGHT.format("_tree_"), {"_tree_": "en.tree.oak"}),
    record(HEIGHT.format("_tree2_"), {"_tree2_": "en.tree.elm"}),  # named otherwise
    record(HEIGHT.format("en.tree.oak"), {}),  # as tall as the ash
]
FAILED = json.dumps({"error": "no words to parse", "readings": []})


@pytest.fixture
def score_data(data, tmp_path, capsys):
    def run(lines, *options):
        (tmp_path / "hyp").write_text("".join(line + "\n" for line in lines))
        status = main(["score", "--hyp", str(tmp_path / "hyp"), "--data", str(data), *options])
        return status, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    "lines, said",
    [
        (GOOD, "100.0 % (3 of 3)"),
        (["\ufeff" + GOOD[0], *GOOD[1:], "", ""], "100.0 % (3 of 3)"),
        ([GOOD[0], FAILED, GOOD[2]], "66.7 % (2 of 3)"),
        # 0.0012 is not 0.00125.
        ([GOOD[1], GOOD[1], GOOD[1]], "33.3 % (1 of 3)"),
        # The entity of the record counts, not that of the row.
        (
            [record(HEIGHT.format("_tree_"), {"_tree_": "en.tree.elm"}), *GOOD[1:]],
            "66.7 % (2 of 3)",
        ),
        ([record(HEIGHT.format("_tree_"), {}), *GOOD[1:]], "66.7 % (2 of 3)"),
        # Forms by line have the variables of the rows.
        ([HEIGHT.format("_tree_")] * 2 + ["( broken"], "66.7 % (2 of 3)"),
    ],
)
def test_predictions_against_a_split(score_data, lines, said):
    assert score_data(lines) == (0, f"denotation accuracy: {said}\n", "")


def test_of_several_readings_the_first_counts_or_the_first_that_executes(score_data):
    content = json.loads(GOOD[0])
    content["readings"].insert(0, {"logical_form": "( broken", "logical_form_tokens": "( broken"})
    lines = [json.dumps(content), *GOOD[1:]]
    assert "66.7 %" in score_data(lines)[1]
    assert "100.0 %" in score_data(lines, "--nbest", "2")[1]
    forms = [line for _ in range(3) for line in ("( broken", HEIGHT.format("_tree_"))]
    assert "66.7 %" in score_data(forms, "--nbest", "2")[1]


def test_a_record_that_has_the_filled_form_alone(score_data):
    lines = [json.dumps({"readings": [{"logical_form": HEIGHT.format("en.tree.oak")}]})]
    assert "100.0 %" in score_data([*lines, *GOOD[1:]])[1]


def test_nothing_is_never_right(score_data, monkeypatch):
    world = FunctionWorld("module:always", lambda form: "the same")
    monkeypatch.setattr("fairseq_twostage.cli.score.world_of", lambda data: world)
    assert "66.7 % (2 of 3)" in score_data([*GOOD[:2], FAILED])[1]


def test_json_of_a_split(score_data):
    _, out, _ = score_data(GOOD, "--json", "--split", "test")
    assert json.loads(out)["correct_rows"] == [0, 1, 2]


@pytest.mark.parametrize(
    "lines, options, message",
    [
        (GOOD[:2], [], "hyp:3: 2 records, but split test of "),
        ([*GOOD, FAILED], [], "hyp:4: 4 records, but split test of "),
        ([], [], "hyp:1: 0 lines, but split test of "),
        (["( a )"] * 4, [], "hyp:4: 4 lines, but split test of "),
        ([GOOD[0], "which trees", GOOD[2]], [], "hyp:2: no JSON; give what twostage parse"),
        ([GOOD[0], "", GOOD[2]], [], "hyp:2: no JSON"),
        ([GOOD[0], '{"utterance": "a"}', GOOD[2]], [], "hyp:2: no record of a parse; give"),
        ([GOOD[0], '{"readings": [{}]}', GOOD[2]], [], "hyp:2: no record"),
        ([GOOD[0], '{"readings": [{"logical_form": 3}]}', GOOD[2]], [], "hyp:2: no record"),
        (['[{"readings": []}]'], [], "hyp:1: no record"),
        (["which trees", "how tall", "what"], [], "hyp:1: no logical form; give what"),
        (["utterance\trank", "a\t1", "b\t1"], [], "hyp:1: a tab, so no logical form; give"),
        (GOOD, ["--split", "valid"], "valid.tsv: no such split"),
        (GOOD, ["--domain", "calendar"], "--domain: the data-bin of --data has it"),
        (GOOD, ["--ref", "file"], "--ref: the data-bin of --data has it"),
        (GOOD, ["--nbest", "0"], "--nbest: must be at least 1"),
    ],
)
def test_bad_predictions_are_one_line(score_data, lines, options, message):
    status, out, error = score_data(lines, *options)
    assert status > 0 and (out, error.count("\n")) == ("", 1)
    assert message in error


@pytest.mark.parametrize(
    "options, message",
    [
        ([], "--domain: give it, or a data-bin with --data"),
        (["--domain", "calendar"], "--ref: give it, or a data-bin with --data"),
        (["--domain", "calendar", "--split", "test"], "--split: is of a data-bin"),
    ],
)
def test_what_to_score_against_is_to_be_said(tmp_path, capsys, options, message):
    (tmp_path / "hyp").write_text("a\n")
    assert main(["score", "--hyp", str(tmp_path / "hyp"), *options]) == 1
    assert message in capsys.readouterr().err
