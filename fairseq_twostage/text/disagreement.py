"""What a question asks for beside what was understood: where both cannot mean the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from fairseq_twostage.text.asked_for import (
    adds_extreme,
    adds_first,
    asks_nobody,
    asks_two,
    asks_whether,
    born_that_year,
    counts_unasked,
    counts_which,
    first_unasked,
    gives_itself,
    latest_unasked,
    misses_done,
    misses_extreme,
    misses_first,
    misses_names,
    misses_number,
    misses_still,
    misses_there,
    misses_top,
    per_year_twice,
)
from fairseq_twostage.text.averages import (
    adds_average,
    adds_share,
    averages_others,
    misses_comparison,
    misses_share,
)
from fairseq_twostage.text.bounds import (
    adds_between,
    adds_comparison,
    bounds_otherwise,
    compares_two,
    counts_measured,
    counts_unsaid,
    drops_bound,
    misses_bound,
    ranks_unasked,
)
from fairseq_twostage.text.denying import (
    complements,
    denied_by_word,
    denies_alone,
    denies_by_word,
    denies_doer,
    denies_other,
    has_denied,
    misses_denied,
    opposite_degree,
)
from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.money import (
    counts_money,
    misses_money,
    misses_most_money,
    takes_single,
)
from fairseq_twostage.text.omissions import (
    EACH,
    MEASURES,
    adds_beginning,
    adds_kind,
    adds_to_name,
    compares_alone,
    has_unasked,
    lists_unasked,
    misses_adjective,
    misses_birth,
    misses_compound,
    misses_moment,
    misses_or,
    misses_own,
    misses_place,
    misses_superlative,
    misses_total,
    misses_where,
    takes_all,
)
from fairseq_twostage.text.question_words import (
    ASKING,
    MOST_OF,
    asked_noun,
    asked_plural,
    asked_thing,
    asks_who_does,
)
from fairseq_twostage.text.word_forms import base

_SUPERLATIVE = re.compile(r"\b(?:(?:most|least) \w+|\w{2,}est)\b")
_HOW = re.compile(r"\bhow (?:long|old|tall|heavy|far|big|large|wide|deep|high|fast|late)\b")
_OR = word_set("or either any and all between to")
_EITHER = re.compile(r"(_\w+_) or (_\w+_)")
_WHO_DOES = re.compile(r"who ([a-z]{3,}) ")
_LIKE_MOST = re.compile(
    r"\b(?:most|least|fewest|\w{2,}est|top|best|worst|first|last|maxim\w+|minim\w+|max|min|peak|"
    r"record|ever|extreme\w*|recent\w*|favou?rite|more|less|fewer|only|"
    r"mainly|\w+er|often|popular|lead\w*|very|rare\w*|lately|many|alot|lot|few|current\w*|now|next|new)\b"
)
_OF = re.compile(r"\bof (?:the )?$")


def asks_for_other(tokens: str, paraphrase: str) -> str | None:
    """``film`` where a question asks who did something to a film, and what was understood asks
    for films, else None."""
    if not asks_who_does(tokens):
        return None
    words = tokens.split()
    asked = asked_thing(paraphrase)
    return asked if asked and {f"_{asked}_", asked} & {*words, *map(base, words)} else None


def turned_round(tokens: str, paraphrase: str) -> bool:
    """Whether something is done *by* a name, and what was understood has a *by* elsewhere:
    "which members is _member_ referred by" of "who was referred by _member_"."""
    words = paraphrase.split()
    by = {name for before, name in pairwise(words) if before == "by"}
    agents = [name for before, name in pairwise(tokens.split()) if before == "by"]
    return "by" in words and any(
        name.startswith("_") and name in words and name not in by for name in agents
    )


def groups_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood says something of each, and the question nothing like it."""
    each = not {"each", "per"}.isdisjoint(paraphrase.split())
    return each and (EACH | {"by", "all", "respectively"}).isdisjoint(tokens.split())


def asks_how(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks how old, long or much something is, and what was understood when or
    how many."""
    words = tokens.split()
    if paraphrase.startswith("when "):
        return words[:1] == ["how"] and words[1:2] not in (["many"], ["do"], ["can"])
    how, many, counted, *_ = [*paraphrase.split(), "", "", ""]
    counts = (how, many) == ("how", "many") and base(counted) not in MEASURES
    return counts and bool(_HOW.search(tokens)) and "how many" not in tokens


def adds_or(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is of one name or another, and the question, with both, says
    nothing like it: who of *Gate* does *First Aid*; or of *both*."""
    either, words = _EITHER.search(paraphrase), tokens.split()
    said = "both" not in words and not _OR.isdisjoint(words)
    return either is not None and {*either.groups()} <= {*words} and not said


def says_how(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is how long the longest is, and the question asks which is."""
    how, degree, *_ = [*paraphrase.split(), "", ""]
    best = _SUPERLATIVE.search(tokens)
    if how != "how" or degree in ("many", "much") or "how" in tokens.split() or best is None:
        return False
    of = _OF.search(tokens[: best.start()])
    return of is None and (degree in best[0].split() or best[0].startswith(degree[:3]))


def asks_for_head(tokens: str, paraphrase: str, given: Sequence[str]) -> str | None:
    """``works`` of "works that were in six exhibitions", where what was understood asks for
    exhibitions and has no works: the noun that a question begins with is what it asks for."""
    plural = asked_plural(tokens)
    head = asked_noun(tokens) or (plural[0] if plural else None)
    if head is None or not given or base(head) == given[-1]:
        return None
    words = tokens.split()
    rest = words[words.index(head) + 1 :]
    there = list(map(base, rest))
    if given[-1] not in there or base(head) in {*map(base, paraphrase.split())}:
        return None
    between = rest[: there.index(given[-1])]
    return head if any(word in FUNCTION_WORDS for word in between) else None


def adds_superlative(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood takes the most of something, and the question does not."""
    return bool(MOST_OF.search(paraphrase)) and not _LIKE_MOST.search(tokens)


def does_other(tokens: str, paraphrase: str) -> bool:
    """Whether both ask who does something, and not the same: who *prescribed*, who *makes*."""
    asked, given = _WHO_DOES.match(tokens), _WHO_DOES.match(paraphrase)
    if asked is None or given is None or not FUNCTION_WORDS.isdisjoint((asked[1], given[1])):
        return False
    return asked[1][0] != given[1][0]  # bought, buys


def says_twice(tokens: str, paraphrase: str) -> bool:
    """Whether a word is said more often than in the question: "led by those led by"."""
    if not paraphrase.startswith(("which ", "how many ")):
        return False
    asked, given, dull = (
        *map(Counter, (tokens.split(), paraphrase.split())),
        FUNCTION_WORDS | ASKING,
    )
    return any(
        count > asked[word] > 0 and word not in dull and not word.startswith("_")
        for word, count in given.items()
        if base(word) == word  # volunteers may lead volunteers
    )


class Rule(NamedTuple):
    """Where a question and what was understood differ.

    Attributes:
        differ: what of them does, by their tokens with placeholders.
        reason: for a person; each ``{}`` is a word that ``differ`` found.
    """

    differ: Callable[[str, str], bool | str | tuple[str, ...] | None]
    reason: str

    def __call__(self, tokens: str, paraphrase: str) -> str | None:
        """The reason; None where they do not differ so."""
        found = self.differ(tokens, paraphrase)
        words = found if isinstance(found, tuple) else (str(found),)
        return self.reason.format(*words) if found else None


_DOES_NOT = "and what was understood does not"

REFUSED = (
    Rule(misses_comparison, f"it compares with an average, {_DOES_NOT}"),
    Rule(adds_average, "what was understood compares with an average, and the question does not"),
    Rule(averages_others, f"it compares with the average of some, {_DOES_NOT}"),
    Rule(compares_two, f"it asks which of two has more, {_DOES_NOT}"),
    Rule(counts_unsaid, "what was understood has a number of {}, and the question has not"),
    Rule(asks_whether, "it does not ask for yes or no, and what was understood does"),
    Rule(asks_two, "it asks two things; ask one after the other"),
    Rule(misses_extreme, f"it asks for both ends, {_DOES_NOT}"),
    Rule(adds_extreme, "what was understood takes the most of two things, and the question of one"),
    Rule(latest_unasked, "what was understood takes the latest, and the question does not"),
    Rule(first_unasked, "what was understood takes the first, and the question does not"),
    Rule(adds_first, "what was understood is of the first of something, and the question of names"),
    Rule(misses_first, f"it asks for the first or last, {_DOES_NOT}"),
    Rule(misses_there, f"it asks for “{{}}”, {_DOES_NOT}"),
    Rule(misses_top, f"it asks for the first so many, {_DOES_NOT}"),
    Rule(misses_most_money, f"it asks for the most money, {_DOES_NOT}"),
    Rule(takes_single, "it asks for the most of all, and what was understood for that of one {}"),
    Rule(misses_done, f"it asks for what was {{}}, {_DOES_NOT}"),
    Rule(misses_still, f"it asks for those who are still there, {_DOES_NOT}"),
    Rule(born_that_year, "it asks for a birthday, and what was understood for a year of birth"),
    Rule(counts_money, "it asks how many, and what was understood for the {}"),
    Rule(gives_itself, "it asks where, and what was understood which {}"),
    Rule(asks_nobody, "it asks who, and what was understood asks for the {}"),
    Rule(misses_money, f"it asks for a sum of money, {_DOES_NOT}"),
    Rule(per_year_twice, "what was understood says twice how often"),
    Rule(asks_how, f"it asks how, {_DOES_NOT}"),
    Rule(adds_or, "what was understood is one or the other, and the question is not"),
    Rule(misses_own, f"it compares with something of its own, {_DOES_NOT}"),
    Rule(ranks_unasked, "it compares with a number, and what was understood takes so many"),
    Rule(denies_other, "it denies one thing, and what was understood another"),
    Rule(denies_doer, "what was understood is of no {}, and the question says nothing of them"),
    Rule(misses_number, f"it asks how many, {_DOES_NOT}"),
    Rule(counts_which, "it asks which, and what was understood how many"),
    Rule(counts_measured, "it compares with so many {}, and what was understood with {}"),
    Rule(adds_comparison, "what was understood compares with a value, and the question does not"),
    Rule(adds_between, "what was understood is between two values, and the question is not"),
    Rule(misses_bound, f"it compares with a number, {_DOES_NOT}"),
    Rule(drops_bound, f"it compares with a value, {_DOES_NOT}"),
    Rule(bounds_otherwise, "it is of more than a value, and what was understood of less, or so"),
    Rule(denies_alone, "what was understood denies something, and the question does not"),
    Rule(opposite_degree, "it asks for “{}”, and what was understood for “{}”"),
    Rule(denies_by_word, "it asks for “{}”, and what was understood for the opposite"),
    Rule(denied_by_word, "it asks for “{}”, and what was understood for the opposite"),
    Rule(misses_place, f"it asks for the {{}}, {_DOES_NOT}"),
    Rule(misses_denied, f"it asks for “{{}}”, {_DOES_NOT}"),
    Rule(complements, "it asks for “{}”, and what was understood for “{}”"),
    Rule(misses_moment, "no such time is known: “{}”"),
    Rule(compares_alone, f"it compares, {_DOES_NOT}"),
    Rule(misses_superlative, f"it asks for the {{}}, {_DOES_NOT}"),
    Rule(misses_or, f"it asks for one or the other, {_DOES_NOT}"),
    Rule(adds_share, "what was understood is a share, and the question asks for none"),
    Rule(misses_share, f"it asks for a share, {_DOES_NOT}"),
    Rule(misses_birth, f"it asks for a birthday, {_DOES_NOT}"),
    Rule(adds_beginning, "what was understood began then, and the question says nothing of it"),
    Rule(misses_where, f"it asks where or when, {_DOES_NOT}"),
    Rule(adds_to_name, "a name alone is no question"),
    Rule(has_unasked, "what was understood asks who has something, and the question does not"),
    Rule(adds_kind, "these words play no part in what was understood: “{}”"),
    Rule(takes_all, "these words play no part in what was understood: “{}”"),
    Rule(misses_compound, "these words play no part in what was understood: “{}”"),
    Rule(misses_adjective, "these words play no part in what was understood: “{}”"),
    Rule(
        lists_unasked, "what was understood gives two things of each, and the question asks for one"
    ),
    Rule(
        adds_superlative,
        "what was understood takes the most of something, and the question does not",
    ),
    Rule(turned_round, "what was understood says the other way round who does what"),
)
"""What was understood cannot be meant."""

PASSED_OVER = (
    Rule(misses_total, "it asks for a total, and what was understood for an average"),
    Rule(counts_unasked, "what was understood counts, and the question does not"),
    Rule(misses_names, f"it asks for names, {_DOES_NOT}"),
    Rule(has_denied, f"it denies something, {_DOES_NOT}"),
    Rule(does_other, "it asks who did one thing, and what was understood who did another"),
    Rule(says_twice, "what was understood says a word twice"),
    Rule(says_how, "what was understood says how, and the question asks which"),
)
"""Another reading is preferred, where there is one."""


def disagreement(rules: Sequence[Rule], tokens: str, paraphrase: str) -> str | None:
    """The first reason that a rule gives."""
    return next(filter(None, (rule(tokens, paraphrase) for rule in rules)), None)
