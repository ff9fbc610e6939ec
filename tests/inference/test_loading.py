"""``--rerank`` from its text, over a data-bin without gold rows."""

import shutil

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.auxiliaries import Auxiliaries
from fairseq_twostage.tasks.data_bin import DataBin
from fairseq_twostage.tasks.reranking import build_reranker
from tests.builders import GEO_ROWS, naive_parser, paraphraser, write_data_bin


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = write_data_bin(tmp_path_factory.mktemp("reranking"))
    shutil.rmtree(folder / "gold")
    return str(folder)


def build(data, text, best=2, one_way=False):
    data_bin = DataBin(data)
    words = {side: data_bin.dictionary(side) for side in ("utterance", "nl", "cf")}
    if one_way:
        model = naive_parser(source=words["utterance"], target=words["cf"], target_lang="cf")
    else:
        model = paraphraser(dictionary_by_side=words, scale=3.0)
    return build_reranker(text, model, data, Auxiliaries(data, {}), best)


def test_similarity_finds_the_pairs(data):
    ranked = build(data, "word_vectors=1,prior=1")([x for x, _, _ in GEO_ROWS])
    assert [best for best, _ in ranked] == [z for _, z, _ in GEO_ROWS]


def test_candidates_are_those_of_the_corpora(data):
    reranker = build(data, "forward=1,dual=0.5,prior=1", best=9)
    (ranked,) = reranker(["how deep is it"])
    assert sorted(ranked) == sorted({z for _, z, _ in GEO_ROWS})
    assert reranker.prior is not None
    assert build(data, "forward_mean=1").prior is None


@pytest.mark.parametrize(
    ("text", "message"),
    [("forwards=1", "forwards"), ("prior=1", "prior alone"), ("forward=1,fluency=1", "--lm-cf"),
     ("forward=1,style=1", "--style")],
)  # fmt: skip
def test_what_cannot_be_built(data, text, message):
    with pytest.raises(UserError, match=message):
        build(data, text)


def test_a_model_of_one_direction_has_no_probability_of_a_pair(data):
    for feature in ("forward", "forward_mean", "dual"):
        with pytest.raises(UserError, match=r"--paraphraser: .* not a NaiveParser"):
            build(data, f"{feature}=1,prior=1", one_way=True)
    (ranked,) = build(data, "word_vectors=1", one_way=True)([GEO_ROWS[0][0]])
    assert ranked[0] == GEO_ROWS[0][1]
