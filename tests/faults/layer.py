"""The operating system as a command sees it, with a fault at a chosen step.

Every step that changes files below a folder is counted: files and folders made, bytes written,
names changed or removed, files cut and synced. Python's own file objects write through here, too;
what a library wrote past them would be missing from the count, which may not fall.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import mmap
import os
import signal
import stat
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairseq_twostage import durable

KILL, END, WAIT = "killed", "told to end", "wait"
FULL, ONCE, READ_ONLY = "full", "failed once", "read-only"
GROWING = frozenset({"create", "mkdir", "write", "fsync"})  # what a full disk refuses
CHANGING = frozenset({"create", "mkdir", "write", "rename", "exchange", "unlink", "rmdir", "cut"})
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


@dataclass(frozen=True)
class Plan:
    """What goes wrong, and at which step (from 0; None: nothing does)."""

    fault: str = KILL
    at: int | None = None


class Layer:
    """Counts steps below ``root``, does what the plan says, and watches what is on the disk.

    Processes forked later count together. :attr:`unsynced` names what was renamed before its bytes
    were on the disk.
    """

    def __init__(self, root: Path, plan: Plan, trace: Path) -> None:
        self.root = os.path.realpath(root)
        self.plan = plan
        self.shared = mmap.mmap(-1, 8)
        self.trace = os.open(trace, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self.dirty: set[tuple[int, int]] = set()
        self.write, self.fsync = os.write, os.fsync
        self.stat, self.fstat = os.stat, os.fstat

    @property
    def steps(self) -> int:
        count: int = struct.unpack("q", self.shared[:8])[0]
        return count

    def place(self, path: Any, dir_fd: int | None = None) -> str:
        if isinstance(path, int):
            return os.readlink(f"/proc/self/fd/{path}")
        name = os.fsdecode(path)
        base = os.getcwd() if dir_fd is None else os.readlink(f"/proc/self/fd/{dir_fd}")
        return os.path.join(base, name)

    def inside(self, place: str) -> bool:
        return place.startswith(f"{self.root}/")

    def note(self, text: str) -> None:
        self.write(self.trace, f"{text}\n".encode(errors="replace"))

    def step(self, kind: str, place: str, half: Callable[[], object] | None = None) -> None:
        """Count one step, and let it go wrong; ``half`` does it halfway before a kill."""
        if not self.inside(place):
            return
        number = self.steps
        self.shared[:8] = struct.pack("q", number + 1)
        self.note(f"{kind} {place[len(self.root) + 1 :]}")
        plan = self.plan
        if plan.at is None or number < plan.at:
            return
        if plan.fault == KILL:
            if half is not None:
                half()
            os.kill(os.getpid(), signal.SIGKILL)
        if plan.fault == END and number == plan.at:
            os.kill(os.getpid(), signal.SIGTERM)
        if plan.fault == WAIT and number == plan.at:
            time.sleep(0.05)
        refused = {
            FULL: errno.ENOSPC if kind in GROWING else 0,
            ONCE: errno.EIO if number == plan.at else 0,
            READ_ONLY: errno.EROFS if kind in CHANGING else 0,
        }
        if code := refused.get(plan.fault, 0):
            raise OSError(code, os.strerror(code), *([place] if kind != "write" else []))

    def wrote(self, descriptor: int) -> None:
        found = self.fstat(descriptor)
        self.dirty.add((found.st_dev, found.st_ino))

    def synced(self, descriptor: int) -> None:
        found = self.fstat(descriptor)
        self.dirty.discard((found.st_dev, found.st_ino))

    def renamed(self, source: str) -> None:
        """Note what has a new name and is in memory alone."""
        for path in files_at(source):
            found = self.stat(path)
            if (found.st_dev, found.st_ino) in self.dirty:
                self.note(f"unsynced {os.path.relpath(path, self.root)}")

    def gone(self, path: Any, dir_fd: int | None = None) -> None:
        """Forget what is about to be removed: another file may get its inode."""
        with contextlib.suppress(FileNotFoundError):
            found = self.stat(path, dir_fd=dir_fd, follow_symlinks=False)
            if found.st_nlink == 1 or stat.S_ISDIR(found.st_mode):
                self.dirty.discard((found.st_dev, found.st_ino))

    def named(self, target: str) -> None:
        """A name in a folder is on the disk when the folder was synced."""
        found = self.stat(os.path.dirname(target))
        self.dirty.add((found.st_dev, found.st_ino))

    def ends(self) -> None:
        """A command that says it is done: what it renamed must be on the disk by now."""
        for folder, _, names in os.walk(self.root):
            if os.path.basename(folder) == "tmp":
                continue
            for path in [folder, *(os.path.join(folder, name) for name in names)]:
                with contextlib.suppress(FileNotFoundError):  # by another command beside
                    found = self.stat(path)
                    if (found.st_dev, found.st_ino) in self.dirty:
                        self.note(f"memory {os.path.relpath(path, self.root)}")


def files_at(place: str) -> Iterator[str]:
    if os.path.isdir(place):
        for folder, _, names in os.walk(place):
            yield from (os.path.join(folder, name) for name in names)
    elif os.path.exists(place):
        yield place


def install(layer: Layer) -> None:
    """Put the layer between this process and its files, for good."""
    _wrap_open(layer)
    real = {
        name: getattr(os, name)
        for name in ("rename", "replace", "unlink", "remove", "mkdir", "rmdir", "open", "fsync")
    }

    def moved(name: str) -> Callable[..., None]:
        def move(source: Any, target: Any, **options: Any) -> None:
            old, new = layer.place(source), layer.place(target)
            layer.step("rename", new)
            if layer.inside(new):
                layer.renamed(old)
                layer.gone(new)
            real[name](source, target, **options)
            if layer.inside(new):
                layer.named(new)

        return move

    def one(name: str, kind: str) -> Callable[..., Any]:
        def call(path: Any, *args: Any, dir_fd: int | None = None, **options: Any) -> Any:
            layer.step(kind, layer.place(path, dir_fd))
            if kind != "mkdir":
                layer.gone(path, dir_fd)
            return real[name](path, *args, dir_fd=dir_fd, **options)

        return call

    def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & WRITING:
            layer.step("create", layer.place(path, dir_fd))
        found: int = real["open"](path, flags, mode, dir_fd=dir_fd)
        return found

    def fsync(descriptor: Any) -> None:
        number = descriptor if isinstance(descriptor, int) else descriptor.fileno()
        layer.step("fsync", layer.place(number))
        real["fsync"](number)
        layer.synced(number)

    def sendfile(out: int, source: int, offset: Any, count: int, **options: Any) -> int:
        layer.step("write", layer.place(out))
        layer.wrote(out)
        sent: int = _sendfile(out, source, offset, count, **options)
        return sent

    def exchange(first: Path, other: Path) -> None:
        layer.step("exchange", layer.place(other))
        layer.renamed(layer.place(first))
        _exchange(first, other)
        layer.named(layer.place(other))

    _sendfile, _exchange = os.sendfile, durable.exchange
    changes: dict[str, Any] = {name: moved(name) for name in ("rename", "replace")}
    changes |= {name: one(name, "unlink") for name in ("unlink", "remove")}
    changes |= {name: one(name, name) for name in ("mkdir", "rmdir")}
    changes |= {"open": opened, "fsync": fsync, "sendfile": sendfile}
    for name, function in changes.items():
        for known in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if getattr(os, name) in known:
                known.add(function)  # or shutil.rmtree takes another way
        setattr(os, name, function)
    durable.exchange = exchange


def _wrap_open(layer: Layer) -> None:
    real = io.open

    class Raw(io.FileIO):
        def write(self, data: Any) -> int:  # type: ignore[override]
            half = memoryview(data).cast("B")[: len(data) // 2]
            layer.step("write", layer.place(self.fileno()), lambda: io.FileIO.write(self, half))
            layer.wrote(self.fileno())
            return super().write(data)

        def truncate(self, size: int | None = None) -> int:
            layer.step("cut", layer.place(self.fileno()))
            layer.wrote(self.fileno())
            return super().truncate(size)

    def opened(
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        if not set(mode) & set("wax+"):
            return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
        place = layer.place(file)
        if not layer.inside(place):
            return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
        if not isinstance(file, int):
            layer.step("create", place)
        raw = Raw(file, mode.replace("b", "").replace("t", ""), closefd, opener)
        if buffering == 0:
            return raw
        size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
        binary = io.BufferedRandom(raw, size) if "+" in mode else io.BufferedWriter(raw, size)
        if "b" in mode:
            return binary
        return io.TextIOWrapper(binary, encoding, errors, newline, line_buffering=buffering == 1)

    builtins.open = io.open = opened  # type: ignore[assignment]
    import _io

    _io.open = opened  # type: ignore[assignment]
