"""The package as it is installed: metadata, light imports, and the pins said twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

import fairseq_twostage

ROOT = Path(fairseq_twostage.__file__).parents[1]
# lint-imports has the rooms, module by module; these are what other commands begin with.
PLAIN = [
    *("", ".errors", ".files", ".semantics", ".grammar", ".domains", ".noise.channels"),
    *(".databin.folder", ".databin.prepare", ".cli.main", ".cli.prepare"),
]
IN_TREE = pytest.mark.skipif(
    not (ROOT / "setup.py").exists(), reason="needs the source tree, not an installed copy"
)


def test_plain_modules_import_without_torch_or_fairseq() -> None:
    # None in sys.modules makes an import fail, as if the package were not installed.
    script = "import sys\nsys.modules['torch'] = sys.modules['fairseq'] = None\n"
    script += "".join(f"import fairseq_twostage{module}\n" for module in PLAIN)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_metadata() -> None:
    try:
        installed = distribution("fairseq-twostage")
    except PackageNotFoundError:
        pytest.skip("fairseq-twostage is not installed")
    assert installed.version == fairseq_twostage.__version__
    assert installed.metadata["Requires-Python"] == ">=3.10"
    required = [line for line in installed.requires or [] if "extra ==" not in line]
    assert required == ["numpy", "tqdm", "pydantic>=2.6"]
    extras = set(installed.metadata.get_all("Provides-Extra") or [])
    assert {"fairseq", "train", "dev", "repro"} <= extras
    (command,) = installed.entry_points.select(group="console_scripts", name="twostage")
    assert command.value == "fairseq_twostage.cli.main:main"


@IN_TREE
def test_fairseq_has_the_same_pin_in_both_places() -> None:
    pattern = re.compile(r'^FAIRSEQ ?= ?"(.+)"$', re.MULTILINE)
    pins = [
        pattern.search((ROOT / name).read_text(encoding="utf-8"))
        for name in ("setup.py", "scripts/setup.sh")
    ]
    assert pins[0] and pins[1]
    assert pins[0].group(1) == pins[1].group(1)


@IN_TREE
def test_every_room_is_packaged() -> None:
    done = subprocess.run(
        [sys.executable, "setup.py", "--quiet", "--name", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["fairseq-twostage", fairseq_twostage.__version__]
    package = ROOT / "fairseq_twostage"
    for folder, _, files in os.walk(package):
        if any(name.endswith(".py") for name in files):
            assert "__init__.py" in files, f"{folder} would be left out of the package"


@IN_TREE
def test_what_is_not_python_is_packaged_and_found_outside_the_clone(tmp_path: Path) -> None:
    built = tmp_path / "site"
    words = [sys.executable, "setup.py", "--quiet", "build", "--build-base", str(tmp_path / "b")]
    subprocess.run([*words, "--build-lib", str(built)], cwd=ROOT, check=True, capture_output=True)
    package = ROOT / "fairseq_twostage"
    for folder in ("configs", "examples", "skeleton"):
        files = {path.relative_to(package) for path in (package / folder).rglob("*.*")}
        files = {path for path in files if "__pycache__" not in path.parts}
        there = {path for path in files if (built / "fairseq_twostage" / path).is_file()}
        assert files == there and files
    command = [sys.executable, "-m", "fairseq_twostage.cli.main"]
    for words, said in (
        (["canonical", "--domain", "cinema"], "director of _film_\t"),
        (["init", "mine"], "mine: README.md, "),
        (["train", "--config", "recommended", "--domain", "mine", "--dry-run"], "data-bin/"),
        (["train", "--config", "noise_add", "--domain", "mine", "--dry-run"], "ablations are "),
    ):
        done = subprocess.run(
            [*command, *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(built)},
            capture_output=True,
            text=True,
        )
        assert said in done.stdout + done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def setup_fails_with(folder: Path, **environment: str) -> str:
    """The one line that scripts/setup.sh writes to standard error."""
    done = subprocess.run(
        ["bash", str(ROOT / "scripts" / "setup.sh")],
        env={**os.environ, "TWOSTAGE_VENV": str(folder / "venv"), **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("setup: error: ")
    return line


def stand_in(path: Path, body: str) -> str:
    """An executable shell script in place of a Python interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@IN_TREE
def test_setup_without_a_new_enough_python(tmp_path: Path) -> None:
    assert "no interpreter no-such-python" in setup_fails_with(tmp_path, PYTHON="no-such-python")
    old = stand_in(tmp_path / "old", '[ "$1" = -V ] && echo Python 3.9.18\nexit 1')
    line = setup_fails_with(tmp_path, PYTHON=old)
    assert "Python 3.9.18" in line
    assert "3.10 or newer is needed" in line


@IN_TREE
def test_setup_without_the_venv_module(tmp_path: Path) -> None:
    bare = stand_in(tmp_path / "bare", 'case "$2" in *ensurepip*) exit 1 ;; esac')
    assert "has no venv module" in setup_fails_with(tmp_path, PYTHON=bare)
    assert not (tmp_path / "venv").exists()


@IN_TREE
def test_setup_without_a_compiler_or_headers(tmp_path: Path) -> None:
    stand_in(
        tmp_path / "venv" / "bin" / "python",
        'case "$*" in\n'
        '"-m pip show"*) exit 1 ;;\n'
        f'-) printf \'%s\\n\' "${{CC:-sh}}" "${{CXX:-sh}}" {tmp_path}/include ;;\n'
        "esac",
    )
    assert "no C++ compiler (no-g++)" in setup_fails_with(tmp_path, CXX="no-g++")
    assert "no C++ compiler (no-gcc)" in setup_fails_with(tmp_path, CC="no-gcc")
    assert f"no Python headers ({tmp_path}/include/Python.h)" in setup_fails_with(tmp_path)
