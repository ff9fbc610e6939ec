"""Which of an utterance's readings is the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from fairseq_twostage.inference.candidates import names_in
from fairseq_twostage.inference.pipeline import BEST, EXECUTABLE_PARAPHRASE
from fairseq_twostage.semantics import Denotation

NAMES_OUT, NO_VALUE, OTHER_NAMES = 10, 11, 12


@dataclass(frozen=True)
class Reading:
    """One way to understand an utterance.

    Attributes:
        canonical: the canonical utterance, with placeholders, that means ``logical_form``.
        logical_form: ŷ, with placeholders.
        answer: what ŷ denotes; a failure is a value, too.
        canonical_score: ``log P(ẑ | x)`` per token; without a paraphraser the similarity's score.
        logical_form_score: ``log P(ŷ | ẑ)`` per token; 0 where the domain's pairs say it.
        paraphrase: ẑ as it was found, which may have been read as another form than its own.
    """

    canonical: str
    logical_form: str
    answer: Denotation
    canonical_score: float
    logical_form_score: float
    paraphrase: str = ""


def rank(
    reading: Reading,
    variables: Mapping[str, str],
    objections: Callable[[Reading], int] = lambda reading: 0,
) -> int:
    """How a reading stands to its utterance, the best 0.

    0: it has a value and uses every name. Below :data:`NAMES_OUT`: so it is, with so many
    ``objections``. :data:`NAMES_OUT`: it has a value and leaves names out. :data:`NO_VALUE`: it has
    none. :data:`OTHER_NAMES`: it has a placeholder that the utterance does not have.
    """
    names = names_in(reading.logical_form)
    if not names <= variables.keys():
        return OTHER_NAMES
    if not reading.answer.executable:
        return NO_VALUE
    if names != variables.keys():
        return NAMES_OUT
    return min(objections(reading), NAMES_OUT - 1)


class Choice:
    """Collects readings of one utterance until what was asked for is there.

    Args:
        pick: ``best``: the best ŷ of the best ẑ. ``executable``: the first that executes of the
            best ẑ's ŷ. ``executable_paraphrase``: the first ẑ, ŷ that executes and uses every name
            of the utterance and is not objected to; else the best by :func:`rank`, then by order.
        variables: the utterance's names.
        n_best: readings wanted, of different logical forms.
        objections: how much speaks against a reading as an answer to what was asked.
    """

    def __init__(
        self,
        pick: str,
        variables: Mapping[str, str],
        n_best: int,
        objections: Callable[[Reading], int] = lambda reading: 0,
    ) -> None:
        self.pick = pick
        self.variables = variables
        self.n_best = n_best
        self.objections = objections
        self._readings: dict[str, tuple[int, Reading]] = {}

    @property
    def done(self) -> bool:
        """Whether further candidates would change nothing."""
        found = self._readings.values()
        wanted = sum(self.pick != EXECUTABLE_PARAPHRASE or stands == 0 for stands, _ in found)
        return wanted >= self.n_best

    def add(self, readings: Iterator[Reading]) -> None:
        """The readings of one ẑ, best ŷ first; evaluated as far as it takes."""
        chosen: tuple[int, Reading] | None = None
        for reading in readings:
            stands = self._stands(reading)
            if chosen is None or stands < chosen[0]:
                chosen = stands, reading
            if stands == 0:
                break
        if chosen is not None:
            form = chosen[1].logical_form
            known = self._readings.get(form)
            if known is None or chosen[0] < known[0]:  # said so that less speaks against it
                self._readings[form] = chosen

    def _stands(self, reading: Reading) -> int:
        """How a reading stands to others of its ẑ; none is better than 0."""
        if self.pick == EXECUTABLE_PARAPHRASE:
            return rank(reading, self.variables, self.objections)
        return int(self.pick != BEST and not reading.answer.executable)

    @property
    def readings(self) -> tuple[Reading, ...]:
        """At most ``n_best``, the chosen one first."""
        found = list(self._readings.values())
        if self.pick == EXECUTABLE_PARAPHRASE:
            found.sort(key=lambda both: both[0])
        return tuple(reading for _, reading in found[: self.n_best])
