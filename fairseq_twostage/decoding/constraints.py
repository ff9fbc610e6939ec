"""What may be written next: decoding that cannot leave a set of sentences.

A constraint is a set of sentences seen as a machine: a state per prefix, the words that may
follow in it, and the state after each. Beam search, greedy decoding and sampling ask nothing
else; so a closed list and a grammar serve alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from fairseq_twostage.errors import UserError
from fairseq_twostage.models.vocabulary import Words

DEAD = -1  # the state after a sentence has left the set


class Constraint(Protocol):
    """A set of sentences. States are whole numbers; :data:`DEAD` is that of no prefix."""

    start: int

    def allowed(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """What may follow in each of ``states`` ``(rows,)``.

        Returns:
            row and word of every continuation, end of sentence included, ``(n,)`` each, rows
            ascending. Nothing follows a dead state.
        """

    def advance(self, states: Tensor, words: Tensor) -> Tensor:
        """The states ``(rows,)`` after ``words`` ``(rows,)``; dead where they may not follow."""


class PrefixTrie:
    """A closed list of sentences as flat arrays: one node per prefix, one edge per word.

    Nodes are numbered so that the edges of a node lie side by side, sorted by word. A step of
    many rows is a handful of array operations, whatever the number of sentences. The arrays stay
    on the CPU; answers come back on the device of the question.

    Args:
        sentences: ids with end of sentence.

    Raises:
        ValueError: there is none.
    """

    def __init__(self, sentences: Iterable[Sequence[int]]) -> None:
        rows = sorted({tuple(sentence) for sentence in sentences})
        if not rows or not rows[0]:
            raise ValueError("a trie needs sentences, each with its end")
        self.start = 0
        first, words, children = _edges(rows)
        self._first = torch.from_numpy(first)
        self._words = torch.from_numpy(words)
        self._children = torch.from_numpy(children)
        # An edge as one number, ascending: found by bisection.
        self._width = int(words.max()) + 1
        owners = np.repeat(np.arange(len(first) - 1), np.diff(first))
        self._keys = torch.from_numpy(owners * self._width + words)
        self.size = len(rows)

    def allowed(self, states: Tensor) -> tuple[Tensor, Tensor]:
        device, states = states.device, states.cpu()
        alive = states.clamp(min=0)
        begin = self._first[alive]
        counts = (self._first[alive + 1] - begin) * states.ge(0)
        rows = torch.repeat_interleave(counts)
        offsets = torch.arange(len(rows)) - (counts.cumsum(0) - counts)[rows]
        return rows.to(device), self._words[begin[rows] + offsets].to(device)

    def advance(self, states: Tensor, words: Tensor) -> Tensor:
        device, states, words = states.device, states.cpu(), words.cpu()
        wanted = states.clamp(min=0) * self._width + words
        edges = torch.searchsorted(self._keys, wanted).clamp(max=len(self._keys) - 1)
        found = self._keys[edges].eq(wanted) & states.ge(0) & words.lt(self._width)
        return torch.where(found, self._children[edges], DEAD).to(device)


def _edges(
    rows: Sequence[tuple[int, ...]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Of each node the first edge ``(nodes + 1,)``, of each edge its word and child ``(edges,)``.

    Args:
        rows: distinct sentences in order; nodes are numbered by length, then by order.
    """
    lengths = np.array([len(row) for row in rows])
    table = np.full((len(rows), lengths.max()), -1, dtype=np.int64)
    for number, row in enumerate(rows):
        table[number, : len(row)] = row
    node = np.zeros(len(rows), dtype=np.int64)  # of each row's prefix so far
    alive = np.arange(len(rows))
    nodes, parents, words = 1, [], []
    for column in range(table.shape[1]):
        alive = alive[lengths[alive] > column]
        pairs = np.stack([node[alive], table[alive, column]])
        new = np.append(True, (pairs[:, 1:] != pairs[:, :-1]).any(axis=0))
        parents.append(pairs[0, new])
        words.append(pairs[1, new])
        node[alive] = nodes + np.cumsum(new) - 1
        nodes += int(new.sum())
    owners = np.concatenate(parents)
    first = np.searchsorted(owners, np.arange(nodes + 1))
    return first, np.concatenate(words), np.arange(1, nodes)


def trie_of_lines(lines: Iterable[str], dictionary: Words, where: str) -> PrefixTrie:
    """A trie over tokenised text, in ids of what a decoder writes.

    Lines with a word that the decoder cannot write are left out.

    Raises:
        UserError: no line is left.
    """
    sentences = []
    for line in lines:
        ids = [dictionary.index(word) for word in line.split()]
        if ids and dictionary.unk() not in ids:
            sentences.append([*ids, dictionary.eos()])
    if not sentences:
        raise UserError("holds no line that the decoder can write", where)
    return PrefixTrie(sentences)


def mask_logits(logits: Tensor, constraint: Constraint, states: Tensor) -> Tensor:
    """``logits`` ``(rows, words)`` with all that may not follow at minus infinity.

    A softmax over the result is the policy's probability renormalised over what may follow.
    Rows in which nothing may follow stay as they are: their sentence is over, or has left
    the set.
    """
    rows, words = constraint.allowed(states)
    forbidden = torch.ones_like(logits, dtype=torch.bool)
    forbidden[rows, words] = False
    return logits.masked_fill(forbidden & ~forbidden.all(dim=1, keepdim=True), float("-inf"))


def prefix_states(constraint: Constraint, sentences: Tensor) -> Tensor:
    """The state before every word of ``sentences`` ``(n, length)``, the same shape."""
    states = sentences.new_full((len(sentences),), constraint.start)
    columns = []
    for words in sentences.t():
        columns.append(states)
        states = constraint.advance(states, words)
    return torch.stack(columns, dim=1)


class WrittenMask:
    """:func:`mask_logits` for every word of known sentences: the policy's own probability.

    Args:
        constraint: that the sentences were held to.
        sentences: padded on the right, ``(n, length)``.
    """

    def __init__(self, constraint: Constraint, sentences: Tensor) -> None:
        self.constraint = constraint
        self.states = prefix_states(constraint, sentences)

    def __call__(self, logits: Tensor, sentences: Tensor) -> Tensor:
        """Mask ``logits`` ``(words, dictionary)``.

        Args:
            logits: of each word.
            sentences: the sentence of each word, ``(words,)``; the words of one in order.
        """
        order = sentences.argsort(stable=True)
        counts = torch.bincount(sentences, minlength=len(self.states))
        starts = counts.cumsum(0) - counts
        columns = torch.empty_like(sentences)
        columns[order] = torch.arange(len(order), device=order.device) - starts[sentences[order]]
        return mask_logits(logits, self.constraint, self.states[sentences, columns])
