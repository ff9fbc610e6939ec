"""``twostage adapt``: the sentence encoder, or word vectors, learn a domain from X and Z alone."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path

from fairseq_twostage.cli.options import positive, real, seed
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.sentence_encoder import SentenceEncoder
from fairseq_twostage.pairing.adaptation import AdaptationConfig, adapt
from fairseq_twostage.pairing.corpora import Corpora
from fairseq_twostage.pairing.features import (
    ADAPTED,
    SENTENCE_ENCODER,
    SIMILARITIES,
    WORD_VECTORS,
    EncoderStates,
    WordVectors,
    resources,
)
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig
from fairseq_twostage.pairing.scores import Scores
from fairseq_twostage.pairing.word_adaptation import OF_WORDS, adapt_words
from fairseq_twostage.writing import atomic_write


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    layers = AdaptationConfig()
    add("--data", type=Path, required=True, help="data-bin of twostage prepare")
    add("--dest", type=Path, required=True, help=f"folder for {ADAPTED}: what it learns")
    add(
        "--similarity",
        choices=SIMILARITIES,
        default=SENTENCE_ENCODER,
        help="what learns: the encoder's last layers, or vectors of words (default: %(default)s)",
    )
    add("--rounds", type=positive, help=f"of pairing and learning (default: {layers.rounds})")
    add(
        "--steps",
        type=positive,
        help=f"of learning in a round (default: {layers.steps}; word vectors: {OF_WORDS.steps})",
    )
    add(
        "--layers",
        type=positive,
        help=f"how many of the encoder's last layers learn (default: {layers.layers})",
    )
    add(
        "--rate",
        type=real(0, above=True),
        help=f"learning rate (default: {layers.rate:g}; word vectors: {OF_WORDS.rate:g})",
    )
    add(
        "--batch",
        type=positive,
        help=f"utterances in a step (default: {layers.batch}; word vectors: {OF_WORDS.batch})",
    )
    add("--seed", type=seed, default=layers.seed)


def main(args: argparse.Namespace) -> int:
    """Adapt, write; says each round's loss."""
    from safetensors.torch import save

    if args.similarity == WORD_VECTORS and args.layers is not None:
        raise UserError(f"needs --similarity {SENTENCE_ENCODER}", "--layers")
    corpora = Corpora.of(args.data)
    if not corpora.natural:
        raise UserError("no utterance to learn from; without any, use untrained", str(args.data))
    pairing = corpora.usual(PairingConfig(seed=args.seed))
    usual = OF_WORDS if args.similarity == WORD_VECTORS else AdaptationConfig()
    given = {field.name: getattr(args, field.name, None) for field in fields(AdaptationConfig)}
    config = replace(usual, **{name: each for name, each in given.items() if each is not None})

    def report(number: int, loss: float) -> None:
        print(f"round {number} of {config.rounds}: loss {loss:.3f}", flush=True)

    def pair(known: WordVectors | EncoderStates) -> tuple[Scores, Scores]:
        return corpora.pair(known, pairing)

    if args.similarity == WORD_VECTORS:
        words = resources(WORD_VECTORS, args.data)
        assert isinstance(words, WordVectors)
        if not words.vectors:
            raise UserError("has no word vectors that could learn", str(args.data))
        words = adapt_words(words, *corpora.words, pair, config, report)
        found, learnt = words.kept(), f"vectors of {len(words.changed)} words"
    else:
        encoder = SentenceEncoder.load()
        encoder.last_layers(config.layers)  # so many there are
        encoder = adapt(
            encoder,
            corpora.natural,
            corpora.canonical,
            lambda encoder: pair(EncoderStates(encoder)),
            config,
            report,
        )
        found, learnt = save(encoder.changed), f"{config.layers} layers"
    with atomic_write(args.dest / ADAPTED, "wb") as file:
        file.write(found)
    print(
        f"{learnt} learnt from {len(corpora.natural)} utterances and "
        f"{len(corpora.canonical)} canonical utterances: {args.dest / ADAPTED}"
    )
    return 0
