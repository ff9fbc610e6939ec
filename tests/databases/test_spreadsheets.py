"""Headings as people write them in spreadsheets: blanks, units and remarks in brackets, question
marks; measures that are computed of such columns, by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")
import sqlalchemy as sa
import yaml

from fairseq_twostage.databases.expressions import arithmetic, quoted
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import schema_pairs
from fairseq_twostage.errors import UserError
from tests.databases.test_questions import answer_of, described

SCRIPT = """
create table "Members" ("Member no." integer primary key, "First name" text, "Last name" text,
  "Sex (f/m)" text, "Date of birth" text, "E-mail" text, "Joined on" text);
create table "Products" ("Product no." integer primary key, "Product name" text);
create table "Orders" ("Order no." integer primary key, "Member no." integer
  references "Members" ("Member no."), "Sold on" text);
create table "Order lines" ("Order no." integer references "Orders" ("Order no."),
  "Product no." integer references "Products" ("Product no."),
  "Quantity" integer, "Unit price (EUR)" real, primary key ("Order no.", "Product no."));
create table "Payments" ("Payment no." integer primary key, "Member no." integer
  references "Members" ("Member no."), "Amount (EUR)" real, "Paid?" text, "Due date" text);
insert into "Members" values (1, 'Ann', 'Reed', 'f', '2000-01-01', 'ann@a.example', '2020-01-01'),
  (2, 'Bo', 'Stone', 'm', '1990-06-01', 'bo@b.example', '2021-01-01'),
  (3, 'Cy', 'Marsh', 'm', '1980-06-01', 'cy@c.example', '2022-01-01');
insert into "Products" values (1, 'Oar'), (2, 'Rope');
insert into "Orders" values (1, 1, '2024-01-01'), (2, 1, '2024-02-01'), (3, 2, '2024-03-01');
insert into "Order lines" values (1, 1, 2, 3.5), (2, 1, 1, 10), (3, 2, 4, 0.25);
insert into "Payments" values (1, 1, 20, 'Yes', '2024-01-01'), (2, 1, 5, 'No', '2024-02-01'),
  (3, 2, 7, 'Yes', '2024-03-01');
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return described(tmp_path_factory.mktemp("sheets"), SCRIPT)


def tables_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((folder / "schema.yaml").read_text(encoding="utf-8"))
    tables: dict[str, Any] = found["tables"]
    return tables


def test_what_is_computed_of_columns_with_blanks(folder: Path) -> None:
    tables = tables_of(folder)
    assert (
        tables["order_line"]["measures"]["amount"]["expression"] == 'Quantity * "Unit price (EUR)"'
    )
    assert tables["member"]["measures"]["age"]["expression"] == 'years("Date of birth", today)'
    pairs = dict(schema_pairs(load_domain(folder), folder))
    spent = "how much was spent by _member_"
    assert answer_of(folder, pairs[spent], {"_member_": "ann reed"}) == {"17"}  # 7 + 10
    oldest = "which member is the oldest"
    assert oldest in pairs and answer_of(folder, pairs[oldest], {}) == {"3"}


def test_what_stands_in_brackets_is_not_said(folder: Path) -> None:
    member = yaml.safe_load((folder / "schema.yaml").read_text(encoding="utf-8"))["tables"][
        "member"
    ]
    assert {"sex", "email"} <= member["dimensions"].keys()


def test_what_is_not_yet_paid_is_no_money_paid(folder: Path) -> None:
    member = yaml.safe_load((folder / "schema.yaml").read_text(encoding="utf-8"))["tables"][
        "member"
    ]
    assert "paid" not in member["measures"]
    assert member["measures"]["payment_amount"]["phrase"] == "total amount of payments"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PRICE", "PRICE"),
        ("unit price", '"unit price"'),
        ("Preço", '"Preço"'),
        ("from", '"from"'),
        ('6" pipe', r'"6\" pipe"'),
        ("back\\slash", r'"back\\slash"'),
        ("2nd", '"2nd"'),
    ],
)
def test_names_stand_in_quotes_where_they_must(name: str, text: str) -> None:
    assert quoted(name) == text
    asked: list[str] = []

    def column(named: str) -> sa.ColumnElement[float]:
        asked.append(named)
        return sa.literal(2.0)

    found = arithmetic(f"{text} * 3", column, column, "sqlite", "schema.yaml")
    assert asked == [name]
    with sa.create_engine("sqlite://").connect() as connection:
        assert connection.scalar(sa.select(found)) == 6


def test_an_expression_is_no_program() -> None:
    for text in ('"a".upper()', "f'{a}'", '"a" if a else 1', "b'a' * 2"):
        with pytest.raises(UserError, match="expression"):
            arithmetic(text, sa.column, sa.column, "sqlite", "schema.yaml")
