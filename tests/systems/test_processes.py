"""Commands in processes of their own, side by side."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.systems.processes import in_order, subprocess_runner

ROOT = Path(__file__).resolve().parents[2]
# The stages of a paraphraser: two chains that meet.
NEEDS: dict[str, set[str]] = {
    "lm": set(),
    "parser": set(),
    "dae": {"parser"},
    "adapt": set(),
    "cycle": {"lm", "dae", "adapt"},
}


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_nothing_starts_before_what_it_needs(jobs):
    ended: list[str] = []
    lock = threading.Lock()
    most = now = 0

    def run(key):
        nonlocal most, now
        with lock:
            assert NEEDS[key] <= set(ended)
            now += 1
            most = max(most, now)
        with lock:
            ended.append(key)
            now -= 1

    in_order(NEEDS, run, jobs)
    assert sorted(ended) == sorted(NEEDS) and most <= jobs
    if jobs == 1:
        assert ended == list(NEEDS)


def test_what_needs_nothing_of_another_runs_beside_it():
    both = threading.Barrier(2, timeout=30)  # broken unless two wait at once
    in_order({"lm": set(), "parser": set()}, lambda key: both.wait() and None, 2)


def test_a_failure_ends_what_runs_beside_it_and_starts_nothing_more(tmp_path):
    started = []

    def run(key):
        started.append(key)
        if key == "parser":
            while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
                pass
            raise UserError("failed", key)
        child = f"import os, time; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); "
        assert subprocess_runner([sys.executable, "-c", child + "time.sleep(60)"]) < 0

    with pytest.raises(UserError, match=r"^parser: failed"):
        in_order(NEEDS, run, 2)
    assert sorted(started) == ["lm", "parser"] and started[0] == "parser"  # two wait for that
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_both_end_with_the_one_that_started_them():
    child = "import os, time; os.write(1, b'%d\\n' % os.getpid()); time.sleep(60)"
    script = f"""
import sys
from fairseq_twostage.systems.processes import in_order, subprocess_runner
child = [sys.executable, "-c", {child!r}]
in_order({{"a": set(), "b": set()}}, lambda key: subprocess_runner(child), 2)
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    numbers = [int(parent.stdout.readline()) for _ in range(2)]
    parent.send_signal(signal.SIGTERM)
    assert parent.wait(timeout=60) == 128 + signal.SIGTERM
    for number in numbers:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_the_command_ends_with_the_one_that_started_it():
    """SIGTERM to ``twostage train`` ends the training process as well."""
    child = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    script = (
        "import sys; from fairseq_twostage.systems.processes import subprocess_runner; "
        f"subprocess_runner([sys.executable, '-c', {child!r}])"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    number = int(parent.stdout.readline())
    parent.send_signal(signal.SIGTERM)
    assert parent.wait(timeout=60) == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.parametrize("script", [None, "#!/nowhere/python\n", "no program\n"])
def test_a_command_that_is_missing_or_whose_interpreter_is(tmp_path, monkeypatch, script):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    if script is not None:
        (tmp_path / "fairseq-train").write_text(script)
        (tmp_path / "fairseq-train").chmod(0o755)
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(UserError, match=r"^fairseq-train: .*pip install"):
        subprocess_runner(["fairseq-train"])
    assert signal.getsignal(signal.SIGTERM) is before


def test_commands_of_this_environment_are_found():
    probe = "import os, sys; sys.exit(os.environ['PATH'].split(os.pathsep)[0] != sys.argv[1])"
    folder = str(Path(sys.executable).parent)
    assert subprocess_runner([sys.executable, "-c", probe, folder]) == 0
    assert subprocess_runner([sys.executable, "-c", "raise SystemExit(3)"]) == 3
