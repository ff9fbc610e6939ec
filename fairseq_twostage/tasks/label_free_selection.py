"""The label-free metrics of a training: computed in validation, logged, and there in time."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import torch
from fairseq.data import Dictionary
from fairseq.logging import metrics

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.dual_paraphraser import SIDES, DualParaphraser
from fairseq_twostage.scoring.label_free import (
    FrequencyMetric,
    LabelFreeMetric,
    label_free,
    label_free_release,
)
from fairseq_twostage.selection import FREQUENCY, check_metrics
from fairseq_twostage.tasks.auxiliaries import Auxiliaries
from fairseq_twostage.tasks.data_bin import DataBin

# Name of a metric: what it is made of, and how.
LOGGED = {
    "label_free": ("cycle_bleu", "cycle_agreement", label_free),
    "label_free_release": ("cycle_bleu", "cycle_exact", label_free_release),
}


class LabelFreeSelection:
    """The metrics that may choose a checkpoint.

    Args:
        chosen_by: names of those that do.
        data_bin: whose utterances are compared by their frequencies.
        words: the utterance dictionary.
        auxiliaries: with the naive parser, or without: then there is no agreement.
    """

    def __init__(
        self,
        chosen_by: Sequence[str | None],
        data_bin: DataBin,
        words: Dictionary,
        auxiliaries: Auxiliaries,
    ) -> None:
        self.chosen_by = chosen_by
        self.data_bin = data_bin
        self.words = words
        self.auxiliaries = auxiliaries
        self.frequency_is_due = False

    @cached_property
    def cycle(self) -> LabelFreeMetric:
        """The metric of round trips."""
        parses = self.auxiliaries.parses() if self.auxiliaries.has_parser() else None
        return LabelFreeMetric(self.words, parses, LengthLimit())

    @cached_property
    def frequency(self) -> FrequencyMetric:
        """The metric that compares frequencies."""
        natural, canonical = (
            self.data_bin.sentences(f"train.{side}", self.words) for side in SIDES
        )
        return FrequencyMetric(natural, canonical, self.words.pad(), LengthLimit())

    def check(self) -> None:
        """Fail before training, not at the end of its first epoch.

        Raises:
            UserError: a metric that chooses cannot be computed.
        """
        if self.chosen_by[0] == "label_free" and not self.auxiliaries.has_parser():
            raise UserError(
                "label_free needs the naive parser: give --parser", "--best-checkpoint-metric"
            )
        check_metrics(
            self.chosen_by,
            self.data_bin.manifest.frequent_as_meant,
            "--best-checkpoint-metric, --also-best",
        )
        _ = self.cycle

    def begin_validation(self) -> None:
        """Frequencies are compared once in a validation, if they choose."""
        self.frequency_is_due = FREQUENCY in self.chosen_by

    @torch.no_grad()
    def measure(self, model: DualParaphraser, sample: Mapping[str, Any]) -> dict[str, float]:
        """Sums and counts of a batch, as fairseq gathers them."""
        logs: dict[str, float] = {}
        for name, mean in self.cycle(model, sample).items():
            logs[f"sum/{name}"], logs[f"count/{name}"] = mean.total, mean.count
        if self.frequency_is_due:  # fairseq tells a task the averaged model with a batch alone
            self.frequency_is_due = False
            logs[f"sum/{FREQUENCY}"], logs[f"count/{FREQUENCY}"] = self.frequency(model), 1
        return logs


def log_label_free(logging_outputs: Sequence[Mapping[str, Any]]) -> None:
    """Log the metrics of which every part was measured.

    fairseq also asks batch by batch, and the last batches of the longer side have no row of the
    other: such a batch alone has no metric.
    """
    counted = {
        key.removeprefix("count/")
        for output in logging_outputs
        for key, count in output.items()
        if key.startswith("count/") and count
    }
    for name, (first, second, combine) in LOGGED.items():
        if {first, second} <= counted:
            metrics.log_derived(name, partial(_of_means, first, second, combine))


def _of_means(
    first: str, second: str, combine: Callable[[float, float], float], meters: Mapping[str, Any]
) -> float:
    return combine(meters[first].avg, meters[second].avg)
