"""``twostage questions``: what can be asked of a parser, by kind, with examples."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fairseq_twostage.cli.options import add_parser_folder, positive
from fairseq_twostage.cli.parse import hush

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser

# The first kind whose pattern the logical form has; the functions are those of the language.
KINDS: Mapping[str, str] = {
    "how many": r"\.size\b",
    "sums and averages": r"SW\.(sum|aggregate|avg|average)\b",
    "the most and the least": r"[Ss]uperlative",
    "more, less, at least": r"countComparative|\(string (<|>|<=|>=)\)|\( string (<|>|<=|>=) \)",
    "all but": r"\(? ?string !=",
    "one or the other": r"SW\.concat",
    "with a condition": r"SW\.filter",
    "about a named thing": r"SW\.getProperty (en|fb|_|\( call SW\.(?!singleton))",
}
OTHERS = "everything of a kind"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_parser_folder(parser)
    parser.add_argument(
        "--examples", type=positive, default=3, metavar="N", help="of each kind (default: 3)"
    )


def main(args: argparse.Namespace) -> int:
    """Print each kind with its number of questions, and examples."""
    hush()
    from fairseq_twostage.systems.opening import open_parser

    for line in lines_of(open_parser(args.dir, args.data, args.system), args.examples):
        print(line)
    return 0


def lines_of(parser: TwoStageParser, examples: int) -> Iterator[str]:
    """What is printed."""
    kinds: dict[str, list[str]] = {}
    for canonical in parser.canonical_utterances:
        kinds.setdefault(kind_of(parser.pairs.get(canonical, "")), []).append(canonical)
    for kind in (*KINDS, OTHERS):
        if found := kinds.get(kind):
            yield f"{kind} ({len(found)})"
            yield from (f"  {text}" for text in _spread(parser, found, examples))


def kind_of(form: str) -> str:
    """The kind of question that a logical form answers."""
    return next((kind for kind, pattern in KINDS.items() if re.search(pattern, form)), OTHERS)


def _spread(parser: TwoStageParser, canonicals: Sequence[str], count: int) -> list[str]:
    """Some that have an answer, in words: short ones, from all over the alphabet."""
    short = sorted(canonicals, key=lambda line: len(line.split()))[: 4 * count]
    step = max(1, len(short) // count)
    texts = (parser.reader.with_examples(line) for line in sorted(short)[::step])
    return [text for text in texts if text is not None][:count]
