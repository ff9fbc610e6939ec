"""How parameters start: uniform, and word vectors for the embeddings."""

import logging
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from fairseq_twostage.errors import UserError
from fairseq_twostage.models.vocabulary import Words

logger = logging.getLogger(__name__)

INITIAL_RANGE = 0.2  # the paper's uniform(-0.2, 0.2)


def initialize_uniform(module: nn.Module, bound: float = INITIAL_RANGE) -> None:
    """Draw every parameter of ``module`` but its embeddings from uniform(-bound, bound)."""
    embeddings = {
        id(parameter)
        for child in module.modules()
        if isinstance(child, nn.Embedding)
        for parameter in child.parameters()
    }
    for parameter in module.parameters():
        if id(parameter) not in embeddings:
            nn.init.uniform_(parameter, -bound, bound)


def read_word_vectors(option: str, data: str, dim: int) -> Mapping[str, Tensor]:
    """The word vectors that a model's ``--embeddings`` option asks for.

    Args:
        option: ``auto`` (the data-bin's own file, if it has one), ``none``, or a file.
        data: the data-bin.
        dim: the width that the model needs.

    Raises:
        UserError: the file does not exist or its vectors have another width.
    """
    if option == "none":
        return {}
    path = Path(data) / "embeddings.txt" if option == "auto" else Path(option)
    if option == "auto" and not path.exists():
        logger.warning("no %s: embeddings start at random", path)
        return {}
    if not path.is_file():
        raise UserError("no such file; give word vectors, 'auto' or 'none'", f"--embeddings {path}")
    try:
        vectors = _parse(path)
    except ValueError as error:
        raise UserError(f"not a file of word vectors ({error})", str(path)) from None
    width = next((len(vector) for vector in vectors.values() if len(vector) != dim), dim)
    if width != dim:
        raise UserError(
            f"vectors have {width} numbers, the model has --embed-dim {dim}: "
            f"prepare the data with {dim}-dimensional vectors or set --embed-dim {width}",
            str(path),
        )
    return vectors


def _parse(path: Path) -> dict[str, Tensor]:
    """A vector per line; the first line may be a header, ``words dimension``."""
    vectors = {}
    number = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            word, *values = line.rstrip().split(" ")
            if number > 1 or len(values) > 1:
                vectors[word] = torch.tensor([float(value) for value in values])
    if not number:
        raise ValueError("empty")
    return vectors


def word_embedding(
    dictionary: Words, dim: int, vectors: Mapping[str, Tensor] | None = None, start: str = "normal"
) -> nn.Embedding:
    """An embedding that starts from word vectors where there are any.

    The paper's uniform(-0.2, 0.2) is for everything but the embeddings. So small a start hides
    what has no vector, symbols of logical forms and placeholders, from the LSTM for many
    epochs.

    Args:
        dictionary: the words.
        dim: size of an embedding.
        vectors: those to start from.
        start: of the other words, ``normal`` for N(0, 1) or ``uniform`` for uniform(-0.2, 0.2).
            ``<unk>``, which no training utterance has, is uniform either way; padding is zero.
    """
    embedding = nn.Embedding(len(dictionary), dim, padding_idx=dictionary.pad())  # N(0, 1)
    with torch.no_grad():
        small = embedding.weight if start == "uniform" else embedding.weight[dictionary.unk()]
        small.uniform_(-INITIAL_RANGE, INITIAL_RANGE)
        for index in range(len(dictionary)):
            vector = (vectors or {}).get(dictionary[index])
            if vector is not None:
                embedding.weight[index] = vector
        embedding.weight[dictionary.pad()].zero_()
    return embedding
