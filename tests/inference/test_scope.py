"""Whether an utterance is about the domain; made-up vectors, and the texts that are shipped."""

import numpy as np
import pytest

from fairseq_twostage.inference.foreign import foreign_conditions, foreign_texts, topics
from fairseq_twostage.inference.scope import ScopeModel, vectors
from fairseq_twostage.inference.trust import counts


def cloud(draw, centre, count):
    rows = centre + 0.5 * draw.normal(size=(count, len(centre)))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def test_vectors_near_x_are_of_the_domain_and_others_are_not():
    draw = np.random.default_rng(1)
    here, there = np.eye(8)[0] * 3, np.eye(8)[1] * 3
    model = ScopeModel.fit(cloud(draw, here, 100), cloud(draw, here, 30), cloud(draw, there, 200))
    assert (np.array(_judged(model, cloud(draw, here, 200))) >= model.threshold).mean() > 0.93
    assert (np.array(_judged(model, cloud(draw, there, 200))) < model.threshold).mean() > 0.97


def test_without_x_the_nearest_z_tells():
    draw = np.random.default_rng(1)
    z = cloud(draw, np.eye(8)[0] * 3, 30)
    model = ScopeModel.near(z)
    between = 0.7 * z[:1] + (1 - 0.7**2) ** 0.5 * cloud(draw, np.eye(8)[5] * 9, 1)
    same, near, other = _judged(model, np.concatenate([z[:1], between, np.eye(8, dtype="f")[[4]]]))
    assert same > 0.99 > near > model.threshold > other


def _judged(model, rows):
    class Read:
        states = None

        def __init__(self, vector):
            self.vector = vector

    return [model("", {"made": Read(row)}) for row in rows]


def test_words_make_the_vector_where_nothing_else_does():
    columns = {"big": 0, "ship": 1}
    found = vectors(["big big ship", "asdf", ""], [], columns)
    assert found[0] == pytest.approx(np.array([2, 1, 0]) / np.sqrt(5))
    assert found[1].tolist() == [0, 0, 1] and found[2].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("word", "plays"),
    [
        *(("i'd", False), ("what's", False), ("i", False), ("?", False)),
        *(("don't", True), ("film's", True), ("subtitles", True), ("2019", True)),
    ],
)
def test_which_words_have_to_play_a_part(word, plays):
    assert counts(word, frozenset(("i", "what", "do"))) is plays


def test_foreign_texts_are_many_and_always_the_same():
    texts = foreign_texts()
    assert texts == foreign_texts() and len(texts) == len(set(texts)) > 700
    assert len(list(topics())) >= 60 and not any("{" in text for text in texts)
    assert all(condition.split()[0] for condition in foreign_conditions())
