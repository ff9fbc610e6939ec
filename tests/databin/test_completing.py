"""Names that people shortened are written out, where one row alone is called so."""

from __future__ import annotations

import pytest

from fairseq_twostage.databin.completing import completer
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.tokenisation import Words

ROW = "( call SW.getProperty en.thing.name.{} ( string !thing.name ) )"
NAMES = ("copper sauce pan", "coat rack five branches", "reading lamp heron", "tea pot", "tea set")
ASKED = ["who sold the most", "what was sold", "sold five times", "who likes it"]


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("who ordered coat racks", "who ordered coat rack five branches"),
        ("how many reading lamps", "how many reading lamp heron"),
        ("who likes the tea", "who likes the tea"),  # two are called so
        ("sold five times", "sold five times"),  # usual, or too short
        ("the copper sauce pan", "the copper sauce pan"),  # whole already
        ("five lamps", "five lamps"),  # a value
    ],
)
def test_shortened_names(typed: str, completed: str) -> None:
    entries = [Entry(name, "thing", ROW.format(number)) for number, name in enumerate(NAMES)]
    entries.append(Entry("lamps", "kind", "en.kind.lamp"))
    frontend = Frontend(Words(), Lexicon(entries))
    complete = completer(frontend, ["which thing is sold", "five things"], ASKED)
    assert complete(typed) == completed
