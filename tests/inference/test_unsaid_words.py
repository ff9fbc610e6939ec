"""What nobody said, in readings of questions about an invented swimming pool."""

import pytest

from fairseq_twostage.inference.unsaid_words import adds_unsaid

KNOWN = frozenset(
    (
        "course with the fewest places",
        "cheapest course",
        "which divers have _course_",
        "director of pool",
        "swimmer that is older than _number_ years",
    )
)


def never(word: str, text: str) -> float:
    return 0.1


def always(word: str, text: str) -> float:
    return 0.9


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("which course has the fewest places", "intermediate course with the fewest places"),
        (
            "which course has the fewest places",
            "beginner or deep course with the fewest places",
        ),
        ("which divers have _course_", "which divers of the team have _course_"),
    ],
)
def test_what_no_word_says_is_added(asked: str, understood: str) -> None:
    assert adds_unsaid(asked, understood, KNOWN)
    assert not adds_unsaid(asked, understood, frozenset())
    assert adds_unsaid(asked, understood, KNOWN, always)  # all words of the question are in it


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("which course has the fewest places", "course with the fewest places"),
        ("which beginners have the fewest places", "beginner course with the fewest places"),
        # "the director" is asked for, and may be meant by who
        ("who is in charge of the pool", "person that is director of pool"),
        # no condition is taken for granted that compares
        ("swimmers of _number_ years", "swimmer that is not older than _number_ years"),
    ],
)  # fmt: skip
def test_what_a_word_says_or_asks_for_is_not(asked: str, understood: str) -> None:
    assert not adds_unsaid(asked, understood, KNOWN)


def test_another_word_may_mean_it() -> None:
    asked, understood = "cheapest course for grown-ups", "cheapest course for adults"
    assert not adds_unsaid(asked, understood, KNOWN)
    assert not adds_unsaid(asked, understood, KNOWN, always)
    assert not adds_unsaid(asked, understood, KNOWN, lambda word, text: None)
    assert adds_unsaid(asked, understood, KNOWN, never)


def test_only_words_that_are_not_in_the_rest_may_mean_it() -> None:
    seen = []

    def near(word: str, text: str) -> float:
        seen.append((word, text))
        return 0.0

    assert adds_unsaid("cheapest course for kids", "cheapest course for adults", KNOWN, near)
    assert seen == [("adults", "kids")]
