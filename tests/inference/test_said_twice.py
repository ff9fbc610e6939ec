"""A value beside a name that has it says nothing, by a parser of four facts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fairseq_twostage.inference.said_twice import without_said_twice
from fairseq_twostage.semantics import Answer
from fairseq_twostage.text.utterance import Utterance

VARIABLES = {
    "_ship_": "en.ship.aurora",
    "_kind_": "en.kind.ferry",
    "_kind2_": "en.kind.tug",
    "_job_": "en.job.cook",
    "_pilot_": "en.pilot.ann",
}
FACTS = {("en.ship.aurora", "en.kind.ferry"), ("en.pilot.ann", "en.job.cook")}


def denote(form: str, names: dict[str, str]) -> Answer:
    holds = tuple(names[word] for word in form.split()) in FACTS
    return Answer(f"(list (boolean {str(holds).lower()}))")


PARSER: Any = SimpleNamespace(
    forms={
        "is _ship_ _kind_": "_ship_ _kind_",
        "is _ship_ _kind2_": "_ship_ _kind2_",
        "is _pilot_ a _job_": "_pilot_ _job_",
    },
    denote=denote,
)


@pytest.mark.parametrize(
    ("tokens", "without"),
    [
        ("who steers _kind_ _ship_", "who steers _ship_"),
        ("who steers _ship_ _kind_", "who steers _ship_"),
        ("where is _job_ _pilot_", "where is _pilot_"),
        ("who steers _kind2_ _ship_", None),  # it is no tug
        ("who steers _kind_ of _ship_", None),
        ("is _kind2_ a _kind_ _ship_", None),  # which of both is said
        ("who steers _ship_", None),
    ],
)
def test_what_a_name_has_is_not_said_again(tokens: str, without: str | None) -> None:
    names = {name: VARIABLES[name] for name in tokens.split() if name in VARIABLES}
    phrases = {name: constant.rpartition(".")[2] for name, constant in names.items()}
    found = without_said_twice(PARSER, Utterance(tokens, tokens, names, phrases))
    assert (found.tokens if found else None) == without
    if found is not None:
        assert found.variables.keys() == found.phrases.keys() == {*without.split()} & {*VARIABLES}
