"""Tokens, placeholders and unknown words of a text."""

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import Blanks, Words, train_pieces
from fairseq_twostage.text.utterance import Utterance

LEXICON = Lexicon(
    [Entry("new york", "state", "en.state.ny"), Entry("ohio", "state", "en.state.ohio")]
)
WORDS = ["how", "far", "is", "_state_", "_state2_", "from", "?"]


@pytest.fixture
def reader():
    return UtteranceReader(WORDS, Frontend(Blanks(), LEXICON))


def test_entities_and_unknown_words(reader):
    found = reader("How far is New York from Ohio, Bob?")
    assert found == Utterance(
        "How far is New York from Ohio, Bob?",
        "how far is _state_ from _state2_ bob ?",
        {"_state_": "en.state.ny", "_state2_": "en.state.ohio"},
        {"_state_": "new york", "_state2_": "ohio"},
        ("bob",),
    )
    assert reader.write_out("_state2_ is _state_", found) == "ohio is new york"


def test_a_name_that_no_utterance_has_is_told_from_an_unknown_word():
    read = UtteranceReader(["_state_", "how"], Frontend(Blanks(), LEXICON))("how Ohio New York far")
    assert read.tokens == "how _state_ _state2_ far"
    assert read.unknown == ("far",) and read.unseen == {"new york": "second state"}
    assert UtteranceReader(["how"], Frontend())("how _state_").unseen == {"some state": "state"}


def test_given_variables_leave_the_text_alone(reader):
    found = reader("how far is _state_ from ohio", {"_state_": "en.state.utah"})
    assert found.tokens == "how far is _state_ from ohio"
    assert found.variables == {"_state_": "en.state.utah"}
    assert reader("how far is _state_").variables == {}


def test_text_without_words(reader):
    for text in ("", "?", "  \u200b "):
        with pytest.raises(UserError, match="no words"):
            reader(text)


def test_words_are_tokenised_once():
    reader = UtteranceReader(["alice", "'s", "ship"], Frontend(Words()))
    assert reader("Alice’s ship!").tokens == "alice 's ship"


def test_pieces_are_read_and_written():
    pieces = train_pieces(["the ship sails home", "a ship at home"], 30)
    reader = UtteranceReader([], Frontend(pieces))
    found = reader("The ships?")
    assert found.unknown == ()
    assert len(found.tokens.split()) > 2
    assert reader.write_out(found.tokens, found) == "the ships"


def test_placeholders_of_another_utterance(reader):
    question = reader("how far is new york from ohio")
    canonical = reader.rewriting("ohio from new york", question)
    assert canonical.tokens == "_state2_ from _state_"
    assert canonical.variables == question.variables


def test_an_entity_that_the_other_utterance_lacks_takes_no_placeholder_of_it(reader):
    question = reader("how far is new york")
    canonical = reader.rewriting("new york from ohio", question)
    assert canonical.tokens == "_state_ from _state2_"
    canonical = reader.rewriting("ohio from ?", question)
    assert canonical.tokens == "_state2_ from ?"
    assert canonical.variables == {"_state_": "en.state.ny", "_state2_": "en.state.ohio"}
    assert canonical.phrases == {"_state_": "new york", "_state2_": "ohio"}


def test_a_phrase_means_what_the_other_utterance_means_by_it():
    senses = [Entry("new york", "state", "en.ny"), Entry("new york", "city", "en.nyc")]
    reader = UtteranceReader(WORDS, Frontend(Blanks(), Lexicon(senses)))
    question = reader("how far is new york city")
    assert question.variables == {"_city_": "en.nyc"}
    assert reader("from new york").tokens == "from _state_"
    assert reader.rewriting("from new york", question).tokens == "from _city_"


def test_a_placeholder_that_the_utterance_lacks_is_some_one_of_its_type(reader):
    found = reader("how far is new york")
    assert reader.write_out("_state_ from _state2_ and _city_", found) == (
        "new york from some state and some city"
    )


@pytest.mark.parametrize("tokeniser", [Words(), Blanks()])
def test_names_are_found_as_typed_and_as_the_domain_spells_them(tokeniser):
    entries = [Entry("½ moon", "port", "en.moon"), Entry("ohio", "state", "en.ohio")]
    reader = UtteranceReader(["how", "far", "is"], Frontend(tokeniser, Lexicon(entries)))
    found = reader("How far is ½ Moon")  # spelling makes 1⁄2 of it: the lexicon reads before
    assert (found.tokens, found.variables) == ("how far is _port_", {"_port_": "en.moon"})
    found = reader("how far is ½ moon from ohio's")  # a name behind a mark
    assert found.tokens.startswith("how far is _port_ from _state_")
    assert found.variables == {"_port_": "en.moon", "_state_": "en.ohio"}
    assert found.phrases == {"_port_": "½ moon", "_state_": "ohio"}


def test_given_placeholders_stay_beside_names_behind_marks():
    entries = [Entry("ohio", "state", "en.ohio")]
    words = UtteranceReader(["is", "_state_"], Frontend(Words(), Lexicon(entries)))
    found = words("is _state_ ( ohio )", {"_state_": "en.utah"})
    assert found.variables["_state_"] == "en.utah"


def test_words_with_hyphens_are_those_that_the_domain_has() -> None:
    reader = UtteranceReader({"no", "show", "visits", "full-time"}, Frontend(Words()))
    assert reader("no-shows").tokens == "no shows"
    assert reader("full-time no-show visits").tokens == "full-time no show visits"
    assert reader("no-go visits").tokens == "no-go visits"
