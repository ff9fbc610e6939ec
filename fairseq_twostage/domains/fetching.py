"""Fetching a file from its address, in part again where it broke off."""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from fairseq_twostage import durable
from fairseq_twostage.errors import UserError
from fairseq_twostage.writing import umask, written_or_said

BLOCK = 1 << 20
TIMEOUT = 60  # seconds without a byte


class NotThereError(Exception):
    """The server has no such file; asking again does not help."""


class _BrokenOffError(Exception):
    """The connection failed or ended early; asking again may help."""


@dataclass(frozen=True)
class Fetcher:
    """Downloads with retries; a repeated try continues where the last one ended.

    Args:
        tries: attempts per address.
        delay: seconds before the second attempt, doubled before each further one.
    """

    tries: int = 4
    delay: float = 2.0

    def fetch(self, address: str, unfinished: Path) -> None:
        """Bring ``address`` into ``unfinished``, continuing what is in it already.

        Raises:
            NotThereError: the server answers that there is no such file.
            UserError: every attempt failed; ``unfinished`` keeps what came.
        """
        for attempt in range(self.tries):
            if attempt:
                time.sleep(self.delay * 2 ** (attempt - 1))
            try:
                return _fetch_once(address, unfinished)
            except _BrokenOffError as error:
                reason = str(error)
        raise UserError(f"download failed {self.tries} times, last: {reason}", where=address)


def _fetch_once(address: str, unfinished: Path) -> None:
    have = unfinished.stat().st_size if unfinished.exists() else 0
    request = urllib.request.Request(address)
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        answer = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416:
            if error.headers.get("Content-Range") == f"bytes */{have}":
                return  # nothing is missing
            emptied(unfinished)
            raise _BrokenOffError("could not be continued") from None
        if error.code in (403, 404, 410):
            raise NotThereError(f"HTTP {error.code} {error.reason}") from None
        raise _BrokenOffError(f"HTTP {error.code} {error.reason}") from None
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        raise _BrokenOffError(str(getattr(error, "reason", "") or error)) from None
    with answer, open(unfinished, "ab" if answer.status == 206 else "wb") as file:
        expected, got = answer.headers.get("Content-Length"), 0
        for block in _blocks_received(answer):
            file.write(block)  # an error of the disk is none of the connection
            got += len(block)
    if expected is not None and got != int(expected):
        raise _BrokenOffError(f"ended after {got} of {expected} bytes")


def _blocks_received(answer: IO[bytes]) -> Iterator[bytes]:
    try:
        while block := answer.read(BLOCK):
            yield block
    except (http.client.HTTPException, OSError) as error:
        raise _BrokenOffError(str(error)) from None


def emptied(path: Path) -> None:
    """Take back what came; the name, and who owns it, stay."""
    with open(path, "wb"):
        pass


def take_over(made: Path, target: Path) -> None:
    """Give a whole file its name."""
    durable.sync(made)
    durable.rename(made, target)


@contextmanager
def unfinished_beside(target: Path) -> Iterator[Path]:
    """A file of this process beside ``target`` that is gone unless it was renamed.

    Raises:
        UserError: it cannot be written, as on a full disk.
    """
    with written_or_said(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with durable.temporary_file(target) as (descriptor, path):
            try:
                os.fchmod(descriptor, 0o666 & ~umask())
                yield path
            finally:
                os.close(descriptor)
