"""``log P(z | x)`` and ``log P(x | z)`` of the paraphraser for given pairs.

What depends on one of the two alone is computed once: the decoder's states over the words that it
writes and what they say of the next word, and the keys and values of the words that it attends to.
Of candidates it is kept, as what it adds to the output
(:meth:`.AttentionalLSTMDecoder.context_share`), so that little is left to do for each pair.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from fairseq_twostage.decoding.lean import evaluation_mode
from fairseq_twostage.inference.memory import BatchMemory
from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.packing import written_words
from fairseq_twostage.models.sentences import padded_ids
from fairseq_twostage.pairing.similarity import Matrix

BATCH = 64
KEPT = 20_000  # candidates; one of twelve words takes some 20 kB
Ask = Callable[[Sequence[str]], Tensor]


class Attended(NamedTuple):
    """A line that a decoder attends to.

    Attributes:
        keys: ``(words, attention dim)``.
        shares: what each of the values adds to the output, ``(words, dim)``.
    """

    keys: Tensor
    shares: Tensor


class Written(NamedTuple):
    """A line that a decoder writes.

    Attributes:
        words: ids, end of sentence included, ``(words,)``.
        queries: with which the state before each attends, ``(words, attention dim)``.
        shares: what that state adds to the output, ``(words, dim)``.
    """

    words: Tensor
    queries: Tensor
    shares: Tensor


class Direction(NamedTuple):
    """One direction of the paraphraser: an encoder and the decoder that attends to it."""

    encoder: Any
    decoder: AttentionalLSTMDecoder

    @torch.no_grad()
    def attended(self, lines: Sequence[str]) -> list[Attended]:
        """Each line as the decoder attends to it."""
        with evaluation_mode(self.encoder), evaluation_mode(self.decoder):
            memory = self.decoder.memory(self.encoder(padded_ids(self.encoder.dictionary, lines)))
            shares = self.decoder.context_share(memory.values)
        lengths = (~memory.padding).sum(dim=1).tolist()
        return [
            Attended(memory.keys[row, :length].clone(), shares[row, :length].clone())
            for row, length in enumerate(lengths)
        ]

    @torch.no_grad()
    def written(self, lines: Sequence[str]) -> list[Written]:
        """Each line as the decoder writes it."""
        with evaluation_mode(self.decoder):
            found = written_words(self.decoder, padded_ids(self.decoder.dictionary, lines))
            order = found.sentences.argsort(stable=True)
            words, sentences, states = found.select(order)
            queries = self.decoder.attention.queries(states)
            parts = words, queries, self.decoder.state_share(states)
        lengths = torch.bincount(sentences).tolist()
        return [
            Written(*(part.clone() for part in line))
            for line in zip(*(part.split(lengths) for part in parts))
        ]

    def log_probs(self, sources: Sequence[str], targets: Sequence[str]) -> Matrix:
        """``log P(target | source)`` of every pair, ``(sources, targets)``, in nats."""
        written = self.written(targets)
        rows = [
            written_given(self.decoder, read, written)
            for start in range(0, len(sources), BATCH)
            for read in self.attended(sources[start : start + BATCH])
        ]
        found: Matrix = torch.stack(rows).double().numpy()
        return found


@torch.no_grad()
def written_given(
    decoder: AttentionalLSTMDecoder, read: Attended, written: Sequence[Written]
) -> Tensor:
    """``log P`` of each written line given the one that is attended to, ``(lines,)``, in nats."""
    words, queries, shares = (torch.cat(parts) for parts in zip(*written))
    memory = Memory(
        read.shares[None], read.keys[None], read.keys.new_zeros(1, len(read.keys)).bool()
    )
    context, _ = decoder.attention.attend(queries[None], memory)
    logits = decoder.from_shares(shares + context[0])
    losses = nn.functional.cross_entropy(logits, words, reduction="none")
    lines = torch.arange(len(written)).repeat_interleave(
        torch.tensor([len(line.words) for line in written])
    )
    return -losses.new_zeros(len(written)).index_add(0, lines, losses)


@torch.no_grad()
def written_given_each(
    decoder: AttentionalLSTMDecoder, written: Written, read: Sequence[Attended]
) -> Tensor:
    """``log P`` of the written line given each that is attended to, ``(lines,)``, in nats."""
    count, lengths = len(read), torch.tensor([len(line.keys) for line in read])
    keys, shares = (pad_sequence(list(part), batch_first=True) for part in zip(*read))
    padding = torch.arange(int(lengths.max())) >= lengths.unsqueeze(1)
    context, _ = decoder.attention.attend(
        written.queries.expand(count, -1, -1), Memory(shares, keys, padding)
    )
    logits = decoder.from_shares(written.shares + context)
    losses = nn.functional.cross_entropy(
        logits.flatten(0, 1), written.words.repeat(count), reduction="none"
    )
    return -losses.view(count, -1).sum(dim=1)


class Likelihood:
    """Of one x and some candidates z; what is known of the latest ``KEPT`` candidates is kept.

    Attributes:
        direction: that judges.
        candidates: as that direction writes or attends to them.
    """

    direction: Direction
    candidates: BatchMemory[Any]

    def warm_up(self, candidates: Sequence[str]) -> None:
        """Compute what depends on the candidates alone, of as many as are kept."""
        lines = sorted(candidates[:KEPT], key=lambda line: len(line.split()))
        for start in range(0, len(lines), BATCH):
            self.candidates(lines[start : start + BATCH])


class DirectLikelihood(Likelihood):
    """``log P(z | x)``."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction
        self.candidates = BatchMemory(direction.written, KEPT)

    def of(self, x: str) -> Ask:
        """Candidates to their log-probabilities given x, ``(z,)``, in nats."""
        (read,) = self.direction.attended([x])
        return lambda lines: written_given(self.direction.decoder, read, self.candidates(lines))


class DualLikelihood(Likelihood):
    """``log P(x | z)``."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction
        self.candidates = BatchMemory(direction.attended, KEPT)

    def of(self, x: str) -> Ask:
        """Candidates to the log-probability of x given each, ``(z,)``, in nats."""
        (written,) = self.direction.written([x])
        return lambda lines: written_given_each(
            self.direction.decoder, written, self.candidates(lines)
        )
