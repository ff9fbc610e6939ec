"""What a form denotes, and how the papers compare it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from fairseq_twostage.semantics.errors import Category
from fairseq_twostage.semantics.values import Value

EMPTY = "(list)"


class Denotation:
    """A :class:`Answer` or a :class:`Failure`."""

    __slots__ = ()

    @property
    def metric_text(self) -> str | None:
        """What the papers compare: the printed value, or ``(list)`` for the two errors that
        count as the empty list; None for every other error."""
        raise NotImplementedError

    @property
    def shown(self) -> str | None:
        """What is shown of it: the same, but computed numbers of an exact world are rounded."""
        return self.metric_text

    @property
    def executable(self) -> bool:
        """Whether the form is valid: it has a value under the metric.

        A printed value that holds the words by which the papers' scripts know an error is
        not valid for them either.
        """
        text = self.metric_text
        return text is not None and "BADJAVA" not in text and "ERROR" not in text


@dataclass(frozen=True)
class Answer(Denotation):
    """A value in print, for example ``(list (name en.meeting.3))``.

    Attributes:
        text: as it is shown.
        in_full: what is compared where that is another text: computed numbers unrounded.
        value: what is printed, if that is known.
        beside: of an answer by a database, asks it for the table that is shown, as rows of values
            and text; None: there is none.
    """

    text: str
    in_full: str | None = field(default=None, repr=False)
    value: Value | None = field(default=None, compare=False, repr=False)
    beside: Callable[[], Sequence[Sequence[Value | str]]] | None = field(
        default=None, compare=False, repr=False
    )

    @property
    def metric_text(self) -> str | None:
        return self.text if self.in_full is None else self.in_full

    @property
    def shown(self) -> str | None:
        return self.text


@dataclass(frozen=True)
class Failure(Denotation):
    """An error as a value.

    Attributes:
        category: one of :data:`fairseq_twostage.semantics.errors.Category`.
        message: what is wrong, in one line.
        place: the index of the blank-separated token of the normalised form that opened the
            part that failed; -1 for the form as a whole.
        counts_as_empty: one of the two errors that the metric reads as ``(list)``.
    """

    category: Category
    message: str
    place: int = -1
    counts_as_empty: bool = False

    @property
    def text(self) -> None:
        """An error prints no value."""
        return None

    @property
    def metric_text(self) -> str | None:
        return EMPTY if self.counts_as_empty else None


def same_denotation(first: Denotation, second: Denotation) -> bool:
    """The papers' comparison: equal print under the metric. An error equals nothing.

    Lists print sorted, so this is equality of multisets. SEMPRE's print rounds numbers, that of
    an exact world does not.
    """
    text = first.metric_text
    return text is not None and text == second.metric_text
