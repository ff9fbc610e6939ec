"""``twostage parse``: utterances in; canonical utterances, logical forms and answers out."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from fairseq_twostage.cli.execute import split_variables
from fairseq_twostage.cli.options import add_parser_folder, positive
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import check_line_ends, readable, unmarked

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.inference.parses import Explanation, Parse
    from fairseq_twostage.text.utterance import Utterance

BATCH = 256
CHUNK = 1 << 16
TEXT_ROWS = 10  # of a database's answer, in the format text
COLUMNS = (
    "utterance",
    "rank",
    "canonical",
    "canonical_score",
    "logical_form",
    "logical_form_score",
    "answer",
    "confidence",
    "in_domain",
    "refused_because",
)
Line = tuple[str, str]
"""Where a text stands, and the text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_parser_folder(parser)
    add(
        "utterance",
        nargs="*",
        default=[],
        metavar="UTTERANCE",
        help="what to parse; with neither this nor --file, the lines of standard input. Behind a "
        "tab a line may carry a JSON object with values of the placeholders it has",
    )
    add("--file", metavar="FILE", help="one utterance per line (-: standard input)")
    add(
        "--format",
        choices=("text", "tsv", "jsonl"),
        default="text",
        help="text for people (default), or one of the two for programs",
    )
    add(
        "--answer-anyway",
        action="store_true",
        help="show the reading of what was not understood, too (format text; the others have it)",
    )
    add("--n-best", type=positive, default=1, metavar="N", help="readings of each (default: 1)")
    add(
        "--explain",
        action="store_true",
        help="what the paraphrase attended to and the value of every part (not with tsv)",
    )
    _allow_options_anywhere(parser)


def _allow_options_anywhere(parser: argparse.ArgumentParser) -> None:
    """Let utterances follow options, too: ``parse DIR --n-best 3 UTTERANCE``.

    argparse does that in a method of its own, which a parser of subcommands does not call.
    """
    plain = parser.parse_known_args

    def intermixed(args: Any = None, namespace: Any = None) -> Any:
        parser.parse_known_args = plain  # type: ignore[method-assign]
        try:
            return parser.parse_known_intermixed_args(args, namespace)
        finally:
            parser.parse_known_args = intermixed  # type: ignore[method-assign]

    parser.parse_known_args = intermixed  # type: ignore[method-assign]


def main(args: argparse.Namespace) -> int:
    """Parse and print; the status is 1 if there was a line that could not be read."""
    hush()
    if args.utterance and args.file is not None:
        raise UserError("give utterances or a file, not both", "--file")
    if args.explain and args.format == "tsv":
        raise UserError("shown by the formats text and jsonl only", "--explain")
    from fairseq_twostage.systems.opening import open_parser

    parser = open_parser(args.dir, args.data, args.system)
    show = _FORMATS[args.format]
    if args.format == "text":
        show = partial(as_text, anyway=args.answer_anyway)
    if args.format == "tsv":
        _print("\t".join(COLUMNS))
    status = 0
    for batch in batches(args):
        for where, found in parse_lines(parser, batch, args.n_best):
            if isinstance(found, UserError):
                print(f"twostage parse: error: {where}: {found}", file=sys.stderr)
                status = 1
            _print(show(parser, found, args.explain))
        sys.stdout.flush()
    return status


def hush() -> None:
    """Keep the log of fairseq's import, which advertises packages, off the terminal."""
    logging.getLogger("fairseq").setLevel(logging.WARNING)


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")


# ---------------------------------------------------------------------- input


def batches(args: argparse.Namespace) -> Iterator[list[Line]]:
    """The texts to parse, as many at once as there are."""
    if args.utterance:
        yield [(f"utterance {n}", text) for n, text in enumerate(args.utterance, 1)]
        return
    file = "-" if args.file is None else args.file
    try:
        name = "standard input" if file == "-" else file
        number, batch = 0, list[Line]()
        with nullcontext(sys.stdin) if file == "-" else readable(file) as stream:
            for line in _lines_as_they_come(stream.fileno(), name):
                if line is not None:
                    number += 1
                    batch.append((f"{name}:{number}", line))
                if batch and (line is None or len(batch) == BATCH):
                    if number == len(batch) and _is_sheet([text for _, text in batch]):
                        print(
                            f"note: {name}: the lines have columns, between semicolons; each line "
                            "is read as one question",
                            file=sys.stderr,
                        )
                    yield batch
                    batch = []
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", file) from error


def _is_sheet(lines: Sequence[str]) -> bool:
    """Whether all of several lines have as many semicolons, as a spreadsheet's rows do."""
    semicolons = {line.count(";") for line in lines if line.strip()}
    return len(lines) > 1 and len(semicolons) == 1 and 0 not in semicolons


def _lines_as_they_come(descriptor: int, name: str) -> Iterator[str | None]:
    """Lines of a file; None where none is at hand, so that whoever types sees the answer."""
    rest, chunk = b"", unmarked(os.read(descriptor, CHUNK), name)
    while chunk:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode("utf-8", "replace").rstrip("\r") for line in lines)
        if lines:
            yield None
        chunk = os.read(descriptor, CHUNK)
    if rest:
        yield rest.decode("utf-8", "replace").rstrip("\r")
    yield None


def parse_lines(
    parser: TwoStageParser, lines: Sequence[Line], n_best: int
) -> Iterator[tuple[str, Parse | UserError]]:
    """Parse texts at once; one that cannot be read gives its error in its place."""
    read = [_read(parser, text) for _, text in lines]
    good = [item for item in read if not isinstance(item, UserError)]
    parses = iter(parser.parse_utterances(good, n_best))
    for (where, _), item in zip(lines, read):
        yield where, item if isinstance(item, UserError) else next(parses)


def _read(parser: TwoStageParser, line: str) -> Utterance | UserError:
    try:
        if "\ufffd" in line or "\0" in line:  # else a name would be read without a letter
            return UserError("not UTF-8 text")
        if "\n" not in line:  # an argument may be of several lines, a line of a file is not
            check_line_ends(line.rstrip("\r"))
        text, variables = split_variables(line)
        return parser.reader(text, variables)
    except UserError as error:
        return error
    except ValueError as error:
        return UserError(str(error))


# ---------------------------------------------------------------------- output


def as_jsonl(parser: TwoStageParser, found: Parse | UserError, explain: bool) -> str:
    """One JSON object."""
    from fairseq_twostage.inference.records import parse_record

    if isinstance(found, UserError):
        return json.dumps({"error": str(found), "readings": []}, ensure_ascii=False)
    return json.dumps(parse_record(parser, found, explain), ensure_ascii=False)


def as_tsv(parser: TwoStageParser, found: Parse | UserError, explain: bool) -> str:
    """A line per reading."""
    from fairseq_twostage.inference.records import parse_record

    if isinstance(found, UserError):
        place = COLUMNS.index("answer")
        after = [""] * (len(COLUMNS) - place - 1)
        return "\t".join(("", "1", *[""] * (place - 2), f"ERROR: {found}", *after))
    record = parse_record(parser, found)
    lines = []
    for rank, reading in enumerate(record["readings"], 1):
        answer = f"ERROR: {reading['error']}" if reading["error"] else reading["answer"]
        own = (reading[name] for name in COLUMNS[2 : COLUMNS.index("answer")])
        judged = (record[name] for name in COLUMNS[COLUMNS.index("answer") + 1 :])
        judged_fields = ("" if rank > 1 or each is None else each for each in judged)
        fields = [record["utterance"], rank, *own, answer, *judged_fields]
        lines.append("\t".join(" ".join(str(field).split()) for field in fields))
    return "\n".join(lines)


def as_text(
    parser: TwoStageParser, found: Parse | UserError, explain: bool, anyway: bool = False
) -> str:
    """A block of lines for people; what was not understood shows its reading if asked to."""
    from fairseq_twostage.inference.answer import answer_line
    from fairseq_twostage.inference.records import parse_record

    if isinstance(found, UserError):
        return f"{found}\n"
    record = parse_record(parser, found)
    lines = [record["utterance"].strip()]
    if record["unknown_words"]:
        lines.append(f"  unknown words  {', '.join(record['unknown_words'])}")
    for name, place in record["unseen_names"].items():
        lines.append(f"  unseen name    {name} (as {place})")
    for typed, phrase in record["corrected_names"].items():
        lines.append(f"  read as        {phrase} ({typed})")
    for said, value in record["values_read"].items():
        if said != value:
            lines.append(f"  read as        {value} ({said})")
    for typed, phrases in record["similar_names"].items():
        lines.append(f"  which one      {typed}: {', '.join(phrases)}?")
    if record["refused_because"]:
        lines.append(f"  not understood  {record['refused_because']}")
        lines += [f"  you can ask    {text}" for text in record["suggestions"]]
        if not anyway:
            return "\n".join(lines) + "\n"
    if record["confidence"] is not None:
        lines.append(f"  confidence    {record['confidence']:.2f}")
    for rank, reading in enumerate(record["readings"]):
        answer = found.readings[rank].answer
        lines += [
            f"  canonical     {reading['canonical']}   ({reading['canonical_score']:.2f})",
            f"  logical form  {reading['logical_form']}   ({reading['logical_form_score']:.2f})",
        ]
        if table := reading.get("table"):
            lines += table_lines(table)
        else:
            lines.append(f"  answer        {answer_line(answer, parser.called(answer))}")
        if explain:
            lines += explanation_lines(parser.explain(found, rank))
        if rank + 1 < len(record["readings"]):
            lines.append("  --")
    return "\n".join(lines) + "\n"


def table_lines(table: Mapping[str, Any]) -> list[str]:
    """What a database shows of an answer, ``TEXT_ROWS`` at most; one column stands on one line.

    Args:
        table: as :meth:`fairseq_twostage.inference.answer.Table.record` has it.
    """
    from fairseq_twostage.inference.answer import aligned

    rows = table["rows"][:TEXT_ROWS]
    more = f"… {table['total'] - len(rows)} more" if table["total"] > len(rows) else ""
    if len(table["columns"]) == 1 or not rows:
        values = [*(" ".join(row[0].split()) for row in rows), *filter(None, [more])]
        lines = [f"  answer        {', '.join(values) or 'nothing'}"]
        more = ""
    else:
        first, *rest = aligned(table["columns"], rows)
        lines = [f"  answer        {first}", *(f"{'':16}{line}" for line in rest)]
    return [*lines, *(f"{'':16}{line}" for line in (more, table["note"]) if line)]


def explanation_lines(explanation: Explanation) -> list[str]:
    """For each canonical word what it attended to most, then the tree with its values.

    Where nothing was attended to, as without a paraphraser, the tree alone.
    """
    tree = ["  values", *(f"    {line}" for line in explanation.tree.lines())]
    if not any(map(any, explanation.attention)):
        return tree
    lines = ["  attention"]
    width = max(map(len, explanation.target), default=0)
    for word, weights in zip(explanation.target, explanation.attention):
        ranked = sorted(zip(weights, explanation.source), key=lambda pair: -pair[0])
        seen = "  ".join(f"{source} {weight:.2f}" for weight, source in ranked[:3] if weight > 0.05)
        lines.append(f"    {word:{width}}  <- {seen or 'the end of the sentence'}")
    return [*lines, *tree]


_FORMATS: dict[str, Callable[[TwoStageParser, Parse | UserError, bool], str]] = {
    "text": as_text,
    "tsv": as_tsv,
    "jsonl": as_jsonl,
}
