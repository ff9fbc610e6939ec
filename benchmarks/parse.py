"""Latency, throughput, pruning and size of an exported parser, on one core.

    python benchmarks/parse.py DIR DATA_BIN [--candidates FILE] [--exhaustive N]

DIR is what ``twostage export`` wrote, DATA_BIN has the annotated rows whose utterances are asked,
each once, in their order; the first ones warm up. ``--candidates`` puts the canonical utterances of
a file (first column) in place of the domain's own, as ``twostage canonical`` prints them, to see
how time grows; no answer is meant by them. ``--exhaustive`` compares the ẑ that pruning finds with
the best of all candidates for the first N utterances. CPU time stands beside wall time, so that the
figures can be read on a busy machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.inference.candidates import Query, names_in
from fairseq_twostage.inference.reranking import Judge, Reranking
from fairseq_twostage.pairing.fitted import FittedSimilarity

WARM_UP = 40
SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--candidates", type=Path)
    parser.add_argument("--count", type=int, default=10_000, help="of --candidates, sampled")
    parser.add_argument("--splits", nargs="+", default=["test"], help="whose utterances are asked")
    parser.add_argument("--rows", type=int, default=1_000, help="utterances at most")
    parser.add_argument("--exhaustive", type=int, default=0, metavar="N")
    args = parser.parse_args()
    torch.set_num_threads(1)
    started = time.perf_counter()
    loaded = TwoStageParser.load(args.dir)
    size = sum(path.stat().st_size for path in args.dir.rglob("*"))
    print(f"loaded in {time.perf_counter() - started:.1f} s, {size / 1e6:.1f} MB")
    if args.candidates:
        loaded.first = with_candidates(loaded, args.candidates, args.count)
    if isinstance(loaded.first, Reranking):
        print(f"{len(loaded.first.candidates)} candidates")
    gold = [row for split in args.splits for row in read_gold(args.data, split)]
    rows = dict([(row.utterance, row.variables) for row in gold][: args.rows])
    utterances = [loaded.reader(text, variables) for text, variables in rows.items()]
    warm, asked = utterances[:WARM_UP], utterances[WARM_UP:]
    started = time.perf_counter()
    loaded.warm_up()
    print(f"warmed up in {time.perf_counter() - started:.1f} s")
    for utterance in warm:
        loaded.parse_utterances([utterance])
    walls, cpus = [], []
    for utterance in asked:
        wall, cpu = time.perf_counter(), time.process_time()
        loaded.parse_utterances([utterance])
        walls.append(1e3 * (time.perf_counter() - wall))
        cpus.append(1e3 * (time.process_time() - cpu))
    for name, times in (("wall", walls), ("CPU", cpus)):
        tenths = statistics.quantiles(times, n=10)
        print(f"one by one, {name}: p50 {tenths[4]:.1f} ms, p90 {tenths[8]:.1f} ms")
    wall, cpu = time.perf_counter(), time.process_time()
    loaded.parse_utterances(asked)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"in batches: {len(asked) / wall:.0f} a second, {len(asked) / cpu:.0f} a CPU second")
    if args.exhaustive and isinstance(loaded.first, Reranking):
        pruning(loaded.first, [each.tokens for each in utterances[: args.exhaustive]])


def with_candidates(parser: TwoStageParser, file: Path, count: int) -> Reranking:
    """The first stage with other candidates, and a logical form for each of them."""
    first = parser.first
    assert isinstance(first, Reranking)
    lines = [line.split("\t")[0] for line in file.read_text(encoding="utf-8").splitlines()]
    known = sorted({parser.reader.frontend.encode(line) for line in lines})
    candidates = sorted(random.Random(SEED).sample(known, min(count, len(known))))
    form = next(iter(parser.pairs.values()))
    parser.parse.certain.update(dict.fromkeys(candidates, form))
    return replace(
        first,
        candidates=candidates,
        prior=None,
        similarities={name: moved(each, candidates) for name, each in first.similarities.items()},
    )


def moved(similarity: FittedSimilarity, candidates: list[str]) -> FittedSimilarity:
    return replace(similarity, index=similarity.index_of(similarity.read(candidates)))


def pruning(first: Reranking, lines: list[str]) -> None:
    """How often the pruned search finds the best of all candidates, and what it looks at."""
    bare = replace(first, proposals=None)
    same, judged = 0, Counter[str]()
    models = {"direct": Judge.direct, "dual": Judge.dual}

    def counted(name: str) -> Callable[[Judge, Sequence[str]], list[float]]:
        def judge(self: Judge, candidates: Sequence[str]) -> list[float]:
            judged[name] += len(candidates)
            return models[name](self, candidates)

        return judge

    for name in models:
        setattr(Judge, name, counted(name))
    for line in lines:
        query = Query(line, names_in(line))
        (found,) = bare.search([query])
        best = next(found).text
        scores = bare.scores([line])[0]
        ranks = np.array([bare._rank(names_in(z), query.names) for z in bare.candidates])
        same += best == bare.candidates[np.lexsort((-scores, ranks))[0]]
    print(f"the same ẑ as without pruning: {same} of {len(lines)} utterances")
    means = ", ".join(f"{name} {count / len(lines):.0f}" for name, count in judged.items())
    print(f"candidates whose likelihood was computed, mean: {means}")


if __name__ == "__main__":
    main()
