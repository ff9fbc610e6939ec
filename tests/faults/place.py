"""A command that writes, and folders in which it is tried."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.forks import Work, run

LEFT = "*twostage-*"
# fairseq makes and removes "dummy" at each start, to see whether it may write.
NO_RESULTS = (".lock", "train.log", "dummy")
State = Mapping[str, str]


@dataclass(frozen=True)
class Command:
    """A command that writes.

    Attributes:
        name: of the scenario.
        work: the command.
        results: files and folders that are to be as before it or as after it.
        setup: commands that make what stands before it, each with a status of 0.
        whole: whether the results change as one, by one rename.
        state: what a file's content is compared by.
        force: the same command where its result is there already.
    """

    name: str
    work: Work
    results: Sequence[str]
    setup: Sequence[Work] = ()
    whole: bool = True
    state: Callable[[Path], str] = field(
        default=lambda path: hashlib.sha256(path.read_bytes()).hexdigest()
    )


def without_commit(path: Path) -> str:
    """Of a line of results, all but the commit, which somebody may make meanwhile."""
    return re.sub(r'"commit":"[^"]*"', "", path.read_text(encoding="utf-8"))


def parameters(path: Path) -> str:
    """Of a checkpoint, the parameters; it holds the time of day, too."""
    if path.suffix != ".pt":
        return path.name
    import torch

    state = torch.load(path, map_location="cpu", weights_only=True)
    digest = hashlib.sha256()
    for name, tensor in sorted(state["model"].items()):
        digest.update(f"{name} {tensor.tolist()}".encode())
    return digest.hexdigest()


class Place:
    """A scenario's folder, made anew for each fault."""

    def __init__(self, command: Command, domain: Path, base: Path) -> None:
        self.command = command
        self.base = base
        self.template = base / "template"
        shutil.copytree(domain, self.template / "dom")
        shutil.copy(domain / "lexicon.tsv", self.template / "other.tsv")
        with open(self.template / "other.tsv", "a") as file:
            file.write("someone else\tanimal\ten.animal.pip\n")
        for work in command.setup:
            done = run(work, self.template)
            assert done.status == 0, (command.name, done.err)
        self.before = self.state(self.template)
        with self.fresh() as root:
            self.through = run(command.work, root)
            assert self.through.status == 0, (command.name, self.through.err)
            self.after = self.state(root)
        assert self.after != self.before, command.name

    @contextlib.contextmanager
    def fresh(self, base: Path | None = None) -> Iterator[Path]:
        with tempfile.TemporaryDirectory(dir=base or self.base) as folder:
            root = Path(folder) / "root"
            shutil.copytree(self.template, root, symlinks=True)
            yield root

    def state(self, root: Path) -> State:
        files = [
            path
            for name in self.command.results
            for path in sorted([root / name, *(root / name).rglob("*")])
            if path.is_file() and path.name not in NO_RESULTS
        ]
        return {
            str(path.relative_to(root)): self.command.state(path)
            for path in files
            if "twostage-" not in str(path.relative_to(root)) and path.suffix != ".tmp"
        }

    def steps(self) -> list[tuple[int, str]]:
        """The steps of a run without a fault, each with its kind."""
        kinds = [step.partition(" ")[0] for step in self.through.steps]
        return list(enumerate(kind for kind in kinds if kind not in ("unsynced", "memory")))

    def half(self, root: Path, whole: bool) -> str | None:
        """What of the results is neither as before nor as after."""
        try:
            found = self.state(root)
        except Exception as error:
            return f"cannot be read: {error}"
        if found in (self.before, self.after):
            return None
        if whole:
            return f"neither as before nor as after: {sorted(found)[:5]}"
        for name, content in found.items():
            if content not in (self.before.get(name), self.after.get(name)):
                if self.command.state is parameters and name.endswith(".pt"):
                    continue  # of an earlier epoch; that it loads was seen
                return f"{name} is neither as before nor as after"
        return None

    def again(self, root: Path) -> str | None:
        """What the next run of the same command does not mend."""
        done = run(self.command.work, root)
        if done.status != 0 and "exists" not in done.err:
            return f"the next run fails: {done.err.strip()[-300:]}"
        try:
            found = self.state(root)
        except Exception as error:
            return f"after the next run: {error}"
        if found != self.after:
            unlike = [
                name for name in {*found, *self.after} if found.get(name) != self.after.get(name)
            ]
            return f"the next run ends otherwise: {sorted(unlike)[:5]}"
        left = [path.name for path in root.rglob(LEFT)]
        return f"left over: {left[:3]}" if left else None
