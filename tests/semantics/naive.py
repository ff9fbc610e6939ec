"""A second executor, written for the tests alone: slow, recursive, without any index.

It works on nested lists of Python tuples and follows the rules one sentence at a time. It knows
the language of calls, lambdas and constants; odd constants are not its business.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

SW = "edu.stanford.nlp.sempre.overnight.SimpleWorld."

FOREIGN = {"and": 2, "or": 2, "not": 1, "count": 1, "sum": 1, "avg": 1, "min": 1, "max": 1}


class Wrong(Exception):
    """An error; ``empty`` when the metric reads it as the empty list."""

    def __init__(self, empty=False):
        self.empty = empty


class NotMyBusiness(Exception):
    """A list where an atom is wanted."""


class NaiveWorld:
    """``triples``: (entity, property, value) of tagged tuples such as ("name", "en.a.b")."""

    def __init__(self, triples):
        self.triples = triples
        self.known, self.types, self.table = set(), {}, {}
        for e, p, v in triples:
            self.known |= {e, v}
            self.types[p] = (type_of(e), type_of(v))
            self.types["!" + p] = (type_of(v), type_of(e))
            self.table.setdefault((e, p), []).append(v)
            self.table.setdefault((v, "!" + p), []).append(e)

    def lookup(self, e, p):
        if e is None:
            raise Wrong(empty=True)
        if e not in self.known or p not in self.types:
            raise Wrong()
        return self.table.get((e, p), [])

    def check(self, p, v, side):
        if p not in self.types or type_of(v) != self.types[p][side]:
            raise Wrong()


def type_of(v):
    kind = v[0] if isinstance(v, tuple) else None
    if kind == "number":
        return v[2] + "_number"
    if kind in ("date", "time", "boolean"):
        return "en." + kind
    if kind == "list" and v[1]:
        return type_of(v[1][0])
    if kind == "name" and "." in v[1]:
        cut = v[1].rindex(".")
        if v[1][cut + 1 :].startswith("_"):
            rest = v[1][:cut]
            if "." in rest:
                return rest[: rest.rindex(".")]
        elif cut + 1 < len(v[1]):
            return v[1][:cut]
    raise Wrong()


def print_number(x):
    if math.isfinite(x) and x == int(x) and abs(x) < 2**31:
        return str(int(x))
    return str(Decimal(repr(x)).quantize(Decimal("0.001"), ROUND_HALF_UP))


def print_value(v):
    kind = v[0]
    if kind == "number":
        unit = "" if v[2] == "fb:en.unitless" else " " + v[2]
        return f"(number {print_number(v[1])}{unit})"
    if kind == "boolean":
        return f"(boolean {'true' if v[1] else 'false'})"
    if kind == "list":
        return "(list" + "".join(" " + print_value(x) for x in v[1]) + ")"
    return "(" + " ".join(map(str, v)) + ")"


def run(text, world):
    """The metric's text of a line, or None for an error."""
    text = text.replace("(", " ( ").replace(")", " ) ").replace("! ", "!")
    tokens = text.replace("SW", SW[:-1]).split()
    try:
        tree, _ = parse(tokens, 0)
        check_syntax(tree)
        result = as_value(evaluate(reduce(tree), world), "fb:en.unitless", top=True)
        return print_value(result)
    except Wrong as wrong:
        return "(list)" if wrong.empty else None


def parse(tokens, i):
    if i >= len(tokens) or tokens[i] == ")":
        raise Wrong()
    if tokens[i] != "(":
        return tokens[i], i + 1
    items, i = [], i + 1
    while i < len(tokens) and tokens[i] != ")":
        item, i = parse(tokens, i)
        items.append(item)
    if i >= len(tokens):
        raise Wrong()
    return items, i + 1


def check_syntax(tree):
    if isinstance(tree, str):
        return
    head = tree[0] if tree and isinstance(tree[0], str) else None
    least = {"string": 2, "name": 2, "boolean": 2, "number": 2, "time": 3, "date": 4}
    if head in (*least, "var", "lambda"):
        atoms = tree[1:2] if head == "lambda" else tree[1:]
        if any(isinstance(x, list) for x in atoms):
            raise NotMyBusiness()
    if head in least:
        if len(tree) < least[head]:
            raise Wrong()
        try:
            [float(x) if head == "number" else int(x) for x in numerals(tree)]
        except (ValueError, TypeError):
            raise Wrong() from None
    elif head == "list":
        if any(isinstance(x, str) for x in tree[1:]):
            raise Wrong()
        for x in tree[1:]:
            if not x or x[0] not in (*least, "list"):
                raise Wrong()
            check_syntax(x)
    elif head == "var":
        if len(tree) < 2:
            raise Wrong()
    elif head == "lambda":
        if len(tree) < 3:
            raise Wrong()
        check_syntax(tree[2])
    elif head == "call":
        if len(tree) < 2:
            raise Wrong()
        for x in tree[1:]:
            check_syntax(x)
    elif head in FOREIGN:
        if len(tree) < 1 + FOREIGN[head]:
            raise Wrong()
        for x in tree[1 : 1 + FOREIGN[head]]:
            check_syntax(x)
    elif len(tree) == 2:
        check_syntax(tree[0])
        check_syntax(tree[1])
    else:
        raise Wrong()


def numerals(tree):
    return tree[1 : {"number": 2, "time": 3, "date": 4}.get(tree[0], 1)]


def foreign(tree):
    """Never executable, whatever becomes of its parts; surplus parts may even be malformed."""
    return isinstance(tree[0], str) and tree[0] in FOREIGN


CONSTANTS = ("string", "name", "boolean", "number", "time", "date", "list", "var")


def reduce(tree):
    if isinstance(tree, str) or tree[0] in CONSTANTS or foreign(tree):
        return tree
    if tree[0] == "lambda":
        return ["lambda", tree[1], reduce(tree[2])]
    if tree[0] == "call":
        return [tree[0], *map(reduce, tree[1:])]
    left = reduce(tree[0])
    if isinstance(left, list) and left[0] == "lambda":
        return reduce(replace(left[2], left[1], tree[1]))
    return [left, reduce(tree[1])]


def replace(tree, name, argument):
    if isinstance(tree, str) or foreign(tree) or (tree[0] in CONSTANTS and tree[0] != "var"):
        return tree
    if tree[0] == "var":
        return argument if tree[1] == name else tree
    if tree[0] == "lambda":
        return tree if tree[1] == name else ["lambda", tree[1], replace(tree[2], name, argument)]
    return [
        replace(x, name, argument) if i or isinstance(x, list) else x for i, x in enumerate(tree)
    ]


def constant(tree):
    head, args = tree[0], tree[1:]
    if head == "string":
        return args[0]
    if head == "boolean":
        return args[0].lower() == "true"
    if head == "list":
        return [constant(x) for x in args]
    if head == "number":
        return ("number", float(args[0]), args[1] if len(args) > 1 else "fb:en.unitless")
    if head == "name":
        return ("name", args[0])
    return (head, *map(int, numerals(tree)))


class Opaque:
    """A formula where a value is wanted."""


def evaluate(tree, world):
    if isinstance(tree, str):
        return ("name", tree)
    if tree[0] == "call":
        function, *args = [evaluate(x, world) for x in tree[1:]]
        return call(function, args, world)
    if tree[0] in CONSTANTS and tree[0] != "var":
        return constant(tree)
    return Opaque()


def as_value(x, count_unit, top=False):
    if isinstance(x, tuple):
        return x
    if isinstance(x, bool):
        return ("boolean", x)
    if isinstance(x, int):
        return ("number", float(x), count_unit)
    if isinstance(x, str):
        return ("string", x)
    if isinstance(x, list):
        return ("list", tuple(as_value(y, count_unit, top) for y in x))
    raise Wrong(empty=x is None and not top)


def kinds(args):
    def kind(x):
        if x is None:
            return "?"
        if isinstance(x, tuple):
            return "N" if x[0] == "number" else "V"
        return "L" if isinstance(x, list) else "S" if isinstance(x, str) else "x"

    return "".join(map(kind, args))


def fits(args, pattern):
    found = kinds(args)
    if len(found) != len(pattern):
        return False
    return all(
        f == "?" or f == p or p == "*" or (p == "V" and f == "N") for f, p in zip(found, pattern)
    )


def call(function, args, world):
    if not isinstance(function, tuple) or function[0] != "name":
        raise Wrong()
    name = function[1]
    if name == ".size":
        if len(args) == 1 and isinstance(args[0], list):
            return len(args[0])
        raise Wrong()
    if not name.startswith(SW):
        raise Wrong()
    for pattern, code in FUNCTIONS.get(name[len(SW) :], ()):
        if fits(args, pattern):
            return code(world, *args)
    raise Wrong()


def need(*lists):
    if any(x is None for x in lists):
        raise Wrong(empty=True)


def a_value(x):
    if x is not None and not isinstance(x, tuple):
        raise Wrong()
    return x


def concat(w, a, b):
    need(a, b)
    for x in a:
        for y in b:
            if type_of(a_value(x)) != type_of(a_value(y)):
                raise Wrong()
    if a == b:
        raise Wrong()
    return a + b


def get_property(w, objects, p):
    need(objects)
    out = []
    for x in objects:
        values = w.lookup(a_value(x), p)
        w.check(p, x, 0)
        for v in values:
            if v not in out:
                out.append(v)
    if not out:
        raise Wrong()
    return out


def degree(v):
    if v[0] == "number":
        return v[1]
    if v[0] == "time":
        return v[1]
    if v[0] == "date":
        return sum(x * s for x, s in zip(v[1:], (10000, 100, 1)) if x != -1)
    raise Wrong()


def best_degree(values, mode):
    degrees = [degree(v) for v in values]
    if not degrees:
        return math.nan
    return max(degrees) if mode == "max" else min(degrees)


def filter_(w, objects, p, op, refs):
    need(refs)
    for r in refs:
        w.check(p, a_value(r), 1)
    need(objects)
    out = []
    for e in objects:
        if a_value(e) is None or e[0] != "name":
            continue
        values = w.lookup(e, p)
        w.check(p, e, 0)
        need(op)
        if op in ("=", "!="):
            keep = any(v == r for v in values for r in refs) == (op == "=")
        elif op in ("<", "<="):
            low, high = best_degree(values, "min"), best_degree(refs, "max")
            keep = low < high if op == "<" else low <= high
        elif op in (">", ">="):
            high, low = best_degree(values, "max"), best_degree(refs, "min")
            keep = high > low if op == ">" else high >= low
        else:
            keep = False
        if keep:
            out.append(e)
    return out


def numeric_property(w, p):
    if p is None or p not in w.types:
        raise Wrong(empty=True)
    if w.types[p][1].endswith("number") or w.types[p][1] in ("en.date", "en.time"):
        return p
    raise Wrong()


def numeric_entity(w, values):
    need(values)
    if not values:
        raise Wrong()
    first = type_of(a_value(values[0]))
    if first.endswith("number") or first in ("en.date", "en.time"):
        return values
    raise Wrong()


def best(objects, degrees, mode):
    if not objects:
        return None
    kept, top = [], math.nan
    for e, d in zip(objects, degrees):
        if not kept or (d > top if mode == "max" else d < top):
            kept, top = [e], d
        elif d == top:
            kept.append(e)
    return kept


def superlative(w, objects, mode, p):
    need(objects)
    degrees = []
    for e in objects:
        values = w.lookup(a_value(e), p)
        if mode is None and (len(values) > 1 or degrees):
            raise Wrong(empty=True)
        degrees.append(best_degree(values, mode))
        w.check(p, e, 0)
    return best(objects, degrees, mode)


def count_values(w, objects, p, refs, null_after, mode):
    for r in refs or []:
        w.check(p, a_value(r), 1)
    if p not in w.types:
        raise Wrong()
    if w.types[p][1].endswith("_number") or w.types[p][1] in ("en.date", "en.time"):
        raise Wrong()
    need(objects)
    counts = []
    for e in objects:
        values = w.lookup(a_value(e), p)
        w.check(p, e, 0)
        if mode is None and len(counts) >= null_after:
            raise Wrong(empty=True)
        counts.append(len([v for v in values if refs is None or v in refs]))
    return counts


def count_superlative(w, objects, mode, p, refs=None):
    return best(objects, count_values(w, objects, p, refs, 1, mode), mode)


def count_comparative(w, objects, p, op, n, refs=None):
    if n is None:
        raise Wrong()
    counts = count_values(w, objects, p, refs, 0, op)
    if objects and op not in ("=", "<", ">", "<=", ">="):
        raise Wrong()
    x = n[1]
    holds = {
        "=": lambda c: c == x,
        "<": lambda c: c < x,
        ">": lambda c: c > x,
        "<=": lambda c: c <= x,
        ">=": lambda c: c >= x,
    }
    return [e for e, c in zip(objects, counts) if holds[op](c)]


def total(values):
    need(values)
    result = 0.0
    for v in values:
        if not isinstance(v, tuple) or v[0] != "number":
            raise Wrong()
        result += v[1]
    return result


def aggregate(w, mode, values):
    need(values)
    if not values:
        raise Wrong()
    result = total(values)
    need(mode)
    if mode not in ("sum", "avg"):
        raise Wrong()
    return [("number", result / len(values) if mode == "avg" else result, values[0][2])]


def list_value(w, x):
    value = as_value(x, "count")
    if value[0] != "list":
        return ("list", (value,))
    return ("list", tuple(sorted(value[1], key=print_value)))


def reverse(w, p):
    need(p)
    return p[1:] if p.startswith("!") else "!" + p


def domain(w, p):
    if p not in w.types:
        raise Wrong()
    return get_property(w, [("name", w.types[p][0])], "!type")


TRUE = ("boolean", True)
FUNCTIONS = {
    "singleton": [("V", lambda w, x: [x])],
    "reverse": [("S", reverse)],
    "domain": [("S", domain)],
    "concat": [("VV", lambda w, a, b: concat(w, [a], [b])), ("LL", concat)],
    "getProperty": [("VS", lambda w, x, p: get_property(w, [x], p)), ("LS", get_property)],
    "filter": [
        ("LS", lambda w, e, p: filter_(w, e, p, "=", [TRUE])),
        ("LSSV", lambda w, e, p, op, r: filter_(w, e, p, op, [r])),
        ("LSSL", filter_),
    ],
    "ensureNumericProperty": [("S", numeric_property)],
    "ensureNumericEntity": [("V", lambda w, x: numeric_entity(w, [x])), ("L", numeric_entity)],
    "superlative": [("LSS", superlative)],
    "countSuperlative": [("LSS", count_superlative), ("LSSL", count_superlative)],
    "countComparative": [("LSSN", count_comparative), ("LSSNL", count_comparative)],
    "sum": [("L", lambda w, x: [("number", total(x), "fb:en.unitless")])],
    "aggregate": [("SL", aggregate)],
    "listValue": [("*", list_value)],
}
