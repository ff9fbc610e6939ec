"""Answers for people."""

import json

import pytest

from fairseq_twostage.cli.parse import COLUMNS, as_jsonl, as_text, as_tsv
from fairseq_twostage.inference.answer import MAX_ROWS, Table, answer_line, answer_table, display
from fairseq_twostage.semantics import Answer, Failure, FunctionWorld, TripleStore, World, execute
from fairseq_twostage.semantics.values import Boolean, Date, Name, Number, Tagged, Time
from tests.ships import ALL, ship_world


@pytest.mark.parametrize(
    "value, text",
    [
        (Name("en.person.alice_cooper"), "alice cooper"),
        (Name("en.meeting.3"), "meeting 3"),
        (Name("plain"), "plain"),
        (Number(3.0, "en.hour"), "3 hours"),
        (Number(1.0, "en.hour"), "1 hour"),
        (Number(2.0, "en.square_foot"), "2 square feet"),
        (Number(2.5, "en.kilometer_per_hour"), "2.5 kilometers per hour"),
        (Number(40.0, "en.percent"), "40 percent"),
        (Number(4.0, "en.kg"), "4 kg"),
        (Number(90_000.0, "en.millisecond"), "1.5 minutes"),
        (Number(514_270.034, "en.millisecond"), "8.57 minutes"),
        (Number(4500.0, "en.millisecond"), "4.5 seconds"),
        (Number(20.0, "en.millisecond"), "20 milliseconds"),
        (Number(2.5), "2.5"),
        (Date(2015, 1, 2), "2 Jan 2015"),
        (Date(2004, -1, -1), "2004"),
        (Date(-1, 7, 4), "4 Jul"),
        (Time(9, 0), "9:00"),
        (Boolean(True), "yes"),
        (Tagged("url", ("x",)), "(url x)"),
        ("as it is", "as it is"),
    ],
)
def test_display(value, text):
    assert display(value) == text


def test_entities_come_with_the_properties_they_have():
    answer = Answer("(list (name en.ship.baltic) (name en.ship.meridian))")
    assert answer_table(answer, ship_world()) == Table(
        ("ship", "length", "port", "has sauna"),
        (("baltic", "180 metres", "tallinn", ""), ("meridian", "210 metres", "turku", "yes")),
        2,
    )
    assert answer_table(answer).columns == ("ship",)


def test_things_are_called_as_the_lexicon_calls_them():
    called = {"en.ship.baltic": "old lady", "en.port.tallinn": "old town"}
    answer = Answer("(list (name en.ship.baltic) (name en.ship.aurora))")
    assert answer_line(answer, called) == "old lady, aurora"
    rows = answer_table(answer, ship_world(), called).rows
    assert rows == (("old lady", "180 metres", "old town"), ("aurora", "120 metres", "turku"))
    assert answer.text == "(list (name en.ship.baltic) (name en.ship.aurora))"


def test_numbers_and_mixed_values_stand_alone():
    assert answer_table(Answer("(list (number 3 en.metre))"), ship_world()).columns == ("answer",)
    mixed = answer_table(Answer("(list (name en.ship.baltic) (name en.port.turku))"), ship_world())
    assert (mixed.columns, mixed.rows) == (("answer",), (("baltic",), ("turku",)))


def test_a_single_value_a_foreign_text_and_a_string():
    assert answer_table(Answer("(number 4)")).rows == (("4",),)
    assert answer_table(Answer("(list one two)")).rows == (("one",), ("two",))
    assert answer_table(Answer("free text ( 1")).rows == (("free text ( 1",),)
    assert answer_table(Answer("( half open")).rows == (("( half open",),)
    assert answer_table(Answer("(string port)")).rows == (("port",),)


def test_errors_and_nothing():
    assert answer_table(Failure("type", "no")) == Table(message="type error: no")
    counted = Failure("null", "no", counts_as_empty=True)
    for empty in (Answer("(list)"), counted):
        assert answer_table(empty).rows == () and answer_table(empty).total == 0
        assert answer_line(empty) == "nothing"
    assert answer_line(Failure("type", "no")) == "no answer (type error: no)"


def test_a_long_list_is_cut_and_counted():
    text = f"(list {' '.join(f'(number {n})' for n in range(MAX_ROWS + 5))})"
    table = answer_table(Answer(text))
    assert len(table.rows) == MAX_ROWS and table.total == MAX_ROWS + 5


def test_an_answer_of_the_world():
    form = "( call SW.listValue ( call SW.getProperty en.ship.baltic ( string port ) ) )"
    world = ship_world()
    assert answer_line(execute(form, world)) == "tallinn"
    assert answer_table(execute(form, world), world).columns == ("port",)


def test_the_answers_of_an_executor_are_whole_in_every_format(ships, monkeypatch):
    cities = FunctionWorld("module:cities", lambda form: ["New York", "Los Angeles", 0.00125])
    monkeypatch.setattr(ships, "world", cities)
    parse = ships("show me every ship")
    assert "  answer        0.00125, Los Angeles, New York\n" in as_text(ships, parse, False)
    reading = json.loads(as_jsonl(ships, parse, True))["readings"][0]
    assert reading["values"] == ["0.00125", "Los Angeles", "New York"]
    assert reading["answer"] == '(list 0.00125 "Los Angeles" "New York")'
    rows = reading["explanation"]["table"]["rows"]
    assert rows == [["0.00125"], ["Los Angeles"], ["New York"]]
    fields = as_tsv(ships, parse, False).split("\t")
    assert fields[COLUMNS.index("answer")] == '(list 0.00125 "Los Angeles" "New York")'


def test_facts_are_shown_in_full_in_every_format(ships, monkeypatch):
    store = TripleStore(ships.world.database)
    store.add(Name("en.ship.aurora"), "length", Number(121.00125, "en.metre"))
    monkeypatch.setattr(ships, "world", World(store, exact=True, rows=True))
    average = (
        f"( call SW.aggregate ( string avg ) ( call SW.getProperty {ALL} ( string length ) ) )"
    )
    # Of 120, 121.00125, 180 and 210: it comes out even.
    assert ships.denote(average).shown == "(list (number 157.7503125 en.metre))"
    parse = ships("how long is the aurora")
    reading = json.loads(as_jsonl(ships, parse, False))["readings"][0]
    assert reading["answer"] == "(list (number 120 en.metre) (number 121.00125 en.metre))"
    assert reading["values"] == ["120 metres", "121.00125 metres"]
