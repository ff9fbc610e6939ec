"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder with the datasets, worlds and known answers (``TWOSTAGE_DATA``)."""
    folder = os.environ.get("TWOSTAGE_DATA")
    if not folder:
        pytest.skip("needs the data: set TWOSTAGE_DATA")
    return Path(folder).resolve()
