"""What a grammar says of a canonical utterance goes before what the naive parser makes of it."""

from fairseq_twostage.corpora.databin import known_forms
from fairseq_twostage.decoding.two_stage import Lookup, two_stage_parse


def parser(lines):
    return [[f"{line} one", f"{line} two"] for line in lines]


def test_a_known_form_comes_first_and_once():
    stage = Lookup(parser, {"a": "a two", "b": "other"})
    assert stage(["a", "b", "c"]) == [
        ["a two", "a one"],
        ["other", "b one", "b two"],
        ["c one", "c two"],
    ]
    assert [parse.logical_form for parse in two_stage_parse(["b", "c"], None, stage)] == [
        "other",
        "c one",
    ]


def test_the_forms_are_those_of_the_training_pairs(tmp_path):
    text = tmp_path / "text"
    text.mkdir()
    (text / "train.cf-lf.cf").write_text("a\nb\na\na\nb\n")
    (text / "train.cf-lf.lf").write_text("1\n2\n3\n3\n4\n")
    assert known_forms(tmp_path) == {"a": "3", "b": "2"}
