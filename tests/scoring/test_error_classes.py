"""Every class of error, on programs made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.scoring.error_classes import (
    ErrorClass,
    Parts,
    classify,
    count_errors,
    error_of,
    parts_of,
    read_whole,
)
from fairseq_twostage.semantics import load_world

ALL = "( call SW.getProperty ( call SW.singleton en.ship ) ( string !type ) )"


def listed(form: str) -> str:
    return f"( call SW.listValue {form} )"


def where(ships: str, name: str, comparator: str, value: str) -> str:
    return f"( call SW.filter {ships} ( string {name} ) ( string {comparator} ) {value} )"


def best(ships: str, mode: str, name: str = "length") -> str:
    return f"( call SW.superlative {ships} ( string {mode} ) ( string {name} ) )"


FAST = where(ALL, "speed", ">=", "( number 9 en.knot )")
HOME = where(ALL, "harbour", "=", "en.harbour.oslo")
SAILED = where(ALL, "launched", "=", "( date 1999 5 -1 )")


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        (listed(FAST)[:-2], listed(FAST), "ill_formed"),
        (listed(FAST) + " )", listed(FAST), "ill_formed"),
        ("", listed(FAST), "ill_formed"),
        ("en.ship.aurora", listed(FAST), "ill_formed"),
        (listed(ALL), listed(FAST), "missing_constraint"),
        (listed(FAST), listed(best(FAST, "max")), "missing_constraint"),
        (listed(where(FAST, "harbour", "=", "en.harbour.oslo")), listed(FAST), "extra_constraint"),
        (listed(best(HOME, "min")), listed(HOME), "extra_constraint"),
        (listed(f"( call .size {FAST} )"), listed(FAST), "wrong_function"),
        (
            listed(f"( call SW.aggregate ( string sum ) {FAST} )"),
            listed(f"( call SW.aggregate ( string avg ) {FAST} )"),
            "wrong_function",
        ),
        (listed(best(ALL, "max", "speed")), listed(FAST), "wrong_function"),
        (listed(FAST.replace("speed", "length")), listed(FAST), "wrong_property"),
        (listed(FAST.replace("en.ship", "en.harbour")), listed(FAST), "wrong_property"),
        (
            listed(f"( call SW.getProperty {FAST} ( string harbour ) )"),
            listed(FAST),
            "wrong_property",
        ),
        (
            listed(HOME.replace("( string harbour )", "( call SW.reverse ( string harbour ) )")),
            listed(HOME),
            "wrong_property",
        ),
        (listed(FAST.replace(">=", ">")), listed(FAST), "wrong_comparator"),
        (
            listed(f"( call SW.countComparative {ALL} ( string crew ) ( string < ) ( number 2 ) )"),
            listed(f"( call SW.countComparative {ALL} ( string crew ) ( string > ) ( number 2 ) )"),
            "wrong_comparator",
        ),
        (listed(best(ALL, "min")), listed(best(ALL, "max")), "wrong_superlative"),
        (
            listed(f"( call SW.countSuperlative {ALL} ( string max ) ( string crew ) )"),
            listed(f"( call SW.countSuperlative {ALL} ( string min ) ( string crew ) )"),
            "wrong_superlative",
        ),
        (listed(HOME.replace("oslo", "riga")), listed(HOME), "wrong_entity"),
        (listed(HOME.replace("en.harbour.oslo", "_port_")), listed(HOME), "wrong_entity"),
        (listed(FAST.replace("9", "8")), listed(FAST), "wrong_number"),
        (listed(SAILED.replace("1999", "1989")), listed(SAILED), "wrong_number"),
        (
            listed(where(ALL, "sails", "=", "( time 9 0 )")),
            listed(where(ALL, "sails", "=", "( time 21 0 )")),
            "wrong_number",
        ),
        # Two differences: the class that is tried first.
        (listed(FAST.replace(">=", "<").replace("9", "8")), listed(FAST), "wrong_comparator"),
        # The same parts, put together otherwise.
        (
            listed(where(where(ALL, "a", "=", "en.x.1"), "b", "=", "en.x.2")),
            listed(where(where(ALL, "a", "=", "en.x.2"), "b", "=", "en.x.1")),
            "other",
        ),
    ],
)
def test_class(predicted: str, gold: str, expected: str) -> None:
    assert classify(predicted, gold, executable=True) is ErrorClass(expected)


def test_what_does_not_execute() -> None:
    assert classify(listed(FAST), listed(HOME), executable=False) is ErrorClass.NOT_EXECUTABLE
    assert classify("( ( (", listed(HOME), executable=False) is ErrorClass.ILL_FORMED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            FAST,
            FAST.replace("( string speed )", "( call SW.ensureNumericProperty ( string speed ) )"),
        ),
        (FAST, f"( ( lambda s {FAST.replace(ALL, '( var s )')} ) {ALL} )"),
        (FAST, FAST.replace("!type", "! type")),
        (FAST, FAST.replace("SW.", "edu.stanford.nlp.sempre.overnight.SimpleWorld.")),
        (
            where(FAST, "harbour", "=", "en.harbour.oslo"),
            where(HOME, "speed", ">=", "( number 9 en.knot )"),
        ),
        (
            "( call SW.getProperty en.ship.a ( call SW.reverse ( string !crew ) ) )",
            "( call SW.getProperty en.ship.a ( string crew ) )",
        ),
    ],
)
def test_spelling_makes_no_difference(one: str, other: str) -> None:
    assert parts_of(read_whole(one)) == parts_of(read_whole(other))


def test_any_depth_and_any_garbage() -> None:
    deep = "( call SW.filter " * 5000 + "x" + " )" * 5000
    assert classify(deep, listed(FAST), True) is ErrorClass.EXTRA_CONSTRAINT
    for text in (
        "( )",
        "( call )",
        "( call SW.filter )",
        "( string )",
        '( "',
        "( call SW.reverse x )",
    ):
        classify(text, listed(FAST), executable=True)


def test_counts_by_denotation() -> None:
    world = load_world("calendar")
    meetings = "( call SW.getProperty ( call SW.singleton en.meeting ) ( string !type ) )"
    short = f"( call SW.filter {meetings} ( string length ) ( string = ) ( number 1 en.hour ) )"
    gold = listed(short)
    assert error_of(gold, gold, {}, world) is None
    # Another form, the same meetings: no length lies between one hour and two.
    same = listed(short.replace("( string = )", "( string < )").replace("1 en", "2 en"))
    assert error_of(same, gold, {}, world) is None
    longer = gold.replace("1 en.hour", "2 en.hour")
    unknown = gold.replace("string length", "string lentgh")
    variables = {"_m_": "en.meeting.3"}
    named = listed("( call SW.getProperty _m_ ( string date ) )")
    rows = [(gold, gold, {}), (longer, gold, {}), (unknown, gold, {}), ("(", gold, {})]
    rows += [(named, named.replace("_m_", "en.meeting.3"), variables)]
    counts = count_errors(rows, world)
    wrong = {"wrong_number": 1, "not_executable": 1, "ill_formed": 1}
    assert counts == {error.value: wrong.get(error.value, 0) for error in ErrorClass}


@pytest.mark.parametrize("domain", ["basketball", "calendar", "geo", "socialnetwork"])
def test_parts_of_the_datasets_forms(data_dir: Path, domain: str) -> None:
    lines = (data_dir / "denotations" / f"{domain}.dataset.tsv").read_text().splitlines()
    seen = Parts()
    for line in lines:
        form = read_whole(line.split("\t")[0])
        assert form is not None
        parts = parts_of(form)
        for name in vars(seen):
            getattr(seen, name).update(getattr(parts, name))
    assert set(seen.comparators) <= {"=", "!=", "<", ">", "<=", ">="}
    assert set(seen.directions) <= {"max", "min"}
    assert {name.split()[0] for name in seen.aggregations} <= {"size", "('string',"}
    # Every entity belongs to the domain's world, up to those that only questions mention.
    assert all(entity.startswith(("en.", "fb:en.")) for entity in seen.entities)
    assert {kind for kind, *_ in seen.constants} <= {"number", "date", "time"}
    assert seen.properties.total() > len(lines) and not {"=", "max"} & set(seen.properties)
