"""Which files of a run are taken."""

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.parsing.checkpoints import open_parser, run_checkpoints


def run_with(folder, *stages):
    for stage in stages:
        (folder / stage).mkdir()
        (folder / stage / "checkpoint_best.pt").touch()
    return folder


@pytest.mark.parametrize(
    "stages, chosen",
    [
        (("dae", "cycle", "parser"), "cycle"),
        (("dae", "dae.noise_drop", "cycle.bt", "parser"), "cycle.bt"),
        (("dae", "parser", "lm.nl"), "dae"),
        (("dae", "warm.word_vectors", "parser"), "warm.word_vectors"),
        (("warm", "cycle.bt", "parser"), "cycle.bt"),
    ],
)
def test_the_last_stage_is_taken(tmp_path, stages, chosen):
    paths = run_checkpoints(run_with(tmp_path, *stages))
    assert [path.parent.name for path in paths] == [chosen, "parser"]


@pytest.mark.parametrize(
    "stages, message",
    [
        (("cycle", "cycle.bt", "parser"), r"several checkpoints \(cycle, cycle.bt\)"),
        (("cycle",), "parser/checkpoint_best.pt: neither"),
        (("parser",), "cycle/checkpoint_best.pt: neither"),
    ],
)
def test_what_is_no_run_or_several(tmp_path, stages, message):
    with pytest.raises(UserError, match=message):
        run_checkpoints(run_with(tmp_path, *stages))


def test_a_run_needs_its_data(tmp_path):
    with pytest.raises(UserError, match="give --data"):
        open_parser(run_with(tmp_path, "dae", "parser"))
