"""The paper's figures, and the order and names in which its systems are shown."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from fairseq_twostage.domains.registry import GEO
from fairseq_twostage.domains.registry import OVERNIGHT_DOMAINS as OVERNIGHT

HERE = Path(__file__).parent
DOMAINS = (*OVERNIGHT, GEO)
# Rows of the ablations that are rows of the main table under another name: never run twice.
ALIASES = {
    "noise_all": "minus_cycle_learning",
    "cycle_dae": "minus_cycle_learning",
    "cycle_bt+drl": "complete",
    "reward_all": "complete",
    "added_5_readings": "words_only",
}


def read_table(name: str) -> pd.DataFrame:
    """A table of this folder, tabs between its columns."""
    return pd.read_csv(HERE / name, sep="\t", quoting=3)


# Cao et al. 2020, Tables 2 to 5: accuracies in percent by domain and, as published, over Overnight.
PAPER = read_table("paper.tsv")
PAPER["measured_as"] = PAPER.system.replace(ALIASES)  # the system that our runs of it are called


def sections(*names: str) -> pd.DataFrame:
    """The rows of some tables, one table after the other."""
    return pd.concat([PAPER[PAPER.section == name] for name in names])


def published(system: str) -> pd.Series | None:
    """The row of a system, if the paper has it."""
    rows = PAPER[PAPER.system == system]
    return None if rows.empty else rows.iloc[0]


def label_of(system: str) -> str:
    """The system's name in print."""
    row = published(system)
    return system if row is None else str(row.label)
