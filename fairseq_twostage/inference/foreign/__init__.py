"""Texts that are of no domain of one's own: what people ask machines, and made-up domains.

``general.txt`` has a text a line. ``topics.tsv`` has for each of some sixty matters a noun, its
plural, a number it has, two conditions and a verb with what it leads to; ``frames.txt`` puts these
into the sentences of database questions. All of them were written for this purpose.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent
FIELDS = ("noun", "plural", "number", "with", "that", "verb", "other")
FRAMES_A_TOPIC = 10
RUBBISH = 40
SEED = 1


def foreign_texts() -> list[str]:
    """General questions, questions about other matters, and rubbish; always the same."""
    draw = random.Random(SEED)
    frames = _lines("frames.txt")
    made = [
        frame.format(**topic) for topic in topics() for frame in draw.sample(frames, FRAMES_A_TOPIC)
    ]
    return [*_lines("general.txt"), *made, *(_rubbish(draw) for _ in range(RUBBISH))]


def foreign_conditions() -> list[str]:
    """Conditions of other matters, as they stand behind a noun."""
    found = []
    for topic in topics():
        found += [topic["with"], topic["that"], f"that {topic['verb']} a {topic['other']}"]
    return found


def topics() -> Iterator[dict[str, str]]:
    """The matters, each a value for every one of ``FIELDS``."""
    for line in _lines("topics.tsv"):
        yield dict(zip(FIELDS, line.split("\t"), strict=True))


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def _rubbish(draw: random.Random) -> str:
    words = range(draw.randint(1, 6))
    return " ".join(
        "".join(draw.choices(string.ascii_lowercase, k=draw.randint(2, 8))) for _ in words
    )
