"""The README's table from hand-made results."""

from __future__ import annotations

from fairseq_twostage.reporting.matrix import Matrix
from fairseq_twostage.reporting.overview import BEGIN, END, overview, replace_block
from fairseq_twostage.reporting.paper import OVERNIGHT
from tests.reporting.helpers import run


def test_means_and_how_many_seeds():
    runs = [run(seed=1, right=[0]), run(seed=2, right=[0, 1]), run(domain="geo", right=[0, 1, 2])]
    lines = overview(Matrix(runs))
    here = next(line for line in lines if line.startswith("| the same, trained here"))
    # Calendar, seeds 25 and 50: 37.5; six domains are missing, so there is no average.
    assert here.split(" | ")[1:] == [*"––", "37.5", *"–––––", "–", "75.0", "1 to 2 |"]
    paper = next(line for line in lines if line.startswith("| paper, CompleteModel"))
    assert " | 58.3 | " in paper and paper.endswith("| 60.7 | 63.7 | – |")


def test_an_average_needs_all_eight_domains():
    runs = [run("words_only", domain, right=[0]) for domain in OVERNIGHT[:-1]]
    runs.append(run("words_only", OVERNIGHT[-1], right=[0, 1, 2]))
    line = next(line for line in overview(Matrix(runs)) if line.startswith("| `words_only`"))
    # Seven times 25 and once 75.
    assert line.split(" | ")[-3:] == ["31.2", "–", "1 |"]


def test_tests_against_the_supervised_parser_and_the_grammar_setting():
    runs = [
        run("words_only", right=[0, 1, 2]),
        run("two_stage_supervised", right=[0]),
        run("complete", setting="grammar", right=[0]),
    ]
    text = "\n".join(overview(Matrix(runs)))
    assert "`words_only` +50.0 (p" in text and "`recommended` ¹ – on Overnight, – on Geo." in text
    assert (
        "`words_only` –; `recommended` ¹ –; `complete` 25.0 on calendar; `untrained_words` –;"
        in text
    )


def test_only_what_stands_between_the_marks_changes():
    text = f"before\n{BEGIN}\nold\n{END}\nafter {BEGIN}\n{END}"
    assert replace_block(text, ["new", "lines"], "page") == text.replace("old", "new\nlines")
