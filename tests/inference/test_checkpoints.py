"""Which files of a run are taken."""

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.checkpoints import open_parser, run_paraphraser, run_parser


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
        (("dae.limited", "parser.limited"), "dae.limited"),
        (("dae", "parser", "parser.supervised"), "dae"),
    ],
)
def test_the_last_stage_is_taken(tmp_path, stages, chosen):
    run = run_with(tmp_path, *stages)
    paths = run_paraphraser(run), run_parser(run)
    assert paths[1].parent.name in ("parser", "parser.limited")
    assert paths[0].parent.name == chosen


@pytest.mark.parametrize("metric", ["label_free_release", "label_free_frequency"])
def test_denoising_alone_is_what_the_system_of_that_name_has(tmp_path, metric):
    run = run_with(tmp_path, "dae.averaged", "parser")
    chosen = run / "dae.averaged" / f"checkpoint_best_{metric}.pt"
    chosen.touch()
    assert run_paraphraser(run) == chosen
    run_with(tmp_path, "cycle")
    assert run_paraphraser(run) == run / "cycle" / "checkpoint_best.pt"


def test_a_parser_for_reading_reads(tmp_path):
    run = run_with(tmp_path, "dae", "parser", "parser.reader", "parser.supervised")
    assert run_parser(run).parent.name == "parser.reader"


@pytest.mark.parametrize(
    "stages, message",
    [
        (("cycle", "cycle.bt", "parser"), r"several checkpoints \(cycle, cycle.bt\)"),
        (("cycle",), "parser/checkpoint_best.pt: neither"),
        (("parser",), "cycle/checkpoint_best.pt: neither"),
    ],
)
def test_what_is_no_run_or_several(tmp_path, stages, message):
    run = run_with(tmp_path, *stages)
    with pytest.raises(UserError, match=message):
        _ = run_paraphraser(run), run_parser(run)


def test_a_run_needs_its_data(tmp_path):
    with pytest.raises(UserError, match="give --data"):
        open_parser(run_with(tmp_path, "dae", "parser"))
