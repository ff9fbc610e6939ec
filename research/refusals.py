"""``python -m research.refusals``: names and conditions that are not known, and typing mistakes.

Fifty cases each, made of utterances of X: a name put in that no lexicon has, a condition of another
matter put in, one letter of a name changed. It prints each case with what was said about it, to be
read one by one, and how many were handled: unknown names and conditions refused, a misspelt name
read as itself or offered.
"""

from __future__ import annotations

import argparse
import random
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fairseq_twostage.cli.parse import hush
from fairseq_twostage.databin.folder import data_bin_lines
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_lines
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.parses import Parse
from fairseq_twostage.systems.opening import open_parser
from fairseq_twostage.text.placeholders import is_placeholder, parts_of
from research import in_one_line

FOREIGN = Path(__file__).parent / "foreign"
CASES = 50
SEED = 1


class Case(NamedTuple):
    """A question, and where a name was misspelt, its phrase and its constant."""

    kind: str
    text: str
    phrase: str = ""
    constant: str = ""

    def handled(self, parse: Parse) -> bool:
        """Whether what is not known was said, or what was misspelt found."""
        if not self.phrase:
            return not parse.verdict.understood
        utterance = parse.utterance
        offered = {name for names in utterance.similar.values() for name in names}
        return self.constant in utterance.variables.values() or self.phrase in offered


def main(argv: list[str] | None = None) -> None:
    """Make the cases of a parser's domain and ask them."""
    parser = argparse.ArgumentParser(prog="python -m research.refusals", description=__doc__)
    parser.add_argument("dir", type=Path, help="exported parser, or a run folder")
    parser.add_argument("--system", help="of a run folder that has several")
    parser.add_argument("--data", type=Path, required=True, help="its data-bin")
    args = parser.parse_args(argv)
    hush()
    opened = open_parser(args.dir, args.data, args.system)
    counts: dict[str, list[bool]] = {}
    for case in cases(opened, args.data):
        (parse,) = opened.parse_batch([case.text])
        ok = case.handled(parse)
        counts.setdefault(case.kind, []).append(ok)
        said = parse.verdict.refused_because or parse.canonical
        print(f"{'' if ok else 'NOT HANDLED '}{case.kind}: {case.text} | {said}")
    for kind, found in counts.items():
        print(f"{opened.domain}, {kind}: {sum(found)} of {len(found)} handled")


def cases(parser: TwoStageParser, data: Path) -> Iterator[Case]:
    """The cases.

    Raises:
        UserError: no utterance has a name.
    """
    draw = random.Random(SEED)
    lexicon = parser.reader.frontend.lexicon
    phrases: dict[str, list[tuple[str, str]]] = {}
    for entry in lexicon.entries if lexicon else ():
        phrases.setdefault(entry.type, []).append((entry.phrase, entry.constant))
    lines = sorted(
        line
        for line in set(data_bin_lines(data / "text" / "train.nl"))
        if {parts_of(word)[0] for word in line.split() if is_placeholder(word)}
        <= phrases.keys()  # numbers and dates are no names
    )
    named = [line for line in lines if sum(map(is_placeholder, line.split())) == 1]
    if not named:
        raise UserError("no utterance with one name", str(data))
    decode = parser.reader.frontend.tokeniser.decode
    for name in list(read_lines(FOREIGN / "names.txt"))[:CASES]:
        yield Case("unknown name", _filled(decode(draw.choice(named)), name))
    for condition in list(read_lines(FOREIGN / "conditions.txt"))[:CASES]:
        line = decode(draw.choice(lines)).removesuffix("?").strip()
        filled = _filled(line, None, phrases, draw)
        yield Case("unknown condition", f"{filled} {condition}")
    for _ in range(CASES):
        line = decode(draw.choice(named))
        (type,) = (parts_of(word)[0] for word in line.split() if is_placeholder(word))
        phrase, constant = draw.choice([each for each in phrases[type] if len(each[0]) > 3])
        yield Case("misspelt name", _filled(line, _misspelt(phrase, draw)), phrase, constant)


def _filled(
    line: str,
    name: str | None,
    phrases: dict[str, list[tuple[str, str]]] | None = None,
    draw: random.Random | None = None,
) -> str:
    """The line with its placeholders filled by the name, or by the lexicon's names."""
    words = line.split()
    for place, word in enumerate(words):
        if is_placeholder(word):
            if name is None and phrases is not None and draw is not None:
                words[place], _ = draw.choice(phrases[parts_of(word)[0]])
            else:
                words[place] = name or ""
    return " ".join(words)


def _misspelt(phrase: str, draw: random.Random) -> str:
    """One letter left out, doubled, exchanged with the next, or another one; not the first."""
    places = [at for at in range(1, len(phrase) - 1) if phrase[at].isalpha()]
    at = draw.choice(places)
    kind = draw.randrange(4)
    if kind == 0:
        return phrase[:at] + phrase[at + 1 :]
    if kind == 1:
        return phrase[:at] + phrase[at] + phrase[at:]
    if kind == 2 and phrase[at + 1].isalpha():
        return phrase[:at] + phrase[at + 1] + phrase[at] + phrase[at + 2 :]
    return phrase[:at] + draw.choice(string.ascii_lowercase) + phrase[at + 1 :]


if __name__ == "__main__":
    sys.exit(in_one_line(main)())
