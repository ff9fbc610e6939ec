"""One stage in use: text in, hypotheses out, and what was attended to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from fairseq_twostage.decoding.lean import LengthLimit, evaluation_mode
from fairseq_twostage.decoding.patient_beam import patient_hypotheses
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.lstm_encoder import BiLSTMEncoder
from fairseq_twostage.models.sentences import padded_ids, shift_right


class Hypothesis(NamedTuple):
    """What a stage wrote, and its log-probability per token."""

    text: str
    score: float


@dataclass(frozen=True)
class BeamStage:
    """An encoder-decoder from text to hypotheses, by a beam.

    Attributes:
        encoder: reads the source text.
        decoder: writes the target text.
        beam: width; a dictionary of few words makes it narrower.
        limit: of the output's length.
        batch_size: sentences at once.
        open_vocabulary: whether the encoder reads words that its dictionary does not have;
            they are added to it.
    """

    encoder: BiLSTMEncoder
    decoder: AttentionalLSTMDecoder
    beam: int
    limit: LengthLimit
    batch_size: int = 64
    open_vocabulary: bool = False

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The hypotheses of each line, best first; equal lines are decoded once."""
        return [[text for text, _ in found] for found in self.scored(lines)]

    @torch.no_grad()
    def scored(self, lines: Sequence[str]) -> list[list[Hypothesis]]:
        """The same, each with its score."""
        distinct = sorted(set(lines), key=lambda line: (len(line.split()), line))
        found: dict[str, list[Hypothesis]] = {}
        with evaluation_mode(self.encoder), evaluation_mode(self.decoder):
            for start in range(0, len(distinct), self.batch_size):
                batch = distinct[start : start + self.batch_size]
                found.update(zip(batch, self._search(batch)))
        return [found[line] for line in lines]

    @torch.no_grad()
    def attention(self, source: str, target: str) -> list[list[float]]:
        """For each word of ``target`` the weights over the words of ``source``.

        The weight on the source's end of sentence is left out: rows sum to at most 1.
        """
        written = padded_ids(self.decoder.dictionary, [target])
        prefix = shift_right(written, self.decoder.dictionary.eos())
        with evaluation_mode(self.encoder), evaluation_mode(self.decoder):
            _, weights = self.decoder.teacher_forced(prefix, self._memory([source]))
        rows: list[list[float]] = weights[0, :-1, :-1].tolist()
        return rows

    def _search(self, lines: Sequence[str]) -> list[list[Hypothesis]]:
        words = len(self.decoder.dictionary) - self.decoder.dictionary.nspecial
        width = max(1, min(self.beam, (words - 1) // 2))
        found = patient_hypotheses(self.decoder, self._memory(lines), width, self.limit)
        return [
            [Hypothesis(self._text(ids), score) for ids, score in hypotheses]
            for hypotheses in found
        ]

    def _memory(self, lines: Sequence[str]) -> Memory:
        return self.decoder.memory(self.encoder(self._tokens(lines)))

    def _tokens(self, lines: Sequence[str]) -> Tensor:
        tokens = padded_ids(self.encoder.dictionary, lines, self.open_vocabulary)
        return tokens.to(self.decoder.output.weight.device)

    def _text(self, ids: Sequence[int]) -> str:
        words = self.decoder.dictionary
        return " ".join(words[index] for index in ids if index != words.eos())
