"""Choosing ẑ among known canonical utterances, and those of a beam, by several views of (x, ẑ).

The direct model ``log P(z | x)`` alone prefers short and frequent z; the dual model
``log P(x | z)`` asks whether z explains all of x (a noisy channel); a similarity knows words
that neither model has seen together; the prior of a balanced assignment over the training
utterances keeps favourites of everything back. With a similarity alone it is the nearest z, which
no training precedes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.inference.candidates import (
    SHARPER,
    SHARPER_ALONE,
    Pool,
    Query,
    Search,
    Weights,
    names_in,
    no_attention,
    words_in,
)
from fairseq_twostage.inference.further import Further
from fairseq_twostage.inference.judging import Judge, length_of
from fairseq_twostage.inference.learnt import Bags, Learnt, unit_words
from fairseq_twostage.inference.likelihood import DirectLikelihood, DualLikelihood
from fairseq_twostage.inference.lone_words import LoneWords
from fairseq_twostage.inference.ranked import Ranked
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.pairing.index import Index
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.text.content_words import core
from fairseq_twostage.text.placeholders import is_placeholder

MOST_ALIGNED = 1_000  # candidates of one kind of names whose words are aligned with the utterance's
POOL = 24  # candidates that are weighed against the chosen one
# Of scores as probabilities, chosen on development rows (research/log.md, 2026-11-26).
TEMPERATURE = 2.0
WEIGHT_PER_DEGREE = 4.0  # of a similarity without likelihoods


@dataclass
class Reranking:
    """The candidates of each x, best first by ``Σ weight · feature + prior``.

    A log-likelihood is at most 0, so similarity and prior bound the whole from above, and with the
    direct likelihood they bound it closer: each likelihood is computed for as many candidates as
    the bound leaves open, and the order is that of all.

    Attributes:
        candidates: distinct z.
        weights: of :data:`.systems.record.FEATURES` but the prior, none negative.
        similarities: by name, fitted over X and the candidates in their order.
        direct: ``log P(z | x)``, where a weight asks for it.
        dual: ``log P(x | z)``, likewise.
        prior: added to every x's scores, ``(z,)``.
        proposals: a beam for where the list does not hold every z that may be meant. Hypotheses
            that the likelihoods prefer to the best known candidate are considered, too, with the
            smallest prior.
        faithful: whether candidates with all placeholders of x go before those with fewer, and
            those before candidates with others.
        learnt: from labels; needs a similarity.
        further: z beside the candidates, of which those that are near a query are candidates, too,
            with the middle one of the priors.
    """

    candidates: Sequence[str]
    weights: Mapping[str, float]
    similarities: Mapping[str, FittedSimilarity] = field(default_factory=dict)
    direct: DirectLikelihood | None = None
    dual: DualLikelihood | None = None
    prior: Matrix | None = None
    proposals: BeamStage | None = None
    faithful: bool = True
    learnt: Learnt | None = None
    further: Sequence[str] = ()

    def __post_init__(self) -> None:
        self._listed = set(self.candidates)
        places: dict[frozenset[str], list[int]] = {}
        for place, names in enumerate(map(names_in, self.candidates)):
            places.setdefault(names, []).append(place)
        self._places = {names: np.array(found) for names, found in places.items()}
        self._indices: dict[tuple[str, frozenset[str]], Index] = {}
        self._bags: dict[frozenset[str], Bags] = {}
        first = next(iter(self.similarities.values()), None)
        self._alone = None if first is None else LoneWords(first.resources.embed)
        self._lowest = 0.0 if self.prior is None else float(self.prior.min())
        self._middle = 0.0 if self.prior is None else float(np.median(self.prior))

    def search(self, queries: Sequence[Query]) -> Sequence[Search]:
        """See :class:`.candidates.FirstStage`."""
        lines = [query.tokens for query in queries]
        read = {name: each.read(lines) for name, each in self.similarities.items()}
        judges = [
            Judge(self, query, {name: each[row] for name, each in read.items()})
            for row, query in enumerate(queries)
        ]
        others = [
            {**dict.fromkeys(self._near(judge), self._middle), **dict.fromkeys(beam, self._lowest)}
            for judge, beam in zip(judges, self._proposed(judges))
        ]
        new = list(dict.fromkeys(z for found in others for z in found))
        indices = {name: self._indices_of(name, new) for name in self.similarities}
        return [self._searched(judge, found, indices) for judge, found in zip(judges, others)]

    def _indices_of(self, name: str, lines: Sequence[str]) -> Mapping[str, Index]:
        """Of lines beside the candidates, each by itself."""
        similarity, further = self.similarities[name], self._further
        here = further is not None and further.similarity is similarity
        read = further.read(lines) if further is not None and here else similarity.read(lines)
        return {line: similarity.index_of([each]) for line, each in zip(lines, read)}

    @cached_property
    def _further(self) -> Further | None:
        return Further(self.further, self.foremost[0]) if self.further else None

    def _near(self, judge: Judge) -> list[str]:
        """Further candidates of a query."""
        found = [] if self._further is None else self._further.near(judge.query)
        found = list(dict.fromkeys((*found, *judge.query.more)))
        return [z for z in found if z not in self._listed]

    def _searched(
        self,
        judge: Judge,
        priors: Mapping[str, float],
        indices: Mapping[str, Mapping[str, Index]],
    ) -> Ranked:
        others = dict(priors)
        for name, similarity in self.similarities.items():
            for z in others:
                judge.proposed[name, z] = similarity, indices[name][z]
        for z in others:
            for name in self.similarities:
                similarity, index = judge.proposed[name, z]
                others[z] += self.weights[name] * float(
                    similarity.scores(judge.read[name], index)[0]
                )
            if judge.wanted:
                similarity, weight = self.foremost
                bag = unit_words(z, similarity.canonical)
                others[z] += weight * sum(judge.wanted.get(v, 0.0) * bag[v] for v in bag)
        return Ranked(judge, others)

    def warm_up(self) -> None:
        """Compute what depends on the candidates alone, so that the first question is as fast."""
        for model in (self.direct, self.dual):
            if model is not None:
                model.warm_up(self.candidates)
        if self._further is not None:
            self._further.warm_up()

    def scores(self, lines: Sequence[str]) -> Matrix:
        """``Σ weight · feature + prior`` of every x and every candidate, ``(x, z)``."""
        total = np.zeros((len(lines), len(self.candidates)))
        if self.prior is not None:
            total += self.prior
        for name, similarity in self.similarities.items():
            found = [similarity.scores(x) for x in similarity.read(lines)]
            total += self.weights[name] * np.stack(found)
        if self.direct is not None:
            log_probs = self.direct.direction.log_probs(lines, self.candidates)
            total += self.weights.get("forward", 0.0) * log_probs
            total += self.weights.get("forward_mean", 0.0) * log_probs / _tokens(self.candidates)
        if self.dual is not None:
            log_probs = self.dual.direction.log_probs(self.candidates, lines).T
            total += self.weights["dual"] * log_probs
        return total

    def attention(self, source: str, target: str) -> Weights:
        """See :class:`.candidates.FirstStage`; nothing is attended to without a paraphraser."""
        if self.direct is None:
            return no_attention(source, target)
        encoder, decoder = self.direct.direction
        return BeamStage(encoder, decoder, 1, limit=None).attention(source, target)  # type: ignore[arg-type]

    def _proposed(self, judges: Sequence[Judge]) -> list[list[str]]:
        """New hypotheses of the beam that the likelihoods prefer to the best known candidate."""
        if self.proposals is None:
            return [[] for _ in judges]
        proposed = []
        beams = self.proposals([judge.query.tokens for judge in judges])
        for judge, beam in zip(judges, beams):
            new = [z for z in dict.fromkeys(beam) if z and z not in self._listed]
            if new:
                best = next(self.in_order(judge, {})).text
                both = zip(judge.direct([best, *new]), judge.dual([best, *new]))
                least, *found = (direct + dual for direct, dual in both)
                new = [z for z, likelihood in zip(new, found) if likelihood > least]
            proposed.append(new)
        return proposed

    def in_order(self, judge: Judge, others: Mapping[str, float]) -> Iterator[Hypothesis]:
        """Candidates with the names of the query, then those with fewer, then with others."""
        ranks: list[list[frozenset[str]]] = [[], [], []]
        for names in self._places:
            ranks[self._rank(names, judge.query.names)].append(names)
        for rank, groups in enumerate(ranks):
            beside = [z for z in others if self._rank(names_in(z), judge.query.names) == rank]
            places = [place for names in groups for place in self._places[names].tolist()]
            bounds = [self._bounds(judge, names) for names in groups]
            lines = [*(self.candidates[place] for place in places), *beside]
            if lines:
                yield from judge.best_first(
                    lines,
                    np.concatenate([*bounds, [others[z] for z in beside]]),
                    np.array(
                        [*places, *range(len(self.candidates), len(self.candidates) + len(beside))]
                    ),
                )

    def pool(self, judge: Judge, others: Mapping[str, float], chosen: str) -> Pool:
        """The foremost candidates that fit the query's names as well as ``chosen`` does."""
        wanted = judge.query.names
        rank = self._rank(names_in(chosen), wanted)
        groups = [names for names in self._places if self._rank(names, wanted) == rank]
        places = np.array([place for names in groups for place in self._places[names]], dtype=int)
        bounds = np.concatenate([*(self._bounds(judge, names) for names in groups), []])
        most = np.argsort(-bounds, kind="stable")[:POOL]
        if chosen in self._listed and chosen not in {self.candidates[at] for at in places[most]}:
            most = np.append(most, [self.candidates[at] for at in places].index(chosen))
        lines = [self.candidates[at] for at in places[most]]
        beside = [z for z in others if self._rank(names_in(z), wanted) == rank]
        lines += beside
        total = np.concatenate([bounds[most], [others[z] for z in beside]])
        total += np.array(judge.direct(lines)) + np.array(judge.dual(lines))
        sharper = SHARPER_ALONE if self.direct is None and self.dual is None else SHARPER
        sharp = self._temperature / sharper
        literal = core(judge.query.tokens) == core(chosen)
        return Pool(lines, total, self._temperature, sharp, *self._alike(judge, chosen), literal)

    def _alike(self, judge: Judge, chosen: str) -> tuple[float | None, float]:
        """Similarity and mismatch of x and the chosen ẑ, the weighted means of the similarities."""
        weight = sum(map(self.weights.__getitem__, self.similarities))
        if not weight:
            return None, 0.0
        alike = mismatch = 0.0
        for name, similarity in self.similarities.items():
            parts = similarity.parts(judge.read[name], self._index_of(judge, name, chosen))
            share = self.weights[name] / weight
            alike += share * float(similarity.total(parts)[0])
            mismatch += share * float(parts.mismatch[0])
        return alike, mismatch

    def lacking(self, judge: Judge, chosen: str) -> Sequence[tuple[str, float]] | None:
        """See :class:`.candidates.Search`; by the first of the similarities."""
        for name, similarity in self.similarities.items():
            x, index = judge.read[name], self._index_of(judge, name, chosen)
            near = (x.states @ index.states.T).max(axis=1)
            same = np.isin(x.words, chosen.split()) & ~x.states.any(axis=1)
            near[same] = 1.0  # words without a vector
            far = (1 - near) * similarity.natural.weights(x.words)
            both = [pair for pair in zip(x.words, far.tolist()) if not is_placeholder(pair[0])]
            if self.learnt is None:
                return both
            explained = self.learnt.explains(judge.query.tokens, chosen, similarity.canonical)
            return [(word, 0.0 if explained(word) else lack) for word, lack in both]
        return None

    def alike(self, word: str, chosen: str) -> float | None:
        """See :class:`.candidates.Search`; by the first of the similarities."""
        others = words_in(chosen)
        return self._alone.nearest(word, others) if self._alone and others else None

    def _index_of(self, judge: Judge, name: str, chosen: str) -> Index:
        """Of one candidate, of the list or not."""
        if (name, chosen) in judge.proposed:
            return judge.proposed[name, chosen][1]
        similarity = self.similarities[name]
        if chosen in self._listed:
            return similarity.index.select(np.array([self._place_of[chosen]]))
        return similarity.index_of(similarity.read([chosen]))

    @property
    def _temperature(self) -> float:
        """At which scores are about probabilities; those of a similarity alone have no scale."""
        if self.direct is not None or self.dual is not None:
            return TEMPERATURE
        weight = max(map(self.weights.__getitem__, self.similarities))
        return weight / WEIGHT_PER_DEGREE or TEMPERATURE  # of no weight all scores are the same

    @cached_property
    def _place_of(self) -> Mapping[str, int]:
        return {z: place for place, z in enumerate(self.candidates)}

    def _rank(self, names: frozenset[str], wanted: frozenset[str]) -> int:
        if not self.faithful or names == wanted:
            return 0
        return 1 if names < wanted else 2

    def _bounds(self, judge: Judge, names: frozenset[str]) -> Matrix:
        """Similarity and prior of the candidates with these names, computed when asked for."""
        if names not in judge.bounds:
            places = self._places[names]
            found = np.zeros(len(places)) if self.prior is None else self.prior[places]
            for name, similarity in self.similarities.items():
                index = self._index(name, names)
                scores = similarity.scores(judge.read[name], index, MOST_ALIGNED)
                found = found + self.weights[name] * scores
            if self.learnt is not None:
                found = self._with_learnt(found, judge, names)
            judge.bounds[names] = found
        return judge.bounds[names]

    def _index(self, name: str, names: frozenset[str]) -> Index:
        """Of the candidates with these names, made once."""
        key = name, names
        if key not in self._indices:
            whole, places = self.similarities[name].index, self._places[names]
            self._indices[key] = whole if len(self._places) == 1 else whole.select(places)
        return self._indices[key]

    def extended(self, lines: Sequence[str]) -> Reranking:
        """With further candidates, whose prior is the lowest."""
        prior = self.prior
        if prior is not None:
            prior = np.append(prior, np.full(len(lines), self._lowest))
        similarities = {name: each.extended(lines) for name, each in self.similarities.items()}
        candidates = [*self.candidates, *lines]
        return replace(self, candidates=candidates, similarities=similarities, prior=prior)

    @property
    def foremost(self) -> tuple[FittedSimilarity, float]:
        """The similarity that weighs most, with its weight; what is learnt has this weight, too."""
        name = max(self.similarities, key=self.weights.__getitem__)
        return self.similarities[name], self.weights[name]

    def _with_learnt(self, bounds: Matrix, judge: Judge, names: frozenset[str]) -> Matrix:
        """The bounds of the candidates with these names, and what labels add."""
        similarity, weight = self.foremost
        lines = [self.candidates[place] for place in self._places[names].tolist()]
        if names not in self._bags:
            self._bags[names] = Bags(lines, similarity.canonical)
        found = bounds + weight * self._bags[names].scores(judge.wanted)
        for place, line in enumerate(lines) if judge.certain else ():
            if line in judge.certain:  # even where its words were not aligned
                found[place] = max(found[place], 0.0) + weight * judge.certain[line]
        return found


def _tokens(lines: Sequence[str]) -> Matrix:
    """Of each line, its end of sentence included."""
    return np.array([float(length_of(line)) for line in lines])
