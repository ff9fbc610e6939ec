"""What names a row: keys that no table declares."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod

from fairseq_twostage.databases.guessed import Kind, says_key
from fairseq_twostage.databases.identifier_words import IDENTIFYING, NAMING
from fairseq_twostage.databases.reflection import ColumnFacts, Reflected, TableFacts
from fairseq_twostage.databases.words import column_words, table_words, words_of

MOST_KEY_COLUMNS = {2: 8, 3: 5}  # columns of which so many together are tried as a key


class KeyGuesser:
    """Guesses keys by what the columns of a database hold."""

    def __init__(self, database: Reflected) -> None:
        self.database = database

    def guessed_key(self, facts: TableFacts, words: Sequence[str]) -> list[str]:
        """One column without equal values, else two or three; nothing where there are none."""
        if not facts.rows:
            return []
        candidates = [
            column
            for column in facts.columns.values()
            if column.filled == facts.rows
            and column.kind in ("text", "number", "date")
            and not (column.kind == "number" and not column.whole)
        ]
        first = next(iter(facts.columns.values())).name  # of whole numbers it may count the rows
        single = [column for column in candidates if column.distinct == facts.rows]
        single = [c for c in single if c.kind != "number" or says_key(c) or c.name == first]
        if single:
            best = min(single, key=lambda column: self._keyness(column, words))
            return [best.name]
        said = [c for c in candidates if c.kind != "number" or says_key(c) or c.name == first]
        said = sorted((c for c in said if c.distinct > 1), key=lambda c: not says_key(c))
        for size, most in MOST_KEY_COLUMNS.items():
            for columns in combinations(said[:most], size):
                if prod(column.distinct for column in columns) >= facts.rows:
                    together = [column.name for column in columns]
                    if self.database.distinct(facts.name, together) == facts.rows:
                        return together
        return []

    def shared_key(self, facts: TableFacts) -> list[str]:
        """A column of ids by which others call its rows, where they have none that is called as the
        declared key: business_id, beside a number."""
        others = [each for each in self.database.tables.values() if each is not facts]
        if len(facts.key) != 1 or any(r.table == facts.name for o in others for r in o.references):
            return []
        called = {column.lower() for other in others for column in other.columns}
        if facts.key[0].lower() in called:
            return []
        found = [
            column.name
            for column in facts.columns.values()
            if column.name != facts.key[0] and column.name.lower() in called
            if words_of(column.name)[-1] == "id" and len(words_of(column.name)) > 1
            if column.distinct == column.filled == facts.rows > 0
        ]
        own = [name for name in found if words_of(name)[0] in table_words(facts.name)]
        return own[:1]

    def _keyness(self, column: ColumnFacts, words: Sequence[str]) -> tuple[bool, ...]:
        own = column_words(column.name, words)[0]
        return (
            column.kind == "date",  # a row for each day, where nothing else tells them apart
            own[-1] not in IDENTIFYING,
            own[-1] not in NAMING,
            words_of(column.name)[: len(words)] != [*words],
        )

    def one_of_several(self, kind: Kind) -> None:
        """Where one column alone tells all others but one, rows of it are one thing several times:
        a river, once for each state that it runs through."""
        facts = kind.facts
        others = [c.name for c in facts.columns.values() if c.distinct > 1 and c.kind != "other"]
        for column in kind.key or others:
            own = facts.columns[column]
            if own.kind != "text" or own.filled < facts.rows or own.distinct >= facts.rows - 1:
                continue
            rest = [other for other in others if other != column]
            told = [
                c for c in rest if self.database.distinct(facts.name, [column, c]) == own.distinct
            ]
            if told and len(rest) - len(told) == 1:
                kind.several = [other for other in rest if other not in told]
                kind.key = [column]
                return
