"""``twostage serve``: a page and an HTTP JSON API to ask a parser."""

from __future__ import annotations

import argparse
import ipaddress
import os
import socket
from collections.abc import Sequence
from pathlib import Path

from fairseq_twostage.cli.options import add_parser_folder, integer
from fairseq_twostage.cli.parse import hush
from fairseq_twostage.errors import UserError

HEADER_SECONDS = 10
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
BACKLOG = 4_096  # connections that the system holds until they are taken


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add_parser_folder(parser)
    add("--host", default="127.0.0.1", help="address (default: 127.0.0.1, this machine only)")
    add(
        "--port",
        type=integer(0, 65535),
        default=8000,
        help="port (default: 8000; 0: any that is free)",
    )
    add(
        "--marks",
        type=Path,
        default=Path("labelled.tsv"),
        metavar="FILE",
        help="where answers marked as right or corrected are saved, as labelled rows "
        "(default: labelled.tsv); those marked as wrong go to FILE.wrong.jsonl",
    )
    add(
        "--log",
        type=Path,
        metavar="FILE",
        help="write every question with its reading there, a JSON object per line, for twostage "
        "improve and ask-for-labels; the page says so (default: nothing is logged)",
    )


def main(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    hush()
    try:
        with listen(args.host, args.port) as listener:
            serve(args, listener)
    except KeyboardInterrupt:
        print()
    return 0


def serve(args: argparse.Namespace, listener: socket.socket) -> None:
    """Load the parser and answer requests at a socket until the process is told to end.

    Raises:
        UserError: there is no parser, or what serving needs is not installed.
    """
    try:
        import uvicorn

        from fairseq_twostage.server.app import create_app
        from fairseq_twostage.server.connections import Connection, allow_connections
    except ImportError as error:
        raise UserError(
            f"{error.name} is not installed: pip install 'fairseq-twostage[serve]'"
        ) from error
    from fairseq_twostage.server.asked import QuestionLog
    from fairseq_twostage.server.marks import Marks
    from fairseq_twostage.systems.opening import open_parser

    log = None if args.log is None else QuestionLog(args.log)
    parser = open_parser(args.dir, args.data, args.system)
    parser.warm_up()
    parser("warm up")
    app = create_app(parser, Marks(parser, args.marks), allowed_hosts(args.host), log=log)
    Connection.most = allow_connections()
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        http=Connection,
        ws="none",
        backlog=BACKLOG,
        timeout_keep_alive=HEADER_SECONDS,
        timeout_graceful_shutdown=5,
    )

    class Server(uvicorn.Server):
        """Says where it is once it answers, and Ctrl-C is its own."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            print(f"{parser.domain}: {address(listener)} (Ctrl-C ends)", flush=True)

    Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """A socket that is bound, so that a port in use is told before the parser is loaded.

    Raises:
        UserError: the address cannot be used.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        known = error.errno is not None and not isinstance(error, socket.gaierror)
        reason = os.strerror(error.errno or 0) if known else error.strerror
        raise UserError(f"cannot be used: {reason}", f"{host}:{port}") from error


def address(listener: socket.socket) -> str:
    """The URL of a bound socket."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def allowed_hosts(host: str) -> Sequence[str]:
    """The names by which a server at ``host`` may be called: any unless it is the loopback."""
    try:
        loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback = host == "localhost"
    return (*LOOPBACK_NAMES, host) if loopback else ("*",)
