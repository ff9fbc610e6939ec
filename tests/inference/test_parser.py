"""Text to readings: what is chosen, in which order, and what explains it."""

import pytest

from fairseq_twostage.decoding.stage import Hypothesis
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.candidates import BeamSearch, NearestWords, NoParaphrase
from fairseq_twostage.inference.parser import MAX_TRIED, NO_FORM, TwoStageParser
from fairseq_twostage.inference.records import parse_record
from fairseq_twostage.semantics import Failure, execute
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import Blanks
from tests.ships import ROWS, ship_world


def test_every_learnt_utterance_gets_its_canonical_form_and_answer(ships):
    for utterance, canonical, form in ROWS[:5]:
        parse = ships(utterance)
        assert (parse.canonical, parse.logical_form) == (canonical, form)
        assert parse.answer == execute(form, ship_world())
        (reading,) = parse.readings
        assert -0.5 < reading.canonical_score <= 0 and -0.5 < reading.logical_form_score <= 0


def test_hand_computed_answers(ships):
    assert ships("How long is the Aurora?").answer.text == "(list (number 120 en.metre))"
    longer = ships("Which ships are longer than the Aurora?").answer.text
    assert longer == "(list (name en.ship.baltic) (name en.ship.meridian))"


def test_entities_become_placeholders_and_come_back(ships):
    parse = ships("What lies in Turku?")
    assert parse.utterance.tokens == "what lies in _port_ ?"
    assert parse.utterance.variables == {"_port_": "en.port.turku"}
    assert "_port_" in parse.logical_form
    assert parse.answer.text == "(list (name en.ship.aurora) (name en.ship.meridian))"
    other = ships.read_canonical("ship whose port is old town", ships.reader("what lies in turku"))
    assert other.canonical == "ship whose port is _port2_"
    assert other.utterance.variables == {"_port_": "en.port.turku", "_port2_": "en.port.tallinn"}
    assert ships("what lies in old town?").answer.text == "(list (name en.ship.baltic))"
    given = ships("what lies in _port_ ?", variables={"_port_": "en.port.tallinn"})
    assert given.answer.text == "(list (name en.ship.baltic))"


def test_a_batch_is_the_same_as_one_by_one(ships):
    texts = [row[0] for row in ROWS] * 2 + ["ship ship baltic"]
    together = ships.parse_batch(texts, n_best=3)
    alone = [ships(text, n_best=3) for text in texts]
    for one, other in zip(together, alone):
        assert one.utterance == other.utterance
        assert [r.logical_form for r in one.readings] == [r.logical_form for r in other.readings]
        for first, second in zip(one.readings, other.readings):
            assert first.answer == second.answer
            assert first.canonical_score == pytest.approx(second.canonical_score, abs=1e-4)
    assert ships.parse_batch([]) == []


def test_the_n_best_are_different_forms_of_falling_score(ships):
    readings = ships("how long is the baltic", n_best=5).readings
    assert len(readings) > 1
    assert len({reading.logical_form for reading in readings}) == len(readings)
    scores = [reading.canonical_score for reading in readings]
    assert scores == sorted(scores, reverse=True)
    assert ships("how long is the baltic").readings == readings[:1]


class Scripted:
    """A stage that says what it is told."""

    def __init__(self, table):
        self.table = table
        self.asked = []

    def scored(self, lines):
        self.asked += lines
        return [self.table[line] for line in lines]

    def attention(self, source, target):
        raise AssertionError


def scripted(ships, pick):
    first = Scripted({"ship": [Hypothesis("a", -0.1), Hypothesis("b", -0.2)]})
    broken, good = Hypothesis("( broken", -0.3), Hypothesis("en.ship.aurora", -0.4)
    other = Hypothesis("en.ship.baltic", -0.5)
    second = Scripted({"a": [broken, Hypothesis(")", -0.6)], "b": [broken, good, other]})
    return two_stages(ships, first, second, pick)


def two_stages(ships, first, second, pick="best", **options):
    return TwoStageParser(
        ships.reader, BeamSearch(first), second, ship_world(), "ships", pick, **options
    )


@pytest.mark.parametrize(
    "pick, forms",
    [
        ("best", ["( broken"]),  # the same form of b is no other reading
        ("executable", ["( broken", "en.ship.aurora"]),
        ("executable_paraphrase", ["en.ship.aurora", "( broken"]),
    ],
)
def test_picks(ships, pick, forms):
    parser = scripted(ships, pick)
    assert [r.logical_form for r in parser("ship", n_best=9).readings] == forms
    assert parser("ship").logical_form == forms[0]


def hypotheses(*texts):
    return [Hypothesis(text, -0.1 * rank) for rank, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        (["en.ship.aurora", "_port_"], ["( string _port_ )"], "_port_"),
        (["en.ship.aurora", "( broken"], ["en.ship.baltic", "_port_"], "_port_"),
        (["( broken", "en.ship.aurora"], ["en.ship.baltic"], "en.ship.aurora"),
        (["( broken", "_port2_"], ["_port2_", "( other"], "( broken"),
    ],
)
def test_names_and_execution_choose(ships, first, second, chosen):
    paraphrase = Scripted({"_port_ ?": hypotheses("a", "b")})
    parse = Scripted({"a": hypotheses(*first), "b": hypotheses(*second)})
    parser = two_stages(ships, paraphrase, parse, "executable_paraphrase")
    assert parser("turku ?").logical_form == chosen


def test_no_more_candidates_are_tried_than_so_many(ships):
    every = [f"z{number}" for number in range(MAX_TRIED + 1)]
    first = Scripted({"ship": hypotheses(*every)})
    second = Scripted({z: hypotheses("( broken") for z in every} | {every[-1]: hypotheses("3")})
    parser = two_stages(ships, first, second, "executable_paraphrase")
    assert parser("ship").logical_form == "( broken"
    assert second.asked == every[:-1]


def test_only_what_is_needed_is_parsed(ships):
    parser = scripted(ships, "best")
    parser("ship")
    parser("ship")
    assert parser.second.asked == ["a"]
    parser = scripted(ships, "executable_paraphrase")
    parser("ship")
    assert parser.second.asked == ["a", "b"]
    parser = scripted(ships, "executable_paraphrase")
    parser.parse.known["a"] = [Hypothesis("en.ship.meridian", 0.0)]
    assert parser("ship").logical_form == "en.ship.meridian"
    assert parser.second.asked == []


def test_a_canonical_utterance_is_read_by_the_second_stage(ships):
    parse = ships.read_canonical("Ship whose port is Turku", ships.reader("what lies in turku"))
    assert parse.canonical == "ship whose port is _port_"
    assert parse.answer.text == "(list (name en.ship.aurora) (name en.ship.meridian))"


def test_explanation(ships):
    explanation = ships.explain(ships("Which ships are longer than the Aurora?"))
    assert explanation.source == (*ROWS[4][0].split(), "?")
    assert explanation.target == tuple(ROWS[4][1].split())
    assert len(explanation.attention) == len(explanation.target)
    for row in explanation.attention:
        assert len(row) == len(explanation.source)
        assert all(weight >= 0 for weight in row) and sum(row) <= 1 + 1e-5
    assert explanation.tree.lines() == [
        "listValue ·   = baltic, meridian",
        "  filter · · > ·   = baltic, meridian",
        "    getProperty · !type   = aurora, baltic, meridian",
        "      singleton ship   = ship",
        "    ensureNumericProperty length   = length",
        "    ensureNumericEntity ·   = 120 metres",
        "      getProperty aurora length   = 120 metres",
    ]
    assert explanation.table.columns == ("ship", "length", "port", "has sauna")
    assert explanation.table.rows == (
        ("baltic", "180 metres", "old town", ""),
        ("meridian", "210 metres", "turku", "yes"),
    )


def test_what_cannot_be_parsed(ships):
    for text in ("", " \t ", "?!", "\u200b"):
        with pytest.raises(UserError, match="no words"):
            ships(text)
    with pytest.raises(UserError, match="201 words"):
        ships("ship " * 201)


# ------------------------------------------------------- what a reading is shown under

PAIRS = {
    "length of aurora": "en.ship.aurora",
    "how far aurora goes": "en.ship.aurora",
    "aurora in length": "en.ship.aurora",
    "baltic": "en.ship.baltic",
}


def shown(ships, z, form, lookup=False):
    parser = two_stages(
        ships,
        Scripted({"ship": hypotheses(z)}),
        Scripted({z: hypotheses(form)}),
        pairs=PAIRS,
        lookup=lookup,
    )
    parse = parser("ship")
    assert parse.readings[0].paraphrase == z
    return parse.canonical, parse.logical_form


def test_a_reading_is_shown_under_a_canonical_utterance_that_means_its_form(ships):
    # The shortest of those known, then the first.
    assert shown(ships, "an open z", "en.ship.aurora") == ("aurora in length", "en.ship.aurora")
    assert shown(ships, "an open z", "en.ship.meridian") == ("an open z", "en.ship.meridian")
    # What the naive parser makes of a known one is that of another.
    assert shown(ships, "length of aurora", "en.ship.baltic") == ("baltic", "en.ship.baltic")
    # What was written itself, where it means the form.
    written = "how far aurora goes"
    assert shown(ships, written, "en.ship.aurora") == (written, "en.ship.aurora")


def test_a_form_that_is_looked_up_is_what_is_run(ships):
    found = shown(ships, "length of aurora", "en.ship.baltic", lookup=True)
    assert found == ("length of aurora", "en.ship.aurora")
    parser = two_stages(ships, Scripted({}), Scripted({}), pairs=PAIRS)
    parse = parser.read_canonical("length of aurora")
    assert (parse.canonical, parse.logical_form) == ("length of aurora", "en.ship.aurora")
    assert parse.readings[0].logical_form_score == 0 and parser.second.asked == []
    assert parser.canonical_utterances == tuple(sorted(PAIRS))


def test_placeholders_that_the_utterance_lacks_are_never_shown(ships):
    form = "( call SW.listValue _port2_ )"
    first = Scripted({"in _port_": hypotheses("from _port2_ to _port_ by _ship_")})
    second = Scripted({"from _port2_ to _port_ by _ship_": hypotheses(form)})
    parser = two_stages(ships, first, second)
    parser.first.attention = lambda source, target: [[0.0] * 2] * len(target.split())
    parse = parser("in turku")
    record = parse_record(parser, parse, True)
    assert record["readings"][0]["canonical"] == "from some port to turku by some ship"
    assert parser.explain(parse).target == (
        *("from", "some port", "to", "turku", "by", "some ship"),
    )
    assert record["readings"][0]["explanation"]["target"][1] == "some port"


# ------------------------------------------------------------- other ways to find a form


def test_without_a_parser_what_nothing_reads_is_a_reading_without_a_form(ships):
    for pick in ("best", "executable_paraphrase"):
        parser = two_stages(
            ships, Scripted({"ship": hypotheses("unknown", "baltic")}), None, pick, pairs=PAIRS
        )
        parse = parser("ship")
        expected = "" if pick == "best" else "en.ship.baltic"
        assert parse.logical_form == expected
        parse = parser.read_canonical("unknown words")
        assert (parse.canonical, parse.logical_form) == ("unknown words", "")
        assert parse.answer == Failure("parse", "no form is known for it")
        record = parse_record(parser, parse)
        assert record["readings"][0]["error"] == "parse error: no form is known for it"
        assert (record["understood"], record["refused_because"]) == (False, NO_FORM)
        assert parser.read_canonical("length of aurora").verdict.understood


def test_one_stage_reads_the_utterance_itself(ships):
    second = Scripted({"ship": hypotheses("en.ship.aurora")})
    parser = TwoStageParser(ships.reader, NoParaphrase(), second, ship_world(), "ships", "best")
    parse = parser("Ship")
    assert (parse.canonical, parse.logical_form) == ("ship", "en.ship.aurora")
    assert parser.explain(parse).attention == ((0.0,),)


def test_the_nearest_by_words(ships):
    asked = []

    def nearest(lines):
        asked.append(list(lines))
        return ["baltic" if "long" in line else "length of aurora" for line in lines]

    first = NearestWords(nearest)
    parser = TwoStageParser(ships.reader, first, None, ship_world(), "ships", "best", PAIRS)
    parses = parser.parse_batch(["how long", "ship"], n_best=3)
    assert [parse.logical_form for parse in parses] == ["en.ship.baltic", "en.ship.aurora"]
    assert asked == [["how long", "ship"]]
    assert parser.explain(parses[0]).attention == ((0.0, 0.0),)


def test_a_name_that_is_two_things_is_read_both_ways(ships):
    entries = [Entry("turku", "ship", "en.ship.turku"), *ships.reader.frontend.lexicon.entries]
    reader = UtteranceReader(ships.reader.vocabulary, Frontend(Blanks(), Lexicon(entries)))
    parser = TwoStageParser(
        reader, ships.first, ships.second, ships.world, "ships", pairs=ships.pairs
    )
    assert reader("what lies in turku ?").tokens == "what lies in _ship_ ?"
    one, other = parser.parse_batch(["what lies in turku ?", "how long is the aurora"])
    assert one.utterance.variables == {"_port_": "en.port.turku"}
    assert one.answer.text == "(list (name en.ship.aurora) (name en.ship.meridian))"
    assert other.answer.text == "(list (number 120 en.metre))"


@pytest.mark.parametrize(
    ("z", "score", "chosen"),
    [
        ("is long one", -0.1, "en.ship.aurora"),
        ("is long one", -0.9, "_port_"),  # the name fits better
        ("is long", -0.1, "_port_"),  # a word is left out
    ],
)
def test_a_name_is_words_where_they_fit_better(ships, z, score, chosen):
    entries = [Entry("long one", "port", "en.port.turku")]
    reader = UtteranceReader({"ship", "long", "one"}, Frontend(Blanks(), Lexicon(entries)))
    first = {"ship _port_": [Hypothesis("a _port_", -0.5)], "ship long one": [Hypothesis(z, score)]}
    second = {"a _port_": hypotheses("_port_"), z: hypotheses("en.ship.aurora")}
    stages = BeamSearch(Scripted(first)), Scripted(second)
    parser = TwoStageParser(reader, *stages, ship_world(), "ships", "executable_paraphrase")
    assert parser("ship long one").logical_form == chosen
