"""``twostage holdout``: what the task then learns from, and is validated on."""

import pytest

from fairseq_twostage.cli.main import main
from tests.builders import GEO_ROWS
from tests.tasks.test_semantic_parsing import pairs


def test_a_parser_is_validated_on_programs_that_it_does_not_learn(data_bin, tmp_path, capsys):
    dest = tmp_path / "held-out"
    assert main(["holdout", "--data", str(data_bin), "--dest", str(dest), "--parts", "2"]) == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == [
        "2 pairs to train on, 3 held out",
        "3 pairs to train on, 2 held out",
    ]
    everything = sorted((z, y) for _, z, y in GEO_ROWS)
    held_out = [pairs(data_bin, "valid", pairs=str(dest / part)) for part in ("1", "2")]
    learnt = [pairs(data_bin, "train", pairs=str(dest / part)) for part in ("1", "2")]
    assert learnt == held_out[::-1]
    assert sorted(held_out[0] + held_out[1]) == everything


@pytest.mark.parametrize("parts", ["1", "6"])
def test_parts_that_there_cannot_be_leave_nothing(data_bin, tmp_path, capsys, parts):
    dest = tmp_path / "held-out"
    options = ["--data", str(data_bin), "--dest", str(dest), "--parts", parts]
    assert main(["holdout", *options]) == 1
    assert capsys.readouterr().err == (
        f"twostage holdout: error: --parts: {parts} parts of 5 programs\n"
    )
    assert not dest.exists()
