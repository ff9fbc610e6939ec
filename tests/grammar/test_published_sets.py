"""What the published grammars generate, against SEMPRE's and GeoGranno's own output."""

import re

import pytest

from fairseq_twostage.grammar import generate_pairs
from fairseq_twostage.grammar.chart import Chart
from fairseq_twostage.grammar.reader import read_grammar
from fairseq_twostage.grammar.typecheck import ExecutionCheck
from fairseq_twostage.semantics import load_world, normalise

SIZES = {
    "basketball": 266,
    "blocks": 511,
    "calendar": 209,
    "housing": 231,
    "publications": 150,
    "recipes": 124,
    "restaurants": 339,
    "socialnetwork": 629,
}
EXAMPLE = re.compile(r'\(original "(.*?)"\)\s*\(targetFormula(.*?)\)\s*\n\)', re.DOTALL)


@pytest.fixture(scope="module")
def generated(data_dir):
    remembered = {}

    def pairs(domain):
        if domain not in remembered:
            file = data_dir / "grammar" / "overnight" / f"{domain}.grammar"
            remembered[domain] = ["\t".join(pair) for pair in generate_pairs(file, domain)]
        return remembered[domain]

    return pairs


@pytest.mark.parametrize("domain", SIZES)
def test_overnight_sizes(generated, domain):
    assert len(generated(domain)) == SIZES[domain]


@pytest.mark.parametrize("domain", ["basketball", "blocks", "calendar", "recipes", "restaurants"])
def test_overnight_sets_are_those_of_sempre(generated, data_dir, domain):
    text = (data_dir / "canonical" / f"{domain}.tsv").read_text(encoding="utf-8")
    assert generated(domain) == text.splitlines()


@pytest.mark.parametrize("domain", SIZES)
def test_every_pair_of_the_datasets_is_generated(generated, data_dir, domain):
    """Compared in full names and evenly spaced, as both sides normalise to."""

    def normalised(pair):
        return pair[0], " ".join(normalise(pair[1]).split())

    rows = set()
    for file in sorted((data_dir / "overnight").glob(f"{domain}.*.examples")):
        rows |= {normalised(row) for row in EXAMPLE.findall(file.read_text(encoding="utf-8"))}
    assert len(rows) > 100
    assert rows <= {normalised(line.split("\t")) for line in generated(domain)}


def test_geogranno_at_depth_4(data_dir):
    """All 166 pairs, and 39 that GeoGranno's script leaves out (see docs/grammar.md)."""
    file = data_dir / "grammar" / "geogranno" / "geo880.grammar"
    database = data_dir / "geogranno" / "geo880.db"
    ours = {"\t".join(pair) for pair in generate_pairs(file, "geo", geo_db=database, depth=4)}
    text = (data_dir / "canonical" / "geogranno_depth4_pruned.tsv").read_text(encoding="utf-8")
    theirs = {line.replace("! ", "!") for line in text.splitlines()}
    assert len(theirs) == 166
    assert theirs <= ours

    extra = [line.split("\t") for line in ours - theirs]
    compared_with_zero = [u for u, _ in extra if re.fullmatch(r"\w+ whose \w+ is .*\b0", u)]
    counted_numbers = [f for _, f in extra if re.search(r"call \.size .*(_length|_count)", f)]
    names = [f for _, f in extra if "fb:en.name" in f or "city_name" in f]
    assert [len(compared_with_zero), len(counted_numbers), len(names)] == [12, 22, 5]
    assert len(extra) == 12 + 22 + 5


def test_bounded_memory_does_not_change_a_checked_set(data_dir):
    grammar = read_grammar(data_dir / "grammar" / "overnight" / "recipes.grammar")
    chart = Chart(grammar, ExecutionCheck(load_world("recipes")), capacity=40)
    pairs = {(phrase.utterance, phrase.term.text) for phrase in chart.roots()}
    assert chart.overflowed
    assert len(pairs) == SIZES["recipes"]
