"""Comparisons that utterances make, by sentences whose reading leaves no doubt."""

import pytest

from fairseq_twostage.text.comparisons import HOW_MANY, comparisons


@pytest.mark.parametrize(
    "sentence, expected",
    [
        ("player whose height is at most 3 inches", {"at most"}),
        ("players who are no taller than 3 inches", {"at most"}),
        ("houses for 1000 dollars or less", {"at most"}),
        ("films with a maximum of two actors", {"at most"}),
        ("films that have two actors maximum", {"at most"}),
        ("trains that leave before or at 3pm", {"at most"}),
        ("nothing longer than an hour", {"at most"}),
        ("films with at least two actors", {"at least"}),
        ("trains that leave no earlier than 3pm", {"at least"}),
        ("trains that leave at 3pm or later", {"at least"}),
        ("films with not less than two actors", {"at least"}),
        ("houses of minimum 100 dollars", {"at least"}),
        ("films from 2004 on", {"at least"}),
        ("houses of minimum two rooms", {"at least"}),
        ("film with the most actors", {"most"}),
        ("what is the largest house", {"most"}),
        ("film with the maximum number of actors", {"most"}),
        ("the fewest rooms", {"least"}),
        ("the earliest train", {"least"}),
        ("the lightest dog", {"least"}),
        ("which dog is the oldest", set()),
        ("trains before 3pm", {"less"}),
        ("films with fewer than two actors", {"less"}),
        ("trains after 3pm", {"more"}),
        ("films with more than two actors", {"more"}),
        ("films that are not by anna", {"not"}),
        ("films that aren't by anna", {"not"}),
        ("films that werent by anna", {"not"}),
        ("the largest house that is not after 2004", {"most", "at most"}),
        ("films of 2004 and longer than an hour", {"more"}),
        ("which film lasts two hours", set()),
        ("the mosty leaster unbefore", set()),
        ("dogs older than _number_", {"more"}),
        ("dogs no younger than _number_ years", {"at least"}),
        ("films older than _date_", {"less"}),
        ("films newer than _date_", {"more"}),
        ("films that don't take more than _number_ minutes", {"at most"}),
        ("how many films start by _time_", {"at most", *HOW_MANY}),
        ("number of film rated above _number_ stars", {"more", *HOW_MANY}),
        ("number of film", set()),  # as ever where no value of the question stands
        ("kürzer als eine stunde", set()),
        ("", set()),
    ],
)
def test_comparisons_of_a_sentence(sentence, expected):
    assert comparisons(sentence.split()) == expected
