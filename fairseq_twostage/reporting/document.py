"""``docs/results.md``: every table and figure, from results files alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairseq_twostage.reporting import paper, tables
from fairseq_twostage.reporting.case_study import case_study_table
from fairseq_twostage.reporting.coverage import Coverage, coverage_table
from fairseq_twostage.reporting.error_counts import ErrorCounts
from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.reporting.statistics import RESAMPLES
from fairseq_twostage.results import RunResult

MAIN_SECTIONS = ("earlier", "parser", "supervised", "unsupervised", "semi_supervised")
SUPERVISED = ("one_stage_supervised", "two_stage_supervised")
COVERAGE_SYSTEMS = {
    system: tables.label_of(system)
    for system in (*SUPERVISED, "complete", "words_only", "sentence_encoder")
}
CASE_SYSTEMS = {
    system: tables.label_of(system)
    for system in (
        *("complete", "minus_cycle_learning", *SUPERVISED),
        *("words_only", "sentence_encoder"),
    )
}
FIGURES = {
    "labelled_share": "accuracy over the labelled share",
    "learning_curves": "label-free metric and accuracy by epoch",
    "ablations": "ablations of noise, objectives and rewards",
}


def document(
    runs: Sequence[RunResult],
    errors: Sequence[ErrorCounts],
    covered: Mapping[tuple[str, str], Coverage],
    preface: str,
    figures: Mapping[str, str],
) -> str:
    """The whole page.

    Args:
        runs: all results.
        errors: counts of errors (:func:`.error_counts.read_error_counts`).
        covered: rows with new programs (:func:`.coverage.read_coverage`).
        preface: Markdown that is put in front, as it is.
        figures: by the names of :data:`FIGURES`, the path of the image from the page.
    """
    matrix = Matrix(runs)
    systems = [row for name in MAIN_SECTIONS for row in paper.section(name)]
    images = {name: f"![{FIGURES[name]}]({path})" for name, path in figures.items()}
    parts = [
        ["# Results"],
        [preface.strip()] if preface.strip() else [],
        _paragraph(HOW_TO_READ),
        ["## The paper's systems"],
        tables.scores_table(systems, matrix),
        ["### Ours minus the paper's"],
        _paragraph(BEYOND_PAPER_TEXT),
        tables.beyond_paper_table(systems, matrix),
        *_further(matrix),
        ["### GeoGranno, as the paper's code was first released"],
        _paragraph(FIRST_RELEASE_TEXT),
        tables.first_release_table([*systems, *tables.further_rows(matrix)], errors, matrix)
        or ["Nothing has been scored so yet."],
        ["## Past the paper"],
        _paragraph(BEYOND_TEXT),
        tables.scores_table(_beyond_beside_the_paper(), matrix),
        ["### One technique at a time"],
        tables.scores_table(paper.section("techniques"), matrix),
        ["## Conclusions"],
        _paragraph(ORDERINGS_TEXT),
        tables.orderings_table(matrix),
        ["## Paired tests"],
        _paragraph(TESTS_TEXT),
        tables.comparisons_table(matrix),
        _paragraph(BEYOND_TESTS_TEXT),
        tables.comparisons_table(matrix, "sentence_encoder", SUPERVISED),
        tables.comparisons_table(matrix, "words_only", SUPERVISED),
        ["## Labels"],
        _paragraph(LABELS_TEXT),
        [images.get("labelled_share", "")],
        tables.scores_table(paper.section("shares"), matrix),
        ["## Ablations"],
        [images.get("ablations", "")],
    ]
    for name in ("noise", "objectives", "rewards"):
        parts += [[f"### {name.capitalize()}"], tables.scores_table(paper.section(name), matrix)]
    parts += [
        ["## Where canonical utterances come from"],
        _paragraph(SETTINGS_TEXT),
        tables.settings_table(matrix),
        ["## Does the label-free metric choose well?"],
        _paragraph(CURVES_TEXT),
        [images.get("learning_curves", "")],
        tables.correlation_table(runs) or ["No run has been scored by epoch yet."],
        ["## Errors"],
        _paragraph(ERRORS_TEXT),
        tables.errors_table([run.with_split() for run in errors])
        if errors
        else ["No errors have been counted yet."],
        ["## Case study"],
        _paragraph(CASES_TEXT),
        case_study_table(CASE_SYSTEMS, matrix) or ["None of these rows has been scored yet."],
        ["## New programs"],
        _paragraph(COVERAGE_TEXT),
        coverage_table(covered, COVERAGE_SYSTEMS, matrix),
        ["## All runs, with time and memory"],
        _paragraph(RUNS_TEXT),
        tables.runs_table(matrix),
    ]
    return "\n\n".join("\n".join(part) for part in parts if any(part)) + "\n"


def _beyond_beside_the_paper() -> list[paper.PaperRow]:
    compared = {"complete", "two_stage_supervised"}
    rows = [row for name in MAIN_SECTIONS for row in paper.section(name)]
    return [*(row for row in rows if row.system in compared), *paper.section("beyond")]


def _further(matrix: Matrix) -> list[list[str]]:
    rows = tables.further_rows(matrix)
    return [["### Further systems"], tables.scores_table(rows, matrix)] if rows else []


def _paragraph(text: str) -> list[str]:
    return text.strip().splitlines()


HOW_TO_READ = """
Made by `twostage report` from `results/`. Denotation accuracy in percent on the test rows:
mean ± standard deviation over the seeds, and in round brackets the number of seeds; – is what
has not been run, or what the paper does not report. *average* is over the eight Overnight
domains; *same domains* is over those of them measured here, whose number stands in square
brackets, for the paper and for us; *same and Geo* is over those and GeoGranno. Averages are of
the domains' means; their deviation is between the seeds that all of these domains have.
`naive_parser`
reads gold canonical utterances; GeoGranno's test rows have none, so development rows (valid)
stand in. No label chooses a checkpoint, but for the supervised parsers ([systems](systems.md)).
"""
BEYOND_PAPER_TEXT = """
In points, over the domains measured here, ± one standard error: what other test rows might have
changed. Rows are taken as drawn apart for the paper and for us; they are the same ones, so the
error is too large rather than too small. The spread between seeds, of which the paper shows one,
comes on top of it. *Over all* is the mean over these Overnight domains and GeoGranno, where the
paper's scores are probably of another kind (below).
"""
FIRST_RELEASE_TEXT = """
Tables above and below fill in what an utterance's placeholders stand for and then execute, as the
paper says. The first released version of its code executes GeoGranno's forms with the placeholders
left in them, and compares what is printed: a prediction for any of the 171 test rows with a
placeholder is right if it ends in the same error as the gold form. Whether the paper's figures are
of that kind is not known; [what speaks for it](reproduction.md). Under this score ours are as
follows (WmdSamples here lets placeholders match themselves, see [choices](choices.md)).
"""
BEYOND_TEXT = """
No label trains these two recipes, `configs/words_only.yaml` and `configs/recommended.yaml` (system
`sentence_encoder`); paired tests against the supervised parsers stand among the conclusions
below. The second table goes from denoising alone to `words_only`, one technique after the other.
"""
ORDERINGS_TEXT = f"""
The first side's mean minus the second's, over the domains in which all systems of both sides were
tested; several systems on one side are averaged. Above zero an ordering holds, below it does not,
and at p ≥ {tables.SIGNIFICANT} it is undecided. p: paired bootstrap over the test rows, two-sided,
{RESAMPLES:,} resamples, not corrected for how many tests there are; accuracy of a row is its mean
over the seeds. So p says what other test rows might have changed, not what other seeds might: two
seeds of one system can differ by ten points. †: one side answers with the best logical form of
the beam, the other with the best that executes (the recipes bear no mark for it, nor does going on
to the next paraphrase). ‡: a stage that both sides have was trained in two ways
([which](choices.md#which-version-made-which-result)); part of the difference is that.
"""
TESTS_TEXT = f"""
CompleteModel minus each other system, in points, and p, † and ‡ as above; with so many tests some p
below {tables.SIGNIFICANT} are chance.
"""
BEYOND_TESTS_TEXT = """
Without a label, minus the supervised parsers: first with the sentence encoder, then with word
vectors alone.
"""
COVERAGE_TEXT = """
Accuracy on the test rows whose program stands in training, and on those whose program is new,
known / new. Only domains with new programs are shown.
"""
LABELS_TEXT = """
Supervised parsers trained on a share of the labels alone; CompleteModel with shares of labels
stands in the first table.
"""
SETTINGS_TEXT = """
`paper`: the canonical side of the training rows, with its frequencies. `grammar`: every canonical
utterance that the grammar generates, once, as in a domain that is new.
"""
CURVES_TEXT = """
ρ is Spearman's rank correlation, over the epochs of a run, of the metric that chooses with the
accuracy that `twostage evaluate --history` measured afterwards.
Where denoising ends a system, the released code's metric chooses ([systems](systems.md)).
"""
ERRORS_TEXT = """
Number of wrong test rows per run (*valid*: development rows), and what is wrong with them, in
percent of the errors: the first class that applies, from left to right, when the two programs are
compared by their parts. *Wrong function*: another aggregation, or another kind of constraint, as a
superlative for a filter.
"""
CASES_TEXT = """
Test rows by index: of the seeds of a system, those that answer right. The paper's three examples
are "at least" for "or more", people for "attendees", and a constraint on neighbouring states that
is kept; its rows are not known, so the first three are rows of that kind. The others were chosen
for the classes of errors above, as denoising alone or CompleteModel makes them, among rows that
tell systems apart or that none answers: they show kinds, not how frequent they are. The sentences
belong to the datasets; `twostage report --cases list --run RUN` prints them
([how](reproduction.md#case-studies)).
"""
RUNS_TEXT = """
Minutes are wall time of the stages that fairseq trains, on one core of a shared machine; `twostage
pair` and `twostage label` are not in them. Peak is resident memory.
"""
