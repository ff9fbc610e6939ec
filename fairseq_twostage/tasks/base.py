"""What the tasks of the plugin have in common."""

import resource
import sys
from collections.abc import Sequence
from typing import Any

from fairseq.data import FairseqDataset, LanguagePairDataset
from fairseq.logging import metrics
from fairseq.tasks import FairseqTask
from torch import Tensor

from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.averaging import keep_averages
from fairseq_twostage.tasks.data_bin import DataBin

DICTIONARIES = "dictionaries"


class DataBinTask(FairseqTask):
    """A task over a data-bin: exact resumption, every row counted, no length limit.

    With fairseq's ``--store-ema`` the moving average of the weights is what is validated, and
    what every checkpoint but ``checkpoint_last.pt`` holds.
    """

    uses_ema = True  # fairseq passes ema_model to the steps

    def __init__(self, cfg: Any) -> None:
        super().__init__(cfg)
        self.data_bin = DataBin(cfg.data)
        self._averages = False  # not validated yet

    @classmethod
    def setup_task(cls, cfg: Any, **_: Any) -> "DataBinTask":
        return cls(cfg)

    def can_reuse_epoch_itr(self, dataset: FairseqDataset) -> bool:
        """No: a reused iterator keeps the batches of the epoch it was made in."""
        return False

    def build_dataset_for_inference(
        self, src_tokens: Sequence[Tensor], src_lengths: Sequence[int], **_: Any
    ) -> FairseqDataset:
        """What ``fairseq-interactive`` reads."""
        return LanguagePairDataset(
            src_tokens,
            src_lengths,
            self.source_dictionary,
            tgt_dict=self.target_dictionary,
            left_pad_source=False,
        )

    def get_batch_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """fairseq's, with every row in a batch.

        With ``--required-batch-size-multiple`` above 1 (its default is 8) fairseq drops the
        last batch unless its size is a multiple of it: rows of training, validation and
        generation would be missing.
        """
        kwargs["required_batch_size_multiple"] = 1
        return super().get_batch_iterator(*args, **kwargs)

    def train_step(
        self,
        sample: dict[str, Any],
        model: Any,
        criterion: Any,
        optimizer: Any,
        update_num: int,
        ignore_grad: bool = False,
        ema_model: Any = None,
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """fairseq's; the average takes no part."""
        step: tuple[Tensor, int, dict[str, Any]] = super().train_step(
            sample, model, criterion, optimizer, update_num, ignore_grad
        )
        return step

    def valid_step(
        self, sample: dict[str, Any], model: Any, criterion: Any, ema_model: Any = None
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """``validate`` of the average if there is one, else of the model."""
        if ema_model is not None:
            self._averages, model = True, ema_model.eval()
        return self.validate(sample, model, criterion)

    def validate(
        self, sample: dict[str, Any], model: Any, criterion: Any
    ) -> tuple[Tensor, int, dict[str, Any]]:
        """The criterion's loss; tasks add what they measure."""
        step: tuple[Tensor, int, dict[str, Any]] = super().valid_step(sample, model, criterion)
        return step

    def state_dict(self) -> dict[str, Any]:
        """fairseq's, saved in every checkpoint, and which word has which id."""
        return {**super().state_dict(), DICTIONARIES: dict(self.data_bin.dictionaries)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """fairseq's, when a model is read for decoding.

        Raises:
            UserError: the model was trained on a data-bin whose words have other ids.
        """
        state = dict(state_dict)
        before, now = state.pop(DICTIONARIES, {}), self.data_bin.dictionaries
        for side in before.keys() & now.keys():
            if before[side] != now[side]:
                raise UserError(
                    "holds other words, or in another order, than where the model was trained: "
                    "take that data-bin, or train again",
                    str(self.data_bin.folder / f"dict.{side}.txt"),
                )
        super().load_state_dict(state)

    def post_save(self, cp_path: str, num_updates: int) -> None:
        if self._averages:
            keep_averages(cp_path)

    def reduce_metrics(self, logging_outputs: list[dict[str, Any]], criterion: Any) -> None:
        """The criterion's, and the largest resident memory of the process so far."""
        super().reduce_metrics(logging_outputs, criterion)
        metrics.log_derived("peak_mb", lambda _: round(peak_megabytes(), 1))

    def max_positions(self) -> None:
        return None


def peak_megabytes() -> float:
    """Largest resident memory of this process so far, in MB (2^20 bytes)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
