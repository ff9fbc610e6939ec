"""Connections of uvicorn that wait for nobody longer than they say.

uvicorn limits the time between requests, but not that of a first one, nor of a header that arrives
byte by byte (Kludex/uvicorn#157); its own refusals are plain text.
"""

from __future__ import annotations

import asyncio
import json
import resource
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from fairseq_twostage.server.limits import overloaded

MAX_CONNECTIONS = 4_096
SPARE_FILES = 64  # descriptors that are no connections


def allow_connections() -> int:
    """Raise this process's limit of open files; returns how many connections that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted - SPARE_FILES


class Connection(H11Protocol):
    """uvicorn's, with a time for a request's header to arrive.

    ``timeout_keep_alive`` is that time, from the beginning of the connection or the end of the
    answer before. One that sent nothing is closed; half a header is answered with 408. Beyond
    :attr:`most` connections every request is answered with 503.
    """

    most = MAX_CONNECTIONS
    _deadline: asyncio.TimerHandle
    _began = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self.app = overloaded
        self._wait_for_a_header()

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._began = True
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self._answering():
            self._deadline.cancel()

    def on_response_complete(self) -> None:
        self._wait_for_a_header()
        super().on_response_complete()  # goes on with what has arrived meanwhile

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, msg)

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait_for_a_header(self) -> None:
        self._began = False
        if hasattr(self, "_deadline"):
            self._deadline.cancel()
        self._deadline = self.loop.call_later(self.timeout_keep_alive, self._late)

    def _late(self) -> None:
        if self.transport.is_closing() or self._answering():
            return
        if self._began and self.conn.our_state is h11.IDLE:
            self._refuse(408, "the request took too long to arrive")
        else:
            self.transport.close()

    def _refuse(self, status: int, error: str) -> None:
        body = json.dumps({"error": error}).encode()
        headers: list[Any] = [
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            ("connection", "close"),
        ]
        for event in (
            h11.Response(status_code=status, headers=headers),
            h11.Data(data=body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
