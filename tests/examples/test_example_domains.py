"""The embedded domains keep what their pages promise of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.corpora import form_with_values
from fairseq_twostage.databin.frontend import make_frontend
from fairseq_twostage.domains.domain import FURTHER, Domain
from fairseq_twostage.domains.pairs import domain_pairs
from fairseq_twostage.domains.registry import example_domains, load_domain
from fairseq_twostage.domains.worlds import database_world
from fairseq_twostage.semantics import World, execute
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.rows import Row

# Those with a grammar of their own; the shop's database: tests/databases/test_gathered.py.
EXAMPLES = tuple(name for name in example_domains() if load_domain(name).grammar)


class Example:
    """A domain read as ``twostage prepare`` reads it."""

    def __init__(self, name: str) -> None:
        self.domain: Domain = load_domain(name)
        self.folder = self.domain.base(Path())
        world = database_world(self.domain, self.folder)
        assert world is not None
        self.world: World = world
        self.forms = dict(domain_pairs(self.domain, self.folder, world)[0])
        raw_rows = self.domain.rows(self.folder, seed=1)
        utterances = self.domain.unlabelled(self.folder, seed=1)
        self.frontend: Frontend = make_frontend(
            self.domain, self.folder, raw_rows, utterances, list(self.forms.items())
        )
        self.rows: dict[str, list[Row]] = {
            split: [self.frontend.row(row) for row in rows] for split, rows in raw_rows.items()
        }
        # Written by somebody who had not seen the grammar: it need not be able to say them.
        self.further = self.rows.pop(FURTHER, [])
        self.asked = [self.frontend.read(x).tokens for part in utterances.values() for x in part]

    def form_of(self, row: Row) -> str:
        """That of its canonical utterance, which may say a number that the utterance does not."""
        form = self.forms.get(row.canonical)
        form = form or form_with_values(row, self.forms, self.frontend)
        assert form is not None, row
        return form


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> Example:
    return Example(request.param)


def test_the_cinema_is_as_large_as_it_says() -> None:
    cinema = Example("cinema")
    text = (cinema.folder / "cinema.grammar").read_text()
    lexical = re.findall(r"^\(rule \$\w+ +\([^$()]+\) +\(ConstantFn", text, re.M)
    assert len(lexical) >= 25
    assert 600 <= len(cinema.forms) <= 1000
    assert len(cinema.asked) + sum(map(len, cinema.rows.values())) >= 500
    assert len(cinema.rows["test"]) >= 150
    assert 60 <= len((cinema.folder / "world.tsv").read_text().splitlines()) <= 150
    assert len({row.canonical for row in cinema.rows["test"]}) >= 100


def test_the_grammar_has_no_flaw(example: Example, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["canonical", "--domain", str(example.folder / "domain.yaml"), "--lint"]) == 0
    assert capsys.readouterr().out == ""


def test_gold_forms_are_those_of_the_grammar(example: Example) -> None:
    for row in (row for rows in example.rows.values() for row in rows):
        assert row.logical_form in ("", example.form_of(row)), row


def test_every_question_has_an_answer(example: Example) -> None:
    for row in (row for rows in example.rows.values() for row in rows):
        denotation = execute(example.form_of(row), example.world, row.variables)
        assert denotation.executable and denotation.metric_text != "(list)", row


def test_the_further_questions_of_the_trains_have_forms_that_execute() -> None:
    trains = Example("trains")
    assert len(trains.further) == 130
    for row in trains.further:
        form = row.logical_form or trains.form_of(row)
        assert execute(form, trains.world, row.variables).executable, row


def test_no_annotated_utterance_is_trained_on_or_canonical(example: Example) -> None:
    asked = set(example.asked)
    annotated = [row for rows in example.rows.values() for row in rows]
    assert len({row.utterance for row in annotated}) == len(annotated)
    for row in annotated:
        assert row.utterance not in asked, row
        assert row.utterance != row.canonical, row


def test_few_utterances_are_canonical_already(example: Example) -> None:
    assert sum(x in example.forms for x in example.asked) <= 0.03 * len(example.asked)
