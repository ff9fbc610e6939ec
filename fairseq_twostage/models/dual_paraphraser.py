"""The paraphrase model: one shared encoder E, two decoders D_x and D_z."""

from dataclasses import dataclass, field
from typing import Any, cast

import torch
from fairseq.data import Dictionary
from fairseq.models import BaseFairseqModel, FairseqEncoderDecoderModel, register_model
from torch import Tensor, nn

from fairseq_twostage.models.attention import Memory
from fairseq_twostage.models.fairseq_adapters import FairseqBiLSTMEncoder, FairseqLSTMDecoder
from fairseq_twostage.models.initialization import (
    initialize_uniform,
    read_word_vectors,
    word_embedding,
)
from fairseq_twostage.models.naive_parser import AttentionalLSTMConfig, build_decoder

SIDES = ("nl", "cf")


@dataclass
class DualParaphraserConfig(AttentionalLSTMConfig):
    """Configuration of :class:`DualParaphraser`."""

    separate_encoders: bool = field(
        default=False,
        metadata={"help": "an encoder for each decoder instead of one shared (− SharedEncoder)"},
    )


@register_model("dual_paraphraser", dataclass=DualParaphraserConfig)
class DualParaphraser(BaseFairseqModel):
    """``D_z∘E`` rewrites natural utterances as canonical ones, ``D_x∘E`` the other way.

    The encoder reads ids of the utterance dictionary (nl ∪ cf words); each decoder writes
    ids of its own side's dictionary. :meth:`as_source` and :meth:`as_target` convert.

    Args:
        encoders: by target side, each of one decoder alone, so that denoising trains the
            encoder that paraphrasing uses; the same module twice if the encoder is shared.
        decoders: by target side, ``nl`` (D_x) and ``cf`` (D_z).
        utterance_dictionary: what the encoders read.
    """

    def __init__(
        self,
        encoders: dict[str, FairseqBiLSTMEncoder],
        decoders: dict[str, FairseqLSTMDecoder],
        utterance_dictionary: Dictionary,
    ) -> None:
        super().__init__()
        self.shared = encoders["nl"] is encoders["cf"]
        self.encoders = nn.ModuleDict({"shared": encoders["nl"]} if self.shared else encoders)
        self.decoders = nn.ModuleDict(decoders)
        for side, decoder in decoders.items():
            to_target, to_source = id_maps(utterance_dictionary, decoder.dictionary)
            self.register_buffer(f"to_target_{side}", to_target, persistent=False)
            self.register_buffer(f"to_source_{side}", to_source, persistent=False)

    @classmethod
    def build_model(cls, cfg: DualParaphraserConfig, task: Any) -> "DualParaphraser":
        vectors = read_word_vectors(cfg.embeddings, task.cfg.data, cfg.embed_dim)
        dictionaries = task.dictionaries

        def encoder() -> FairseqBiLSTMEncoder:
            words = dictionaries["utterance"]
            embedding = word_embedding(words, cfg.embed_dim, vectors, str(cfg.embedding_start))
            return FairseqBiLSTMEncoder(words, embedding, cfg.hidden_dim, cfg.dropout)

        shared = encoder()
        encoders = {"nl": shared, "cf": encoder() if cfg.separate_encoders else shared}
        decoders = {
            side: build_decoder(cfg, dictionaries[side], shared.output_dim, vectors)
            for side in SIDES
        }
        model = cls(encoders, decoders, dictionaries["utterance"])
        initialize_uniform(model)
        return model

    def encoder(self, target: str) -> FairseqBiLSTMEncoder:
        """The encoder whose states the decoder of ``target`` (``nl`` or ``cf``) attends to."""
        return cast(FairseqBiLSTMEncoder, self.encoders["shared" if self.shared else target])

    def decoder(self, target: str) -> FairseqLSTMDecoder:
        """D_x for ``nl``, D_z for ``cf``."""
        return cast(FairseqLSTMDecoder, self.decoders[target])

    def memory(self, tokens: Tensor, target: str) -> Memory:
        """Encode ``tokens`` ``(batch, length)``, utterance ids, for the decoder of ``target``."""
        return self.decoder(target).memory(self.encoder(target)(tokens))

    def as_target(self, tokens: Tensor, side: str) -> Tensor:
        """Utterance ids to ids of the decoder of ``side``; foreign words become ``<unk>``."""
        return getattr(self, f"to_target_{side}")[tokens]

    def as_source(self, tokens: Tensor, side: str) -> Tensor:
        """Ids of the decoder of ``side`` to utterance ids."""
        return getattr(self, f"to_source_{side}")[tokens]

    def view(self, target: str) -> FairseqEncoderDecoderModel:
        """The plain encoder-decoder that writes ``target``, for fairseq's generators.

        It shares this model's modules and is not registered in it, so that each tensor
        stands once in the state dict.
        """
        return FairseqEncoderDecoderModel(self.encoder(target), self.decoder(target))

    def forward(self, src_tokens: Tensor, target: str, prefix: Tensor) -> Tensor:
        """Teacher-forced logits ``(batch, target length, words)`` of the decoder of ``target``."""
        return self.decoder(target).teacher_forced(prefix, self.memory(src_tokens, target))[0]

    def max_positions(self) -> int:
        return 1024


def id_maps(source: Dictionary, target: Dictionary) -> tuple[Tensor, Tensor]:
    """Tables of ids, source → target and target → source; missing words are ``<unk>``."""
    to_target = torch.tensor([target.index(symbol) for symbol in source.symbols])
    to_source = torch.tensor([source.index(symbol) for symbol in target.symbols])
    return to_target, to_source
