"""A trained parser in use: raw text in; canonical utterances, logical forms and answers out.

>>> from fairseq_twostage.inference import TwoStageParser
>>> parser = TwoStageParser.load("parsers/ships")
>>> parser("Which ships are longer than the Aurora?").answer.text
"""

import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser

__all__ = ["TwoStageParser"]

# Importing fairseq logs that a package for speech is missing.
logging.getLogger("fairseq.tasks.text_to_speech").setLevel(logging.WARNING)


def __getattr__(name: str) -> Any:
    if name == "TwoStageParser":  # on demand: it imports torch
        from fairseq_twostage.inference.parser import TwoStageParser

        return TwoStageParser
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
