"""ELMo from its published files: ``options.json`` and weights in HDF5.

Peters et al., "Deep contextualized word representations", NAACL 2018. The files are those of
the authors' TensorFlow code: a convolution over each word's characters, highway layers and a
projection; over these a forward and a backward language model of LSTMs with clipped cells and
projected, clipped outputs, the upper layers added to their inputs.

The published code carries LSTM states from batch to batch; here each sentence starts from
zeros, so that its states depend on nothing but itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json
from fairseq_twostage.models.lstm_encoder import gather_time, mirror_index

# Characters are bytes; these stand after them. Every id is shifted by one: 0 is no word at all.
SENTENCE_START, SENTENCE_END, WORD_START, WORD_END, PADDING = 256, 257, 258, 259, 260
ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh}
FORGET_BIAS = 1.0  # TensorFlow's LSTM adds it, the file does not hold it


@dataclass(frozen=True)
class ElmoOptions:
    """What ``options.json`` says.

    Attributes:
        filters: (width, number) of each convolution.
        activation: after the convolutions.
        highways: number of highway layers.
        word_length: characters per word.
        layers: of LSTMs.
        projection: size of a direction's output, and of a word's representation.
        cell: size of the LSTM cells.
        cell_clip: bound of the cells' values; None: no bound.
        output_clip: bound of the outputs' values; None: no bound.
        skip: whether upper layers are added to their inputs.
    """

    filters: tuple[tuple[int, int], ...]
    activation: str
    highways: int
    word_length: int
    layers: int
    projection: int
    cell: int
    cell_clip: float | None
    output_clip: float | None
    skip: bool

    @classmethod
    def read(cls, path: Path) -> ElmoOptions:
        """Read the file.

        Raises:
            UserError: it is not there, or says less than is needed.
        """
        try:
            values = load_json(path.read_text(encoding="utf-8"))
            characters, lstm = values["char_cnn"], values["lstm"]
            return cls(
                filters=tuple((int(width), int(count)) for width, count in characters["filters"]),
                activation=str(characters["activation"]),
                highways=int(characters["n_highway"]),
                word_length=int(characters["max_characters_per_token"]),
                layers=int(lstm["n_layers"]),
                projection=int(lstm["projection_dim"]),
                cell=int(lstm["dim"]),
                cell_clip=lstm.get("cell_clip"),
                output_clip=lstm.get("proj_clip"),
                skip=bool(lstm.get("use_skip_connections", False)),
            )
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror}", str(path)) from None
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(f"not ELMo's options ({error})", str(path)) from None


def character_ids(word: str, length: int) -> list[int]:
    """Ids of a word's bytes between word start and word end, filled up to ``length``."""
    return _filled(list(word.encode("utf-8"))[: length - 2], length)


def _filled(characters: list[int], length: int) -> list[int]:
    ids = [WORD_START, *characters, WORD_END]
    return [identity + 1 for identity in ids + [PADDING] * (length - len(ids))]


class Highway(nn.Module):
    """``y = g · relu(W_t x + b_t) + (1 − g) · x`` with ``g = σ(W_c x + b_c)``."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.transform = nn.Linear(dim, dim)
        self.carry = nn.Linear(dim, dim)

    def forward(self, inputs: Tensor) -> Tensor:
        """Any shape ``(…, dim)`` to the same."""
        gate = torch.sigmoid(self.carry(inputs))
        return gate * torch.relu(self.transform(inputs)) + (1 - gate) * inputs


class CharacterEncoder(nn.Module):
    """A word's characters to its representation without context."""

    def __init__(self, options: ElmoOptions, characters: int, dim: int) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[options.activation]
        self.embedding = nn.Embedding(characters, dim, padding_idx=0)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(dim, count, width) for width, count in options.filters
        )
        size = sum(count for _, count in options.filters)
        self.highways = nn.Sequential(*(Highway(size) for _ in range(options.highways)))
        self.project = nn.Linear(size, options.projection)

    def forward(self, characters: Tensor) -> Tensor:
        """Ids ``(words, characters)`` to ``(words, projection)``."""
        embedded = self.embedding(characters).transpose(1, 2)
        maps = [self.activation(convolve(embedded).amax(dim=2)) for convolve in self.convolutions]
        return self.project(self.highways(torch.cat(maps, dim=1)))


class ClippedLSTM(nn.Module):
    """An LSTM of one direction whose cells are clipped and whose outputs are projected.

    ``i, j, f, o = W [x; h]``; ``c = σ(f) c + σ(i) tanh(j)``, clipped; ``h = P (σ(o) tanh(c))``,
    clipped.
    """

    def __init__(self, input_dim: int, options: ElmoOptions) -> None:
        super().__init__()
        self.cell_clip = options.cell_clip
        self.output_clip = options.output_clip
        self.gates = nn.Linear(input_dim + options.projection, 4 * options.cell)
        self.project = nn.Linear(options.cell, options.projection, bias=False)

    def forward(self, inputs: Tensor) -> Tensor:
        """``(batch, length, input dim)`` to ``(batch, length, projection)``, from zeros."""
        output = inputs.new_zeros(inputs.size(0), self.project.out_features)
        cell = inputs.new_zeros(inputs.size(0), self.project.in_features)
        outputs = []
        for step in inputs.unbind(dim=1):
            gates = self.gates(torch.cat([step, output], dim=1))
            enter, candidate, forget, leave = gates.chunk(4, dim=1)
            cell = torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(candidate)
            cell = _clip(cell, self.cell_clip)
            output = _clip(self.project(torch.sigmoid(leave) * torch.tanh(cell)), self.output_clip)
            outputs.append(output)
        return torch.stack(outputs, dim=1)


def _clip(values: Tensor, bound: float | None) -> Tensor:
    return values if bound is None else values.clamp(-bound, bound)


class Elmo(nn.Module):
    """The biLM: every layer's states of every word.

    Args:
        options: sizes.
        characters: distinct ids, padding included.
        character_dim: size of a character's embedding.
    """

    def __init__(self, options: ElmoOptions, characters: int, character_dim: int) -> None:
        super().__init__()
        self.options = options
        self.words = CharacterEncoder(options, characters, character_dim)
        self.directions = nn.ModuleList(
            nn.ModuleList(ClippedLSTM(options.projection, options) for _ in range(options.layers))
            for _ in ("forward", "backward")
        )
        self.dim = 2 * options.projection
        self.layers = options.layers + 1

    @classmethod
    def load(cls, folder: str | Path) -> Elmo:
        """Read ``folder/options.json`` and ``folder/weights.hdf5``, or files that end so.

        Raises:
            UserError: a file is missing, or its content is not ELMo's.
        """
        folder = Path(folder)
        options = ElmoOptions.read(_only_file(folder, "*options.json"))
        weights = _only_file(folder, "*.hdf5")
        try:
            import h5py
        except ImportError as error:
            raise UserError("needs h5py: pip install 'fairseq-twostage[elmo]'", "ELMo") from error
        try:
            with h5py.File(weights, "r") as file:
                count, dim = file["char_embed"].shape
                model = cls(options, count + 1, dim)
                read_weights(model, file)
        except (OSError, KeyError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:120]
            raise UserError(f"not the weights of these options ({reason})", str(weights)) from error
        return model.eval().requires_grad_(False)

    def forward(self, characters: Tensor, padding: Tensor) -> Tensor:
        """States of a batch.

        Args:
            characters: of each word, sentence start and end included,
                ``(batch, length, characters)``.
            padding: True where there is no word, on the right, ``(batch, length)``.

        Returns:
            ``(batch, layers, length, dim)``; the first layer is the representation without
            context, twice.
        """
        words = self.words(characters.flatten(0, 1)).view(*padding.shape, -1)
        mirror = mirror_index(padding)
        forward, backward = [words], [gather_time(words, mirror)]
        for states, lstms in zip((forward, backward), self.directions):
            for number, lstm in enumerate(cast(nn.ModuleList, lstms)):
                output = lstm(states[-1])
                states.append(output + states[-1] if self.options.skip and number else output)
        layers = [
            torch.cat([ahead, gather_time(back, mirror)], dim=2)
            for ahead, back in zip(forward, backward)
        ]
        return torch.stack(layers, dim=1)

    @torch.no_grad()
    def token_states(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """States of the words of sentences, without those of sentence start and end.

        Returns:
            ``(n, layers, longest sentence, dim)``, zero beyond a sentence's end, and whether
            there is a word, ``(n, longest sentence)``.
        """
        length = self.options.word_length
        start, end = _filled([SENTENCE_START], length), _filled([SENTENCE_END], length)
        rows = [
            torch.tensor([start, *(character_ids(word, length) for word in words), end])
            for words in sentences
        ]
        characters = nn.utils.rnn.pad_sequence(rows, batch_first=True)
        lengths = torch.tensor([len(row) for row in rows]).unsqueeze(1)
        positions = torch.arange(characters.size(1)).unsqueeze(0)
        states = self(characters, positions >= lengths)[:, :, 1:-1]
        mask = positions[:, : states.size(2)] < lengths - 2
        return states.masked_fill(~mask[:, None, :, None], 0.0), mask


def _only_file(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise UserError(f"holds {len(found)} files {pattern}; one is needed", str(folder))
    return found[0]


@torch.no_grad()
def read_weights(model: Elmo, file: Any) -> None:
    """Copy the arrays of an open HDF5 file into ``model``.

    Raises:
        KeyError: an array is missing.
        ValueError: an array has another shape than the options say.
    """

    def fill(parameter: Tensor, values: Any) -> None:
        array = torch.as_tensor(values)
        if array.shape != parameter.shape:
            raise ValueError(f"shape {tuple(array.shape)}, not {tuple(parameter.shape)}")
        parameter.copy_(array)

    words = model.words
    words.embedding.weight[0].zero_()
    fill(words.embedding.weight[1:], file["char_embed"][...])
    for number, convolution in enumerate(words.convolutions):
        # TensorFlow: (1, width, character dim, maps)
        kernel = torch.as_tensor(file[f"CNN/W_cnn_{number}"][...])
        fill(convolution.weight, kernel.squeeze(0).permute(2, 1, 0))  # type: ignore[arg-type]
        fill(convolution.bias, file[f"CNN/b_cnn_{number}"][...])  # type: ignore[arg-type]
    for number, highway in enumerate(words.highways):
        for name in ("transform", "carry"):
            linear = getattr(highway, name)
            fill(linear.weight, file[f"CNN_high_{number}/W_{name}"][...].T)
            fill(linear.bias, file[f"CNN_high_{number}/b_{name}"][...])
    fill(words.project.weight, file["CNN_proj/W_proj"][...].T)
    fill(words.project.bias, file["CNN_proj/b_proj"][...])
    for direction, lstms in enumerate(model.directions):
        for number, module in enumerate(cast(nn.ModuleList, lstms)):
            lstm = cast(ClippedLSTM, module)
            cell = file[f"RNN_{direction}/RNN/MultiRNNCell/Cell{number}/LSTMCell"]
            fill(lstm.gates.weight, cell["W_0"][...].T)
            fill(lstm.gates.bias, cell["B"][...])
            lstm.gates.bias.chunk(4)[2].add_(FORGET_BIAS)
            fill(lstm.project.weight, cell["W_P_0"][...].T)
