"""How well a database's parser stands other words: known questions, said otherwise by a program.

``python -m research.paraphrases EXPORT`` draws known questions of an exported parser, says each in
other words that English has for it whatever the database is about, and compares the answers with
those of the known questions. No label and no person is needed. A wording may sound odd, or mean
something else by chance, so the counts tell versions of the code apart, and are no accuracy.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.text.word_forms import one_of

RIGHT, WRONG, REFUSED = "right", "wrong", "refused"
_THING = r"(?P<t>{things})"
_VALUE = r"(?P<n>\d[\w.,]*)"
_OF = r"(?P<x>(?!.*\b(?:that|or|but)\b).+)"

FRAMES: Mapping[str, tuple[str, str]] = {
    "all": (
        rf"what are the {_THING}",
        "list all {t}|show me every {s}|all {t}|give me all the {t}|which {t} do we have|{t}|"
        "list the {t} we have|what {t} exist|i want a list of the {t}|name all {t}",
    ),
    "how many of all": (
        rf"how many {_THING} are there",
        "how many {t} do we have|number of {t}|count {t}|total number of {t}|how many {t} exist|"
        "how many different {t} are there|tell me the number of {t}|how many {t} altogether",
    ),
    "of a named thing": (
        rf"which {_THING} are (?:of|in|from) {_OF}",
        "show me the {t} of {x}|list all {t} for {x}|{t} for {x}|{t} of {x}|{t} linked to {x}|"
        "which {t} belong to {x}|i'd like to see the {t} of {x}|display {t} of {x}|"
        "all {t} from {x}|give me a list of {t} for {x}|{t} associated with {x}|"
        "can you tell me the {t} for {x}",
    ),
    "how many such": (
        rf"how many {_THING} (?P<v>are|have) (?P<x>(?!there).+)",
        "number of {t} that {v} {x}|count the {t} that {v} {x}|tell me how many {t} {v} {x}|"
        "how many {t} are there that {v} {x}|can you count the {t} which {v} {x}|"
        "how many of the {t} {v} {x}|what's the count of {t} that {v} {x}",
    ),
    "none": (
        rf"which {_THING} have no (?P<x>.+)",
        "{t} without {x}|{t} with no {x}|which {t} don't have any {x}|list {t} lacking {x}|"
        "which {t} do not have {x}|show the {t} that have not got any {x}|{t} that have no {x}",
    ),
    "such": (
        rf"which {_THING} are (?P<a>(?!(?:of|in|from|not|named|there|more|less)\b)[a-z-]+)",
        "{a} {t}|all {a} {t}|{t} that are {a}|list {a} {t}|what {a} {t} are there|every {a} {s}|"
        "which of the {t} are {a}|do we have {a} {t}? which ones|all the {a} {t} please",
    ),
    "not such": (
        rf"which {_THING} are not (?P<a>[a-z-]+)",
        "{t} that aren't {a}|which {t} aren't {a}|list {t} which are not {a}|"
        "which of the {t} are not {a}|{t} excluding the {a} ones",
    ),
    "above": (
        rf"which {_THING} have (?P<p>[a-z ]+?) above {_VALUE}",
        "{t} with {p} over {n}|{t} with a {p} greater than {n}|{t} whose {p} is above {n}|"
        "{t} where the {p} exceeds {n}|which {t} have a {p} higher than {n}|{t} with {p} > {n}|"
        "list {t} with {p} exceeding {n}|{t} that have a {p} in excess of {n}",
    ),
    "below": (
        rf"which {_THING} have (?P<p>[a-z ]+?) below {_VALUE}",
        "{t} with {p} under {n}|which {t} have {p} of less than {n}|{t} with {p} < {n}|"
        "{t} whose {p} is below {n}|which {t} have a {p} lower than {n}",
    ),
    "highest": (
        r"which (?P<s>{singulars}) has the highest (?P<p>(?!.*\bof\b).+)",
        "{s} with the highest {p}|the {s} with the greatest {p}|which {s} has the largest {p}|"
        "which {s} has the maximum {p}|show me the {s} with the top {p}|highest {p} {s}|"
        "tell me the {s} that has the highest {p}|find the {s} with maximum {p}",
    ),
    "most things": (
        r"which (?P<s>{singulars}) has the most (?P<t>{things})",
        "{s} with the most {t}|which {s} has the highest number of {t}|the {s} with most {t}|"
        "which {s} has more {t} than any other|which {s} has the greatest number of {t}",
    ),
    "property": (
        r"what is the (?P<p>(?!average|total|highest|lowest)[a-z ]+?) of "
        r"(?P<x>(?!.*(?:{things}))(?!.*\b(?:the|that)\b).+)",
        "{x}'s {p}|{p} of {x}|what {p} does {x} have|tell me the {p} of {x}|what's {x}'s {p}|"
        "give me the {p} for {x}|could you tell me what {p} {x} has|i want to know the {p} of {x}",
    ),
    "average or total": (
        rf"what is the (?P<m>average|total) (?P<p>[a-z ]+?) of {_THING}",
        "{m} {p} of {t}|{m} {p} across all {t}|what's the {m} {p} for {t}|"
        "compute the {m} {p} of {t}|give me the {m} {p} of all {t}|{m} {s} {p}|"
        "the {m} {p} of the {t} please",
    ),
    "of each": (
        rf"how many {_THING} (?:are there )?(?:for each|per) (?P<d>[a-z ]+)",
        "{t} per {d}|number of {t} per {d}|{t} by {d}|how many {t} for every {d}|{t} count per {d}|"
        "for each {d}, how many {t} are there|group the {t} by {d} and count them",
    ),
    "whether": (
        r"is (?P<x>(?!there)[a-z]+ [a-z]+) (?P<a>[a-z-]+)",
        "is it true that {x} is {a}|can you tell me whether {x} is {a}|{x} is {a}, right?|"
        "is {x} {a} or not?",
    ),
}
"""Known questions, and how else each is said: things ``t``, one of them ``s``."""


@dataclass(frozen=True)
class Said:
    """A known question in other words.

    Attributes:
        frame: key of :data:`FRAMES`.
        question: as it is known, with names.
        other: the same otherwise.
    """

    frame: str
    question: str
    other: str


def main() -> None:
    """Print how each frame comes out, and what was answered wrongly."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments.add_argument("export", type=Path)
    arguments.add_argument("--each", type=int, default=3, metavar="N", help="questions of a frame")
    arguments.add_argument("--seed", type=int, default=1)
    args = arguments.parse_args()
    parser = TwoStageParser.load(args.export)
    counts: dict[str, Counter[str]] = {}
    answers: dict[str, str] = {}
    for said in otherwise(parser, args.each, args.seed):
        if said.question not in answers:
            answers[said.question] = _answer(parser, said.question)
        if not answers[said.question]:
            continue
        parse = parser(said.other)
        found = _answer(parser, said.other) if parse.verdict.understood else ""
        result = REFUSED if not found else RIGHT if found == answers[said.question] else WRONG
        counts.setdefault(said.frame, Counter())[result] += 1
        if result == WRONG:
            print(f"{said.other}\n    {parse.readings[0].canonical}; meant: {said.question}")
    table = pd.DataFrame(counts).T.reindex(columns=[RIGHT, WRONG, REFUSED]).fillna(0).astype(int)
    table.loc["all frames"] = table.sum()
    print(table.to_markdown())


def otherwise(parser: TwoStageParser, each: int, seed: int) -> Iterator[Said]:
    """Known questions in other words, ``each`` of a frame at most."""
    known = [*parser.canonical_utterances]
    random.Random(seed).shuffle(known)
    things = _things(known)
    singulars = {one_of(thing): thing for thing in things}
    for frame, (pattern, wordings) in FRAMES.items():
        matches = re.compile(
            pattern.replace("{things}", _either(things)).replace("{singulars}", _either(singulars))
        )
        drawn = 0
        for line in known:
            question = parser.reader.with_examples(line) if drawn < each else None
            found = matches.fullmatch(question) if question else None
            if question is None or found is None:
                continue
            drawn += 1
            parts = found.groupdict()
            if "t" in parts:
                parts.setdefault("s", one_of(parts["t"]))
            for wording in wordings.split("|"):
                yield Said(frame, question, wording.format(**parts))


def _things(known: Sequence[str]) -> list[str]:
    found = (re.fullmatch(r"which ([a-z ]+) are there", line) for line in known)
    return sorted({each[1] for each in found if each is not None}, key=len, reverse=True)


def _either(words: Sequence[str] | Mapping[str, str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True)) or "(?!)"


def _answer(parser: TwoStageParser, question: str) -> str:
    """The answer in print; empty where the question is refused or nothing is found."""
    parse = parser(question)
    if not parse.verdict.understood or not parse.readings:
        return ""
    shown = str(parse.readings[0].answer.shown)
    return "" if shown == "(list)" else shown


if __name__ == "__main__":
    main()
