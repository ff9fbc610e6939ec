"""The short table of the README, and how it is put between two marks."""

from __future__ import annotations

from collections.abc import Sequence

from fairseq_twostage.errors import UserError
from fairseq_twostage.reporting.markdown import MISSING, difference, number, table
from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.reporting.paper import GEO, OVERNIGHT, paper_row
from fairseq_twostage.reporting.tables import ABBREVIATIONS

BEGIN = "<!-- made by twostage report -->"
END = "<!-- end -->"
OWN = {"words_only": "`words_only`", "sentence_encoder": "`recommended` ¹"}
# Scored by the path that is also served, unlike the older rows of OWN's second system.
SERVED = (
    *("untrained_words", "untrained_words_prior", "untrained", "untrained_prior"),
    "recommended",
)
UNTRAINED = "untrained: the nearest canonical utterance by the"
# In print, the system, and whether the figures are the paper's.
ROWS = (
    ("paper, CompleteModel, no label", "complete", True),
    ("the same, trained here", "complete", False),
    (f"{UNTRAINED} word vectors, with anchors", "untrained_words", False),
    ("the same with a prior from X and Z", "untrained_words_prior", False),
    ("`words_only`: the same word vectors, no label", "words_only", False),
    (f"{UNTRAINED} sentence encoder, with anchors", "untrained", False),
    ("the same with a prior from X and Z", "untrained_prior", False),
    ("`recommended`: and a small sentence encoder, no label", "recommended", False),
    ("`recommended` with its earlier weights and path ¹", "sentence_encoder", False),
    ("paper, two-stage *supervised*", "two_stage_supervised", True),
    ("the same, trained here", "two_stage_supervised", False),
    ("*supervised* in one stage, trained here", "one_stage_supervised", False),
)


def overview(matrix: Matrix) -> list[str]:
    """Mean accuracy of the main systems, what the tests say, and Z of the grammar alone."""
    header = ["denotation accuracy, %", *(ABBREVIATIONS[d] for d in OVERNIGHT), "average"]
    header += [ABBREVIATIONS[GEO], "seeds"]
    lines = [[label, *_cells(system, printed, matrix)] for label, system, printed in ROWS]

    def minus(system: str, domains: Sequence[str]) -> str:
        return difference(matrix.compare([system], ["two_stage_supervised"], domains))

    found = (
        f"{name} {minus(system, OVERNIGHT)} on Overnight, {minus(system, [GEO])} on Geo"
        for system, name in OWN.items()
    )
    return [
        *table(header, lines),
        "",
        "Minus two-stage supervised as trained here, on the same rows (paired bootstrap): "
        f"{'; '.join(found)}.",
        "Where canonical utterances come from the grammar alone, each once "
        f"(`--canonical grammar`): {'; '.join(_from_grammar(matrix))}.",
        "¹ Results without `path: inference` were scored before evaluation and use were one path;"
        " its weights of similarity and likelihoods were others, too.",
    ]


def _cells(system: str, printed: bool, matrix: Matrix) -> list[str]:
    if printed:
        row = paper_row(system)
        assert row is not None
        scores, average, seeds = row.scores, row.average, MISSING
    else:
        measured = matrix.measured(system, (*OVERNIGHT, GEO))
        scores = {domain: matrix.average(system, [domain])[0] for domain in measured}
        whole = set(OVERNIGHT) <= set(measured)
        average = matrix.average(system, OVERNIGHT)[0] if whole else None
        counts = {len(cell.seeds) for d in measured if (cell := matrix.cell(system, d))}
        seeds = " to ".join(map(str, sorted({min(counts), max(counts)}))) if counts else MISSING
    by_domain = [number(scores.get(domain)) for domain in OVERNIGHT]
    return [*by_domain, number(average), number(scores.get(GEO)), seeds]


def _from_grammar(matrix: Matrix) -> list[str]:
    lines = []
    served = {name: f"`{name}`" for name in SERVED}
    for system, name in {**OWN, "complete": "`complete`", **served}.items():
        domains = matrix.measured(system, OVERNIGHT, "grammar")
        scores = [
            f"{number(matrix.average(system, [domain], 'grammar')[0])} on {domain}"
            for domain in domains
        ]
        if set(domains) == set(OVERNIGHT):
            scores = [f"{number(matrix.average(system, OVERNIGHT, 'grammar')[0])} in the mean"]
        lines.append(f"{name} {', '.join(scores) or MISSING}")
    return lines


def replace_block(text: str, lines: list[str], where: str, mark: str = BEGIN) -> str:
    """``text`` with ``lines`` between the line ``mark`` and the next :data:`END`.

    Both may be indented, as in an item of a list; then so are ``lines``.

    Raises:
        UserError: it has not both of them, in this order.
    """
    before, begin, rest = text.partition(f"{mark}\n")
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UserError(f"no lines {mark!r} and, below, {END!r} to write between", where)
    indent = before[before.rfind("\n") + 1 :]
    inside = "".join(f"{indent}{line}".rstrip() + "\n" for line in lines)
    return "".join((before, begin, inside, indent, end, after))
