"""A name that is several things is read as each of them."""

from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.senses import MAX_SENSES
from fairseq_twostage.text.tokenisation import Words

ENTRIES = [
    Entry("lima", "pilot", "en.pilot.lima"),
    Entry("lima", "port", "en.port.lima"),
    Entry("quito", "port", "en.port.quito"),
    Entry("old quito", "port", "en.port.quito"),
    Entry("oslo", "port", "en.port.oslo"),
    Entry("oslo", "pilot", "en.pilot.oslo"),
]
READER = UtteranceReader(
    {"who", "flies", "to", "in", "port", "_port_"}, Frontend(Words(), Lexicon(ENTRIES))
)


def senses(text: str) -> list[tuple[str, dict[str, str]]]:
    found = READER(text)
    return [(each.tokens, dict(each.variables)) for each in (found, *found.senses)]


def test_every_combination_the_likeliest_first() -> None:
    assert senses("who flies to Lima") == [
        ("who flies to _pilot_", {"_pilot_": "en.pilot.lima"}),
        ("who flies to _port_", {"_port_": "en.port.lima"}),
    ]
    assert senses("quito to port lima") == [
        ("_port_ to port _port2_", {"_port_": "en.port.quito", "_port2_": "en.port.lima"}),
        ("_port_ to port _pilot_", {"_port_": "en.port.quito", "_pilot_": "en.pilot.lima"}),
    ]
    assert [tokens for tokens, _ in senses("lima flies to oslo")] == [
        "_pilot_ flies to _port_",
        "_pilot_ flies to _pilot2_",
        "_port_ flies to _port2_",
        "_port_ flies to _pilot_",
    ]


def test_what_belongs_to_a_sense_goes_with_it() -> None:
    (port,) = READER("who flies to lima").senses
    assert port.phrases == {"_port_": "lima"}
    assert (READER("who flies to lima").unseen, port.unseen) == ({"lima": "pilot"}, {})


def test_one_sense_where_a_name_is_one_thing_or_the_variables_are_given() -> None:
    assert len(senses("who flies to old quito")) == 1
    given = READER("who flies to _port_", {"_port_": "en.port.lima"})
    assert given.senses == ()
    (other,) = READER.in_all_senses(given).senses  # what no phrase is known of: by its constant
    assert (other.tokens, other.variables) == (
        "who flies to _pilot_",
        {"_pilot_": "en.pilot.lima"},
    )


def test_the_number_of_senses_is_bounded() -> None:
    entries = [Entry(f"n{i}", kind, f"en.{kind}.n{i}") for i in range(9) for kind in ("a", "b")]
    reader = UtteranceReader({"x"}, Frontend(Words(), Lexicon(entries)))
    found = reader(" x ".join(f"n{i}" for i in range(9)))
    assert len(found.senses) == MAX_SENSES - 1


def test_a_name_that_is_a_word_of_the_domain_too():
    states = [Entry("docked", "state", "en.docked"), Entry("oslo", "port", "en.port.oslo")]
    reader = UtteranceReader({"when", "was", "docked", "in"}, Frontend(Words(), Lexicon(states)))
    found = reader("when was oslo docked")
    assert found.tokens == "when was _port_ _state_" and not found.names_as_words
    (word,) = found.senses
    assert (word.tokens, dict(word.variables)) == (
        "when was _port_ docked",
        {"_port_": "en.port.oslo"},
    )
    assert word.names_as_words and set(word.phrases) == {"_port_"}


def test_a_name_of_several_words_of_the_domain():
    entries = [Entry("first aid", "team", "en.first_aid"), Entry("big top", "stage", "en.big_top")]
    vocabulary = {"who", "has", "first", "aid", "top", "in"}
    found = UtteranceReader(vocabulary, Frontend(Words(), Lexicon(entries)))("who has first aid")
    assert [(sense.tokens, sense.names_as_words) for sense in found.senses] == [
        ("who has first aid", True)
    ]
    other = UtteranceReader(vocabulary, Frontend(Words(), Lexicon(entries)))("who has big top")
    assert other.senses == ()  # big is no word of the domain


def test_a_name_may_be_a_word_that_is_written_together():
    known = Lexicon([Entry("e-mail", "channel", "en.channel.mail")])
    reader = UtteranceReader({"the", "email", "_channel_"}, Frontend(Words(), known))
    assert [each.tokens for each in reader("the e-mail").senses] == ["the email"]


def test_a_name_that_is_a_year_may_be_that_year() -> None:
    tagged = UtteranceReader(
        {"sold", "tag", "_date_"},
        Frontend(Words(), Lexicon([Entry("2020", "tag", "en.tag.2020")])),
    )
    found = tagged("sold in 2020")
    assert [(each.tokens, dict(each.variables)) for each in (found, *found.senses)] == [
        ("sold in _tag_", {"_tag_": "en.tag.2020"}),
        ("sold in _date_", {"_date_": "(date 2020 -1 -1)"}),
    ]
    assert not tagged("tag 2020").senses
