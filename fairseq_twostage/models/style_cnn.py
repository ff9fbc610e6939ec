"""P_dis: the sentence CNN that tells canonical from natural utterances (Kim 2014)."""

from dataclasses import dataclass, field
from typing import Any

import torch
from fairseq.data import Dictionary
from fairseq.models import BaseFairseqModel, register_model
from torch import Tensor, nn

from fairseq_twostage.models.dropout import Dropout
from fairseq_twostage.models.embedding_config import EmbeddingConfig
from fairseq_twostage.models.initialization import (
    initialize_uniform,
    read_word_vectors,
    word_embedding,
)

WIDTHS = (3, 4, 5)
FEATURE_MAPS = (10, 20, 30)


@dataclass
class StyleCNNConfig(EmbeddingConfig):
    """Configuration of :class:`StyleCNN`; defaults are the paper's."""

    dropout: float = field(default=0.5, metadata={"help": "dropout before the output layer"})


@register_model("style_cnn", dataclass=StyleCNNConfig)
class StyleCNN(BaseFairseqModel):
    """Filters of widths 3, 4, 5 with 10, 20, 30 maps, ReLU, max over time, one logit.

    Windows that hang over a sentence's end see zero vectors; windows that lie wholly in
    the padding are left out, so the result does not depend on the rest of the batch.
    """

    def __init__(self, dictionary: Dictionary, embedding: nn.Embedding, dropout: float) -> None:
        super().__init__()
        self.padding_idx = dictionary.pad()
        self.embedding = embedding
        self.convolutions = nn.ModuleList(
            nn.Conv1d(embedding.embedding_dim, maps, width, padding=width - 1)
            for width, maps in zip(WIDTHS, FEATURE_MAPS)
        )
        self.dropout = Dropout(dropout)
        self.output = nn.Linear(sum(FEATURE_MAPS), 1)

    @classmethod
    def build_model(cls, cfg: StyleCNNConfig, task: Any) -> "StyleCNN":
        vectors = read_word_vectors(cfg.embeddings, task.cfg.data, cfg.embed_dim)
        words = task.source_dictionary
        embedding = word_embedding(words, cfg.embed_dim, vectors, str(cfg.embedding_start))
        model = cls(words, embedding, cfg.dropout)
        initialize_uniform(model)
        return model

    def forward(self, src_tokens: Tensor, src_lengths: Tensor | None = None) -> Tensor:
        """The logit of "canonical" of each sentence.

        Args:
            src_tokens: utterance ids, padded on the right, ``(batch, length)``.
            src_lengths: not needed; the padding tells the lengths.

        Returns:
            ``(batch,)``.
        """
        padding = src_tokens.eq(self.padding_idx)
        embedded = self.embedding(src_tokens).masked_fill(padding.unsqueeze(-1), 0.0)
        pooled = []
        for width, convolution in zip(WIDTHS, self.convolutions):
            maps = torch.relu(convolution(embedded.transpose(1, 2)))
            # Window t covers words t-width+1 … t: it is inside as long as its first word is.
            beyond = nn.functional.pad(padding, (width - 1, 0), value=False)
            maps = maps.masked_fill(beyond.unsqueeze(1), 0.0)
            pooled.append(maps.amax(dim=2))
        return self.output(self.dropout(torch.cat(pooled, dim=1))).squeeze(1)

    def probability_canonical(self, src_tokens: Tensor) -> Tensor:
        """``P_dis``: the probability that each sentence is canonical, ``(batch,)``."""
        return torch.sigmoid(self(src_tokens))
