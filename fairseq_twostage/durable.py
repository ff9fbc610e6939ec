"""What a file system is asked for, so that a kill or a loss of power leaves no half of anything.

Everything that appears under a name goes through here: temporary names with an owner, ``fsync``,
the exchange of two folders, and lines at the end of a file that others write to, too.

A temporary name holds a lock as long as its owner lives; the kernel frees it however the owner
ends. :func:`sweep` removes those that nobody holds.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

OWNED = "twostage-"
BESIDE = re.compile(rf"\..+\.{OWNED}[a-z0-9_]{{8}}")  # the target's name stands in front
SCRATCH = re.compile(rf"{OWNED}[a-z]+-[a-z0-9_]{{8}}")  # in the system's temporary folder
BEFORE = f".{{}}.{OWNED}before"  # what a replaced folder is called where no exchange is possible
NO_EXCHANGE = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP)
NO_SYNC = (errno.EINVAL, errno.EOPNOTSUPP)  # a folder on some network file systems
AT_FDCWD, RENAME_EXCHANGE = -100, 2  # of linux/fcntl.h and linux/fs.h
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def sync(path: str | os.PathLike[str]) -> None:
    """Bring a file's bytes, or a folder's names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in NO_SYNC:
            raise
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Bring everything below a folder to the disk."""
    for path, _, names in os.walk(folder):
        for name in names:
            sync(os.path.join(path, name))
        sync(path)


def rename(source: Path, target: Path) -> None:
    """Rename what is on the disk already; the new name is there afterwards, too."""
    os.replace(source, target)
    sync(target.parent)


def exchange(one: Path, other: Path) -> None:
    """Swap what two names stand for, in one step.

    Raises:
        OSError: with an ``errno`` of :data:`NO_EXCHANGE` where the system or the file system
            cannot do that: it is Linux's ``renameat2``, and NFS is without.
    """
    swap = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if swap is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    paths = os.fsencode(one), os.fsencode(other)
    if swap(AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(other))


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other processes that ask for the same folder out; they wait."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def install(folder: Path, dest: Path) -> None:
    """Put a finished folder in the place of ``dest``; what was there goes.

    At every moment ``dest`` is either whole folder. Where no exchange is possible there is a moment
    without one: :func:`recover` puts the one before back if it was the last.
    """
    sync_tree(folder)
    if not dest.is_dir() or not any(dest.iterdir()):
        rename(folder, dest)
        return
    try:
        exchange(folder, dest)
        sync(dest.parent)
    except OSError as error:
        if error.errno not in NO_EXCHANGE:
            raise
        _install_in_two_steps(folder, dest)
    else:
        shutil.rmtree(folder)  # by now the one before


def keep_numbered(folder: Path) -> Path:
    """Copy a folder to its name with the next free number behind it; returns the copy.

    The copy appears whole, by a rename, or not at all.
    """
    with alone(folder.parent):
        number = 1
        while (kept := folder.with_name(f"{folder.name}.{number}")).exists():
            number += 1
        with temporary_folder(kept) as copy:
            shutil.copytree(folder, copy, dirs_exist_ok=True)
            sync_tree(copy)
            rename(copy, kept)
    return kept


def _install_in_two_steps(folder: Path, dest: Path) -> None:
    before = dest.with_name(BEFORE.format(dest.name))
    with alone(dest):  # so that nobody recovers meanwhile
        rename(dest, before)
        rename(folder, dest)
    shutil.rmtree(before)


def recover(dest: Path) -> None:
    """Finish what an interrupted :func:`install` in two steps left at ``dest``."""
    before = dest.with_name(BEFORE.format(dest.name))
    with suppress(OSError):
        descriptor = os.open(before, _FOLDER)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if dest.exists():
                shutil.rmtree(before)
            else:
                rename(before, dest)
        finally:
            os.close(descriptor)


@contextmanager
def temporary_folder(beside: Path) -> Iterator[Path]:
    """A folder for what will be called ``beside``; gone at the end unless it was renamed."""
    sweep(beside.parent, BESIDE)
    with _owned_folder(f".{beside.name}.{OWNED}", beside.parent) as folder:
        yield folder


@contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A folder in the system's temporary one (``TMPDIR``), gone at the end.

    Args:
        purpose: a word, which stands in its name.
    """
    place = Path(tempfile.gettempdir())
    sweep(place, SCRATCH)
    with _owned_folder(f"{OWNED}{purpose}-", place) as folder:
        yield folder


@contextmanager
def _owned_folder(prefix: str, place: Path) -> Iterator[Path]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=place))
        try:
            descriptor = os.open(folder, _FOLDER)
        except FileNotFoundError:  # taken for left over before it was locked
            continue
        if _own(descriptor, folder):
            break
        os.close(descriptor)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


@contextmanager
def temporary_file(beside: Path) -> Iterator[tuple[int, Path]]:
    """A descriptor and the name of a new file; gone at the end unless it was renamed.

    Whoever takes the descriptor closes it, after the rename.
    """
    sweep(beside.parent, BESIDE)
    while True:
        descriptor, name = tempfile.mkstemp(prefix=f".{beside.name}.{OWNED}", dir=beside.parent)
        if _own(descriptor, Path(name)):
            break
        os.close(descriptor)
    try:
        yield descriptor, Path(name)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


def _own(descriptor: int, path: Path) -> bool:
    """Lock what was made just now; False if somebody took it for left over in between."""
    with suppress(OSError):  # a file system without locks, where nothing is swept either
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    return path.exists()


def sweep(place: Path, pattern: re.Pattern[str]) -> None:
    """Remove temporary files and folders of this user whose owners are gone."""
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_if_left(Path(entry.path), entry.is_dir(follow_symlinks=False))


def _remove_if_left(path: Path, is_folder: bool) -> None:
    descriptor = os.open(path, _FOLDER if is_folder else os.O_RDONLY | os.O_NOFOLLOW)
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_folder:
            shutil.rmtree(path, ignore_errors=True)
        else:
            os.unlink(path)
    finally:
        os.close(descriptor)


def check_writable(folder: Path) -> None:
    """Raise the :class:`OSError` that the first block written into a folder would meet."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(4096))
        file.flush()


@contextmanager
def appending(path: Path) -> Iterator[BinaryIO]:
    """A file that nobody else adds to until the end of the block; :func:`append` does.

    It is made where it is missing, and stands at its end.
    """
    file = _locked(path)
    while not _still(path, file):  # replaced while another had the lock, as by an editor
        file.close()
        file = _locked(path)
    with file:
        file.seek(0, os.SEEK_END)
        yield file


def _locked(path: Path) -> BinaryIO:
    new = not path.exists()
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    file = os.fdopen(descriptor, "r+b", buffering=0)
    fcntl.flock(file, fcntl.LOCK_EX)
    if new:
        sync(path.parent)
    return file


def _still(path: Path, file: BinaryIO) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def append(file: BinaryIO, data: bytes) -> None:
    """Add to an unbuffered file and bring that to the disk; if it fails, the file is as it was."""
    end = file.seek(0, os.SEEK_END)
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[file.write(rest) :]
        os.fsync(file.fileno())
    except BaseException:
        file.truncate(end)
        raise


def ends_within_a_line(file: BinaryIO) -> bool:
    """Whether the last line of a file has no end."""
    return file.seek(0, os.SEEK_END) > 0 and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n"
