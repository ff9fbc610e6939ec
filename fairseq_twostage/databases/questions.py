"""The grammar of a schema: what can be asked, in people's words, as rules of the grammar engine.

Categories of a type ``T``, from small to large:

==============  ===========================================================================
``$T_Named``    one by its name: ``_T_``
``$T_Adj1``     a condition before the noun: "*drama* films"
``$T_Ones``     a value that is a noun for them: "*waiters*"
``$T_Post1``    one behind it, with a name or value: "rivers *that run through _state_*"
``$T_Np1``      noun with one condition; ``p`` at the end of a name: many, ``s``: one
``$T_Top``      a superlative before the noun: "*longest* river"; ``$T_TopPost`` behind it
``$T_Sup0``     "longest river"; ``$T_Sup1`` "longest river in _state_"
``$T_Ref1``     things without a name of their own: "the largest state", "states that border …"
``$T_Post2``    a condition with these: "rivers that run through *the largest state*"
``$T_Np2`` …    and so on, one level deeper each
``$T_When``     things of a time: "_status_ orders *placed in _date_*"
``$T_Wide``     things by a value of what they belong to: "reviews of *_category_ products*"
``$T_Such``     things that a number, a date or a negation narrows: "films *that are longer
                than _number_*"; ``$T_Compared`` by numbers and dates alone, ``$T_Beside`` by
                the average
``$T_Isor``     a condition with two names: "are directed by _person_ and _person2_"
``$T_Key0``     the superlatives that others are referred to by: no sums over other tables
==============  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Iterator

from fairseq_twostage.databases.condition_rules import ConditionRules
from fairseq_twostage.databases.event_rules import EventRules
from fairseq_twostage.databases.noun_rules import NounRules
from fairseq_twostage.databases.number_rules import NumberRules
from fairseq_twostage.databases.question_rules import QuestionRules
from fairseq_twostage.databases.reference_rules import ReferenceRules
from fairseq_twostage.databases.schema import Schema
from fairseq_twostage.databases.thing_rules import ThingRules
from fairseq_twostage.databases.way_rules import WayRules


def grammar_text(schema: Schema) -> str:
    """The rules, one a line."""
    return "\n".join(dict.fromkeys(_lines(schema))) + "\n"


def _lines(schema: Schema) -> Iterator[str]:
    """In an order that says which meaning of an utterance is the first."""
    things = ThingRules(schema)
    conditions, references = ConditionRules(schema), ReferenceRules(schema)
    questions, numbers = QuestionRules(schema), NumberRules(schema)
    events, nouns, ways = EventRules(schema), NounRules(schema), WayRules(schema)
    for name in things.types:
        yield f"\n# {things.phrases.noun(name)}"
        yield from things.lines(name)
        yield from conditions.lines(name)
        yield from nouns.lines(name)
        yield from ways.lines(name)
        yield from references.lines(name)
        yield from numbers.aggregates(name)  # the total cost of things is a sum
        yield from questions.lines(name)
        yield from questions.yes_or_no(name)
        yield from numbers.lines(name)
        yield from events.lines(name)
