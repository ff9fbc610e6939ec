"""The plain command of each stage, and of the evaluation, in one run folder."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from fairseq_twostage.databin.folder import GOLD, MANIFEST, UNALIGNED_SPLITS
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import digests, sha256
from fairseq_twostage.inference.pipeline import Pipeline, parse_weights
from fairseq_twostage.pairing.features import ADAPTED
from fairseq_twostage.selection import best_checkpoint
from fairseq_twostage.systems.config import FAIRSEQ_TRAIN, System
from fairseq_twostage.systems.stage_log import TRAIN_LOG

PLUGIN = Path(__file__).resolve().parents[1]
# They change neither what is learnt nor what is chosen.
HARMLESS = (
    "--also-best",
    "--log-format",
    "--log-file",
    "--log-interval",
    "--tensorboard-logdir",
    "--num-workers",
)
LABEL_OPTIONS = ("supervised", "labelled-share")
WEIGHTS_OPTION = "contextual-weights"  # a folder, or the name of a package that carries them
HARMLESS_FLAGS = ("--cpu", "--no-epoch-checkpoints", "--no-progress-bar")


@dataclass(frozen=True)
class Run:
    """Where a system is trained.

    Attributes:
        system: what is trained.
        data: the data-bin.
        folder: with a folder per stage.
        seed: of every stage.
        extra: options added to every ``fairseq-train`` command.
    """

    system: System
    data: Path
    folder: Path
    seed: int
    extra: tuple[str, ...] = ()

    def stage_folder(self, key: str) -> Path:
        """Folder of the stage ``key``."""
        return self.folder / self.system.stage_name(key)

    def checkpoint(self, key: str, metric: str | None = None) -> Path:
        """The best checkpoint of the stage ``key``: by its own metric, or by a second one."""
        return self.stage_folder(key) / best_checkpoint(metric)

    def stage_command(self, key: str) -> list[str]:
        """The command that fills the folder of the stage ``key``."""
        stage, folder = self.system.stages[key], self.stage_folder(key)
        corpus = str(self.data / stage.corpus)
        if stage.command == FAIRSEQ_TRAIN:
            words = [FAIRSEQ_TRAIN, corpus, "--user-dir", str(PLUGIN), "--seed", str(self.seed)]
            words += ["--save-dir", str(folder), "--log-file", str(folder / TRAIN_LOG)]
            words += ["--log-format", "json"]  # what results are read from
            extra = self.extra
        else:
            words = [*stage.command.split(), "--data", corpus, "--dest", str(folder)]
            extra = ()
        words += option_words(self.system.stage_options(key))
        for option, asked in stage.asked().items():
            words += [f"--{option}", *(str(self.checkpoint(needed)) for needed in asked)]
        for option, needed in stage.folders.items():
            words += [f"--{option}", str(self.stage_folder(needed))] if needed else []
        return [*words, *extra]

    def weights(self, key: str) -> Path | None:
        """The folder of pre-trained weights that the stage ``key`` is given."""
        value = str(self.system.stage_options(key).get(WEIGHTS_OPTION) or "")
        return Path(value) if _is_folder(value) else None

    def data_digest(self, key: str) -> str | None:
        """SHA-256 of the files that the stage ``key`` may read; None while there are none.

        Pre-trained weights from a folder are among them. Annotated rows of training and validation
        count for stages that learn from labels, others never: a domain of one's own may be given
        more of them at any time.
        """
        stage = self.system.stages[key]
        folder = self.data / stage.corpus
        labelled = any(self.system.stage_options(key).get(name) for name in LABEL_OPTIONS)
        annotated = tuple(f"{GOLD}/{split}." for split in UNALIGNED_SPLITS)
        read = {
            name: digest
            for name, digest in digests(folder)
            if Path(name).name != MANIFEST
            and (not name.startswith(f"{GOLD}/") or (labelled and name.startswith(annotated)))
        }
        weights = self.weights(key)
        if weights is None:
            return _digest(read.items())
        brought = list(digests(weights))
        return _digest([*read.items(), *brought]) if brought else None

    def needs_digests(self, key: str) -> dict[str, str | None]:
        """By name of each stage that the stage ``key`` starts from or asks: SHA-256 of what it is
        given of it, the best checkpoint or the folder's tables; None while there is nothing."""
        stage = self.system.stages[key]
        found: dict[str, str | None] = {}
        for needed in chain(*stage.asked().values()):
            path = self.checkpoint(needed)
            found[self.system.stage_name(needed)] = sha256(path) if path.is_file() else None
        for needed in filter(None, stage.folders.values()):
            folder = self.stage_folder(needed)
            made = [*digests(folder, "*.tsv"), *digests(folder, ADAPTED)]
            found[self.system.stage_name(needed)] = _digest(made)
        return found

    def pipeline(self, generated: bool = False) -> Pipeline:
        """How the trained system reads, checkpoints relative to the run's folder.

        Args:
            generated: whether a grammar generated Z: then it is all there is, and nothing is
                proposed beside it.

        Raises:
            UserError: an option that a pipeline does not have, or a value that cannot be.
        """
        plan = self.system.evaluate
        where = f"{self.system.system}: evaluate.options"
        options = {name: value for name, value in plan.options.items() if value is not None}
        if unknown := set(options) - {"rerank", "proposals", "beam", "pick", "lookup"}:
            raise UserError(f"no such option: {min(unknown)}", where)
        rerank = options.pop("rerank", "")
        if isinstance(rerank, Mapping):
            rerank = ",".join(f"{name}={weight}" for name, weight in rerank.items())
        found = Pipeline(
            paraphrasers=[
                str(self.checkpoint(key, plan.metric).relative_to(self.folder))
                for key in plan.paraphrasers
            ],
            parser=str(self.checkpoint(plan.parser).relative_to(self.folder))
            if plan.parser
            else None,
            encoder=str((self.stage_folder(plan.encoder) / ADAPTED).relative_to(self.folder))
            if plan.encoder
            else None,
            rerank=parse_weights(rerank, where) if rerank else {},
            source=plan.source,
            skip_punctuation=plan.skip_punctuation,
            **options,
        )
        found.check(where)
        return replace(found, proposals=0) if generated else found

    def evaluate_command(self, options: Sequence[str] = ()) -> list[str]:
        """``twostage evaluate`` of the trained system."""
        words = ["twostage", "evaluate", "--run", str(self.folder)]
        return [*words, "--system", self.system.system, "--data", str(self.data), *options]

    def portable(self, command: Sequence[str]) -> list[str]:
        """``command`` without this machine's folders, and without what cannot matter."""
        places = {str(self.folder): "$RUN", str(self.data): "$DATA", str(PLUGIN): "$PLUGIN"}
        kept: list[str] = []
        for word in essential(command):
            if kept[-1:] == [f"--{WEIGHTS_OPTION}"] and _is_folder(word):
                kept.append("$WEIGHTS")
            else:
                kept.append(_replaced(word, places))
        return kept


def essential(command: Iterable[str]) -> list[str]:
    """``command`` without what cannot matter."""
    return _without(command, HARMLESS, HARMLESS_FLAGS)


def fingerprint(portable: Iterable[str]) -> str:
    """Twelve digits that tell how a stage is trained, whatever its seed.

    Args:
        portable: a command as :meth:`Run.portable` gives it, or as it was recorded.
    """
    words = _without(essential(portable), ("--seed",), ())
    return hashlib.sha256(shlex.join(words).encode()).hexdigest()[:12]


def _without(command: Iterable[str], options: Sequence[str], flags: Sequence[str]) -> list[str]:
    words = iter(command)
    kept = []
    for word in words:
        if word in options:
            next(words, None)
        elif word not in flags:
            kept.append(word)
    return kept


def _digest(files: Iterable[tuple[str, str]]) -> str | None:
    lines = [f"{name} {digest}" for name, digest in files]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest() if lines else None


def _is_folder(weights: str) -> bool:
    return "/" in weights or (weights != "" and Path(weights).is_dir())


def _replaced(word: str, places: Mapping[str, str]) -> str:
    for place, name in places.items():
        if word == place or word.startswith(f"{place}/"):
            return name + word[len(place) :]
    return word


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Options as words of a command line.

    ``true`` is a flag, ``false`` and null are left out, a mapping is ``name=weight,…``
    without the names whose weight is null.

    Raises:
        UserError: a mapping in which nothing is left.
    """
    words: list[str] = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append(f"--{name}")
        if isinstance(value, Mapping):
            pieces = [f"{key}={weight}" for key, weight in value.items() if weight is not None]
            if not pieces:
                raise UserError("nothing is left of it", f"--{name}")
            words.append(",".join(pieces))
        elif value is not True:
            words.append(str(value))
    return words
