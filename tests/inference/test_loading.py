"""From a pipeline and a data-bin without gold rows to what finds ẑ, and to the parser."""

import math
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference import checkpoints, loading
from fairseq_twostage.inference.candidates import BeamSearch, NoParaphrase, Query
from fairseq_twostage.inference.loading import (
    canonical_counts,
    first_stage,
    fit_prior,
    fitted_similarity,
    load_pipeline,
    remember_canonicals,
)
from fairseq_twostage.inference.pipeline import Pipeline, parse_weights
from fairseq_twostage.inference.similarity_files import similarity_files
from fairseq_twostage.tasks.data_bin import DataBin
from tests.builders import GEO_ROWS, naive_parser, paraphraser, write_data_bin

NATURAL, CANONICAL, FORMS = zip(*GEO_ROWS)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = write_data_bin(tmp_path_factory.mktemp("loading"))
    shutil.rmtree(folder / "gold")
    return folder


@pytest.fixture(autouse=True)
def models(data, monkeypatch):
    """In place of checkpoints: the file's name is the model's."""
    data_bin = DataBin(str(data))
    words = {side: data_bin.dictionary(side) for side in ("utterance", "nl", "cf", "lf")}
    source = words["utterance"]
    found = {
        "both": paraphraser(dictionary_by_side=words, scale=3.0).eval(),
        "other": paraphraser(5, words, scale=3.0).eval(),
        "one way": naive_parser(source=source, target=words["cf"], target_lang="cf").eval(),
        "parser": naive_parser(source=source, target=words["lf"]).eval(),
    }
    monkeypatch.setattr(checkpoints, "load_frozen", lambda path, *_: found[path])
    return found


def ranking(data, text, name="both", **options):
    asked = [name] if name else []
    pipeline = Pipeline(asked, "parser", parse_weights(text, "--rerank"), **options)
    return first_stage(pipeline, data)


def best(stage, lines):
    found = stage.search([Query(line, frozenset()) for line in lines])
    return [[hypothesis.text for hypothesis in each] for each in found]


def test_similarity_finds_the_pairs(data):
    for name in ("both", "one way", None):
        ranked = best(ranking(data, "word_vectors=1,prior=1", name), NATURAL)
        assert [first for first, *_ in ranked] == list(CANONICAL)


def test_candidates_are_those_of_the_training_corpus(data):
    stage = ranking(data, "forward=1,dual=0.5,prior=1")
    (ranked,) = best(stage, ["how deep is it"])
    assert sorted(ranked) == sorted(set(CANONICAL)) == list(stage.candidates)
    assert stage.prior is not None
    assert ranking(data, "forward_mean=1").prior is None
    assert ranking(data, "forward_mean=1,prior=0").prior is None


def test_names_count_if_the_pick_asks_for_them(data):
    assert not ranking(data, "forward=1").faithful
    assert ranking(data, "forward=1", pick="executable_paraphrase").faithful


def test_a_prior_that_is_known_is_taken(data):
    prior = [0.5, -1.0, 0.0, 2.0, -3.0]
    assert ranking(data, "forward=1,prior=1", prior=prior).prior.tolist() == prior
    assert ranking(data, "forward=1", prior=prior).prior is None
    with pytest.raises(UserError, match="prior: has 2 numbers for 5 z"):
        ranking(data, "forward=1,prior=1", prior=prior[:2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("forwards=1", "forwards"),
        ("prior=1", "prior alone"),
        ("forward=1,fluency=1", "fluency"),
        ("forward=1,style=1", "style"),
        ("forward=-1", "forward must not be below 0"),
    ],
)
def test_what_cannot_be_built(data, text, message):
    with pytest.raises(UserError, match=message):
        ranking(data, text)


@pytest.mark.parametrize("feature", ["forward", "forward_mean", "dual"])
def test_a_model_of_one_direction_has_no_probability_of_a_pair(data, feature):
    with pytest.raises(UserError, match=r"--rerank: .*a model of both directions"):
        ranking(data, f"{feature}=1,prior=1", "one way")


def test_other_first_stages(data, models):
    one = first_stage(Pipeline(["both"], "parser", beam=3), data)
    assert isinstance(one, BeamSearch) and one.stage.beam == 3
    assert one.stage.decoder is models["both"].decoder("cf")
    two = first_stage(Pipeline(["both", "other"], "parser"), data)
    assert isinstance(two.stage, MixtureStage) and len(two.stage.stages) == 2
    none = first_stage(Pipeline(parser="parser"), data)
    assert isinstance(none, NoParaphrase) and best(none, ["so ? deep !"]) == [["so ? deep !"]]
    skipping = first_stage(Pipeline(parser="parser", skip_punctuation=True), data)
    assert best(skipping, ["so ? deep _lake_ !"]) == [["so deep _lake_"]]


def test_tokens_without_letter_or_digit_can_be_left_out():
    for line, known, read in (
        ("how deep is _lake_ ?", {"deep"}, "how deep is _lake_"),
        ("( 2 pm ) , é", {"(", ")"}, "( 2 pm ) é"),
        ("? !", {}, "? !"),
    ):
        assert best(NoParaphrase(known), [line]) == [[read]]


# -------------------------------------------------------------------------- the balance


def test_balance_keeps_a_favourite_back(data):
    count = len(CANONICAL)
    scores = np.full((count, count), -50.0)
    scores[:, 0] = 30.0  # all like the first best, and one of their own almost as much
    scores[np.arange(count), np.arange(count)] = 29.0
    scores[0, 0] = 30.0
    fake = SimpleNamespace(scores=lambda lines: scores[: len(lines)])
    prior = np.array(fit_prior(fake, 1.0, data))
    assert (scores.argmax(axis=1) == 0).all()
    assert (scores + prior).argmax(axis=1).tolist() == list(range(count))
    np.testing.assert_allclose(fit_prior(fake, 0.25, data), prior / 4)


def test_frequencies_in_z_say_how_much_is_expected(data, tmp_path):
    copy = Path(shutil.copytree(data, tmp_path / "bin"))
    lines = (copy / "text" / "train.cf").read_text().splitlines()
    (copy / "text" / "train.cf").write_text("\n".join([*lines, *[lines[0]] * 7]) + "\n")
    assert canonical_counts(copy) == Counter({**dict.fromkeys(lines, 1), lines[0]: 8})
    assert list(canonical_counts(copy)) == sorted(lines)
    fake = SimpleNamespace(scores=lambda rows: np.zeros((len(rows), len(lines))))
    prior = fit_prior(fake, 1.0, copy)
    expected = np.log([8 if line == lines[0] else 1 for line in sorted(lines)])
    np.testing.assert_allclose(prior - np.mean(prior), expected - expected.mean(), atol=1e-3)


# ------------------------------------------------------------------- what a run keeps


def test_a_similarity_is_fitted_once_for_a_data_bin(data, tmp_path, monkeypatch):
    fitted = fitted_similarity("word_vectors", data, tmp_path, "of this")
    asked = []
    resources = loading.resources
    monkeypatch.setattr(
        loading, "resources", lambda *_, **known: asked.append(1) or resources(*_, **known)
    )
    again = fitted_similarity("word_vectors", data, tmp_path, "of this")
    assert asked == []
    for one, other in zip(fitted.read(NATURAL), again.read(NATURAL)):
        np.testing.assert_array_equal(fitted.scores(one), again.scores(other))
    fitted_similarity("word_vectors", data, tmp_path, "of another")
    assert asked == [1]
    assert fitted_similarity("word_vectors", data).scales == fitted.scales
    assert asked == [1, 1]


def test_a_damaged_file_of_a_similarity_is_made_again(data, tmp_path):
    fitted = fitted_similarity("word_vectors", data, tmp_path, "of this")
    for path in similarity_files(tmp_path / loading.SIMILARITY, "word_vectors"):
        path.write_bytes(path.read_bytes()[:100])
        assert fitted_similarity("word_vectors", data, tmp_path, "of this").scales == fitted.scales


# ------------------------------------------------------------------------- the parser


def test_without_a_parser_the_pairs_say_what_is_meant(data):
    pipeline = Pipeline(rerank={"word_vectors": 1.0}, lookup=True, pick="executable_paraphrase")
    pipeline.check("here")
    parser = load_pipeline(pipeline, data)
    remember_canonicals(parser, data)
    assert parser.second is None and parser.parse.known == {}
    for x, z, form in GEO_ROWS:
        parse = parser(x, variables={"_lake_": "lake.one"})
        assert (parse.canonical, parse.logical_form) == (z, form)
        assert parse.readings[0].logical_form_score == 0


def test_known_canonical_utterances_are_parsed_beforehand(data, models):
    parser = load_pipeline(Pipeline(["both"], "parser"), data)
    remember_canonicals(parser, data)
    assert set(parser.parse.known) == set(CANONICAL)
    looked_up = load_pipeline(Pipeline(["both"], "parser", lookup=True), data)
    remember_canonicals(looked_up, data)
    assert looked_up.parse.known == {} and looked_up.pairs == dict(zip(CANONICAL, FORMS))
    assert looked_up.canonical_utterances == tuple(sorted(CANONICAL))


def test_what_a_pipeline_cannot_be():
    good = Pipeline(["p"], "q")
    good.check("x")
    for change, message in (
        ({"beam": 0}, "x: beam must be at least 1, not 0"),
        ({"beam": True}, "x: beam: input should be a valid integer"),
        ({"proposals": -1}, "x: proposals must be at least 0"),
        ({"proposals": 5}, "x: proposals need rerank"),
        ({"pick": "worst"}, "x: pick is best, executable, executable_paraphrase, not 'worst'"),
        ({"source": "lf"}, "x: source is nl or cf"),
        ({"parser": None}, "x: without a parser, rerank and lookup are needed"),
        ({"paraphrasers": ["a", "b"], "rerank": {"forward": 1.0}}, "x: rerank is for one"),
        ({"paraphrasers": [], "rerank": {"dual": 1.0}}, "need a paraphraser"),
        ({"rerank": {"forward": "1"}}, "x: rerank.forward: input should be a valid number"),
        ({"rerank": {"forward": -0.5}}, "x: forward must not be below 0"),
        ({"rerank": {"forward": math.nan}}, "x: rerank.forward: input should be a"),
        ({"rerank": {"prior": 1.0}}, "x: a prior alone"),
        ({"rerank": {"style": 1.0}}, "x: no feature 'style', only forward"),
    ):
        with pytest.raises(UserError) as caught:
            replace(good, **change).check("x")
        assert message in str(caught.value) and "\n" not in str(caught.value)
