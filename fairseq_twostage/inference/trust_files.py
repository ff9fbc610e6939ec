"""What judges readings as files: ``trust.json`` and ``trust.safetensors``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file, save

from fairseq_twostage.files import load_json
from fairseq_twostage.inference.candidates import SHARPER, SHARPER_ALONE
from fairseq_twostage.inference.confidence import WEIGHTS, ConfidenceModel
from fairseq_twostage.inference.scope import (
    CAUGHT,
    LEAST_REFUSED,
    MOST_REFUSED,
    USAGE_SCALES,
    ScopeModel,
)
from fairseq_twostage.inference.trust import Trust
from fairseq_twostage.inference.usage import Usage
from fairseq_twostage.schema import read_object
from fairseq_twostage.writing import atomic_write, write_json

STEM = "trust"
CONSTANTS = [
    *(*WEIGHTS, SHARPER, SHARPER_ALONE),
    *(LEAST_REFUSED, MOST_REFUSED, CAUGHT, *USAGE_SCALES),
]


def write_trust(trust: Trust, folder: Path, of: str = "", stem: str = STEM) -> None:
    """Write both files.

    Args:
        trust: what judges.
        folder: see there.
        of: what it was fitted on, to be found again by :func:`kept_trust`.
        stem: of the files' names.
    """
    scope, model = trust.scope, trust.model
    columns = scope.columns
    content: dict[str, Any] = {
        "of": of,
        "scope": {
            "bias": scope.bias,
            "threshold": scope.threshold,
            "words": None if columns is None else sorted(columns, key=columns.__getitem__),
            "usage": None if scope.usage is None else asdict(scope.usage),
        },
        "model": None,
        "log_odds": list(trust.log_odds),
        "precision": trust.precision,
        "threshold": trust.threshold,
        "most_lacking": trust.most_lacking,
        "unknown_lacking": trust.unknown_lacking,
        "ignored": sorted(trust.ignored),
        "kept": {word: list(counts) for word, counts in trust.kept.items()},
        "few": trust.few,
    }
    arrays = {
        "natural": scope.natural.astype(np.float16),
        "canonical": scope.canonical.astype(np.float16),
        "weights": scope.weights,
    }
    if model is not None:
        content["model"] = {
            "constants": CONSTANTS,
            "slope": model.slope,
            "shift": model.shift,
        }
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(folder / f"{stem}.safetensors", "wb") as file:
        file.write(save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))
    write_json(folder / f"{stem}.json", content)


def read_trust(folder: Path, stem: str = STEM) -> Trust:
    """What :func:`write_trust` wrote.

    Raises:
        OSError, ValueError, KeyError, TypeError, SafetensorError: the files are damaged.
    """
    return _read(load_json((folder / f"{stem}.json").read_text(encoding="utf-8")), folder, stem)


def kept_trust(folder: Path, of: str, stem: str = STEM) -> Trust | None:
    """What was fitted on the same; None: there is none."""
    with suppress(OSError, ValueError, KeyError, TypeError, SafetensorError):
        content = read_object(folder / f"{stem}.json", "damaged")
        if content["of"] == of:
            return _read(content, folder, stem)
    return None


def _read(content: dict[str, Any], folder: Path, stem: str) -> Trust:
    arrays = load_file(folder / f"{stem}.safetensors")
    scope, model = content["scope"], content["model"]
    words, said = scope["words"], scope.get("usage")
    if model is not None and model.get("constants") != CONSTANTS:
        raise ValueError("confidence is of another version")
    return Trust(
        ScopeModel(
            arrays["natural"].astype(np.float32),
            arrays["canonical"].astype(np.float32),
            arrays["weights"],
            float(scope["bias"]),
            float(scope["threshold"]),
            None if words is None else {word: place for place, word in enumerate(words)},
            None if said is None else Usage(dict(said["words"]), dict(said["asked"])),
        ),
        None if model is None else ConfidenceModel(float(model["slope"]), float(model["shift"])),
        [float(each) for each in content["log_odds"]],
        float(content["precision"]),
        float(content["threshold"]),
        float(content["most_lacking"]),
        float(content["unknown_lacking"]),
        frozenset(content["ignored"]),
        {word: (int(kept), int(seen)) for word, (kept, seen) in content["kept"].items()},
        bool(content.get("few")),
    )
