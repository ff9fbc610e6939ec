"""Words that say again what a name is."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.placeholders import words_of_kinds


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        ("end of the _project_ project", {"project"}),
        ("when does the project with _project_ end", {"project"}),
        ("the project called _project_", {"project"}),
        ("is _project_ an old project", {"project"}),
        ("the project behind _project_", set()),
        ("the project with _firm_", set()),
        ("a number of _number_", set()),
    ],
)
def test_what_a_name_is_is_said_again(tokens: str, words: set[str]) -> None:
    assert words_of_kinds(tokens, ["_project_", "_firm_", "_number_"]) == words
    assert words_of_kinds(tokens, []) == set()
