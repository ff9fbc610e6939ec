"""Placeholders such as ``_state_`` and ``_state2_``, which stand for names and values."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Mapping
from itertools import chain, count, pairwise

from fairseq_twostage.text.value_settings import KINDS, same_value

_OF = frozenset(("with", "of", "for", "called", "named", "no", "nr", "number"))
_PLACEHOLDER = re.compile(r"_([a-z][a-z0-9_]*?)([0-9]*)_")


def placeholder(type: str, number: int = 1) -> str:
    """``_state_``, ``_state2_``, …"""
    return f"_{type}{number if number > 1 else ''}_"


def free_placeholder(like: str, taken: Container[str]) -> str:
    """The placeholder ``like``, or the first other one of its type that is not ``taken``."""
    found = _PLACEHOLDER.fullmatch(like)
    if found is None:
        raise ValueError(f"{like!r} is no placeholder")
    names = (placeholder(found[1], number) for number in count(1))
    return next(name for name in chain([like], names) if name not in taken)


def placeholders_for(
    variables: Mapping[str, str], known: Mapping[str, str], taken: Collection[str] = ()
) -> dict[str, str]:
    """New names of placeholders: those that ``known`` has for their constants, else free ones.

    Args:
        variables: placeholder -> constant.
        known: likewise, of another utterance.
        taken: further placeholders that are not free.
    """
    renamed: dict[str, str] = {}
    for name, constant in variables.items():
        others = {*known, *taken, *renamed.values()}
        renamed[name] = name_of(constant, known) or free_placeholder(name, others)
    return renamed


def name_of(constant: str, variables: Mapping[str, str]) -> str | None:
    """The placeholder that stands for a constant, or None."""
    same = (name for name, known in variables.items() if same_value(constant, known))
    return next(same, None)


def parts_of(word: str) -> tuple[str, int]:
    """Type and number of a placeholder."""
    found = _PLACEHOLDER.fullmatch(word)
    if found is None:
        raise ValueError(f"{word!r} is no placeholder")
    return found[1], int(found[2] or 1)


def is_placeholder(word: str) -> bool:
    """Whether a word has the form of a placeholder."""
    return _PLACEHOLDER.fullmatch(word) is not None


def words_of_kinds(tokens: str, kept: Collection[str]) -> set[str]:
    """Words that only say again what a name is: *project* of "the _project_ project", of "the
    project with _project_", and of "is _project_ an old project".

    Args:
        tokens: of a question.
        kept: names that count.
    """
    words = tokens.split()
    found = set()
    beside = [
        (name, word) for word, between, name in zip(words, words[1:], words[2:]) if between in _OF
    ]
    beside += [*pairwise(words), *((b, a) for a, b in pairwise(words))]
    for one, other in beside:
        if one in kept and is_placeholder(one) and parts_of(one)[0] not in KINDS:
            found |= {other} & {*parts_of(one)[0].split("_")}
    verb, one = [*words, "", ""][:2]
    if verb in ("is", "was") and one in kept and is_placeholder(one):
        found |= {words[-1]} & {parts_of(one)[0].split("_")[-1]}
    return found


def says_value(words: Iterable[str]) -> bool:
    """Whether a placeholder of a number, a date or a time is among the words."""
    return any(is_placeholder(word) and parts_of(word)[0] in KINDS for word in words)
