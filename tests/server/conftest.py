"""A server of the small parser in a process of its own, and what talks to it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.ships import ships, ships_folder  # noqa: F401


@dataclass
class Server:
    process: subprocess.Popen[str]
    port: int
    folder: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def labelled(self) -> Path:
        return self.folder / "labelled.tsv"

    @property
    def questions(self) -> Path:
        return self.folder / "questions.jsonl"

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        names = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, path, body, names)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return response.status, found, response.read()
        finally:
            connection.close()

    def post(self, path: str, content: Any) -> tuple[int, Any]:
        body = json.dumps(content).encode()
        status, _, answer = self.request("POST", path, body, Content_Type="application/json")
        return status, json.loads(answer)


@pytest.fixture(scope="session")
def server(ships_folder, tmp_path_factory) -> Iterator[Server]:  # noqa: F811
    folder = tmp_path_factory.mktemp("serving")
    command = [sys.executable, "-m", "fairseq_twostage.cli.main", "serve", str(ships_folder)]
    process = subprocess.Popen(
        [
            *[*command, "--port", "0", "--marks", str(folder / "labelled.tsv")],
            *["--log", str(folder / "questions.jsonl")],
        ],
        stdout=subprocess.PIPE,
        stderr=open(folder / "errors.txt", "w"),  # noqa: SIM115
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    try:
        line = process.stdout.readline() if process.stdout else ""
        match = re.fullmatch(r"ships: http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends\)\n", line)
        assert match, (line, (folder / "errors.txt").read_text())
        yield Server(process, int(match[1]), folder)
        assert process.poll() is None, "the server died"
        assert "Traceback" not in (folder / "errors.txt").read_text()
    finally:
        process.terminate()
        process.wait(20)
