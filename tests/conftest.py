"""Fixtures and rules shared by all tests.

Tests that read the datasets find them through ``TWOSTAGE_DATA`` and are skipped without it, those
of the page without a browser. With ``TWOSTAGE_REQUIRE_ALL=1`` such a skip is a failure, so that a
full check cannot pass for want of either.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from fairseq_twostage.errors import UserError

INTEGRATION = Path(__file__).parent / "integration"
NEEDS = ("data", "browser", "postgresql")  # markers of what a test cannot do without

# The same examples on every run, and no verdict that depends on how busy the machine is.
hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the datasets, worlds and known answers (``TWOSTAGE_DATA``)."""
    folder = os.environ.get("TWOSTAGE_DATA")
    if not folder:
        pytest.skip("needs the data: set TWOSTAGE_DATA")
    if not Path(folder).is_dir():
        pytest.fail(f"TWOSTAGE_DATA={folder} is no folder", pytrace=False)
    return Path(folder).resolve()


# The plain rooms are tested without torch: what needs it is imported when a test asks for it.


@pytest.fixture
def words() -> Any:
    """Four small dictionaries by side, as builders.dictionaries makes them."""
    from tests.builders import dictionaries

    return dictionaries()


@pytest.fixture(scope="session")
def data_bin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five training and three development rows of geo, prepared; only to be read."""
    from tests.builders import write_data_bin

    return write_data_bin(tmp_path_factory.mktemp("data-bin"))


@pytest.fixture(scope="session")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Runs the real commands in forks of a process that has imported PyTorch and fairseq."""
    from tests.integration.commands import Forks

    server = Forks(tmp_path_factory.mktemp("forks"))
    yield server
    server.close()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the workers of one parallel test run have in common."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def untrained_shelter(forks: Any, shared: Path) -> Path:
    """The exported ``untrained`` parser of the domain that ``twostage init`` makes."""
    from tests.integration.commands import once

    folder = shared / "shelter"

    def build() -> None:
        folder.mkdir()
        forks("twostage", "init", "shelter", folder=folder).ok()
        forks("twostage", "build", "shelter", "--config", "untrained", folder=folder).ok()

    return once(folder, build) / "runs" / "shelter.grammar.1" / "exported"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the binarized sentences that tasks open."""
    from fairseq_twostage.tasks.data_bin import DataBin

    names: list[str] = []
    indexed = DataBin.indexed

    def noted(self: Any, name: str, words: Any) -> Any:
        names.append(name)
        return indexed(self, name, words)

    monkeypatch.setattr(DataBin, "indexed", noted)
    return names


@pytest.fixture
def loaded(data_bin: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loads one of these models by a function: whether it is that one, or the error."""
    from fairseq_twostage.inference import checkpoints
    from fairseq_twostage.tasks.data_bin import DataBin
    from tests.builders import naive_parser, paraphraser, style_cnn

    folder = DataBin(str(data_bin))
    by_side = {side: folder.dictionary(side) for side in ("utterance", "nl", "cf", "lf")}
    source = by_side["utterance"]
    models = {
        "both directions": paraphraser(dictionary_by_side=by_side),
        "x to z": naive_parser(source=source, target=by_side["cf"], target_lang="cf"),
        "z to y": naive_parser(source=source, target=by_side["lf"]),
        "style": style_cnn(source),
    }
    monkeypatch.setattr(checkpoints, "load_frozen", lambda path, *_: models[path])

    def load(function: Any, name: str) -> bool | str:
        try:
            return bool(function(name, str(data_bin)) is models[name])
        except UserError as error:
            return str(error)

    return load


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "data_dir" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)
        if "postgresql" in getattr(getattr(item, "callspec", None), "params", {}).values():
            item.add_marker(pytest.mark.postgresql)
        if INTEGRATION in item.path.parents:
            item.add_marker(pytest.mark.integration)
    # They take longest: what is given to the workers last leaves one of them idle. The first two
    # of them share no fixture for which one would wait.
    items.sort(
        key=lambda item: (
            INTEGRATION not in item.path.parents,
            item.path.name != "test_one_path.py",
        )
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if any(item.get_closest_marker(name) for name in NEEDS):
        fail_if_all_is_required(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if "TWOSTAGE_DATA" in str(report.longrepr):  # a whole module skipped for want of data
        fail_if_all_is_required(report)
    return report


def fail_if_all_is_required(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    if os.environ.get("TWOSTAGE_REQUIRE_ALL", "0") not in ("", "0"):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, though TWOSTAGE_REQUIRE_ALL is set: {reason}"
