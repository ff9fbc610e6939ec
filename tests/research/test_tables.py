"""Cells of the report's tables, computed by hand."""

from __future__ import annotations

from fairseq_twostage.results import RunResult
from fairseq_twostage.scoring.error_classes import ErrorClass
from research.overview import overview, recipes_minus
from research.paper import ALIASES, OVERNIGHT, PAPER, published, sections
from research.runs import Runs
from research.tables import (
    NOTHING,
    beyond_paper_table,
    comparisons_table,
    correlation_table,
    errors_table,
    first_release_table,
    further,
    mean_of,
    orderings_table,
    runs_table,
    scores_table,
    settings_table,
)
from tests.research.helpers import cells, run


def test_ours_beside_the_papers():
    runs = [
        run(seed=1, right=[0]),
        run(seed=2, right=[0, 1]),
        run(domain="recipes", seed=1, right=[0, 1, 2]),
        run(domain="geo", seed=1, right=[0, 1]),
    ]
    table = scores_table(sections("unsupervised"), Runs(runs))
    paper = cells(table, "CompleteModel", "paper")
    assert paper[2] == "58.3" and paper[8] == "60.7"
    assert paper[9:] == ["63.2", "63.7", "63.4"]  # (58.3 + 68.1) / 2; and with 63.7: 190.1 / 3
    ours = cells(table.partition("CompleteModel")[2].splitlines()[1], "")
    # Seeds 25 and 50: mean 37.5, deviation 17.7. Averages (37.5 + 75) / 2 and with 50: 162.5 / 3.
    assert ours[0] == "ours"
    assert ours[1:] == [
        *("–", "–", "37.5 ± 17.7 (2)", "–", "–", "75.0 (1)", "–", "–"),
        *("–", "56.2 [2]", "50.0 (1)", "54.2 [3]"),
    ]
    assert cells(table, "Embed + sentence encoder", "ours") == ["–"] * 12


def test_ours_minus_the_papers_over_the_domains_of_both():
    half = list(range(50))
    runs = [
        run(right=half, total=100),
        run(domain="recipes", right=half, total=100),
        run(domain="geo", right=half, total=100),
        run(system="embed_sentence_encoder", right=half, total=100),  # not the paper's
        run(system="naive_parser", domain="geo", split="valid", right=half, total=100),
    ]
    lines = beyond_paper_table(Runs(runs))
    assert len(lines.splitlines()) == 3  # of systems that both have on test rows
    # Ours 50 twice, the paper's 58.3 and 68.1; variances of a hundred rows 25, 24.3, 25 and 21.7.
    # Geo: 50 - 63.7, and 25 + 23.1.
    assert cells(lines, "CompleteModel") == [*("-13.2 ± 4.9", "2", "-13.7 ± 6.9", "-13.4 ± 4.0")]


def test_a_split_that_is_not_the_test_is_named_and_not_averaged():
    parser = run(system="naive_parser", domain="geo", split="valid", right=[0, 1, 2])
    row = cells(scores_table(sections("parser"), Runs([parser])), sections("parser").label.iloc[0])
    assert row == ["ours", *["–"] * 10, "75.0 (1, valid)", "–"]


def test_orderings_hold_or_not_or_are_undecided_or_not_measured():
    everything = list(range(40))
    runs = [
        run(right=everything[:30], total=40),
        run(system="minus_cycle_learning", right=everything[:10], total=40),
        run(system="minus_shared_encoder", right=everything[:32], total=40),
        run(system="multitask_dae", right=everything, total=40),
        run(system="cycle_bt", domain="geo", right=everything[:20], total=40),
        run(domain="geo", right=everything[:20], total=40),
    ]
    lines = orderings_table(Runs(runs))
    assert cells(lines, "cycle learning > DAE alone") == [
        *("holds", "1", "+50.0", "< 0.001"),
        *("not measured", "–", "–"),
    ]
    worse = cells(lines, "shared > separate encoders")
    assert worse[:3] == ["undecided", "1", "-5.0"] and float(worse[3]) > 0.05
    assert cells(lines, "BT + DRL > BT")[4:] == ["undecided", "+0.0", "1.000"]
    # 10 of 40 rows differ: a standard error of 6.8 points.
    assert cells(lines, "CompleteModel > MultiTaskDae")[:3] == ["does not hold", "1", "-25.0"]
    assert cells(lines, "all noises > two")[0] == "not measured"


def test_sides_that_answer_by_different_rules_are_marked():
    def scored(system: str, pick: str, **options: str) -> RunResult:
        right = range(40 if system == "complete" else 0)
        return run(system=system, right=right, total=40, options={"pick": pick, **options})

    def cell(first: str, second: str, **options: str) -> str:
        runs = [scored("complete", first), scored("semi_05", second, **options)]
        return cells(comparisons_table(Runs(runs)), "CompleteModel + 5 % labels")[2]

    assert cell("best", "best") == cell("executable", "executable") == "+100.0 (p < 0.001)"
    assert cell("best", "executable") == cell("executable", "best") == "+100.0 † (p < 0.001)"
    assert cell("best", "executable_paraphrase") == "+100.0 † (p < 0.001)"
    assert cell("executable", "executable_paraphrase") == "+100.0 (p < 0.001)"
    reranked = cell("best", "executable_paraphrase", rerank="forward=1")  # a part of the recipe
    assert reranked == "+100.0 (p < 0.001)"


def test_a_stage_that_two_sides_trained_in_two_ways_is_marked():
    everything = list(range(40))

    def cell(first: dict[str, str], second: dict[str, str]) -> str:
        runs = [
            run(right=everything, total=40, fingerprints=first),
            run(system="cycle_bt", right=[], total=40, fingerprints=second),
        ]
        return cells(comparisons_table(Runs(runs), others=["cycle_bt"]), "BT")[2]

    reader = {"parser.reader": "a1", "cycle": "b2"}
    assert cell(reader, {"parser.reader": "a1", "cycle.bt": "c3"}) == "+100.0 (p < 0.001)"
    assert cell(reader, {}) == "+100.0 (p < 0.001)"  # not known
    assert cell(reader, {"parser.reader": "d4"}) == "+100.0 ‡ (p < 0.001)"


def test_paired_tests_by_domain_and_over_them():
    runs = [
        run(right=range(40), total=40),
        run(system="embed_glove", right=[], total=40),
        run(domain="recipes", right=range(20), total=40),
        run(system="embed_glove", domain="recipes", right=range(20), total=40),
        run(system="naive_parser", right=range(40), total=40, options={"source": "cf"}),
    ]
    lines = comparisons_table(Runs(runs))
    row = cells(lines, "Embed + GloVe 6B")
    assert row[2] == "+100.0 (p < 0.001)"
    assert row[5] == "+0.0 (p = 1.000)"
    assert row[8:] == ["+50.0 (p < 0.001)", "–"]
    assert (
        len(lines.splitlines()) == 3
    )  # the parser on gold canonical utterances is no system to compare


def test_systems_that_are_none_of_the_papers():
    runs = Runs([run(), run(system="own", right=[0]), run(system="shop", domain="shop")])
    assert cells(scores_table(further(runs), runs), "own", "ours")[2] == "25.0 (1)"
    assert list(further(runs).label) == ["own"] and "shop" not in comparisons_table(runs)
    assert cells(comparisons_table(runs), "own")[2].startswith("+25.0")
    alone = Runs([run()])
    assert scores_table(further(alone), alone) == NOTHING


def test_grammar_setting_stands_beside_paper():
    runs = [run(right=[0]), run(setting="grammar", right=[0, 1])]
    own = run("own", setting="grammar", right=[])
    assert "| own " in settings_table(Runs([*runs, own]))
    lines = settings_table(Runs(runs))
    assert cells(lines, "CompleteModel", "paper")[2] == "25.0 (1)"
    assert cells(lines, "", "grammar")[2] == "50.0 (1)"


def test_correlation_of_metric_and_accuracy():
    # Ranks of the metric 1 3 2 4, of the accuracy 1 2 3 4: 1 - 6·2 / (4·15) = 0.8.
    pairs = [(0.1, 10.0), (0.5, 20.0), (0.4, 30.0), (0.9, 40.0)]
    epochs = [
        {"epoch": float(n), "metric": metric, "accuracy": accuracy}
        for n, (metric, accuracy) in enumerate(pairs, 1)
    ]
    epochs.append({"epoch": 5.0, "metric": 2.0})
    scored = run(history={"cycle": epochs}, options={"history_split": "valid"})
    lines = correlation_table(Runs([scored, run(seed=2, history={"cycle": [epochs[-1]]})]))
    row = cells(lines, "CompleteModel, calendar, paper, seed 1")
    assert row == ["cycle", "label-free metric", "valid", "4", "0.80", "40.0", "40.0"]
    assert len(lines.splitlines()) == 3
    assert correlation_table(Runs([run()])) == NOTHING
    epochs[0]["metric"] = epochs[1]["metric"] = 2.0  # of equal ones training keeps the last
    lines = correlation_table(Runs([scored]))
    assert cells(lines, "CompleteModel, calendar, paper, seed 1")[5] == "20.0"
    options = {"history_metric": "exact_match"}
    parser = run(history={"parser": epochs}, options=options)
    row = cells(correlation_table(Runs([parser])), "CompleteModel, calendar, paper, seed 1")
    assert row[:2] == ["parser", "exact match"]


def test_a_metric_that_is_to_be_small_ranks_the_other_way():
    pairs = [(5.0, 10.0), (3.0, 40.0), (2.0, 60.0)]
    epochs = [
        {"epoch": float(n), "metric": metric, "accuracy": accuracy}
        for n, (metric, accuracy) in enumerate(pairs, 1)
    ]
    options = {"history_metric": "loss", "history_minimized": True}
    lines = correlation_table(Runs([run(history={"parser": epochs}, options=options)]))
    row = cells(lines, "CompleteModel, calendar, paper, seed 1")
    assert row[-3:] == ["1.00", "60.0", "60.0"]


def counts(**errors: int) -> dict[str, int]:
    return {error.value: errors.get(error.value, 0) for error in ErrorClass}


def test_errors_are_summed_over_the_seeds():
    runs = [
        run(seed=1, errors=counts(other=1, wrong_entity=2)),
        run(seed=2, errors=counts(other=1)),
        run(domain="geo", setting="grammar", errors=counts()),
        run(domain="geo", split="valid", errors=counts(other=3)),
        run(domain="recipes", errors=None),
    ]
    lines = errors_table(Runs(runs))
    row = cells(lines, "CompleteModel, calendar")
    assert row[0] == "2.0" and row[-1] == "50" and row.count("50") == 2
    assert cells(lines, "CompleteModel, geo, grammar") == ["0.0", *["–"] * len(ErrorClass)]
    assert cells(lines, "CompleteModel, geo (valid)")[0] == "3.0"
    assert "recipes" not in lines


def test_the_first_releases_score_beside_the_paper_and_ours():
    runs = [
        run(domain="geo", right=[0], first_release_correct=3),
        run(domain="geo", seed=2, right=[0, 1], first_release_correct=4),
        run(domain="geo", setting="grammar", first_release_correct=1),
        run(domain="geo", system="words_only"),
    ]
    table = first_release_table(Runs(runs))
    assert cells(table, "CompleteModel") == ["63.7", "87.5 ± 17.7 (2)", "37.5 ± 17.7 (2)"]
    assert first_release_table(Runs([run()])) == NOTHING


def test_time_and_memory():
    runs = [
        run(seed=2, seconds=120.0, peak_mb=900.4, config="a"),
        run(seed=1, seconds=60.0, peak_mb=800.0, config="b"),
        run(system="own", seconds=None, peak_mb=None),
    ]
    lines = runs_table(Runs(runs))
    row = cells(lines, "complete", "calendar", "paper", "a, b", "test")
    assert row == ["50.0 ± 0.0", "1, 2", "before", "58.3", "1.5", "900"]
    assert cells(lines, "own", "calendar")[-3:] == ["–", "–", "–"]


def test_means_and_how_many_seeds():
    runs = [run(seed=1, right=[0]), run(seed=2, right=[0, 1]), run(domain="geo", right=[0, 1, 2])]
    runs.append(run("two_stage_supervised", "blocks", right=[]))
    runs += [run("words_only", domain, right=[0]) for domain in OVERNIGHT[:-1]]
    runs.append(run("words_only", OVERNIGHT[-1], right=[0, 1, 2]))
    text = overview(Runs(runs))
    lines = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines()]
    here, _ = (line[1:] for line in lines if line[0] == "the same, trained here")
    # Calendar, seeds 25 and 50: 37.5; six domains are missing, so there is no average.
    assert here == [*"––", "37.5", *"–––––", "–", "75.0", "1 to 2"]
    assert cells(text, "paper, CompleteModel, no label")[-3:] == ["60.7", "63.7", "–"]
    # Seven times 25 and once 75.
    words = cells(text, "`words_only`: the same word vectors, no label")
    assert words[-3:] == ["31.2", "–", "1"]


def test_tests_against_the_supervised_parser():
    runs = [run("words_only", right=[0, 1, 2]), run("two_stage_supervised", right=[0])]
    text = recipes_minus(Runs(runs))
    assert cells(text, "`words_only`")[0].startswith("+50.0 (p")
    assert cells(text, "`recommended`") == ["–", "–"]


def test_published_averages_are_those_of_the_domains():
    whole = PAPER.dropna(subset=list(OVERNIGHT))
    assert len(whole) == 22
    assert (abs(whole[list(OVERNIGHT)].mean(axis=1) - whole.average) < 0.11).all()


def test_known_cells():
    complete, labels = published("complete"), published("semi_15")
    assert (complete.calendar, complete.geo, complete.average) == (58.3, 63.7, 60.7)
    assert mean_of(complete, ["calendar", "recipes"]) == (58.3 + 68.1) / 2
    assert str(mean_of(labels, ["calendar", "geo"])) == "nan"
    assert len(sections("noise")) == 8
    assert len(sections("objectives")) == 7 + 1  # the policy gradient alone is ours
    assert PAPER.system.is_unique and set(PAPER.system) > set(ALIASES)
