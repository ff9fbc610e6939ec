"""The two stages in use: what a person types → ẑ → ŷ → answer."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from fairseq_twostage.corpora.lexicon import names_the_same
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.inference.answer import Table, answer_table
from fairseq_twostage.inference.memory import Hypotheses, ParseMemory
from fairseq_twostage.inference.picks import DEFAULT_PICK
from fairseq_twostage.inference.reading import Utterance, UtteranceReader
from fairseq_twostage.inference.tree import Node, form_tree
from fairseq_twostage.semantics import Denotation, World, execute

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
        source: tokens of the utterance as the encoder read them, phrases for placeholders.
        target: tokens of ẑ, likewise.
        attention: for each word of ``target`` the weights over ``source``.
        tree: the logical form, each call with its value.
        table: the answer.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    attention: tuple[tuple[float, ...], ...]
    tree: Node
    table: Table


def answers(reading: Reading, variables: Mapping[str, str]) -> bool:
    """Whether a reading has a value and the entities of the utterance, no fewer and no more."""
    return reading.answer.executable and names_the_same(reading.logical_form, variables)


class TwoStageParser:
    """A trained parser. ``parser("…")`` parses a text, :meth:`parse_batch` many of them.

    Args:
        reader: makes tokens of a text.
        paraphrase: the first stage.
        parse: the second stage.
        world: where logical forms are executed.
        domain: its name.
        pick: which ŷ is chosen, as in ``twostage evaluate``: the ``best``; the best that
            executes (``executable``); that over all ẑ of the beam, with the entities of the
            utterance and no other (``executable_paraphrase``).
        known: n-best ŷ of known canonical utterances.
        examples: utterances to try.
        certain: logical forms that the domain's grammar gives, by canonical utterance.
    """

    def __init__(
        self,
        reader: UtteranceReader,
        paraphrase: BeamStage | MixtureStage,
        parse: BeamStage,
        world: World,
        domain: str,
        pick: str = DEFAULT_PICK,
        known: Mapping[str, Hypotheses] | None = None,
        examples: Sequence[str] = (),
        certain: Mapping[str, str] | None = None,
    ) -> None:
        self.reader = reader
        self.paraphrase = paraphrase
        self.parse = ParseMemory(parse.scored, known, certain=certain)
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
        from fairseq_twostage.inference.bundle import read_bundle

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

        A reading is a ẑ of the beam with its ŷ, so there are no more than the beam is wide.

        Args:
            texts: as people type them.
            n_best: readings wanted.
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
        candidates = self.paraphrase.scored([item.tokens for item in utterances])
        if n_best > 1:
            return self._parses(utterances, candidates, n_best)
        parses = self._parses(utterances, [found[:1] for found in candidates], 1)
        if self.pick == "executable_paraphrase":  # most need no second ẑ
            again = [
                row
                for row, parse in enumerate(parses)
                if not answers(parse.readings[0], utterances[row].variables)
            ]
            left = [utterances[row] for row in again], [candidates[row] for row in again]
            for row, parse in zip(again, self._parses(*left, n_best=1)):
                parses[row] = parse
        return parses

    def _parses(
        self,
        utterances: Sequence[Utterance],
        candidates: Sequence[Sequence[Hypothesis]],
        n_best: int,
    ) -> list[Parse]:
        distinct = list(dict.fromkeys(z.text for found in candidates for z in found))
        forms = dict(zip(distinct, self.parse(distinct)))
        return [
            Parse(utterance, self._readings(found, forms, utterance.variables, n_best))
            for utterance, found in zip(utterances, candidates)
        ]

    def read_canonical(self, canonical: str, utterance: Utterance | None = None) -> Parse:
        """Parse a canonical utterance by the second stage alone.

        Args:
            canonical: as typed.
            utterance: what it is to be a rewriting of; its placeholders are used again.

        Raises:
            UserError: a text without words, or with too many.
        """
        read = (
            self.reader(canonical)
            if utterance is None
            else self.reader.rewriting(canonical, utterance)
        )
        z = Hypothesis(read.tokens, 0.0)
        words = z.text.split()
        named = {name: value for name, value in read.variables.items() if name in words}
        reading = self._reading(z, self.parse([z.text])[0], named)
        return Parse(read, (reading,))

    def explain(self, parse: Parse, rank: int = 0) -> Explanation:
        """What the reading of that rank attended to, its form as a tree, its answer as a table."""
        reading = parse.readings[rank]
        tokens, phrases = parse.utterance.tokens, parse.utterance.phrases
        weights = self.paraphrase.attention(tokens, reading.canonical)
        return Explanation(
            tuple(phrases.get(token, token) for token in tokens.split()),
            tuple(phrases.get(token, token) for token in reading.canonical.split()),
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
        self,
        candidates: Sequence[Hypothesis],
        forms: Mapping[str, Hypotheses],
        variables: Mapping[str, str],
        n_best: int,
    ) -> tuple[Reading, ...]:
        """A reading of each ẑ, in their order, of different logical forms."""
        readings: dict[str, Reading] = {}
        for z in candidates:
            reading = self._reading(z, forms[z.text], variables)
            readings.setdefault(reading.logical_form, reading)
            if len(readings) >= n_best and self.pick != "executable_paraphrase":
                break
        found = list(readings.values())
        if self.pick == "executable_paraphrase":
            found.sort(key=lambda reading: not answers(reading, variables))
        return tuple(found[:n_best])

    def _reading(self, z: Hypothesis, forms: Hypotheses, variables: Mapping[str, str]) -> Reading:
        """ẑ with the best of its ŷ that may be the answer, else with the best."""
        readings = [
            Reading(z.text, y.text, self.denote(y.text, variables), z.score, y.score)
            for y in (forms[:1] if self.pick == "best" else forms)
        ]
        if self.pick == "executable_paraphrase":
            accepted = (reading for reading in readings if answers(reading, variables))
        else:
            accepted = (reading for reading in readings if reading.answer.executable)
        return next(accepted, readings[0])
