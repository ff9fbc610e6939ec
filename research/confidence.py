"""``python -m research.confidence``: the confidence beside plain scores, and with some labels.

For one trained system: AUROC of right against wrong test rows by the confidence, by the score of ẑ,
by the posterior of its answer and by the similarity; calibration error with 0, 10 and 50 labelled
development rows, the mean of twenty draws.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fairseq_twostage.cli.parse import hush
from fairseq_twostage.databin.folder import GOLD, read_gold
from fairseq_twostage.files import read_lines
from fairseq_twostage.inference.confidence import ConfidenceModel, Evidence
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.provenance import current_commit, portable_command
from fairseq_twostage.scoring.selective import auroc, calibration_error
from fairseq_twostage.systems.opening import open_parser
from fairseq_twostage.systems.scoring import score
from research import in_one_line

RESULTS = Path(__file__).parent / "confidence.jsonl"
LABELS = (0, 10, 50)
DRAWS = 20
SEED = 1
Judged = tuple[list[Evidence], np.ndarray]


def main(argv: list[str] | None = None) -> None:
    """Measure one parser and keep the line."""
    parser = argparse.ArgumentParser(prog="python -m research.confidence", description=__doc__)
    parser.add_argument("dir", type=Path, help="exported parser, or a run folder")
    parser.add_argument("--system", help="of a run folder that has several")
    parser.add_argument("--data", type=Path, required=True, help="its data-bin")
    parser.add_argument("--results", type=Path, default=RESULTS)
    args = parser.parse_args(argv)
    hush()
    opened = open_parser(args.dir, args.data, args.system)
    line = {
        "domain": opened.domain,
        **measured(opened, args.data),
        "commit": current_commit(),
        "command": portable_command(sys.argv[1:]).replace(
            "twostage", "python -m research.confidence", 1
        ),
    }
    kept = [json.loads(each) for each in read_lines(args.results)] if args.results.exists() else []
    kept = [each for each in kept if each["domain"] != line["domain"]]
    lines = sorted([*kept, line], key=lambda each: str(each["domain"]))
    text = "".join(f"{json.dumps(each, sort_keys=True)}\n" for each in lines)
    args.results.write_text(text, encoding="utf-8")
    print(json.dumps(line))


def measured(parser: TwoStageParser, data: Path) -> dict[str, float | None]:
    """AUROC by each score, and calibration errors."""
    trust = parser.trust
    assert trust is not None and trust.model is not None
    scored = score(parser, read_gold(data, "test"))
    evidences = [verdict.evidence for verdict in scored.verdicts]
    right = np.array(scored.right)
    by = {
        "confidence": [verdict.confidence for verdict in scored.verdicts],
        "score of ẑ": scored.canonical_scores,
        "posterior": [each.posterior for each in evidences if each],
        "similarity": [each.alike for each in evidences if each],
    }
    found: dict[str, float | None] = {
        f"AUROC, {name}": _rounded(auroc(np.array(values, dtype=float), right))
        for name, values in by.items()
    }
    if not (data / GOLD / "valid.tsv").is_file():
        return found
    held = score(parser, read_gold(data, "valid"))
    labels: Judged = ([v.evidence for v in held.verdicts if v.evidence], np.array(held.right))
    tested: Judged = ([each for each in evidences if each], right)
    for count in LABELS:
        errors = with_labels(trust.model, labels, tested, count)
        found[f"calibration error, {count} labels"] = _rounded(float(np.mean(errors)))
    return found


def with_labels(
    model: ConfidenceModel, labels: Judged, tested: Judged, count: int
) -> Sequence[float]:
    """Calibration errors on test rows after a recalibration by some labelled rows."""
    errors = []
    for seed in range(DRAWS if count else 1):
        rows = random.Random(SEED + seed).sample(range(len(labels[0])), count)
        changed = model.recalibrated([labels[0][at] for at in rows], [labels[1][at] for at in rows])
        errors.append(calibration_error(np.array([changed(each) for each in tested[0]]), tested[1]))
    return errors


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


if __name__ == "__main__":
    sys.exit(in_one_line(main)())
