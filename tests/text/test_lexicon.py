import re
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import execute, load_world
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.lexicon_files import read_lexicon, write_lexicon
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.tokenisation import Words
from fairseq_twostage.text.value_settings import ValueSettings
from fairseq_twostage.text.values import ValueReader

LEXICON = Lexicon(
    [
        Entry("red river", "river", "en.river.red"),
        Entry("red", "river", "en.river.red"),
        Entry("york", "town", "en.town.york"),
        Entry("new york", "town", "en.town.new_york"),
        Entry("new york", "state", "en.state.new_york"),
        Entry("ohio", "state", "en.state.ohio"),
        Entry("ohio", "river", "en.river.ohio"),
    ]
)


def test_the_longest_phrase_wins() -> None:
    reading = LEXICON.read("is red river near york")
    assert reading.utterance == "is _river_ near _town_"
    assert reading.variables == {"_river_": "en.river.red", "_town_": "en.town.york"}


def test_a_second_entity_of_a_type_has_a_number() -> None:
    reading = LEXICON.read("from york to new york and back to york")
    assert reading.utterance == "from _town_ to _town2_ and back to _town_"
    assert reading.variables == {"_town_": "en.town.york", "_town2_": "en.town.new_york"}


def test_two_phrases_of_one_constant_share_a_placeholder() -> None:
    reading = LEXICON.read("the red river or red for short")
    assert reading.utterance == "the _river_ or _river_ for short"
    assert reading.phrases == {"_river_": "red river"}


def test_an_ambiguous_phrase_takes_the_type_beside_it_or_the_first() -> None:
    assert LEXICON.read("how big is ohio").utterance == "how big is _state_"
    assert LEXICON.read("how long is the ohio river").utterance == "how long is the _river_ river"
    assert LEXICON.read("the river ohio").utterance == "the river _river_"


def test_all_readings_come_the_likeliest_first() -> None:
    found = [reading.variables for reading in LEXICON.readings("does ohio touch new york")]
    assert found == [
        {"_state_": "en.state.ohio", "_town_": "en.town.new_york"},
        {"_state_": "en.state.ohio", "_state2_": "en.state.new_york"},
        {"_river_": "en.river.ohio", "_town_": "en.town.new_york"},
        {"_river_": "en.river.ohio", "_state_": "en.state.new_york"},
    ]


def test_a_month_is_no_name_in_a_date() -> None:
    reader = ValueReader(ValueSettings(("number", "date")))
    entries = [Entry("august", "work", "en.august"), Entry("may", "person", "en.may")]
    months = Lexicon(entries, values=reader)
    assert months.read("sold on 25 august 2024").utterance == "sold on _date_"
    assert months.read("sold in august 2024").utterance == "sold in _date_"
    assert months.read("who painted august").utterance == "who painted _work_"
    assert months.read("works of may in 2024").utterance == "works of _person_ in _date_"


def test_text_without_entities_stays() -> None:
    reading = LEXICON.read("what is there")
    assert (reading.utterance, reading.variables) == ("what is there", {})


def test_the_number_of_readings_is_bounded() -> None:
    assert len(list(LEXICON.readings("ohio x " * 12))) <= 64


def test_a_placeholder_for_each_constant_of_a_type() -> None:
    constants = LEXICON.constants()
    assert constants["_town_"] == constants["_town2_"] == ["en.town.york", "en.town.new_york"]
    assert "_town3_" not in constants


@pytest.mark.parametrize(
    ("word", "answer"),
    [("_state_", True), ("_state2_", True), ("_a_b_", True), ("state", False), ("__", False)],
)
def test_placeholders(word: str, answer: bool) -> None:
    assert is_placeholder(word) is answer


def test_a_file_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text("Red  River\triver\ten.river.red\n\nred\triver\ten.river.red\n")
    entries = read_lexicon(path).entries
    assert entries == (
        Entry("red river", "river", "en.river.red"),
        Entry("red", "river", "en.river.red"),
    )
    write_lexicon(Lexicon(entries), tmp_path / "copy.tsv")
    assert read_lexicon(tmp_path / "copy.tsv").entries == entries


def test_geogrannos_format(tmp_path: Path) -> None:
    path = tmp_path / "geo.lexicon"
    line = '{{"lexeme": "{}", "formula": "fb:en.{}", "type": "fb:en.{}"}}\n'
    rows = [("tull", "city.tull", "city"), ("aa", "city.aa", "city"), ("tull", "state.x", "state")]
    path.write_text("".join(line.format(*row) for row in rows))
    lexicon = read_lexicon(path)
    assert set(lexicon.entries) == {Entry(x, type, f"fb:en.{y}") for x, y, type in rows}
    assert lexicon.read("tull").variables == {"_state_": "fb:en.state.x"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("red river\triver", "found 2"),
        ("\triver\ten.river.red", "is empty"),
        ("red\tRiver!\ten.river.red", "the type 'River!' must be"),
        ('{"lexeme": "red"}', "want {"),
        ("red river\triver\ten.river.red river", "must be one word"),
        ('red river\triver\ten.river."red"', "must be one word"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "lexicon.tsv"
    path.write_text(f"red\triver\ten.river.red\n{line}\n")
    with pytest.raises(UserError, match=rf"lexicon\.tsv:2: .*{message}"):
        read_lexicon(path)


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "lexicon.tsv").write_text("\n")
    with pytest.raises(UserError, match="holds no entry"):
        read_lexicon(tmp_path / "lexicon.tsv")


@pytest.mark.data
@pytest.mark.parametrize(
    ("utterance", "abstracted", "form", "answer"),
    [
        (
            "what is the capital of texas",
            "what is the capital of _state_",
            "( call SW.listValue ( call SW.getProperty _state_ ( string capital_state_city ) ) )",
            "austin",
        ),
        (
            "how long is the mississippi river",
            "how long is _river_ river",
            "( call SW.listValue ( call SW.getProperty _river_ ( string len_river_length ) ) )",
            "(number",
        ),
        ("how big is new york", "how big is _state_", None, None),
    ],
)
def test_raw_geo_text(
    data_dir: Path, utterance: str, abstracted: str, form: str | None, answer: str | None
) -> None:
    geo = data_dir / "geogranno"
    reading = read_lexicon(geo / "geo880.lexicon").read(utterance)
    assert reading.utterance == abstracted
    if form is not None and answer is not None:
        text = execute(form, load_world("geo", geo / "geo880.db"), reading.variables).metric_text
        assert text is not None and answer in text


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("how old is zoe", "how old is _pet_"),
        ("Café Zoë, CAFE ZOE", "_pet_ _pet_"),
        ("Cafè Zoé and Ó'Brién", "_pet_ and _pet_"),  # with accents that the names have not
        ("what is thè name", "what is thè name"),
        ("STRASSE and straße", "_pet_ and _pet_"),
        ("O´Brien, OʼBrien, O`Brien", "_pet_ _pet_ _pet_"),
        ("what is the name", "what is the name"),  # thé is a name, "the" is a word
        ("thé", "_pet_"),
        ("कि की", "_pet_ की"),  # signs of vowels are no accents
        ("Koeln, Koln, KÖLN", "_pet_ _pet_ _pet_"),  # written out where keys are missing
        ("Müller, Muller, Mueller", "_pet_ Muller _pet_".lower()),  # listed as mueller
        ("Lodz, Aarhus and Århus", "_pet_ _pet_ and _pet_"),
    ],
)
def test_accents_and_forms_of_letters(typed: str, wanted: str) -> None:
    words = Words().words
    names = ("zoë", "café zoë", "straße", "o'brien", "thé", "कि")
    names += ("köln", "mueller", "łódź", "århus")
    lexicon = Lexicon([Entry(name, "pet", f"en.pet.p{len(name)}") for name in names], words)
    read = lexicon.read(words(typed)).utterance
    assert " ".join(re.sub(r"\d", "", word) for word in read.split()) == wanted


def test_two_names_that_differ_by_their_accents_alone() -> None:
    names = [Entry("zoë", "pet", "en.pet.dog"), Entry("zoé", "pet", "en.pet.cat")]
    lexicon = Lexicon(names, Words().words)
    assert [r.variables["_pet_"] for r in lexicon.readings("zoe")] == ["en.pet.dog", "en.pet.cat"]
    assert lexicon.read("zoé").variables == {"_pet_": "en.pet.cat"}
