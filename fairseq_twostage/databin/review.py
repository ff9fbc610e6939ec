"""What ``twostage prepare`` says of files that may not be meant as they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fairseq_twostage.databases.opening import open_schema
from fairseq_twostage.databin.corpora import Corpora, Recipe
from fairseq_twostage.domains.pairs import unknown_constants
from fairseq_twostage.domains.values import doubtful_units, units_of
from fairseq_twostage.domains.worlds import database_world
from fairseq_twostage.semantics import World
from fairseq_twostage.semantics.foreign import ForeignWorld
from fairseq_twostage.semantics.gold_forms import (
    GoldForm,
    by_value,
    check_alone,
    doubtful,
    first_of,
)
from fairseq_twostage.semantics.gold_rows import is_gold
from fairseq_twostage.text.function_words import FUNCTION_WORDS
from fairseq_twostage.text.lexicon import Entry
from fairseq_twostage.text.lexicon_files import located_entries
from fairseq_twostage.text.question_words import often_asked
from fairseq_twostage.text.tokenisation import BLANKS
from fairseq_twostage.text.word_forms import base

USUAL = 0.8  # of the names of a type, for what is usual there
# Eight letters in a row of a script that is written without blanks: Thai, Lao, Burmese, Khmer,
# Japanese, Chinese.
_UNBROKEN = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]{8}"
)


def review(recipe: Recipe, corpora: Corpora) -> Iterator[str]:
    """A line for each thing that whoever brought the files should know.

    Of the published domains nothing is said: nobody here can mend them.

    Raises:
        UserError: more than a logical form stands where one is wanted.
    """
    domain = recipe.source
    if domain.folder is None:
        return
    found = [x for part in corpora.unaligned.values() for x, _ in part.utterances]
    unbroken = [x for x in found if _UNBROKEN.search(x)]
    if unbroken and domain.tokenisation == BLANKS:
        yield (
            f"{len(unbroken)} of {len(found)} utterances have no blanks between words, as "
            f"{unbroken[0][:40]!r}: names inside are not found; tokenisation: words finds them"
        )
    if domain.database is not None:
        yield from _unknown_kinds(found, corpora)
    world = database_world(domain, recipe.raw)
    if domain.database is not None:
        from fairseq_twostage.databases.unread_values import unread_values  # needs SQLAlchemy

        yield from unread_values(open_schema(domain.base(recipe.raw) / domain.database))
    if domain.lexicon is not None:
        yield from _never_found(recipe, corpora)
        if world is not None and not domain.grammar:  # else it was said before generation
            yield from unknown_constants(domain, recipe.raw, world)
        yield from first_of(list(_misplaced(recipe)), "so it is with {} more names")
        if not corpora.with_variables:
            yield "no utterance names anything of the lexicon; twostage read shows what is read"
    if world is not None:
        if not isinstance(world, ForeignWorld):
            yield from doubtful_units(domain, units_of(world))
        yield from _of_rows(corpora, world)


def _unknown_kinds(utterances: Sequence[str], corpora: Corpora) -> Iterator[str]:
    """What many questions ask for and nothing is called."""
    known = {*map(base, corpora.counts["cf"])}
    for kind, count in often_asked(utterances).items():
        if base(kind) not in known:
            yield (
                f"{count} of {len(utterances)} questions ask for {kind!r}, and nothing is called "
                "so: synonyms of a table in schema.yaml say what that is"
            )


def _never_found(recipe: Recipe, corpora: Corpora) -> Iterator[str]:
    """Names that are all marks or a word like *it*, and those that are read as another one:
    ``Dr. No``, ``Dr No``."""
    words = corpora.frontend.tokeniser.words
    first: dict[tuple[str, str], tuple[str, Entry]] = {}
    for where, entry in located_entries(recipe.base / str(recipe.source.lexicon)):
        read = words(entry.phrase)
        if not any(map(str.isalnum, read)):
            yield f"{where}: {entry.phrase!r} has no letter or digit, and is never found"
            continue
        if read in FUNCTION_WORDS:
            yield (
                f"{where}: {entry.phrase!r} is a word of every sentence, and a name only in "
                "capital letters or quotes"
            )
        place, other = first.setdefault((read, entry.type), (where, entry))
        if other.constant != entry.constant and other.phrase != entry.phrase:
            yield (
                f"{where}: {entry.phrase!r} is read as {other.phrase!r} is ({place}), and means "
                f"{other.constant}"
            )


def _misplaced(recipe: Recipe) -> Iterator[str]:
    """Names that stand under another type than all others whose constants are like theirs."""
    names = list(located_entries(recipe.base / str(recipe.source.lexicon)))
    kinds: dict[str, Counter[str]] = {}
    for _, entry in names:
        kinds.setdefault(entry.type, Counter())[_kind(entry)] += 1
    usual = {
        type: kind
        for type, counts in kinds.items()
        for kind, count in counts.most_common(1)
        if kind and count >= max(3, USUAL * counts.total())
    }
    for where, entry in names:
        kind = _kind(entry)
        if usual.get(entry.type, kind) == kind:
            continue
        if as_well := [type for type in usual if usual[type] == kind]:
            yield (
                f"{where}: {entry.phrase!r} stands as a {entry.type}, and its constant "
                f"{entry.constant} is like those of {' and '.join(as_well)}"
            )


def _kind(entry: Entry) -> str:
    """What a constant begins with, as ``en.film`` of ``en.film.night_train``."""
    return "" if entry.constant.startswith("(") else entry.constant.rpartition(".")[0]


def _of_rows(corpora: Corpora, world: World) -> Iterator[str]:
    found = [row for rows in corpora.rows.values() for row in rows if not is_gold(row.logical_form)]
    forms = [GoldForm(row.logical_form, row.variables, row.where) for row in found]
    if not isinstance(world, ForeignWorld):  # one's own executor reads what it likes
        for form in forms:
            check_alone(form.form, form.where)
    sound, failed = by_value(forms, world)
    if failed:
        yield (
            f"{len(failed)} of {len(forms)} annotated rows have a logical form that does not "
            f"execute, and count as wrong; the first: {failed[0]}"
        )
    yield from doubtful(sound, world)
