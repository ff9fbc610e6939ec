"""Numbers of CSV files as spreadsheets write them, by values read by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("duckdb")
from fairseq_twostage.databases.connecting import open_database

CONTINENTAL = (
    'id;name;yield "t";big;code\r\n1;Müller;12,5;1.200,50;1,2,3\r\n2;O\'Neil; 7,25;950;4\r\n'
)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (CONTINENTAL, [(1, "Müller", 12.5, 1200.5, "1,2,3"), (2, "O'Neil", 7.25, 950.0, "4")]),
        ('id,total\n1,"1,200"\n2,"12,000.50"\n', [(1, 1200.0), (2, 12000.5)]),
        ('id,total\n1,"1,200"\n2,"12,000"\n', [(1, 1200.0), (2, 12000.0)]),
        ("id;total\n1;1,200\n2;12,000\n", [(1, 1.2), (2, 12.0)]),
        # A tab tells nothing.
        ("id\ttotal\n1\t1,200\n2\t12,000\n", [(1, "1,200"), (2, "12,000")]),
        # Decimal commas beside them make thousands of points; a column of real points stays.
        (
            "id;a;b;c\n1;0,5;1.200;1.5\n2;;3.450;2.25\n",
            [(1, 0.5, 1200, 1.5), (2, None, 3450, 2.25)],
        ),
        ("id;total\n1;1,5\n2;n.a.\n", [(1, "1,5"), (2, "n.a.")]),
        ("id;total\n1;-1,5\n2;\n", [(1, -1.5), (2, None)]),
    ],
)
def test_columns_of_written_numbers_are_numbers(
    tmp_path: Path, text: str, wanted: list[tuple[object, ...]]
) -> None:
    (tmp_path / "of farms'.csv").write_text(text, encoding="utf-8")
    with open_database(str(tmp_path), tmp_path).connect() as connection:
        rows = connection.exec_driver_sql('select * from "of farms\'" order by 1').fetchall()
    assert [tuple(row) for row in rows] == wanted
