"""Commands that write: killed at every step, on a full disk, on a read-only one, two at a time."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar
from unittest import mock

from tests.faults.forks import Outcome, Work, forked_runner, run, start, twostage, wait
from tests.faults.layer import END, FULL, GROWING, KILL, ONCE, READ_ONLY, WAIT, Plan
from tests.faults.place import LEFT, Command, Place, parameters, without_commit
from tests.faults.tally import LOST, SILENT, Tally, noise

DOMAIN = "dom/domain.yaml"
LABEL = ("label", "--data", "bin", "--dest", "rows")
SHELTER = "shelter"
RUN = f"runs/{SHELTER}.grammar.1"
BOTH = "both/checkpoint_last.pt"
REMOVING = ("unlink", "rmdir")


def prepare(*words: object) -> Work:
    options = ("--domain", DOMAIN, "--embedding-dim", 4, "--dest", "bin")
    return twostage("prepare", *options, *words)


def train(*words: object) -> Work:
    return twostage("train", "--data", "bin", *words)


EXPORT = ("export", "--run", RUN, "--output", "exported")
START = train("--config", "untrained_words")
STAGE = ("--config", "naive_parser", "--until", "parser")
SIZES = ("--embed-dim", 4, "--hidden-dim", 8)
SHORT = ("--", *SIZES, "--max-epoch", 2, "--max-update", 30, "--no-epoch-checkpoints")


def mark() -> None:
    """Three answers marked, each told to standard output when it is saved."""
    from fairseq_twostage.server.marks import Marks
    from tests.ships import ROWS, reader

    marks = Marks(reader(), Path("labelled.tsv"))
    for row in ROWS[:3]:
        marks.right(*row)
        print(row[0].replace(" ?", "?"), flush=True)
    marks.is_wrong(*ROWS[3])


def download() -> int:
    """Two small files, from a server in this process."""
    from fairseq_twostage.cli.main import main
    from fairseq_twostage.domains import download
    from tests.domains.test_download import CONTENT, FILE, HEAD, Server

    other = replace(FILE, target="overnight/other.tsv")
    with Server() as server, mock.patch.object(download, "public_files", lambda: [FILE, other]):
        server.files[HEAD] = CONTENT
        threading.Thread(target=server.serve_forever, daemon=True).start()
        os.environ["TWOSTAGE_GITHUB_URL"] = server.address
        return main(["download", "--only", "overnight", "--dest", "data", "--retry-delay", "0"])


def without_vectors() -> None:
    """The domain without word vectors: ``build`` has no option for their width."""
    described = Path(DOMAIN)
    described.write_text(described.read_text().replace("vectors.txt", "none"))


def paraphraser() -> int:
    """A checkpoint of both directions, hardly trained."""
    from tests.integration.commands import PARAPHRASE, TRAINING

    tiny = ("--criterion", "weighted_objectives", "--objectives", "denoising=1", *SIZES)
    tiny += ("--embeddings", "none", "--max-update", "2", "--save-dir", "both")
    return forked_runner(["fairseq-train", "bin", *map(str, (*TRAINING, *PARAPHRASE, *tiny))])


COMMANDS = (
    Command("init", twostage("init", "made"), ["made"]),
    Command("canonical", twostage("canonical", "--domain", DOMAIN, "--output", "z"), ["z"]),
    Command("prepare", prepare(), ["bin"]),
    Command("prepare --force", prepare("--seed", 2, "--force"), ["bin"], [prepare()]),
    Command(
        "label",
        twostage("label", "--data", "bin", "--dest", "rows"),
        ["rows"],
        [prepare()],
        whole=False,
    ),
    Command("train, no stage", START, [RUN], [prepare()], whole=False),
    Command("export", twostage(*EXPORT), ["exported"], [prepare(), START]),
    Command(
        "export --force",
        twostage(*EXPORT, "--force", "--lexicon", "other.tsv"),
        ["exported"],
        [prepare(), START, twostage(*EXPORT)],
    ),
    Command(
        "evaluate",
        twostage("evaluate", "--run", RUN, "--results", "found", "--predictions", "found/p.tsv"),
        ["found"],
        [prepare(), START],
        whole=False,
        state=without_commit,
    ),
    Command(
        "build",
        twostage("build", "dom", "--config", "untrained_words", "--output", "exported"),
        [f"data-bin/{SHELTER}", f"{RUN}/untrained_words.json", "exported"],
        [without_vectors],
        whole=False,
    ),
    Command("pair", twostage("pair", "--data", "bin", "--dest", "pairs"), ["pairs"], [prepare()]),
    Command(
        "choose",
        twostage("choose", "--data", "bin", "--paraphraser", BOTH, "--dest", "chosen"),
        ["chosen"],
        [prepare(), paraphraser],
    ),
    Command("download", download, ["data"], whole=False),
    Command("train", train(*STAGE, *SHORT), [f"{RUN}/parser"], [prepare()], False, parameters),
)
MARKS = Command("marks", mark, ["labelled.tsv", "labelled.tsv.wrong.jsonl"], whole=False)


def sampled(steps: Sequence[tuple[int, str]], share: float) -> list[tuple[int, str]]:
    """Some of the steps, in random order; renames first, which matter most."""
    chosen = random.Random(1).sample(list(steps), len(steps))
    chosen.sort(key=lambda step: step[1] not in ("rename", "exchange"))
    return chosen[: max(1, round(share * len(chosen)))]


Step = TypeVar("Step")


def in_time(steps: Sequence[Step], tally: Tally) -> Iterator[Step]:
    """The steps for which there is time; the others are counted as left out."""
    for count, step in enumerate(steps):
        if tally.late:
            tally.left_out += len(steps) - count
            return
        yield step


def killed(place: Place, tally: Tally, share: float) -> None:
    for found in place.through.unsynced:
        tally.add(found, (LOST, "has its name before its bytes are on the disk"))
    # A kill does not care whether bytes are on the disk: before fsync is as after what came before.
    steps = sampled([step for step in place.steps() if step[1] != "fsync"], share)
    for count, (at, kind) in enumerate(in_time(steps, tally)):
        with place.fresh() as root:
            done = run(place.command.work, root, Plan(KILL, at))
            problem = place.half(root, place.command.whole)
            again = kind in ("rename", "exchange") or (
                place.command.name != "train" and count % 3 == 0
            )
            problem = problem or (place.again(root) if again else None)
            tally.add(f"killed at step {at} ({kind})", problem and (LOST, problem))
            assert done.status != 0 or at >= done.counted, "the fault did not come"


def ended(place: Place, tally: Tally, share: float) -> None:
    """Told to end (SIGTERM), a command removes what it began; while it removes, the next does."""
    steps = sampled([step for step in place.steps() if step[1] not in REMOVING], share / 4)
    for at, kind in in_time(steps, tally):
        with place.fresh() as root:
            done = run(place.command.work, root, Plan(END, at))
            problem = place.half(root, place.command.whole)
            if problem is None and (left := [path.name for path in root.rglob(LEFT)]):
                problem = f"left over: {left[:3]}"
            if problem is None and done.status == 0 and place.state(root) != place.after:
                problem = "status 0, and not as after"
            tally.add(f"told to end at step {at} ({kind})", problem and (LOST, problem))


def full(place: Place, tally: Tally, share: float) -> None:
    """A disk that is full from a step on, and one that fails once."""
    growing = [step for step in place.steps() if step[1] in GROWING]
    chosen = sampled(growing, share)
    steps = [(at, kind, (FULL, ONCE)[number % 2]) for number, (at, kind) in enumerate(chosen)]
    for at, kind, fault in in_time(steps, tally):
        with place.fresh() as root:
            done = run(place.command.work, root, Plan(fault, at))
            words = "No space left" if fault == FULL else "Input/output error"
            tally.add(f"{fault} at step {at} ({kind})", _refused(place, root, done, words))


def read_only(place: Place, tally: Tally) -> None:
    with place.fresh() as root:
        done = run(place.command.work, root, Plan(READ_ONLY, 0))
        tally.add("read-only", _refused(place, root, done, "Read-only file system"))


def _refused(place: Place, root: Path, done: Outcome, words: str) -> tuple[str, str] | None:
    """Whether a command that could not write said so, and left all as it was."""
    if problem := noise(done.err, done.status):
        return problem
    left = [path.name for path in root.rglob(LEFT)]
    if done.status == 0:
        same = place.state(root) == place.after
        return None if same else (SILENT, "status 0, and not as after")
    if words not in done.err + done.out:
        return SILENT, f"does not say {words!r}: {done.err.strip()[-300:]}"
    if problem := place.half(root, place.command.whole or place.command.name != "train"):
        return (LOST, problem) if place.command.name not in PARTS else None
    if left and words != "Read-only file system":
        return LOST, f"left over: {left[:3]}"
    return None


PARTS = (
    "train",
    "train, no stage",
    "label",
    "evaluate",
    "build",
    "download",
)  # several files, one after the other


def two_at_once(place: Place, tally: Tally, times: int) -> None:
    steps = len(place.steps())
    for number in in_time(range(times), tally):
        with place.fresh() as root:
            delay = Plan(WAIT, random.Random(number).randrange(steps))
            both = [start(place.command.work, root, delay), start(place.command.work, root)]
            ended = [wait(each) for each in both]
            problem: tuple[str, str] | None = None
            for done in ended:
                problem = problem or noise(done.err, done.status)
            if problem is None and all(done.status for done in ended):
                problem = LOST, f"both failed: {ended[0].err.strip()[-200:]}"
            if problem is None and place.state(root) != place.after:
                problem = LOST, "not as after one"
            if problem is None and (left := [path.name for path in root.rglob(LEFT)]):
                problem = LOST, f"left over: {left[:3]}"
            tally.add(f"two at once, the first waits at {delay.at}", problem)


def small_disk(place: Place, tally: Tally) -> None:
    """The same on a real file system without room, where one may be mounted."""
    for free in (0, 8, 40):
        with mounted() as disk:
            if disk is None:
                return
            with place.fresh(disk) as root:
                subprocess.run(
                    ["dd", "if=/dev/zero", f"of={disk}/filler", "bs=4k"], capture_output=True
                )
                with open(disk / "filler", "r+b") as filler:
                    filler.truncate((disk / "filler").stat().st_size - free * 1024)
                done = run(place.command.work, root)
                where = f"{free} kB free on a tmpfs"
                tally.add(where, _refused(place, root, done, "No space left"))


@contextlib.contextmanager
def mounted(size: str = "8m") -> Iterator[Path | None]:
    with tempfile.TemporaryDirectory() as folder:
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
        if os.geteuid() or subprocess.run(command, capture_output=True).returncode:
            yield None
            return
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def marks(place: Place, tally: Tally, share: float) -> None:
    """What was answered as saved is in the file, once, and every line of the file is a row."""
    for found in place.through.unsynced:
        tally.add(found, (LOST, "answered before its bytes are on the disk"))
    steps = sampled(place.steps(), share)
    for at, kind in in_time(steps, tally):
        for fault in (KILL, FULL):
            with place.fresh() as root:
                done = run(place.command.work, root, Plan(fault, at))
                where = f"{fault} at step {at} ({kind})"
                tally.add(where, _unlike_answers(root, done) or _joined(place, root))
    for number in range(10 if share == 1 else 2):
        with place.fresh() as root:
            delay = Plan(WAIT, number % len(place.steps()))
            ended = [wait(each) for each in (start(mark, root, delay), start(mark, root))]
            problem = next(filter(None, (_unlike_answers(root, done) for done in ended)), None)
            tally.add("two servers on one file", problem)


def _unlike_answers(root: Path, done: Outcome) -> tuple[str, str] | None:
    path = root / "labelled.tsv"
    lines = path.read_text().splitlines() if path.exists() else []
    for told in done.out.splitlines():
        rows = [line for line in lines if line.split("\t")[0].replace(" ?", "?") == told]
        if len(rows) != 1:
            return LOST, f"{told!r} was answered as saved and stands {len(rows)} times"
    return None


def _joined(place: Place, root: Path) -> tuple[str, str] | None:
    """A server started again on the file adds what is missing, and no half row is among it."""
    done = run(place.command.work, root)
    if done.status:
        return LOST, f"the next server fails: {done.err.strip()[-200:]}"
    found = {name: (root / name).read_text().splitlines() for name in place.command.results}
    labelled, wrong = place.command.results
    if sorted(found[labelled]) != sorted((place.base / "rows").read_text().splitlines()):
        return LOST, f"rows are {found[labelled]}"
    return None if all(line.endswith("}") for line in found[wrong][-1:]) else (LOST, "half a mark")


def all_commands(
    domain: Path, base: Path, seconds: float, share: float, only: str | None
) -> Iterator[tuple[Tally, int]]:
    """Each command's tally, and how many steps it has."""
    wanted = [each for each in (*COMMANDS, MARKS) if only in (None, each.name)]
    for number, command in enumerate(wanted):
        began = time.monotonic()
        slice_ = seconds / (len(wanted) - number)
        tally = Tally(command.name, began + slice_)
        (folder := base / command.name.replace(" ", "_")).mkdir()
        place = Place(command, domain, folder)
        if command is MARKS:
            with place.fresh() as root:
                run(command.work, root)
                shutil.copy(root / "labelled.tsv", folder / "rows")
            marks(place, tally, share)
        else:
            for part, limit in (
                (partial(read_only, place, tally), 1.0),
                (partial(small_disk, place, tally), 1.0),
                (partial(two_at_once, place, tally, 1 if share < 1 else 6), 0.2),
                (partial(ended, place, tally, share), 0.3),
                (partial(full, place, tally, share), 0.5),
                (partial(killed, place, tally, share), 1.0),
            ):
                tally.until = began + slice_ * limit
                part()
        seconds -= time.monotonic() - began
        shutil.rmtree(folder)
        yield tally, len(place.steps())
