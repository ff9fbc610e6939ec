"""A server under load: many requests at once, idle connections, memory, the slowest of many.

    python benchmarks/serve.py DIR --questions FILE

DIR is an exported parser. The server has one core, and its clients another, where there are two.
Clients are asyncio streams on loopback; each answer is read whole.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

Answer = tuple[int, dict, float]


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[int, int]]:
    """A server on one core: its port and its process."""
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "fairseq_twostage.cli.main", "serve", str(folder)]
        process = subprocess.Popen(
            [*command, "--port", "0", "--marks", f"{scratch}/labelled.tsv"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            preexec_fn=lambda: os.sched_setaffinity(0, cores[-1:]),
        )
        try:
            os.sched_setaffinity(0, cores[:1])
            line = process.stdout.readline() if process.stdout else ""
            found = re.search(r":(\d+)/", line)
            assert found, line
            yield int(found[1]), process.pid
        finally:
            process.terminate()
            process.wait()


def request(question: str) -> bytes:
    body = json.dumps({"utterance": question, "n_best": 1, "explain": False}).encode()
    head = "POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, question: str) -> Answer:
    """Status, content and seconds of an answer on an open connection."""
    started = time.perf_counter()
    writer.write(request(question))
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    assert length is not None, head
    content = json.loads(await reader.readexactly(int(length[1])))
    return int(head.split()[1]), content, time.perf_counter() - started


async def at_once(port: int, questions: Sequence[str], count: int) -> list[Answer]:
    """As many requests as connections, all at once."""
    together = asyncio.Event()

    async def one(number: int) -> Answer:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        await together.wait()
        answer = await ask(reader, writer, questions[number % len(questions)])
        writer.close()
        return answer

    tasks = [asyncio.create_task(one(number)) for number in range(count)]
    await asyncio.sleep(1)
    together.set()
    return list(await asyncio.gather(*tasks))


async def clients(port: int, questions: Sequence[str], many: int, each: int) -> list[Answer]:
    """Clients that ask one question after the other, each on a connection of its own."""

    async def one(number: int) -> list[Answer]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        asked = [questions[(number * each + turn) % len(questions)] for turn in range(each)]
        answers = [await ask(reader, writer, question) for question in asked]
        writer.close()
        return answers

    found = await asyncio.gather(*(one(number) for number in range(many)))
    return [answer for answers in found for answer in answers]


async def beside_idle(port: int, questions: Sequence[str], idle: int) -> None:
    """Ordinary clients while others hold connections open and send nothing, or half a header."""
    held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(idle)]
    opened = time.perf_counter()
    for _, writer in held[::2]:
        writer.write(b"POST /api/parse HTTP/1.1\r\nHost: local")
    answers = await clients(port, questions, 4, 50)
    still = time.perf_counter() - opened
    assert all(not reader.at_eof() for reader, _ in held), "closed before its time"
    say(f"4 clients beside {idle:,} idle connections, {still:.1f} s", answers)
    await asyncio.gather(*(reader.read() for reader, _ in held))
    print(f"  all of them closed after {time.perf_counter() - opened:.1f} s")
    for _, writer in held:
        writer.close()


def say(what: str, answers: Sequence[Answer]) -> None:
    seconds = sorted(answer[2] for answer in answers)
    statuses = dict(collections.Counter(answer[0] for answer in answers))
    half, slowest = seconds[len(seconds) // 2], seconds[int(0.99 * len(seconds))]
    undocumented = sum(set(content) != {"error"} for status, content, _ in answers if status != 200)
    print(
        f"{what}: statuses {statuses}, in undocumented form {undocumented}; p50 "
        f"{1000 * half:.1f} ms, p99 {1000 * slowest:.1f} ms ({slowest / half:.1f} times), longest "
        f"{seconds[-1]:.2f} s",
        flush=True,
    )


def resident(process: int) -> float:
    """MB that a process holds."""
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found
    return int(found[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--parses", type=int, default=10_000)
    parser.add_argument("--idle", type=int, default=2_500)
    args = parser.parse_args()
    questions = args.questions.read_text(encoding="utf-8").splitlines()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with serving(args.folder) as (port, process):
        asyncio.run(clients(port, questions, 4, len(questions)))  # what is remembered, is
        say("16 clients", asyncio.run(clients(port, questions, 16, 100)))
        say("1,000 requests at once", asyncio.run(at_once(port, questions, 1_000)))
        asyncio.run(beside_idle(port, questions, args.idle))
        before = resident(process)
        for part in range(4):
            answers = asyncio.run(clients(port, questions, 4, args.parses // 16))
            print(f"  {(part + 1) * len(answers):,} parses: {resident(process):.1f} MB")
        print(f"memory grew by {resident(process) - before:.1f} MB")


if __name__ == "__main__":
    main()
