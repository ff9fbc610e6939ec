"""By what a checkpoint was chosen among those of its run."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairseq_twostage.checkpoint_reading import load_state
from fairseq_twostage.errors import UserError

LABEL_FREE = "label_free"  # the paper's; names of others begin with it, as label_free_release
FREQUENCY = "label_free_frequency"  # whether paraphrases of X are as frequent as Z
LAST = "checkpoint_last.pt"  # what training goes on from
ALSO_BEST = "also_best"  # among a checkpoint's extra state: metric and value


@dataclass(frozen=True)
class Choice:
    """By what a checkpoint was chosen among those of its run.

    Attributes:
        metric: name of the quantity; of frequencies over training data, else over development.
        value: at this checkpoint, or None.
        patience: epochs without a better one after which training stopped; 0: none.
        labelled: whether the development data were annotated rows.
        minimized: whether the checkpoint with the least value was chosen, as by a loss.
    """

    metric: str
    value: float | None
    patience: int
    labelled: bool
    minimized: bool

    def is_label_free(self) -> bool:
        """Whether a label-free metric chose, the paper's or another one."""
        return self.metric.startswith(LABEL_FREE)

    def label_free(self) -> float | None:
        """The value of the label-free metric that chose; None if another one did."""
        return self.value if self.is_label_free() else None

    def describe(self) -> dict[str, Any]:
        """For the results."""
        return {"metric": self.metric, "patience": self.patience, "labelled": self.labelled}


def check_metrics(metrics: Container[str | None], frequent_as_meant: bool, where: str) -> None:
    """Refuse a metric that compares with frequencies that mean nothing.

    Args:
        metrics: that choose checkpoints.
        frequent_as_meant: of the data-bin's manifest.
        where: what asks for them.

    Raises:
        UserError: the metric of frequencies is among them, and Z was generated.
    """
    if FREQUENCY in metrics and not frequent_as_meant:
        raise UserError(
            f"{FREQUENCY} needs a Z as frequent as X means it, but here it was generated; "
            "choose label_free",
            where,
        )


def best_checkpoint(metric: str | None = None) -> str:
    """Name of the file chosen by ``--best-checkpoint-metric``, or by a second metric."""
    return "checkpoint_best.pt" if metric is None else f"checkpoint_best_{metric}.pt"


def read_choice(checkpoint: str) -> Choice:
    """What a checkpoint and its name tell of its choice.

    One named after a second metric was chosen by that, not by ``--best-checkpoint-metric``.
    """
    state = load_state(checkpoint)
    options, extra = state["cfg"]["checkpoint"], state["extra_state"]
    metric, value = options["best_checkpoint_metric"], extra.get("val_loss")
    minimized = not options["maximize_best_checkpoint_metric"]
    for other, its_value in extra.get(ALSO_BEST, {}).items():
        if Path(checkpoint).name == best_checkpoint(other):
            metric, value, minimized = other, its_value, False
    return Choice(
        metric=metric,
        value=None if value is None else float(value),
        patience=max(0, options["patience"]),
        labelled=bool(state["cfg"]["task"].get("supervised", False)),
        minimized=minimized,
    )
