"""A PostgreSQL server of one's own, from Debian's package, for as long as tests run."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OWNER = "twostage"


def programs() -> Path | None:
    """The folder of ``initdb`` and ``pg_ctl``; None where PostgreSQL is not installed."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("initdb")
    folders = [*debian, *([Path(found).parent] if found else [])]
    return next((folder for folder in folders if (folder / "pg_ctl").is_file()), None)


@contextmanager
def postgresql() -> Iterator[str]:
    """The URL of a new server that listens on a socket alone, without a password."""
    folder = Path(tempfile.mkdtemp(prefix="twostage-pg-"))
    user = []
    if os.geteuid() == 0:  # PostgreSQL does not run as root
        account = pwd.getpwnam("postgres")
        os.chown(folder, account.pw_uid, account.pw_gid)
        user = ["runuser", "-u", "postgres", "--"]
    binaries, data = programs(), folder / "data"
    assert binaries is not None

    def run(program: str, *arguments: str) -> None:
        command = [*user, f"{binaries}/{program}", "-D", str(data), *arguments]
        subprocess.run(command, check=True, capture_output=True, cwd=folder, timeout=120)

    try:
        run("initdb", "-A", "trust", "-U", OWNER, "-E", "UTF8", "--locale=C", "--no-sync")
        settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", settings, "start")
        try:
            yield f"postgresql+psycopg://{OWNER}@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
