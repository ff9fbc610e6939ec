"""Random logical forms: nearly well-typed ones, token soup, and mutations of either."""

from __future__ import annotations

from hypothesis import strategies as st

from fairseq_twostage.semantics.values import Name, Number, Value
from fairseq_twostage.semantics.world import TripleStore

COMPARISONS = ("=", "!=", "<", ">", "<=", ">=", "~")
FUNCTIONS = [
    "singleton",
    "reverse",
    "domain",
    "concat",
    "getProperty",
    "filter",
    "ensureNumericProperty",
    "ensureNumericEntity",
    "superlative",
    "countSuperlative",
    "countComparative",
    "sum",
    "aggregate",
    "arithOp",
    "listValue",
    "nonsense",
]
HEADS = [
    "name",
    "string",
    "number",
    "boolean",
    "date",
    "time",
    "list",
    "lambda",
    "var",
    "and",
    "not",
    "count",
]


def constant(value: Value) -> str:
    """A value as a form: names bare, the rest as they print with spaced brackets."""
    if isinstance(value, Name):
        return value.id
    if isinstance(value, Number):
        unit = "" if value.unit == "fb:en.unitless" else f" {value.unit}"
        return f"( number {value.value!r}{unit} )"
    return "( " + value.text.strip("()") + " )"


def call(function: str, *arguments: str) -> str:
    name = function if function.startswith(".") else f"SW.{function}"
    return " ".join(("( call", name, *arguments, ")"))


class Choices(list):
    """Many things to choose from, which a failing test need not list."""

    def __repr__(self) -> str:
        return "…"


class Vocabulary:
    """What a world's forms are made of."""

    def __init__(self, store: TripleStore) -> None:
        triples = list(store)
        names = dict.fromkeys(p for _, p, _ in triples)
        self.properties = Choices(sorted([*names, *(f"!{name}" for name in names), "no_such"]))
        self.values = Choices(sorted({constant(v) for triple in triples for v in triple[::2]}))
        self.values += ["en.person.nobody", "foo", "( number 3 )", "( number 2.5 en.cm )"]
        self.types = Choices(sorted({t.type for e, _, v in triples for t in (e, v)}))
        self.pairs = Choices(sorted({(p, constant(v)) for _, p, v in triples}))
        self.owners = Choices(sorted({(e.type, p) for e, p, _ in triples}))
        self.facts: dict[str, dict[str, list[str]]] = {}
        self.created = Choices(sorted({e.type for e, p, _ in triples if p == "type"}))
        for e, p, v in triples:
            if p == "type":
                continue
            self.facts.setdefault(e.type, {}).setdefault(p, []).append(constant(v))
            self.facts.setdefault(v.type, {}).setdefault(f"!{p}", []).append(constant(e))
        self.ends = {p: v.type for e, p, v in triples} | {f"!{p}": e.type for e, p, v in triples}


@st.composite
def chains(draw: st.DrawFn, vocabulary: Vocabulary) -> str:
    """A list of one type, filtered, ordered, counted or joined step by step, types agreeing."""
    kind = draw(st.sampled_from(vocabulary.created))
    form = call("getProperty", call("singleton", kind), "( string !type )")
    for _ in range(draw(st.integers(1, 4))):
        facts = vocabulary.facts.get(kind, {})
        if not facts:
            break
        name = draw(st.sampled_from(sorted(facts)))
        values = st.sampled_from(Choices(facts[name]))
        p = f"( string {name} )"
        step = draw(
            st.sampled_from(("filter", "filter", "filter", "best", "most", "count", "join"))
        )
        if step == "filter":
            reference = draw(values)
            if draw(st.booleans()):
                reference = call("concat", reference, draw(values))
            compare = draw(st.sampled_from(COMPARISONS))
            form = call("filter", form, p, f"( string {compare} )", reference)
        elif step in ("best", "most"):
            mode = f"( string {draw(st.sampled_from(('min', 'max')))} )"
            form = call("superlative" if step == "best" else "countSuperlative", form, mode, p)
        elif step == "count":
            compare = draw(st.sampled_from(COMPARISONS))
            number = f"( number {draw(st.integers(0, 4))} )"
            form = call("countComparative", form, p, f"( string {compare} )", number)
        else:
            form, kind = call("getProperty", form, p), vocabulary.ends[name]
    last = draw(st.sampled_from(("listValue", "listValue", ".size", "")))
    return call(last, form) if last else form


def forms(vocabulary: Vocabulary) -> st.SearchStrategy[str]:
    """Forms that a parser might write: a good part of them has a value."""
    plain = st.sampled_from(vocabulary.properties).map(lambda p: f"( string {p} )")
    prop = st.one_of(
        plain,
        plain.map(lambda p: call("reverse", p)),
        plain.map(lambda p: call("ensureNumericProperty", p)),
    )
    value = st.sampled_from(vocabulary.values)
    compare = st.sampled_from(COMPARISONS).map(lambda op: f"( string {op} )")
    mode = st.sampled_from(("min", "max", "avg", "sum")).map(lambda m: f"( string {m} )")
    count = st.integers(0, 4).map(lambda n: f"( number {n} )")
    extents = st.sampled_from(vocabulary.types).map(
        lambda t: call("getProperty", call("singleton", t), "( string !type )")
    )
    owned = st.sampled_from(vocabulary.owners).map(
        lambda o: (
            call("getProperty", call("singleton", o[0]), "( string !type )"),
            f"( string {o[1]} )",
        )
    )

    def grow(lists: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        reference = st.one_of(
            value, lists, value.map(lambda v: call("ensureNumericEntity", v)), lists
        )
        wanted = st.sampled_from(vocabulary.pairs)
        return st.one_of(
            st.builds(lambda e, p: call("getProperty", e, p), st.one_of(lists, value), prop),
            st.builds(lambda e, p: call("filter", e, p), lists, prop),
            st.builds(
                lambda e, p, o, r: call("filter", e, p, o, r), lists, prop, compare, reference
            ),
            st.builds(
                lambda e, o, w: call("filter", e, f"( string {w[0]} )", o, w[1]),
                lists,
                compare,
                wanted,
            ),
            st.builds(lambda ep, o, r: call("filter", *ep, o, r), owned, compare, reference),
            st.builds(lambda e, m, p: call("superlative", e, m, p), lists, mode, prop),
            st.builds(lambda ep, m: call("superlative", ep[0], m, ep[1]), owned, mode),
            st.builds(lambda e, m, p: call("countSuperlative", e, m, p), lists, mode, prop),
            st.builds(
                lambda e, m, p, r: call("countSuperlative", e, m, p, r), lists, mode, prop, lists
            ),
            st.builds(
                lambda e, p, o, n: call("countComparative", e, p, o, n), lists, prop, compare, count
            ),
            st.builds(
                lambda e, p, o, n, r: call("countComparative", e, p, o, n, r),
                lists,
                prop,
                compare,
                count,
                lists,
            ),
            st.builds(lambda a, b: call("concat", a, b), lists, lists),
            st.builds(lambda a, b: call("concat", a, b), value, value),
            st.builds(lambda m, e: call("aggregate", m, e), mode, lists),
            lists.map(lambda e: call("sum", e)),
            lists.map(lambda e: call(".size", e)),
            st.builds(
                lambda body, e: f"( ( lambda s {body.replace(e, '( var s )', 1)} ) {e} )",
                lists,
                lists,
            ),
        )

    leaves = st.one_of(extents, owned.map(lambda o: o[0]), plain.map(lambda p: call("domain", p)))
    lists = st.recursive(leaves, grow, max_leaves=6)
    chained = chains(vocabulary)
    return st.one_of(lists.map(lambda e: call("listValue", e)), lists, chained, chained)


def soups(vocabulary: Vocabulary) -> st.SearchStrategy[str]:
    """Tokens of the language in any order."""
    words = [*vocabulary.properties[:10], *vocabulary.types[:5], *HEADS, "s", "3", "-1", "call"]
    names = [f"SW.{name}" for name in FUNCTIONS]
    token = st.one_of(st.sampled_from(["(", ")"]), st.sampled_from([*words, *names, ".size"]))
    return st.lists(token, max_size=25).map(" ".join)


def mutated(lines: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Lines with tokens dropped, doubled or exchanged."""

    def mutate(line: str, edits: list[tuple[str, int, int]]) -> str:
        tokens = line.split()
        for kind, i, j in edits:
            if not tokens:
                break
            i, j = i % len(tokens), j % len(tokens)
            if kind == "drop":
                del tokens[i]
            elif kind == "double":
                tokens.insert(i, tokens[j])
            else:
                tokens[i], tokens[j] = tokens[j], tokens[i]
        return " ".join(tokens)

    edit = st.tuples(
        st.sampled_from(("drop", "double", "swap")), st.integers(0, 200), st.integers(0, 200)
    )
    return st.builds(mutate, lines, st.lists(edit, min_size=1, max_size=3))
