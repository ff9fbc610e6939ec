"""What is gathered of other rows, computed, or lies behind others; against SQL of the shop."""

from __future__ import annotations

import difflib
import re
from importlib import resources
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.cli.main import main
from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.databases.running import DatabaseWorld
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon, schema_pairs
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics.accuracy import is_right

SHOP = Path(str(resources.files("fairseq_twostage") / "examples" / "shop"))
OLD_TOM = "( call SW.getProperty en.product.name.Old%20Tom's%20Kettle ( string !product.name ) )"
LINES = "CUSTOMER_ORDER o JOIN ORDER_ITEM i ON i.ORDER_ID = o.ORDER_ID"


def product(key: int) -> str:
    return f"( call edu.stanford.nlp.sempre.overnight.SimpleWorld.singleton en.product.{key} )"


def every(table: str) -> str:
    return f"( call SW.getProperty ( call SW.singleton en.{table} ) ( string !type ) )"


def listed(form: str) -> str:
    return f"( call SW.listValue {form} )"


def got(form: str, name: str) -> str:
    return f"( call SW.getProperty {form} ( string {name} ) )"


@pytest.fixture(scope="module")
def shop() -> DatabaseWorld:
    return open_schema(SHOP / "schema.yaml")


@pytest.mark.parametrize(
    ("form", "sql"),
    [
        (
            got(OLD_TOM, "product.sold"),
            "SELECT SUM(QUANTITY) FROM ORDER_ITEM WHERE PRODUCT_ID = 1",
        ),
        (
            f"( call SW.superlative {every('customer')} ( string max ) ( string customer.spent ) )",
            "SELECT c.NAME FROM CUSTOMER c JOIN CUSTOMER_ORDER o ON o.CUSTOMER_ID = c.CUSTOMER_ID "
            "JOIN ORDER_ITEM i ON i.ORDER_ID = o.ORDER_ID GROUP BY c.CUSTOMER_ID "
            "ORDER BY SUM(QUANTITY * UNIT_PRICE_EUR) DESC LIMIT 1",
        ),
        (
            f"( call SW.filter {every('order')} ( string order.total ) ( string > ) "
            "( number 500 euro ) )",
            f"SELECT o.ORDER_ID FROM {LINES} GROUP BY o.ORDER_ID "
            "HAVING SUM(QUANTITY * UNIT_PRICE_EUR) > 500",
        ),
        (
            f"( call SW.aggregate ( string avg ) {got(every('order'), 'order.total')} )",
            "SELECT AVG(x) FROM (SELECT SUM(QUANTITY * UNIT_PRICE_EUR) x FROM ORDER_ITEM "
            "GROUP BY ORDER_ID)",
        ),
        (
            f"( call SW.filter {every('customer')} ( string customer.orders ) ( string = ) "
            "( number 0 ) )",
            "SELECT NAME FROM CUSTOMER WHERE CUSTOMER_ID NOT IN "
            "(SELECT CUSTOMER_ID FROM CUSTOMER_ORDER)",
        ),
        (
            f"( call SW.group {every('product')} ( string product.category ) ( string avg ) "
            "( string product.rating ) )",
            "SELECT CATEGORY, AVG(x) FROM PRODUCT p JOIN (SELECT PRODUCT_ID, AVG(STARS) x FROM "
            "REVIEW GROUP BY PRODUCT_ID) r ON r.PRODUCT_ID = p.PRODUCT_ID GROUP BY CATEGORY",
        ),
        (
            f"( call SW.filter {every('customer')} ( string customer_product ) ( string = ) "
            f"{OLD_TOM} )",
            f"SELECT DISTINCT c.NAME FROM {LINES} JOIN CUSTOMER c ON "
            "c.CUSTOMER_ID = o.CUSTOMER_ID WHERE i.PRODUCT_ID = 1",
        ),
        (
            f"( call SW.group {every('order')} ( string order_customer.country ) )",
            "SELECT COUNTRY, COUNT(*) FROM CUSTOMER_ORDER o JOIN CUSTOMER c ON "
            "c.CUSTOMER_ID = o.CUSTOMER_ID GROUP BY COUNTRY",
        ),
        (
            f"( call SW.group {every('order')} ( string order.date.month ) )",
            "SELECT SUBSTR(ORDER_DATE, 1, 7), COUNT(*) FROM CUSTOMER_ORDER GROUP BY 1",
        ),
        (
            f"( call SW.countSuperlative {got(every('product'), 'product.category')} "
            "( string max ) ( string !product.category ) )",
            "SELECT CATEGORY FROM PRODUCT GROUP BY CATEGORY ORDER BY COUNT(*) DESC LIMIT 1",
        ),
        (
            got(every("supplier"), "supplier.lead"),
            "SELECT LEAD_DAYS, NAME FROM SUPPLIER",  # the table that is shown beside has both
        ),
    ],
)
def test_forms_answer_as_sql_does(shop: DatabaseWorld, form: str, sql: str) -> None:
    answer = shop.denote(listed(form), {})
    assert shop.gold_rows(sql)
    assert is_right(answer, sql, shop)
    assert not is_right(answer, sql.replace("SELECT", "SELECT NULL,", 1), shop)


def test_the_schema_is_the_generated_one_with_at_most_twenty_edited_lines(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path / "shop"), "--database", str(SHOP / "shop.sql")]) == 0
    generated = (tmp_path / "shop" / "schema.yaml").read_text(encoding="utf-8")
    generated = re.sub(r"(?m)^database: .*", "database: shop.sql", generated)
    edited = (SHOP / "schema.yaml").read_text(encoding="utf-8")
    matcher = difflib.SequenceMatcher(
        None, generated.splitlines(), edited.splitlines(), autojunk=False
    )
    blocks = [block for block in matcher.get_opcodes() if block[0] != "equal"]
    assert sum(max(b - a, d - c) for _, a, b, c, d in blocks) <= 20


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sum_of: order_item.amount, unit: euro, phrase: value", "sum_of: x.y", "no 'x'"),
        ("avg_of: review.stars", "avg_of: review.star", "did you mean"),
        ("avg_of: review.stars", "avg_of: order.total", "gathered itself"),
        ("avg_of: review.stars", "avg_of: supplier.lead", "refers to"),
        ("count_of: order", "count_of: order.total", "count_of wants a table"),
        (
            "'!review_customer', review_product",
            "review_customer, review_product",
            "starts at review",
        ),
        ("'!review_customer', review_product", "'!review_customer'", "ends at review"),
        ("numbered_by: number", "numbered_by: numbr", "did you mean 'number'"),
    ],
)
def test_what_cannot_be_gathered_is_one_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    text = (SHOP / "schema.yaml").read_text(encoding="utf-8")
    assert old in text
    line = text[: text.index(old)].count("\n") + 1
    (tmp_path / "schema.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError, match=message) as error:
        read_schema(tmp_path / "schema.yaml")
    assert f"schema.yaml:{line}" in str(error.value)


@pytest.fixture(scope="module")
def asked() -> dict[str, str]:
    return dict(schema_pairs(load_domain("shop"), SHOP))


@pytest.mark.parametrize(
    ("question", "names", "sql"),
    [
        (
            "what is the shipping city of order _number_",
            {"_number_": "(number 1063)"},
            "SELECT SHIP_CITY FROM CUSTOMER_ORDER WHERE ORDER_ID = 1063",
        ),
        (
            "which products have no weight",
            {},
            "SELECT NAME FROM PRODUCT WHERE WEIGHT_G IS NULL",
        ),
        (
            "which categories have more than _number_ products",
            {"_number_": "(number 7)"},
            "SELECT CATEGORY FROM PRODUCT GROUP BY CATEGORY HAVING COUNT(*) > 7",
        ),
        (
            "how many products are more expensive than the average",
            {},
            "SELECT COUNT(*) FROM PRODUCT WHERE PRICE_EUR > (SELECT AVG(PRICE_EUR) FROM PRODUCT)",
        ),
        (
            "which orders are placed between _date_ and _date2_",
            {"_date_": "(date 2023 3 1)", "_date2_": "(date 2023 5 31)"},
            "SELECT ORDER_ID FROM CUSTOMER_ORDER "
            "WHERE ORDER_DATE BETWEEN '2023-03-01' AND '2023-05-31'",
        ),
        (
            "who has the most reviews",
            {},
            "SELECT c.NAME FROM REVIEW r JOIN CUSTOMER c ON c.CUSTOMER_ID = r.CUSTOMER_ID "
            "GROUP BY c.CUSTOMER_ID ORDER BY COUNT(*) DESC LIMIT 1",
        ),
        (
            "what are the names and prices of products",
            {},
            "SELECT NAME, PRICE_EUR FROM PRODUCT",
        ),
        (
            "what are the names and categories of products that are cheaper than _number_",
            {"_number_": "(number 20 euro)"},
            "SELECT NAME, CATEGORY FROM PRODUCT WHERE PRICE_EUR < 20",
        ),
        (
            "how many orders placed in _date_ per month",
            {"_date_": "(date 2023 -1 -1)"},
            "SELECT SUBSTR(ORDER_DATE, 1, 7), COUNT(*) FROM CUSTOMER_ORDER "
            "WHERE ORDER_DATE LIKE '2023%' GROUP BY 1",
        ),
        (
            "what is the biggest order in _date_",
            {"_date_": "(date 2022 -1 -1)"},
            f"WITH t AS (SELECT o.ORDER_ID, SUM(i.QUANTITY * i.UNIT_PRICE_EUR) AS n FROM {LINES} "
            "WHERE o.ORDER_DATE LIKE '2022%' GROUP BY o.ORDER_ID) SELECT ORDER_ID FROM t "
            "WHERE n = (SELECT MAX(n) FROM t)",
        ),
        (
            "what is the best selling product in _date_",
            {"_date_": "(date 2022 -1 -1)"},
            f"WITH t AS (SELECT i.PRODUCT_ID, SUM(i.QUANTITY) AS n FROM {LINES} "
            "WHERE o.ORDER_DATE LIKE '2022%' GROUP BY i.PRODUCT_ID) SELECT NAME FROM PRODUCT "
            "WHERE PRODUCT_ID IN (SELECT PRODUCT_ID FROM t WHERE n = (SELECT MAX(n) FROM t))",
        ),
        (
            "which customers buy _product_ in _date_",
            {"_product_": product(1), "_date_": "(date 2022 -1 -1)"},
            f"SELECT DISTINCT c.NAME FROM {LINES} JOIN CUSTOMER c "
            "ON c.CUSTOMER_ID = o.CUSTOMER_ID WHERE i.PRODUCT_ID = 1 AND ORDER_DATE LIKE '2022%'",
        ),
        (
            "which products are never bought",
            {},
            "SELECT NAME FROM PRODUCT WHERE PRODUCT_ID NOT IN (SELECT PRODUCT_ID FROM ORDER_ITEM)",
        ),
    ],
)
def test_questions_answer_as_sql_does(
    shop: DatabaseWorld,
    asked: dict[str, str],
    question: str,
    names: dict[str, str],
    sql: str,
) -> None:
    assert is_right(shop.denote(asked[question], names), sql, shop)


def test_whether_a_thing_fits_a_filter(shop: DatabaseWorld, asked: dict[str, str]) -> None:
    ((gone,),) = shop.gold_rows("SELECT MIN(PRODUCT_ID) FROM PRODUCT WHERE IN_STOCK = 0")
    for key, told in ((int(gone), "true"), (1, "false")):
        answer = shop.denote(asked["is _product_ sold out"], {"_product_": product(key)})
        assert told in str(answer.metric_text)


def test_no_question_says_its_answer_or_goes_there_and_back(asked: dict[str, str]) -> None:
    assert "what is the city of customers from _country_" in asked
    assert "what is the country of customers from _country_" not in asked
    assert "which orders are of _customer_" in asked
    assert "which customers have orders of _customer_" not in asked


def test_wordings_of_which_a_part_is_a_value_name_none() -> None:
    lexicon = domain_lexicon(load_domain("shop"), SHOP)
    assert lexicon is not None
    assert lexicon.read("orders shipped to ghent").utterance == "orders shipped to _city_"
    assert lexicon.read("shipped orders").utterance == "_status_ orders"
    assert lexicon.read("french customers").variables == {"_country_": "en.country.France"}


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("QUANTITY ** 2", "is more than"),
        ("__import__('os')", "is more than"),
        ("QUANTITY *", "cannot be read"),
        ("QUANTTY", "did you mean 'QUANTITY'"),
    ],
)
def test_an_expression_is_arithmetic_alone(tmp_path: Path, expression: str, message: str) -> None:
    text = (SHOP / "schema.yaml").read_text(encoding="utf-8")
    text = text.replace("QUANTITY * UNIT_PRICE_EUR", f'"{expression}"')
    text = text.replace("database: shop.sql", f"database: {SHOP / 'shop.sql'}")
    (tmp_path / "schema.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        open_schema(tmp_path / "schema.yaml")
