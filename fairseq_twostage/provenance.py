"""By which code and which command a file was made."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path


def portable_command(arguments: Sequence[str]) -> str:
    """The command without this machine's folders: runs and data by their variables.

    Of any other absolute path the last part is left.
    """
    places = {os.getcwd(): ""}
    for name in ("TWOSTAGE_RUNS", "TWOSTAGE_DATA"):
        if os.environ.get(name):
            places[os.environ[name].rstrip("/")] = f"${name}/"
    known = tuple(f"{place}/" for place in places)
    words = [
        f".../{Path(word).name}" if word.startswith("/") and not word.startswith(known) else word
        for word in arguments
    ]
    shown = shlex.join(["twostage", *words])
    for place in sorted(places, key=len, reverse=True):
        shown = shown.replace(f"{place}/", places[place])
    return shown


def current_commit() -> str:
    """The commit of the code, ``-dirty`` if its tracked files have changed since."""
    here = Path(__file__).parent
    try:
        commit = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=here, check=True, capture_output=True, text=True
        ).stdout.strip()
        changed = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no", "--", "."],
            cwd=here,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit}-dirty" if changed else commit
