"""Worlds by name, from a Geo database and from a TSV of triples."""

from __future__ import annotations

import math

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import execute, load_world, read_triples
from fairseq_twostage.semantics.loading import read_geo_database, write_triples
from fairseq_twostage.semantics.overnight import generate
from fairseq_twostage.semantics.values import TRUE, Date, Name, Number, Time
from fairseq_twostage.semantics.world import TripleStore

SEA, BAY = Name("fb:en.sea.a"), Name("fb:en.bay.b")


@pytest.fixture
def geo_file(tmp_path):
    path = tmp_path / "geogranno" / "geo880.db"
    path.parent.mkdir()
    path.write_text(
        "part_of\tfb:en.bay.b\tfb:en.sea.a\n"
        "salty\tfb:en.sea.a\n"
        "depth\tfb:en.sea.a\t(number 1.5E2 length)\n"
    )
    return path


def test_geo_database(geo_file):
    assert list(read_geo_database(geo_file)) == [
        (BAY, "type", Name("fb:en.bay")),
        (SEA, "type", Name("fb:en.sea")),
        (BAY, "part_of", SEA),
        (SEA, "salty", TRUE),
        (SEA, "depth", Number(150.0, "length")),
    ]


def test_geo_is_found_by_argument_variable_or_folder(geo_file, tmp_path, monkeypatch):
    monkeypatch.delenv("TWOSTAGE_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="TWOSTAGE_DATA"):
        load_world("geo")
    with pytest.raises(UserError, match="nowhere"):
        load_world("geo", tmp_path / "nowhere.db")
    by_argument = load_world("geo", geo_file)
    assert execute("( call SW.domain ( string depth ) )", by_argument).text == (
        "(list (name fb:en.sea.a))"
    )
    monkeypatch.setenv("TWOSTAGE_DATA", str(tmp_path))
    assert load_world("geo") is by_argument
    monkeypatch.delenv("TWOSTAGE_DATA")
    (tmp_path / "data").symlink_to(tmp_path)
    assert load_world("geo") is by_argument


def test_no_such_domain():
    with pytest.raises(UserError, match="basketball"):
        load_world("nonsense")


def test_a_world_is_loaded_once():
    assert load_world("blocks") is load_world("blocks")


def test_triples_round_trip_exactly(tmp_path):
    store = TripleStore(generate("calendar"))
    thing = Name("en.thing.x")
    for value in (0.1 + 0.2, 1e300, 2.0**31, -5.0, 1e-9, -0.0):
        store.add(thing, "number", Number(value, "en.u"))
    store.add(thing, "count", Number(3.0))
    store.add(thing, "odd number", Number(3.0, "two words"))
    store.add(Name("en.thing.y z"), "number", Number(float("inf"), "en.u"))
    store.add(thing, "when", Date(2004, -1, -1))
    store.add(thing, "at", Time(9, 30))
    write_triples(store, tmp_path / "world.tsv")
    copy = list(read_triples(tmp_path / "world.tsv"))
    assert copy == list(store)
    minus_zero = next(v for _, p, v in copy if p == "number" and v.value == 0)
    assert math.copysign(1, minus_zero.value) == -1


def test_a_world_of_ones_own(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text(
        "type\ten.cat.tom\ten.cat\n"
        "weight\t(name en.cat.tom)\t(number 4.5 en.kg)\ten.cat\ten.kg_number\n"
    )
    world = load_world(str(path))
    answer = execute("( call SW.getProperty en.cat.tom ( string weight ) )", world)
    assert answer.text == "(list (number 4.5 en.kg))"


# What no value of a fact can be, and what is said of it.
BAD_VALUES = [
    ("(number 1,000)", "is no name, number"),
    ("(number 1 000)", "a digit where its unit should be; write 1000, not 1 000"),
    ("(number 3 en.kg en.g)", "is more than one value"),
    ("(number 3) (number 4)", "is more than one value"),
    ("(number 1e400)", "is too large for a number"),
    (
        "(number 12345678901234567891)",
        "more digits than are kept: it would be 12345",
    ),
    ("4.5", r"is a name; a number is written \(number 4.5\)"),
    ("(name en.cat.tom tim)", "is more than one value"),
    ("(date 2003 2 29)", "is no date of the calendar"),
    ("(date 2004 13 -1)", "is no date of the calendar"),
    ("(time 24 0)", "is no time of a day"),
    ("(boolean yes)", "is neither true nor false"),
]


@pytest.mark.parametrize(
    "line, message",
    [
        ("type\ten.cat.tom", r"expected 3 or 5 .*\(property, entity, value .*found 2"),
        ("type\ten.cat.tom\tcat", "no type"),
        ("p\ten.cat.tom\t(number x)", "no name"),
        ("p\ten.cat.tom\t(string x)", "no name"),
        ("p\ten.cat.tom\t(number 1 (x))", "no name"),
        ("p\ten.cat.tom\t(number 1", "missing"),
        ("\ten.cat.tom\ten.a.b", "property is empty"),
        ("p\ten.cat.tom\ten.a.b\ten.cat\ten.b", "types are"),
        *((f"x\ten.cat.tom\t{value}", message) for value, message in BAD_VALUES),
    ],
)
def test_a_bad_line_is_named(line, message, tmp_path):
    path = tmp_path / "bad.tsv"
    path.write_text(f"type\ten.cat.tom\ten.cat\n{line}\n")
    with pytest.raises(UserError, match=message) as error:
        read_triples(path)
    assert str(error.value).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "weight\ten.dog.rex\t(number 30 en.kg)",
            "weight is of en.dog here and of en.cat in line 3; give one of the two another name",
        ),
        (
            "weight\ten.cat.kit\t(number 9 en.pound)",
            "weight is en.pound_number here and en.kg_number in line 3; write all in one unit",
        ),
        (
            "weight\ten.cat.kit\ten.size.small",
            "weight is en.size here and en.kg_number in line 3; give one of the two another name",
        ),
    ],
)
def test_a_property_is_of_one_type_and_has_values_of_one(tmp_path, line, message):
    path = tmp_path / "two.tsv"
    types = "type\ten.cat.tom\ten.cat\ntype\ten.dog.rex\ten.dog\n"
    path.write_text(f"{types}weight\ten.cat.tom\t(number 4.5 en.kg)\n{line}\n")
    with pytest.raises(UserError) as error:
        read_triples(path)
    assert str(error.value) == f"{path}:4: {message}"


def test_a_missing_or_binary_file(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        read_triples(tmp_path / "none.tsv")
    (tmp_path / "empty.tsv").touch()
    with pytest.raises(UserError, match=r"empty\.tsv: holds no triple"):
        read_triples(tmp_path / "empty.tsv")
    (tmp_path / "binary.tsv").write_bytes(b"\xff\xfe\n")
    with pytest.raises(UserError, match="is UTF-16"):
        read_triples(tmp_path / "binary.tsv")


@pytest.mark.data
def test_geo_equals_the_original_world(data_dir):
    original = read_triples(data_dir / "worlds" / "geo.tsv")
    assert list(load_world("geo").database) == list(original)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("(number 4.675)", "(number 4.675)"),
        ("(number 0.30000000000000004)", "(number 0.30000000000000004)"),
        ("(number 1E-7 en.kg)", "(number 0.0000001 en.kg)"),
        ("( number +.5 )", "(number 0.5)"),
        ("(number 9007199254740992)", "(number 9007199254740992)"),
        ("(date 2004 2 29)", "(date 2004 2 29)"),
        ("(date -1 2 -1)", "(date -1 2 -1)"),
        ("(time 23 59)", "(time 23 59)"),
        ("(boolean TRUE)", "(boolean true)"),
        ("(name en.cat.小)", "(name en.cat.小)"),
    ],
)
def test_values_as_people_write_them(tmp_path, value, printed):
    path = tmp_path / "own.tsv"
    path.write_text(f"x\ten.cat.tom\t{value}\n")
    form = "( call SW.getProperty en.cat.tom ( string x ) )"
    assert execute(form, load_world(str(path))).text == f"(list {printed})"


def test_modes_that_are_none_are_refused_in_a_world_of_ones_own(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text("type\ten.cat.tom\ten.cat\nage\ten.cat.tom\t(number 3)\n")
    cats = "( call SW.getProperty ( call SW.singleton en.cat ) ( string !type ) )"
    compared = f"( call SW.filter {cats} ( string age ) ( string == ) ( number 3 ) )"
    most = f"( call SW.superlative {cats} ( string most ) ( string age ) )"
    for form in (compared, most):
        assert execute(form, load_world(str(path))).category == "argument"
        assert execute(form.replace("==", "=").replace("most", "max"), load_world(str(path))).text
