"""The noise of the denoising auto-encoders: drop, then add, then shuffle.

Cao et al., "Unsupervised Dual Paraphrasing for Two-stage Semantic Parsing", ACL 2020,
pre-training by denoising. A sentence is a sequence of word ids without end-of-sentence. A
channel gets the sentence, a random generator and, where it wants to look at it, the sentence as
it was before any noise; it returns a new list and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fairseq_twostage.errors import UserError
from fairseq_twostage.noise.wmd import Sentence, WordMoversDistance

SIDES = ("nl", "cf", "lf")
REFERENCE_SHUFFLE_DISTANCE = 3


def noise_generator(seed: int, epoch: int, side: str, index: int) -> np.random.Generator:
    """The random generator for one visit of one sentence.

    Philox is a counter-based generator: the key may be any number, and different keys give
    unrelated streams (Salmon et al. 2011). So the noise of a visit depends on these four
    values alone, and not on the order of visits, batching, workers or resumption.

    Args:
        seed: the run's seed, in [0, 2**64).
        epoch: the epoch, in [0, 2**24).
        side: one of ``SIDES``.
        index: the item's number, which says what sentence it is, in [0, 2**32).

    Raises:
        ValueError: an argument out of range.
    """
    if not (0 <= seed < 1 << 64 and 0 <= epoch < 1 << 24 and 0 <= index < 1 << 32):
        raise ValueError(f"seed {seed}, epoch {epoch} or index {index} is out of range")
    if side not in SIDES:
        raise ValueError(f"side {side!r} is none of {', '.join(SIDES)}")
    visit = epoch << 40 | SIDES.index(side) << 32 | index
    return np.random.Generator(np.random.Philox(key=np.array([seed, visit], dtype=np.uint64)))


class NoiseChannel(Protocol):
    """One kind of noise."""

    def __call__(
        self, sentence: Sentence, rng: np.random.Generator, original: Sentence | None = None
    ) -> list[int]:
        """The noised sentence; ``original`` is the sentence before all noise, if different."""


class ImportanceAwareDropping:
    """Drops words, frequent ones more often: p(x_i) = min(p_max, w(x_i) / sum_j w(x_j)).

    The sum runs over the sentence. A sentence that would lose all its words stays as it is.

    Args:
        counts: how often each word id occurs in the sentence's own corpus, shape (V,).
        p_max: the largest probability of dropping one word.
        keep_half: also leave the sentence as it is when more than half of it would go, as
            the authors' code does.
    """

    def __init__(
        self, counts: npt.NDArray[np.number], p_max: float = 0.2, keep_half: bool = False
    ) -> None:
        _check_share("p_max", p_max)
        self._counts = np.asarray(counts, dtype=np.float64)
        self._p_max = p_max
        self._keep_half = keep_half

    def probabilities(self, sentence: Sentence) -> npt.NDArray[np.float64]:
        """The probability of dropping each word, shape (len(sentence),)."""
        counts = self._counts[np.asarray(sentence, dtype=np.intp)]
        total = counts.sum()
        return np.minimum(self._p_max, counts / total) if total > 0 else counts

    def __call__(
        self, sentence: Sentence, rng: np.random.Generator, original: Sentence | None = None
    ) -> list[int]:
        stays = (rng.random(len(sentence)) >= self.probabilities(sentence)).tolist()
        left = [word for word, stay in zip(sentence, stays) if stay]
        if not left or (self._keep_half and 2 * len(left) < len(sentence)):
            return list(sentence)
        return left


class MixedSourceAddition:
    """Adds words of a sentence of the other side that means about the same.

    Of ``candidates`` random sentences of the other side the nearest one by Word Mover's
    Distance gives 10-20 % of its words. Their number is uniform over the whole numbers in
    [low * L, high * L], L its length; where there is none (L < 5) it is the next one above, so
    that short sentences give a word too. The words are drawn without replacement and each is
    put at an independent random place.

    Args:
        other_corpus: the sentences of the other side, with repetition as they come.
        wmd: the distance.
        candidates: how many sentences are drawn, without replacement.
        low: the smallest share of words taken.
        high: the largest share of words taken.
        from_original: measure the distance from the sentence before all noise. It is the same
            at each visit, so distances are remembered; from the noised sentence they are
            computed anew each time.
        reference_rounding: as in the authors' code: the number of words is uniform over
            floor(low * L) .. floor(high * L), thus often 0, and they go in as one block, in
            the order they had.
    """

    def __init__(
        self,
        other_corpus: Sequence[Sentence],
        wmd: WordMoversDistance,
        candidates: int = 50,
        low: float = 0.1,
        high: float = 0.2,
        from_original: bool = True,
        reference_rounding: bool = False,
    ) -> None:
        if candidates < 1:
            raise UserError(f"must be at least 1, not {candidates}", where="candidates")
        _check_share("low", low)
        _check_share("high", high)
        if low > high:
            raise UserError(f"the share {low} is above {high}", where="low, high")
        if not other_corpus:
            raise UserError("no sentence of the other side to add words from")
        self._corpus = [tuple(sentence) for sentence in other_corpus]
        self._pool = wmd.pool(self._corpus)
        self._candidates = min(candidates, len(self._corpus))
        self._low, self._high = low, high
        self._from_original = from_original
        self._reference_rounding = reference_rounding

    def __call__(
        self, sentence: Sentence, rng: np.random.Generator, original: Sentence | None = None
    ) -> list[int]:
        words = self._words(self._source(sentence, rng, original), rng)
        noised = list(sentence)
        if self._reference_rounding:
            place = _below(len(noised) + 1, rng)
            noised[place:place] = words
        else:
            for word in words:
                noised.insert(_below(len(noised) + 1, rng), word)
        return noised

    def _source(
        self, sentence: Sentence, rng: np.random.Generator, original: Sentence | None
    ) -> tuple[int, ...]:
        """The sentence of the other side whose words are taken."""
        # In random order, so that none of several equally near sentences is preferred.
        drawn = rng.choice(len(self._corpus), self._candidates, replace=False)
        if not self._from_original:
            return self._corpus[self._pool.nearest(sentence, drawn, remember=False)]
        measured = sentence if original is None else original
        return self._corpus[self._pool.nearest(measured, drawn)]

    def _words(self, source: tuple[int, ...], rng: np.random.Generator) -> list[int]:
        """Random words of the source, in their order there."""
        fewest, most = self.numbers_of_words(len(source))
        number = fewest + _below(most - fewest + 1, rng)
        places = rng.permutation(len(source))[:number]
        return [source[place] for place in sorted(places.tolist())]

    def numbers_of_words(self, length: int) -> tuple[int, int]:
        """The least and the largest number of words taken from a sentence of this length."""
        epsilon = 1e-9  # 0.1 * 30 is a little more or less than 3
        most = floor(self._high * length + epsilon)
        if self._reference_rounding:
            return floor(self._low * length + epsilon), most
        fewest = ceil(self._low * length - epsilon)
        return fewest, max(fewest, most)


class BigramShuffling:
    """Cuts the sentence into consecutive bigrams and permutes them.

    The last bigram of a sentence of odd length is a single word.

    Args:
        max_distance: None for a uniform permutation; a number k for the local shuffle of the
            authors' code (k = 3), which sorts bigram i by i + U(0, k).
    """

    def __init__(self, max_distance: int | None = None) -> None:
        if max_distance is not None and max_distance < 0:
            raise UserError(f"must not be negative: {max_distance}", where="shuffle distance")
        self._max_distance = max_distance

    def __call__(
        self, sentence: Sentence, rng: np.random.Generator, original: Sentence | None = None
    ) -> list[int]:
        bigrams = (len(sentence) + 1) // 2
        if self._max_distance is None:
            order = rng.permutation(bigrams)
        else:
            keys = np.arange(bigrams) + self._max_distance * rng.random(bigrams)
            order = keys.argsort(kind="stable")
        return [word for i in order.tolist() for word in sentence[2 * i : 2 * i + 2]]


class NoiseChain:
    """Channels applied one after another.

    Args:
        channels: in the order of application; none of them leaves sentences as they are.
    """

    def __init__(self, channels: Sequence[NoiseChannel]) -> None:
        self.channels = tuple(channels)

    def __call__(
        self, sentence: Sentence, rng: np.random.Generator, original: Sentence | None = None
    ) -> list[int]:
        """The noised sentence, never empty unless the sentence is."""
        if original is None:
            original = tuple(sentence)
        noised = list(sentence)
        if noised:
            for channel in self.channels:
                noised = channel(noised, rng, original)
        return noised


@dataclass(frozen=True)
class NoiseConfig:
    """Which noise is made, and how much.

    Attributes:
        drop: importance-aware dropping.
        add: mixed-source addition.
        shuffle: bigram shuffling.
        p_max: the largest probability of dropping one word.
        candidates: how many sentences of the other side are drawn for addition.
        add_low: the smallest share of the nearest one's words that is added.
        add_high: the largest share.
        add_from_original: measure distances from the sentence before dropping.
        shuffle_distance: None permutes all bigrams uniformly; k moves them only locally.
        reference: in each channel what the authors' code does where it differs from the
            paper: see ``keep_half``, ``reference_rounding`` and ``max_distance``.
    """

    drop: bool = True
    add: bool = True
    shuffle: bool = True
    p_max: float = 0.2
    candidates: int = 50
    add_low: float = 0.1
    add_high: float = 0.2
    add_from_original: bool = True
    shuffle_distance: int | None = None
    reference: bool = False


def build_noise(
    config: NoiseConfig,
    side_counts: npt.NDArray[np.number],
    other_sentences: Sequence[Sentence],
    wmd: WordMoversDistance | None,
) -> NoiseChain:
    """The noise N_x or N_z of one side.

    Args:
        config: which channels, and how strong.
        side_counts: how often each word id occurs in this side's corpus, shape (V,).
        other_sentences: the corpus of the other side; read by addition only.
        wmd: the distance between sentences; may be None without addition.

    Raises:
        UserError: a share outside [0, 1], no candidate, or addition without other sentences.
    """
    channels: list[NoiseChannel] = []
    if config.drop:
        channels.append(ImportanceAwareDropping(side_counts, config.p_max, config.reference))
    if config.add:
        if wmd is None:
            raise UserError("mixed-source addition needs word vectors")
        channels.append(
            MixedSourceAddition(
                other_sentences,
                wmd,
                candidates=config.candidates,
                low=config.add_low,
                high=config.add_high,
                from_original=config.add_from_original,
                reference_rounding=config.reference,
            )
        )
    if config.shuffle:
        distance = config.shuffle_distance
        if distance is None and config.reference:
            distance = REFERENCE_SHUFFLE_DISTANCE
        channels.append(BigramShuffling(distance))
    return NoiseChain(channels)


def _below(limit: int, rng: np.random.Generator) -> int:
    """A uniform number in [0, limit), several times as fast as ``rng.integers``."""
    return int(rng.random() * limit)


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise UserError(f"must lie in [0, 1], not {value}", where=name)
