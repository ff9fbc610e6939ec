"""Rules of the grammar engine, written as text."""

from __future__ import annotations

from fairseq_twostage.databases.schema import Measure, Table, TimeDimension
from fairseq_twostage.semantics.sexp import write_atom

NUMBER, NUMBER2, DATE, DATE2 = "_number_", "_number2_", "_date_", "_date2_"
TIME, TIME2 = "_time_", "_time2_"
DEEPEST = 3  # levels of things without a name
SIZE = "(call .size (var s))"
AMOUNTS = (
    ("more than", ">"),
    ("fewer than", "<"),
    ("at least", ">="),
    ("at most", "<="),
    ("exactly", "="),
)
EXTREMES = {
    **dict.fromkeys(("highest", "largest", "longest", "maximum", "latest", "biggest"), "max"),
    **dict.fromkeys(("lowest", "smallest", "shortest", "minimum", "earliest"), "min"),
}


def predicate(words: str) -> str:
    """ "longer than …" behind a noun that is its subject: "are longer than …"."""
    if words.startswith("that "):
        return words[5:]
    return f"have{words[4:]}" if words.startswith("with ") else f"are {words}"


def ordered(table: Table) -> dict[str, Measure | TimeDimension]:
    """What can be more or less."""
    return {**table.measures, **table.time_dimensions}


def rule(left: str, words: str, function: str) -> str:
    """A rule on one line."""
    parts = " ".join(write_atom(word) for word in words.split())
    return f"(rule {left} ({parts}) {function})"


def apply(left: str, words: str, direction: str) -> str:
    """A rule of two parts, one applied to the other."""
    return rule(left, words, f"(JoinFn {direction} betaReduce)")


def same(left: str, words: str) -> str:
    """A rule that says something in other words."""
    return rule(left, words, "(IdentityFn)")


def root(words: str) -> str:
    """A whole question that lists a set."""
    return rule("$ROOT", words, "(lambda x (call @listValue (var x)))")


def listed(form: str, variables: str) -> str:
    """The function of a whole question that lists what a form denotes, of some variables."""
    made = f"(call @listValue {form})"
    for variable in reversed(variables.split()):
        made = f"(lambda {variable} {made})"
    return made


def filtered(property_: str, comparison: str = "=") -> str:
    """Those of a set whose property compares so with a value that is still to come."""
    return f"(lambda v {lambda_filter(property_, comparison, '(var v)')})"


def lambda_filter(property_: str, comparison: str, value: str) -> str:
    """Those of a set whose property compares so with a value."""
    return (
        f"(lambda s (call @filter (var s) (string {property_}) (string {write_atom(comparison)}) "
        f"{value}))"
    )


def having(property_: str, things: str = "(var s)") -> str:
    """Those of a set of which the property is known."""
    every = f"(call @getProperty {things} (string {property_}))"
    return f"(call @filter {things} (string {property_}) (string =) {every})"


def numbered(placeholder: str, number: str) -> str:
    """A placeholder's second one."""
    return f"{placeholder[:-1]}{number}_"
