"""Fitting what judges readings, over X, Z and texts of other matters; no label is seen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from fairseq_twostage.databin.folder import data_bin_lines
from fairseq_twostage.files import load_json
from fairseq_twostage.inference.candidates import Search, names_in
from fairseq_twostage.inference.confidence import ConfidenceModel, Evidence
from fairseq_twostage.inference.foreign import foreign_conditions, foreign_texts
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.parses import Parse
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.inference.scope import ScopeModel, vectors
from fairseq_twostage.inference.trust import (
    PRECISION,
    Trust,
)
from fairseq_twostage.inference.unused_words import counts
from fairseq_twostage.pairing.pseudo_labels import ignored_words
from fairseq_twostage.text.function_words import LIGHT
from fairseq_twostage.text.utterance import Utterance

MOST_UTTERANCES = 600  # of X, that thresholds are chosen on
MOST_CHANGED = 200  # of X, that foreign conditions are put into
CAUGHT = 0.98  # share of those that are to be found
# Where there is hardly an X, a word plays no part whose cosine to all words of ẑ is smaller
# (research/log.md, 2026-11-26).
LEAST_NEAR = 0.4
FEW_UTTERANCES = 30
FEWEST_ANSWERS = 15  # that say how sure answers are
SMALL_PILE = 200  # utterances: with fewer ones some canonical ones say what is of the domain, too
BATCH = 64
SEED = 1


def fit_trust(parser: TwoStageParser, data: Path) -> Trust:
    """Fit everything that judges a parser's readings.

    Args:
        parser: as it reads.
        data: the data-bin that it was trained on; no annotated row of it is read.
    """
    natural = natural_utterances(data)
    few = sum(each.tokens not in parser.pairs for each in natural) < FEW_UTTERANCES
    if few and (trust := _of_few(parser)) is not None:
        return trust
    if few:  # canonical ones stand in for what people say
        known = {each.tokens for each in natural}
        natural += [Utterance(z, z) for z in sorted(parser.pairs.keys() - known) if not names_in(z)]
    scope = fit_scope(parser, natural)
    draw = random.Random(SEED)
    sample = natural if len(natural) <= MOST_UTTERANCES else draw.sample(natural, MOST_UTTERANCES)
    read = _searched(parser, sample)
    ignored = ignored_words() | LIGHT
    unknown_lacking, lacking = _most_lacking(parser, read, ignored, draw)
    kept = parser.conditions.counted(
        (parse.utterance.tokens, parse.readings[0].paraphrase) for parse, _ in read
    )
    trust = Trust(
        scope,
        ConfidenceModel(),
        [],
        PRECISION,
        0.0,
        lacking,
        unknown_lacking,
        ignored,
        kept,
        few=not few and len(natural) < SMALL_PILE,
    )
    unseen = natural_utterances(data, "valid")
    if len(unseen) >= FEW_UTTERANCES:  # what was trained on is read with more confidence
        read = _searched(parser, unseen[:MOST_UTTERANCES])
    found = _evidence(parser, read, trust)
    if not found:
        return replace(trust, model=None).promising(PRECISION)
    if not few:  # else they say nothing of how sure people's questions are read
        log_odds = sorted(round(ConfidenceModel.log_odds(each), 4) for each in found)
        trust = replace(trust, log_odds=log_odds)
    return trust.promising(PRECISION)


def _of_few(parser: TwoStageParser) -> Trust | None:
    """Where hardly an utterance says how people put things: by what holds in every domain.

    None where nothing compares utterances with Z.
    """
    first = parser.first
    if not isinstance(first, Reranking) or not first.similarities:
        return None
    (name, similarity), *_ = first.similarities.items()
    canonical = sorted(parser.pairs)
    z = vectors(canonical, [{name: each} for each in similarity.read_canonical(canonical)])
    if not z.any():
        return None
    far = (1 - LEAST_NEAR) * similarity.natural.unseen
    scope, model = ScopeModel.near(z), ConfidenceModel()
    ignored = ignored_words() | LIGHT | {"all"}  # "list all genres"
    trust = Trust(scope, model, [], PRECISION, 0.0, far, far, ignored)
    return trust.promising(PRECISION)


def natural_utterances(data: Path, split: str = "train") -> list[Utterance]:
    """X of a split, each once, with its names; of those that are alike the first."""
    folder = data / "text"
    lines = data_bin_lines(folder / f"{split}.nl")
    path = data / f"{split}.nl.variables.jsonl"
    named: list[dict[str, str]] = [{} for _ in lines]
    if path.is_file():
        named = [load_json(line) for line in data_bin_lines(path)]
    both = dict(zip(lines[::-1], named[::-1]))
    return [Utterance(line, line, both[line]) for line in dict.fromkeys(lines)]


def fit_scope(parser: TwoStageParser, natural: Sequence[Utterance]) -> ScopeModel:
    """What tells X from foreign texts."""
    lines = [utterance.tokens for utterance in natural]
    others = [parser.reader(text).tokens for text in foreign_texts()]
    canonical = sorted(parser.pairs)
    if len(lines) < SMALL_PILE:
        more = random.Random(SEED).sample(canonical, min(SMALL_PILE, len(canonical)))
        lines = list(dict.fromkeys((*lines, *more)))
    first = parser.first
    if isinstance(first, Reranking) and first.similarities:
        (name, similarity), *_ = first.similarities.items()
        x, z, foreign = (
            vectors(texts, [{name: each} for each in read(texts)])
            for texts, read in (
                (lines, similarity.read),
                (canonical, similarity.read_canonical),
                (others, similarity.read),
            )
        )
        if x.any():  # else no word has a vector
            return ScopeModel.fit(x, z, foreign, lines=(lines, canonical, others))
    columns = {
        word: n for n, word in enumerate(sorted({w for line in lines for w in line.split()}))
    }
    x, z, foreign = (vectors(texts, [], columns) for texts in (lines, canonical, others))
    return ScopeModel.fit(x, z, foreign, columns, (lines, canonical, others))


def _searched(
    parser: TwoStageParser, utterances: Sequence[Utterance]
) -> list[tuple[Parse, Search]]:
    return [
        both
        for start in range(0, len(utterances), BATCH)
        for both in parser.searched(utterances[start : start + BATCH])
    ]


def _evidence(
    parser: TwoStageParser, read: Sequence[tuple[Parse, Search]], trust: Trust
) -> list[Evidence]:
    """What speaks for the readings that are answers; for all that could be, if they are few.

    What is refused for another reason is no answer that a promise is about.
    """
    verdicts = [
        trust.judge(parser, parse.utterance, search, parse.readings[0])
        for parse, search in read
        if parse.answer.executable
    ]
    given = [each.evidence for each in verdicts if each.evidence and not each.refused_because]
    if len(given) >= FEWEST_ANSWERS:
        return given
    return [each.evidence for each in verdicts if each.evidence]


def _most_lacking(
    parser: TwoStageParser,
    read: Sequence[tuple[Parse, Search]],
    ignored: frozenset[str],
    draw: random.Random,
) -> tuple[float, float]:
    """The distances beyond which an unknown and a known word play no part.

    Beyond the first nearly every X has a word with a foreign condition put in. The second is no
    less than what nearly every X keeps below: its own words are all known.
    """
    plain = [_farthest(search, parse, ignored) for parse, search in read]
    conditions = foreign_conditions()
    some = read if len(read) <= MOST_CHANGED else draw.sample(list(read), MOST_CHANGED)
    changed = [
        Utterance(line, line, parse.utterance.variables)
        for parse, _ in some
        for line in [_with_condition(parse.utterance.tokens, draw.choice(conditions), parser)]
    ]
    found = [_farthest(search, parse, ignored) for parse, search in _searched(parser, changed)]
    if not plain or not found:
        return float("inf"), float("inf")
    # Just below it: without word vectors all words that are not shared are equally far.
    least = float(np.nextafter(np.quantile(found, 1 - CAUGHT), 0))
    # Of few utterances the farthest one: what is trained on is not refused for its words.
    return least, max(least, float(np.quantile(plain, CAUGHT, method="higher")))


def _farthest(search: Search, parse: Parse, ignored: frozenset[str]) -> float:
    lacking = search.lacking(parse.readings[0].paraphrase) or ()
    return max((lack for word, lack in lacking if counts(word, ignored)), default=0.0)


def _with_condition(tokens: str, condition: str, parser: TwoStageParser) -> str:
    """The condition at the end, before closing marks."""
    words = tokens.split()
    end = len(words)
    while end and not any(map(str.isalnum, words[end - 1])):
        end -= 1
    more = parser.reader.frontend.encode(condition)
    return " ".join([*words[:end], more, *words[end:]])
