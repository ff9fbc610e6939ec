"""Plain encoder-decoders: what an exported parser consists of, rebuilt from sizes and weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from torch import Tensor, nn

from fairseq_twostage.errors import UserError
from fairseq_twostage.models.initialization import word_embedding
from fairseq_twostage.models.lstm_decoder import AttentionalLSTMDecoder
from fairseq_twostage.models.lstm_encoder import BiLSTMEncoder
from fairseq_twostage.models.vocabulary import Words


class Sizes(NamedTuple):
    """Everything but the words that decides the shape of an encoder-decoder."""

    embed_dim: int
    hidden_dim: int
    attention_bias: bool
    bottleneck_dim: int

    @classmethod
    def of(cls, encoder: Any, decoder: Any) -> Sizes:
        """The sizes of a trained model.

        Raises:
            UserError: it is of another kind.
        """
        of_kind = isinstance(encoder, BiLSTMEncoder), isinstance(decoder, AttentionalLSTMDecoder)
        if not all(of_kind):
            kinds = f"{type(encoder).__name__} and {type(decoder).__name__}"
            raise UserError(f"only the attentional LSTM can be exported, not {kinds}")
        if not isinstance(encoder.embedding, nn.Embedding):  # its encoder is in no weights
            kind = type(encoder.embedding).__name__
            raise UserError(f"only a parser with word embeddings can be exported, not {kind}")
        bottleneck = 0 if decoder.bottleneck is None else decoder.bottleneck.out_features
        bias = decoder.attention.project_query.bias is not None
        return cls(encoder.embedding.embedding_dim, decoder.hidden_dim, bias, bottleneck)


class EncoderDecoder(nn.Module):
    """An encoder and the decoder that attends to it."""

    def __init__(self, encoder: BiLSTMEncoder, decoder: AttentionalLSTMDecoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder


def build_model(
    source: Words, target: Words, sizes: Sizes, weights: Mapping[str, Tensor]
) -> EncoderDecoder:
    """The encoder-decoder with the given weights, in evaluation mode.

    Raises:
        RuntimeError: the weights do not fit.
    """
    dim, hidden = sizes.embed_dim, sizes.hidden_dim
    encoder = BiLSTMEncoder(source, word_embedding(source, dim), hidden, dropout=0.0)
    decoder = AttentionalLSTMDecoder(
        target,
        word_embedding(target, dim),
        hidden,
        encoder.output_dim,
        0.0,
        sizes.attention_bias,
        sizes.bottleneck_dim,
    )
    model = EncoderDecoder(encoder, decoder)
    model.to(next(iter(weights.values())).dtype)
    model.load_state_dict(dict(weights))
    model.eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    return model
