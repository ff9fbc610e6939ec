"""Known questions in other words, of a parser that only knows how to fill in names."""

from __future__ import annotations

import string
from types import SimpleNamespace
from typing import cast

from fairseq_twostage.inference import TwoStageParser
from research.paraphrases import FRAMES, otherwise

KNOWN = [
    "which goats are there",
    "which goat farms are there",
    "what are the goats",
    "which goats are of _farm_",
    "which goat farm has the most goats",
    "what is the age of _goat_",
    "which goats that are ill are there",
]
NAMES = {"_farm_": "low farm", "_goat_": "bella"}


def fill(line: str) -> str:
    return " ".join(NAMES.get(word, word) for word in line.split())


PARSER = cast(
    TwoStageParser,
    SimpleNamespace(canonical_utterances=KNOWN, reader=SimpleNamespace(with_examples=fill)),
)


def test_known_questions_are_said_otherwise() -> None:
    found = {(said.question, said.other) for said in otherwise(PARSER, 2, 1)}
    assert {
        ("what are the goats", "show me every goat"),
        ("which goats are of low farm", "goats linked to low farm"),
        ("which goat farm has the most goats", "which goat farm has more goats than any other"),
        ("what is the age of bella", "bella's age"),
    } <= found
    assert {question for question, _ in found} == {
        *("what are the goats", "which goats are of low farm", "what is the age of bella"),
        "which goat farm has the most goats",
    }
    assert found == {(said.question, said.other) for said in otherwise(PARSER, 9, 2)}


def test_no_more_of_a_frame_are_drawn_than_asked_for() -> None:
    assert {said.question for said in otherwise(PARSER, 0, 1)} == set()


def test_wordings_have_the_parts_of_their_frame() -> None:
    for pattern, wordings in FRAMES.values():
        fields = {name for _, name, _, _ in string.Formatter().parse(wordings) if name}
        given = {name for name in "tsxapnmdv" if f"(?P<{name}>" in pattern}
        assert fields <= given | ({"s"} if "t" in given else set()), pattern
