"""What sort of thing a row is, where a table of sorts says it: a rabbit, by the species of its
breed."""

from __future__ import annotations

from collections import Counter
from typing import Any

from fairseq_twostage.databases.guessed import Guessed, column_of
from fairseq_twostage.databases.vocabulary import NOUNS, SORTS


def add_sorts(guessed: Guessed) -> None:
    """Give what refers to a table of sorts the adjectives that this has: *rabbits* are patients.

    The sorts keep theirs as a property: which breeds *have species rabbit*.
    """
    pairs = [
        (entry["from"], entry["to"], entry["columns"])
        for entry in guessed.relationships.values()
        if "columns" in entry and entry["from"] != entry["to"]
    ]
    sorts = dict.fromkeys(to for _, to, _ in pairs if guessed.called(to) in SORTS)
    for sort in sorts:
        of = [(table, columns) for table, to, columns in pairs if to == sort]
        often = Counter(table for table, _ in of)
        once = [(table, columns) for table, columns in of if often[table] == 1]
        dimensions: dict[str, Any] = guessed.tables[sort].get("dimensions", {})
        for name, entry in dimensions.items():
            if entry.get("wording") != "adjective" or name.split("_")[-1] not in NOUNS:
                continue
            free = [each for each in once if not guessed.has(each[0], name)]
            if not free or "through" in entry or entry.get("type", name) in guessed.tables:
                continue
            entry.setdefault("type", name)
            through = guessed.tables[sort].get("table", sort)
            for table, columns in free:
                own = {target: column for column, target in columns.items()}
                guessed.tables[table].setdefault("dimensions", {})[name] = {
                    **entry,
                    "column": column_of(dimensions, name),
                    "through": through,
                    "from_columns": own,
                    "guessed": True,
                }
            del entry["wording"]
