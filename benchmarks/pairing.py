"""Pairs of made-up utterances: CPU time, peak memory, how many are right, how many as of all pairs.

    python -m benchmarks.pairing [--natural 100000] [--canonical 10000] [--similarity NAME]
        [--rounds 0] [--compare]

A canonical utterance says two properties of a thing; one that people say has synonyms of the words,
another order, and words around it. ``--compare`` pairs once more, all pairs considered.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time

import numpy as np

from benchmarks.million import peak
from fairseq_twostage import plugin
from fairseq_twostage.pairing.corpora import EVEN_BALANCE, Corpora
from fairseq_twostage.pairing.features import (
    SENTENCE_ENCODER,
    SIMILARITIES,
    WORD_VECTORS,
    EncoderStates,
    WordVectors,
)
from fairseq_twostage.pairing.fitted import Resources
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig, assign, confident_pairs

# A word of the grammar, then what people say for it.
THINGS = "film/movie/picture, house/home/building, person/human, shop/store/market, meal/dish"
THINGS += ", journey/trip/tour, road/street/lane, ship/boat/vessel"
VALUES = "red/scarlet, blue/azure, large/big/huge, small/little/tiny, old/ancient, new/recent"
VALUES += ", cheap/inexpensive, dear/costly/pricey, wet/damp, dry/arid, loud/noisy, quiet/silent"
PROPERTIES = "colour/hue, owner/holder, price/cost, weight/mass, place/location, age, rating/stars"
PROPERTIES += ", maker/producer, length/extent, width/breadth"
STARTS = ("show me", "which", "i want a", "is there any", "find", "tell me about the", "give me")
ENDS = ("", "please", "now", "for me", "if possible", "today", "thanks")


def main() -> None:
    """Make utterances, pair them, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--natural", type=int, default=100_000)
    parser.add_argument("--canonical", type=int, default=10_000)
    parser.add_argument("--similarity", choices=SIMILARITIES, default=WORD_VECTORS)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--compare", action="store_true")
    args = parser.parse_args()
    plugin.load()
    corpora, meant = make(args.natural, args.canonical)
    known = EncoderStates.load() if args.similarity == SENTENCE_ENCODER else vectors()
    config = PairingConfig(balance=EVEN_BALANCE, rounds=args.rounds)
    ways = [0, args.natural * args.canonical] if args.compare else [0]
    found = [paired(corpora, known, config, all_pairs, meant) for all_pairs in ways]
    if args.compare:
        shared = len(found[0] & found[1])
        print(f"{100 * shared / len(found[1]):.2f} % of the pairs of all are among the nearest's")


def make(natural: int, canonical: int) -> tuple[Corpora, dict[str, str]]:
    """X, Z, and the z that is meant by each x."""
    drawn = random.Random(1)
    said = synonyms(THINGS, VALUES, PROPERTIES)
    things, values, properties = (list(synonyms(each)) for each in (THINGS, VALUES, PROPERTIES))
    states = itertools.combinations(itertools.product(properties, values), 2)
    all_meanings = list(itertools.product(things, states))
    meanings = {
        f"{thing} whose {a} is {v} and whose {b} is {w}": (thing, (v, a), (w, b))
        for thing, ((a, v), (b, w)) in drawn.sample(all_meanings, canonical)
    }
    z = sorted(meanings)
    meant: dict[str, str] = {}
    while len(meant) < natural:
        line = drawn.choice(z)
        thing, *conditions = meanings[line]
        drawn.shuffle(conditions)
        one, two = (" ".join(drawn.choice(said[word]) for word in each) for each in conditions)
        x = f"{drawn.choice(STARTS)} {drawn.choice(said[thing])} with {one} and {two}"
        meant[f"{x} {drawn.choice(ENDS)}".strip()] = line
    return Corpora(list(meant), z, np.ones(len(z)), False), meant


def synonyms(*lists: str) -> dict[str, list[str]]:
    """A word of a grammar and what people say for it, itself among it."""
    groups = [group.split("/") for each in lists for group in each.split(", ")]
    return {group[0]: group for group in groups}


def vectors(dim: int = 300) -> WordVectors:
    """Random ones, those of synonyms near each other."""
    drawn = np.random.default_rng(1)
    found = {}
    for group in synonyms(THINGS, VALUES, PROPERTIES).values():
        centre = drawn.normal(size=dim)
        found.update({word: centre + drawn.normal(size=dim) for word in group})
    rest = " ".join((*STARTS, *ENDS, "with and whose is")).split()
    return WordVectors(found | {word: drawn.normal(size=dim) for word in rest}, dim)


def paired(
    corpora: Corpora,
    known: Resources,
    config: PairingConfig,
    all_pairs: int,
    meant: dict[str, str],
) -> set[tuple[str, str]]:
    """The pairs that are sure enough, measured."""
    started = time.process_time()
    similarity = corpora.similarity(known, all_pairs)
    compared = time.process_time()
    found = assign(*corpora.words, corpora.mass, similarity, known.embed, config)
    sure = confident_pairs(
        corpora.natural, corpora.canonical, found.posterior, config.min_confidence
    )
    ended = time.process_time()
    pairs = {(pair.utterance, pair.canonical) for pair in sure}
    right = sum(meant[x] == z for x, z in pairs)
    print(
        f"{known.name}, {len(corpora.natural):,} x {len(corpora.canonical):,}, "
        f"{'all pairs' if all_pairs else 'the nearest'}: {ended - started:.0f} s of CPU time "
        f"({compared - started:.0f} s to compare), {peak():.0f} MB at most, {len(pairs):,} pairs, "
        f"{100 * right / max(len(pairs), 1):.1f} % right",
        flush=True,
    )
    return pairs


if __name__ == "__main__":
    main()
