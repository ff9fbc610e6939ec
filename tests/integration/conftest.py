"""Data-bins and short-trained stages that all these tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.systems.record import by_hand
from tests.integration.commands import (
    LABEL_FREE,
    LANGUAGE_MODEL,
    PARAPHRASE,
    PARSER,
    ROOT,
    STYLE,
    TRAINING,
    Forks,
    Stages,
    first_rows,
    once,
)

HERE = Path(__file__).parent
QUICK = "test_own_domain.py"  # one short way from a domain to its score


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE) and item.path.name != QUICK:
            item.add_marker(pytest.mark.slow)


def prepared(domain: str, forks: Forks, data_dir: Path, shared: Path) -> Path:
    dest = shared / domain

    def prepare() -> None:
        forks("twostage", "prepare", "--domain", domain, "--raw", data_dir, "--dest", dest).ok()

    return once(dest, prepare)


@pytest.fixture(scope="session")
def calendar(forks: Forks, data_dir: Path, shared: Path) -> Path:
    """Half of it: 268 and 67 utterances to train and to develop with."""
    raw = shared / "half"
    once(raw, lambda: first_rows(data_dir, raw, train=335, test=168))
    return prepared("calendar", forks, raw, shared)


@pytest.fixture(scope="session")
def cinema(forks: Forks, shared: Path) -> Path:
    """The example's data-bin."""
    example = ROOT / "examples" / "cinema"
    dest = shared / "cinema"
    return once(
        dest, lambda: forks("twostage", "prepare", "--domain", example, "--dest", dest).ok()
    )


@pytest.fixture(scope="session")
def untrained_cinema(cinema: Path, forks: Forks, shared: Path) -> Path:
    """The run folder of ``untrained``; its parser is ``exported`` within."""
    run = shared / "untrained" / "cinema.grammar.1"

    def build() -> None:
        where = ("--config", "untrained", "--data", cinema, "--runs", run.parent)
        forks("twostage", "train", *where).ok()
        export = ("--run", run, "--system", "untrained", "--output", run / "exported")
        forks("twostage", "export", *export).ok()

    run.parent.mkdir(exist_ok=True)
    return once(run, build)


@pytest.fixture(scope="session")
def geo(forks: Forks, data_dir: Path, shared: Path) -> Path:
    return prepared("geo", forks, data_dir, shared)


@pytest.fixture(scope="session")
def stages(calendar: Path, forks: Forks, shared: Path) -> Stages:
    """Every stage of calendar, one to six epochs, as scripts/train_domain.sh trains them."""
    stages = Stages(calendar, shared / "run")

    def train(stage: str, *options: object, data: Path = calendar) -> None:
        log = stages.run / stage / "train.log"
        log.parent.mkdir(parents=True)
        forks(
            *("fairseq-train", data, *TRAINING, "--save-dir", log.parent),
            *("--log-file", log, *options),
        ).ok()

    def train_all() -> None:
        for side in ("lm.nl", "lm.cf"):
            train(side, *LANGUAGE_MODEL, "--max-epoch", 1, data=calendar / side)
        train("style", *STYLE, "--max-epoch", 1)
        # So high a rate is for a test's hurry alone: some forms must come out right.
        train("parser", *PARSER, "--lr", 0.006, "--max-epoch", 6, "--validate-interval", 6)
        dae = ("--criterion", "denoising", "--parser", stages.checkpoint("parser"))
        train("dae", *PARAPHRASE, *dae, *LABEL_FREE, "--max-epoch", 6)
        train("cycle", *PARAPHRASE, *stages.cycle(), *LABEL_FREE, "--max-epoch", 1)
        best = {name: f"{name}/checkpoint_best.pt" for name in ("cycle", "parser")}
        pipeline = Pipeline([best["cycle"]], best["parser"], pick="executable_paraphrase")
        by_hand(calendar, pipeline, "momentary", stages=["parser", "dae", "cycle"]).write(
            stages.run
        )

    once(stages.run, train_all)
    return stages
