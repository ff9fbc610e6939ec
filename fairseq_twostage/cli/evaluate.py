"""``twostage evaluate``: denotation accuracy of saved checkpoints, outside training."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairseq_twostage.corpora.databin import (
    Manifest,
    data_bin_lines,
    known_forms,
    read_gold,
    read_manifest,
)
from fairseq_twostage.corpora.lexicon import names_the_same
from fairseq_twostage.corpora.rows import Row
from fairseq_twostage.corpora.worlds import world_of
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import atomic_write, check_folder
from fairseq_twostage.inference.picks import PICKS
from fairseq_twostage.reporting.error_classes import count_errors
from fairseq_twostage.reporting.first_release import first_release_counts
from fairseq_twostage.results import (
    TRAIN_LOG,
    RunResult,
    StageLog,
    check_replaceable,
    current_commit,
    portable_command,
    read_stage_log,
    result_path,
)
from fairseq_twostage.scoring.frequency_match import frequency_match
from fairseq_twostage.selection import LABEL_FREE, read_choice
from fairseq_twostage.semantics import World, execute, same_denotation
from fairseq_twostage.systems.commands import fingerprint
from fairseq_twostage.systems.running import recorded_command

if TYPE_CHECKING:
    from fairseq_twostage.decoding.two_stage import Parse, Stage

# The stages a run folder may hold, in the order in which they are trained.
STAGES = ("lm.nl", "lm.cf", "style", "parser", "dae", "cycle")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of the subcommand."""
    parser.add_argument("--data", required=True, help="data-bin made by twostage prepare")
    parser.add_argument("--parser", required=True, help="checkpoint of the naive parser")
    parser.add_argument(
        "--paraphraser",
        nargs="+",
        action="extend",
        metavar="CHECKPOINT",
        help="of the paraphraser; of several their mixture, P(z | x) being the mean over them; "
        "without it one stage is run",
    )
    parser.add_argument(
        "--source",
        choices=("nl", "cf"),
        default="nl",
        help="what goes in: natural utterances, or the gold canonical ones",
    )
    parser.add_argument(
        "--skip-punctuation",
        action="store_true",
        help="leave out tokens without letter or digit that no canonical utterance has, for "
        "parsers that know those only",
    )
    parser.add_argument("--split", default="test", help="test, valid or train (default: test)")
    parser.add_argument("--beam", type=int, default=5, help="beam of each stage (default: 5)")
    parser.add_argument(
        "--pick",
        choices=PICKS,
        default="best",
        help="of the beam's logical forms: the best (default), the best that executes, or the "
        "best that executes over the beam of canonical utterances too, with the placeholders of "
        "the utterance and no other",
    )
    parser.add_argument(
        "--lookup",
        action="store_true",
        help="a canonical utterance that the naive parser was trained on has the logical form "
        "that it had there",
    )
    parser.add_argument(
        "--rerank",
        metavar="FEATURE=WEIGHT,…",
        help="choose among all known canonical utterances in place of a beam, as "
        "forward=1,dual=0.3,prior=1; fluency and style need --lm-cf and --style",
    )
    parser.add_argument(
        "--proposals",
        type=int,
        default=0,
        metavar="N",
        help="--rerank also considers the N best of an open beam search, known or not: for "
        "domains whose known canonical utterances are not all there are (default: 0)",
    )
    parser.add_argument("--lm-cf", help="checkpoint of LM_z, for --rerank")
    parser.add_argument("--style", help="checkpoint of P_dis, for --rerank")
    parser.add_argument("--predictions", type=Path, help="TSV of every row's predictions")
    parser.add_argument("--results", type=Path, help="folder of results files, as results/")
    parser.add_argument(
        "--history",
        metavar="SPLIT",
        help="also score on SPLIT every epoch's checkpoint that training kept (without "
        "--no-epoch-checkpoints), for the learning curves of the report; needs --results and --run",
    )
    parser.add_argument("--run", type=Path, help="run folder with the stages' logs")
    parser.add_argument(
        "--stages",
        help="stages that led to the checkpoints, as parser,dae; their times are summed "
        "(default: those of scripts/train_domain.sh)",
    )
    parser.add_argument(
        "--system", default="by_hand", help="name of the system in the results (default: by_hand)"
    )
    parser.add_argument(
        "--config", default="by_hand", help="name of the configuration (default: by_hand)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the run")


def main(args: argparse.Namespace) -> int:
    """Decode, execute, compare, write; the last line printed is the accuracy."""
    check_options(args)
    manifest = read_manifest(args.data)
    rows = read_gold(args.data, args.split)
    if args.source == "cf" and not all(row.canonical for row in rows):
        raise UserError(
            f"{args.split} has no canonical utterances; choose another split", "--source cf"
        )
    if args.history and not (args.results and args.run):
        raise UserError("needs --results and --run", "--history")
    if args.results:
        check_folder(args.results)
        identity = args.system, manifest.domain, manifest.canonical, args.seed
        check_replaceable(result_path(args.results, *identity), args.split)
    epochs = epoch_checkpoints(last_checkpoint(args)) if args.history else {}
    world = world_of(args.data)
    parses = decode_rows(args, rows, world)
    judged = judge(rows, parses, world)
    if args.predictions:
        write_predictions(args.predictions, rows, parses, judged)
        print(f"predictions: {args.predictions}")
    if args.results:
        match = match_with_corpus(args.data, parses) if args.paraphraser else None
        accuracies = epoch_accuracies(args, epochs, world)
        result = run_result(args, manifest, judged, accuracies, match)
        predicted = [(p.logical_form, r.logical_form, r.variables) for p, r in zip(parses, rows)]
        counts = first_release_counts(predicted, world, manifest.domain)
        result.write_errors(args.results, count_errors(predicted, world), counts)
        print(f"results: {result.write(args.results)}")
    print(f"checkpoints: {', '.join((*(args.paraphraser or ()), args.parser))}")
    correct, total = sum(right for _, right in judged), len(judged)
    print(f"denotation accuracy: {100 * correct / total:.1f} % ({correct} of {total})")
    return 0


def check_options(args: argparse.Namespace) -> None:
    """Refuse what cannot be, and what would be ignored.

    Raises:
        UserError: an option out of its range, or without the option that it belongs to.
    """
    if args.beam < 1:
        raise UserError(f"must be at least 1, not {args.beam}", "--beam")
    if args.results and args.run:
        needed_stages(args)
    if args.proposals < 0:
        raise UserError(f"must be at least 0, not {args.proposals}", "--proposals")
    for option, value in {"--rerank": args.rerank, "--history": args.history}.items():
        if value is not None and len(args.paraphraser or ()) > 1:
            raise UserError("is for one --paraphraser, not for several", option)
    if args.rerank is None:
        further = {"--proposals": args.proposals, "--lm-cf": args.lm_cf, "--style": args.style}
        for option, value in further.items():
            if value:
                raise UserError("is for --rerank; give both or neither", option)
    elif not args.paraphraser:
        raise UserError("chooses among canonical utterances; give --paraphraser", "--rerank")


_FIELD = {"nl": "utterance", "cf": "canonical"}


def texts_to_read(args: argparse.Namespace, rows: Sequence[Row]) -> list[str]:
    """What the first stage reads of each row."""
    texts: list[str] = [getattr(row, _FIELD[args.source]) for row in rows]
    if not args.skip_punctuation:
        return texts
    lines = data_bin_lines(Path(args.data) / "dict.cf.txt")
    canonical = {line.split(" ")[0] for line in lines}
    return [without_punctuation(text, canonical) for text in texts]


def without_punctuation(text: str, known: Collection[str]) -> str:
    """The tokens that are known or have a letter or digit; all of them if none is left."""
    kept = [word for word in text.split() if word in known or any(map(str.isalnum, word))]
    return " ".join(kept) or text


def decode_rows(args: argparse.Namespace, rows: Sequence[Row], world: World) -> list[Parse]:
    """Run the stages that the options name over the rows' utterances."""
    from fairseq_twostage import plugin

    plugin.load()
    from fairseq_twostage.decoding.lean import LengthLimit
    from fairseq_twostage.decoding.two_stage import (
        Lookup,
        first_stage,
        first_stages,
        parse_stage,
        two_stage_parse,
    )
    from fairseq_twostage.tasks.auxiliaries import Auxiliaries, load_paraphraser, load_parser
    from fairseq_twostage.tasks.reranking import build_reranker

    paraphrase: Stage | None = None
    if args.paraphraser:
        models = [load_paraphraser(path, args.data) for path in args.paraphraser]
        if args.rerank is not None:
            (model,) = models
            frozen = Auxiliaries(args.data, {"lm_cf": args.lm_cf, "style": args.style})
            proposals = (
                first_stage(model, args.proposals, LengthLimit()) if args.proposals else None
            )
            paraphrase = build_reranker(args.rerank, model, args.data, frozen, args.beam, proposals)
        else:
            paraphrase = first_stages(models, args.beam, LengthLimit())
    parser: Stage = parse_stage(load_parser(args.parser, args.data), args.beam)
    if args.lookup:
        parser = Lookup(parser, known_forms(args.data))

    def executes(row: int, form: str) -> bool:
        variables = rows[row].variables
        if args.pick == "executable_paraphrase" and not names_the_same(form, variables):
            return False
        return execute(form, world, variables).executable

    started = time.monotonic()
    parses = list(
        two_stage_parse(
            texts_to_read(args, rows),
            paraphrase,
            parser,
            accepts=None if args.pick == "best" else executes,
            paraphrases=args.beam if args.pick == "executable_paraphrase" else 1,
        )
    )
    print(f"decoded {len(parses)} utterances in {time.monotonic() - started:.1f} s")
    return parses


def match_with_corpus(data: str, parses: Sequence[Parse]) -> float:
    """How far the paraphrases are as frequent as Z, 0 … 1."""
    corpus = data_bin_lines(Path(data) / "text" / "train.cf")
    return round(frequency_match((parse.canonical for parse in parses), corpus), 4)


def judge(rows: Sequence[Row], parses: Sequence[Parse], world: World) -> list[tuple[str, bool]]:
    """The denotation of each prediction as text, and whether it is the gold one's."""
    judged = []
    for row, parse in zip(rows, parses):
        gold = execute(row.logical_form, world, row.variables)
        predicted = execute(parse.logical_form, world, row.variables)
        judged.append((predicted.metric_text or "ERROR", same_denotation(predicted, gold)))
    return judged


def write_predictions(
    path: Path, rows: Sequence[Row], parses: Sequence[Parse], judged: Sequence[tuple[str, bool]]
) -> None:
    """Utterance, ẑ, ŷ, denotation, 1 if correct."""
    with atomic_write(path) as file:
        print(
            "utterance", "canonical", "logical_form", "denotation", "correct", sep="\t", file=file
        )
        for row, parse, (denotation, right) in zip(rows, parses, judged):
            fields = (row.utterance, parse.canonical, parse.logical_form, denotation, int(right))
            print(*fields, sep="\t", file=file)


def last_checkpoint(args: argparse.Namespace) -> str:
    """That of the (last) paraphraser, or of the parser where there is one stage."""
    checkpoint: str = args.paraphraser[-1] if args.paraphraser else args.parser
    return checkpoint


def epoch_checkpoints(checkpoint: str) -> dict[int, Path]:
    """The checkpoints that training kept after each epoch, beside ``checkpoint``."""
    folder = Path(checkpoint).parent
    found = {
        int(match[1]): path
        for path in folder.glob("checkpoint*.pt")
        if (match := re.fullmatch(r"checkpoint(\d+)\.pt", path.name))
    }
    if not found:
        raise UserError(
            "holds no epoch's checkpoint; train without --no-epoch-checkpoints", str(folder)
        )
    return dict(sorted(found.items()))


def epoch_accuracies(
    args: argparse.Namespace, checkpoints: Mapping[int, Path], world: World
) -> dict[int, float]:
    """Accuracy of each epoch's checkpoint on the split of ``--history``, in percent."""
    if not checkpoints:
        return {}
    rows = read_gold(args.data, args.history)
    accuracies = {}
    for epoch, path in checkpoints.items():
        changed = {"paraphraser": [str(path)]} if args.paraphraser else {"parser": str(path)}
        options = argparse.Namespace(**{**vars(args), **changed})
        judged = judge(rows, decode_rows(options, rows, world), world)
        accuracies[epoch] = round(100 * sum(right for _, right in judged) / len(judged), 2)
    return accuracies


def run_result(
    args: argparse.Namespace,
    manifest: Manifest,
    judged: Sequence[tuple[str, bool]],
    accuracies: Mapping[int, float],
    match: float | None = None,
) -> RunResult:
    """The results file's content."""
    correct_rows = [index for index, (_, right) in enumerate(judged) if right]
    logs = stage_logs(args)
    chosen = {"parser": read_choice(args.parser)}
    for path in args.paraphraser or ():
        chosen["paraphraser"] = read_choice(path)
    choice = chosen.get("paraphraser")
    metric = choice.metric if choice and choice.is_label_free() else LABEL_FREE
    last = Path(last_checkpoint(args)).parent.name
    history = logs[last].metric_history(metric, accuracies) if last in logs else []
    minimized = False
    if accuracies and last in logs and not history:  # nothing label-free was logged, as of a parser
        chosen_by = choice or chosen["parser"]
        metric, minimized = chosen_by.metric, chosen_by.minimized
        history = logs[last].metric_history(metric, accuracies)
    mixed = len(args.paraphraser or ()) > 1
    options: dict[str, Any] = {"beam": args.beam, "pick": args.pick, "source": args.source}
    if args.rerank is not None:
        options["rerank"] = args.rerank
        options["proposals"] = args.proposals
    options["selection"] = {name: each.describe() for name, each in chosen.items()}
    if args.lookup:
        options["lookup"] = True
    if "parser_pairs" in manifest.options:
        options["parser_pairs"] = manifest.options["parser_pairs"]
    if args.skip_punctuation:
        options["skip_punctuation"] = True
    if mixed:
        options["paraphrasers"] = len(args.paraphraser)
    if args.history:
        options["history_split"] = args.history
        options["history_metric"] = metric
        if minimized:
            options["history_minimized"] = True
    return RunResult(
        system=args.system,
        domain=manifest.domain,
        setting=manifest.canonical,
        seed=args.seed,
        split=args.split,
        accuracy=round(100 * len(correct_rows) / len(judged), 2),
        correct=len(correct_rows),
        total=len(judged),
        correct_rows=correct_rows,
        metric=choice.label_free() if choice and not mixed else None,
        frequency_match=match,
        history={last: history} if history else {},
        commit=current_commit(),
        command=portable_command(sys.argv[1:]),
        config=args.config,
        seconds=round(sum(log.seconds for log in logs.values()), 1) if logs else None,
        peak_mb=max((log.peak_mb for log in logs.values() if log.peak_mb), default=None),
        options=options,
        stage_seconds={stage: round(log.seconds, 1) for stage, log in logs.items()},
        fingerprints=stage_fingerprints(args),
    )


def stage_fingerprints(args: argparse.Namespace) -> dict[str, str]:
    """Of the stages that led to the evaluated checkpoints, where their command is recorded."""
    if args.run is None:
        return {}
    commands = {stage: recorded_command(args.run / stage) for stage in needed_stages(args)}
    return {stage: fingerprint(command) for stage, command in commands.items() if command}


def stage_logs(args: argparse.Namespace) -> dict[str, StageLog]:
    """Logs of the stages that led to the evaluated checkpoints."""
    if args.run is None:
        return {}
    paths = {stage: args.run / stage / TRAIN_LOG for stage in needed_stages(args)}
    return {stage: read_stage_log(path) for stage, path in paths.items() if path.exists()}


def needed_stages(args: argparse.Namespace) -> Sequence[str]:
    """Names of the stages that ``--stages`` or the checkpoints' folders tell of."""
    if args.stages:
        return args.stages.split(",")
    last = Path(last_checkpoint(args)).parent.name
    if last not in STAGES:
        raise UserError(
            f"its folder is none of {', '.join(STAGES)}: name the stages with --stages",
            "--paraphraser" if args.paraphraser else "--parser",
        )
    if not args.paraphraser:
        return (last,)
    return ("parser", "dae") if last == "dae" else STAGES[: STAGES.index(last) + 1]
