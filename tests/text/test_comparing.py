"""What a question says and a reading turns round, narrows or widens: pairs by hand."""

from __future__ import annotations

import pytest

from fairseq_twostage.text.asked_for import (
    asks_of_all,
    asks_of_one,
    misses_contact,
    per_other,
    says_how_unasked,
)
from fairseq_twostage.text.asking_otherwise import groups_unasked
from fairseq_twostage.text.averages import (
    adds_share,
    averages_number,
    averages_unasked,
    shares_other,
    totals_unasked,
)
from fairseq_twostage.text.bounds import (
    about_value,
    bounds_itself,
    bounds_otherwise,
    ends_then,
    lasts_moment,
)
from fairseq_twostage.text.comparing import (
    adds_choice,
    compares_reversed,
    compares_things,
    misses_all,
    misses_only,
    misses_several,
    ranges_unasked,
    same_of_other,
)
from fairseq_twostage.text.counted import measures_unsaid, property_unsaid
from fairseq_twostage.text.denying import affirms_name, denies_once, not_all, sells_out
from fairseq_twostage.text.misspelt_words import MisspeltWords
from fairseq_twostage.text.question_words import asked_head, negations

PAIRS = [
    (same_of_other, "goats with the same weight as _goat_", "goat with same breed as _goat_"),
    (same_of_other, "goats of a different breed than _goat_", "goat with same breed as _goat_"),
    (same_of_other, "goats as heavy as _goat_", "goat with same breed as _goat_"),
    (compares_things, "goats heavier than the lightest sheep", "lightest sheep"),
    (compares_things, "goats heavier than every sheep", "heaviest goat"),
    (compares_things, "goats born before any sheep of _farm_", "goats of _farm_"),
    (ranges_unasked, "rated _number_ or _number2_", "rated between _number_ and _number2_"),
    (adds_choice, "barns with _goat_ and _goat2_", "barn with _goat_ or _goat2_"),
    (misses_only, "farmers who only keep goats", "which farmers keep goats"),
    (misses_only, "barns with _goat_ alone", "barn with _goat_"),
    (misses_all, "farmers who milked all goats", "which farmers milk goats"),
    (misses_all, "barns visited by every farmer", "which barns do farmers visit"),
    (misses_several, "barns with several goats", "which barns have goats"),
    (compares_reversed, "which goats is _goat_ heavier than", "which are heavier than _goat_"),
    (denies_once, "barns with no goats and no sheep", "which barns have no goats"),
    (affirms_name, "farmers who never milked _goat_", "which farmers that milk _goat_ never milk"),
    (affirms_name, "goats that _farmer_ does not milk", "which goats of _farmer_ are of no barns"),
    (sells_out, "goats available now", "which goats are sold out"),
    (sells_out, "goats that are not sold out", "which goats are never sold"),
    (not_all, "not all goats are white", "goat that is not white"),
    (averages_number, "average number of goats per barn", "what is the average weight per barn"),
    (averages_unasked, "how much milk did we sell in _date_", "average milk of goat"),
    (averages_unasked, "what weights are there", "average weight of goat"),
    (averages_unasked, "weight of the most expensive goat", "average weight of goat"),
    (totals_unasked, "goats per farm", "what is the total age of goats per farm"),
    (adds_share, "goats above _number_ percent", "what percentage of goats are white"),
    (groups_unasked, "goats milked by _method_", "how many goats are there for each farm"),
    (totals_unasked, "total white goats", "what is the total age of white goats"),
    (shares_other, "what percentage of milk is from _goat_", "what percentage of goats are white"),
    (per_other, "milk per month", "how many goats per month"),
    (asks_of_all, "are all goats white", "which goats are white"),
    (asks_of_one, "is _goat_ the heaviest", "which goat is the heaviest"),
    (says_how_unasked, "heavy goats", "how heavy is goats"),
    (about_value, "goats of about _number_ kilos", "goat of exactly _number_ kilos"),
    (about_value, "born in late _date_", "goat born in _date_"),
    (bounds_itself, "born in _date_ or earlier", "goat born before _date_"),
    (
        bounds_itself,
        "born in _date_ or later with no horns",
        "which goats have no horns and are born after _date_",
    ),
    (bounds_itself, "over _number_ and under _number2_", "between _number_ and _number2_ stars"),
    (bounds_otherwise, "not heavier than _goat_", "goat heavier than _goat_"),
    (ends_then, "shows that end before _time_", "show that starts before _time_"),
    (lasts_moment, "shows longer than _time_", "show that starts after _time_"),
    (measures_unsaid, "goats around _number_", "goat rated _number_ stars"),
    (property_unsaid, "less than _number_ in the barn", "which goats have price below _number_"),
]  # fmt: skip
SAME = [
    (same_of_other, "goats of the same kind as _goat_", "goat with same breed as _goat_"),
    (same_of_other, "other goats of the breed of _goat_", "goat with same breed as _goat_"),
    (compares_things, "goats heavier than all the others", "heaviest goat"),
    (compares_things, "goats other than _goat_", "goat that is not _goat_"),
    (compares_things, "goats born before any time", "goats"),
    (compares_things, "goats born before any sheep", "goats born before the first sheep"),
    (ranges_unasked, "born in _date_ and _date2_", "goat born between _date_ and _date2_"),
    (ranges_unasked, "between _number_ and _number2_", "goat rated between _number_ and _number2_"),
    (adds_choice, "goats of _barn_ and _barn2_", "goat of _barn_ or _barn2_"),
    (misses_only, "show me only the goats", "which goats are there"),
    (misses_only, "barns with only _number_ goats", "which barns have _number_ goats"),
    (misses_all, "show all goats", "which goats are there"),
    (misses_several, "barns with several goats", "which barns have more than _number_ goats"),
    (compares_reversed, "which goats are older than _goat_", "which goats are older than _goat_"),
    (denies_once, "barns with no goats or sheep", "which barns have no goats or sheep"),
    (affirms_name, "goats _farmer_ did not milk", "which goats does _farmer_ not milk"),
    (affirms_name, "farmers from _city_ who never milked", "which farmers from _city_ never milk"),
    (averages_number, "average number of goats", "what is the average number of goats of barns"),
    (averages_unasked, "how heavy are goats", "average weight of goat"),
    (totals_unasked, "litres milked per farm", "what is the total volume of milkings per farm"),
    (adds_share, "what percent of goats are white", "what percentage of goats are white"),
    (groups_unasked, "goats by farm", "how many goats are there for each farm"),
    (totals_unasked, "total paid bills", "what is the total amount of paid bills"),
    (totals_unasked, "ages of goats per farm", "what is the total age of goats per farm"),
    (sells_out, "goats that are not in stock", "which goats are sold out"),
    (sells_out, "goats out of stock", "which goats are sold out"),
    (asks_of_one, "is _goat_ or _goat2_ heavier", "which is heavier _goat_ or _goat2_"),
    (bounds_itself, "born until _date_", "goat born before _date_"),
    (bounds_itself, "over _number_ and under _number2_", "between _number_ and _number2_ kilos"),
    (measures_unsaid, "goats of weight _number_", "goat of _number_ kilos"),
    (measures_unsaid, "goats rated _number_", "goat rated _number_ stars"),
    (property_unsaid, "that cost less than _number_", "which goats have price below _number_"),
    (misses_contact, "the email of _farmer_", "what is the email address of _farmer_"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "asked", "understood"), PAIRS)
def test_they_differ(rule, asked, understood) -> None:
    assert rule(asked, understood)


@pytest.mark.parametrize(("rule", "asked", "understood"), SAME)
def test_they_do_not(rule, asked, understood) -> None:
    assert not rule(asked, understood)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("anything but goats", 1),
        ("everyone other than _farmer_", 1),
        ("goats that lack a bell", 1),
        ("white goats but not old ones", 1),
        ("white goats but older than _goat_", 0),
        ("all goats but heavier than _number_", 0),
        ("goats in another barn", 0),
    ],
)
def test_words_that_leave_out(text: str, count: int) -> None:
    assert len(negations(text)) == count


def test_a_word_that_denies_is_no_slip() -> None:
    meant = MisspeltWords({"delivered", "orders", "shipped"})
    assert meant("undelivered") is None
    assert meant("delivred") == "delivered"


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("longest film in _hall_", "film"),
        ("_person_ 's films", "film"),
        ("film directors of _genre_ films", "director"),
        ("which farmers own goats", "farmer"),
        ("what did _farmer_ milk", None),
        ("most popular film", "film"),
    ],
)
def test_what_a_question_asks_for(text: str, head: str | None) -> None:
    assert asked_head(text, {"film", "director", "farmer", "goat", "milk"}) == head
