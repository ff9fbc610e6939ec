"""What a question counts, pays, denies or says once, by questions of an invented port."""

import pytest

from fairseq_twostage.inference.agreement import Agreement
from fairseq_twostage.semantics import Answer
from tests.inference.test_agreement import NAMES, PAIRS, contradiction

PORT = Agreement(
    {
        "which crews have _berth_": "have",
        "which berths are there": "berths",
        "which crews are there": "crews",
        "which fees are there": "fees",
        "which fees are due in _date_": "due",
        "which fees are from _date_": "due",
        "which fees are paid in _date_": "paid",
        "which steerers are there": "steerers",
        "how many fees per method": "method",
        "what is the bonus of _crew_": "bonus",
        "who steers _crew_": "pilots",
        "which pilots steer _crew_": "pilots",
    }
)


@pytest.mark.parametrize(
    ("asked", "understood", "told"),
    [
        # A thing twice.
        ("berths with _crew_", "which berths have crews with berths with _crew_", True),
        ("berths beside berths", "which berths have crews with berths with _crew_", False),
        ("crews with _berth_", "which crews have _berth_", False),
        # Paid then, not due then.
        ("fees paid by cheque in _date_", "which fees with method _m_ are from _date_", True),
        ("fees paid by cheque in _date_", "which fees are paid in _date_", False),
        ("fees due in _date_", "which fees are from _date_", False),
        # For each, said by "by".
        ("total fees by payment method", "how many fees are there", True),
        ("total fees by payment method", "how many fees per method", False),
        ("fees paid by cheque", "how many fees are there", False),
        # Who, and what.
        ("which berth has the most crews", "who steers the most crews", True),
        ("who is the _rank_ of _berth_", "which _rank_ have fees of _berth_", True),
        ("who is the _rank_ of _berth_", "which _rank_ have the fee of _berth_", True),
        ("who is the _rank_ of _berth_", "which _rank_ have _berth_", False),
        # A property.
        ("what bonus did _crew_ get", "which berths have _crew_", True),
        ("what bonus did _crew_ get", "what is the bonus of _crew_", False),
        ("what crews did _berth_ have", "which crews have _berth_", False),
        # So many things, and so large.
        ("crews with more than _number_ berths", "which crews are larger than _number_", True),
        ("crews with more than _number_ berths", "which crews have more than _number_ fees", True),
        ("crews over _number_ meters", "which crews are larger than _number_", False),
    ],
)
def test_what_a_port_asks(asked: str, understood: str, told: bool) -> None:
    assert bool(contradiction(asked, understood, NAMES, PORT)) is told


@pytest.mark.parametrize(
    ("asked", "understood", "told"),
    [
        # How often one does what a thing is named by.
        ("how often did we crew _berth_", "how many fees are of the crew of _berth_", True),
        ("how often did we crew _berth_", "how many crews have _berth_", False),
        ("how often did we pilot _crew_", "how many fees are of _crew_", True),
        ("how often did we steer _crew_", "how many fees are of _crew_", False),
        ("how often was _berth_ used", "how many pilots have _berth_", True),
        ("how often was _berth_ used", "how many crews have _berth_", False),
        ("how often was _berth_ used", "what is the date of _berth_", True),
        ("how often is _berth_ used", "what is the length of _berth_", False),
        # So many of a kind, by which others have them.
        (
            "how many _leak_ did we have in _date_",
            "how many berths have crews with leak kind _leak_ in _date_",
            True,
        ),
        ("how many _leak_ were there", "how many crews with leak kind _leak_ are there", False),
        ("how many berths had _leak_", "how many berths have crews with kind _leak_", False),
        # Which one, and how much so it is.
        ("which berth is the deepest", "what is the highest depth among berths", True),
        ("which depth is the highest", "what is the highest depth among berths", False),
        ("which is the highest", "what is the highest depth among berths", False),
        ("which berth is the deepest", "what is the berth with the highest depth", False),
        # Whose it is.
        ("whose fee is the highest", "what is the fee with the highest amount", True),
        ("whose fee is the highest", "what is the fee of the crew with the highest amount", False),
        ("whose fee is the highest", "which pilots have the highest fee", False),
    ],
)
def test_what_is_counted_and_what_is_given(asked: str, understood: str, told: bool) -> None:
    assert bool(contradiction(asked, understood, NAMES, PORT)) is told


def test_a_show_is_a_thing() -> None:
    pairs = {"which shows are there": "s", "which fans see _show_": "p", "who sees _show_": "p"}
    known = Agreement(pairs)
    assert contradiction("which show has the most fans", "who sees the most shows", NAMES, known)
    assert contradiction("show which fans see _show_", "which shows are there", NAMES, known)
    assert contradiction("show all shows", "which shows are there", NAMES, known) is None


def test_who_is_there_now() -> None:
    known = Agreement({"which divers still work": "s", "which tours are there": "t", **PAIRS})
    asked = "how many divers steer right now"
    assert contradiction(asked, "how many divers steer", NAMES, known)
    assert contradiction(asked, "how many divers that still work steer", NAMES, known) is None
    tours = "which tours are there"
    assert contradiction("which tours are there right now", tours, NAMES, known) is None


def test_one_sum_is_asked_for() -> None:
    several = Answer("(list (number 3) (number 4))")
    for asked in ("how much did we spend on rope", "how much money came in", "how much in ropes"):
        assert contradiction(asked, "what is the cost of ropes", several, PORT)
        one = Answer("(list (number 7))")
        assert contradiction(asked, "what is the total cost of ropes", one, PORT) is None
    assert contradiction("how much does rope cost", "what is the cost of ropes", several) is None
    each = "what is the cost of each rope"
    assert contradiction("how much did we spend on each rope", each, several) is None


WELLS = Agreement(
    {
        "which wells are there": "wells",
        "which layers are there": "layers",
        "which farms are there": "farms",
        "how many buckets are of _well_": "buckets",
        "how many wells are used by farms that use _well_": "wells",
        "how many farms use _well_": "farms",
        "what is the deepest layer of the deepest well": "layers",
        "what is the average depth of layers of wells in _town_": "depths",
        "what is the average depth of wells in _town_": "depths",
    }
)


@pytest.mark.parametrize(
    ("asked", "understood", "told"),
    [
        ("how many _well_ were used", "how many wells are used by farms that use _well_", True),
        ("how many _well_ do we have", "how many farms use _well_", True),
        ("how many _well_ farms do we have", "how many farms use _well_", False),
        ("how many _well_ do we have", "how many buckets are of _well_", False),
        ("deepest well", "what is the deepest layer of the deepest well", True),
        ("deepest layer of any well", "what is the deepest layer of the deepest well", False),
        (
            "average depth of wells in _town_",
            "what is the average depth of layers of wells in _town_",
            True,
        ),
        ("average depth of wells in _town_", "what is the average depth of wells in _town_", False),
    ],
)
def test_what_is_there_once_and_what_is_part_of_it(asked: str, understood: str, told: bool) -> None:
    assert (WELLS.differs(asked, understood) is not None) is told
