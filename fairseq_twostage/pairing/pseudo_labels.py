"""WmdSamples: each natural utterance labelled with the nearest canonical one, no label seen.

Cao et al. (ACL 2020) compare with parsers and paraphrasers trained on such rows. Distances
are exact Word Mover's Distances over the data-bin's word vectors, without stop words and
punctuation, as Kusner et al. (ICML 2015) compute them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from fairseq_twostage import durable
from fairseq_twostage.databin.binarize import binarize, load_dictionary
from fairseq_twostage.databin.folder import (
    data_bin_lines,
    known_forms,
    read_manifest,
    read_word_vectors,
)
from fairseq_twostage.durable import scratch_folder
from fairseq_twostage.errors import UserError
from fairseq_twostage.noise.wmd import WordMoversDistance
from fairseq_twostage.text.rows import Row
from fairseq_twostage.writing import make_folder, staged_folder

SPLITS = ("train", "valid")
# Stop words in running text, but what a question and its logical form turn on.
MEANINGFUL = frozenset(
    (
        *("more", "most", "less", "least", "first", "last", "before", "after", "between", "at"),
        *("and", "or", "not", "both", "all", "two", "three", "same"),
    )
)
DICTIONARIES = {"nl": "utterance", "cf": "utterance", "lf": "lf"}


def nearest_rows(
    utterances: Sequence[str], pairs: Mapping[str, str], vectors: Mapping[str, np.ndarray]
) -> list[Row]:
    """Each utterance with the WMD-nearest canonical utterance and its logical form.

    Among equally near ones the first in alphabetical order is taken. A word without a vector
    that stands on both sides, a placeholder, matches itself alone.

    Args:
        utterances: X.
        pairs: canonical utterance to logical form.
        vectors: of words, each ``(dim,)``. Stop words and punctuation are ignored all the same.

    Raises:
        UserError: there is no pair.
    """
    if not pairs:
        raise UserError("no canonical utterance to label with")
    canonicals = sorted(pairs)
    natural, canonical = (
        {word for line in lines for word in line.split()} for lines in (utterances, canonicals)
    )
    ids = {word: number for number, word in enumerate(sorted(natural | canonical))}
    width = max(1, len(next(iter(vectors.values()), ())))  # none: words match themselves alone
    table = np.zeros((len(ids), width))
    known, themselves = np.zeros(len(ids), dtype=bool), np.zeros(len(ids), dtype=bool)
    for word, number in ids.items():
        if not counts(word):
            continue
        if word in vectors:
            table[number], known[number] = vectors[word], True
        else:
            themselves[number] = word in natural and word in canonical
    encoded = [
        [[ids[word] for word in line.split()] for line in lines]
        for lines in (utterances, canonicals)
    ]
    found = WordMoversDistance(table, known, themselves).nearest_all(*encoded)
    chosen = [canonicals[index] for index in found]
    return [Row(x, z, pairs[z]) for x, z in zip(utterances, chosen)]


def label_by_distance(data: Path) -> dict[str, list[Row]]:
    """Pseudo-labelled rows of the data-bin's X, by split; opens nothing under ``gold``.

    The canonical utterances are those of the training pairs (z, y).
    """
    utterances = {split: data_bin_lines(data / "text" / f"{split}.nl") for split in SPLITS}
    return {split: nearest_in(data, lines) for split, lines in utterances.items()}


def nearest_in(data: Path, utterances: Sequence[str]) -> list[Row]:
    """Each utterance with the nearest canonical one among a data-bin's training pairs."""
    read_manifest(data)
    return nearest_rows(utterances, known_forms(data), read_word_vectors(data))


@cache
def ignored_words() -> frozenset[str]:
    """English stop words but :data:`MEANINGFUL`."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return ENGLISH_STOP_WORDS - MEANINGFUL


def counts(word: str) -> bool:
    """Whether distances look at a word: no punctuation, none of
    :func:`ignored_words`."""
    return word not in ignored_words() and any(character.isalnum() for character in word)


def write_rows(data: Path, dest: Path, rows_by_split: Mapping[str, Sequence[Row]]) -> None:
    """Write rows as ``semantic_parsing --pairs`` reads them: binarized, and a TSV to look at.

    All files are on the disk before the first of them has its name.
    """
    make_folder(dest)
    dictionaries = {
        side: load_dictionary(data / f"dict.{name}.txt") for side, name in DICTIONARIES.items()
    }
    with staged_folder(dest / "rows") as staged, scratch_folder("label") as scratch:
        for split, rows in rows_by_split.items():
            fields = [(row.utterance, row.canonical, row.logical_form) for row in rows]
            _write_lines(staged / f"{split}.tsv", map("\t".join, fields))
            for side, lines in zip(DICTIONARIES, zip(*fields)):
                _write_lines(scratch / side, lines)
                binarize(scratch / side, staged / f"{split}.nl-cf-lf.{side}", dictionaries[side])
        durable.sync_tree(staged)
        for path in sorted(staged.iterdir()):
            durable.rename(path, dest / path.name)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
