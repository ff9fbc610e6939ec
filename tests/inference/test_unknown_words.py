"""Words that the domain does not have, by a table of how alike words are."""

from __future__ import annotations

import pytest

from fairseq_twostage.inference.candidates import Search
from fairseq_twostage.inference.known_questions import KnownQuestions
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.unknown_words import (
    unknown_phrase,
    unknown_place,
    unknown_thing,
)
from fairseq_twostage.semantics import Answer
from fairseq_twostage.text.utterance import Utterance

KNOWN = KnownQuestions(
    {"who has a barn": "b", "which farmers have a barn": "b", "which barns are there": "all"}
)
ALIKE = {"sheds": 0.8, "horses": 0.4, "cheque": 0.5, "cash": 0.78, "house": 0.3, "raised": 0.5}


class Table(Search):
    """As alike as :data:`ALIKE` says, whatever was chosen."""

    def __init__(self) -> None:
        pass

    def __next__(self) -> None:
        raise StopIteration

    def alike(self, word: str, chosen: str) -> float | None:
        return ALIKE.get(word, 0.1)


def read(paraphrase: str) -> Reading:
    return Reading(paraphrase, "f", Answer("(list (name en.barn.a))"), 0.0, 0.0, paraphrase)


@pytest.mark.parametrize(
    ("asked", "understood", "unknown", "told"),
    [
        ("how many horses are there", "how many barns are there", {"horses"}, "horses"),
        ("what horse food does _farm_ buy", "which barns are of _farm_", {"food"}, "horse food"),
        ("what horse food does _farm_ buy", "which barns are of _farm_", set(), None),
        ("what sheds does _farm_ have", "which barns are of _farm_", {"sheds"}, None),
        ("how many sheds are there", "how many barns are there", {"sheds"}, None),
        ("which farmer has the most horses", "farmer with the most barns", {"horses"}, "horses"),
        ("which farmer has the most horses", "farmer with the most barns", set(), None),
        ("which farm has the most staff", "which farm has the most barns", set(), "staff"),
        ("which farm has the most staff", "which farm has the most farmers", set(), None),
        ("all of _farm_ 's barns", "which barns are of _farm_", {"all"}, None),
        ("who painted _barn_", "builder of _barn_", {"painted"}, "painted"),
        ("the painter of _barn_", "builder of _barn_", {"painter"}, "painter"),
        ("who raised _barn_", "builder of _barn_", {"raised"}, None),  # half alike
        ("who built _barn_", "builder of _barn_", {"built"}, None),
    ],
)
def test_things(asked: str, understood: str, unknown: set[str], told: str | None) -> None:
    utterance = Utterance(asked, asked, unknown=tuple(unknown))
    assert unknown_thing(Table(), read(understood), utterance, KNOWN, ()) == told


@pytest.mark.parametrize(
    ("asked", "understood", "told"),
    [
        ("which farmers paid by cheque", "which farmers made payments", "cheque"),
        ("which farmers paid by cash", "which farmers made payments", None),
        ("which farmers paid by cheque", "which farmers have cheques", None),
        ("which farmers paid by _method_", "which farmers made payments", None),
        ("which farmers work in the big house", "which farmers are there", "big house"),
        ("how much did they pay in total", "what is the sum of payments", None),
        ("how long is it in minutes", "what is the length of rows", None),
        ("which farmers paid", "which farmers made payments", None),
        ("which farmers failed a hygiene test", "which farmers made payments",
         "failed hygiene test"),
        ("which farmers failed tests", "which farmers made payments", None),
        ("which farmers failed _number_ hygiene tests", "which farmers made payments", None),
    ],
)  # fmt: skip
def test_phrases(asked: str, understood: str, told: str | None) -> None:
    assert unknown_phrase(Table(), read(understood), Utterance(asked, asked), ()) == told


def test_a_phrase_of_which_the_answer_tells_is_known() -> None:
    asked, understood = "farmers who never paid anything", "which farmers have no payments"
    utterance, spoken_for = Utterance(asked, asked), {"never", "paid", "anything"}
    assert unknown_phrase(Table(), read(understood), utterance, ()) == "never paid anything"
    assert unknown_phrase(Table(), read(understood), utterance, spoken_for) is None


@pytest.mark.parametrize(
    ("asked", "unknown", "told"),
    [
        ("how many barns in leipzig have a size above _number_", "leipzig", "leipzig"),
        ("how many barns in leipzig have a size above _number_", "", None),
        ("how many barns from the sheds have a size", "sheds", None),  # alike
        ("how many barns in fiscal years", "fiscal", None),  # something known follows
        ("how many barns in Leipzig cost more than _number_", "leipzig", "leipzig"),
        ("how many barns in either farm or _farm_", "either", None),
        ("how many barns near _farm_", "", None),
        ("how many barns at all have a size", "", None),
    ],
)
def test_places(asked: str, unknown: str, told: str | None) -> None:
    utterance = Utterance(asked, asked.lower(), unknown=tuple(unknown.split()))
    assert unknown_place(Table(), read("how many barns have a size"), utterance, ()) == told
