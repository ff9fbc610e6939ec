"""Does the naive parser's reading of a canonical sample execute?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import torch
from torch import Tensor

from fairseq_twostage.decoding.lean import PARSE_LIMIT, decode, sentences
from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.models.naive_parser import NaiveParser

Executes = Callable[[str, Mapping[str, str]], bool]


class GreedyParses:
    """Greedy P_nsp with a memory: canonical utterances repeat, so do their parses.

    Args:
        parser: the frozen naive parser, in evaluation mode.
        capacity: parses remembered; when full, everything is forgotten.
    """

    def __init__(self, parser: NaiveParser, capacity: int = 200_000) -> None:
        self.parser = parser
        self.capacity = capacity
        self.remembered: dict[tuple[int, ...], str] = {}

    @torch.no_grad()
    def __call__(self, tokens: Tensor) -> list[str]:
        """Logical forms of canonical utterances.

        Args:
            tokens: utterance ids with end of sentence, padded on the right, ``(n, length)``.
        """
        keys = sentence_keys(tokens, self.parser.encoder.padding_idx)
        new = {key: row for row, key in enumerate(keys) if key not in self.remembered}
        if new:
            if len(self.remembered) + len(new) > self.capacity:
                self.remembered.clear()
                new = {key: row for row, key in enumerate(keys)}
            rows = torch.tensor(list(new.values()), device=tokens.device)
            for key, form in zip(new, self._parse(tokens[rows])):
                self.remembered[key] = form
        return [self.remembered[key] for key in keys]

    def _parse(self, tokens: Tensor) -> list[str]:
        decoder = self.parser.decoder
        memory = decoder.memory(self.parser.encoder(tokens))
        return sentences(decoder.dictionary, decode(decoder, memory, PARSE_LIMIT))


class Executability:
    """1 if greedy P_nsp(z̃) executes without error, else 0; nothing for natural samples.

    Args:
        parses: the naive parser.
        executes: (logical form, variables) to whether its execution gives a value.
        capacity: verdicts remembered, those asked for last.
    """

    def __init__(self, parses: GreedyParses, executes: Executes, capacity: int = 200_000) -> None:
        self.parses = parses
        self._runs = lru_cache(capacity)(lambda form, names: executes(form, dict(names)))

    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        if samples.side != "cf":
            return torch.zeros(samples.tokens.size(0), device=samples.tokens.device)
        forms = self.parses(samples.utterance_tokens)
        rows = samples.rows.tolist()
        verdicts = [self._verdict(form, inputs, row) for form, row in zip(forms, rows)]
        return torch.tensor(verdicts, dtype=torch.float, device=samples.tokens.device)

    def _verdict(self, form: str, inputs: Inputs, row: int) -> bool:
        variables = inputs.variables[row] if inputs.variables is not None else {}
        return self._runs(form, tuple(sorted(variables.items())))


def sentence_keys(tokens: Tensor, padding_idx: int) -> Sequence[tuple[int, ...]]:
    """Each row of ``(n, length)`` without its padding, as a tuple."""
    lengths = tokens.ne(padding_idx).sum(dim=1).tolist()
    return [tuple(row[:length]) for row, length in zip(tokens.tolist(), lengths)]
