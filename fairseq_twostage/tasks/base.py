"""What the tasks of the plugin have in common."""

import resource
import sys
from typing import Any

from fairseq.data import FairseqDataset
from fairseq.logging import metrics
from fairseq.tasks import FairseqTask

from fairseq_twostage.tasks.data_bin import DataBin


class DataBinTask(FairseqTask):
    """A task over a data-bin: exact resumption, every row counted, no length limit."""

    def __init__(self, cfg: Any) -> None:
        super().__init__(cfg)
        self.data_bin = DataBin(cfg.data)

    @classmethod
    def setup_task(cls, cfg: Any, **_: Any) -> "DataBinTask":
        """fairseq's constructor."""
        return cls(cfg)

    def can_reuse_epoch_itr(self, dataset: FairseqDataset) -> bool:
        """No: a reused iterator keeps the batches of the epoch it was made in."""
        return False

    def get_batch_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """fairseq's, with every row in a batch.

        With ``--required-batch-size-multiple`` above 1 (its default is 8) fairseq drops the
        last batch unless its size is a multiple of it: rows of training, validation and
        generation would be missing.
        """
        kwargs["required_batch_size_multiple"] = 1
        return super().get_batch_iterator(*args, **kwargs)

    def reduce_metrics(self, logging_outputs: list[dict[str, Any]], criterion: Any) -> None:
        """The criterion's, and the largest resident memory of the process so far."""
        super().reduce_metrics(logging_outputs, criterion)
        metrics.log_derived("peak_mb", lambda _: round(peak_megabytes(), 1))

    def max_positions(self) -> None:
        """No limit."""


def peak_megabytes() -> float:
    """Largest resident memory of this process so far, in MB (2^20 bytes)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
