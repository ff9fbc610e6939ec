"""The paper's tables: results, the report of them, the runs that make them; in no wheel."""

from __future__ import annotations

import sys
from collections.abc import Callable

from fairseq_twostage.errors import UserError


def in_one_line(main: Callable[[list[str] | None], None]) -> Callable[..., int]:
    """A command that says in one line what is wrong; it returns the exit status."""

    def run(argv: list[str] | None = None) -> int:
        try:
            main(argv)
        except UserError as error:
            spec = sys.modules[main.__module__].__spec__  # of __main__, too
            name = spec.name.rpartition(".")[2] if spec else ""
            print(f"{name}: error: {error}", file=sys.stderr)
            return 1
        return 0

    run.__doc__ = main.__doc__
    return run
