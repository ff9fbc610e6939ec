"""The one way from a question to its answer: text → ẑ → ŷ → answer."""

from __future__ import annotations

import os
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from fairseq_twostage.databases.opening import schema_file
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.inference.agreement import Agreement
from fairseq_twostage.inference.answer import (
    MAX_ROWS,
    Table,
    answer_table,
    names_in_answer,
    shown_table,
)
from fairseq_twostage.inference.candidates import FirstStage, Query, Search, names_in
from fairseq_twostage.inference.conditions import Conditions
from fairseq_twostage.inference.memory import Hypotheses, ParseMemory
from fairseq_twostage.inference.narrowing import Narrowing, narrowed
from fairseq_twostage.inference.parses import Explanation, Parse
from fairseq_twostage.inference.picking import Choice, Reading
from fairseq_twostage.inference.pipeline import DEFAULT_PICK
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.inference.sense_choice import best_senses
from fairseq_twostage.inference.tree import Node, form_tree
from fairseq_twostage.inference.trust import Trust, Verdict
from fairseq_twostage.semantics import Denotation, Failure, World, execute
from fairseq_twostage.semantics.foreign import ForeignWorld, QueriedWorld
from fairseq_twostage.semantics.values import Name
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.utterance import Utterance

PARAPHRASE_LIMIT = LengthLimit()
NO_FORM = "no form is known for it"
MAX_TRIED = 20  # ẑ of one utterance whose logical forms are tried


class TwoStageParser:
    """A trained parser. ``parser("…")`` parses a text, :meth:`parse_batch` many of them.

    What is read of an utterance depends on it alone, not on what is parsed beside it.

    Args:
        reader: makes tokens of a text.
        first: how ẑ is found.
        second: the naive parser; None where every ẑ is looked up.
        world: where logical forms are executed.
        domain: its name.
        pick: which reading is the answer, see :class:`.picking.Choice`.
        pairs: logical forms that the domain's pairs give, by canonical utterance.
        further: those of canonical utterances that are too many to be compared with all.
        lookup: whether a ẑ among the pairs has that logical form and no other.
        known: n-best ŷ of known canonical utterances, parsed beforehand.
        examples: utterances to try.
        trust: judges readings; None: all are believed.
    """

    def __init__(
        self,
        reader: UtteranceReader,
        first: FirstStage,
        second: BeamStage | None,
        world: World,
        domain: str,
        pick: str = DEFAULT_PICK,
        pairs: Mapping[str, str] | None = None,
        lookup: bool = True,
        known: Mapping[str, Hypotheses] | None = None,
        examples: Sequence[str] = (),
        trust: Trust | None = None,
        further: Mapping[str, str] | None = None,
    ) -> None:
        self.reader = reader
        self.first = first
        self.second = second
        self.pairs = dict(pairs or {})
        self.further = dict(further or {})
        self.lookup = lookup
        scored = None if second is None else second.scored
        self.parse = ParseMemory(scored, known, certain=self.forms if lookup else None)
        self.world = world
        self.domain = domain
        self.pick = pick
        self.examples = tuple(examples)
        self.trust = trust

    @classmethod
    def load(cls, folder: str | os.PathLike[str]) -> TwoStageParser:
        """The parser that ``twostage export`` wrote.

        Raises:
            UserError: there is none in the folder, or it is damaged.
        """
        from fairseq_twostage.inference.bundle import read_bundle

        return read_bundle(Path(folder))

    @property
    def forms(self) -> Mapping[str, str]:
        """The logical forms of all canonical utterances that are known."""
        return ChainMap(self.pairs, self.further)

    def warm_up(self) -> None:
        """Compute what depends on no question, so that the first one is as fast as the others."""
        if isinstance(self.first, Reranking):
            self.first.warm_up()
        _ = self.agreement, self.conditions
        if self.narrowing is not None:
            self.narrowing.warm_up()
            _ = self.known_forms

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
        """The same for utterances that have been read already, each in its best sense."""
        judged = (
            self.judged(parse, search) for parse, search in best_senses(self, utterances, n_best)
        )
        return [narrowed(self, parse) or parse for parse in judged]

    def searched(
        self, utterances: Sequence[Utterance], n_best: int = 1
    ) -> list[tuple[Parse, Search]]:
        """The readings of utterances as they are, not judged, each with the search for them."""
        found = self.first.search([Query.of(utterance.tokens) for utterance in utterances])
        choices = [
            Choice(self.pick, utterance.variables, n_best, self.objecting(utterance, search))
            for utterance, search in zip(utterances, found)
        ]
        rows = list(range(len(utterances)))
        for _ in range(MAX_TRIED):  # one more ẑ of every utterance that needs one
            rows = [row for row in rows if not choices[row].done]
            tried = {row: z for row in rows if (z := next(found[row], None)) is not None}
            rows = list(tried)
            forms = self.parse([tried[row].text for row in rows])
            for row, hypotheses in zip(rows, forms):
                choices[row].add(self._readings(tried[row], hypotheses, utterances[row].variables))
        parses = (
            Parse(utterance, choice.readings) for utterance, choice in zip(utterances, choices)
        )
        return list(zip(parses, found))

    def objecting(self, utterance: Utterance, search: Search) -> Callable[[Reading], int]:
        """How much speaks against a reading of an utterance; nothing where a label says it."""

        def objections(reading: Reading) -> int:
            if search.labelled(reading.paraphrase):
                return 0
            return self.agreement.objections(utterance.tokens, reading, search.meant)

        return objections

    def judged(self, parse: Parse, search: Search) -> Parse:
        """A parse with what to think of its chosen reading."""
        if self.trust is None:
            return parse
        verdict = self.trust.judge(self, parse.utterance, search, parse.readings[0])
        return replace(parse, verdict=verdict)

    def form_of(self, canonical: str) -> str | None:
        """The logical form of a canonical utterance, if it is known or can be made of known ones.

        Args:
            canonical: its tokens.
        """
        form = self.forms.get(canonical)
        if form is None and self.narrowing is not None:
            form = self.narrowing.near(Query.of(canonical)).get(canonical)
        return form

    def ask_by(self, canonical: str, utterance: Utterance) -> str | None:
        """A known canonical utterance in words, if what it asks for has an answer.

        Args:
            canonical: one of the domain's pairs.
            utterance: its names are put in; for others the lexicon's first.
        """
        form = self.forms.get(canonical)
        places = list(filter(is_placeholder, canonical.split()))
        if form is None or len({*places}) < len(places):  # anna and anna
            return None
        names = names_in(canonical)
        if not names <= utterance.variables.keys():
            return self.reader.with_examples(canonical)
        if not self.denote(form, utterance.variables).executable:
            return None
        return self.reader.write_out(canonical, utterance)

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
        choice = Choice(self.pick, named, 1)
        form = self.form_of(z.text) if z.text not in self.forms else None
        forms = self.parse([z.text])[0] if form is None else [Hypothesis(form, 0.0)]
        choice.add(self._readings(z, forms, named))
        unread = None if choice.readings[0].logical_form else NO_FORM
        return Parse(read, choice.readings, Verdict(refused_because=unread))

    def explain(self, parse: Parse, rank: int = 0) -> Explanation:
        """What the reading of that rank attended to, its form as a tree, its answer as a table."""
        reading = parse.readings[rank]
        tokens, phrases = parse.utterance.tokens, parse.utterance.phrases
        weights = self.first.attention(tokens, reading.canonical)
        words = reading.canonical.split()
        some = {
            word: self.reader.write_out(word, parse.utterance)
            for word in names_in(reading.canonical)
        }
        return Explanation(
            tuple(phrases.get(token, token) for token in tokens.split()),
            tuple(some.get(word, word) for word in words),
            tuple(map(tuple, weights)),
            self.tree(parse, rank),
            self.table(reading.logical_form, parse.utterance.variables)
            or answer_table(reading.answer, self.world, self.reader.called),
        )

    def called(self, answer: Denotation) -> Mapping[str, str]:
        """What people call the constants of an answer."""
        if not isinstance(self.world, QueriedWorld):
            return self.reader.called
        return {**self.reader.called, **self.world.phrases(names_in_answer(answer))}

    def table(
        self, form: str, variables: Mapping[str, str], rows: int = MAX_ROWS, skip: int = 0
    ) -> Table | None:
        """What a database shows of a form's answer; None where the answer is all there is."""
        if not isinstance(self.world, QueriedWorld):
            return None
        shown = self.world.show(form, variables, rows, skip)
        return None if shown is None else shown_table(shown)

    def sql(self, logical_form: str, variables: Mapping[str, str]) -> str | None:
        """The query of a logical form, where a database answers."""
        if not isinstance(self.world, QueriedWorld):
            return None
        return self.world.sql(logical_form, variables)

    def tree(self, parse: Parse, rank: int = 0) -> Node:
        """The logical form of a reading as a tree."""
        form = parse.readings[rank].logical_form
        return form_tree(form, self.world, parse.utterance.variables, self.reader.called)

    def denote(self, logical_form: str, variables: Mapping[str, str] | None = None) -> Denotation:
        """The answer to a logical form."""
        return execute(logical_form, self.world, variables or None)

    @cached_property
    def canonical_utterances(self) -> tuple[str, ...]:
        """The canonical utterances that are known, in alphabetic order."""
        return tuple(sorted({*self.pairs, *self.parse.known}))

    @cached_property
    def agreement(self) -> Agreement:
        """Which readings of a question cannot be meant."""
        return Agreement(self.pairs)

    @cached_property
    def conditions(self) -> Conditions:
        """What the known questions can say, and a reading may leave out."""
        return Conditions(self.pairs)

    @cached_property
    def known_forms(self) -> frozenset[str]:
        """The logical forms of all canonical utterances that are known."""
        return frozenset((*self.pairs.values(), *self.further.values()))

    @cached_property
    def narrowing(self) -> Narrowing | None:
        """Makes questions of a database's known ones; None where canonical utterances are made of
        no schema, or nothing knows how near words are."""
        if schema_file(self.world) is None or not isinstance(self.first, Reranking):
            return None
        return Narrowing({**self.further, **self.pairs}, self.first.foremost[0])

    @cached_property
    def suggestions(self) -> tuple[str, ...]:
        """The same in words, with names of the lexicon; without those that it cannot fill."""
        filled = map(self.reader.with_examples, self.canonical_utterances)
        return tuple(dict.fromkeys(text for text in filled if text is not None))

    def candidates_of(self, utterance: Utterance, most: int) -> list[str]:
        """The foremost ẑ of an utterance, best first."""
        (found,) = self.first.search([Query.of(utterance.tokens)])
        return [z.text for z in islice(found, most)]

    def knows(self, name: str) -> bool:
        """Whether a thing is known: by the facts, or, where these lie elsewhere, by its phrase."""
        if not isinstance(self.world, ForeignWorld) and self.world.database.knows(Name(name)):
            return True
        return name in self.reader.called

    def changed(
        self,
        first: FirstStage,
        pairs: Mapping[str, str] | None = None,
        trust: Trust | None = None,
    ) -> TwoStageParser:
        """The same with another first stage, further pairs, or another judgement."""
        return TwoStageParser(
            self.reader,
            first,
            self.second,
            self.world,
            self.domain,
            self.pick,
            {**self.pairs, **(pairs or {})},
            self.lookup,
            self.parse.known,
            self.examples,
            trust or self.trust,
            self.further,
        )

    @cached_property
    def canonical_of(self) -> Mapping[str, str]:
        """A canonical utterance of each known logical form: the shortest, then the first."""
        found: dict[str, str] = {}
        for line in sorted(self.pairs, key=lambda line: (len(line.split()), line)):
            found.setdefault(self.pairs[line], line)
        return found

    def _readings(
        self, z: Hypothesis, forms: Hypotheses, variables: Mapping[str, str]
    ) -> Iterator[Reading]:
        """ẑ with each ŷ, under the canonical utterance that is known to mean ŷ.

        Where nothing reads ẑ that is a reading without a form, so that every utterance has one.
        """
        if not forms:
            none = Failure("parse", NO_FORM)
            yield Reading(z.text, "", none, z.score, 0.0, z.text)
        for y in forms:
            canonical = z.text
            if self.forms.get(canonical) != y.text:
                canonical = self.canonical_of.get(y.text, canonical)
            answer = self.denote(y.text, variables)
            yield Reading(canonical, y.text, answer, z.score, y.score, z.text)
