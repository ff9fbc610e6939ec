"""The two stages in use: what a person types → ẑ → ŷ → answer."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.parsing.answer import Table, answer_table
from fairseq_twostage.parsing.memory import Hypotheses, ParseMemory
from fairseq_twostage.parsing.reading import Utterance, UtteranceReader
from fairseq_twostage.parsing.stages import Hypothesis, ScoredStage
from fairseq_twostage.parsing.tree import Node, form_tree
from fairseq_twostage.semantics import Denotation, World, execute

PICKS = ("best", "executable", "executable_paraphrase")
DEFAULT_BEAM = 5
PARAPHRASE_LIMIT = LengthLimit()


@dataclass(frozen=True)
class Reading:
    """One way to understand an utterance.

    Attributes:
        canonical: ẑ, with placeholders.
        logical_form: ŷ, with placeholders.
        answer: what ŷ denotes; a failure is a value, too.
        canonical_score: log P(ẑ | x) per token.
        logical_form_score: log P(ŷ | ẑ) per token.
    """

    canonical: str
    logical_form: str
    answer: Denotation
    canonical_score: float
    logical_form_score: float


@dataclass(frozen=True)
class Parse:
    """An utterance and how it was understood, the chosen reading first.

    Attributes:
        utterance: as typed, and what the models read of it.
        readings: at least one.
    """

    utterance: Utterance
    readings: tuple[Reading, ...]

    @property
    def canonical(self) -> str:
        """ẑ of the chosen reading."""
        return self.readings[0].canonical

    @property
    def logical_form(self) -> str:
        """ŷ of the chosen reading."""
        return self.readings[0].logical_form

    @property
    def answer(self) -> Denotation:
        """The answer of the chosen reading."""
        return self.readings[0].answer


@dataclass(frozen=True)
class Explanation:
    """How a reading came about.

    Attributes:
        source: tokens of the utterance as the encoder read them.
        target: tokens of ẑ.
        attention: for each word of ``target`` the weights over ``source``.
        tree: the logical form, each call with its value.
        table: the answer.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    attention: tuple[tuple[float, ...], ...]
    tree: Node
    table: Table


class TwoStageParser:
    """A trained parser. ``parser("…")`` parses a text, :meth:`parse_batch` many of them.

    Args:
        reader: makes tokens of a text.
        paraphrase: the first stage.
        parse: the second stage.
        world: where logical forms are executed.
        domain: its name.
        pick: which ŷ is chosen, as in ``twostage evaluate``: the ``best``; the best that
            executes (``executable``); that over all ẑ of the beam (``executable_paraphrase``).
        known: n-best ŷ of known canonical utterances.
        examples: utterances to try.
    """

    def __init__(
        self,
        reader: UtteranceReader,
        paraphrase: ScoredStage,
        parse: ScoredStage,
        world: World,
        domain: str,
        pick: str = PICKS[0],
        known: Mapping[str, Hypotheses] | None = None,
        examples: Sequence[str] = (),
    ) -> None:
        self.reader = reader
        self.paraphrase = paraphrase
        self.parse = ParseMemory(parse, known)
        self.parse_stage = parse
        self.world = world
        self.domain = domain
        self.pick = pick
        self.examples = tuple(examples)

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> TwoStageParser:
        """The parser that ``twostage export`` wrote.

        Raises:
            UserError: there is none in the folder, or it is damaged.
        """
        from fairseq_twostage.parsing.bundle import read_bundle

        return read_bundle(Path(folder))

    def __call__(
        self, text: str, n_best: int = 1, variables: Mapping[str, str] | None = None
    ) -> Parse:
        """Parse one text; see :meth:`parse_batch`."""
        return self.parse_batch([text], n_best, [variables])[0]

    def parse_batch(
        self,
        texts: Sequence[str],
        n_best: int = 1,
        variables: Sequence[Mapping[str, str] | None] | None = None,
    ) -> list[Parse]:
        """Parse texts, each into at most ``n_best`` readings of different logical forms.

        Args:
            texts: as people type them.
            n_best: readings wanted. After the chosen one come those of the next ẑ of the beam.
            variables: for each text, values of the placeholders that it has itself.

        Raises:
            UserError: a text without words, or with too many.
        """
        given = variables if variables is not None else [None] * len(texts)
        return self.parse_utterances(
            [self.reader(text, values) for text, values in zip(texts, given)], n_best
        )

    def parse_utterances(self, utterances: Sequence[Utterance], n_best: int = 1) -> list[Parse]:
        """The same for utterances that have been read already."""
        needed = 1 if n_best == 1 and self.pick != "executable_paraphrase" else None
        candidates = [
            found[:needed] for found in self.paraphrase([item.tokens for item in utterances])
        ]
        distinct = list(dict.fromkeys(z.text for found in candidates for z in found))
        forms = dict(zip(distinct, self.parse(distinct)))
        parses = []
        for utterance, found in zip(utterances, candidates):
            pairs = [[(z, y) for y in forms[z.text]] for z in found]
            readings = self._readings(pairs, utterance.variables)
            parses.append(Parse(utterance, tuple(self._take(readings, n_best))))
        return parses

    def read_canonical(
        self, canonical: str, utterance: Utterance | None = None, n_best: int = 1
    ) -> Parse:
        """Parse a canonical utterance by the second stage alone.

        Args:
            canonical: as typed.
            utterance: what it is to be a rewriting of; its placeholders are used again.
            n_best: readings wanted.

        Raises:
            UserError: a text without words, or with too many.
        """
        read = self.reader(canonical)
        if utterance is not None:
            read = read.with_placeholders_of(utterance)
        z = Hypothesis(read.tokens, 0.0)
        pairs = [[(z, y) for y in self.parse([z.text])[0]]]
        readings = self._readings(pairs, read.variables)
        return Parse(read, tuple(self._take(readings, n_best)))

    def explain(self, parse: Parse, rank: int = 0) -> Explanation:
        """What the reading of that rank attended to, its form as a tree, its answer as a table."""
        reading = parse.readings[rank]
        tokens = parse.utterance.tokens
        weights = self.paraphrase.attention(tokens, reading.canonical)
        return Explanation(
            tuple(tokens.split()),
            tuple(reading.canonical.split()),
            tuple(map(tuple, weights)),
            self.tree(parse, rank),
            answer_table(reading.answer, self.world),
        )

    def tree(self, parse: Parse, rank: int = 0) -> Node:
        """The logical form of a reading as a tree."""
        form = parse.readings[rank].logical_form
        return form_tree(form, self.world, parse.utterance.variables)

    def denote(self, logical_form: str, variables: Mapping[str, str] | None = None) -> Denotation:
        """The answer to a logical form."""
        return execute(logical_form, self.world, variables or None)

    @cached_property
    def canonical_utterances(self) -> tuple[str, ...]:
        """The canonical utterances that are known, in alphabetic order."""
        return tuple(sorted(self.parse.known))

    def _readings(
        self, pairs: list[list[tuple[Hypothesis, Hypothesis]]], variables: Mapping[str, str]
    ) -> Iterator[Reading]:
        """The chosen reading, then the best of every ẑ, then their second best, and so on.

        Args:
            pairs: for each ẑ, with each of its ŷ.
            variables: values of placeholders.
        """
        chosen = self._choose(pairs, variables)
        if chosen is not None:
            yield self._reading(*chosen, variables)
        for rank in range(max(map(len, pairs), default=0)):
            for found in pairs:
                if rank < len(found) and found[rank] is not chosen:
                    yield self._reading(*found[rank], variables)

    def _choose(
        self, pairs: list[list[tuple[Hypothesis, Hypothesis]]], variables: Mapping[str, str]
    ) -> tuple[Hypothesis, Hypothesis] | None:
        tried = pairs if self.pick == "executable_paraphrase" else pairs[:1]
        in_order = [pair for found in tried for pair in found]
        if self.pick == "best" or not in_order:
            return in_order[0] if in_order else None
        executable = (p for p in in_order if self.denote(p[1].text, variables).executable)
        return next(executable, in_order[0])

    def _reading(self, z: Hypothesis, y: Hypothesis, variables: Mapping[str, str]) -> Reading:
        return Reading(z.text, y.text, self.denote(y.text, variables), z.score, y.score)

    @staticmethod
    def _take(readings: Iterator[Reading], n_best: int) -> list[Reading]:
        """The first ``n_best`` readings of different logical forms."""
        taken: dict[str, Reading] = {}
        for reading in readings:
            taken.setdefault(reading.logical_form, reading)
            if len(taken) >= n_best:
                break
        return list(taken.values())
