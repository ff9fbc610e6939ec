"""The short table of the README."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from research.paper import DOMAINS, GEO, OVERNIGHT, published
from research.runs import Runs
from research.tables import ABBREVIATIONS, MISSING, difference, number, table

OWN = {"words_only": "`words_only`", "sentence_encoder": "`recommended` ¹"}
NEAREST = "untrained: the nearest canonical utterance by the"
# In print, the system, and whether the figures are the paper's.
ROWS = (
    ("paper, CompleteModel, no label", "complete", True),
    ("the same, trained here", "complete", False),
    (f"{NEAREST} word vectors, with anchors", "untrained_words", False),
    ("the same with a prior from X and Z", "untrained_words_prior", False),
    ("`words_only`: the same word vectors, no label", "words_only", False),
    (f"{NEAREST} sentence encoder, with anchors", "untrained", False),
    ("the same with a prior from X and Z", "untrained_prior", False),
    ("`recommended`: and a small sentence encoder, no label", "recommended", False),
    ("`recommended` with its earlier weights and path ¹", "sentence_encoder", False),
    ("paper, two-stage *supervised*", "two_stage_supervised", True),
    ("the same, trained here", "two_stage_supervised", False),
    ("*supervised* in one stage, trained here", "one_stage_supervised", False),
)


def overview_table(runs: Runs) -> str:
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


def overview(runs: Runs) -> str:
    """The table, and what the tests say."""

    def minus(system: str, domains: Sequence[str]) -> str:
        return difference(runs.compare([system], ["two_stage_supervised"], domains))

    found = (
        f"{name} {minus(system, OVERNIGHT)} on Overnight, {minus(system, [GEO])} on Geo"
        for system, name in OWN.items()
    )
    return "\n".join(
        [
            overview_table(runs),
            "",
            "Minus two-stage supervised as trained here, on the same rows (paired bootstrap): "
            f"{'; '.join(found)}.",
            "¹ Results without `path: inference` were scored before evaluation and use were one "
            "path; its weights of similarity and likelihoods were others, too.",
        ]
    )
