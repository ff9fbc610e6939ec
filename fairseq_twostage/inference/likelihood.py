"""``log P(z | x)`` and ``log P(x | z)`` of the paraphraser for given pairs.

What depends on a candidate alone, the decoder's states over its words and the encoder's states of
it, is computed when it is first asked for and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from fairseq_twostage.decoding.lean import evaluation_mode
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.packing import WrittenWords, written_words
from fairseq_twostage.models.scoring import sum_by_sentence
from fairseq_twostage.models.sentences import padded_ids
from fairseq_twostage.pairing.similarity import Matrix

BATCH = 64


class Direction(NamedTuple):
    """One direction of the paraphraser: an encoder and the decoder that attends to it."""

    encoder: Any
    decoder: AttentionalLSTMDecoder

    def memory(self, lines: Sequence[str]) -> Memory:
        """What the decoder attends to, one row per line."""
        tokens = padded_ids(self.encoder.dictionary, lines)
        return self.decoder.memory(self.encoder(tokens))

    def written(self, lines: Sequence[str]) -> WrittenWords:
        """The words of lines and the decoder's states before each."""
        return written_words(self.decoder, padded_ids(self.decoder.dictionary, lines))

    @torch.no_grad()
    def log_probs(self, sources: Sequence[str], targets: Sequence[str]) -> Matrix:
        """``log P(target | source)`` of every pair, ``(sources, targets)``, in nats."""
        with evaluation_mode(self.encoder), evaluation_mode(self.decoder):
            written = self.written(targets)
            parts = []
            for start in range(0, len(sources), BATCH):
                memory = self.memory(sources[start : start + BATCH])
                parts.append(every_log_prob(self.decoder, memory, written, len(targets)))
        found: Matrix = torch.cat(parts).double().numpy()
        return found


def every_log_prob(
    decoder: AttentionalLSTMDecoder, memory: Memory, written: WrittenWords, count: int
) -> Tensor:
    """``log P(target | input)`` of every target for every input.

    The decoder's states do not depend on what it attends to: targets are read once.

    Args:
        decoder: in evaluation mode.
        memory: one row per input.
        written: the words of ``count`` targets.
        count: see there.

    Returns:
        ``(inputs, count)``, in nats.
    """
    queries = decoder.attention.queries(written.states).unsqueeze(0)
    lengths = (~memory.padding).sum(dim=1).tolist()
    rows = []
    for row, length in enumerate(lengths):
        part = memory.select(torch.tensor([row], device=queries.device)).shorten(length)
        context, _ = decoder.attention.attend(queries, part)
        rows.append(sum_by_sentence(decoder, written, context.squeeze(0), count))
    return torch.stack(rows)


class DirectLikelihood:
    """``log P(z | x)`` of one x and some candidates z."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction
        self._written: dict[str, WrittenWords] = {}

    @torch.no_grad()
    def of(self, x: str) -> Callable[[Sequence[str]], Tensor]:
        """Candidates to their log-probabilities given x, ``(z,)``, in nats."""
        memory = self.direction.memory([x])

        def log_probs(candidates: Sequence[str]) -> Tensor:
            parts = self._words(candidates)
            written = WrittenWords(
                torch.cat([part.words for part in parts]),
                torch.repeat_interleave(torch.tensor([len(part.words) for part in parts])),
                torch.cat([part.states for part in parts]),
            )
            return every_log_prob(self.direction.decoder, memory, written, len(candidates))[0]

        return torch.no_grad()(log_probs)

    def _words(self, candidates: Sequence[str]) -> list[WrittenWords]:
        new = [z for z in dict.fromkeys(candidates) if z not in self._written]
        if new:
            found = self.direction.written(new)
            for row, z in enumerate(new):
                places = found.sentences.eq(row).nonzero().squeeze(1)
                self._written[z] = found.select(places)
        return [self._written[z] for z in candidates]


class DualLikelihood:
    """``log P(x | z)`` of one x and some candidates z."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction
        self._memories: dict[str, tuple[Tensor, Tensor]] = {}

    @torch.no_grad()
    def of(self, x: str) -> Callable[[Sequence[str]], Tensor]:
        """Candidates to the log-probability of x given each, ``(z,)``, in nats."""
        decoder = self.direction.decoder
        target = padded_ids(decoder.dictionary, [x])[0]
        written = self.direction.written([x])
        queries = decoder.attention.queries(written.states).unsqueeze(0)

        def log_probs(candidates: Sequence[str]) -> Tensor:
            count = len(candidates)
            context, _ = decoder.attention.attend(
                queries.expand(count, -1, -1), self._memory(candidates)
            )
            states = written.states.unsqueeze(0).expand(count, -1, -1)
            scores = decoder.predict(states, context).log_softmax(dim=-1)
            wanted = target.view(1, -1, 1).expand(count, -1, 1)
            return scores.gather(2, wanted).squeeze(2).sum(dim=1)

        return torch.no_grad()(log_probs)

    def _memory(self, candidates: Sequence[str]) -> Memory:
        new = [z for z in dict.fromkeys(candidates) if z not in self._memories]
        if new:
            found = self.direction.memory(new)
            lengths = (~found.padding).sum(dim=1).tolist()
            for row, (z, length) in enumerate(zip(new, lengths)):
                kept = found.values[row, :length].clone(), found.keys[row, :length].clone()
                self._memories[z] = kept
        memories = [self._memories[z] for z in candidates]
        counts = torch.tensor([len(values) for values, _ in memories])
        padding = torch.arange(int(counts.max())) >= counts.unsqueeze(1)
        values, keys = (pad_sequence(list(part), batch_first=True) for part in zip(*memories))
        return Memory(values, keys, padding)
