"""Names as typed: slips are made by a program of its own, one edit after the other."""

import random

import pytest

from fairseq_twostage.text.content_words import core
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import NOTHING, Entry, Lexicon
from fairseq_twostage.text.names import NameGuesser
from fairseq_twostage.text.question_words import asked_thing, negations
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import Words

NAMES = ["Tomas Vale", "Nora Lindqvist", "Sam Whitlock", "Sam Hill", "Paper Dragons", "Rome"]
ENTRIES = [Entry(name.lower(), "thing", f"en.{name.lower().replace(' ', '_')}") for name in NAMES]
ORDINARY = ["films", "by", "the", "with", "in", "who", "directed", "paper", "and", "is", "from"]
guesses = NameGuesser(Lexicon(ENTRIES, Words().words), set(ORDINARY))


def found(text):
    words = text.split()
    return [
        (" ".join(words[each.start : each.end]), [entry.phrase for entry in each.entries])
        for each in guesses(words)
    ]


def test_a_word_of_the_domain_is_no_part_of_a_name() -> None:
    films = Lexicon([Entry("star wars", "thing", "en.star_wars")], Words().words)
    words = ["films", "with", "a", "rating", "above", "3", "star"]
    assert [each.start for each in NameGuesser(films, set(ORDINARY))(words)] == [6]
    assert not [*NameGuesser(films, {*ORDINARY, "stars"})(words)]


def test_the_plural_of_a_whole_name_is_that_name() -> None:
    days = [Entry(day, "day", f"en.{day}") for day in ("sunday", "sunday best", "lower case")]
    guessed = NameGuesser(Lexicon(days, Words().words), set(ORDINARY))
    phrases = [
        [entry.phrase for guess in guessed(text.split()) for entry in guess.entries]
        for text in ("films from sundays", "which lower cases", "films from suns", "sundays best")
    ]
    assert phrases == [["sunday"], ["lower case"], [], ["sunday best"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("films by tomas vael", [("tomas vael", ["tomas vale"])]),
        ("films by lindqvst", [("lindqvst", ["nora lindqvist"])]),
        (
            "films by nora and whitlock",
            [("nora", ["nora lindqvist"]), ("whitlock", ["sam whitlock"])],
        ),
        ("films with sam", [("sam", ["sam hill", "sam whitlock"])]),
        ("who directed the paper dragon", [("paper dragon", ["paper dragons"])]),
        ("films in roma", [("roma", ["rome"])]),
        ("films by steven spielberg", []),
        ("films in rxx", []),  # two of three letters
        ("the paper", []),  # ordinary words are no part of a name by themselves
        ("is _thing_ the film", []),
    ],
)
def test_parts_and_slips(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("which pieces are there", []),
        ("the pieces", [("pieces", ["night pieces"])]),
        ("a piece", []),
    ],
)
def test_a_kind_of_things_is_no_part_of_a_name(text, expected):
    entries = [Entry("night pieces", "show", "en.show.night_pieces")]
    known = NameGuesser(Lexicon(entries, Words().words), {"which", "are", "there", "the", "a"})
    words = text.split()
    assert [
        (" ".join(words[each.start : each.end]), [entry.phrase for entry in each.entries])
        for each in known(words)
    ] == expected


def slip(name, source):
    """One letter left out, doubled, replaced, or in the other order."""
    place = source.randrange(1, len(name) - 1)
    kind = source.randrange(4)
    if kind == 0:
        return name[:place] + name[place + 1 :]
    if kind == 1:
        return name[:place] + name[place] + name[place:]
    if kind == 2:
        return name[:place] + "q" + name[place + 1 :]
    return name[: place - 1] + name[place] + name[place - 1] + name[place + 1 :]


def test_one_slip_in_a_name_is_mended():
    source = random.Random(1)
    for entry in ENTRIES:
        for _ in range(20):
            typed = slip(entry.phrase, source)
            if len(typed.split()) != len(entry.phrase.split()) or len(typed) < 4:
                continue  # two words became one, or three; too short to tell
            assert [names for _, names in found(f"films by {typed}")] == [[entry.phrase]], typed


def test_the_reader_says_what_it_read_as_what():
    known = [*ORDINARY, "_thing_", "_thing2_"]
    reader = UtteranceReader(known, Frontend(Words(), Lexicon(ENTRIES)))
    read = reader("Films by Tomsa Vale and Rome?")
    assert read.text == "Films by Tomsa Vale and Rome?"
    assert read.tokens == "films by _thing_ and _thing2_"  # in the order of the utterance
    assert read.variables == {"_thing_": "en.tomas_vale", "_thing2_": "en.rome"}
    assert read.corrected == {"tomsa vale": "tomas vale"} and read.similar == {}
    read = reader("films with Sam")
    assert read.tokens == "films with sam" and read.variables == {}
    assert read.similar == {"sam": ("sam hill", "sam whitlock")}
    given = reader("films by tomas vael and _thing_", {"_thing_": "en.rome"})
    assert given.corrected == {} and given.variables == {"_thing_": "en.rome"}


LISTED = ["mr o'brien's rex", "rex", "sam", "sam hill", "red kite", "red kites 2"]
UNLISTED = [
    ("feed mr obriens rex", "mr obriens rex", "mr o'brien's rex"),
    ("is Mr. OBrien's Rex fed", "mr obrien 's rex", "mr o'brien's rex"),
    ("feed obrien's rex", "obrien 's rex", "mr o'brien's rex"),
    ("ask sam hull", "sam hull", "sam hill"),
    ("ask sam about rex", None, None),  # each is listed, and what stands beside is known
    ("ask sam zull", None, None),  # two of four letters
    ("feed rex zx", None, None),
    ("ask red kite x", None, None),  # the listed one is nearer
]


@pytest.mark.parametrize(("text", "typed", "meant"), UNLISTED)
def test_a_listed_name_does_not_hide_the_longer_one_that_was_meant(text, typed, meant):
    entries = [Entry(name, "animal", name.replace(" ", "_")) for name in LISTED]
    ordinary = ["feed", "is", "fed", "ask", "about", "_animal_"]
    read = UtteranceReader(ordinary, Frontend(Words(), Lexicon(entries)))(text)
    assert read.corrected == ({typed: meant} if meant else {})
    if meant:
        assert [*read.variables.values()] == [meant.replace(" ", "_")]


def test_of_longer_names_that_are_as_near_none_is_taken():
    entries = [Entry(name, "ship", name) for name in ("rose", "rose marie", "rose maria")]
    read = UtteranceReader(["board"], Frontend(Words(), Lexicon(entries)))("board rose marix")
    assert read.variables == {"_ship_": "rose"} and read.unknown == ("marix",)
    assert read.similar["rose marix"] == ("rose maria", "rose marie")


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("zones in India", "zones in _country_"),
        ("zones in IN", "zones in _code_"),
        ("which film is It", "which film is _film_"),
        ('who directed "it"', "who directed _film_"),
        ("It is in which country", "it is in which country"),
        ("WHICH ZONES ARE IN INDIA", "which zones are in _country_"),
        ("what is it in India", "what is it in _country_"),
        ("the island of made IN India", "the island of _label_"),
        ("zones that are in", "zones that are _code_"),
        ("zones that are in now", "zones that are _code_ now"),
        ("zones that are in france", "zones that are in france"),
    ],
)
def test_names_that_are_function_words_are_told_by_how_they_are_written(text, tokens):
    entries = [
        Entry("in", "code", "en.code.in"),
        Entry("india", "country", "en.country.india"),
        Entry("it", "film", "en.film.it"),
        Entry("made in india", "label", "en.label.made"),
    ]
    frontend = Frontend(Words(), Lexicon(entries))
    assert frontend.read(text).tokens == tokens
    read = UtteranceReader({"zones"}, frontend)(text)
    assert read.tokens == tokens
    again = UtteranceReader({"zones"}, frontend)(frontend.write_out(read.tokens, read.phrases))
    assert again.variables == read.variables


def test_a_name_with_marks_is_no_function_word():
    entries = [Entry("a-", "rating", "en.rating.A-"), Entry("b", "rating", "en.rating.B")]
    read = UtteranceReader(["rated", "a", "_rating_"], Frontend(Words(), Lexicon(entries)))
    assert read("has a ship").variables == {}
    assert read("rated A-").variables == {"_rating_": "en.rating.A-"}
    assert read("rated b").variables == {"_rating_": "en.rating.B"}


def test_common_words_are_no_misspelt_names_and_the_most_common_no_part_of_one():
    entries = [Entry("sao tome", "country", "en.tome"), Entry("long island", "island", "en.long")]
    reader = UtteranceReader(set(), Frontend(Words(), Lexicon(entries)))
    assert not reader("how long is the time there").variables
    entries.append(Entry("ireland", "country", "en.ireland"))
    reader = UtteranceReader(set(), Frontend(Words(), Lexicon(entries)))
    assert not reader("customers from iceland").corrected
    electric = Frontend(Words(), Lexicon([Entry("electrical", "trade", "en.electrical")]))
    assert not UtteranceReader(set(), electric)("electricians").corrected
    assert UtteranceReader(set(), electric)("electricall").corrected
    assert reader("customers from irelnd").corrected == {"irelnd": "ireland"}
    assert reader("how far is tome").corrected == {"tome": "sao tome"}
    assert reader("how far is long ilsand").corrected == {"long ilsand": "long island"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("what states border _state_", "which states border _state_", True),
        ("give me the lakes in _state_", "which lakes are in _state_", True),
        ("which state borders the most states", "which states border the most state", True),
        ("how many lakes are in _state_", "which lakes are in _state_", False),
        ("which lakes are not in _state_", "which lakes are in _state_", False),
        ("what category is _film_ in", "which categories is _film_ in", True),
        ("which lakes has _state_", "which _state_ has lakes", False),
    ],
)
def test_questions_that_differ_in_what_only_asks_are_one(one, other, same):
    assert (core(one) == core(other)) == same


def test_what_is_denied_and_what_is_asked_for():
    assert negations("films in english but not rated r") == [4]
    assert negations("no more than 3 films that aren't dubbed") == [6]
    assert negations("not before noon") == []
    asked = {
        "which _category_ films are there": "film",
        "how many customers rented films": "customer",
        "what is the length of _film_": None,
        "who reports to _person_": None,
        "which": None,
    }
    assert {text: asked_thing(text) for text in asked} == asked


def test_phrases_that_name_nothing_are_guessed_by_no_part_of_theirs():
    entries = [Entry("by in the harbour", NOTHING, "-"), Entry("old harbour inn", "inn", "en.inn")]
    found = list(NameGuesser(Lexicon(entries), {"ships"})(["ships", "to", "the", "harbour"]))
    assert [entry.type for guess in found for entry in guess.entries] == ["inn"] * len(found)
    alone = NameGuesser(Lexicon(entries[:1]), {"ships"})
    assert list(alone(["ships", "to", "the", "harbour"])) == []


def test_a_word_of_every_sentence_is_no_part_of_a_misspelt_name():
    entries = [Entry(name, "x", f"en.{name[:3]}") for name in ("insulin", "the hangar", "bar team")]
    known = NameGuesser(Lexicon(entries, Words().words), {"who", "in", "the", "a", "team"})

    def read(text):
        return [entry.phrase for each in known(text.split()) for entry in each.entries]

    assert read("who in dublin") == []
    assert read("who is indublin") == ["insulin"]
    assert read("who in the hanger") == ["the hangar"]
    assert read("who in baar team") == ["bar team"]


def test_hyphens_are_blanks():
    known = NameGuesser(Lexicon([Entry("no-show", "x", "en.ns")], Words().words), {"who", "no"})
    found = [entry.phrase for each in known(["no", "shows"]) for entry in each.entries]
    assert found == ["no-show"]


def test_a_known_word_with_a_slip_is_no_part_of_a_name():
    entries = [Entry("old harbour pilot", "job", "en.job.old"), Entry("anna berg", "x", "en.anna")]
    lexicon = Lexicon(entries, Words().words)

    def read(text, vocabulary):
        found = NameGuesser(lexicon, vocabulary)(text.split())
        return [entry.phrase for each in found for entry in each.entries]

    assert read("who is piolt", {"who", "is", "pilot"}) == []
    assert read("who is piolt", {"who", "is"}) == ["old harbour pilot"]
    assert read("who is anan", {"who", "is", "pilot"}) == ["anna berg"]


def test_names_of_two_things_are_told_where_they_are_called_alike() -> None:
    entries = [
        Entry("ernst handel", "customer", "en.customer.ernst_handel"),
        Entry("ernst handel", "ship_name", "en.ship_name.ernst_handel"),
        Entry("tomas vale", "customer", "en.customer.tomas_vale"),
    ]
    known = NameGuesser(Lexicon(entries, Words().words), {"orders", "of"})
    (guess,) = known(["orders", "of", "ernst", "handle"])
    assert [entry.phrase for entry in guess.entries] == ["ernst handel"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how often did we brew it", []),
        ("beer with brew", ["cold brew coffee"]),
        ("the thickest book", []),
        ("the ticketst book", ["two tickets"]),
    ],
)
def test_what_somebody_does_and_the_most_of_something_are_no_names(text, expected) -> None:
    entries = [
        Entry("cold brew coffee", "drink", "en.drink.brew"),
        Entry("two tickets", "book", "en.book.two_tickets"),
    ]
    known = NameGuesser(Lexicon(entries, Words().words), {*ORDINARY, "often", "did", "book"})
    words = text.split()
    assert [entry.phrase for each in known(words) for entry in each.entries] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runners that have not run any race", []),
        ("who has run the most races", []),
        ("races in winter", []),
        ("who ran run", ["fjord run"]),
        ("races like winter", ["winter mile"]),
    ],
)
def test_a_verb_or_a_season_is_no_part_of_a_name(text: str, expected: list[str]) -> None:
    entries = [Entry(name, "race", f"en.{name}") for name in ("fjord run", "winter mile")]
    ordinary = {
        *ORDINARY,
        *["runners", "that", "have", "not", "any", "race", "has", "most", "races", "ran", "like"],
    }
    known = NameGuesser(Lexicon(entries, Words().words), ordinary)
    found = [entry.phrase for guess in known(text.split()) for entry in guess.entries]
    assert found == expected
