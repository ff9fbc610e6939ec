"""A grammar's names as typed placeholders, for domains whose utterances have these.

GeoGranno's grammar generates ``population of california``, its data hold ``population of _state_``:
entities were linked beforehand. The names stay in the grammar, since types are checked by
execution, and are replaced in what it generates.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.generate import Pair
from fairseq_twostage.grammar.rules import Constant, Rule, is_category
from fairseq_twostage.text.lexicon import Entry, Lexicon

_ENTITY = re.compile(r"(?:fb:)?en\.(?P<type>[^.]+)\.[^.]+")


def names_of(rules: Iterable[Rule], types: Collection[str]) -> Lexicon:
    """The entities that rules without parts name.

    Args:
        rules: of the grammar.
        types: of the entities that are wanted, as ``state`` for ``fb:en.state.california``.

    Raises:
        UserError: the grammar names no entity of one of them.
    """
    entries = []
    for rule in rules:
        if isinstance(rule.function, Constant) and not any(
            is_category(part.symbol) for part in rule.parts
        ):
            constant = rule.function.value.text
            match = _ENTITY.fullmatch(constant)
            if match and match["type"] in types:
                phrase = " ".join(part.symbol for part in rule.parts)
                entries.append(Entry(phrase, match["type"], constant))
    missing = sorted(set(types) - {entry.type for entry in entries})
    if missing:
        raise UserError(f"the grammar names no {missing[0]}", where="--placeholders")
    return Lexicon(entries)


def with_placeholders(pairs: Iterable[Pair], names: Lexicon) -> Iterator[Pair]:
    """Pairs with placeholders in place of names, each canonical utterance once.

    Left out are pairs whose utterance names what its logical form does not, and the reverse.
    """
    constants = {entry.constant for entry in names.entries}
    seen = set()
    for canonical, form in pairs:
        reading = names.read(canonical)
        placeholders = {constant: name for name, constant in reading.variables.items()}
        tokens = form.split()
        if constants.intersection(tokens) == placeholders.keys() and reading.utterance not in seen:
            seen.add(reading.utterance)
            written = " ".join(placeholders.get(token, token) for token in tokens)
            yield Pair(reading.utterance, written)
