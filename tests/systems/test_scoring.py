"""Denotation accuracy on annotated rows, against rows worked out by hand."""

import pytest

from fairseq_twostage.decoding.stage import Hypothesis
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.candidates import NoParaphrase
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.systems import scoring
from fairseq_twostage.systems.scoring import epoch_checkpoints, last_checkpoint, score
from fairseq_twostage.text.rows import Row
from tests.ships import ROWS, ship_world, ships  # noqa: F401

LENGTH = ROWS[0][2]
ITS_PORT = ROWS[2][2]


def test_rows_are_read_executed_and_compared(ships, monkeypatch):  # noqa: F811
    monkeypatch.setattr(scoring, "BATCH", 2)
    heavy = ROWS[6]  # has no value
    named = Row(*ROWS[5], {"_port_": "en.port.tallinn"})
    wrong = Row(ROWS[0][0], ROWS[0][1], ITS_PORT)
    rows = [Row(*ROWS[0]), wrong, named, Row(*heavy), Row(*ROWS[3])]
    found = score(ships, rows)
    assert found.right == [True, False, True, False, True]
    assert found.correct_rows == [0, 2, 4] and found.percent == 60
    assert str(found) == "denotation accuracy: 60.0 % (3 of 5)"
    assert list(found.forms[:3]) == [LENGTH, LENGTH, ROWS[5][2]]
    assert found.denotations[0] == "(list (number 120 en.metre))"
    assert found.denotations[2] == "(list (name en.ship.baltic))"  # of the row's own name
    assert found.denotations[3] == "ERROR"
    assert found.rows[1] == (
        *(wrong.utterance, "length of aurora", LENGTH),
        found.denotations[1],
        0,
    )
    assert score(ships, rows[:1]).rows == found.rows[:1]  # no row depends on another


class Echo:
    beam = 1

    def scored(self, lines):
        forms = {z: form for _, z, form in ROWS}
        return [[Hypothesis(forms.get(line, "( nothing"), 0.0)] for line in lines]


def test_gold_canonical_utterances_and_one_stage(ships):  # noqa: F811
    parser = TwoStageParser(ships.reader, NoParaphrase(), Echo(), ship_world(), "ships")
    rows = [Row(*row) for row in ROWS[:5]]
    pipeline = Pipeline(parser="p.pt", source="cf")
    found = score(parser, rows, pipeline)
    assert found.percent == 100 and set(found.canonicals) == {""}
    assert score(parser, rows, Pipeline(parser="p.pt")).percent == 0


def test_checkpoints_of_epochs(tmp_path):
    for stage in ("parser", "cycle"):
        (tmp_path / stage).mkdir()
    parser, cycle = (str(tmp_path / stage / "checkpoint_best.pt") for stage in ("parser", "cycle"))
    both = Pipeline([cycle], parser)
    assert last_checkpoint(both) == cycle and last_checkpoint(Pipeline(parser=parser)) == parser
    with pytest.raises(UserError, match="nothing was trained"):
        last_checkpoint(Pipeline(rerank={"word_vectors": 1.0}, lookup=True))
    with pytest.raises(UserError, match=r"cycle: holds no epoch's checkpoint"):
        epoch_checkpoints(both)
    for name in ("checkpoint10.pt", "checkpoint2.pt", "checkpoint_best.pt", "checkpoint1_9.pt"):
        (tmp_path / "cycle" / name).touch()
    assert epoch_checkpoints(both) == {
        2: tmp_path / "cycle" / "checkpoint2.pt",
        10: tmp_path / "cycle" / "checkpoint10.pt",
    }
    with pytest.raises(UserError, match="--history: is for one training"):
        epoch_checkpoints(Pipeline([cycle, cycle], parser))
