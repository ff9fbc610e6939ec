"""What a question asks for beside what was understood: where both cannot mean the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from fairseq_twostage.text.asked_for import (
    asks_nobody,
    asks_of_all,
    asks_of_one,
    asks_two,
    asks_whether,
    born_that_year,
    counts_unasked,
    counts_which,
    gives_itself,
    misses_contact,
    misses_done,
    misses_names,
    misses_number,
    misses_still,
    misses_there,
    per_other,
    per_year_twice,
    says_how_unasked,
)
from fairseq_twostage.text.asking_otherwise import (
    adds_or,
    adds_superlative,
    asks_how,
    asks_property,
    asks_things,
    does_other,
    gives_property,
    gives_when,
    groups_of_one,
    measures_other,
    misses_overdue,
    most_common_other,
    most_done_other,
    names_other,
    numbers_otherwise,
    property_of_another,
    says_how,
    says_twice,
)
from fairseq_twostage.text.averages import (
    adds_average,
    adds_share,
    averages_number,
    averages_others,
    averages_unasked,
    misses_comparison,
    misses_share,
    shares_other,
    totals_average,
    totals_unasked,
)
from fairseq_twostage.text.bounds import (
    about_value,
    adds_between,
    adds_comparison,
    adds_end,
    asks_end,
    bounds_itself,
    bounds_otherwise,
    compares_two,
    denies_value,
    drops_bound,
    ends_then,
    lasts_moment,
    misses_bound,
    ranks_unasked,
    starts_unasked,
)
from fairseq_twostage.text.comparing import (
    adds_choice,
    compares_reversed,
    compares_things,
    misses_all,
    misses_only,
    misses_several,
    ranges_unasked,
    same_of_other,
)
from fairseq_twostage.text.counted import (
    called_otherwise,
    counts_havers,
    counts_measured,
    counts_unsaid,
    measures_unsaid,
    misses_mark,
    misses_sign,
    numbers_itself,
    values_number,
)
from fairseq_twostage.text.denying import (
    affirms_name,
    begins_and_ends,
    complements,
    denied_by_word,
    denies_alone,
    denies_by_word,
    denies_doer,
    denies_named_before,
    denies_once,
    denies_other,
    frees_otherwise,
    has_denied,
    misses_denied,
    not_all,
    opposite_degree,
    sells_out,
)
from fairseq_twostage.text.doing import (
    adds_due,
    goes_otherwise,
    happens_otherwise,
    lives_otherwise,
    misses_destination,
    misses_way,
    never_done_other,
    places_otherwise,
    turned_round,
)
from fairseq_twostage.text.firsts import (
    adds_extreme,
    adds_first,
    done_most_other,
    first_unasked,
    gives_degree,
    gives_owned,
    latest_unasked,
    misses_extreme,
    misses_first,
    misses_top,
)
from fairseq_twostage.text.money import (
    counts_money,
    misses_money,
    misses_most_money,
    pays_for,
    sums_included,
    takes_single,
)
from fairseq_twostage.text.omissions import (
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
    misses_superlative,
    misses_total,
    takes_all,
)
from fairseq_twostage.text.whereabouts import misses_place, misses_where


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
    Rule(values_number, "it is of the {} of that number, and what was understood of that {}"),
    Rule(numbers_itself, "it is of the {} of that number, and what was understood of its {}"),
    Rule(counts_havers, "it asks how many {}, and what was understood how many have some"),
    Rule(misses_sign, "these words play no part in what was understood: “{}”"),
    Rule(never_done_other, "it is of what was never {}, and what was understood never {}"),
    Rule(called_otherwise, "it is of the number of “{}”, and what was understood of “{}”"),
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
    Rule(sums_included, "it asks for a sum with or without “{}”, and what was understood for that"),
    Rule(misses_overdue, f"it asks for what is overdue, {_DOES_NOT}"),
    Rule(names_other, f"it asks for {{}}, {_DOES_NOT}"),
    Rule(numbers_otherwise, f"it asks for the {{}}, {_DOES_NOT}"),
    Rule(takes_single, "it asks for the most of all, and what was understood for that of one {}"),
    Rule(misses_contact, f"it asks for “{{}}”, {_DOES_NOT}"),
    Rule(misses_done, f"it asks for what was {{}}, {_DOES_NOT}"),
    Rule(misses_still, f"it asks for those who are still there, {_DOES_NOT}"),
    Rule(born_that_year, "it asks for a birthday, and what was understood for a year of birth"),
    Rule(pays_for, "it asks what was paid for it, and what was understood what was paid by whom"),
    Rule(counts_money, "it asks how many, and what was understood for the {}"),
    Rule(gives_itself, "it asks where, and what was understood which {}"),
    Rule(measures_other, "it asks how {}, and what was understood for the {}"),
    Rule(gives_when, "it asks what, and what was understood when"),
    Rule(groups_of_one, "it asks how many one does, and what was understood of each"),
    Rule(gives_degree, "it asks which {}, and what was understood how much so one is"),
    Rule(done_most_other, "it asks who {} the most, and what was understood by the {}"),
    Rule(gives_owned, "it asks whose {}, and what was understood which"),
    Rule(asks_nobody, "it asks who, and what was understood asks for the {}"),
    Rule(misses_money, f"it asks for a sum of money, {_DOES_NOT}"),
    Rule(per_year_twice, "what was understood says twice how often"),
    Rule(asks_how, f"it asks how, {_DOES_NOT}"),
    Rule(adds_or, "what was understood is one or the other, and the question is not"),
    Rule(misses_own, f"it compares with something of its own, {_DOES_NOT}"),
    Rule(ranks_unasked, "it compares with a number, and what was understood takes so many"),
    Rule(denies_other, "it denies one thing, and what was understood another"),
    Rule(denies_named_before, "it denies one thing, and what was understood another"),
    Rule(most_done_other, "it asks for the {}, and what was understood asks who"),
    Rule(most_common_other, f"it asks for the most common “{{}}”, {_DOES_NOT}"),
    Rule(happens_otherwise, f"it asks for “{{}}”, {_DOES_NOT}"),
    Rule(places_otherwise, "it asks where something is done, and what was understood where it is"),
    Rule(lives_otherwise, "it asks who lives there, and what was understood who has it"),
    Rule(goes_otherwise, "it goes there, and what was understood comes from there; or so"),
    Rule(misses_way, "it is from one to another, and what was understood is not"),
    Rule(denies_doer, "what was understood is of no {}, and the question says nothing of them"),
    Rule(misses_number, f"it asks how many, {_DOES_NOT}"),
    Rule(counts_which, "it asks which, and what was understood how many"),
    Rule(counts_measured, "it compares with so many {}, and what was understood with {}"),
    Rule(adds_comparison, "what was understood compares with a value, and the question does not"),
    Rule(adds_between, "what was understood is between two values, and the question is not"),
    Rule(misses_bound, f"it compares with a number, {_DOES_NOT}"),
    Rule(drops_bound, f"it compares with a value, {_DOES_NOT}"),
    Rule(denies_value, "it is of more or less than a value, and what was understood of any other"),
    Rule(same_of_other, "it asks for {}, and what was understood for {}"),
    Rule(compares_things, f"it compares with another one, {_DOES_NOT}"),
    Rule(ranges_unasked, "it is of single values, and what was understood of all between them"),
    Rule(adds_choice, "it is of both, and what was understood of one or the other"),
    Rule(misses_only, f"it asks for nothing else, {_DOES_NOT}"),
    Rule(measures_unsaid, "it does not say what the number is of, and what was understood is {}"),
    Rule(about_value, f"it says “{{}}”, {_DOES_NOT}"),
    Rule(ends_then, f"it says “{{}}”, {_DOES_NOT}"),
    Rule(asks_end, "it asks when it ends, and what was understood when it begins"),
    Rule(lasts_moment, "it compares how long, and what was understood a time of day"),
    Rule(totals_average, "what was understood adds up averages, and the question asks for one"),
    Rule(averages_unasked, "what was understood is an average, and the question asks for none"),
    Rule(totals_unasked, "what was understood adds up, and the question does not"),
    Rule(sells_out, "what is sold out is not what is there or was sold"),
    Rule(not_all, f"it denies it of some alone, {_DOES_NOT}"),
    Rule(asks_of_all, "it asks whether all are, and what was understood which"),
    Rule(misses_all, f"it is of those that do so with all, {_DOES_NOT}"),
    Rule(misses_several, f"it says how many, {_DOES_NOT}"),
    Rule(compares_reversed, "it compares the other way round"),
    Rule(denies_once, f"it denies two things, {_DOES_NOT}"),
    Rule(affirms_name, "it denies something of a name, and what was understood does not"),
    Rule(averages_number, f"it asks for an average number, {_DOES_NOT}"),
    Rule(shares_other, "it asks for a share of the {}, and what was understood does not"),
    Rule(per_other, "it asks for the {} of each, and what was understood does not"),
    Rule(asks_of_one, "it asks whether, and what was understood which"),
    Rule(says_how_unasked, "what was understood says how, and the question does not ask"),
    Rule(bounds_itself, "the value itself is in the one and not in the other"),
    Rule(bounds_otherwise, "it is of more than a value, and what was understood of less, or so"),
    Rule(denies_alone, "what was understood denies something, and the question does not"),
    Rule(opposite_degree, "it asks for “{}”, and what was understood for “{}”"),
    Rule(frees_otherwise, "it asks for “{}”, and what was understood for the opposite"),
    Rule(denies_by_word, "it asks for “{}”, and what was understood for the opposite"),
    Rule(denied_by_word, "it asks for “{}”, and what was understood for the opposite"),
    Rule(misses_place, f"it asks for the {{}}, {_DOES_NOT}"),
    Rule(misses_denied, f"it asks for “{{}}”, {_DOES_NOT}"),
    Rule(begins_and_ends, "it asks for “{}”, and what was understood for “{}”"),
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
    Rule(misses_mark, "these words play no part in what was understood: “{}”"),
    Rule(misses_compound, "these words play no part in what was understood: “{}”"),
    Rule(misses_adjective, "these words play no part in what was understood: “{}”"),
    Rule(
        lists_unasked, "what was understood gives two things of each, and the question asks for one"
    ),
    Rule(
        adds_superlative,
        "what was understood takes the most of something, and the question does not",
    ),
    Rule(gives_property, "it asks for a {}, and what was understood for a property"),
    Rule(asks_things, "it asks for things, and what was understood for a {}"),
    Rule(property_of_another, "it speaks of no {}, and what was understood is of that"),
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
    Rule(adds_due, "what was understood is {} then, and the question says nothing of it"),
    Rule(starts_unasked, "it asks when it was, and what was understood when it began or ended"),
    Rule(adds_end, "what was understood ended then, and the question says nothing of it"),
    Rule(misses_destination, "it is of what goes there, and what was understood is not"),
    Rule(says_how, "what was understood says how, and the question asks which"),
    Rule(asks_property, "it asks for things, and what was understood for a property"),
)
"""Another reading is preferred, where there is one."""


def disagreement(rules: Sequence[Rule], tokens: str, paraphrase: str) -> str | None:
    """The first reason that a rule gives."""
    return next(filter(None, (rule(tokens, paraphrase) for rule in rules)), None)
