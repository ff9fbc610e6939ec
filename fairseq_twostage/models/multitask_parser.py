"""MultiTaskDae: a parser whose encoder also learns to rebuild natural utterances."""

from dataclasses import dataclass
from typing import Any

from fairseq.models import register_model
from torch import Tensor

from fairseq_twostage.models.dual_paraphraser import id_maps
from fairseq_twostage.models.fairseq_adapters import FairseqLSTMDecoder
from fairseq_twostage.models.initialization import initialize_uniform, read_word_vectors
from fairseq_twostage.models.naive_parser import NaiveParser, NaiveParserConfig, build_decoder
from fairseq_twostage.models.scoring import sentence_log_probs


@dataclass
class MultitaskParserConfig(NaiveParserConfig):
    """Configuration of :class:`MultitaskParser`."""


@register_model("multitask_parser", dataclass=MultitaskParserConfig)
class MultitaskParser(NaiveParser):
    """One encoder E, a decoder of logical forms, and D_x over the same states.

    E sees canonical utterances in parsing and natural ones in denoising, so that the parser
    may read natural ones: the paper's MultiTaskDae.
    """

    reconstructor: FairseqLSTMDecoder
    to_natural: Tensor

    @classmethod
    def build_model(cls, cfg: NaiveParserConfig, task: Any) -> "MultitaskParser":
        model = super().build_model(cfg, task)
        assert isinstance(model, cls)
        words = task.natural_dictionary
        vectors = read_word_vectors(cfg.embeddings, task.cfg.data, cfg.embed_dim)
        model.reconstructor = build_decoder(cfg, words, model.encoder.output_dim, vectors)
        initialize_uniform(model.reconstructor)
        to_natural, _ = id_maps(task.source_dictionary, words)
        model.register_buffer("to_natural", to_natural, persistent=False)
        return model

    def reconstruction_log_probs(self, noised: Tensor, tokens: Tensor) -> Tensor:
        """``log P(x | N_x(x); D_x∘E)``.

        Args:
            noised: utterance ids, padded on the right, ``(batch, length)``.
            tokens: the utterances themselves, likewise.

        Returns:
            ``(batch,)``, in nats, differentiable.
        """
        memory = self.reconstructor.memory(self.encoder(noised))
        return sentence_log_probs(self.reconstructor, memory, self.to_natural[tokens])
