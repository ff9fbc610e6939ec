"""The former name of :mod:`fairseq_twostage.inference`; it goes with the next version."""

import warnings
from typing import Any

__all__ = ["TwoStageParser"]


def __getattr__(name: str) -> Any:
    if name == "TwoStageParser":
        warnings.warn(
            "fairseq_twostage.parsing is now fairseq_twostage.inference",
            DeprecationWarning,
            stacklevel=2,
        )
        from fairseq_twostage.inference.parser import TwoStageParser

        return TwoStageParser
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
