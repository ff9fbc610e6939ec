"""What the noise costs: per sentence, and in epochs of the denoising auto-encoder.

    python benchmarks/noise.py DATA-BIN [--epochs 5] [--training-epochs 3]

First, CPU milliseconds per sentence for each kind of noise, from the text/ folder and the
embeddings of the data-bin. Epoch 1 computes distances, later epochs remember most of them.
Then real training: two models of the paper's size, one with mixed-source addition by Word
Mover's Distance and one without, take turns update by update; the CPU time of an epoch, its noise
included, by that of the other's epoch.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from fairseq_twostage import plugin

torch.set_num_threads(1)
plugin.load()

from fairseq_twostage.criterions.denoising import Denoising  # noqa: E402
from fairseq_twostage.models.dual_paraphraser import (  # noqa: E402
    DualParaphraser,
    DualParaphraserConfig,
)
from fairseq_twostage.noise.channels import (  # noqa: E402
    NoiseChain,
    NoiseConfig,
    build_noise,
    noise_generator,
)
from fairseq_twostage.noise.wmd import WordMoversDistance  # noqa: E402
from fairseq_twostage.tasks.unsupervised_paraphrase import (  # noqa: E402
    UnsupervisedParaphraseConfig,
    UnsupervisedParaphraseTask,
)

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
    parser.add_argument("--training-epochs", type=int, default=3, help="0: no training")
    args = parser.parse_args()
    start = time.process_time()
    import ot.lp.emd_wrap  # noqa: F401

    print(f"import of the solver, once per run: {time.process_time() - start:.2f} s")
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
        print(line, flush=True)

    start = time.process_time()
    nearest = wmd.nearest_all(corpora.sentences["nl"], sorted(set(corpora.sentences["cf"])))
    print(
        f"nearest of all distinct canonical sentences for all {len(nearest)} natural ones: "
        f"{time.process_time() - start:.2f} s"
    )
    if args.training_epochs:
        train(args.data_bin, args.training_epochs)


def train(data_bin: Path, epochs: int) -> None:
    """Epochs of the denoising auto-encoder with and without addition, taking turns."""
    Training(data_bin, no_add=True)  # what the first of several takes longer
    start = time.process_time()
    with_addition = Training(data_bin, no_add=False)
    middle = time.process_time()
    without = Training(data_bin, no_add=True)
    extra = 2 * middle - start - time.process_time()
    print(f"preparing a training run takes {extra:.2f} s more with addition")
    print(f"{'epoch of training':20}{'with':>10}{'without':>10}{'ratio':>8}")
    for epoch in range(1, epochs + 1):
        seconds = [0.0, 0.0]
        for number in range(with_addition.begin(epoch)):
            if number == 0:
                without.begin(epoch)
            for which, training in enumerate((with_addition, without)):
                before = time.process_time()
                training.update(number)
                seconds[which] += time.process_time() - before
        ratio = seconds[0] / seconds[1]
        print(f"{epoch:<20}{seconds[0]:9.2f}s{seconds[1]:9.2f}s{ratio:8.2f}", flush=True)


class Training:
    """A denoising auto-encoder of the paper's size at the beginning of its training."""

    def __init__(self, data_bin: Path, no_add: bool) -> None:
        torch.manual_seed(1)
        config = UnsupervisedParaphraseConfig(
            data=str(data_bin), no_add=no_add, cpu=True, seed=1, best_checkpoint_metric="loss"
        )
        task = UnsupervisedParaphraseTask(config)
        task.load_dataset("train")
        self.dataset = task.datasets["train"]
        self.model = DualParaphraser.build_model(DualParaphraserConfig(), task)
        self.objective = Denoising()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.001)

    def begin(self, epoch: int) -> int:
        """Draw the epoch's order; the number of its updates."""
        self.dataset.set_epoch(epoch)
        return -(-len(self.dataset) // BATCH)

    def update(self, number: int) -> None:
        """One optimiser step, noise included."""
        rows = range(BATCH * number, min(BATCH * (number + 1), len(self.dataset)))
        batch = self.dataset.collater([self.dataset[row] for row in rows])
        loss = self.objective(self.model, batch).loss / batch["nsentences"]
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()


if __name__ == "__main__":
    main()
