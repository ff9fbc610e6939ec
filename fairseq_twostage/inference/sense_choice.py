"""Which sense of an utterance is taken: a name may be two things, or words that mean themselves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from fairseq_twostage.inference.candidates import Search
from fairseq_twostage.inference.parses import Parse
from fairseq_twostage.inference.picking import rank
from fairseq_twostage.inference.pipeline import BEST
from fairseq_twostage.inference.said_twice import without_said_twice
from fairseq_twostage.text.utterance import Utterance

if TYPE_CHECKING:
    from fairseq_twostage.inference.parser import TwoStageParser

AS_GOOD = 0.25  # of the score of ẑ
Found = tuple[Parse, Search]
"""A sense as it was read, and the search for it."""


def best_senses(
    parser: TwoStageParser, utterances: Sequence[Utterance], n_best: int
) -> list[Found]:
    """The best sense of each utterance, not judged.

    Args:
        parser: reads each sense.
        utterances: with their other senses.
        n_best: readings wanted of each.
    """
    read = [[utterance, *utterance.senses] for utterance in utterances]
    best = _best_named(parser, read, n_best)
    # Names as words are taken where no other sense is as good as can be, or ẑ has the words
    # and fits better: volunteers with *first aid*, which is a team, too.
    words = [(at, s) for at, senses in enumerate(read) for s in senses if s.names_as_words]
    found = parser.searched([sense for _, sense in words], n_best) if words else []
    for (at, _), other in zip(words, found):
        if _badness(parser, *best[at])[0]:
            best[at] = min(best[at], other, key=lambda both: _badness(parser, *both))
        elif _fits_in_words(parser, other, best[at][0], utterances[at]):
            best[at] = other
    again = [
        (at, shorter)
        for at, (parse, search) in enumerate(best)
        if _badness(parser, parse, search)[0]
        and (shorter := without_said_twice(parser, parse.utterance)) is not None
    ]
    found = parser.searched([shorter for _, shorter in again], n_best) if again else []
    for (at, _), other in zip(again, found):
        best[at] = min(best[at], other, key=lambda both: _badness(parser, *both))
    return best


def _best_named(
    parser: TwoStageParser, read: Sequence[Sequence[Utterance]], n_best: int
) -> list[Found]:
    """Of each utterance's senses in which names are names the best one."""
    named = [[sense for sense in senses if not sense.names_as_words] for senses in read]
    found = iter(parser.searched([sense for senses in named for sense in senses], n_best))
    return [_nearest(parser, list(islice(found, len(senses)))) for senses in named]


def _nearest(parser: TwoStageParser, found: Sequence[Found]) -> Found:
    """The best of senses; of those that are about as good the one of the fewest tables: the
    director of a production, and not of a role in one that is called alike."""
    badness = [_badness(parser, *both) for both in found]
    *kind, least = min(badness)
    close = [
        (score, both)
        for both, (*other, score) in zip(found, badness)
        if other == kind and score - least < AS_GOOD
    ]
    if len(close) > 1:
        close.sort(key=lambda each: (_joined(parser, each[1][0]), each[0]))
    return close[0][1]


def _joined(parser: TwoStageParser, parse: Parse) -> int:
    """How many tables a reading needs; 0 where no database answers."""
    sql = parser.sql(parse.readings[0].logical_form, parse.utterance.variables)
    return (sql or "").count("FROM")


def _badness(parser: TwoStageParser, parse: Parse, search: Search) -> tuple[int, bool, float]:
    """Orders the senses of an utterance: by names, execution and agreement, then names as
    names, then by the score of ẑ."""
    reading, read = parse.readings[0], parse.utterance
    stands = 0
    if parser.pick != BEST:
        stands = rank(reading, read.variables, parser.objecting(read, search))
    return stands, read.names_as_words, -reading.canonical_score


def _fits_in_words(
    parser: TwoStageParser, found: Found, names: Parse, utterance: Utterance
) -> bool:
    """Whether a reading in which names are words has all of them, and the better score."""
    words, _ = found
    said = {*words.utterance.tokens.split()} - {*utterance.tokens.split()}
    reading, other = words.readings[0], names.readings[0]
    has = bool(said) and said <= {*reading.paraphrase.split()}
    better = reading.canonical_score > other.canonical_score
    return has and better and not _badness(parser, *found)[0]
