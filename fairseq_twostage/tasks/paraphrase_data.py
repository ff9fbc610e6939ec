"""What the paraphraser is trained on: X and Z, and pairs where they are asked for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fairseq.data import Dictionary

from fairseq_twostage.data.unpaired_dataset import Corpus, UnpairedDataset
from fairseq_twostage.models.dual_paraphraser import SIDES
from fairseq_twostage.noise.channels import noise_generator
from fairseq_twostage.pairing.pseudo_pairs import read_pairs
from fairseq_twostage.tasks.data_bin import DataBin, labelled_rows
from fairseq_twostage.tasks.noising import side_noises


def unpaired(
    cfg: Any, data_bin: DataBin, words: Dictionary, split: str, noised: bool
) -> UnpairedDataset:
    """X and Z of a split without their pairing; in training with noise, and pairs asked for.

    Args:
        cfg: options of the task.
        data_bin: the prepared domain.
        words: the utterance dictionary.
        split: ``train`` or ``valid``.
        noised: whether training makes noise.
    """
    corpora = {
        side: Corpus(
            data_bin.sentences(f"{split}.{side}", words),
            data_bin.variables(split) if side == "nl" else None,
        )
        for side in SIDES
    }
    if split != "train":
        return UnpairedDataset(corpora, words.pad(), cfg.seed, shuffle=False)
    return UnpairedDataset(
        corpora,
        words.pad(),
        cfg.seed,
        noise=side_noises(cfg, data_bin, words, corpora) if noised else None,
        noise_generator=noise_generator,
        labelled=labelled_pairs(data_bin, words, cfg.labelled_share, cfg.seed),
        pseudo_pairs=pseudo_pairs(words, cfg.pseudo_pairs),
    )


def labelled_pairs(
    data_bin: DataBin, words: Dictionary, share: float, seed: int
) -> Sequence[tuple[np.ndarray, np.ndarray]]:
    """A seeded share of the aligned training rows; with 0 the rows are not opened."""
    if share == 0.0:
        return ()
    natural, canonical = (data_bin.sentences(data_bin.gold("train", side), words) for side in SIDES)
    rows = labelled_rows(len(natural), share, seed)
    return [(natural[row], canonical[row]) for row in rows]


def pseudo_pairs(
    words: Dictionary, folder: str | None
) -> Sequence[tuple[np.ndarray, np.ndarray, float]]:
    """Guessed pairs with their weights, in utterance ids; none without a folder."""

    def ids(line: str) -> np.ndarray:
        return words.encode_line(line, add_if_not_exist=False).numpy().astype(np.int64)

    pairs = [] if folder is None else read_pairs(Path(folder))
    return [(ids(pair.utterance), ids(pair.canonical), pair.weight) for pair in pairs]
