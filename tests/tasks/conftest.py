"""One made-up data-bin for all tests of the tasks."""

import pytest

from tests.builders import write_data_bin


@pytest.fixture(scope="session")
def data_bin(tmp_path_factory):
    """Five training and three development rows of geo, prepared; only to be read."""
    return write_data_bin(tmp_path_factory.mktemp("data-bin"))
