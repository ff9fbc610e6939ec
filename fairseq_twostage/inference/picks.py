"""Which of the beam's logical forms is the answer."""

from __future__ import annotations

PICKS = ("best", "executable", "executable_paraphrase")
# A form that does not execute is never the right answer.
DEFAULT_PICK = "executable_paraphrase"
