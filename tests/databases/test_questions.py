"""The questions that a schema makes: their words, and that their forms answer."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")
from fairseq_twostage.cli.main import main
from fairseq_twostage.databases.opening import open_schema, with_names
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.domains.schemas import domain_lexicon, schema_pairs
from fairseq_twostage.domains.worlds import database_world
from fairseq_twostage.semantics import execute
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Lexicon
from fairseq_twostage.text.tokenisation import Words

SCRIPT = """
create table land (land_name text primary key, area integer, capital text, tongue text);
create table brook (brook_name text, length integer, crosses text references land(land_name));
create table hamlet (hamlet_name text, land_name text references land(land_name), people integer,
                     primary key (hamlet_name, land_name));
create table frontier (land_name text references land(land_name),
                       other text references land(land_name));
insert into land values ('arn', 10, 'aton', 'old'), ('bel', 30, 'bton', 'old'),
                        ('cor', 20, 'cton', 'new');
insert into brook values ('deep', 9, 'arn'), ('deep', 9, 'bel'), ('mild', 4, 'bel'),
                         ('mild', 4, 'cor');
insert into hamlet values ('elm', 'arn', 5), ('elm', 'bel', 7), ('fir', 'bel', 6),
                          ('ivy', 'cor', 1);
insert into frontier values ('arn', 'bel'), ('bel', 'arn'), ('bel', 'cor'), ('cor', 'bel');
"""


def described(folder: Path, script: str) -> Path:
    """A domain as ``init`` writes it of the database ``made.db`` that a script makes."""
    with sqlite3.connect(folder / "made.db") as connection:
        connection.executescript(script)
    assert main(["init", str(folder / "asked"), "--database", str(folder / "made.db")]) == 0
    return folder / "asked"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = described(tmp_path_factory.mktemp("lands"), SCRIPT)
    file = made / "schema.yaml"
    text = file.read_text(encoding="utf-8")
    for old, new in (
        ("phrase: with crosses, inverse: crosses of", "phrase: run through"),
        ("phrase: with other, inverse: other of", "phrase: border, inverse: border"),
        ("phrase: of", "phrase: in"),
        ("people: {}", "people: {most: most crowded}"),
        ("asides: []", "asides: [the world]"),
    ):
        assert old in text, text
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def asked(folder: Path) -> dict[str, str]:
    return dict(schema_pairs(load_domain(folder), folder))


@pytest.mark.parametrize(
    ("question", "names", "answer"),
    [
        ("which lands are there", {}, {"arn", "bel", "cor"}),
        ("what is the area of _land_", {"_land_": "arn"}, {"10"}),
        ("how large is _land_", {"_land_": "bel"}, {"30"}),
        ("which brooks run through _land_", {"_land_": "bel"}, {"deep", "mild"}),
        ("which lands does _brook_ run through", {"_brook_": "deep"}, {"arn", "bel"}),
        ("which brooks do not run through _land_", {"_land_": "arn"}, {"mild"}),
        ("what is the longest brook that runs through _land_", {"_land_": "bel"}, {"deep"}),
        ("which lands border the largest land", {}, {"arn", "cor"}),
        ("which lands border lands that border _land_", {"_land_": "arn"}, {"arn", "cor"}),
        ("which brooks run through lands that border _land_", {"_land_": "cor"}, {"deep", "mild"}),
        ("what is the capital of the land that borders the most lands", {}, {"bton"}),
        ("how many brooks are there", {}, {"2"}),
        ("how many brooks run through _land_", {"_land_": "bel"}, {"2"}),
        ("how many hamlets are in _land_", {"_land_": "bel"}, {"2"}),
        ("how many hamlets are named _hamlet_", {"_hamlet_": "elm"}, {"2"}),
        ("where is _hamlet_", {"_hamlet_": "elm"}, {"arn", "bel"}),
        ("where is _hamlet_", {"_hamlet_": "elm bel"}, {"bel"}),
        ("what is the people of _hamlet_", {"_hamlet_": "elm arn"}, {"5"}),
        ("what is the total area of lands that border _land_", {"_land_": "bel"}, {"30"}),
        ("what is the average people of hamlets in _land_", {"_land_": "bel"}, {"6.5"}),
        ("which land has the most hamlets", {}, {"bel"}),
        ("what is the most crowded hamlet in _land_", {"_land_": "bel"}, {"elm,bel"}),
        ("is _hamlet_ in _land_", {"_hamlet_": "fir", "_land_": "bel"}, {"yes"}),
        ("is _hamlet_ in _land_", {"_hamlet_": "fir", "_land_": "arn"}, {"no"}),
        ("how many lands border _land_ and _land2_", {"_land_": "arn", "_land2_": "cor"}, {"1"}),
        (
            "what are the _number_ lands with the most hamlets",
            {"_number_": "(number 1)"},
            {"bel"},
        ),
        (
            "what are the _number_ lands with the most brooks",
            {"_number_": "(number 2)"},
            {"arn", "bel", "cor"},
        ),
        (
            "what are the _number_ tongues with the most lands",
            {"_number_": "(number 1)"},
            {"old"},
        ),
        (
            "what are the _number_ lands with the highest total people of hamlets",
            {"_number_": "(number 2)"},
            {"arn", "bel"},
        ),
        ("which lands have tongue _tongue_", {"_tongue_": "old"}, {"arn", "bel"}),
        ("which lands have tongue _tongue_ or _tongue2_", {}, None),
        ("which lands is no hamlets in", {}, None),
        (
            "which hamlets have more than _number_ people",
            {"_number_": "(number 5)"},
            {"elm,bel", "fir,bel"},
        ),
        (
            "which hamlets have more than _number_ people",
            {"_number_": "(number 5 any)"},  # as a question says it
            {"elm,bel", "fir,bel"},
        ),
        ("which hamlets have more people than _hamlet_", {"_hamlet_": "fir"}, {"elm,bel"}),
        (
            "how many hamlets have between _number_ and _number2_ people",
            {"_number_": "(number 5.5)", "_number2_": "(number 6)"},
            {"1"},
        ),
        ("which lands have area above _number_", {"_number_": "(number 25)"}, {"bel"}),
        ("what are the _number_ largest lands", {"_number_": "(number 2)"}, {"bel", "cor"}),
        ("what are the _number_ largest lands", {"_number_": "(number 2 any)"}, {"bel", "cor"}),
    ],
)  # fmt: skip
def test_questions_and_their_answers(
    folder: Path,
    asked: dict[str, str],
    question: str,
    names: dict[str, str],
    answer: set[str] | None,
) -> None:
    if answer is None:  # only that it can be asked, or not
        assert (question in asked) == ("tongue2" in question)
        return
    assert answer_of(folder, asked[question], names) == answer


def answer_of(folder: Path, form: str, names: Mapping[str, str]) -> set[str]:
    """What a form answers in the database of a folder, as :func:`said`, its names given."""
    domain = load_domain(folder)
    lexicon = domain_lexicon(domain, folder)
    assert lexicon is not None
    meant = {name: constant(lexicon, name, phrase) for name, phrase in names.items()}
    found = execute(form, database_world(domain, folder), meant)
    values = getattr(found, "value", None)
    assert values is not None, found
    return {said(value.text_in_full) for value in values.values}


def constant(lexicon: Lexicon, name: str, phrase: str) -> str:
    if phrase.startswith("("):
        return phrase
    kind = name.strip("_").rstrip("2")
    senses = lexicon.senses[tuple(phrase.split())]
    return next(entry.constant for entry in senses if entry.type == kind)


def said(text: str) -> str:
    """``(name en.land.arn)``, arn; ``(number 5 count)``, 5."""
    word = text.strip("()").split()[1]
    return {"true": "yes", "false": "no"}.get(
        word, word.rpartition(".")[2] if "en." in word else word
    )


def test_what_says_nothing_is_left_out(folder: Path) -> None:
    lexicon = domain_lexicon(load_domain(folder), folder)
    assert lexicon is not None
    assert lexicon.read("largest land in the world").utterance == "largest land"
    assert lexicon.read("the world").utterance == "the world"


def test_a_password_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = "postgresql://me:tiger7@localhost:1/none"
    assert main(["init", str(tmp_path / "new"), "--database", url]) == 1
    assert "tiger7" not in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_row_that_was_added_later_is_named(folder: Path, tmp_path: Path) -> None:
    source = folder.parent / "made.db"
    copy = tmp_path / "made.db"
    copy.write_bytes(source.read_bytes())
    text = (folder / "schema.yaml").read_text(encoding="utf-8")
    (tmp_path / "schema.yaml").write_text(
        text.replace("database: ../made.db", "database: made.db"), encoding="utf-8"
    )
    world = open_schema(tmp_path / "schema.yaml")
    frontend = with_names(Frontend(Words()), world)
    assert frontend.read("area of dun").tokens == "area of dun"
    with sqlite3.connect(copy) as connection:
        connection.execute("insert into land values ('dun', 40, 'dton', 'new')")
    read = with_names(frontend, open_schema(tmp_path / "schema.yaml")).read("area of dun")
    assert read.tokens == "area of _land_"
