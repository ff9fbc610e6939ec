"""P_nsp: the naive semantic parser, canonical utterance to logical form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairseq.data import Dictionary
from fairseq.models import FairseqEncoderDecoderModel, register_model
from torch import Tensor

from fairseq_twostage.models.embedding_config import EmbeddingConfig
from fairseq_twostage.models.fairseq_adapters import FairseqBiLSTMEncoder, FairseqLSTMDecoder
from fairseq_twostage.models.initialization import (
    initialize_uniform,
    read_word_vectors,
    word_embedding,
)


@dataclass
class AttentionalLSTMConfig(EmbeddingConfig):
    """Sizes shared by the paraphraser and the naive parser; defaults are the paper's."""

    hidden_dim: int = field(
        default=200, metadata={"help": "LSTM units: each way in the encoder, in the decoder"}
    )
    dropout: float = field(default=0.5, metadata={"help": "dropout between layers"})
    no_attention_bias: bool = field(
        default=False, metadata={"help": "no bias b_a in the attention (as the released code)"}
    )
    bottleneck_dim: int = field(
        default=0,
        metadata={"help": "linear layer of this size before the output; 0: none (released: 100)"},
    )
    no_bottleneck_dropout: bool = field(
        default=False,
        metadata={"help": "no dropout before that layer, only after it (released: both)"},
    )


def build_decoder(
    cfg: AttentionalLSTMConfig,
    words: Dictionary,
    encoder_dim: int,
    vectors: Mapping[str, Tensor] | None = None,
) -> FairseqLSTMDecoder:
    """A decoder of the configured sizes.

    Args:
        cfg: sizes, dropout and details.
        words: that it writes.
        encoder_dim: size of the states that it attends to.
        vectors: that its embeddings start from.
    """
    return FairseqLSTMDecoder(
        words,
        word_embedding(words, cfg.embed_dim, vectors, str(cfg.embedding_start)),
        cfg.hidden_dim,
        encoder_dim,
        cfg.dropout,
        not cfg.no_attention_bias,
        cfg.bottleneck_dim,
        not cfg.no_bottleneck_dropout,
    )


@dataclass
class NaiveParserConfig(AttentionalLSTMConfig):
    """Configuration of :class:`NaiveParser`."""

    freeze_embeddings: bool = field(
        default=False,
        metadata={"help": "keep the word vectors of the source as they are, for words never seen"},
    )


@register_model("naive_parser", dataclass=NaiveParserConfig)
class NaiveParser(FairseqEncoderDecoderModel):
    """The attentional LSTM with parameters of its own; no copy mechanism.

    Its source embedding covers natural words as well, from word vectors: the same model is
    the paper's one-stage baseline "Embed + GloVe".
    """

    open_vocabulary = False

    @classmethod
    def build_model(cls, cfg: NaiveParserConfig, task: Any) -> "NaiveParser":
        vectors = read_word_vectors(cfg.embeddings, task.cfg.data, cfg.embed_dim)
        source, target = task.source_dictionary, task.target_dictionary
        embedding = word_embedding(source, cfg.embed_dim, vectors, str(cfg.embedding_start))
        encoder = FairseqBiLSTMEncoder(source, embedding, cfg.hidden_dim, cfg.dropout)
        # Symbols of logical forms that look like words are none.
        spoken = vectors if task.cfg.target_lang != "lf" else None
        model = cls(encoder, build_decoder(cfg, target, encoder.output_dim, spoken))
        initialize_uniform(model)
        if cfg.freeze_embeddings:
            encoder.embedding.weight.requires_grad_(False)
        return model
