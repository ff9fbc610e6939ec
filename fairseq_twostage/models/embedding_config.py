"""How a model embeds its words, as options of fairseq."""

from dataclasses import dataclass, field

from fairseq.dataclass import ChoiceEnum, FairseqDataclass

EMBEDDING_STARTS = ("normal", "uniform")


@dataclass
class EmbeddingConfig(FairseqDataclass):
    """How words are embedded; defaults are the paper's."""

    embed_dim: int = field(default=100, metadata={"help": "size of word embeddings"})
    embeddings: str = field(
        default="auto",
        metadata={"help": "word vectors: 'auto' (those of the data-bin), 'none', or a file"},
    )
    embedding_start: ChoiceEnum(list(EMBEDDING_STARTS)) = field(  # type: ignore[valid-type]
        default="normal",
        metadata={
            "help": "words without a vector start from N(0, 1) or, as small as the other "
            "parameters, from uniform(-0.2, 0.2)"
        },
    )
