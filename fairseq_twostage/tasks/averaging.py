"""Weights averaged over updates, in the checkpoints that models are read from.

fairseq's ``--store-ema`` keeps a moving average beside the weights, where ``fairseq-generate`` and
everything else that reads a checkpoint does not look.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from fairseq.checkpoint_utils import save_ema_as_checkpoint

from fairseq_twostage.selection import LAST

BEST = (
    "checkpoint_best*.pt",  # by --best-checkpoint-metric, and by --also-best
    "checkpoint.best_*.pt",  # of --keep-best-checkpoints
)


def keep_averages(checkpoint: str) -> None:
    """Let the checkpoint just saved, and the best ones, hold the average as their model.

    The last one keeps the weights themselves, since training goes on from it. Best ones that hold
    the average already are written again: if a run was killed in here, the next save mends what it
    left.

    Args:
        checkpoint: the first of the files that fairseq has written.
    """
    saved = Path(checkpoint)
    for path in {saved, *chain.from_iterable(map(saved.parent.glob, BEST))}:
        if path.name != LAST:
            save_ema_as_checkpoint(str(path), str(path))
