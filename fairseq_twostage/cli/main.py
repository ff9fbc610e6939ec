"""Entry point of ``twostage``.

Each subcommand is a module of this package with two functions,
``add_arguments(parser)`` and ``main(args) -> int`` (the exit status). Only the chosen one
is imported, so ``twostage execute`` starts without torch.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import NoReturn

from fairseq_twostage import __version__
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import reason

DESCRIPTION = (
    "Makes a parser that answers people's questions about a domain, from a grammar or a database "
    "and questions without annotation. Begin with: twostage init DIR, then twostage build DIR."
)
COMMANDS = {
    "init": "a folder with a small domain of your own that works",
    "build": "prepare, train, export and score: a domain in, a parser out",
    "download": "fetch the public datasets, grammars and word vectors",
    "prepare": "raw dataset files -> unaligned corpora, dictionaries and binarized data",
    "read": "what preparation and what use read of a text, side by side",
    "train": "train a system's stages, each as a plain command, and evaluate it",
    "label": "pseudo-labels for natural utterances, without any label",
    "adapt": "the sentence encoder learns a domain from unaligned X and Z, without a label",
    "pair": "unaligned X and Z -> probable pairs, without a label",
    "evaluate": "accuracy of a split, decoded in two stages; predictions and a line of results",
    "choose": "which of several trainings to keep, without a label",
    "export": "a trained parser -> one folder of safetensors and JSON",
    "parse": "utterances -> canonical utterances, logical forms and answers",
    "questions": "what can be asked of a parser, by kind, with examples",
    "serve": "a page and an HTTP API to ask a parser",
    "ask-for-labels": "the questions whose label would help a parser most, as a sheet to fill in",
    "improve": "logs, marks and labels -> a better parser in place of the old one, if it is better",
    "nearest": "accuracy of the nearest canonical utterance by Word Mover's Distance",
    "analyse": "what is wrong with a run's predictions, counted by class of error",
    "execute": "logical forms -> denotations",
    "sql": "logical forms -> queries of the domain's database, and their answers",
    "explain": "the value of every sub-form of a logical form",
    "score": "denotation accuracy of predicted against gold logical forms",
    "canonical": "generate (canonical utterance, logical form) pairs from a grammar",
}

# Left in version 0.2; the next one forgets them.
GONE = {
    "report": "python -m research.report, or python -m research.cases for its --cases",
    "coverage": "python -m research.coverage",
    "holdout": "python -m research.holdout",
}


DATABASE = ("duckdb", "duckdb_engine", "inflect", "psycopg", "sqlalchemy", "sqlglot")


class WrongUsage(UserError):
    """Options that a command does not have, or values that they cannot have."""


def extra_with(package: str | None, command: str | None) -> str:
    """The extra of this package that brings a package that ``command`` lacks."""
    package = (package or "").partition(".")[0]
    if package in DATABASE:
        return "database"
    if command in ("parse", "serve") and package in ("torch", "safetensors"):
        return command
    return "fairseq,train"


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the list of all options."""

    def error(self, message: str) -> NoReturn:
        raise WrongUsage(message.removeprefix("argument "))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand; returns the exit status (0 done, 1 failed, 2 wrong usage)."""
    argv = list(sys.argv[1:] if argv is None else argv)
    parser = OneLineParser(prog="twostage", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in argv if not word.startswith("-")), None)
    prog = f"twostage {chosen}" if chosen in COMMANDS else "twostage"
    if chosen in GONE:
        print(f"twostage {chosen}: error: gone; in a clone, run {GONE[chosen]}", file=sys.stderr)
        return 2
    try:
        for name, summary in COMMANDS.items():
            subparser = commands.add_parser(name, help=summary, description=summary)
            if name == chosen:
                module = importlib.import_module(f"fairseq_twostage.cli.{name.replace('-', '_')}")
                module.add_arguments(subparser)
                if any(action.dest == "domain" for action in subparser._actions):
                    from fairseq_twostage.cli.options import add_allow_executor

                    add_allow_executor(subparser)
        args = parser.parse_args(argv)
        if modules := getattr(args, "allow_executor", None):
            from fairseq_twostage.domains.worlds import allow_executors

            allow_executors(modules)
        with _ending_as_at_an_error():
            status = int(module.main(args))
        sys.stdout.flush()
        return status
    except UserError as error:
        print(f"{prog}: error: {error}", file=sys.stderr)
        return 2 if isinstance(error, WrongUsage) else 1
    except ModuleNotFoundError as error:
        install = f"pip install 'fairseq-twostage[{extra_with(error.name, chosen)}]'"
        print(
            f"{prog}: error: needs the package {error.name}, which is not "
            f"installed here; {install}",
            file=sys.stderr,
        )
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{prog}: error: {where}{reason(error)}", file=sys.stderr)
        _drop_output()
        return 1
    except KeyboardInterrupt:
        print(f"{prog}: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT


@contextlib.contextmanager
def _ending_as_at_an_error() -> Iterator[None]:
    """Remove temporary files also where the process is told to end, or its terminal goes."""

    def end(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _drop_output() -> None:
    """What standard output does not take must not be tried again when the interpreter ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
