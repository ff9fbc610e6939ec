"""``twostage pair``: pseudo-pairs of a data-bin's X and Z by balanced assignment, no label."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from fairseq_twostage.cli.options import integer, real, seed, share
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.pipeline import PRIOR, parse_weights
from fairseq_twostage.pairing.corpora import MASSES, Corpora
from fairseq_twostage.pairing.features import ADAPTED, SIMILARITIES, resources
from fairseq_twostage.pairing.index import ANCHORS
from fairseq_twostage.pairing.pseudo_pairs import (
    PAIRS,
    PairingConfig,
    confident_pairs,
    write_pairs,
)
from fairseq_twostage.pairing.scores import Scores, whole_matrix
from fairseq_twostage.pairing.similarity import Matrix
from fairseq_twostage.pairing.transport import EVEN_BALANCE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    defaults = PairingConfig()
    add("--data", type=Path, required=True, help="data-bin of twostage prepare")
    add("--dest", type=Path, required=True, help=f"folder for {PAIRS}: x, z, weight")
    add(
        "--similarity",
        choices=SIMILARITIES,
        default="word_vectors",
        help="what is known before: the data-bin's word vectors, or a pretrained sentence encoder",
    )
    add(
        "--encoder",
        type=Path,
        help="folder of twostage adapt: encoder or word vectors as they were adapted to the domain",
    )
    add(
        "--anchors",
        nargs="*",
        choices=ANCHORS,
        default=list(ANCHORS),
        help="what both utterances of a pair should hold; with no name nothing (default: all)",
    )
    add(
        "--mass",
        choices=MASSES,
        help="how much of X each distinct z takes: as often as it stands in Z (default in the "
        "setting paper), or all the same (default in the setting grammar)",
    )
    add(
        "--balance",
        type=share,
        help="share of the transport's potentials that is kept, 0 to 1 "
        f"(default: 1 with --mass frequency, {EVEN_BALANCE} with uniform)",
    )
    add(
        "--rounds",
        type=integer(0),
        help=f"of word translation (default: {defaults.rounds} with --mass frequency, 0 with "
        "uniform: without frequencies to hold them they drift)",
    )
    add("--temperature", type=real(0, above=True), default=defaults.temperature)
    add("--translation-weight", type=real(0), default=defaults.translation_weight)
    add(
        "--min-confidence",
        type=share,
        default=defaults.min_confidence,
        help="leave out pairs less probable than this (default: %(default)s); impossible ones are "
        "always left out",
    )
    add(
        "--paraphraser",
        help="self-training: its checkpoint judges the pairs in place of similarity and words",
    )
    add(
        "--features",
        default="forward=1,dual=0.3",
        help="how --paraphraser judges, names and weights as in twostage evaluate --rerank "
        "(default: %(default)s)",
    )
    add("--seed", type=seed, default=defaults.seed)


def main(args: argparse.Namespace) -> int:
    """Read X and Z, pair, write; says how many pairs and how sure they are."""
    corpora = Corpora.of(args.data, args.mass)
    natural, canonical = corpora.natural, corpora.canonical
    usual = corpora.usual(PairingConfig())
    config = PairingConfig(
        temperature=args.temperature,
        balance=usual.balance if args.balance is None else args.balance,
        rounds=usual.rounds if args.rounds is None else args.rounds,
        translation_weight=args.translation_weight,
        min_confidence=args.min_confidence,
        seed=args.seed,
    )
    adapted = None if args.encoder is None else args.encoder / ADAPTED
    if args.paraphraser:
        posterior: Scores = judged_by_model(args, corpora, config.balance, adapted)
    else:
        known = resources(args.similarity, args.data, args.anchors, adapted)
        posterior, _ = corpora.pair(known, config)
    pairs = confident_pairs(natural, canonical, posterior, config.min_confidence)
    if not pairs:
        raise UserError(f"{config.min_confidence:g} leaves no pair", "--min-confidence")
    write_pairs(args.dest / PAIRS, pairs)
    covered = len({pair.utterance for pair in pairs})
    used = len({pair.canonical for pair in pairs})
    print(
        f"{len(pairs)} pairs of {covered} of {len(set(natural))} utterances with {used} of "
        f"{len(canonical)} canonical utterances: {args.dest / PAIRS}"
    )
    return 0


def judged_by_model(
    args: argparse.Namespace, corpora: Corpora, balance: float, adapted: Path | None
) -> Matrix:
    """The balanced posterior of a trained paraphraser, where its two directions agree.

    Returns:
        ``(x, z)``; rows are zero where the best z by ``P(z | x)`` and by ``P(x | z)``, each
        balanced, are not the same.
    """
    from fairseq_twostage import plugin

    plugin.load()
    from fairseq_twostage.inference.checkpoints import load_paraphraser
    from fairseq_twostage.inference.loading import directions, fitted_similarity
    from fairseq_twostage.models.dual_paraphraser import DualParaphraser

    weights = parse_weights(args.features, "--features")
    model = load_paraphraser(args.paraphraser, str(args.data))
    if not isinstance(model, DualParaphraser):
        raise UserError(
            f"needs a model of both directions, not a {type(model).__name__}", "--paraphraser"
        )
    both = directions(model)
    natural, canonical = corpora.natural, corpora.canonical
    forward = both["forward"].log_probs(natural, canonical)
    dual = both["dual"].log_probs(canonical, natural).T
    lengths = np.array([len(line.split()) + 1.0 for line in canonical])
    views = {"forward": forward, "forward_mean": forward / lengths, "dual": dual}
    for name in weights.keys() & set(SIMILARITIES):
        encoder = None if adapted is None or name != args.similarity else str(adapted)
        similarity = fitted_similarity(name, args.data, encoder=encoder)
        views[name] = np.stack([similarity.scores(x) for x in similarity.read(natural)])

    def posterior(weights: Mapping[str, float]) -> Matrix:
        scores = sum(weight * views[name] for name, weight in weights.items() if name != PRIOR)
        return whole_matrix(corpora.balanced(np.asarray(scores), balance).posterior)

    forth, back = (posterior({name: 1.0}).argmax(axis=1) for name in ("forward", "dual"))
    return posterior(weights) * (forth == back)[:, None]
