"""How parameters start, and word vectors read from a file."""

import pytest
import torch

from fairseq_twostage.errors import UserError
from fairseq_twostage.models.initialization import (
    initialize_uniform,
    read_word_vectors,
    word_embedding,
)
from tests.builders import (
    dictionaries,
    dictionary_of,
    language_model,
    naive_parser,
    paraphraser,
    style_cnn,
)

FILE = "2 3\nship 1 2 3\nport -1 0.5 4e-1\n"


@pytest.fixture
def vectors(tmp_path):
    path = tmp_path / "embeddings.txt"
    path.write_text(FILE)
    return path


def test_vectors_of_the_data_bin_or_of_a_file(vectors):
    for option in ("auto", str(vectors)):
        read = read_word_vectors(option, str(vectors.parent), 3)
        assert {word: vector.tolist() for word, vector in read.items()} == {
            "ship": [1, 2, 3],
            "port": [-1, 0.5, pytest.approx(0.4)],
        }
    assert read_word_vectors("none", str(vectors.parent), 3) == {}


def test_a_file_without_a_header_keeps_its_first_word(tmp_path):
    path = tmp_path / "glove.txt"
    path.write_text("ship 1 2 3\nport -1 0.5 0.4\n")
    read = read_word_vectors(str(path), "", 3)
    assert sorted(read) == ["port", "ship"]
    assert read["ship"].tolist() == [1, 2, 3]


def test_a_data_bin_without_vectors_is_said(tmp_path, caplog):
    assert read_word_vectors("auto", str(tmp_path), 3) == {}
    assert "embeddings start at random" in caplog.text


@pytest.mark.parametrize(
    "text, width, message",
    [
        (FILE, 4, "vectors have 3 numbers, the model has --embed-dim 4"),
        ("2 3\nship 1 2 3\nport 1 2\n", 3, "vectors have 2 numbers, the model has --embed-dim 3"),
        ("1 3\nship 1 two 3\n", 3, "not a file of word vectors"),
        ("", 3, "not a file of word vectors"),
    ],
)
def test_unusable_vectors_are_an_error_in_one_line(tmp_path, text, width, message):
    path = tmp_path / "vectors.txt"
    path.write_text(text)
    with pytest.raises(UserError, match=message) as error:
        read_word_vectors(str(path), "no-data", width)
    assert str(path) in str(error.value)


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(UserError, match=r"--embeddings .*absent.txt: no such file"):
        read_word_vectors(str(tmp_path / "absent.txt"), "no-data", 3)


@pytest.mark.parametrize("start", ["normal", "uniform"])
def test_rows_with_a_vector_are_copied_whatever_the_others_start_from(start):
    words = dictionary_of("ship port quay")
    vectors = {
        "ship": torch.tensor([1.0, 2.0, 3.0]),
        "port": torch.tensor([-4.0, 5.0, 6.0]),
        "<pad>": torch.tensor([7.0, 7.0, 7.0]),
        "elsewhere": torch.tensor([9.0, 9.0, 9.0]),
    }
    embedding = word_embedding(words, 3, vectors, start)
    weight = embedding.weight.detach()
    assert weight.shape == (len(words), 3)
    assert weight[words.index("ship")].tolist() == [1, 2, 3]
    assert weight[words.index("port")].tolist() == [-4, 5, 6]
    assert weight[words.pad()].tolist() == [0, 0, 0]
    assert embedding.padding_idx == words.pad()
    assert embedding.weight.requires_grad


@pytest.mark.parametrize("start, deviation", [("normal", 1.0), ("uniform", 0.4 / 12**0.5)])
def test_words_without_a_vector_start_normal_or_uniform_and_unk_small(start, deviation):
    torch.manual_seed(10)
    dim = 10_000
    words = dictionary_of("ship quay")
    weight = word_embedding(words, dim, {"ship": torch.zeros(dim)}, start).weight.detach()
    error = deviation / dim**0.5  # of a mean; a deviation's is at most that
    for word in ("quay", "</s>", "<s>"):
        row = weight[words.index(word)]
        assert abs(row.mean().item()) < 4 * error, word
        assert abs(row.std().item() - deviation) < 4 * error, word
        assert (row.abs().max() <= 0.2) == (start == "uniform"), word
    assert 0.18 < weight[words.unk()].abs().max() <= 0.2


@pytest.mark.parametrize("model", [paraphraser, naive_parser, language_model, style_cnn])
def test_every_embedding_of_a_model_starts_as_asked(model):
    words = [dictionaries()["nl"]] if model in (language_model, style_cnn) else []
    for options, small in [({}, False), ({"embedding_start": "uniform"}, True)]:
        built = model(*words, double=False, **options)
        embeddings = [m for m in built.modules() if isinstance(m, torch.nn.Embedding)]
        assert len(embeddings) == {paraphraser: 3, naive_parser: 2}.get(model, 1)
        for embedding in embeddings:
            assert (embedding.weight.abs().max() <= 0.2) == small


def test_everything_but_embeddings_is_uniform_within_the_range():
    torch.manual_seed(11)
    model = torch.nn.ModuleDict(
        {
            "embedding": torch.nn.Embedding(50, 40),
            "lstm": torch.nn.LSTM(40, 50),
            "output": torch.nn.Linear(50, 60),
        }
    )
    before = model["embedding"].weight.detach().clone()
    initialize_uniform(model)
    assert torch.equal(model["embedding"].weight, before)
    for module in (model["lstm"], model["output"]):
        for name, parameter in module.named_parameters():
            assert parameter.abs().max() <= 0.2, name
            assert parameter.abs().max() > 0.18, name
            # Uniform on (-0.2, 0.2): mean 0, standard deviation 0.4 / sqrt(12).
            error = 0.1155 / parameter.numel() ** 0.5
            assert abs(parameter.mean().item()) < 4 * error, name
            assert abs(parameter.std().item() - 0.1155) < 4 * error, name
