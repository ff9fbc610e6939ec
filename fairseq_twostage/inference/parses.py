"""What a parser gives: an utterance as it was understood, and how that came about."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairseq_twostage.inference.answer import Table
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.tree import Node
from fairseq_twostage.inference.trust import Verdict
from fairseq_twostage.semantics import Denotation
from fairseq_twostage.text.utterance import Utterance


@dataclass(frozen=True)
class Parse:
    """An utterance and how it was understood, the chosen reading first.

    Attributes:
        utterance: as typed, and what the models read of it.
        readings: at least one.
        verdict: whether to believe the chosen one; of nothing where the parser has no judgement.
    """

    utterance: Utterance
    readings: tuple[Reading, ...]
    verdict: Verdict = field(default_factory=Verdict)

    @property
    def canonical(self) -> str:
        """ẑ of the chosen reading."""
        return self.readings[0].canonical

    @property
    def logical_form(self) -> str:
        """ŷ of the chosen reading."""
        return self.readings[0].logical_form

    @property
    def answer(self) -> Denotation:
        """The answer of the chosen reading."""
        return self.readings[0].answer


@dataclass(frozen=True)
class Explanation:
    """How a reading came about.

    Attributes:
        source: tokens of the utterance as the encoder read them, phrases for placeholders.
        target: tokens of ẑ, likewise.
        attention: for each word of ``target`` the weights over ``source``.
        tree: the logical form, each call with its value.
        table: the answer.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    attention: tuple[tuple[float, ...], ...]
    tree: Node
    table: Table
