"""The naive parser: the paraphraser's architecture with parameters of its own."""

import pytest
import torch

from fairseq_twostage.errors import UserError
from tests.builders import dictionaries, naive_parser, tokens_of


def test_reads_utterances_and_writes_logical_forms():
    words = dictionaries()
    parser = naive_parser()
    sources = tokens_of(words["utterance"], "ship whose length is largest", "ship in port")
    prefix = torch.full((2, 3), words["lf"].eos())
    logits, _ = parser(sources, None, prefix)
    assert logits.shape == (2, 3, len(words["lf"]))


def test_words_start_from_vectors_and_symbols_do_not(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("2 4\nship 1 2 3 4\nplease 5 6 7 8\n")
    words = dictionaries()
    parser = naive_parser(embeddings=str(path), double=False)
    sources, targets = parser.encoder.embedding.weight, parser.decoder.embedding.weight
    assert sources[words["utterance"].index("ship")].tolist() == [1, 2, 3, 4]
    # Natural words have vectors too: that is how one-stage parsing can work at all.
    assert sources[words["utterance"].index("please")].tolist() == [5, 6, 7, 8]
    assert targets[words["lf"].index("ship")].tolist() != [1, 2, 3, 4]
    # The same network writing canonical utterances is the supervised paraphraser.
    writer = naive_parser(embeddings=str(path), double=False, target_lang="cf")
    assert writer.decoder.embedding.weight[words["cf"].index("ship")].tolist() == [1, 2, 3, 4]


def test_parameters_start_within_the_papers_range():
    parser = naive_parser(double=False)
    rest = [p for name, p in parser.named_parameters() if "embedding" not in name]
    assert all(0.01 < parameter.abs().max() <= 0.2 for parameter in rest)


def test_vectors_of_another_width_are_refused(tmp_path):
    (tmp_path / "embeddings.txt").write_text("1 3\nship 1 2 3\n")
    with pytest.raises(UserError, match="--embed-dim 3"):
        naive_parser(embeddings="auto", data=str(tmp_path))


def test_source_vectors_can_stay_as_they_are(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("1 4\nship 1 2 3 4\n")
    assert naive_parser(embeddings=str(path)).encoder.embedding.weight.requires_grad
    frozen = naive_parser(embeddings=str(path), freeze_embeddings=True)
    kept = [name for name, p in frozen.named_parameters() if not p.requires_grad]
    assert kept == ["encoder.embedding.weight"]
