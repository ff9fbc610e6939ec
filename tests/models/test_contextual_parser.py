"""The naive parser over frozen states in place of word embeddings."""

from types import SimpleNamespace

import pytest
import torch

from fairseq_twostage.decoding.lean import PARSE_LIMIT
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.contextual_parser import (
    ENCODERS,
    ContextualEmbedding,
    ContextualParser,
    ContextualParserConfig,
)
from tests.builders import dictionaries, tokens_of

DIM = 3


class Letters:
    """A word's state: its length, its place, the sentence's length; layer j times j + 1."""

    dim = DIM

    def __init__(self, layers=1):
        self.layers = layers
        self.asked = []

    def token_states(self, sentences):
        self.asked += [tuple(words) for words in sentences]
        width = max(map(len, sentences))
        states = torch.zeros(len(sentences), self.layers, width, DIM)
        for row, words in enumerate(sentences):
            for place, word in enumerate(words):
                for layer in range(self.layers):
                    state = torch.tensor([len(word), place, len(words)])
                    states[row, layer, place] = (layer + 1) * state
        mask = torch.zeros(len(sentences), width)
        return (states if self.layers > 1 else states.squeeze(1)), mask


@pytest.fixture
def words():
    return dictionaries()["utterance"]


def test_vectors_are_the_states_and_a_trained_end(words):
    embedding = ContextualEmbedding(Letters(), words)
    with torch.no_grad():
        embedding.end.copy_(torch.tensor([7.0, 8.0, 9.0]))
    vectors = embedding(tokens_of(words, "longest ship", "port"))
    assert vectors.tolist() == [
        [[7, 0, 2], [4, 1, 2], [7, 8, 9]],
        [[4, 0, 1], [7, 8, 9], [0, 0, 0]],
    ]


def test_layers_are_mixed(words):
    embedding = ContextualEmbedding(Letters(layers=2), words)
    with torch.no_grad():
        embedding.mix.copy_(torch.tensor([0.0, 3.0]).log1p())  # softmax: 1/5, 4/5
        embedding.scale.fill_(5.0)
    vectors = embedding(tokens_of(words, "port"))
    expected = 5 * (1 / 5 * 1 + 4 / 5 * 2) * torch.tensor([4.0, 0.0, 1.0])
    torch.testing.assert_close(vectors[0, 0], expected)
    vectors[0, 0].sum().backward()
    assert embedding.mix.grad.abs().max() > 0


def test_a_sentence_is_read_once(words):
    encoder = Letters()
    embedding = ContextualEmbedding(encoder, words)
    embedding(tokens_of(words, "ship", "port", "ship"))
    embedding(tokens_of(words, "longest ship", "port"))
    assert encoder.asked == [("ship",), ("port",), ("longest", "ship")]


def parser(monkeypatch, encoder, **options):
    monkeypatch.setitem(ENCODERS, "sentence_encoder", lambda weights: encoder)
    torch.manual_seed(1)
    words = dictionaries()
    task = SimpleNamespace(
        cfg=SimpleNamespace(data="no-data"),
        source_dictionary=words["utterance"],
        target_dictionary=words["lf"],
    )
    settings = {"embed_dim": 4, "hidden_dim": 5, "dropout": 0.0} | options
    return ContextualParser.build_model(ContextualParserConfig(**settings), task)


def test_the_parser_reads_states_and_saves_none_of_the_encoder(monkeypatch):
    encoder = Letters(layers=2)
    model = parser(monkeypatch, encoder)
    assert model.encoder.forward_lstm.input_size == DIM
    assert model.encoder.embedding.mix.tolist() == [0, 0]
    assert model.encoder.embedding.scale.item() == 1
    embedding = {name for name in model.state_dict() if "embedding" in name}
    assert embedding == {
        "encoder.embedding.end",
        "encoder.embedding.mix",
        "encoder.embedding.scale",
        "decoder.embedding.weight",
    }


def test_words_without_an_entry_are_read(monkeypatch):
    encoder = Letters()
    model = parser(monkeypatch, encoder).eval()
    stage = BeamStage(model.encoder, model.decoder, 1, PARSE_LIMIT, open_vocabulary=True)
    assert model.open_vocabulary
    stage(["unheard ship"])
    assert encoder.asked == [("unheard", "ship")]


def test_weights_must_be_given(monkeypatch):
    for kind in ("bert", "elmo"):
        with pytest.raises(UserError, match=f"--contextual-weights: needs the weights of {kind}"):
            parser(monkeypatch, Letters(), contextual=kind)


def test_bert_is_read_from_a_folder(tmp_path):
    transformers = pytest.importorskip("transformers")
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "ship", "port", "##s", "long", "##est"]
    (tmp_path / "vocab.txt").write_text("\n".join(pieces))
    config = transformers.BertConfig(
        vocab_size=len(pieces),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=32,
    )
    torch.manual_seed(0)
    bert = transformers.BertModel(config).eval()
    bert.save_pretrained(tmp_path)
    transformers.BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    encoder = ENCODERS["bert"](str(tmp_path))
    states, _ = encoder.token_states([["longest", "ships"]])
    ids = torch.tensor([[2, 8, 9, 5, 7, 3]])  # [CLS] long ##est ship ##s [SEP]
    with torch.no_grad():
        expected = bert(ids).last_hidden_state[0]
    torch.testing.assert_close(states[0, 0], expected[1:3].mean(dim=0))
    torch.testing.assert_close(states[0, 1], expected[3:5].mean(dim=0))
