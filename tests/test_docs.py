"""Pages: their commands exist, the code of the recipes runs, and the site builds without a warning.

Prose is nobody's contract: no test compares a sentence.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from fairseq_twostage.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *(path for path in sorted((ROOT / "docs").glob("*.md")) if "results" not in path.name),
]
BLOCK = re.compile(r"^( *)```(.*?)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """What stands behind the three marks of each code block, and the block without its indent."""
    for indent, info, code in BLOCK.findall(page.read_text(encoding="utf-8")):
        yield info.strip(), re.sub(f"^{indent}", "", code, flags=re.MULTILINE)


def commands(page: Path) -> list[list[str]]:
    """The words of each ``twostage`` command in a page's shell blocks, its name left out."""
    found = []
    for info, code in blocks(page):
        if info not in ("", "sh", "bash"):
            continue
        for line in code.replace("\\\n", " ").splitlines():
            line = re.split(r"\s#\s| \| | > |; ", line.strip().removeprefix("$ "))[0]
            if match := re.match(r"(?:\w+=\S+ +)*twostage (\w[\w-]*(?: .*)?$)", line):
                # Of --data X [--nbest N] both options are meant, of {a,b} and … nothing.
                found.append(shlex.split(re.sub(r"[\[\]…]", " ", match[1])))
    return found


def parser_of(name: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"twostage {name}", exit_on_error=False)
    importlib.import_module(f"fairseq_twostage.cli.{name.replace('-', '_')}").add_arguments(parser)
    return parser


def test_there_are_commands_to_check():
    assert sum(len(commands(page)) for page in PAGES) > 60


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_of_a_page_exist(page: Path):
    for name, *words in commands(page):
        assert name in COMMANDS, f"no command {name}"
        options = parser_of(name)._option_string_actions
        for word in words[: words.index("--")] if "--" in words else words:
            option = word.split("=")[0]
            assert not option.startswith("--") or option in options, f"twostage {name} {word}"


def test_links_of_the_readme_lead_to_files():
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (ROOT / "README.md").read_text("utf-8"))
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_the_code_of_the_recipes_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    pytest.importorskip("fairseq")
    tests = []
    for info, code in blocks(ROOT / "docs" / "recipes.md"):
        if not (match := re.fullmatch(r'python title="(.+)\.py"', info)):
            continue
        name = match[1].replace("/", ".")
        if importlib.util.find_spec(name) is not None:  # somebody followed the page
            there = (ROOT / f"{match[1]}.py").read_text("utf-8")
            assert there.strip() == code.strip(), f"{match[1]}.py is not what the page shows"
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        exec(compile(code, name, "exec", dont_inherit=True), vars(module))
        tests += [each for key, each in vars(module).items() if key.startswith("test_")]
    assert len(tests) == 4
    for number, test in enumerate(tests):
        folder = tmp_path / str(number)
        folder.mkdir()
        test(**({"tmp_path": folder} if test.__annotations__ else {}))


def test_what_the_recipes_change_is_there():
    code = "\n".join(
        path.read_text("utf-8") for path in sorted((ROOT / "fairseq_twostage").rglob("*.py"))
    )
    changes = [text for info, text in blocks(ROOT / "docs" / "recipes.md") if info == "diff"]
    assert len(changes) == 3
    for text in changes:
        lines = [line for line in text.splitlines() if not line.startswith("+")]
        assert lines and [line for line in lines if f"\n{line[1:]}\n" not in code] == []


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path):
    pytest.importorskip("mkdocs", reason="the site needs the extra 'docs'")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", str(ROOT / "scripts" / "docs.sh"), "--site-dir", str(tmp_path / "site")],
        env={**os.environ, "PATH": path, "TWOSTAGE_VENV": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    outside = re.compile(r'<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?//[^"]+"')
    for page in (tmp_path / "site").rglob("*.html"):
        found = outside.findall(page.read_text(encoding="utf-8"))
        assert not found, f"{page.name} fetches {found[0]}"
