"""``python -m research.scope``: what a parser refuses that is not about its domain.

For each source of texts, how many are refused by ``in_domain`` alone: 500 test utterances of the
other published datasets together, placeholders filled with names; general questions; rubbish. The
last two are written for this and stand beside this file; no parser has seen them. Beside them, how
many of its right answers to its own test rows a parser would refuse so.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from fairseq_twostage.cli.evaluate import refuses
from fairseq_twostage.cli.parse import hush
from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.databin.frontend import load_frontend
from fairseq_twostage.domains.registry import GEO, OVERNIGHT_DOMAINS
from fairseq_twostage.files import read_lines
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.provenance import current_commit, portable_command
from fairseq_twostage.systems.opening import open_parser
from fairseq_twostage.systems.scoring import score
from research import in_one_line

HERE = Path(__file__).parent
RESULTS = HERE / "scope.jsonl"
DATASETS = (*OVERNIGHT_DOMAINS, GEO)
DRAWN = 500
SEED = 1


def main(argv: list[str] | None = None) -> None:
    """Measure one parser and keep the line."""
    parser = argparse.ArgumentParser(prog="python -m research.scope", description=__doc__)
    parser.add_argument("dir", type=Path, help="exported parser, or a run folder")
    parser.add_argument("--system", help="of a run folder that has several")
    parser.add_argument("--data", type=Path, required=True, help="its data-bin")
    parser.add_argument(
        "--data-bins", type=Path, default=Path("data-bin"), help="folder with the nine data-bins"
    )
    parser.add_argument("--results", type=Path, default=RESULTS)
    args = parser.parse_args(argv)
    hush()
    opened = open_parser(args.dir, args.data, args.system)
    rows = measured(opened, args.data, args.data_bins)
    head = {"domain": opened.domain, "system": args.system or "exported"}
    line = {
        **head,
        **rows,
        "commit": current_commit(),
        "command": portable_command(sys.argv[1:]).replace(
            "twostage", "python -m research.scope", 1
        ),
    }
    kept = [json.loads(each) for each in read_lines(args.results)] if args.results.exists() else []
    kept = [each for each in kept if any(each[key] != line[key] for key in head)]
    lines = sorted([*kept, line], key=lambda each: (each["domain"], each["system"]))
    text = "".join(f"{json.dumps(each, sort_keys=True)}\n" for each in lines)
    args.results.write_text(text, encoding="utf-8")
    print(json.dumps(rows))


def measured(parser: TwoStageParser, data: Path, data_bins: Path) -> dict[str, list[int]]:
    """By source, how many texts are refused, and of how many."""
    sources = {
        "datasets": foreign_utterances(parser.domain, data_bins),
        "general": list(read_lines(HERE / "foreign" / "general.txt")),
        "rubbish": list(read_lines(HERE / "foreign" / "rubbish.txt")),
    }
    found = {
        name: [sum(refuses(parser, text) for text in texts), len(texts)]
        for name, texts in sources.items()
    }
    assert parser.trust is not None
    threshold = parser.trust.scope.threshold
    scored = score(parser, read_gold(data, "test"))
    right = [verdict for verdict, ok in zip(scored.verdicts, scored.right) if ok]
    found["right"] = [sum((each.in_domain or 0.0) < threshold for each in right), len(right)]
    return found


def foreign_utterances(domain: str, data_bins: Path) -> list[str]:
    """Test utterances of the other published datasets, drawn together."""
    texts = [text for name in DATASETS if name != domain for text in _texts(data_bins / name)]
    return random.Random(SEED).sample(texts, DRAWN)


def _texts(data: Path) -> Iterator[str]:
    frontend = load_frontend(data)
    for row in read_gold(data, "test"):
        words = frontend.tokeniser.decode(row.utterance).split()
        yield " ".join(
            _said(row.variables[word]) if word in row.variables else word for word in words
        )


def _said(constant: str) -> str:
    """The name that a constant ends with, in words."""
    return constant.rpartition(".")[2].rpartition(":")[2].replace("_", " ")


if __name__ == "__main__":
    sys.exit(in_one_line(main)())
