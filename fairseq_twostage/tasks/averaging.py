"""Weights averaged over updates, in the checkpoints that models are read from.

fairseq's ``--store-ema`` keeps a moving average beside the weights, where ``fairseq-generate`` and
everything else that reads a checkpoint does not look.
"""

from __future__ import annotations

from pathlib import Path

from fairseq.checkpoint_utils import save_ema_as_checkpoint

from fairseq_twostage.selection import best_checkpoint

LAST = "checkpoint_last.pt"  # training goes on from it, so it keeps the weights themselves
KEPT_BEST = "checkpoint.best_*.pt"  # --keep-best-checkpoints


def keep_averages(checkpoint: str) -> None:
    """Let the checkpoint just saved, and the best ones, hold the average as their model.

    Those that hold it already are written again: if a run was killed in here, the next save mends
    what it left.

    Args:
        checkpoint: the first of the files that fairseq has written.
    """
    saved = Path(checkpoint)
    best = saved.with_name(best_checkpoint())
    for path in {saved, best, *saved.parent.glob(KEPT_BEST)}:
        if path.name != LAST and path.is_file():
            save_ema_as_checkpoint(str(path), str(path))
