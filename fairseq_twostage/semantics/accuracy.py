"""Denotation accuracy: the score of the field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairseq_twostage.semantics.denotation import Denotation, Failure, same_denotation
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.executor import execute, first_executable
from fairseq_twostage.semantics.foreign import QueriedWorld
from fairseq_twostage.semantics.gold_rows import has_columns, is_gold
from fairseq_twostage.semantics.world import World

NO_PREDICTION = Failure("parse", "no prediction")


class DenotationAccuracy:
    """Counts of right and executable predictions.

    Attributes:
        total, correct, executable: rows seen, right, with an executable prediction.
        references_without_value: rows whose gold form fails; they are never right.
        correct_rows: the indices of the right rows.
    """

    def __init__(self) -> None:
        self.total = 0
        self.executable = 0
        self.references_without_value = 0
        self.correct_rows: list[int] = []

    @property
    def correct(self) -> int:
        """How many rows are right."""
        return len(self.correct_rows)

    @property
    def percent(self) -> float:
        """Right rows in percent; 0 when there are none."""
        return 100 * self.correct / self.total if self.total else 0.0

    def add(
        self,
        predictions: str | Sequence[str],
        reference: str,
        world: World,
        variables: Mapping[str, str] | None = None,
        predicted_variables: Mapping[str, str] | None = None,
    ) -> bool:
        """Count one row; returns whether it is right.

        Args:
            predictions: a form, or an n-best list, of which the first executable form (else
                the first) is taken; an empty list is wrong.
            reference: the gold form.
            world: where both run.
            variables: values of the placeholders in both.
            predicted_variables: those in the predictions, if they are others.
        """
        own = variables if predicted_variables is None else predicted_variables
        nbest = [predictions] if isinstance(predictions, str) else predictions
        rank = first_executable(nbest, world, own) or 0
        predicted = execute(nbest[rank], world, own) if nbest else NO_PREDICTION
        right = is_right(predicted, reference, world, variables)
        if right:
            self.correct_rows.append(self.total)
        self.total += 1
        self.executable += predicted.executable
        if not is_gold(reference):
            gold = execute(reference, world, variables)
            self.references_without_value += gold.metric_text is None
        return right

    def summary(self) -> dict[str, float | int | list[int]]:
        """All counts, as they go into a JSON file."""
        return {
            "accuracy": self.percent,
            "correct": self.correct,
            "total": self.total,
            "executable": self.executable,
            "references_without_value": self.references_without_value,
            "correct_rows": self.correct_rows,
        }

    def __str__(self) -> str:
        line = f"denotation accuracy {self.percent:.1f} % ({self.correct} of {self.total})"
        line += f", executable {self.executable}"
        if self.references_without_value:
            line += f", gold forms without a value {self.references_without_value}"
        return line


def is_right(
    answer: Denotation, gold: str, world: World, variables: Mapping[str, str] | None = None
) -> bool:
    """Whether an answer is that of a gold form, or, in a database, that of a gold query or rows.

    A gold query that does not run has no answer.
    """
    if not isinstance(world, QueriedWorld) or not is_gold(gold):
        return same_denotation(answer, execute(gold, world, variables))
    try:
        wanted = world.gold_rows(gold)
        if world.answer_rows(answer) == wanted:
            return True
        several = any(len(row) > 1 for row in wanted)
        return several and has_columns(world.shown_rows(answer), wanted)
    except ExecutionError:
        return False


def answered(gold: str, world: World) -> bool:
    """Whether a row counts: a gold query that does not run or finds nothing tells nothing."""
    if not isinstance(world, QueriedWorld) or not is_gold(gold):
        return True
    try:
        return bool(world.gold_rows(gold))
    except ExecutionError:
        return False
