"""How often training and validation see canonical utterances with a value."""

import numpy as np
import pytest
from fairseq.data import Dictionary

from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.tasks import paraphrase_data
from fairseq_twostage.tasks.paraphrase_data import ASKED, as_asked, asked_parts, value_parts

WORDS = ("film", "longer", "_number_", "_date2_", "_film_", "in")


def ids(lines):
    words = Dictionary()
    for word in WORDS:
        words.add_symbol(word)
    read = [words.encode_line(line, add_if_not_exist=False).numpy() for line in lines]
    return words, read


def test_z_says_a_value_as_often_as_x():
    words, x = ids(["film in", "film", "film _film_", "longer _number_"])
    _, z = ids(["film", "film longer _number_", "film in _date2_", "film in _film_", "_number_"])
    (plain, rarely), (valued, often) = value_parts(x, z, words)
    assert (plain.tolist(), valued.tolist()) == ([0, 3], [1, 2, 4])
    assert (rarely, often) == (0.75, 0.25)


@pytest.mark.parametrize(
    ("natural", "canonical"),
    [
        (["film"], ["film", "film longer _number_"]),
        (["longer _number_"], ["film", "film longer _number_"]),
        (["film", "longer _number_"], ["film"]),
        (["film", "longer _number_"], ["longer _number_"]),
        (["film", "film _film_"], ["film", "film in _film_"]),
    ],
)
def test_where_one_side_has_but_one_kind_all_are_drawn_alike(natural, canonical):
    words, x = ids(natural)
    assert value_parts(x, ids(canonical)[1], words) == ()


def test_as_many_are_kept_as_have_their_shares():
    sentences = [np.array([row]) for row in range(10)]
    parts = [(np.array([0, 5, 9]), 0.75), (np.array([1, 2, 3, 4, 6, 7, 8]), 0.25)]
    assert np.concatenate(as_asked(sentences, parts)).tolist() == [0, 1, 5, 9]
    assert as_asked(sentences, ()) is sentences


def test_cycle_learning_draws_what_somebody_asks_for(tmp_path, monkeypatch):
    natural = ["film", "longer _number_ please", "in _date_", "what in _date_"]
    canonical = [
        "film",
        "film longer _number_",
        "comic film longer _number_",
        "film in _date_",
        "comic film in _date_",
        "film by _person_ longer _number_",
    ]
    (tmp_path / "text").mkdir()
    for side, lines in (("nl", natural), ("cf", canonical)):
        (tmp_path / "text" / f"train.{side}").write_text("\n".join(lines) + "\n")
    words = sorted({word for line in natural + canonical for word in line.split()})
    vectors = dict(zip(words, np.eye(len(words))))
    known = WordVectors(vectors, len(words), centred=True)
    monkeypatch.setattr(paraphrase_data, "resources", lambda name, folder: known)
    found = asked_parts(tmp_path, [(np.array([0]), 0.25), (np.arange(1, 6), 0.75)])
    assert [rows.tolist() for rows, _ in found] == [[0], [1, 3], [2, 4, 5]]
    assert [share for _, share in found] == pytest.approx([0.25, 0.75 * ASKED, 0.75 * (1 - ASKED)])
