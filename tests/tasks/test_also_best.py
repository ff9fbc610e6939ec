"""A second best checkpoint beside fairseq's own."""

import pytest
import torch

from fairseq_twostage.errors import UserError
from fairseq_twostage.selection import read_choice
from fairseq_twostage.tasks.also_best import AlsoBest

COPY = "checkpoint_best_agreement.pt"


def epoch(keeper, folder, number, value=None, killed=False):
    """What fairseq does in an epoch; without a value it does not validate.

    ``killed``: when its own files are written, and nothing else is.
    """
    keeper.begins(folder)
    if value is not None:
        keeper.validated({"loss": 3.0, "agreement": value})
    state = {
        "epoch": number,
        "optimizer_history": [{"num_updates": 10 * number}],
        "extra_state": {"val_loss": -float(number), **keeper.extra_state()},
        "cfg": {
            "checkpoint": {
                "best_checkpoint_metric": "loss",
                "maximize_best_checkpoint_metric": False,
                "patience": 0,
            },
            "task": {"supervised": False},
        },
    }
    for name in ("checkpoint_last.pt", "checkpoint_best.pt"):
        torch.save(state, folder / name)
    if not killed:
        keeper.saved(str(folder / "checkpoint_last.pt"))


def kept(folder):
    return torch.load(folder / COPY, weights_only=True)["epoch"]


def test_the_best_so_far_is_kept_and_of_equal_ones_the_later(tmp_path):
    keeper = AlsoBest("agreement")
    best = []
    for number, value in enumerate([0.2, 0.5, 0.4, 0.5, None, 0.1], start=1):
        epoch(keeper, tmp_path, number, value)
        best.append(kept(tmp_path))
    assert best == [1, 2, 2, 4, 4, 4]


def test_a_run_that_goes_on_knows_what_was_best(tmp_path):
    epoch(AlsoBest("agreement"), tmp_path, 1, 0.5)
    again = AlsoBest("agreement")
    epoch(again, tmp_path, 2, 0.3)
    assert kept(tmp_path) == 1
    epoch(again, tmp_path, 3, 0.6)
    assert kept(tmp_path) == 3


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ([0.5], 1),  # no copy yet
        ([0.4, 0.5], 2),
        ([0.5, 0.5], 2),  # of equal ones the later
        ([0.5, 0.4], 1),
        ([0.5, None], 1),
    ],
)
def test_a_run_killed_between_the_save_and_the_copy_loses_nothing(tmp_path, values, best):
    *before, last = values
    keeper = AlsoBest("agreement")
    for number, value in enumerate(before, start=1):
        epoch(keeper, tmp_path, number, value)
    epoch(keeper, tmp_path, len(values), last, killed=True)

    again = AlsoBest("agreement")
    epoch(again, tmp_path, 3, 0.3)
    assert kept(tmp_path) == best
    epoch(again, tmp_path, 4, 0.6)
    assert kept(tmp_path) == 4


def test_each_file_tells_what_it_was_chosen_by(tmp_path):
    keeper = AlsoBest("agreement")
    epoch(keeper, tmp_path, 1, 0.5)
    epoch(keeper, tmp_path, 2, 0.3)
    choice = read_choice(str(tmp_path / COPY))
    assert (choice.metric, choice.value, choice.minimized) == ("agreement", 0.5, False)
    choice = read_choice(str(tmp_path / "checkpoint_best.pt"))
    assert (choice.metric, choice.value, choice.minimized) == ("loss", -2.0, True)


def test_a_metric_that_is_not_computed_is_named(tmp_path):
    with pytest.raises(UserError, match="--also-best: validation computes no 'bleu', only agree"):
        AlsoBest("bleu").validated({"agreement": 0.5})
