"""``twostage train``: the stages of a system, each as a plain command, then its evaluation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from fairseq_twostage.cli.options import add_jobs, add_training
from fairseq_twostage.criterions.schedule import OBJECTIVES, REWARDS, parse_weighted_names
from fairseq_twostage.databin.folder import GOLD, Manifest, read_gold, read_manifest
from fairseq_twostage.domains.registry import load_domain
from fairseq_twostage.errors import UserError
from fairseq_twostage.plugin import look_for_fairseq
from fairseq_twostage.results import check_replaceable, results_file
from fairseq_twostage.scoring.predictions import predictions_name
from fairseq_twostage.selection import check_metrics
from fairseq_twostage.systems.commands import Run, option_words
from fairseq_twostage.systems.config import FAIRSEQ_TRAIN, load_system
from fairseq_twostage.systems.config_files import find_config
from fairseq_twostage.systems.processes import subprocess_runner
from fairseq_twostage.systems.running import Runner, run_command, run_stages, shown
from fairseq_twostage.writing import check_folder

SETTINGS = ("paper", "grammar")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--config",
        required=True,
        help="name of a configuration, its file, or FILE:NAME of a file that holds several",
    )
    add("--domain", help="name of the domain, or its domain.yaml or that file's folder")
    add_training(parser)
    add("--setting", choices=SETTINGS, help="of Z; default: that of the data-bin")
    add(
        "--data",
        type=Path,
        help="data-bin made by twostage prepare (default: data-bin/DOMAIN; with --setting grammar "
        "data-bin/DOMAIN.grammar, unless the domain has utterances of its own)",
    )
    add(
        "--predictions",
        type=Path,
        help="TSV of every row's predictions (default: predictions/SYSTEM.tsv in the run "
        "folder, SYSTEM.SPLIT.tsv of another split than test)",
    )
    add(
        "--until",
        metavar="STAGE",
        help="train only the stage whose folder has this name and those that it needs; no "
        "evaluation",
    )
    add("--history", metavar="SPLIT", help="score every kept epoch: see twostage evaluate")
    add_jobs(parser, 1)
    add("--dry-run", action="store_true", help="print the commands only")
    add("extra", nargs="*", help="after --: options added to every fairseq-train command")


def main(args: argparse.Namespace, execute: Runner = subprocess_runner) -> int:
    """Train what is not trained yet, evaluate; every command is printed before it runs."""
    if not args.dry_run:
        look_for_fairseq()
    config = find_config(args.config)
    data, manifest = prepared_data(args.data, args.domain, args.setting)
    if any(change.partition("=")[0].strip() == "seed" for change in args.changes):
        raise UserError("is given by --seed", "--set seed")
    changes = [*args.changes, f"seed={args.seed}"]
    system = load_system(config, changes, manifest.domain)
    run = Run(
        system=system,
        data=data,
        folder=args.runs / f"{manifest.domain}.{manifest.canonical}.{args.seed}",
        seed=args.seed,
        extra=tuple(args.extra),
    )
    if config.name != system.system:
        print(f"{config.name} is run as {system.system}")
    check_options(args, run, manifest)
    run_stages(run, execute, args.dry_run, args.until, args.jobs)
    if args.until:
        return 0
    split = system.evaluate.split_of(manifest.domain)
    scored = (data / GOLD / f"{split}.tsv").is_file()
    if scored and args.predictions is None:
        name = predictions_name(system.system, split)
        args.predictions = run.folder / "predictions" / name
    evaluate = run.evaluate_command(evaluation_options(args))
    if not args.dry_run:
        from fairseq_twostage.systems.opening import recorded

        print(f"record: {recorded(run, manifest).write(run.folder)}", flush=True)
    if not scored:
        print(f"no annotated {split} rows, so no score")
    elif args.dry_run:
        print(shown(evaluate))
    else:
        run_command(evaluate, execute, "evaluation")
    return 0


def check_options(args: argparse.Namespace, run: Run, manifest: Manifest) -> None:
    """Refuse before the training what would fail in it or after it.

    Raises:
        UserError: a file where a folder is needed, an unknown reward or objective, a metric that
            the data do not allow, or a history of epochs that are not kept or have no labels.
    """
    check_folder(args.runs)
    if args.results:
        check_folder(results_file(args.results).parent)
    if args.predictions:
        check_folder(args.predictions.parent)
    for key in run.system.needed_stages(args.until):
        options = run.system.stage_options(key)
        metrics = options.get("best-checkpoint-metric"), options.get("also-best")
        stage = f"stage {run.system.stage_name(key)}"
        check_metrics(metrics, manifest.frequent_as_meant, stage)
        for option, known in (("objectives", OBJECTIVES), ("rewards", REWARDS)):
            if words := option_words({option: options.get(option)}):
                parse_weighted_names(words[1], known, f"{stage}: --{option}")
    if args.until:
        return
    run.pipeline()
    check_scorable(args, run, manifest)
    if not args.history:
        return
    if not args.results:
        raise UserError("needs --results", "--history")
    if not (labels := run.data / GOLD / f"{args.history}.tsv").is_file():
        raise UserError("no such split", str(labels))
    plan = run.system.evaluate
    evaluated = plan.paraphrasers[-1] if plan.paraphrasers else plan.parser
    trained = evaluated is not None and run.system.stages[evaluated].command == FAIRSEQ_TRAIN
    if len(plan.paraphrasers) > 1 or evaluated is None or not trained:
        raise UserError("is for one training; this system has several", "--history")
    if run.system.stage_options(evaluated).get("no-epoch-checkpoints"):
        raise UserError(
            f"needs every epoch: --set stages.{evaluated}.options.no-epoch-checkpoints=false",
            "--history",
        )


def check_scorable(args: argparse.Namespace, run: Run, manifest: Manifest) -> None:
    """Refuse before the training what its evaluation would refuse.

    Raises:
        UserError: there are no annotated rows for the score that is asked for, or a result on
            others is in the way.
    """
    plan = run.system.evaluate
    split = plan.split_of(manifest.domain)
    labels = run.data / GOLD / f"{split}.tsv"
    if not labels.is_file():
        if not (args.results or args.predictions):
            return
        names = [run.system.stage_name(key) for key in plan.needs()]
        alone = " and ".join(f"--until {name}" for name in names)
        raise UserError(
            "no such rows to score on: choose others (--set evaluate.split=valid), or train alone "
            f"({alone})",
            str(labels),
        )
    if plan.source == "cf" and not all(row.canonical for row in read_gold(run.data, split)):
        raise UserError("some rows have no canonical utterance to read", str(labels))
    if args.results:
        identity = run.system.system, manifest.domain, manifest.canonical, args.seed
        check_replaceable(args.results, identity, split)


def prepared_data(
    data: Path | None, domain: str | None, setting: str | None
) -> tuple[Path, Manifest]:
    """The data-bin and its manifest.

    Raises:
        UserError: neither domain nor data-bin is named, or the data-bin is of another domain
            or setting.
    """
    source = None if domain is None else load_domain(domain)
    if data is None:
        if source is None:
            raise UserError("name the domain, or give --data", "--domain")
        data = source.data_bin(setting)
    manifest = read_manifest(data)
    if source is not None and source.name != manifest.domain:
        raise UserError(f"holds {manifest.domain}, not {source.name}", str(data))
    if setting not in (None, manifest.canonical):
        raise UserError(
            f"was prepared with --canonical {manifest.canonical}, not {setting}", str(data)
        )
    return data, manifest


def evaluation_options(args: argparse.Namespace) -> Sequence[str]:
    """Where the evaluation writes, and what else it scores."""
    options: list[str] = []
    for name in ("results", "predictions", "history"):
        value = getattr(args, name)
        options += [f"--{name}", str(value)] if value else []
    return options
