"""Embed + contextual encoder: the naive parser over frozen states of a pre-trained encoder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import torch
from fairseq.data import Dictionary
from fairseq.dataclass import ChoiceEnum
from fairseq.models import register_model
from torch import Tensor, nn

from fairseq_twostage.errors import UserError
from fairseq_twostage.models.elmo import Elmo
from fairseq_twostage.models.fairseq_adapters import FairseqBiLSTMEncoder
from fairseq_twostage.models.initialization import initialize_uniform
from fairseq_twostage.models.naive_parser import NaiveParser, NaiveParserConfig, build_decoder
from fairseq_twostage.models.sentence_encoder import DEFAULT, SentenceEncoder


class TokenStates(Protocol):
    """A frozen encoder of words in context."""

    dim: int

    def token_states(self, sentences: Sequence[Sequence[str]]) -> tuple[Tensor, Tensor]:
        """States ``(n, [layers,] longest, dim)`` of the sentences' words, and where there are."""


ENCODERS: dict[str, Callable[[str], TokenStates]] = {
    "sentence_encoder": lambda weights: SentenceEncoder.load(weights or DEFAULT),
    "bert": SentenceEncoder.load,
    "elmo": Elmo.load,
}


@dataclass
class ContextualParserConfig(NaiveParserConfig):
    """Configuration of :class:`ContextualParser`."""

    contextual: ChoiceEnum(list(ENCODERS)) = field(  # type: ignore[valid-type]
        default="sentence_encoder",
        metadata={"help": "pre-trained encoder whose frozen states replace word embeddings"},
    )
    contextual_weights: str = field(
        default="",
        metadata={
            "help": "its weights: for bert a folder in the layout of transformers, for elmo one "
            "with *options.json and *.hdf5; sentence_encoder has a default"
        },
    )


class ContextualEmbedding(nn.Module):
    """Frozen states in place of word embeddings.

    The states of a sentence are computed when it is first seen, and remembered. Layers are
    mixed as in ELMo, ``γ Σ_j softmax(w)_j h_j``, where there are several. End of sentence has a
    vector of its own, which is trained. The encoder is no part of the model's parameters.

    Args:
        encoder: makes the states.
        dictionary: words of the ids; words added to it later are read as well.
    """

    def __init__(self, encoder: TokenStates, dictionary: Dictionary) -> None:
        super().__init__()
        self.encoder = [encoder]  # in a list: not saved, not trained
        self.dictionary = dictionary
        self.embedding_dim = encoder.dim
        self.end = nn.Parameter(torch.zeros(encoder.dim))
        layers = getattr(encoder, "layers", 1)
        self.mix = nn.Parameter(torch.zeros(layers))
        self.scale = nn.Parameter(torch.ones(()))
        self.remembered: dict[tuple[int, ...], Tensor] = {}

    def reset(self) -> None:
        """Start from an even mix, whatever other parameters start from."""
        with torch.no_grad():
            self.mix.zero_()
            self.scale.fill_(1.0)

    def forward(self, tokens: Tensor) -> Tensor:
        """Ids with end of sentence, padded on the right ``(batch, length)``, to vectors."""
        pad, eos = self.dictionary.pad(), self.dictionary.eos()
        keys = [tuple(word for word in row if word not in (pad, eos)) for row in tokens.tolist()]
        self._remember([key for key in dict.fromkeys(keys) if key not in self.remembered])
        layers = self.end.new_zeros(len(keys), len(self.mix), tokens.size(1), self.embedding_dim)
        for row, key in enumerate(keys):
            layers[row, :, : len(key)] = self.remembered[key].to(layers)
        weights = self.scale * self.mix.softmax(dim=0)
        mixed = torch.einsum("j,bjtd->btd", weights, layers)
        return mixed + tokens.eq(eos).unsqueeze(2) * self.end

    @torch.no_grad()
    def _remember(self, keys: Sequence[tuple[int, ...]]) -> None:
        """Compute the states of new sentences, ``(layers, words, dim)`` each."""
        if not keys:
            return
        states, _ = self.encoder[0].token_states([[self._word(i) for i in key] for key in keys])
        if states.dim() == 3:
            states = states.unsqueeze(1)
        for key, row in zip(keys, states):
            self.remembered[key] = row[:, : len(key)].clone()

    def _word(self, index: int) -> str:
        return self.dictionary[index]


@register_model("contextual_parser", dataclass=ContextualParserConfig)
class ContextualParser(NaiveParser):
    """The paper's "Embed + ELMo" and "Embed + BERT": one stage, trained on (z, y) only."""

    open_vocabulary = True  # the pre-trained encoder reads words that no dictionary has

    @classmethod
    def build_model(cls, cfg: ContextualParserConfig, task: Any) -> "ContextualParser":
        kind = str(cfg.contextual)
        if kind != "sentence_encoder" and not cfg.contextual_weights:
            raise UserError(
                f"needs the weights of {kind}; embed_{kind} of research/ablations.yaml takes them "
                f"from the environment variable TWOSTAGE_{kind.upper()}",
                "--contextual-weights",
            )
        source, target = task.source_dictionary, task.target_dictionary
        embedding = ContextualEmbedding(ENCODERS[kind](cfg.contextual_weights), source)
        words = cast(nn.Embedding, embedding)  # used as one: ids to vectors, embedding_dim
        encoder = FairseqBiLSTMEncoder(source, words, cfg.hidden_dim, cfg.dropout)
        model = cls(encoder, build_decoder(cfg, target, encoder.output_dim))
        initialize_uniform(model)
        embedding.reset()
        return model
