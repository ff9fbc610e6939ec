"""LM_x and LM_z: one-layer LSTM language models of a side's utterances."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairseq.data import Dictionary
from fairseq.models import FairseqIncrementalDecoder, FairseqLanguageModel, register_model
from torch import Tensor, nn

from fairseq_twostage.models.dropout import Dropout
from fairseq_twostage.models.embedding_config import EmbeddingConfig
from fairseq_twostage.models.initialization import (
    initialize_uniform,
    read_word_vectors,
    word_embedding,
)
from fairseq_twostage.models.scoring import summed_log_probs
from fairseq_twostage.models.sentences import shift_right


@dataclass
class UtteranceLMConfig(EmbeddingConfig):
    """Configuration of :class:`UtteranceLM`; defaults are the paper's."""

    hidden_dim: int = field(default=200, metadata={"help": "LSTM units"})
    dropout: float = field(default=0.5, metadata={"help": "dropout between layers"})


class LSTMLanguageModelDecoder(FairseqIncrementalDecoder):
    """Embedding, LSTM, output layer, dropout between them; one fused call per prefix.

    fairseq's own ``lstm_lm`` is the same network run one step at a time, starts uniform in
    another range, and its checkpoints hold an ``argparse.Namespace``.
    """

    def __init__(
        self, dictionary: Dictionary, embedding: nn.Embedding, hidden_dim: int, dropout: float
    ) -> None:
        super().__init__(dictionary)
        self.embedding = embedding
        self.dropout = Dropout(dropout)
        self.lstm = nn.LSTM(embedding.embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, len(dictionary))

    def forward(
        self,
        prev_output_tokens: Tensor,
        encoder_out: Any = None,
        incremental_state: dict[str, dict[str, Tensor | None]] | None = None,
        src_lengths: Tensor | None = None,
    ) -> tuple[Tensor, None]:
        """Logits ``(batch, length, words)`` of each next word.

        Args:
            prev_output_tokens: end of sentence, then the words, ``(batch, length)``.
            encoder_out: none; part of fairseq's interface.
            incremental_state: where the state is kept when words come one by one.
            src_lengths: none needed; part of fairseq's interface.
        """
        if incremental_state is None:
            states, _ = self.lstm(self.dropout(self.embedding(prev_output_tokens)))
            return self.output(self.dropout(states)), None
        cached = self.get_incremental_state(incremental_state, "state")
        state = (cached["hidden"], cached["cell"]) if cached else None
        embedded = self.dropout(self.embedding(prev_output_tokens[:, -1:]))
        states, (hidden, cell) = self.lstm(embedded, state)
        buffer = {"hidden": hidden, "cell": cell}
        self.set_incremental_state(incremental_state, "state", buffer)
        return self.output(self.dropout(states)), None

    def reorder_incremental_state(
        self, incremental_state: dict[str, dict[str, Tensor | None]], new_order: Tensor
    ) -> None:
        cached = self.get_incremental_state(incremental_state, "state")
        if cached:
            rows = {name: tensor.index_select(1, new_order) for name, tensor in cached.items()}
            self.set_incremental_state(incremental_state, "state", rows)

    def max_positions(self) -> int:
        return 1024


@register_model("utterance_lm", dataclass=UtteranceLMConfig)
class UtteranceLM(FairseqLanguageModel):
    """A language model for fairseq's ``language_modeling`` task.

    Train it on ``DATA-BIN/lm.nl`` or ``DATA-BIN/lm.cf`` with ``--sample-break-mode eos``.
    """

    @classmethod
    def build_model(cls, cfg: UtteranceLMConfig, task: Any) -> "UtteranceLM":
        data_bin = str(Path(task.args.data).parent)
        vectors = read_word_vectors(cfg.embeddings, data_bin, cfg.embed_dim)
        words = task.target_dictionary
        embedding = word_embedding(words, cfg.embed_dim, vectors, str(cfg.embedding_start))
        model = cls(LSTMLanguageModelDecoder(words, embedding, cfg.hidden_dim, cfg.dropout))
        initialize_uniform(model)
        return model

    def sentence_log_probs(self, tokens: Tensor) -> Tensor:
        """``log P(sentence)`` summed over its words and end of sentence.

        Args:
            tokens: words and end of sentence, padded on the right, ``(batch, length)``.

        Returns:
            ``(batch,)``, in nats.
        """
        words = self.decoder.dictionary
        prefix = shift_right(tokens, words.eos())
        logits = self.decoder(prefix)[0]
        return summed_log_probs(logits, tokens, words.pad())
