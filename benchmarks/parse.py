"""Latency and throughput of an exported parser, on one core.

    python benchmarks/parse.py DIR FILE

DIR is what ``twostage export`` wrote, FILE holds an utterance per line (at least a hundred, for
example a data-bin's text/valid.nl). CPU time is counted, so that the figures hold on a busy
machine; wall time stands beside it. "Known": ŷ of every ẑ is remembered beforehand; "new":
nothing is. "Through fairseq's generator" is the same work by fairseq's own beam search.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

from fairseq_twostage.decoding.beam import beam_search
from fairseq_twostage.decoding.stage import BeamStage, Hypothesis
from fairseq_twostage.decoding.two_stage import two_stage_parse
from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.inference.memory import ParseMemory
from fairseq_twostage.inference.plain_models import Sizes
from fairseq_twostage.models.fairseq_adapters import FairseqBiLSTMEncoder, FairseqLSTMDecoder
from fairseq_twostage.models.naive_parser import NaiveParser

KNOWN_MS, NEW_MS, PER_SECOND = 25.0, 80.0, 200.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--count", type=int, default=200, help="at most so many (default: 200)")
    args = parser.parse_args()
    torch.set_num_threads(1)
    started = time.perf_counter()
    loaded = TwoStageParser.load(args.dir)
    print(
        f"loaded in {1e3 * (time.perf_counter() - started):.0f} ms, beam {loaded.parse_stage.beam}"
    )
    lines = args.file.read_text(encoding="utf-8").splitlines()
    texts = list(dict.fromkeys(lines))[: args.count]  # equal lines are decoded once
    forget = fresh(loaded)
    loaded.parse_batch(texts)  # from here on every ŷ is remembered

    known = latency("known", lambda text: loaded(text), texts, KNOWN_MS)
    forget()
    new = latency("new", lambda text: (forget(), loaded(text)), texts, NEW_MS)
    slow = latency("through fairseq's generator", fairseq_parser(loaded), texts[:60])
    print(f"new, in fairseq's time: {new / slow:.2f}; known, in new's time: {known / new:.2f}")

    def new_batch() -> None:
        forget()
        loaded.parse_batch(texts)

    new_batch()
    throughput("batch, nothing known beforehand", new_batch, len(texts))
    throughput("batch, all known", lambda: loaded.parse_batch(texts), len(texts))
    reference = fairseq_parser(loaded)
    throughput("batch, through fairseq's generator", lambda: reference(*texts), len(texts))


def fresh(parser: TwoStageParser) -> Callable[[], None]:
    """Make the parser forget every ŷ."""

    def forget() -> None:
        parser.parse = ParseMemory(parser.parse_stage.scored)

    return forget


class FairseqStage(BeamStage):
    """A stage that is searched by fairseq."""

    def _search(self, lines: Sequence[str]) -> list[list[Hypothesis]]:
        model = NaiveParser(self.encoder, self.decoder)
        words = self.decoder.dictionary
        found = beam_search([model], words, self._tokens(lines), self.beam, self.limit)
        return [
            [Hypothesis(self._text(ids.tolist()), score) for ids, score in each] for each in found
        ]


def fairseq_parser(parser: TwoStageParser) -> Callable[..., object]:
    """The two stages by fairseq's search."""

    def searched(stage: BeamStage) -> BeamStage:
        sizes = Sizes.of(stage.encoder, stage.decoder)
        read, written = stage.encoder.dictionary, stage.decoder.dictionary
        embedding = stage.encoder.embedding
        encoder = FairseqBiLSTMEncoder(read, embedding, sizes.hidden_dim, 0.0)
        decoder = FairseqLSTMDecoder(
            written,
            stage.decoder.embedding,
            sizes.hidden_dim,
            encoder.output_dim,
            0.0,
            sizes.attention_bias,
            sizes.bottleneck_dim,
        )
        encoder.load_state_dict(stage.encoder.state_dict())
        decoder.load_state_dict(stage.decoder.state_dict())
        return FairseqStage(encoder, decoder, stage.beam, stage.limit)

    stages = searched(parser.paraphrase), searched(parser.parse_stage)
    return lambda *texts: list(
        two_stage_parse([parser.reader(text).tokens for text in texts], *stages)
    )


def latency(
    name: str, parse: Callable[[str], object], texts: Sequence[str], limit: float | None = None
) -> float:
    """Print the median and the 95th percentile of the time per text; returns the median in ms."""
    cpu, wall = [], []
    for text in texts:
        times = time.process_time(), time.perf_counter()
        parse(text)
        cpu.append(1e3 * (time.process_time() - times[0]))
        wall.append(1e3 * (time.perf_counter() - times[1]))
    median = statistics.median(cpu)
    bound = f" (at most {limit:.0f})" if limit else ""
    print(
        f"{name}: p50 {median:.1f} ms{bound}, p95 {statistics.quantiles(cpu, n=20)[-1]:.1f} ms; "
        f"wall p50 {statistics.median(wall):.1f} ms"
    )
    return median


def throughput(name: str, work: Callable[[], object], count: int) -> None:
    """Print utterances per second."""
    times = time.process_time(), time.perf_counter()
    work()
    cpu, wall = time.process_time() - times[0], time.perf_counter() - times[1]
    print(
        f"{name}: {count / cpu:.0f} per second (wall {count / wall:.0f}; at least {PER_SECOND:.0f})"
    )


if __name__ == "__main__":
    main()
