"""Text to readings: what is chosen, in which order, and what explains it."""

import pytest
from fairseq_twostage.decoding.two_stage import two_stage_parse

from fairseq_twostage.decoding.stage import Hypothesis
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.semantics import execute
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


def scripted(ships, pick):
    first = Scripted({"ship": [Hypothesis("a", -0.1), Hypothesis("b", -0.2)]})
    broken, good = Hypothesis("( broken", -0.3), Hypothesis("en.ship.aurora", -0.4)
    other = Hypothesis("en.ship.baltic", -0.5)
    second = Scripted({"a": [broken, Hypothesis(")", -0.6)], "b": [broken, good, other]})
    return TwoStageParser(ships.reader, first, second, ship_world(), "ships", pick)


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


@pytest.mark.parametrize(
    ("first", "second", "chosen"),
    [
        (["en.ship.aurora", "_port_"], ["( string _port_ )"], "_port_"),
        (["en.ship.aurora", "( broken"], ["en.ship.baltic", "_port_"], "_port_"),
        (["( broken", "en.ship.aurora"], ["en.ship.baltic"], "( broken"),
    ],
)
def test_the_choice_is_that_of_evaluation(ships, first, second, chosen):
    def hypotheses(texts):
        return [Hypothesis(text, -0.1 * rank) for rank, text in enumerate(texts)]

    paraphrase = Scripted({"_port_ ?": hypotheses("ab")})
    parse = Scripted({"a": hypotheses(first), "b": hypotheses(second)})
    utterance = ships.reader("turku ?")
    parser = TwoStageParser(
        ships.reader, paraphrase, parse, ship_world(), "ships", "executable_paraphrase"
    )

    def texts(stage):
        return lambda lines: [[found.text for found in each] for each in stage.scored(lines)]

    def accepts(_, form):
        return execute(form, ship_world(), utterance.variables).executable and "_port_" in form

    (evaluated,) = two_stage_parse(
        [utterance.tokens], texts(paraphrase), texts(parse), accepts, paraphrases=2
    )
    (parsed,) = parser.parse_utterances([utterance])
    assert parsed.logical_form == evaluated.logical_form == chosen


def test_only_what_is_needed_is_parsed(ships):
    parser = scripted(ships, "best")
    parser("ship")
    parser("ship")
    assert parser.parse_stage.asked == ["a"]
    parser = scripted(ships, "executable_paraphrase")
    parser("ship")
    assert parser.parse_stage.asked == ["a", "b"]
    parser = scripted(ships, "executable_paraphrase")
    parser.parse.known["a"] = [Hypothesis("en.ship.meridian", 0.0)]
    assert parser("ship").logical_form == "en.ship.meridian"
    assert parser.parse_stage.asked == []


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
        "    ensureNumericEntity ·   = 120 metre",
        "      getProperty aurora length   = 120 metre",
    ]
    assert explanation.table.columns == ("ship", "length", "port", "has sauna")
    assert explanation.table.rows == (
        ("baltic", "180 metre", "tallinn", ""),
        ("meridian", "210 metre", "turku", "yes"),
    )


def test_what_cannot_be_parsed(ships):
    for text in ("", " \t ", "?!", "\u200b"):
        with pytest.raises(UserError, match="no words"):
            ships(text)
    with pytest.raises(UserError, match="201 words"):
        ships("ship " * 201)
