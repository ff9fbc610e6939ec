"""Checkpoints that are damaged, or would run code, are refused in one line."""

from __future__ import annotations

import pickle
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairseq_twostage.errors import DISK, UserError

ADVICE = "restore the file, or delete it and train again"
_CALLED = re.compile(r"\b(?:GLOBAL|global:?|class) ([A-Za-z_]\w*(?:\.\w+)+)")


def load_state(path: str | Path) -> dict[str, Any]:
    """What a checkpoint holds; no code of it is run.

    Raises:
        UserError: it is damaged, unsafe or no checkpoint.
    """
    import torch  # here, so that a subcommand starts without it

    with checkpoint_errors(path), open(path, "rb") as file:
        state: Any = torch.load(file, map_location="cpu", weights_only=True)
    return checked_state(state, path)


def checked_state(state: Any, path: str | Path, *parts: str) -> dict[str, Any]:
    """What was loaded, if it is a mapping with ``parts``.

    Raises:
        UserError: it is none.
    """
    if not isinstance(state, dict) or not set(parts) <= state.keys():
        raise UserError(f"a {type(state).__name__} and no checkpoint; {ADVICE}", str(path))
    return state


@contextmanager
def checkpoint_errors(path: str | Path) -> Iterator[None]:
    """Say what is wrong with a checkpoint that is read in the block.

    Raises:
        UserError: a byte of its archive was changed, at which PyTorch itself does not look; it
            asks for code to be run; it is cut short, or something else.
    """
    where = str(path)
    _check_archive(where)
    try:
        yield
    except (UserError, FileNotFoundError):
        raise
    except Exception as error:  # PyTorch and fairseq raise anything here
        if isinstance(error, OSError) and error.errno in DISK:
            raise
        message = " ".join(str(error).split())
        called = _CALLED.search(message)
        if isinstance(error, pickle.UnpicklingError) and called:
            raise UserError(
                f"unsafe: loading it would call {called[1]}, which no weights need, so nothing of "
                "it was run; take a checkpoint that you trained yourself",
                where,
            ) from None
        if isinstance(error, pickle.UnpicklingError) and not zipfile.is_zipfile(where):
            raise UserError(
                "unsafe or damaged: a pickle that is no file of weights, of which nothing was "
                f"run; {ADVICE}",
                where,
            ) from None
        raise UserError(
            f"damaged, or no checkpoint ({type(error).__name__} {message[:120]}); {ADVICE}", where
        ) from None


def _check_archive(path: str) -> None:
    if not zipfile.is_zipfile(path):
        return  # cut short, or of an old kind: loading says so
    try:
        with zipfile.ZipFile(path) as archive:
            damaged = archive.testzip()
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        damaged = str(error)
    if damaged is not None:
        raise UserError(f"damaged ({damaged}); {ADVICE}", path)
