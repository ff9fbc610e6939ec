"""``twostage score``."""

from __future__ import annotations

import json

import pytest

from fairseq_twostage.cli.main import main

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
    assert (status, out, error.count("\n")) == (1, "", 1)
    assert message in error
