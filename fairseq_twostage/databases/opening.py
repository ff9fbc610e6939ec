"""A ``schema.yaml`` as a world; what a data-bin or an exported folder carries of it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text
from fairseq_twostage.semantics.world import World
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Lexicon
from fairseq_twostage.writing import atomic_write
from fairseq_twostage.yaml_reading import compose_yaml

if TYPE_CHECKING:
    from fairseq_twostage.databases.running import DatabaseWorld

SCHEMA_FILE = "schema.yaml"
DATABASE_VARIABLE = "TWOSTAGE_DATABASE"
"""The variable of the environment that says another database than the schema does."""


def open_schema(path: Path, name: str = "") -> DatabaseWorld:
    """The world of a schema file's database.

    Raises:
        UserError: the file, the database, or what one says of the other cannot be.
    """
    try:
        from fairseq_twostage.databases.connecting import open_database
        from fairseq_twostage.databases.running import DatabaseWorld
        from fairseq_twostage.databases.schema_file import read_schema
    except ModuleNotFoundError as error:
        raise UserError(
            f"a database needs {error.name}: pip install 'fairseq-twostage[database]'", str(path)
        ) from None
    schema = read_schema(path)
    other = os.environ.get(DATABASE_VARIABLE)
    where = f"{DATABASE_VARIABLE}, or --database" if other else f"{path}: database"
    engine = open_database(other or schema.database, Path() if other else path.parent, where)
    return DatabaseWorld(schema, engine, path, name)


def schema_file(world: World) -> Path | None:
    """The schema of a world, where its facts lie in a database."""
    return getattr(world, "schema_file", None)


def with_names(frontend: Frontend, world: World) -> Frontend:
    """A front end that knows the names that stand in the database now, too, and how its questions
    are asked.

    Raises:
        UserError: the database cannot be read.
    """
    path = schema_file(world)
    if path is None:
        return frontend
    from fairseq_twostage.databases.values import entries

    opened: Any = world
    known = frontend.lexicon.entries if frontend.lexicon else ()
    found = dict.fromkeys([*known, *entries(opened.schema, opened.engine, str(path))])
    return replace(frontend, lexicon=Lexicon([*found]), asks_as_schemas=True)


def carry_schema(source: Path, dest: Path) -> None:
    """Copy a schema file to where it is read from another folder: a relative path of its database
    becomes absolute, a password is left out."""
    import yaml

    text, root = read_text(source), compose_yaml(source)
    values = {key.value: value for key, value in getattr(root, "value", [])}
    node = values.get("database")
    if node is None:
        raise UserError("database is missing", str(source))
    said = _movable(node.value, source.parent)
    if said != node.value:
        quoted = yaml.safe_dump(said, width=10**6).removesuffix("\n").removesuffix("\n...")
        text = text[: node.start_mark.index] + quoted + text[node.end_mark.index :]
    with atomic_write(dest) as file:
        file.write(text)


def _movable(said: str, folder: Path) -> str:
    from fairseq_twostage.databases.connecting import database_url

    if "$" in said:
        return said
    url = database_url(said, folder)
    if url.password is not None or "password" in url.query:
        plain = url.difference_update_query(["password"])
        parts = (plain.drivername, plain.username, None, plain.host, plain.port, plain.database)
        return type(url).create(*parts, query=plain.query).render_as_string()
    return str(url.database) if "://" not in said else url.render_as_string()
