"""One stage in use: text in, scored hypotheses out, and what was attended to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from fairseq.data import Dictionary, data_utils
from fairseq.models import FairseqEncoderDecoderModel
from torch import Tensor

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.patient_beam import patient_hypotheses
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.initialization import word_embedding
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.lstm_encoder import BiLSTMEncoder
from fairseq_twostage.models.utterance_lm import shift_right

BATCH = 64


class Hypothesis(NamedTuple):
    """What a stage wrote, and its log-probability per token."""

    text: str
    score: float


@dataclass(frozen=True)
class ScoredStage:
    """An encoder-decoder from text to hypotheses.

    Attributes:
        encoder: reads the source text.
        decoder: writes the target text.
        beam: width.
        limit: of the output's length.
    """

    encoder: BiLSTMEncoder
    decoder: AttentionalLSTMDecoder
    beam: int
    limit: LengthLimit

    @torch.inference_mode()
    def __call__(self, lines: Sequence[str]) -> list[list[Hypothesis]]:
        """The hypotheses of each line, best first; equal lines are decoded once."""
        distinct = sorted(set(lines), key=lambda line: (len(line.split()), line))
        found: dict[str, list[Hypothesis]] = {}
        for start in range(0, len(distinct), BATCH):
            batch = distinct[start : start + BATCH]
            found.update(zip(batch, self._search(batch)))
        return [found[line] for line in lines]

    def _search(self, lines: Sequence[str]) -> list[list[Hypothesis]]:
        # A dictionary of very few words cannot fill a wide beam.
        words = len(self.decoder.dictionary) - self.decoder.dictionary.nspecial
        width = max(1, min(self.beam, (words - 1) // 2))
        found = patient_hypotheses(self.decoder, self._memory(lines), width, self.limit)
        return [
            [Hypothesis(self._text(ids), score) for ids, score in hypotheses]
            for hypotheses in found
        ]

    def _memory(self, lines: Sequence[str]) -> Memory:
        rows = [_ids(self.encoder.dictionary, line) for line in lines]
        tokens = data_utils.collate_tokens(rows, self.encoder.dictionary.pad())
        return self.decoder.memory(self.encoder(tokens))

    def _text(self, ids: Sequence[int]) -> str:
        words = self.decoder.dictionary
        return " ".join(words[index] for index in ids if index != words.eos())

    @torch.inference_mode()
    def attention(self, source: str, target: str) -> list[list[float]]:
        """For each word of ``target`` the weights over the words of ``source``.

        The weight on the source's end of sentence is left out: rows sum to at most 1.
        """
        written = _ids(self.decoder.dictionary, target).unsqueeze(0)
        prefix = shift_right(written, self.decoder.dictionary.eos())
        _, weights = self.decoder.teacher_forced(prefix, self._memory([source]))
        rows: list[list[float]] = weights[0, :-1, :-1].tolist()
        return rows


def _ids(words: Dictionary, line: str) -> Tensor:
    return words.encode_line(line, add_if_not_exist=False, append_eos=True).long()


class Sizes(NamedTuple):
    """Everything but the words that decides the shape of an encoder-decoder."""

    embed_dim: int
    hidden_dim: int
    attention_bias: bool
    bottleneck_dim: int

    @classmethod
    def of(cls, encoder: Any, decoder: Any) -> Sizes:
        """The sizes of a trained model.

        Raises:
            UserError: it is of another kind.
        """
        if type(encoder) is not BiLSTMEncoder or type(decoder) is not AttentionalLSTMDecoder:
            kinds = f"{type(encoder).__name__} and {type(decoder).__name__}"
            raise UserError(f"only the attentional LSTM can be exported, not {kinds}")
        bottleneck = getattr(decoder.bottleneck, "out_features", 0)
        bias = decoder.attention.project_query.bias is not None
        return cls(encoder.embedding.embedding_dim, decoder.hidden_dim, bias, bottleneck)


def build_model(
    source: Dictionary, target: Dictionary, sizes: Sizes, weights: Mapping[str, Tensor]
) -> FairseqEncoderDecoderModel:
    """The encoder-decoder with the given weights, in evaluation mode.

    Raises:
        RuntimeError: the weights do not fit.
    """
    dim, hidden = sizes.embed_dim, sizes.hidden_dim
    encoder = BiLSTMEncoder(source, word_embedding(source, dim), hidden, dropout=0.0)
    decoder = AttentionalLSTMDecoder(
        target,
        word_embedding(target, dim),
        hidden,
        encoder.output_dim,
        0.0,
        sizes.attention_bias,
        sizes.bottleneck_dim,
    )
    model = FairseqEncoderDecoderModel(encoder, decoder)
    model.to(next(iter(weights.values())).dtype)
    model.load_state_dict(dict(weights))
    model.eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model


def dictionary_of(symbols: Sequence[str]) -> Dictionary:
    """fairseq's dictionary of given symbols, the special ones first.

    Raises:
        ValueError: they are not a dictionary's symbols.
    """
    words = Dictionary()
    for symbol in symbols[words.nspecial :]:
        words.add_symbol(symbol)
    if words.symbols != list(symbols):
        raise ValueError("not the symbols of a dictionary")
    return words
