"""The words of names of tables and columns, against those that people say."""

from __future__ import annotations

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.databases.inflection import base_form, done_to, plural, third_person
from fairseq_twostage.databases.words import column_words, words_of


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SHIP_CITY", ["ship", "city"]),
        ("ShipCity", ["ship", "city"]),
        ("ship city", ["ship", "city"]),
        ("HTTPCode2", ["http", "code", "2"]),
        ("🙂", ["thing"]),
    ],
)
def test_words_of_names(name: str, words: list[str]) -> None:
    assert words_of(name) == words


def test_capitals_and_letters_of_any_alphabet() -> None:
    for name in ("PreçoMédio", "PREÇO_MÉDIO", "preço médio"):
        assert words_of(name) == ["preço", "médio"]
    assert words_of("Código") == ["código"]
    assert words_of("ÉtatCivil2") == ["état", "civil", "2"]
    assert words_of("ЦенаТовара") == ["цена", "товара"]
    assert words_of("HTTPServer") == ["http", "server"]


def test_words_of_columns_and_verbs() -> None:
    for name, words, unit in (
        ("CITY_NAME", "name", None),
        ("length_km", "length", "kilometer"),
        ("Milliseconds", "length", "millisecond"),
        ("num_beds", "beds", None),
        ("budget_amt", "budget", None),
        ("hire_dt", "hire date", None),
        ("min_sal", "minimum salary", None),
        ("hrs_per_wk", "hours per week", None),
        ("Area (m2)", "area", "square_meter"),
        ("area_km2", "area", "square_kilometer"),
        ("Rating (1-5)", "rating", None),
        ("start_stn", "start station", None),
    ):
        assert column_words(name, ["city"]) == (words.split(), unit)
    assert [plural(word) for word in ("city", "order item", "person")] == [
        "cities",
        "order items",
        "people",
    ]
    for base, third in (("run through", "runs through"), ("have", "has"), ("cross", "crosses")):
        assert (third_person(base), base_form(third)) == (third, base)


@pytest.mark.parametrize(
    ("table", "name", "words"),
    [
        ("appointment", "appt_date", ["date"]),
        ("invoice", "inv_date", ["date"]),
        ("certification", "cert_name", ["name"]),
        ("shipment", "ship_date", ["ship", "date"]),  # a word that people say
        ("invoice", "inv_date_paid", ["date", "paid"]),
        ("owner", "inv_date", ["inv", "date"]),
    ],
)
def test_a_tables_noun_in_short(table: str, name: str, words: list[str]) -> None:
    assert column_words(name, [table]) == (words, None)


@pytest.mark.parametrize(
    ("name", "words", "unit"),
    [
        ("Yield (t)", ["yield"], "tonne"),
        ("Area [ha]", ["area"], "hectare"),
        ("plan_t", ["plan", "t"], None),
        ("view_count", ["views"], None),
        ("arr_delay", ["arrival", "delay"], None),
        ("dep_name", ["dep", "name"], None),
    ],
)
def test_units_in_brackets_and_short_words(name: str, words: list[str], unit: str | None) -> None:
    assert column_words(name, ["thing"]) == (words, unit)


@pytest.mark.parametrize(
    ("name", "words", "unit"),
    [
        ("rname", "name", None),
        ("cat", "category", None),
        ("item_cat", "item category", None),
        ("phone_no", "phone number", None),
        ("res_no", "restaurant number", None),
        ("no", "restaurant number", None),
        ("restaurant_no", "restaurant number", None),
        ("phone_ext", "phone extension", None),
        ("rent_pm", "monthly rent", None),
        ("opens_pm", "opens pm", None),
        ("hourly_chf", "hourly rate", "franc"),
        ("price_chf", "price", "franc"),
        ("price_cad", "price", "dollar"),
        ("pay_days", "payment term", "day"),
        ("pay_eur", "pay", "euro"),
        ("mins_spent", "minutes spent", "minute"),
        ("hours_worked", "hours worked", "hour"),
        ("seats_tot", "total seats", None),
        ("temp_c", "temperature", None),
        ("pax", "people", None),
        ("fame", "fame", None),
    ],
)
def test_what_is_written_short_in_columns(name: str, words: str, unit: str | None) -> None:
    assert column_words(name, ["restaurant"]) == (words.split(), unit)


def test_a_category_in_short() -> None:
    assert words_of("ticket_cat") == ["ticket", "category"]
    assert words_of("cat") == ["cat"]
    assert column_words("cat_name", ["category"]) == (["name"], None)
    assert column_words("cat_name", ["kennel"]) == (["cat", "name"], None)


def test_a_plural_has_no_further_one() -> None:
    assert plural("max students") == "max students"
    assert [plural(word) for word in ("bus", "status", "class")] == ["buses", "statuses", "classes"]


@pytest.mark.parametrize(
    ("able", "done"),
    [
        ("recyclable", "recycled"),
        ("washable", "washed"),
        ("taxable", "taxed"),
        ("available", None),
        ("table", None),
        ("open", None),
    ],
)
def test_what_can_be_done_to_things(able: str, done: str | None) -> None:
    assert done_to(able) == done
