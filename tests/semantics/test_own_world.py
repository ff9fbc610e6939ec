"""What a world of one's own does otherwise than a published one."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.answer import answer_line, answer_table
from fairseq_twostage.inference.tree import form_tree
from fairseq_twostage.semantics import World, execute, load_world, same_denotation
from fairseq_twostage.semantics.explain import explain

FACTS = "".join(
    f"type\ten.film.{name}\ten.film\n"
    + "".join(f"{property}\ten.film.{name}\t{value}\n" for property, value in facts)
    for name, facts in {
        "night_train": [("rating", "(number 4 en.star)"), ("by", "en.person.vale")],
        "red_kites": [("rating", "(number 5 en.star)"), ("by", "en.person.vale")],
        "clockmaker": [("rating", "(number 5 en.star)"), ("by", "en.person.moss")],
        "winter": [("by", "en.person.moss"), ("gap", "(number 0.1)"), ("gap", "(number 0.2)")],
        "spring": [("dose", "(number 0.00125 en.gram)"), ("gap", "(number 0.2)")],
        "autumn": [("dose", "(number 0.0012 en.gram)"), ("gap", "(number 0.2)")],
    }.items()
)
FILMS = "( call SW.getProperty ( call SW.singleton en.film ) ( string !type ) )"
RATED = f"( call SW.filter {FILMS} ( string rating ) ( string > ) ( number 0 en.star ) )"


def join(entities: str, property: str) -> str:
    return f"( call SW.getProperty {entities} ( string {property} ) )"


def aggregate(mode: str, values: str) -> str:
    return f"( call SW.listValue ( call SW.aggregate ( string {mode} ) {values} ) )"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "films.tsv"
    path.write_text(FACTS)
    return str(path)


@pytest.fixture
def world(file: str) -> World:
    return load_world(file)


def test_a_fact_is_printed_with_all_its_digits(world: World) -> None:
    dose = execute(join("en.film.spring", "dose"), world)
    assert dose.text == dose.metric_text == "(list (number 0.00125 en.gram))"
    assert answer_line(dose) == "0.00125 grams"
    assert answer_table(dose, world).rows == (("0.00125 grams",),)
    assert form_tree(join("en.film.spring", "dose"), world).value == "0.00125 grams"
    films = answer_table(execute(FILMS, world), world)
    assert "0.00125 grams" in next(row for row in films.rows if row[0] == "spring")


@pytest.mark.parametrize(
    "comparison, number, films",
    [
        (">", "0.00125", "nothing"),
        (">=", "0.00125", "spring"),
        (">", "0.0012", "spring"),
        ("=", "0.00125", "spring"),
        ("=", "0.001", "nothing"),
        ("<", "0.00125", "autumn"),
    ],
)
def test_filters_compare_all_digits(world: World, comparison, number, films) -> None:
    form = (
        f"( call SW.listValue ( call SW.filter {FILMS} ( string dose ) "
        f"( string {comparison} ) ( number {number} en.gram ) ) )"
    )
    assert answer_line(execute(form, world)) == films


def test_numbers_that_differ_in_the_fourth_decimal_are_different_answers(world: World) -> None:
    one, other = (execute(join(f"en.film.{name}", "dose"), world) for name in ("spring", "autumn"))
    assert same_denotation(one, one) and not same_denotation(one, other)
    published = World(world.database)
    forms = [join(f"en.film.{name}", "dose") for name in ("spring", "autumn")]
    assert same_denotation(*(execute(form, published) for form in forms))


def test_the_average_is_over_rows_shown_rounded_and_compared_in_full(world: World) -> None:
    found = execute(aggregate("avg", join(FILMS, "rating")), world)
    assert found.text == found.shown == "(list (number 4.67 en.star))"
    assert found.metric_text == "(list (number 4.666666666666667 en.star))"
    assert answer_line(found) == "4.67 stars"
    assert not same_denotation(
        found, execute("( call SW.listValue ( number 4.67 en.star ) )", world)
    )


@pytest.mark.parametrize(
    "form, rows, values",
    [
        (aggregate("avg", join(FILMS, "rating")), "4.67 stars", "4.5 stars"),
        (aggregate("sum", join(FILMS, "rating")), "14 stars", "9 stars"),
        (f"( call SW.sum {join(FILMS, 'rating')} )", "14", "9"),
        (
            aggregate("avg", f"( call SW.ensureNumericEntity {join(FILMS, 'rating')} )"),
            "4.67 stars",
            "4.5 stars",
        ),
        (
            f"( ( lambda s {aggregate('avg', join('( var s )', 'rating'))} ) {RATED} )",
            "4.67 stars",
            "4.5 stars",
        ),
        # Two joins in one: the films of each person, whose persons count once.
        (aggregate("sum", join(join(join(FILMS, "by"), "!by"), "rating")), "14 stars", "9 stars"),
        # Numbers of one entity count once each, and those of another one again.
        (aggregate("sum", join(FILMS, "gap")), "0.7", "0.3"),
        # An entity that stands in the list twice counts once.
        (
            aggregate("sum", join(f"( call SW.concat {FILMS} {RATED} )", "rating")),
            "14 stars",
            "9 stars",
        ),
        (
            aggregate(
                "avg",
                f"( call SW.concat {join('en.film.red_kites', 'rating')} "
                f"{join('en.film.clockmaker', 'rating')} )",
            ),
            "5 stars",
            "no answer (argument error: concat of a list with itself: (number 5 en.star))",
        ),
        # Lists and counts are of what is different under either rule.
        (f"( call SW.listValue {join(FILMS, 'rating')} )", "4 stars, 5 stars", "4 stars, 5 stars"),
        (f"( call .size {join(FILMS, 'rating')} )", "2", "2"),
        (aggregate("avg", join(FILMS, "by")), None, None),
        (aggregate("avg", join("en.film.winter", "rating")), None, None),
    ],
)
def test_rows_or_values(file: str, form: str, rows: str | None, values: str | None) -> None:
    for rule, expected in (("rows", rows), ("values", values)):
        world = load_world(file, None, rule)
        found = execute(form, world)
        assert found.executable is (expected is not None and not expected.startswith("no answer"))
        if expected is not None:
            assert answer_line(found) == expected
        assert explain(form, world)[0].denotation == found
        copy = pickle.loads(pickle.dumps(world))
        assert execute(form, copy) == found


def test_explain_shows_what_is_averaged(world: World) -> None:
    steps = explain(aggregate("avg", join(FILMS, "rating")), world)
    assert [step.length for step in steps[:3]] == [None, 1, 3]
    assert steps[2].form.startswith("( call SW.getProperty")


def test_published_worlds_keep_their_rules() -> None:
    world = load_world("calendar")
    assert not world.exact and not world.rows
    assert load_world("calendar", None, "values") is world
    other = load_world("calendar", None, "rows")
    assert other.rows and not other.exact
    meetings = join("( call SW.singleton en.meeting )", "!type")
    form = aggregate("avg", join(meetings, "length"))
    assert execute(form, world).text == "(list (number 2 en.hour))"
    assert execute(form, other).text not in (None, "(list (number 2 en.hour))")


def test_no_such_rule(file: str) -> None:
    with pytest.raises(UserError, match="aggregates: no 'all'; choose rows or values"):
        load_world(file, None, "all")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        # Vale and Moss made two films each; Vale's have nine stars, Moss's five
        ("SW.countTop {people} ( string max ) ( string !by ) ( number 1 )", "moss vale"),
        ("SW.countTop {people} ( string max ) ( string !by ) ( number 0 )", ""),
        ("SW.countTop {rated} ( string max ) ( string by ) ( number 9 )",
         "clockmaker night_train red_kites"),
        ("SW.groupTop {rated} ( string max ) ( string by ) ( string sum ) ( string rating ) "
         "( number 1 )", "vale"),
        ("SW.groupTop {rated} ( string min ) ( string by ) ( string sum ) ( string rating ) "
         "( number 2 )", "moss vale"),
    ],
)  # fmt: skip
def test_the_first_few_by_number_and_by_sum(world: World, form: str, answer: str) -> None:
    people = join(FILMS, "by")
    text = form.format(people=people, rated=RATED)
    found = execute(f"( call SW.listValue ( call {text} ) )", world).text
    assert re.findall(r"en\.\w+\.(\w+)", found) == answer.split()


def test_shares(world: World) -> None:
    every = execute(f"( call SW.listValue ( call SW.share {RATED} {RATED} ) )", world)
    assert every.text == "(list (number 100 percent))"
    some = execute(f"( call SW.listValue ( call SW.share {join(FILMS, 'by')} {RATED} ) )", world)
    assert some.text == "(list (number 0 percent))"
    none = join("en.person.nobody", "!by")
    assert not execute(f"( call SW.share {RATED} {none} )", world).executable
