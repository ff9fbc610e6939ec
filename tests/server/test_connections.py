"""Connections that send nothing, or half of something, or are too many; one server, in a thread."""

import asyncio
import json
import socket
import threading
import time

import pytest
import uvicorn

from fairseq_twostage.server import connections
from fairseq_twostage.server.connections import Connection, allow_connections

SECONDS = 1
GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: loc"


async def hello(scope, receive, send):
    if scope["path"] == "/slow":
        await asyncio.sleep(2 * SECONDS)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


@pytest.fixture(scope="module")
def port():
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        hello,
        http=Connection,
        ws="none",
        lifespan="off",
        timeout_keep_alive=SECONDS,
        log_config=None,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(20)


def until_closed(connection):
    """What still comes, and after how many seconds the other side closes."""
    started, found = time.monotonic(), b""
    while part := connection.recv(4096):
        found += part
    return found, time.monotonic() - started


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def test_a_connection_that_sends_nothing_is_closed(port):
    with connect(port) as connection:
        found, seconds = until_closed(connection)
    assert found == b"" and SECONDS * 0.8 < seconds < SECONDS + 5


def test_a_header_byte_by_byte_is_answered_in_time(port):
    with connect(port) as connection:
        started = time.monotonic()
        connection.settimeout(0.05)
        found = b""
        for byte in HALF + b"a" * 400:
            connection.sendall(bytes([byte]))
            try:
                found = connection.recv(4096)
                break
            except TimeoutError:
                pass
        assert time.monotonic() - started < SECONDS + 5
        connection.settimeout(SECONDS)
        while not found.endswith(b"}") and (more := connection.recv(4096)):
            found += more  # the body may come by itself
    head, _, body = found.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ") and b"connection: close" in head.lower()
    assert json.loads(body) == {"error": "the request took too long to arrive"}


@pytest.mark.parametrize("after", [b"", HALF])
def test_the_time_begins_anew_after_an_answer(port, after):
    with connect(port) as connection:
        for _ in range(3):
            connection.sendall(GET)
            found = b""
            while not found.endswith(b"0\r\n\r\n"):  # the last chunk
                found += connection.recv(4096)
            assert b"hello" in found
            time.sleep(SECONDS * 0.4)
        connection.sendall(after)
        found, seconds = until_closed(connection)
    assert (b" 408 " in found) == bool(after) and seconds < SECONDS + 5


def test_an_answer_may_take_longer_than_a_header(port):
    with connect(port) as connection:
        connection.sendall(GET.replace(b"/ ", b"/slow ") + GET)  # pipelined
        found, seconds = until_closed(connection)
    assert found.count(b"hello") == 2 and seconds > 2.5 * SECONDS


def test_too_many_connections_are_refused_as_documented(port, monkeypatch):
    monkeypatch.setattr(Connection, "most", 2)
    held = [connect(port) for _ in range(3)]
    answers = []
    for connection in held:
        connection.sendall(GET)
        answers.append(until_closed(connection)[0] if connection is held[2] else None)
        connection.close()
    head, _, body = answers[2].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 ") and b"nosniff" in head
    assert "too many" in json.loads(body)["error"]


def test_what_is_no_http_is_refused_as_documented(port):
    with connect(port) as connection:
        connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        head, _, body = until_closed(connection)[0].partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and json.loads(body).keys() == {"error"}


def test_open_files_are_as_many_as_connections_need(monkeypatch):
    changed = {}

    def note(_, both):
        changed["to"] = both

    monkeypatch.setattr(connections.resource, "getrlimit", lambda _: (100, 3_000))
    monkeypatch.setattr(connections.resource, "setrlimit", note)
    assert allow_connections() == 3_000 - connections.SPARE_FILES
    assert changed["to"] == (3_000, 3_000)
