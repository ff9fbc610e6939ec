"""How many questions of a split no canonical utterance of an exported parser answers.

``python -m research.expressible EXPORT --data DATA-BIN`` asks, for each labelled question, every
known form with the question's own names for its answer. A form may give the right answer by
chance, so the share that cannot be said is a lower bound. The foremost candidates alone, 20 as a
rule, bound it from above.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.inference.candidates import names_in
from fairseq_twostage.semantics.accuracy import answered, is_right
from fairseq_twostage.text.rows import Row

Names = Mapping[str, str]


def main() -> None:
    """Print both shares, and how many questions counted."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments.add_argument("export", type=Path)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--split", default="test")
    arguments.add_argument("--foremost", type=int, default=20, metavar="N")
    args = arguments.parse_args()
    parser = TwoStageParser.load(args.export)
    rows = read_gold(args.data, args.split)
    rows = [row for row in rows if answered(row.logical_form, parser.world)]
    by_names: dict[frozenset[str], list[str]] = {}
    for form in dict.fromkeys(parser.pairs.values()):
        by_names.setdefault(names_in(form), []).append(form)
    foremost = said = 0
    for row in rows:
        text = parser.reader.frontend.tokeniser.decode(row.utterance)
        utterance = parser.reader.in_all_senses(parser.reader(text, row.variables))

        def right(form: str | None, row: Row = row, variables: Names = utterance.variables) -> bool:
            answer = None if form is None else parser.denote(form, variables)
            return answer is not None and is_right(
                answer, row.logical_form, parser.world, row.variables
            )

        near = map(parser.pairs.get, parser.candidates_of(utterance, args.foremost))
        found = any(map(right, near))
        foremost += found
        said += found or any(map(right, by_names.get(frozenset(utterance.variables), ())))
    total = len(rows)
    for words, number in (
        (f"none of the foremost {args.foremost} candidates answers", total - foremost),
        ("no known question answers", total - said),
    ):
        print(f"{words}: {100 * number / total:.1f} % ({number} of {total})")


if __name__ == "__main__":
    main()
