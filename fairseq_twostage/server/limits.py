"""Limits of size and time on requests, headers that every answer carries, and a last resort."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOGGER = logging.getLogger(__name__)
TOO_MANY = "too many requests are waiting; try again in a moment"
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}


class RequestLimits:
    """Reads a request's body before the application sees it, unless it is too long or too slow.

    Args:
        app: the application.
        max_bytes: of a body; more is answered with 413.
        seconds: for the body to arrive; longer is answered with 408.
    """

    def __init__(self, app: ASGIApp, max_bytes: int, seconds: float) -> None:
        self.app = app
        self.max_bytes = max_bytes
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI call."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        send = _with_headers(send)
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            await _refuse(400, "a length that is no number")(scope, receive, send)
            return
        if int(length) > self.max_bytes:
            await self._too_long()(scope, receive, send)
            return
        try:
            body = await asyncio.wait_for(self._body(receive), self.seconds)
        except asyncio.TimeoutError:
            await _refuse(408, "the request took too long to arrive")(scope, receive, send)
            return
        except ConnectionError:
            return
        if body is None:
            await self._too_long()(scope, receive, send)
            return
        started = False

        async def noting(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, _replay(body, receive), noting)
        except Exception:
            if started:
                raise
            LOGGER.exception("no answer to %s", scope["path"])
            await _refuse(500, "something is broken; see the log of the server")(
                scope, receive, send
            )

    async def _body(self, receive: Receive) -> bytes | None:
        """The whole body; None if it is too long."""
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.max_bytes:
                return None
            more = message.get("more_body", False)
        return b"".join(parts)

    def _too_long(self) -> JSONResponse:
        return _refuse(413, f"more than {self.max_bytes} bytes")


def _refuse(status: int, error: str) -> JSONResponse:
    return JSONResponse({"error": error}, status, {"Connection": "close"})


class AllowedHosts:
    """Answers requests under a name that is not allowed, as a browser was tricked into, with 400.

    Args:
        app: the application.
        hosts: as :class:`TrustedHostMiddleware` takes them, whose answer would be plain text.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI call."""
        answer: ASGIApp = _refuse(400, "called by a name that is not allowed; see --host")

        async def allowed(*_: object) -> None:
            nonlocal answer
            answer = self.app

        async def unsent(_: Message) -> None:
            pass

        check = TrustedHostMiddleware(allowed, self.hosts, www_redirect=False)
        await check(scope, receive, unsent)
        await answer(scope, receive, send)


async def overloaded(scope: Scope, receive: Receive, send: Send) -> None:
    """The application that answers where there is too much to do."""
    if scope["type"] == "http":
        await _refuse(503, TOO_MANY)(scope, receive, _with_headers(send))


def _replay(body: bytes, receive: Receive) -> Receive:
    messages: list[dict[str, Any]] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers
