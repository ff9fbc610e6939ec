from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.databases.servers import postgresql, programs

SERVERS = ("sqlite", "duckdb", "postgresql")


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A server of this session's own."""
    if programs() is None:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    with postgresql() as url:
        yield url


@pytest.fixture
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Makes an empty database of a kind; returns its URL."""
    import sqlalchemy as sa

    number = count(1)

    def make(kind: str) -> str:
        if kind != "postgresql":
            return f"{kind}:///{tmp_path}/world.{next(number)}.{kind}"
        url = sa.make_url(request.getfixturevalue("postgresql_url"))
        name = f"d{abs(hash((str(tmp_path), next(number)))):x}"
        with sa.create_engine(url, isolation_level="AUTOCOMMIT").connect() as connection:
            connection.exec_driver_sql(f"create database {name}")
        return url.set(database=name).render_as_string(hide_password=False)

    return make
