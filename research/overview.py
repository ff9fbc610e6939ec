"""The short tables of the README."""

from __future__ import annotations

import pandas as pd

from research.paper import DOMAINS, GEO, OVERNIGHT, published
from research.runs import Runs
from research.tables import ABBREVIATIONS, MISSING, difference, number, score, table

OWN = {
    "words_only": "`words_only`",
    "sentence_encoder": "`sentence_encoder` ¹",
    "frozen_encoder": "`frozen_encoder`",
    "recommended": "`recommended`",
}
SUPERVISED = "two_stage_supervised"
# In print, the system, and whether the figures are the paper's.
ROWS = (
    ("paper, CompleteModel, no label", "complete", True),
    ("the same, trained here", "complete", False),
    ("`untrained_words`: the nearest z by word vectors", "untrained_words", False),
    ("`untrained_words_prior`: and a prior from X and Z", "untrained_words_prior", False),
    ("`words_only`: the same word vectors, no label", "words_only", False),
    ("`untrained`: the nearest z by a small sentence encoder", "untrained", False),
    ("`untrained_prior`: and a prior from X and Z", "untrained_prior", False),
    ("`frozen_encoder`: and the sentence encoder as it is, no label", "frozen_encoder", False),
    (
        "`adapted_nearest`: that encoder, adapted, and nothing else",
        "adapted_nearest",
        False,
    ),
    ("`recommended`: all of it, no label", "recommended", False),
    ("`sentence_encoder`: `frozen_encoder` of before ¹", "sentence_encoder", False),
    ("paper, two-stage *supervised*", SUPERVISED, True),
    ("the same, trained here", SUPERVISED, False),
    ("*supervised* in one stage, trained here", "one_stage_supervised", False),
)

# The steps to ``recommended``, and the domains in which each is measured.
STEPS = {
    "untrained": "untrained",
    "untrained_prior": "with the prior",
    "adapted_nearest": "the encoder adapted",
    "frozen_encoder_beam": "trained without it, its beam",
    "frozen_encoder": "trained without it, reranked",
    "recommended_beam": "trained with it, its beam",
    "recommended": "trained with it, reranked",
}
SOURCES = (
    *((name, "grammar") for name in ("cinema", "trains")),
    *((name, "paper") for name in ("calendar", "publications", "recipes", GEO)),
)


def overview(runs: Runs) -> str:
    """Mean accuracy of the main systems."""
    lines = []
    for label, system, printed in ROWS:
        measured = [] if printed else runs.measured(system, DOMAINS)
        means = pd.Series({d: runs.average(system, [d])[0] for d in measured}, dtype=float)
        average = means.reindex(list(OVERNIGHT)).mean(skipna=False)
        if printed and (row := published(system)) is not None:
            means, average = row, row.average
        counts = {len(runs.cells[system, domain, "paper"]) for domain in measured}
        seeds = " to ".join(map(str, sorted({min(counts), max(counts)}))) if counts else MISSING
        scores = [number(means.get(domain)) for domain in DOMAINS]
        lines.append([label, *scores[:-1], number(average), scores[-1], seeds])
    names = [ABBREVIATIONS[domain] for domain in DOMAINS]
    return table(["denotation accuracy, %", *names[:-1], "average", names[-1], "seeds"], lines)


def sources(runs: Runs) -> str:
    """Mean accuracy of each step from the untrained start to ``recommended``, seeds beside it."""
    lines = []
    for domain, setting in SOURCES:
        found = (runs.cells.get((system, domain, setting)) for system in STEPS)
        lines.append([domain, *map(score, found)])
    return table(["denotation accuracy, %", *STEPS.values()], lines)


def recipes_minus(runs: Runs) -> str:
    """The two recipes minus the supervised two-stage parser, in points, with p."""
    lines = [
        [name, *(difference(runs.compare([system], [SUPERVISED], on)) for on in (OVERNIGHT, [GEO]))]
        for system, name in OWN.items()
    ]
    return table(["minus two-stage *supervised*", "Overnight", "Geo"], lines)
