"""Candidates beside the list, against all of them compared one by one."""

from __future__ import annotations

import numpy as np
import pytest

from fairseq_twostage.inference.candidates import Query, names_in
from fairseq_twostage.inference.further import Further
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.pairing.fitted import FittedSimilarity

LISTED = ["which films are there", "who directed _film_", "which films are by _person_"]
FURTHER = [
    "which long films are by _person_",
    "which short films are by _person_",
    "which films are not by _person_",
    "how many long films are by _person_",
    "which films of _year_ are by _person_",
    "which people are there",
]
NATURAL = ["long movies by _person_", "who made _film_", "all films"]
WORDS = sorted({word for line in [*LISTED, *FURTHER, *NATURAL] for word in line.split()})


@pytest.fixture(scope="module")
def similarity() -> FittedSimilarity:
    random = np.random.default_rng(3)
    vectors = {word: random.normal(size=8) for word in WORDS if not word.startswith("_")}
    vectors["movies"] = vectors["films"] + 0.1 * random.normal(size=8)
    found, _ = FittedSimilarity.fit(
        WordVectors(vectors, 8), [x.split() for x in NATURAL], [z.split() for z in LISTED]
    )
    return found


def ranked(query: Query, similarity: FittedSimilarity) -> list[str]:
    """As the docstring has it, pair by pair."""
    words = [word for word in dict.fromkeys(query.tokens.split()) if not word.startswith("_")]

    def score(line: str) -> float:
        others = [word for word in line.split() if not word.startswith("_")]
        cosines = similarity.resources.embed(words) @ similarity.resources.embed(others).T
        of_x = similarity.natural.weights(words)
        of_z = similarity.canonical.weights(others)
        there = sum(w * max(row) for w, row in zip(of_x, cosines)) / sum(of_x)
        back = sum(w * max(column) for w, column in zip(of_z, cosines.T)) / sum(of_z)
        return float(there + back)

    same = [line for line in FURTHER if names_in(line) == query.names]
    return sorted(same, key=lambda line: -score(line))


@pytest.mark.parametrize("tokens", ["long movies by _person_", "movies not by _person_", "people"])
def test_the_nearest_with_the_names_of_the_query(tokens: str, similarity: FittedSimilarity) -> None:
    query = Query(tokens, names_in(tokens))
    further = Further(FURTHER, similarity)
    wanted = ranked(query, similarity)
    assert wanted and further.near(query) == wanted
    assert further.near(query, 1) == wanted[:1]


def test_without_such_names_or_words_there_is_none(similarity: FittedSimilarity) -> None:
    further = Further(FURTHER, similarity)
    for tokens in ("who made _film_", "_person_"):
        assert further.near(Query(tokens, names_in(tokens))) == []


def test_they_are_ranked_with_the_candidates_as_if_they_were_some(
    similarity: FittedSimilarity,
) -> None:
    tokens = "long movies by _person_"
    query = Query(tokens, names_in(tokens))
    weights = {"word_vectors": 1.0}
    plain = Reranking(LISTED, weights, {"word_vectors": similarity})
    beside = Reranking(LISTED, weights, {"word_vectors": similarity}, further=FURTHER)
    (search,) = beside.search([query])
    found = list(search)
    (all_of,) = plain.extended(FURTHER).search([query])
    same = [each for each in all_of if names_in(each.text) <= query.names]
    wanted = [each for each in same if each.text in LISTED or names_in(each.text) == query.names]
    listed = [each for each in found if each.text in {one.text for one in wanted}]
    assert [each.text for each in listed] == [each.text for each in wanted]
    assert [each.score for each in listed] == pytest.approx([each.score for each in wanted])
    assert found[0].text == "which long films are by _person_"
