"""R_flu: does a sample read like an utterance of its side?"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from fairseq.data import Dictionary
from torch import Tensor

from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.models.dual_paraphraser import id_maps
from fairseq_twostage.models.scoring import map_by_length
from fairseq_twostage.models.utterance_lm import UtteranceLM


class Fluency:
    """``(1/|z̃|) log LM(z̃)`` under the frozen language model of the sample's side.

    ``|z̃|`` counts the words and the end of sentence, as the log-probability does.

    Args:
        models: LM_x for ``nl``, LM_z for ``cf``, in evaluation mode.
        dictionaries: what the decoders of both sides write.
    """

    def __init__(
        self, models: Mapping[str, UtteranceLM], dictionaries: Mapping[str, Dictionary]
    ) -> None:
        self.models = models
        self.ids = {
            side: id_maps(dictionaries[side], model.decoder.dictionary)[0]
            for side, model in models.items()
        }

    @torch.no_grad()
    def __call__(self, inputs: Inputs, samples: Samples) -> Tensor:
        """Mean log-probability per word, ``(n,)``, in nats."""
        model = self.models[samples.side]
        tokens = self.ids[samples.side].to(samples.tokens.device)[samples.tokens]
        padding_idx = model.decoder.dictionary.pad()
        totals = map_by_length(lambda _, part: model.sentence_log_probs(part), tokens, padding_idx)
        return totals / tokens.ne(padding_idx).sum(dim=1)
