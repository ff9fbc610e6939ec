"""Values that look like SQL find what is spelt so, and nothing is written or shown of SQL."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
import sqlalchemy as sa

from fairseq_twostage.databases.names import constant
from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.semantics import Failure, execute
from tests.databases.conftest import SERVERS

PIECES = [
    *"'\"`;\\%_?*()[]{}<>#$@!&|~^=+-,.:/ \t\n\r\x0b\x1f\u00a0\u200b\u202e\ufeff\ud800é日🎬ﬁß",
    *("--", "/*", "*/", "''", '""', "; drop table thing; --", "' or '1'='1", "' union select "),
    *("x');delete from thing where 1=1;--", ":name", "%(name)s", "$1", "?1", "{0}", "${HOME}"),
    *("NULL", "null", "e\u0301", "\\'", "\\x00", "%27", "%00", "( call SW.", "\x00", "0x41"),
    *("Robert", "thing", "a", "b", "1", "select", "en.thing.name.", "attach database 'x' as y"),
]
SCHEMA = """\
database: {url}
tables:
  thing:
    table: {table!r}
    key: id
    name: name
    dimensions: {{name: {{column: 'na"me'}}}}
    measures: {{size: {{column: 'si;ze --'}}}}
"""
TABLE = 'thing "; drop'
VALUES, IN_A_FORM = 10_000, 20


def hostile(random_: random.Random) -> str:
    return "".join(random_.choices(PIECES, k=random_.randint(1, 6)))


def storable(text: str) -> bool:
    return "\0" not in text and "\ud800" not in text


@pytest.mark.parametrize(
    "kind", [pytest.param(k, marks=() if k == "sqlite" else pytest.mark.slow) for k in SERVERS]
)
def test_ten_thousand_values_are_values(
    kind: str, tmp_path: Path, new_database: Callable[[str], str]
) -> None:
    random_ = random.Random(7)
    stored = {text for text in (hostile(random_) for _ in range(400)) if storable(text)}
    url = new_database(kind)
    engine = sa.create_engine(url)
    table = sa.Table(
        TABLE,
        sa.MetaData(),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column('na"me', sa.String),
        sa.Column("si;ze --", sa.Integer),
    )
    table.create(engine)
    rows = [(number, text, number) for number, text in enumerate(sorted(stored))]
    with engine.begin() as connection:
        connection.execute(
            table.insert(), [dict(zip(("id", 'na"me', "si;ze --"), row)) for row in rows]
        )
    engine.dispose()
    (tmp_path / "schema.yaml").write_text(SCHEMA.format(url=url, table=TABLE), encoding="utf-8")
    world = open_schema(tmp_path / "schema.yaml")
    keys = {text: f"(name en.thing.{number})" for number, text, _ in rows}
    pool = sorted(stored)
    for _ in range(VALUES // IN_A_FORM):
        chosen = {hostile(random_) for _ in range(IN_A_FORM - 1)} | {random_.choice(pool)}
        values = [constant("en.thing.name", text) for text in sorted(chosen)]
        listed = reduce(
            lambda a, b: f"( call SW.concat {a} ( call SW.singleton {b} ) )",
            values[1:],
            f"( call SW.singleton {values[0]} )",
        )
        form = (
            "( call SW.listValue ( call SW.filter ( call SW.getProperty ( call SW.singleton "
            f"en.thing ) ( string !type ) ) ( string name ) ( string = ) {listed} ) )"
        )
        wanted = sorted(keys[text] for text in chosen & stored)
        assert execute(form, world).shown == " ".join(["(list", *wanted]) + ")"
    for _ in range(500):  # as nobody writes them: the values raw, and in the place of anything
        raw, other = hostile(random_), hostile(random_)
        for form in (
            f"( call SW.listValue ( call SW.getProperty en.thing.name.{raw} ( string !name ) ) )",
            f'( call SW.listValue ( call SW.getProperty "{raw}" ( string "{other}" ) ) )',
            f"( call SW.listValue ( call SW.filter {raw} ( string size ) ( string {other} ) ) )",
        ):
            found = execute(form, world)
            if isinstance(found, Failure):
                assert not {"SELECT", "[SQL", "sqlalche"} & set(found.message.split())
                assert "\n" not in found.message
    world.engine.dispose()
    with sa.create_engine(url).connect() as connection:
        kept = connection.execute(sa.select(table).order_by(table.c.id)).fetchall()
        assert [tuple(row) for row in kept] == rows
        assert sa.inspect(connection).get_table_names() == [TABLE]
