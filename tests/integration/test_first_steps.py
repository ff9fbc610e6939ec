"""From nothing to a parser that answers, as the tutorial has it; one short run of everything."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.integration.commands import Forks

# A moment's training, with no package beyond the plain ones.
SHORT = (
    *("epochs.auxiliary=1", "epochs.pretrain=1", "epochs.cycle=1"),
    "stages.warm.options.max-epoch=1",
)


@pytest.mark.smoke
def test_a_domain_of_ones_own_is_built_scored_and_asked(forks: Forks, tmp_path: Path) -> None:
    shelter, data, runs = tmp_path / "shelter", tmp_path / "bin", tmp_path / "runs"
    forks("twostage", "init", shelter).ok()
    changes = [word for change in SHORT for word in ("--set", change)]
    build = (
        *("twostage", "build", shelter, "--config", "words_only", "--data", data),
        *("--runs", runs, "--output", tmp_path / "export", *changes),
    )
    built = forks(*build).ok().out.splitlines()
    rows = len((shelter / "test.tsv").read_text(encoding="utf-8").splitlines())
    last, untrained = built[-1], next(line for line in built if line.startswith("untrained_words"))
    assert untrained.startswith("untrained_words: denotation accuracy: ")
    assert last.startswith("denotation accuracy: ") and last.endswith(f" of {rows})")
    better = int(re.split(r"[( ]", untrained)[-3]) > int(re.split(r"[( ]", last)[-3])
    note = [line for line in built if line.startswith("note: untrained_words reads more of these")]
    assert len(note) == better and not any("kept from before" in line for line in built)

    typed = [line.split("\t")[0] for line in (shelter / "test.tsv").read_text().splitlines()]
    (tmp_path / "typed").write_text("".join(f"{text}\n" for text in typed))
    parses = forks(
        *("twostage", "parse", tmp_path / "export", "--file", tmp_path / "typed"),
        *("--format", "jsonl"),
    ).ok()
    (tmp_path / "parses.jsonl").write_text(parses.out)
    scored = forks(
        *("twostage", "score", "--hyp", tmp_path / "parses.jsonl", "--data", data),
        *("--split", "test"),
    ).ok()
    assert scored.out.splitlines()[-1] == last
    again = forks(*build).ok().out.splitlines()
    kept = "lm.nl, lm.cf, style, parser, dae, pairs.word_vectors, warm.word_vectors"
    assert f"  kept from before: {kept}, cycle.word_vectors" in again and again[-1] == last
    records = [json.loads(line) for line in parses.out.splitlines()]
    assert len(records) == rows and all(record["readings"][0]["canonical"] for record in records)
