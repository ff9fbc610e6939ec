"""schema.yaml is read whole, or one line says what is wrong and where."""

from __future__ import annotations

import pytest

from fairseq_twostage.databases.names import constant, is_of, parts_of
from fairseq_twostage.databases.properties import Properties
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.values import Name

SHOP = """\
version: 1
database: sqlite:///shop.db
tables:
  film:
    table: FILMS
    key: id
    name: title
    dimensions:
      title: {column: TITLE}
      genre: {column: GENRE, synonyms: kind, wording: adjective, guessed: true}
    time_dimensions:
      released: {column: RELEASED, stored_as: year}
    measures:
      length: {column: LENGTH_MIN, unit: minute, more: longer}
    metrics:
      total length: {measure: length, aggregation: sum}
    filters:
      long: {dimension: length, above: 120}
  person:
    key: [id]
    name: title
    dimensions:
      title: {}
relationships:
  directed_by: {from: film, to: person, columns: {DIRECTOR_ID: id}, phrase: directed by}
  plays_in:
    {from: person, to: film, through: CAST, from_columns: {P: id}, to_columns: {F: id}}
"""


@pytest.fixture
def read(tmp_path):
    path = tmp_path / "schema.yaml"

    def read_text(text):
        path.write_text(text, encoding="utf-8")
        return read_schema(path)

    return read_text


def test_properties_have_types(read):
    found = Properties(read(SHOP))
    types = {name: (p.argument_type, p.value_type) for name, p in found.all.items()}
    assert types == {
        "film.title": ("en.film", "en.film.title"),
        "film.genre": ("en.film", "en.film.genre"),
        "film.released": ("en.film", "en.date"),
        "film.length": ("en.film", "minute_number"),
        "person.title": ("en.person", "en.person.title"),
        "directed_by": ("en.film", "en.person"),
        "plays_in": ("en.person", "en.film"),
    }
    assert found.find("genre") is found.find("film.genre")
    assert found.find("nothing") is None
    with pytest.raises(ExecutionError, match=r"film\.title or person\.title"):
        found.find("title")


@pytest.mark.parametrize(
    "old, new, line, message",
    [
        ("synonyms: kind", "synonim: kind", 10, "no setting 'synonim'; did you mean 'synonyms'?"),
        ("    name: title\n    dim", "    name: titel\n    dim", 7, "no 'titel'; did you mean"),
        ("to: person", "to: persons", 25, "no 'persons'; did you mean 'person'?"),
        ("measure: length", "measure: lenght", 16, "no 'lenght'; did you mean 'length'?"),
        ("version: 1", "version: 7", 1, "version: input should be 1, not '7'"),
        ("database: sqlite:///shop.db\n", "", 1, "database is missing"),
        ("through: CAST, ", "", 26, "give columns, or through"),
        ("  person:\n", "  film:\n", 19, "film is said a second time"),
        ("  person:\n", "  9-person:\n", 19, "begins with a letter"),
        ("stored_as: year", "stored_as: years", 12, "stored_as: input should be 'text'"),
        ("released: {c", "title: {c", 12, "film has two properties title"),
        ("wording: adjective", "type: person", 10, "person is a table"),
        ("  film:\n", "  film: [\n", 6, "not YAML"),
    ],
)
def test_a_mistake_is_one_line(read, old, new, line, message):
    assert old in SHOP
    with pytest.raises(UserError) as error:
        read(SHOP.replace(old, new, 1))
    assert f"schema.yaml:{line}: " in str(error.value)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_tabs_at_line_ends_change_nothing(read):
    assert read(SHOP.replace("\n", " \t\n")) == read(SHOP)


@pytest.mark.parametrize(
    "parts",
    [
        ("Alien",),
        ("Dr. Strange_love",),
        ("_x_",),
        ("st._francis",),
        ("a._b._c",),
        ("",),
        ("Robert'); DROP TABLE films;--",),
        ("(a b)", "c,d", ""),
        ('he said "no" # \\ \t\n',),
        ("日本語 é 🎬",),
        (10248, 11),
        ("50%", "%41"),
    ],
)
def test_a_constant_says_its_parts(parts):
    atom = constant("en.film.title", *parts)
    assert Name(atom).type == "en.film.title" and is_of(atom, "en.film.title")
    assert not set(atom) & set(' ()"#\\\n\t!')
    assert parts_of(atom, "en.film.title") == [str(part) for part in parts]


def test_constants_of_the_published_worlds_stay_as_they_are():
    assert constant("fb:en.river", "st._francis") == "fb:en.river.st._francis"
    assert constant("en.person", "alice") == "en.person.alice"


def test_an_index_is_no_setting_any_more(read, capsys):
    found = read(SHOP.replace("{column: TITLE}", "{column: TITLE, values: index}", 1))
    assert found == read(SHOP)
    warned = capsys.readouterr().err
    assert "schema.yaml:9: " in warned and "values: index" in warned and warned.count("\n") == 1
