"""Which words of a question play no part, by distances made by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.scope import ScopeModel
from fairseq_twostage.inference.spoken_for import spoken_for
from fairseq_twostage.inference.trust import Trust, is_described
from fairseq_twostage.inference.unused_words import unused_words
from fairseq_twostage.semantics import Answer
from fairseq_twostage.text.utterance import Utterance

TIME, NAME = Answer("(list (time 15 30))"), Answer("(list (name en.ship.aurora))")


SHIFT = "what is the shift end of _pilot_"


def unused(tokens: str, answer: Answer, z: str = SHIFT, **far: float) -> tuple[str, ...]:
    """What is told to play no part, all words near but those that are ``far``."""
    scope = ScopeModel.near(np.eye(2, dtype=np.float32))
    trust = Trust(scope, None, [], 0.9, 0.0, 0.5, 0.5, frozenset(("what", "does")))
    lacking = [(word, far.get(word, 0.0)) for word in tokens.split()]
    search: Any = SimpleNamespace(lacking=lambda z: lacking, read={})
    reading = Reading(z, "f", answer, 0.0, 0.0, z)
    utterance = Utterance(tokens, tokens, {"_pilot_": "en.pilot.ann"})
    return unused_words(trust, search, reading, utterance, spoken_for(tokens, reading))


@pytest.mark.parametrize(
    ("tokens", "answer", "words"),
    [
        ("what time does _pilot_ finish", TIME, ()),
        ("at what time does _pilot_ finish", TIME, ()),
        ("what time does _pilot_ finish", NAME, ("time",)),
        ("which time does _pilot_ finish", TIME, ("time",)),
        ("shifts altogether", TIME, ("altogether",)),
    ],
)
def test_what_time_is_asked_for_by_a_time(
    tokens: str, answer: Answer, words: tuple[str, ...]
) -> None:
    assert unused(tokens, answer, time=0.9, altogether=0.9) == words


def test_far_words_beside_each_other_are_told_together() -> None:
    assert unused("what nuclear reactor does _pilot_ have", NAME, nuclear=0.9, reactor=0.8) == (
        "nuclear reactor",
    )


def test_altogether_is_said_where_all_are_counted() -> None:
    asked = "how many shifts altogether"
    assert unused(asked, NAME, "how many shifts are there", altogether=0.9) == ()
    assert unused(asked, NAME, "what is the total length of shifts", altogether=0.9) == ()
    assert unused(asked, NAME, "which shifts are there", altogether=0.9) == ("altogether",)


@pytest.mark.parametrize(
    ("names", "z", "described"),
    [
        ("_use_ _kind_", "which _kind_ ships have use _use_", True),
        ("_use_ _kind_", "which ships with use _use_ have kind _kind_", False),
        ("_use_ _kind_", "which _kind_ ships are there", False),
        ("_kind_", "which _kind_ ships are there", False),
        ("_pilot_ _ship_", "which _pilot_ _ship_ ships are there", False),
    ],
)
def test_names_alone_ask_where_one_describes_a_thing(names: str, z: str, described: bool) -> None:
    reading = Reading(z, "f", NAME, 0.0, 0.0, z)
    assert is_described(names.split(), reading) is described
