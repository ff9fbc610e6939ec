"""What a closed list costs: beam search held to a prefix trie beside free beam search.

    python benchmarks/constraints.py [--sizes 600 100000] [--beam 5] [--rounds 5]

A random model of the paper's sizes writes over the words of the list; inputs and dictionary
are the same for both searches, which stop at the same length. Best of ``--rounds``.
"""

from __future__ import annotations

import argparse
import time
from types import SimpleNamespace

import numpy as np
import torch
from fairseq.data import Dictionary, data_utils

from fairseq_twostage import plugin

plugin.load()

from fairseq_twostage.decoding.constraints import PrefixTrie  # noqa: E402
from fairseq_twostage.decoding.lean import LengthLimit  # noqa: E402
from fairseq_twostage.decoding.patient_beam import patient_hypotheses  # noqa: E402
from fairseq_twostage.models.dual_paraphraser import (  # noqa: E402
    DualParaphraser,
    DualParaphraserConfig,
)

WORDS, LENGTH, INPUTS = 150, 12, 64


def sentences(count: int, words: Dictionary, random: np.random.Generator) -> list[list[int]]:
    """Canonical-like sentences: few words may follow each, as in a grammar's language."""
    followers = random.integers(words.nspecial, len(words), size=(len(words), 6))
    found: dict[tuple[int, ...], None] = {}
    while len(found) < count:
        sentence = [int(random.integers(words.nspecial, len(words)))]
        for _ in range(int(random.integers(5, LENGTH))):
            sentence.append(int(followers[sentence[-1], random.integers(6)]))
        found[(*sentence, words.eos())] = None
    return [list(sentence) for sentence in found]


def build_model(words: Dictionary) -> DualParaphraser:
    torch.manual_seed(0)
    task = SimpleNamespace(
        cfg=SimpleNamespace(data="none"),
        dictionaries=dict.fromkeys(("utterance", "nl", "cf"), words),
    )
    config = DualParaphraserConfig(embeddings="none")
    return DualParaphraser.build_model(config, task).eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[600, 100_000])
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(1)
    random = np.random.default_rng(0)
    words = Dictionary()
    for number in range(WORDS):
        words.add_symbol(f"w{number}")
    model = build_model(words)
    decoder = model.decoder("cf")
    rows = [torch.tensor(s) for s in sentences(INPUTS, words, random)]
    memory = model.memory(data_utils.collate_tokens(rows, words.pad()), "cf")
    for size in args.sizes:
        known = sentences(size, words, random)
        started = time.perf_counter()
        trie = PrefixTrie(known)
        built = time.perf_counter() - started
        times: dict[str, list[float]] = {"free": [], "held": []}
        with torch.no_grad():
            for _ in range(args.rounds):
                for name, constraint in (("free", None), ("held", trie)):
                    started = time.perf_counter()
                    found = patient_hypotheses(
                        decoder, memory, args.beam, LengthLimit(0.0, LENGTH), constraint
                    )
                    times[name].append(time.perf_counter() - started)
        held = {tuple(sentence) for sentence in known}
        assert all(tuple(words) in held for row in found for words, _ in row)
        free, constrained = min(times["free"]), min(times["held"])
        print(
            f"{size} sentences: trie in {built:.2f} s; beam {args.beam}, {INPUTS} inputs: "
            f"free {1000 * free:.0f} ms, held {1000 * constrained:.0f} ms, "
            f"ratio {constrained / free:.2f}"
        )


if __name__ == "__main__":
    main()
