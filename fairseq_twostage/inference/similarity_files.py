"""A fitted similarity as files: ``similarity.NAME.json`` and ``similarity.NAME.safetensors``."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.numpy import load_file, save

from fairseq_twostage.files import load_json
from fairseq_twostage.pairing.features import WORD_VECTORS, EncoderStates, WordVectors
from fairseq_twostage.pairing.fitted import FittedSimilarity, Resources
from fairseq_twostage.pairing.index import Rarity, Read, make_index
from fairseq_twostage.writing import atomic_write, write_json

PATTERN = "similarity.{}"
LAYERS = "adapted."  # before the names of the sentence encoder's weights, where these are adapted


def similarity_files(folder: Path, name: str) -> tuple[Path, Path]:
    """The two files of the similarity ``name`` in a folder."""
    stem = PATTERN.format(name)
    return folder / f"{stem}.json", folder / f"{stem}.safetensors"


def write_similarity(fitted: FittedSimilarity, folder: Path, of: str = "") -> None:
    """Write both files.

    Args:
        fitted: over X and Z.
        folder: see there.
        of: fingerprint of the data-bin that it was fitted on.
    """
    resources, index = fitted.resources, fitted.index
    arrays: dict[str, Any] = {"states": index.states}
    if index.vectors is not None:
        arrays["vectors"] = index.vectors
    if isinstance(resources, EncoderStates):
        changed = resources.encoder.changed
        arrays |= {f"{LAYERS}{name}": tensor.numpy() for name, tensor in changed.items()}
    words: list[str] = []
    if isinstance(resources, WordVectors):
        words = sorted(resources.vectors)
        arrays["words"] = np.array([resources.vectors[word] for word in words]).reshape(
            len(words), resources.dim
        )
    content = {
        "name": resources.name,
        "of": of,
        "anchors": list(resources.anchors),
        "words": words,
        "natural": [dict(fitted.natural.of), fitted.natural.unseen],
        "canonical": [dict(fitted.canonical.of), fitted.canonical.unseen],
        "marks": {name: sorted(names) for name, names in fitted.marks.items()},
        "marks_of_canonical": {name: list(held) for name, (held, _) in index.marks.items()},
        "scales": {name: list(scale) for name, scale in fitted.scales.items()},
        "lines": list(index.lines),
    }
    description, weights = similarity_files(folder, resources.name)
    with atomic_write(weights, "wb") as file:
        file.write(save({name: np.ascontiguousarray(array) for name, array in arrays.items()}))
    write_json(description, content)


def fitted_on(folder: Path, name: str) -> str | None:
    """Fingerprint of the data-bin that the files in ``folder`` are of; None: there are none."""
    description, weights = similarity_files(folder, name)
    if not (description.is_file() and weights.is_file()):
        return None
    try:
        return str(load_json(description.read_text(encoding="utf-8"))["of"])
    except (ValueError, KeyError, TypeError):
        return None


def read_similarity(folder: Path, name: str) -> FittedSimilarity:
    """What :func:`write_similarity` wrote.

    Raises:
        UserError: the sentence encoder that it needs is not installed.
        ValueError, KeyError, TypeError: the files are damaged.
    """
    description, weights = similarity_files(folder, name)
    content = load_json(description.read_text(encoding="utf-8"))
    arrays = load_file(weights)
    resources = _resources(content, arrays)
    lines = [line.split() for line in content["lines"]]
    ends = np.cumsum([len(words) for words in lines])
    vectors = arrays.get("vectors")
    read = [
        Read(
            words,
            arrays["states"][end - len(words) : end],
            None if vectors is None else vectors[row],
        )
        for row, (words, end) in enumerate(zip(lines, ends))
    ]
    canonical = Rarity(*content["canonical"])
    return FittedSimilarity(
        resources,
        Rarity(*content["natural"]),
        canonical,
        {anchor: frozenset(names) for anchor, names in content["marks"].items()},
        make_index(read, canonical, content["marks_of_canonical"]),
        {part: (mean, deviation) for part, (mean, deviation) in content["scales"].items()},
    )


def _resources(content: dict[str, Any], arrays: dict[str, Any]) -> Resources:
    anchors: Collection[str] = content["anchors"]
    if content["name"] != WORD_VECTORS:
        found = EncoderStates.load(anchors)
        changed = {
            name.removeprefix(LAYERS): torch.from_numpy(array)
            for name, array in arrays.items()
            if name.startswith(LAYERS)
        }
        if not changed:
            return found
        return EncoderStates(found.encoder.with_layers(changed), anchors)
    vectors = dict(zip(content["words"], arrays["words"], strict=True))
    return WordVectors(vectors, arrays["words"].shape[1], anchors, centred=True)
