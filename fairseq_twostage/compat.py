"""The mends that fairseq needs on today's PyTorch and NumPy, and on CPUs.

Each mend is one function that names the upstream issue it answers. :func:`apply` makes them
all; ``fairseq_twostage.tasks`` calls it, so every fairseq command with ``--user-dir`` has
them before it builds a task. ``fairseq-hydra-train`` loads a user-dir only after it has set
up data-parallel training, so :func:`join_torchrun` does not reach it.
"""

from __future__ import annotations

import functools
import importlib
import logging
import os
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from fairseq.distributed import utils as distributed_utils
from fairseq.logging import progress_bar
from fairseq.tasks import FairseqTask
from fairseq.trainer import Trainer

from fairseq_twostage.compat_checkpoints import (
    average_from_any_checkpoint,
    load_argparse_checkpoints,
    read_checkpoints_on_every_worker,
    refuse_damaged_checkpoints,
    save_checkpoints_whole,
)
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import reason

_TORCHRUN_VARIABLES = ("MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "RANK")


def apply() -> None:
    """Make every mend; a second call changes nothing."""
    load_argparse_checkpoints()
    restore_numpy_compat_long()
    join_torchrun()
    read_checkpoints_on_every_worker()
    write_log_lines_once()
    end_where_the_log_is_full()
    resume_with_the_same_batches()
    resume_patience()
    average_from_any_checkpoint()
    save_checkpoints_whole()
    refuse_damaged_checkpoints()


def restore_numpy_compat_long() -> None:
    """Give back ``np.compat.long``, which NumPy 2 dropped.

    ``--sample-break-mode eos`` and ``--num-batch-buckets`` of fairseq read it
    (facebookresearch/fairseq#4945).
    """
    if not hasattr(np, "compat"):
        np.compat = SimpleNamespace(long=np.int64)  # type: ignore[attr-defined]


def write_log_lines_once() -> None:
    """Let each line stand once in ``--log-file``.

    fairseq gives its logger one more handler of the file at every epoch and every validation
    (``fairseq.logging.progress_bar``), so that a line of epoch n is written 2n times. Upstream
    has no issue about it.
    """
    if hasattr(progress_bar.progress_bar, "writes_once"):
        return
    original = progress_bar.progress_bar

    @functools.wraps(original)
    def with_one_handler(*args: Any, log_file: str | None = None, **kwargs: Any) -> Any:
        handlers = progress_bar.logger.handlers
        files = [each.baseFilename for each in handlers if isinstance(each, logging.FileHandler)]
        known = log_file is not None and os.path.abspath(log_file) in files
        return original(*args, log_file=None if known else log_file, **kwargs)

    with_one_handler.writes_once = True  # type: ignore[attr-defined]
    progress_bar.progress_bar = with_one_handler


def end_where_the_log_is_full() -> None:
    """End a run whose ``--log-file`` cannot be written: Python prints a traceback for each line."""
    if hasattr(logging.FileHandler.handleError, "ends"):
        return
    original = logging.FileHandler.handleError

    @functools.wraps(original)
    def handle(self: logging.FileHandler, record: logging.LogRecord) -> None:
        error = sys.exc_info()[1]
        if isinstance(error, OSError):
            raise UserError(f"cannot be written: {reason(error)}", self.baseFilename) from None
        original(self, record)

    handle.ends = True  # type: ignore[attr-defined]
    logging.FileHandler.handleError = handle  # type: ignore[assignment, method-assign]


def resume_with_the_same_batches() -> None:
    """Let a resumed run of fairseq's own tasks train on the batches it began with.

    Batches are drawn from seed and epoch; most tasks draw them in the first epoch and keep them
    (facebookresearch/fairseq#1156). Resumed in epoch n they were drawn in n, and the model was
    another than that of a run that was never stopped. ``--update-epoch-batch-itr`` draws them in
    every epoch and needs no mend.
    """
    if hasattr(FairseqTask.get_batch_iterator, "keeps_first_batches"):
        return
    original = FairseqTask.get_batch_iterator

    @functools.wraps(original)
    def get_batch_iterator(self: Any, dataset: Any, *args: Any, **kwargs: Any) -> Any:
        epoch = kwargs.get("epoch", 1)
        drawn_anew = (
            kwargs.get("disable_iterator_cache")
            or kwargs.get("update_epoch_batch_itr")
            or getattr(self.cfg, "rebuild_batches", False)
            or not self.can_reuse_epoch_itr(dataset)
        )
        if epoch == 1 or drawn_anew or dataset in self.dataset_to_epoch_iter:
            return original(self, dataset, *args, **kwargs)
        batches = original(self, dataset, *args, **{**kwargs, "epoch": 1})
        batches.epoch = epoch
        return batches

    get_batch_iterator.keeps_first_batches = True  # type: ignore[attr-defined]
    FairseqTask.get_batch_iterator = get_batch_iterator


_PATIENCE = "patience"  # among a checkpoint's extra state


def resume_patience() -> None:
    """Let ``--patience`` count on where a resumed run was stopped.

    fairseq counts in a function's attributes, which no checkpoint holds
    (facebookresearch/fairseq#3531): a resumed run was as patient as a new one, and went on if it
    had been stopped by patience. A run that changes its patience counts on with the new one.
    """
    if hasattr(Trainer.save_checkpoint, "holds_patience"):
        return
    save, load = Trainer.save_checkpoint, Trainer.load_checkpoint

    @functools.wraps(save)
    def save_checkpoint(self: Any, filename: str, extra_state: dict[str, Any]) -> Any:
        count = vars(_should_stop_early())
        if "num_runs" in count:
            kept = {"best": float(count["best"]), "num_runs": count["num_runs"]}
            extra_state = {**extra_state, _PATIENCE: kept}
        return save(self, filename, extra_state)

    @functools.wraps(load)
    def load_checkpoint(
        self: Any, filename: str, reset_optimizer: bool = False, *args: Any, **kwargs: Any
    ) -> Any:
        extra_state = load(self, filename, reset_optimizer, *args, **kwargs)
        count = (extra_state or {}).get(_PATIENCE)
        if count is not None and not reset_optimizer:
            vars(_should_stop_early()).update(count)
            if 0 < self.cfg.checkpoint.patience <= count["num_runs"]:
                self.cfg.optimization.max_epoch = -1  # over before its next epoch
        return extra_state

    save_checkpoint.holds_patience = True  # type: ignore[attr-defined]
    Trainer.save_checkpoint, Trainer.load_checkpoint = save_checkpoint, load_checkpoint


def _should_stop_early() -> Callable[..., bool]:
    """fairseq's, in the module that runs: with ``python -m`` that is another than the imported."""
    module = sys.modules["__main__"]
    if not hasattr(module, "should_stop_early"):
        module = importlib.import_module("fairseq_cli.train")
    rule: Callable[..., bool] = module.should_stop_early
    return rule


def join_torchrun() -> None:
    """Make ``torchrun --nproc_per_node N fairseq-train`` one run with N workers.

    fairseq takes the number of workers from the number of GPUs it sees on one machine. Where
    that is none or one, every worker starts a run of its own, without a word, and all of them
    write to the same folder (facebookresearch/fairseq#2879). On a CPU (``--cpu``, or no GPU
    there) the workers talk through gloo.
    """
    if not hasattr(distributed_utils.call_main, "joins_torchrun"):
        distributed_utils.call_main = _joining_torchrun(distributed_utils.call_main)


def _joining_torchrun(call_main: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(call_main)
    def call_main_in_torchrun(cfg: Any, main: Callable[..., Any], **kwargs: Any) -> Any:
        started_by_torchrun = all(name in os.environ for name in _TORCHRUN_VARIABLES)
        workers = int(os.environ["WORLD_SIZE"]) if started_by_torchrun else 1
        if workers > 1 and cfg.distributed_training.distributed_init_method is None:
            cfg.distributed_training.distributed_world_size = workers
            if cfg.common.cpu or not torch.cuda.is_available():
                _use_gloo(cfg, workers)
        result = call_main(cfg, main, **kwargs)
        if workers > 1 and torch.distributed.is_initialized():
            # Left to the interpreter's end, gloo's threads now and then abort the process.
            torch.distributed.destroy_process_group()
        return result

    call_main_in_torchrun.joins_torchrun = True  # type: ignore[attr-defined]
    return call_main_in_torchrun


def _use_gloo(cfg: Any, workers: int) -> None:
    settings = cfg.distributed_training
    settings.distributed_init_method = "env://"
    settings.distributed_backend = "gloo"
    settings.distributed_rank = int(os.environ["RANK"])
    settings.distributed_no_spawn = True
    settings.ddp_backend = "legacy_ddp"  # PyTorch's own is given a device number: no CPU has one
    # fairseq gathers Python objects through a CUDA buffer, unless it finds a buffer made already.
    gather = distributed_utils.all_gather_list
    gather._buffer = torch.ByteTensor(cfg.common.all_gather_list_size * workers)
    gather._cpu_buffer = torch.ByteTensor(cfg.common.all_gather_list_size)
