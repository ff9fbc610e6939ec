"""Bodies that are too long or too slow, without a network."""

import asyncio
import json

import pytest

from fairseq_twostage.server.limits import RequestLimits


async def echo(scope, receive, send):
    message = await receive()
    assert not message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})


def call(parts, headers=(), seconds=5.0, pause=0.0, app=echo):
    """Status, headers and body of the answer to a request that arrives in parts."""
    waiting = [
        {"type": "http.request", "body": part, "more_body": index + 1 < len(parts)}
        for index, part in enumerate(parts)
    ]
    sent = []

    async def receive():
        await asyncio.sleep(pause)
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": list(headers)}
    asyncio.run(RequestLimits(app, 10, seconds)(scope, receive, send))
    return sent


@pytest.mark.parametrize(
    "parts, headers, status",
    [
        ([b"12345", b"67890"], [], 200),
        ([b"12345", b"678901"], [], 413),
        ([b"1"], [(b"content-length", b"11")], 413),
        ([b"1"], [(b"content-length", b"many")], 400),
        ([b"1"], [(b"content-length", b"-1")], 400),
        ([b"1"], [(b"content-length", "²".encode("latin-1"))], 400),
        ([b""], [], 200),
    ],
)
def test_size(parts, headers, status):
    start, body = call(parts, headers)
    assert start["status"] == status
    names = dict(start["headers"])
    assert names[b"x-content-type-options"] == b"nosniff"
    if status == 200:
        assert body["body"] == b"".join(parts)


def test_a_broken_application_is_one_line_of_json(caplog):
    async def broken(scope, receive, send):
        raise KeyError("a bug")

    start, body = call([b"1"], app=broken)
    assert start["status"] == 500
    assert dict(start["headers"])[b"x-content-type-options"] == b"nosniff"
    assert "see the log" in json.loads(body["body"])["error"]
    assert "KeyError: 'a bug'" in caplog.text


def test_an_answer_that_has_begun_is_not_followed_by_another():
    async def broken(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        call([b"1"], app=broken)


def test_time():
    start, _ = call([b"1", b"2"], seconds=0.05, pause=0.2)
    assert start["status"] == 408


def test_a_client_that_goes_gets_no_answer():
    sent = []

    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    asyncio.run(RequestLimits(echo, 10, 1.0)(scope, receive, send))
    assert sent == []
