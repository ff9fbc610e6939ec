"""The noise of tasks that denoise: their options, and the noise of each side."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

import numpy as np
from fairseq.data import Dictionary
from fairseq.dataclass import FairseqDataclass

from fairseq_twostage.data.unpaired_dataset import Corpus
from fairseq_twostage.models.dual_paraphraser import SIDES
from fairseq_twostage.models.initialization import read_word_vectors
from fairseq_twostage.noise.channels import NoiseChain, NoiseConfig, build_noise
from fairseq_twostage.noise.wmd import WordMoversDistance
from fairseq_twostage.tasks.data_bin import DataBin


@dataclass
class NoiseOptions(FairseqDataclass):
    """Options of the noise; the defaults are the paper's."""

    no_drop: bool = field(default=False, metadata={"help": "no importance-aware dropping"})
    no_add: bool = field(default=False, metadata={"help": "no mixed-source addition"})
    no_shuffle: bool = field(default=False, metadata={"help": "no bigram shuffling"})
    p_max: float = field(default=0.2, metadata={"help": "largest probability of dropping a word"})
    candidates: int = field(
        default=50, metadata={"help": "C: sentences among which addition seeks the nearest"}
    )
    shuffle_distance: Optional[int] = field(
        default=None,
        metadata={"help": "bigram i goes by i + U(0, this), a local shuffle; 0 moves none"},
    )
    reference_noise: bool = field(
        default=False, metadata={"help": "noise in the details as the released code has it"}
    )


def side_noises(
    options: NoiseOptions, data_bin: DataBin, words: Dictionary, corpora: Mapping[str, Corpus]
) -> dict[str, NoiseChain]:
    """N_x and N_z, by side.

    Args:
        options: which channels, and how strong.
        data_bin: its word counts and vectors.
        words: the utterance dictionary.
        corpora: X and Z; addition takes words of the other side's sentences.
    """
    config = NoiseConfig(
        drop=not options.no_drop,
        add=not options.no_add,
        shuffle=not options.no_shuffle,
        p_max=options.p_max,
        candidates=options.candidates,
        shuffle_distance=options.shuffle_distance,
        reference=options.reference_noise,
    )
    plain = {
        side: [tuple(sentence[:-1].tolist()) for sentence in corpus.sentences]
        for side, corpus in corpora.items()
    }
    distance = word_movers_distance(data_bin, words) if config.add else None
    return {
        side: build_noise(config, data_bin.counts(side, words), plain[other], distance)
        for side, other in zip(SIDES, reversed(SIDES))
    }


def word_movers_distance(data_bin: DataBin, words: Dictionary) -> WordMoversDistance:
    """The distance over the data-bin's own word vectors, for ids of ``words``.

    Placeholders without a vector are ignored, as other such words are.
    """
    width = data_bin.manifest.embeddings.dim
    vectors = read_word_vectors("auto", str(data_bin.folder), width)
    table = np.zeros((len(words), width), dtype=np.float32)
    known = np.zeros(len(table), dtype=bool)
    for index, word in enumerate(words.symbols):
        if word in vectors:
            table[index], known[index] = vectors[word].numpy(), True
    return WordMoversDistance(table, known)
