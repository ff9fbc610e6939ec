"""What fairseq's checkpoints need: read on every worker, whole, and undamaged."""

from __future__ import annotations

import argparse
import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import torch
from fairseq import checkpoint_utils
from fairseq.trainer import Trainer

from fairseq_twostage import durable
from fairseq_twostage.checkpoint_reading import checked_state, checkpoint_errors
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import reason
from fairseq_twostage.writing import to_disk


def load_argparse_checkpoints() -> None:
    """Let ``torch.load(weights_only=True)`` read checkpoints of argparse architectures.

    PyTorch 2.6 made ``weights_only=True`` the default; ``lstm``, ``lstm_lm`` and every other
    architecture without a dataclass keeps an ``argparse.Namespace`` in its checkpoints
    (facebookresearch/fairseq#5610). A namespace only holds attributes, so it is safe.
    """
    torch.serialization.add_safe_globals([argparse.Namespace])


def read_checkpoints_on_every_worker() -> None:
    """Let data-parallel runs resume and fine-tune.

    fairseq has one worker read the checkpoint and send it to the others, pickled whole with its
    configuration objects, which ``torch.load`` refuses since PyTorch 2.6
    (facebookresearch/fairseq#4238 tells of the same way failing on GPUs, and of this one).
    """
    if hasattr(Trainer.load_checkpoint, "on_every_worker"):
        return
    original = Trainer.load_checkpoint

    @functools.wraps(original)
    def load_checkpoint(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.cfg.checkpoint.load_checkpoint_on_all_dp_ranks = True
        return original(self, *args, **kwargs)

    load_checkpoint.on_every_worker = True  # type: ignore[attr-defined]
    Trainer.load_checkpoint = load_checkpoint


_AVERAGE = "ema"  # among a checkpoint's extra state


def average_from_any_checkpoint() -> None:
    """Let ``--store-ema`` begin at a checkpoint that holds no average.

    fairseq means to begin at its weights, as ``--finetune-from-model`` asks for, but has dropped
    them by then and ends in a ``KeyError``. Upstream has no issue about it.
    """
    if hasattr(checkpoint_utils.load_checkpoint_to_cpu, "always_has_average"):
        return
    original = checkpoint_utils.load_checkpoint_to_cpu

    @functools.wraps(original)
    def load_checkpoint_to_cpu(*args: Any, **kwargs: Any) -> Any:
        state = original(*args, **kwargs)
        if "model" in state and state.get("extra_state") is not None:
            state["extra_state"].setdefault(_AVERAGE, state["model"])
        return state

    load_checkpoint_to_cpu.always_has_average = True  # type: ignore[attr-defined]
    checkpoint_utils.load_checkpoint_to_cpu = load_checkpoint_to_cpu


def save_checkpoints_whole() -> None:
    """Let a run that is killed, or whose disk is full, go on from a whole ``checkpoint_last.pt``.

    fairseq writes the first of an epoch's checkpoints to a temporary name, which it renames while
    its bytes may be in memory alone; it copies that one over the others in place: a run killed
    meanwhile leaves half a file, from which no run goes on (facebookresearch/fairseq#2684 may be
    such a case). Where a write fails it tries again behind what it wrote, twice, then prints a
    traceback.
    """
    manager = checkpoint_utils.PathManager
    if hasattr(manager.copy, "renames"):
        return
    original = manager.copy

    def save(value: Any, file: IO[bytes]) -> None:
        with _checkpoint_or_said(file.name):
            try:
                torch.save(value, file)
                to_disk(file)
            except BaseException:
                with contextlib.suppress(OSError):
                    file.close()  # which would write the rest, and hide why that failed
                raise

    @functools.wraps(original)
    def copy(src_path: str, dst_path: str, overwrite: bool = False) -> Any:
        if not overwrite or not manager.supports_rename(dst_path):
            return original(src_path, dst_path, overwrite)
        with _checkpoint_or_said(f"{dst_path}.tmp"):
            done = original(src_path, f"{dst_path}.tmp", overwrite)
            durable.sync(f"{dst_path}.tmp")
        manager.rename(f"{dst_path}.tmp", dst_path)
        return done

    def rename(source: str, target: str) -> None:
        durable.rename(Path(source), Path(target))

    copy.renames = True  # type: ignore[attr-defined]
    manager.copy, manager.rename = staticmethod(copy), staticmethod(rename)
    checkpoint_utils._torch_persistent_save = save


def refuse_damaged_checkpoints() -> None:
    """Let a checkpoint that is damaged or unsafe end a run with one line.

    fairseq prints a traceback of PyTorch's, which advises to run the code that the file holds. A
    changed byte of the weights is read without a word. Upstream has no issue about it.
    """
    original = checkpoint_utils.load_checkpoint_to_cpu
    if hasattr(original, "refuses_damaged"):
        return

    @functools.wraps(original)
    def load_checkpoint_to_cpu(path: str, *args: Any, **kwargs: Any) -> Any:
        with checkpoint_errors(path):
            return checked_state(original(path, *args, **kwargs), path, "model")

    load_checkpoint_to_cpu.refuses_damaged = True  # type: ignore[attr-defined]
    checkpoint_utils.load_checkpoint_to_cpu = load_checkpoint_to_cpu


@contextlib.contextmanager
def _checkpoint_or_said(path: str) -> Iterator[None]:
    """Remove a temporary file that could not be written, and say so in one line."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        # torch.save hides what the file said behind an error of its own.
        cause = error if isinstance(error, OSError) else error.__context__
        if not isinstance(cause, OSError):
            raise
        Path(path).unlink(missing_ok=True)
        where = path.removesuffix(".tmp")
        raise UserError(f"cannot be written: {reason(cause)}", where) from None
