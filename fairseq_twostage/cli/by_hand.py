"""Options of checkpoints that are named one by one, in place of a run's record.

``twostage evaluate`` and ``twostage export`` share them, so that the same options score and export
the same parser.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from fairseq_twostage.cli.options import integer, positive
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.pipeline import DEFAULT_PICK, PICKS, Pipeline, parse_weights

# What a run's record says, or an exported folder.
BY_HAND = ("beam", "pick", "lookup", "rerank", "proposals")


def add_by_hand(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Define the options of a pipeline; the group of options that they are in."""
    group = parser.add_argument_group("checkpoints by hand, in place of a run's record")
    add = group.add_argument
    add("--parser", help="checkpoint of the naive parser")
    add(
        "--paraphraser",
        nargs="+",
        action="extend",
        metavar="CHECKPOINT",
        help="of the paraphraser; of several their mixture, P(z | x) being the mean over them; "
        "without it one stage reads all",
    )
    add("--beam", type=positive, default=5, help="beam of each stage (default: 5)")
    add(
        "--pick",
        choices=PICKS,
        help="of the beam's logical forms: the best, the best that executes, or the best that "
        "executes over the canonical utterances, too, with the names of the utterance "
        f"(default: {DEFAULT_PICK}; best with one stage)",
    )
    add(
        "--lookup",
        action=argparse.BooleanOptionalAction,
        help="a canonical utterance that the naive parser was trained on has the logical form "
        "that it had there (default: yes; no with one stage)",
    )
    add(
        "--rerank",
        metavar="FEATURE=WEIGHT,…",
        help="choose among all known canonical utterances in place of a beam, as "
        "forward=1,dual=0.3,prior=1",
    )
    add(
        "--proposals",
        type=integer(0),
        default=0,
        metavar="N",
        help="--rerank also considers the N best of an open beam search, known or not: for "
        "domains whose known canonical utterances are not all there are (default: 0)",
    )
    return group


def by_options(args: argparse.Namespace) -> bool:
    """Whether checkpoints are named one by one."""
    return bool(args.parser or args.paraphraser or args.rerank)


def pipeline_by_hand(
    args: argparse.Namespace, source: str = "nl", skip_punctuation: bool = False
) -> Pipeline:
    """What the options say.

    Raises:
        UserError: they do not fit together.
    """
    two_stages = bool(args.paraphraser or args.rerank)
    pipeline = Pipeline(
        paraphrasers=list(args.paraphraser or ()),
        parser=args.parser,
        rerank=parse_weights(args.rerank, "--rerank") if args.rerank else {},
        proposals=args.proposals,
        beam=args.beam,
        pick=args.pick or (DEFAULT_PICK if two_stages else "best"),
        lookup=two_stages if args.lookup is None else args.lookup,
        source=source,
        skip_punctuation=skip_punctuation,
    )
    pipeline.check("checkpoints by hand")
    return pipeline


def refuse_by_hand(
    args: argparse.Namespace,
    add_arguments: Callable[[argparse.ArgumentParser], None],
    further: tuple[str, ...] = (),
) -> None:
    """Refuse options of checkpoints by hand beside a run, whose record says how it reads.

    Args:
        args: as parsed.
        add_arguments: what defined them.
        further: names of the command's own options of that kind.

    Raises:
        UserError: there is one.
    """
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    for name in (*BY_HAND, *further):
        if getattr(args, name) != parser.get_default(name):
            option = f"--{name.replace('_', '-')}"
            raise UserError("is for checkpoints by hand; the run says how it reads", option)
