from __future__ import annotations

import subprocess
import sys

import pytest

from fairseq_twostage.errors import UserError


def uncaught(error: str) -> subprocess.CompletedProcess[str]:
    script = (
        "from fairseq_twostage.errors import UserError, print_user_errors_in_one_line\n"
        "print_user_errors_in_one_line()\n"
        f"raise {error}\n"
    )
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UserError("no closing bracket"), "no closing bracket"),
        (UserError("no closing bracket", where="a.txt:3"), "a.txt:3: no closing bracket"),
    ],
)
def test_message_starts_with_the_place(error: UserError, text: str) -> None:
    assert str(error) == text


def test_uncaught_user_error_is_one_line() -> None:
    done = uncaught("UserError('no closing bracket', where='a.txt:3')")
    assert done.returncode == 1
    assert done.stderr == "error: a.txt:3: no closing bracket\n"


def test_other_errors_keep_their_traceback() -> None:
    done = uncaught("ValueError('a bug')")
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert done.stderr.endswith("ValueError: a bug\n")
