"""Label-free metrics that choose checkpoints.

The paper's is ``4 · BLEU(x, x→ẑ→x̂) + agreement on z``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from fairseq.data import Dictionary, data_utils
from sacrebleu.metrics import BLEU
from torch import Tensor

from fairseq_twostage.criterions.back_translation import other_side, translate
from fairseq_twostage.criterions.objective import Mean
from fairseq_twostage.decoding.lean import LengthLimit, sentences
from fairseq_twostage.models.dual_paraphraser import DualParaphraser
from fairseq_twostage.rewards.executability import sentence_keys
from fairseq_twostage.scoring.frequency_match import frequency_match

Parses = Callable[[Tensor], list[str]]
BLEU_WEIGHT = 4.0  # the paper's λ
BATCH = 128


class LabelFreeMetric:
    """Cycle reconstruction on development utterances, greedy in both directions.

    - ``cycle_bleu``: sentence-level BLEU-4 (sacreBLEU, effective order, 0 … 1) of x̂ to x;
    - ``cycle_agreement``: share of z with ``P_nsp(z) = P_nsp(z→x̂→ẑ)``;
    - ``cycle_exact``: share of z with ``z = z→x̂→ẑ`` (the released code's second term).

    Args:
        dictionary: the utterance dictionary.
        parses: greedy P_nsp, or None where there is no parser (then no agreement).
        limit: of the paraphrases' length.
    """

    def __init__(self, dictionary: Dictionary, parses: Parses | None, limit: LengthLimit) -> None:
        self.dictionary = dictionary
        self.parses = parses
        self.limit = limit
        # The text is tokenised already.
        self.bleu = BLEU(tokenize="none", effective_order=True)

    def __call__(self, model: DualParaphraser, batch: Mapping[str, Any]) -> dict[str, Mean]:
        """Sums and counts over a batch; a side that is missing counts zero."""
        natural = batch["nl"]["tokens"] if "nl" in batch else None
        canonical = batch["cf"]["tokens"] if "cf" in batch else None
        logs = {"cycle_bleu": Mean(0.0, 0), "cycle_exact": Mean(0.0, 0)}
        if natural is not None:
            scores = self._sentence_bleu(self._round_trip(model, natural, "nl"), natural)
            logs["cycle_bleu"] = Mean(sum(scores), len(scores))
        if canonical is not None:
            rebuilt = self._round_trip(model, canonical, "cf")
            same = self._same_sentence(canonical, rebuilt)
            logs["cycle_exact"] = Mean(float(sum(same)), len(same))
        if self.parses is not None:
            logs["cycle_agreement"] = Mean(0.0, 0)
            if canonical is not None:
                agree = [a == b for a, b in zip(self.parses(canonical), self.parses(rebuilt))]
                logs["cycle_agreement"] = Mean(float(sum(agree)), len(agree))
        return logs

    def _round_trip(self, model: DualParaphraser, tokens: Tensor, side: str) -> Tensor:
        there = translate(model, tokens, side, self.limit)
        return translate(model, there, other_side(side), self.limit)

    def _same_sentence(self, left: Tensor, right: Tensor) -> list[bool]:
        pad = self.dictionary.pad()
        return [a == b for a, b in zip(sentence_keys(left, pad), sentence_keys(right, pad))]

    def _sentence_bleu(self, hypotheses: Tensor, references: Tensor) -> list[float]:
        return [
            self.bleu.sentence_score(hypothesis, [reference]).score / 100
            for hypothesis, reference in zip(
                sentences(self.dictionary, hypotheses), sentences(self.dictionary, references)
            )
        ]


def label_free(bleu: float, agreement: float) -> float:
    """The paper's metric, λ = 4."""
    return BLEU_WEIGHT * bleu + agreement


def label_free_release(bleu: float, exact: float) -> float:
    """The released code's: mean BLEU and exact match of the rebuilt z, 1 : 1."""
    return bleu + exact


class FrequencyMetric:
    """``label_free_frequency``: how far greedy paraphrases of X are as frequent as Z, 0 … 1.

    Of training utterances, which are many more than those of development, and seen by training
    as they are here: without z or y.

    Args:
        natural: X, utterance ids with end of sentence, each ``(length,)``.
        canonical: Z, likewise, with repetition.
        padding_idx: id of the padding.
        limit: of the paraphrases' length.
    """

    def __init__(
        self,
        natural: Sequence[np.ndarray],
        canonical: Sequence[np.ndarray],
        padding_idx: int,
        limit: LengthLimit,
    ) -> None:
        self.natural = sorted(natural, key=len)
        self.canonical = [tuple(sentence.tolist()) for sentence in canonical]
        self.padding_idx = padding_idx
        self.limit = limit

    def __call__(self, model: DualParaphraser) -> float:
        """Of the model as it is, in evaluation mode."""
        device = next(model.parameters()).device
        written: list[tuple[int, ...]] = []
        for start in range(0, len(self.natural), BATCH):
            rows = [torch.from_numpy(ids) for ids in self.natural[start : start + BATCH]]
            tokens = data_utils.collate_tokens(rows, self.padding_idx).to(device)
            paraphrases = translate(model, tokens, "nl", self.limit)
            written += sentence_keys(paraphrases, self.padding_idx)
        return frequency_match(written, self.canonical)
