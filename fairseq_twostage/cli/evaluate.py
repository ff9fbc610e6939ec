"""``twostage evaluate``: denotation accuracy of what a person gets, outside training."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.cli.by_hand import add_by_hand, by_options, pipeline_by_hand, refuse_by_hand
from fairseq_twostage.cli.options import add_results, seed
from fairseq_twostage.databin.folder import GOLD, data_bin_lines, read_gold, read_manifest
from fairseq_twostage.domains.registry import GEO, OVERNIGHT_DOMAINS
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines
from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.provenance import current_commit, portable_command
from fairseq_twostage.results import check_replaceable, results_file
from fairseq_twostage.scoring.predictions import written_predictions
from fairseq_twostage.systems.record import SystemRecord, by_hand, read_record
from fairseq_twostage.writing import append_line, check_folder

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser
    from fairseq_twostage.systems.scoring import Scored

SCORINGS = "test-scorings.jsonl"
OWN = ("source", "skip_punctuation", "config", "seed")  # options of checkpoints by hand


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--run", type=Path, help="run folder of twostage train, or an exported parser")
    add("--system", help="of a run that has several; the name in the results of checkpoints")
    add("--data", type=Path, help="data-bin (default: that of the run)")
    add("--split", help="test, valid, train or another (default: the system's, else test)")
    add("--predictions", type=Path, help="TSV of every row's predictions")
    add_results(parser)
    add(
        "--foreign",
        type=Path,
        metavar="FILE",
        help="texts that are not about the domain, one a line: how many of them are refused",
    )
    add(
        "--history",
        metavar="SPLIT",
        help="also score on SPLIT every epoch's checkpoint that training kept (without "
        "--no-epoch-checkpoints), for the learning curves of the report; needs --results and --run",
    )
    add = add_by_hand(parser).add_argument
    add(
        "--source",
        choices=("nl", "cf"),
        default="nl",
        help="what goes in: natural utterances, or the gold canonical ones",
    )
    add(
        "--skip-punctuation",
        action="store_true",
        help="leave out tokens without letter or digit that no canonical utterance has, for "
        "parsers that know those only",
    )
    add("--config", default="by_hand", help="name of the configuration (default: by_hand)")
    add("--seed", type=seed, default=1, help="seed of the run")
    add("--stages", help="stages of --run that led to the checkpoints, as parser,dae")


def main(args: argparse.Namespace) -> int:
    """Read, execute, compare, write; the last line printed is the accuracy."""
    from fairseq_twostage.inference.bundle import is_bundle

    exported = args.run is not None and not by_options(args) and is_bundle(args.run)
    if exported:
        return _score_export(args)
    record = record_of(args)
    data = Path(args.data or record.data)
    split = args.split or record.split
    rows = read_gold(data, split)
    if record.pipeline.source == "cf" and not all(row.canonical for row in rows):
        raise UserError(f"{split} has no canonical utterances; choose another split", "--source cf")
    if args.history and not (args.results and args.run):
        raise UserError("needs --results and --run", "--history")
    if args.results:
        identity = record.system, record.domain, record.setting, record.seed
        check_replaceable(args.results, identity, split)
    if args.predictions:
        check_folder(args.predictions.parent)
    from fairseq_twostage import plugin

    plugin.require_fairseq()
    from fairseq_twostage.inference.loading import load_pipeline
    from fairseq_twostage.inference.pipeline import placed
    from fairseq_twostage.systems.opening import load_run
    from fairseq_twostage.systems.record import check_data
    from fairseq_twostage.systems.scoring import epoch_accuracies, epoch_checkpoints, score

    run = None if by_options(args) else args.run
    if run is not None:
        check_data(record, read_manifest(data), data)
    texts = [] if args.foreign is None else list(read_lines(args.foreign))
    pipeline = placed(record.pipeline, run or Path())
    epochs = epoch_checkpoints(pipeline) if args.history else {}
    if run is None:
        parser = load_pipeline(pipeline, data, run, record.fingerprint)
    else:
        parser = load_run(record, run, data, judged=bool(pipeline.rerank))
    started = time.monotonic()
    scored = score(parser, rows, pipeline)
    print(f"read {len(rows)} utterances in {time.monotonic() - started:.1f} s")
    scored_at = replace(record, data=str(data), split=split, pipeline=pipeline)
    log_scoring(args, scored_at, scored.percent)
    with written_predictions(args.predictions, scored.rows):
        if args.results:
            from fairseq_twostage.systems.results_of import run_result, write_result

            accuracies = epoch_accuracies(pipeline, data, args.history, epochs)
            corpus = data_bin_lines(data / "text" / "train.cf")
            found = run_result(scored_at, scored, args.run, accuracies, args.history, corpus)
            path = write_result(args.results, found, scored)
            print(f"results: {path}")
    if args.predictions:
        print(f"predictions: {args.predictions}")
    print_trust(scored, texts)
    places = [*pipeline.paraphrasers, *filter(None, [pipeline.parser])]
    print(f"checkpoints: {', '.join(places) or 'none'}")
    print(scored)
    return 0


def record_of(args: argparse.Namespace) -> SystemRecord:
    """What the run says of itself, or the options say of checkpoints.

    Raises:
        UserError: neither names a system, or an option is out of its range or would be ignored.
    """
    if not by_options(args):
        if args.run is None:
            raise UserError("give the run folder, or checkpoints and their data-bin", "--run")
        refuse_by_hand(args, add_arguments, OWN)
        return read_record(args.run, args.system)
    if args.data is None:
        raise UserError("checkpoints by hand need their data-bin", "--data")
    pipeline = pipeline_by_hand(args, args.source, args.skip_punctuation)
    stages = args.stages.split(",") if args.stages else []
    if args.results and args.run and not stages:
        raise UserError("name the stages that led to the checkpoints", "--stages")
    name = args.system or "by_hand"
    return by_hand(args.data, pipeline, name, args.config, args.seed, stages)


def _score_export(args: argparse.Namespace) -> int:
    """Accuracy of an exported folder on the rows of a data-bin."""
    from fairseq_twostage.inference.bundle import read_bundle, read_description
    from fairseq_twostage.systems.scoring import score

    if args.data is None:
        raise UserError("an exported parser needs a data-bin with annotated rows", "--data")
    if args.results or args.history:
        raise UserError("are of a run, not of an exported parser", "--results, --history")
    refuse_by_hand(args, add_arguments, OWN)
    parser = read_bundle(args.run)
    manifest = read_manifest(args.data)
    if manifest.domain != parser.domain:
        raise UserError(f"holds {manifest.domain}, not {parser.domain}", str(args.data))
    split = args.split or "test"
    scored = score(parser, read_gold(args.data, split))
    system = str(read_description(args.run)["system"])
    log_scoring(args, by_hand(args.data, Pipeline(), system, split=split), scored.percent)
    with written_predictions(args.predictions, scored.rows):
        pass
    print_trust(scored, [] if args.foreign is None else list(read_lines(args.foreign)))
    print(scored)
    return 0


def print_trust(scored: Scored, foreign: Sequence[str]) -> None:
    """How trusted answers fare, and how many foreign texts are refused, where readings are judged.

    Raises:
        UserError: foreign texts, and nothing that judges them.
    """
    selective = scored.selective
    if selective is not None:
        precision = "–" if selective.precision is None else f"{selective.precision:.1%}"
        rank = "–" if selective.auroc is None else f"{selective.auroc:.3f}"
        print(
            f"answered: {selective.coverage:.1%} of the questions, {precision} of them right; "
            f"AUROC {rank}, AURC {selective.aurc:.3f}, calibration error {selective.ece:.3f}"
        )
    if not foreign:
        return
    if scored.parser.trust is None:
        raise UserError("this system judges no readings", "--foreign")
    refused = sum(refuses(scored.parser, text) for text in foreign)
    right = [verdict for verdict, ok in zip(scored.verdicts, scored.right) if ok]
    scope = scored.parser.trust.scope
    lost = sum((verdict.in_domain or 0.0) < scope.threshold for verdict in right)
    print(
        f"foreign: {refused} of {len(foreign)} refused as not of the domain; "
        f"of {len(right)} right answers {lost}"
    )


def refuses(parser: TwoStageParser, text: str) -> bool:
    """Whether a text counts as not of the domain; one without words does."""
    assert parser.trust is not None
    try:
        (found,) = parser.parse_batch([text])
    except UserError:
        return True
    return (found.verdict.in_domain or 0.0) < parser.trust.scope.threshold


def log_scoring(args: argparse.Namespace, record: SystemRecord, percent: float) -> None:
    """Append a line to the log of how often published test rows were scored.

    It lies beside the results, else in the run's folder, else with the data-bin's annotated rows.
    """
    from fairseq_twostage.inference.bundle import is_bundle

    if record.split != "test" or record.domain not in (*OVERNIGHT_DOMAINS, GEO):
        return
    run = args.run if args.run and not is_bundle(args.run) else None
    place = results_file(args.results).parent if args.results else None
    folder = place or run or Path(record.data) / GOLD
    line = {
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
        "commit": current_commit(),
        "system": record.system,
        "domain": record.domain,
        "setting": record.setting,
        "seed": record.seed,
        "fingerprint": record.fingerprint,
        "accuracy": round(percent, 2),
        "command": portable_command(sys.argv[1:]),
    }
    append_line(folder / SCORINGS, json.dumps(line, ensure_ascii=False, sort_keys=True))
