"""What people type, spelt as the domain's data."""

import pytest

from fairseq_twostage.text.spelling import DomainSpelling

LINE = "when is alice 's meeting the 3 pm 3000 email wi fi week ? jan. _state_ o'hare"
WORDS = set(LINE.split())


@pytest.fixture
def spell():
    return DomainSpelling(WORDS)


@pytest.mark.parametrize(
    "typed, read",
    [
        ("When is the meeting", "when is the meeting"),
        ("when is Alice's meeting?", "when is alice 's meeting ?"),
        ("when is alice’s meeting", "when is alice 's meeting"),
        ("“week”!", "week"),  # marks that the data does not have go
        ("is it, the week...", "is it the week"),
        ("3pm", "3 pm"),
        ("3,000", "3000"),
        ("e-mail", "email"),
        ("Wi-Fi", "wi fi"),
        ("the week/the meeting", "the week the meeting"),
        ("jan. week.", "jan. week"),  # known with its dot, and without
        ("O'Hare", "o'hare"),
        ("_state_?", "_state_ ?"),
        ("(the)", "the"),
        ("naïve zeppelin-hangar", "naïve zeppelin-hangar"),  # unknown words stay whole
        ("ﬁ the\u00a0week\u200b\x00\n", "fi the week"),
        ("?!", "?"),
        ("", ""),
    ],
)
def test_spelling(spell, typed, read):
    assert spell(typed) == read


def test_a_possessive_without_its_token_is_dropped():
    assert DomainSpelling({"alice", "meeting"})("Alice's meeting") == "alice meeting"


def test_the_domains_own_spelling_is_unchanged(spell):
    line = "when is alice 's meeting o'hare jan. _state_ ?"
    assert spell(line) == line
