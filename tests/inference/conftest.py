"""The parser that these tests share."""

from tests.ships import ships, ships_folder  # noqa: F401
