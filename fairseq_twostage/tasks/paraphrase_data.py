"""What the paraphraser is trained on: X and Z, and pairs where they are asked for."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from fairseq.data import Dictionary

from fairseq_twostage.data.unpaired_dataset import Corpus, UnpairedDataset
from fairseq_twostage.databin.folder import data_bin_lines
from fairseq_twostage.models.dual_paraphraser import SIDES
from fairseq_twostage.noise.channels import noise_generator
from fairseq_twostage.pairing.features import WORD_VECTORS, resources
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig, assign, read_pairs
from fairseq_twostage.pairing.similarity import standardise
from fairseq_twostage.pairing.transport import EVEN_BALANCE
from fairseq_twostage.tasks.data_bin import DataBin, labelled_rows
from fairseq_twostage.tasks.noising import side_noises
from fairseq_twostage.text.placeholders import says_value

ASKED = 0.8  # share of canonical utterances that somebody asks for, among those with a value


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
    parts = value_parts(corpora["nl"].sentences, corpora["cf"].sentences, words)
    if split != "train":
        corpora["cf"] = replace(corpora["cf"], sentences=as_asked(corpora["cf"].sentences, parts))
        return UnpairedDataset(corpora, words.pad(), cfg.seed, shuffle=False)
    if parts and not noised:
        parts = asked_parts(data_bin.folder, parts)
    corpora["cf"] = replace(corpora["cf"], parts=parts)
    return UnpairedDataset(
        corpora,
        words.pad(),
        cfg.seed,
        noise=side_noises(cfg, data_bin, words, corpora) if noised else None,
        noise_generator=noise_generator,
        labelled=labelled_pairs(data_bin, words, cfg.labelled_share, cfg.seed),
        pseudo_pairs=pseudo_pairs(words, cfg.pseudo_pairs),
    )


def value_parts(
    natural: Sequence[np.ndarray], canonical: Sequence[np.ndarray], words: Dictionary
) -> Sequence[tuple[np.ndarray, float]]:
    """Rows of Z without and with a number, a date or a time, each as often as X says one.

    A grammar that combines conditions with values says far more of them than people do. None
    where X or Z has but one of both kinds.
    """
    values = [index for index, word in enumerate(words.symbols) if says_value([word])]
    x, z = (
        np.array([np.isin(line, values).any() for line in side]) for side in (natural, canonical)
    )
    if x.all() or z.all() or not x.any() or not z.any():
        return ()
    share = float(x.mean())
    return [(np.flatnonzero(~z), 1 - share), (np.flatnonzero(z), share)]


def asked_parts(
    folder: Path, parts: Sequence[tuple[np.ndarray, float]]
) -> Sequence[tuple[np.ndarray, float]]:
    """:func:`value_parts`, those with a value apart by whether an x seems to mean them.

    Learning from z needs an x that says all of it. To a z that nobody asks for the paraphraser
    finds a shorter x, and learns to add to an x what it does not say. Which are asked for is
    judged as ``twostage pair`` does, by word vectors.
    """
    natural, canonical = (
        [line.split() for line in data_bin_lines(folder / "text" / f"train.{side}")]
        for side in SIDES
    )
    said = [line for line in natural if says_value(line)]
    (plain, rarely), (valued, often) = parts
    known = resources(WORD_VECTORS, folder)
    with_value = [canonical[row] for row in valued]
    similarity = standardise(FittedSimilarity.fit(known, said, with_value)[1])
    config = PairingConfig(rounds=0, balance=EVEN_BALANCE)
    found = assign(said, with_value, np.ones(len(valued)), similarity, known.embed, config)
    meant = np.unique(found.posterior.argmax(axis=1)[found.posterior.any(axis=1)])
    others = np.delete(valued, meant)
    if not len(meant) or not len(others):
        return parts
    return [
        (plain, rarely),
        (valued[meant], often * ASKED),
        (others, often * (1 - ASKED)),
    ]


def as_asked(
    sentences: Sequence[np.ndarray], parts: Sequence[tuple[np.ndarray, float]]
) -> Sequence[np.ndarray]:
    """The most sentences of which each part has its share, in their order; all without parts."""
    if not parts:
        return sentences
    size = min(len(rows) / share for rows, share in parts)
    kept = np.concatenate([rows[: math.ceil(size * share)] for rows, share in parts])
    return [sentences[row] for row in np.sort(kept)]


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
