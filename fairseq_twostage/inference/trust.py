"""What is known of a reading's worth: two numbers, and a refusal with its reason in words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from fairseq_twostage.databases.opening import schema_file
from fairseq_twostage.inference.candidates import Search
from fairseq_twostage.inference.conditions import Kept
from fairseq_twostage.inference.confidence import (
    ConfidenceModel,
    Evidence,
    Weighed,
    threshold_for,
    weigh,
)
from fairseq_twostage.inference.odd_values import odd_values
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.scope import ScopeModel
from fairseq_twostage.inference.spoken_for import spoken_for
from fairseq_twostage.inference.unknown_words import unknown_phrase, unknown_place, unknown_thing
from fairseq_twostage.inference.unused_words import counts, names_left_out, unused_words
from fairseq_twostage.semantics import Denotation, same_denotation
from fairseq_twostage.text.content_words import unshared_words
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.question_words import negations
from fairseq_twostage.text.scripts import closed_up

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.text.utterance import Utterance

PRECISION = 0.9  # promised where nothing else is asked for
ANSWERS = 100  # that a promised precision is about
LEAST_CONFIDENCE = 0.5  # an answer that is rather wrong than right is never given
SUGGESTIONS = 3
EQUALLY_LIKELY = 0.8  # of the chosen answer's share of the posterior


@dataclass(frozen=True)
class Verdict:
    """What is known of a reading's worth.

    Attributes:
        in_domain: probability that the utterance is about the domain; None: nothing judges it.
        confidence: probability that the answer is right, given that it is; None likewise.
        refused_because: why it counts as not understood, in words; None: it is understood.
        unused: words that play no part in the reading.
        suggestions: canonical utterances that may be meant or can be asked instead, in words.
        evidence: what the confidence was computed from.
        unsure: whether it is refused for its confidence, and for nothing else.
    """

    in_domain: float | None = None
    confidence: float | None = None
    refused_because: str | None = None
    unused: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    evidence: Evidence | None = None
    unsure: bool = False

    @property
    def understood(self) -> bool:
        """Whether the answer is given without a warning."""
        return self.refused_because is None


@dataclass(frozen=True)
class Trust:
    """Judges readings.

    Attributes:
        scope: whether an utterance is about the domain.
        model: how likely an answer is right; None where nothing ranks candidates.
        log_odds: of the readings of utterances that were not trained on (of few: that were),
            before a recalibration; the threshold is chosen from them.
        precision: share of right answers that is promised.
        threshold: the confidence below which a reading is refused.
        most_lacking: how far a word may be from all words of ẑ.
        unknown_lacking: the same of a word that the domain has nowhere.
        ignored: words that need not play a part.
        kept: how readings of X treat the words of conditions.
        few: whether X is so small that a word which one utterance has may be foreign.
    """

    scope: ScopeModel
    model: ConfidenceModel | None
    log_odds: Sequence[float]
    precision: float
    threshold: float
    most_lacking: float
    unknown_lacking: float
    ignored: frozenset[str]
    kept: Kept = field(default_factory=dict)
    few: bool = False

    def promising(self, precision: float) -> Trust:
        """With the threshold above which so many of a hundred answers are right, with a
        probability of ``KEPT_WITH``, as the confidences say.

        It is never below :data:`LEAST_CONFIDENCE`.
        """
        confidences = [self.model.probability(each) for each in self.log_odds] if self.model else []
        least = max(LEAST_CONFIDENCE, threshold_for(precision, confidences, ANSWERS))
        return replace(self, precision=precision, threshold=least)

    def judge(
        self, parser: TwoStageParser, utterance: Utterance, search: Search, reading: Reading
    ) -> Verdict:
        """What to think of the chosen reading of an utterance."""
        in_domain = self.scope(utterance.tokens, search.read)
        weighed = weigh_reading(parser, utterance, search, reading)
        left_out = parser.conditions.left_out(utterance.tokens, reading, self.kept)
        found = confidence = None
        if weighed is not None and self.model is not None:
            found = evidence_of(parser, utterance.tokens, weighed, left_out)
            confidence = self.model(found)
        verdict = Verdict(in_domain, confidence, evidence=found)
        tokens = parser.reader.frontend.tokeniser.decode(utterance.tokens).split()
        if all(map(is_placeholder, tokens)) and not is_described(tokens, reading):
            why = "a name alone is no question"
            return self._refused(verdict, why, parser, utterance, weighed)
        if search.labelled(reading.paraphrase) and reading.answer.executable:
            return verdict  # a person has said that it means this
        told = spoken_for(utterance.tokens, reading)
        unused = unused_words(self, search, reading, utterance, told)
        if in_domain < self.scope.threshold:
            why = f"this does not look like a question about {parser.domain}"
            words = [word for span in unused for word in span.split()]
            if words and {*words} <= {*utterance.unknown} and self._says_more(utterance, words):
                why += f"; {self._unknown(unused, utterance)}"
            return self._refused(verdict, why, parser, utterance, weighed)
        unused += names_left_out(tokens, reading, utterance)
        unused = unused or tuple(word for word in left_out if word not in told)
        if unused:
            why = self._unknown(unused, utterance)
            said = tuple(map(closed_up, unused))
            return self._refused(replace(verdict, unused=said), why, parser, utterance, weighed)
        if thing := unknown_thing(search, reading, utterance, parser.agreement, told):
            why = f"no such thing is known: “{thing}”"
            return self._refused(replace(verdict, unused=(thing,)), why, parser, utterance, weighed)
        judged = search, reading, utterance, told
        if phrase := unknown_phrase(*judged) or unknown_place(*judged):
            why = self._unknown((phrase,), utterance)
            verdict = replace(verdict, unused=(phrase,))
            return self._refused(verdict, why, parser, utterance, weighed)
        other_words = parser.agreement.contradiction(utterance.tokens, reading)
        if another := other_words or odd_values(utterance, reading):
            return self._refused(verdict, another, parser, utterance, weighed)
        if not reading.answer.executable:
            why = "nothing that was understood can be answered"
            return self._refused(verdict, why, parser, utterance, weighed)
        if confidence is not None and confidence < self.threshold:
            sure, asked = math.floor(100 * confidence), math.ceil(100 * self.threshold)
            why = f"not sure enough what is meant ({sure} %, {asked} % is asked)"
            if weighed is not None and (rival := _rival(weighed)) is not None:
                both = (parser.reader.write_out(z, utterance) for z in (reading.canonical, rival))
                why = "it can mean two things, equally likely: “{}” or “{}”".format(*both)
            return self._refused(replace(verdict, unsure=True), why, parser, utterance, weighed)
        return verdict

    def _says_more(self, utterance: Utterance, unused: Sequence[str]) -> bool:
        """Whether words that count are left without those."""
        return any(
            word not in unused and counts(word, self.ignored) for word in utterance.tokens.split()
        )

    @staticmethod
    def _unknown(unused: Sequence[str], utterance: Utterance) -> str:
        near = dict.fromkeys(name for names in utterance.similar.values() for name in names)
        said = ", ".join(f"“{closed_up(words)}”" for words in utterance.similar or unused)
        if near:
            return f"no such name is known: {said}; the nearest: {', '.join(near)}"
        unknown = all(word in utterance.unknown for words in unused for word in words.split())
        if unknown:
            return f"no such name or condition is known: {said}"
        return f"these words play no part in what was understood: {said}"

    def _refused(
        self,
        verdict: Verdict,
        why: str,
        parser: TwoStageParser,
        utterance: Utterance,
        weighed: Weighed | None,
    ) -> Verdict:
        found = suggestions(parser, utterance, weighed)
        return replace(verdict, refused_because=why, suggestions=tuple(found))


def weigh_reading(
    parser: TwoStageParser, utterance: Utterance, search: Search, reading: Reading
) -> Weighed | None:
    """A reading against what else may be meant; None where nothing else was found."""
    pool = search.pool(reading.paraphrase)
    if pool is None or reading.paraphrase not in pool.lines:
        return None
    denies = bool(negations(utterance.tokens) and negations(reading.paraphrase))

    agreement, tokens = parser.agreement, utterance.tokens

    @cache
    def denote(form: str) -> Denotation:
        return parser.denote(form, utterance.variables)

    def same(form: str) -> bool | None:
        found = denote(form)
        return same_denotation(found, reading.answer) if found.executable else None

    def form_of(z: str) -> str | None:
        return search.query.more.get(z) or parser.forms.get(z)

    def contradicted(z: str) -> bool:
        if (denies and not negations(z)) or agreement.other_words(tokens, z, search.meant):
            return True
        if z == reading.paraphrase:
            return agreement.by_answer(tokens, reading) is not None
        form = form_of(z)
        if form is None or not (found := denote(form)).executable:
            return False
        return agreement.by_answer(tokens, Reading(z, form, found, 0.0, 0.0, z)) is not None

    return weigh(pool, reading.paraphrase, form_of, same, contradicted)


def evidence_of(
    parser: TwoStageParser, tokens: str, weighed: Weighed, left_out: Sequence[str]
) -> Evidence:
    """What speaks for a reading, with the words of conditions that it leaves out."""
    unshared = None
    if schema_file(parser.world) is not None:
        unshared = unshared_words(tokens, weighed.pool.lines[weighed.chosen])
    return weighed.evidence._replace(left_out=len(left_out), unshared=unshared)


def _rival(weighed: Weighed) -> str | None:
    """The best candidate with another answer, if it is about as likely as the chosen one."""
    total = weighed.pool.total
    others = [
        place for place in range(len(total)) if weighed.kept[place] and not weighed.same[place]
    ]
    if not others:
        return None
    best = max(others, key=lambda place: float(total[place]))
    least = weighed.pool.temperature * math.log(EQUALLY_LIKELY)
    close = total[best] - total[weighed.chosen] > least
    return weighed.pool.lines[best] if close else None


def suggestions(
    parser: TwoStageParser, utterance: Utterance, weighed: Weighed | None
) -> Iterator[str]:
    """The nearest canonical utterances that have an answer, in words, at most three."""
    lines: Sequence[str] = ()
    if weighed is not None:
        order = sorted(range(len(weighed.pool.lines)), key=lambda at: -weighed.pool.total[at])
        lines = [weighed.pool.lines[at] for at in order]
    given = set[str]()
    for line in lines:
        text = parser.ask_by(line, utterance)
        if text is not None and text not in given:
            given.add(text)
            yield text
        if len(given) == SUGGESTIONS:
            return


def is_described(names: Sequence[str], reading: Reading) -> bool:
    """Whether several names say which things are meant, the first of them that is understood being
    a value before their noun: *unaccompanied motets*."""
    lead, first, thing, *_ = given = [*reading.paraphrase.split(), "", "", ""]
    described = lead == "which" and first in names and not is_placeholder(thing)
    return len(names) > 1 and described and {*names} <= {*given}
