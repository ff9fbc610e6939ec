"""Clients of a server that are slow, idle, many or wrong, beside one that is not."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import time
from pathlib import Path

from tests.faults.commands import EXPORT, START, prepare
from tests.faults.forks import run, start, twostage, wait
from tests.faults.tally import LOST, SILENT, Tally, noise

HEAD = b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
LIMIT = 15.0  # ten seconds are promised
IDLE = 300


def asked(body: bytes, length: int | None = None) -> bytes:
    return HEAD + b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body


GOOD = asked(json.dumps({"utterance": "show me every dog", "n_best": 1}).encode())
# What is sent, and the status that answers; 0: the connection is closed without a word.
WRONG: dict[str, tuple[bytes, int]] = {
    "nothing": (b"", 0),
    "half a header": (HEAD[:40], 408),
    "half a body": (asked(b"{", 100), 408),
    "no HTTP": (b"\x16\x03\x01\x00\r\n\r\n", 400),
    "a header without end": (HEAD + b"X: " + b"a" * 200_000, 400),
    "a long body": (asked(b"x" * 40_000), 413),
    "no JSON": (asked(b"{"), 422),
    "nested JSON": (asked(b"[" * 30_000), 400),
    "no text": (asked(b'{"utterance": 5}'), 422),
    "a lone surrogate": (asked(b'{"utterance": "\\ud800"}'), 422),
}


def clients(domain: Path, base: Path) -> Tally:
    tally = Tally("clients")
    root = base / "clients"
    root.mkdir()
    (root / "dom").symlink_to(domain)
    for work in (prepare(), START, twostage(*EXPORT)):
        done = run(work, root)
        assert done.status == 0, done.err
    started = start(twostage("serve", "exported", "--port", "0"), root)
    try:
        port = _port(started.streams / "out")
        _all(port, tally)
    finally:
        os.kill(started.child, signal.SIGTERM)
        done = wait(started)
    problem = noise(done.err, 0)
    tally.add(
        "told to end", problem or (None if done.status in (0, 143, -15) else (LOST, done.err))
    )
    return tally


def _all(port: int, tally: Tally) -> None:
    held = {name: _sent(port, content) for name, (content, _) in WRONG.items()}
    idle = [_sent(port, b"") for _ in range(IDLE)]
    began = time.monotonic()
    for number in range(20):
        status, body = _answer(_sent(port, GOOD, b"Connection: close\r\n"))
        good = status == 200 and b"readings" in body
        tally.add(f"ordinary client {number}", None if good else (LOST, f"{status} {body[:100]!r}"))
    for name, connection in held.items():
        wanted = WRONG[name][1]
        status, body = _answer(connection)
        problem = None
        if time.monotonic() - began > LIMIT:
            problem = LOST, "not within ten seconds"
        elif status != wanted:
            problem = SILENT, f"answered with {status}, not {wanted}"
        elif status and set(json.loads(body)) != {"error"}:
            problem = SILENT, f"not in documented form: {body[:100]!r}"
        tally.add(name, problem)
    late = sum(_answer(connection) != (0, b"") for connection in idle)
    if time.monotonic() - began > LIMIT or late:
        tally.add("idle connections", (LOST, f"{late} of {IDLE} not closed in time"))
    else:
        tally.add("idle connections", None)


def _port(path: Path) -> int:
    for _ in range(600):
        if found := re.search(r":(\d+)/", path.read_text() if path.exists() else ""):
            return int(found[1])
        time.sleep(0.1)
    raise AssertionError("the server does not start")


def _sent(port: int, content: bytes, more: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=2 * LIMIT)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # refused before its end
        connection.sendall(content.replace(b"Content-Type", more + b"Content-Type", 1))
    return connection


def _answer(connection: socket.socket) -> tuple[int, bytes]:
    """Status and body of what comes until the other side closes; 0: nothing."""
    found = b""
    with connection, contextlib.suppress(ConnectionResetError, TimeoutError):
        while part := connection.recv(65_536):
            found += part
    head, _, body = found.partition(b"\r\n\r\n")
    return (int(head.split()[1]), body) if head else (0, b"")
