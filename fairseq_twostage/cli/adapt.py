"""``twostage adapt``: the sentence encoder learns a domain from X and Z, without a label."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from fairseq_twostage.cli.options import positive, real, seed
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import atomic_write
from fairseq_twostage.models.sentence_encoder import SentenceEncoder
from fairseq_twostage.pairing.adaptation import AdaptationConfig, adapt
from fairseq_twostage.pairing.corpora import Corpora
from fairseq_twostage.pairing.features import ADAPTED, EncoderStates
from fairseq_twostage.pairing.pseudo_pairs import PairingConfig
from fairseq_twostage.pairing.scores import Scores


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    defaults = AdaptationConfig()
    add("--data", type=Path, required=True, help="data-bin of twostage prepare")
    add("--dest", type=Path, required=True, help=f"folder for {ADAPTED}: the layers it learns")
    add(
        "--rounds",
        type=positive,
        default=defaults.rounds,
        help="of pairing X with Z and learning the pairs (default: %(default)s)",
    )
    add(
        "--steps",
        type=positive,
        default=defaults.steps,
        help="of learning in a round (default: %(default)s)",
    )
    add(
        "--layers",
        type=positive,
        default=defaults.layers,
        help="how many of the encoder's last layers learn (default: %(default)s)",
    )
    add("--rate", type=real(0, above=True), default=defaults.rate, help="learning rate")
    add("--batch", type=positive, default=defaults.batch, help="utterances in a step")
    add("--seed", type=seed, default=defaults.seed)


def main(args: argparse.Namespace) -> int:
    """Adapt, write; says each round's loss."""
    from safetensors.torch import save

    corpora = Corpora.of(args.data)
    if not corpora.natural:
        raise UserError("no utterance to learn from; without any, use untrained", str(args.data))
    pairing = corpora.usual(PairingConfig(seed=args.seed))
    names = {field.name for field in fields(AdaptationConfig)} & set(vars(args))
    config = AdaptationConfig(**{name: getattr(args, name) for name in names})
    encoder = SentenceEncoder.load()
    encoder.last_layers(config.layers)  # so many there are

    def pair(encoder: SentenceEncoder) -> tuple[Scores, Scores]:
        return corpora.pair(EncoderStates(encoder), pairing)

    def report(number: int, loss: float) -> None:
        print(f"round {number} of {config.rounds}: loss {loss:.3f}", flush=True)

    found = adapt(encoder, corpora.natural, corpora.canonical, pair, config, report)
    with atomic_write(args.dest / ADAPTED, "wb") as file:
        file.write(save(found.changed))
    print(
        f"{config.layers} layers learnt from {len(corpora.natural)} utterances and "
        f"{len(corpora.canonical)} canonical utterances: {args.dest / ADAPTED}"
    )
    return 0
