"""CPU milliseconds that the noise takes per sentence, with and without Word Mover's Distance.

    python benchmarks/noise.py data-bin/calendar [--epochs 5] [--update-ms 75]

Reads the text/ folder and the embeddings of a data-bin. Epoch 1 computes distances
("cold"), later epochs remember most of them ("warm"). An update of the denoising
auto-encoder noises 16 sentences of each side; with ``--update-ms``, the time of an update with
no addition, the last column is the ratio that addition brings a whole epoch to.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fairseq_twostage.corpora.noise import NoiseChain, NoiseConfig, build_noise, noise_generator
from fairseq_twostage.corpora.wmd import WordMoversDistance

BATCH = 16


@dataclass
class Corpora:
    """Both sides as word ids, with the words' counts and vectors."""

    sentences: dict[str, list[tuple[int, ...]]]
    counts: dict[str, np.ndarray]
    vectors: np.ndarray
    known: np.ndarray


def read_corpora(data_bin: Path) -> Corpora:
    texts = {
        side: [line.split() for line in (data_bin / "text" / f"train.{side}").open(encoding="utf8")]
        for side in ("nl", "cf")
    }
    words = sorted({word for text in texts.values() for line in text for word in line})
    number = {word: i for i, word in enumerate(words)}
    with (data_bin / "embeddings.txt").open(encoding="utf8") as lines:
        width = int(next(lines).split()[1])
        vectors, known = np.zeros((len(words), width)), np.zeros(len(words), dtype=bool)
        for line in lines:
            word, *values = line.rstrip().split(" ")
            if word in number:
                vectors[number[word]], known[number[word]] = np.array(values, dtype=float), True
    sentences = {side: [tuple(number[w] for w in line) for line in texts[side]] for side in texts}
    counts = {
        side: np.bincount([w for line in lines for w in line], minlength=len(words))
        for side, lines in sentences.items()
    }
    return Corpora(sentences, counts, vectors, known)


def milliseconds(chains: dict[str, NoiseChain], corpora: Corpora, epoch: int) -> float:
    """Mean time to noise one sentence of one side, all sentences of both sides once."""
    start, visits = time.process_time(), 0
    for side, chain in chains.items():
        for index, sentence in enumerate(corpora.sentences[side]):
            chain(sentence, noise_generator(1, epoch, side, index))
            visits += 1
    return 1000 * (time.process_time() - start) / visits


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_bin", type=Path)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--update-ms", type=float, help="an update of the training without WMD")
    args = parser.parse_args()
    import ot.lp.emd_wrap  # noqa: F401  (seconds when PyTorch is there; not the noise's time)

    corpora = read_corpora(args.data_bin)
    sizes = {
        side: f"{len(lines)} ({len(set(lines))} distinct)"
        for side, lines in corpora.sentences.items()
    }
    print(
        f"{args.data_bin.name}: sentences {sizes}, {int(corpora.known.sum())} words with a vector"
    )
    start = time.process_time()
    wmd = WordMoversDistance(corpora.vectors, corpora.known)
    print(f"table of word distances: {time.process_time() - start:.2f} s")

    other = {"nl": "cf", "cf": "nl"}
    settings = {
        "no addition": NoiseConfig(add=False),
        "all": NoiseConfig(),
        "all, reference": NoiseConfig(reference=True),
        "all, distance from the noised": NoiseConfig(add_from_original=False),
    }
    without = 0.0
    print(
        f"{'noise':32}{'epoch 1':>10}{'epoch 2':>10}{f'epoch {args.epochs}':>10}  ms per sentence"
    )
    for name, config in settings.items():
        chains = {
            side: build_noise(config, corpora.counts[side], corpora.sentences[other[side]], wmd)
            for side in other
        }
        times = [milliseconds(chains, corpora, epoch) for epoch in range(1, args.epochs + 1)]
        line = f"{name:32}{times[0]:10.3f}{times[1]:10.3f}{times[-1]:10.3f}"
        if not config.add:
            without = float(np.mean(times))
        elif args.update_ms:
            extra = 2 * BATCH * (np.array(times) - without)
            cold, mean = 1 + extra[0] / args.update_ms, 1 + extra.mean() / args.update_ms
            line += f"  a DAE epoch x {cold:.2f} cold, x {mean:.2f} over {args.epochs} epochs"
        print(line, flush=True)

    start = time.process_time()
    nearest = wmd.nearest_all(corpora.sentences["nl"], sorted(set(corpora.sentences["cf"])))
    print(
        f"nearest of all distinct canonical sentences for all {len(nearest)} natural ones: "
        f"{time.process_time() - start:.2f} s"
    )


if __name__ == "__main__":
    main()
