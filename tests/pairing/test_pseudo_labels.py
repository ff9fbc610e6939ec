"""Pseudo-labels by distance, against distances worked out by hand."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.pairing.pseudo_labels import (
    counts,
    label_by_distance,
    nearest_rows,
    write_rows,
)
from tests.builders import GEO_ROWS

# Words on a line: the distance of one-word sentences is that of the numbers.
VECTORS = {
    word: np.array([place])
    for word, place in {
        "ship": 0.0,
        "boat": 1.0,
        "port": 10.0,
        "harbour": 12.0,
        "old": 30.0,
    }.items()
}
PAIRS = {"ship": "( call ship )", "port": "( call port )", "old port": "( call old )"}


@pytest.mark.parametrize(
    ("utterance", "canonical"),
    [
        ("boat", "ship"),  # 1 against 9 and (9 + 29) / 2
        ("harbour", "port"),  # 12, 2, (2 + 18) / 2
        ("harbour harbour", "port"),  # a bag is normalised
        ("harbour old", "old port"),  # (12 + 30) / 2, (2 + 20) / 2, (2 + 0) / 2
        ("unheard boat", "ship"),  # a word without a vector is not looked at
        ("ship port", "port"),  # 5 from either: the first in alphabetical order
    ],
)
def test_the_nearest_canonical_utterance_labels(utterance, canonical):
    [row] = nearest_rows([utterance], PAIRS, VECTORS)
    assert (row.utterance, row.canonical, row.logical_form) == (
        utterance,
        canonical,
        PAIRS[canonical],
    )


def test_a_placeholder_matches_itself_alone():
    pairs = {"boat _ship_": "1", "boat _port_": "2"}
    # 1 / 2 and 0 against 1 / 2 and sqrt(2) / 2.
    assert nearest_rows(["ship _port_"], pairs, VECTORS)[0].canonical == "boat _port_"
    assert nearest_rows(["ship _ship_"], pairs, VECTORS)[0].canonical == "boat _ship_"
    # One that no canonical utterance has is ignored: both are as near, the alphabet decides.
    assert nearest_rows(["ship _mate_"], pairs, VECTORS)[0].canonical == "boat _port_"


def test_without_word_vectors_words_match_themselves():
    pairs = {"boat by harbour": "( call b )", "train by station": "( call t )"}
    [row] = nearest_rows(["which train leaves the station"], pairs, {})
    assert row.canonical == "train by station"


def test_order_and_repetitions_of_the_utterances_are_kept():
    rows = nearest_rows(["harbour", "boat", "harbour"], PAIRS, VECTORS)
    assert [(row.utterance, row.canonical) for row in rows] == [
        ("harbour", "port"),
        ("boat", "ship"),
        ("harbour", "port"),
    ]


def test_stop_words_and_punctuation_do_not_count():
    words = ("the", "of", "?", "more", "at", "ship", "b2b")
    assert list(filter(counts, words)) == ["more", "at", "ship", "b2b"]
    vectors = {**VECTORS, "the": np.array([-99.0])}
    [row] = nearest_rows(["the boat"], {**PAIRS, "the port": "( call x )"}, vectors)
    assert row.canonical == "ship"


def test_nothing_to_label_with():
    with pytest.raises(UserError, match="no canonical utterance"):
        nearest_rows(["ship"], {}, VECTORS)


def test_the_gold_rows_are_not_needed(data_bin, tmp_path):
    expected = label_by_distance(data_bin)
    without = tmp_path / "bin"
    shutil.copytree(data_bin, without)
    shutil.rmtree(without / "gold")
    assert label_by_distance(without) == expected
    assert sorted(row.utterance for row in expected["train"]) == sorted(x for x, _, _ in GEO_ROWS)
    forms = {z: y for _, z, y in GEO_ROWS}
    for split, count in (("train", 5), ("valid", 3)):
        assert len(expected[split]) == count
        assert all(forms[row.canonical] == row.logical_form for row in expected[split])


def test_a_parser_and_a_paraphraser_read_what_is_written(data_bin, tmp_path):
    from fairseq_twostage.tasks.semantic_parsing import SemanticParsingConfig, SemanticParsingTask

    rows = label_by_distance(data_bin)
    write_rows(data_bin, tmp_path / "pairs", rows)
    for target, side in (("lf", "logical_form"), ("cf", "canonical")):
        cfg = SemanticParsingConfig(
            data=str(data_bin),
            source_lang="nl",
            target_lang=target,
            pairs=str(tmp_path / "pairs"),
            seed=1,
        )
        task = SemanticParsingTask.setup_task(cfg)
        for split in ("train", "valid"):
            task.load_dataset(split)
            found = [
                (task.words.string(item["source"]), task.symbols.string(item["target"]))
                for item in task.datasets[split]
            ]
            assert found == [(row.utterance, getattr(row, side)) for row in rows[split]]
