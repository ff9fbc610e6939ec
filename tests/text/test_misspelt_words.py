"""Words with slips, by a vocabulary made by hand."""

import pytest

from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.misspelt_words import MisspeltWords
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import Words

VOCABULARY = {
    *(
        "appointments",
        "address",
        "average",
        "cheapest",
        "which",
        "films",
        "rented",
        "clean",
        "clear",
    ),
    *("_customer_", "reznted", "tabka", "tables", "restaurant"),
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("appointmets", "appointments"),
        ("apointmnets", "appointments"),
        ("adress", "address"),
        ("averge", "average"),
        ("cheapst", "cheapest"),
        ("restaurent", "restaurant"),
        ("tablets", None),  # a word of its own
        ("appointmet", "appointments"),
        ("whcih", "which"),
        ("wihhc", None),
        ("fimls", "films"),
        ("fims", None),  # too short
        ("flims", "films"),
        ("tge", None),
        ("cleax", None),  # clean or clear
        ("eaverage", None),  # another first letter
        ("averagé", None),
        ("avergae1", None),
        ("tabkas", None),  # near a misspelt word of the domain alone
    ],
)
def test_what_is_meant(typed: str, meant: str | None) -> None:
    assert MisspeltWords(VOCABULARY)(typed) == meant


def test_of_a_short_word_two_letters_have_changed_places() -> None:
    meant = MisspeltWords({"many", "how", "who", "film"})
    assert [meant(typed) for typed in ("mnay", "hwo", "fiml", "flm", "mang")] == [
        *("many", None, "film", None, None),
    ]


def test_it_is_read_and_told() -> None:
    reader = UtteranceReader(VOCABULARY, Frontend(Words()))
    found = reader("which appointmets are cheapst, reznted")
    assert found.tokens == "which appointments are cheapest reznted"
    assert found.corrected == {"appointmets": "appointments", "cheapst": "cheapest"}
    assert found.unknown == ("are",)


def test_of_a_singular_and_its_plural_the_one_that_ends_alike() -> None:
    meant = MisspeltWords({"employee", "employees"})
    assert meant("employes") == "employees"
    assert meant("employe") == "employee"
