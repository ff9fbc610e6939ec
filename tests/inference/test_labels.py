"""Files of labels: what counts as one, and what cannot."""

import json

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.labels import abstracted, read_labels, understood
from fairseq_twostage.semantics.gold_forms import constants_of
from fairseq_twostage.server.marks import Marks
from tests.ships import ROWS

UTTERANCE, CANONICAL, FORM = ROWS[5]
FILLED = FORM.replace("_port_", "en.port.turku")


@pytest.fixture
def parser(ships):
    """The ships, with pairs that say what canonical utterances mean."""
    return ships.changed(ships.first, {z: form for _, z, form in ROWS[:6]})


def labels_of(parser, path, content, **options):
    path.write_text(content, encoding="utf-8")
    return understood(parser, read_labels(path, **options))


@pytest.mark.parametrize(
    "line",
    [
        f"what lies in Turku ?\t{FILLED}",
        "what lies in Turku ?\tship whose port is Turku",
        f"what lies in Turku ?\t\t{FILLED}",
        f'what lies in _port_ ?\t{CANONICAL}\t{FORM}\t{{"_port_": "en.port.turku"}}',
        "question\tlabel\tconfidence\t1\t2\t3\t4\nnot yet\t\t0.5\tship\n"
        "what lies in Turku ?\t2\t0.31\tship\tship whose port is Turku",
    ],
    ids=["form", "canonical words", "no canonical words", "mark", "number in a sheet"],
)
def test_all_ways_to_say_the_same(parser, tmp_path, line):
    (label,) = labels_of(parser, tmp_path / "labels.tsv", f"{line}\n")
    assert (label.tokens, label.form, label.right) == (UTTERANCE, FORM, True)
    assert label.utterance.variables == {"_port_": "en.port.turku"}


class Made:
    """Makes one question of known ones."""

    def near(self, query):
        return {"ship that lies in _port_": FORM} if query.names == {"_port_"} else {}


def test_what_is_made_of_known_ones_is_canonical_too(parser, tmp_path):
    parser.__dict__["narrowing"] = Made()
    line = "anything in Turku ?\tship that lies in Turku\n"
    (label,) = labels_of(parser, tmp_path / "labels.tsv", line)
    assert (label.form, label.utterance.variables) == (FORM, {"_port_": "en.port.turku"})
    read = parser.read_canonical("ship that lies in Turku")
    assert read.verdict.understood and read.readings[0].logical_form == FORM
    with pytest.raises(UserError, match="is no canonical"):
        labels_of(parser, tmp_path / "labels.tsv", "anything in Turku ?\tship that is near Turku\n")


def test_marks_of_the_page_are_labels(parser, tmp_path):
    marks = Marks(parser, tmp_path / "labelled.tsv")
    marks.right("What lies in Turku ?", "ship whose port is turku", FILLED)
    marks.is_wrong(*ROWS[0])
    with open(marks.wrong, "a") as file:
        file.write('{"utterance": "ha')  # a server was killed
    right, wrong = understood(parser, read_labels(marks.labelled, marks=True))
    assert (right.tokens, right.form, right.right) == (UTTERANCE, FORM, True)
    assert (wrong.tokens, wrong.form, wrong.right) == (ROWS[0][0], ROWS[0][2], False)
    marks.labelled.unlink()
    (alone,) = understood(parser, read_labels(marks.labelled, marks=True))
    assert not alone.right


def test_none_of_the_offered_readings_is_right(parser, tmp_path):
    sheet = (
        "question\tlabel\tconfidence\t1\t2\nshow me every ship\t-\t0.2\tship\tlength of aurora\n"
    )
    found = labels_of(parser, tmp_path / "sheet.tsv", sheet)
    assert [(label.form, label.right) for label in found] == [
        (ROWS[3][2], False),
        (ROWS[0][2], False),
    ]


def test_a_name_that_the_question_lacks_stays_a_constant(parser, tmp_path):
    (label,) = labels_of(parser, tmp_path / "labels.tsv", "show me all\tship whose port is turku\n")
    assert label.form == FILLED and label.utterance.variables == {}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no label"),
        ("a\n", ":1: expected a question and, behind a tab, what it means"),
        ("how long\tship\n\tship\n", ":2: the question is empty"),
        ("…\tship\n", ":1: no words to parse"),
        ("a\t( call x\n", ":1: broken logical form: 1 bracket(s) not closed"),
        ("a\tshp whose port is turku\n", ":1: 'shp whose port is turku' is no canonical"),
        (f"a\t{ROWS[0][2].replace('aurora', 'titanic')}\n", ":1: the logical form has no answer"),
        (f"a\t{FILLED.replace('turku', 'rome')}\n", ":1: the label names en.port.rome, which is"),
        (f"a\t{FORM}\n", ":1: the question has no _port_, which the logical form has"),
        ("question\tlabel\tconfidence\t1\na\t2\t0.1\tship\n", ":2: no reading with this number"),
        ("question\tlabel\nb\t9\n", ":2: the label is a number of 1 to 4"),
        ("a\tSELECT 1\n", ":1: a query is a label of a domain with a database alone"),
        ("a\tship\tb\tc\n", ":1: the variables are not JSON"),
    ],
)
def test_what_is_no_label_is_one_line(parser, tmp_path, content, message):
    path = tmp_path / "labels.tsv"
    with pytest.raises(UserError) as raised:
        labels_of(parser, path, content)
    assert str(raised.value).startswith(str(path)) and message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("line", ["[]", "{}", json.dumps({"utterance": "a", "logical_form": 1})])
def test_a_wrong_mark_that_is_none(tmp_path, line):
    path = tmp_path / "labelled.tsv.wrong.jsonl"
    path.write_text(f"{line}\n{{}}\n")
    with pytest.raises(UserError, match=r"\.jsonl:1: no mark of twostage serve"):
        read_labels(path)


def test_pieces_of_forms():
    form = "( a ( number 3 en.metre ) ( string en.x ) en.port.turku ( date 2015 1 -1 ) )"
    assert constants_of(form) == ["en.port.turku"]
    values = {"_port_": "en.port.turku", "_date_": "(date 2015 1 -1)"}
    assert abstracted(form, values).split()[-3:] == ["_port_", "_date_", ")"]
