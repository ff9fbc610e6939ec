from collections import Counter
from itertools import islice

from fairseq_twostage.grammar.chart import Chart
from fairseq_twostage.grammar.sampling import sample
from tests.grammar.helpers import grammar_of

# $N: 3 names and 9 pairs of them at depth 2, 150 pairs at depth 3, …
NAMES = """
(rule $N (a) a) (rule $N (b) b) (rule $N (c) c)
(rule $N ($N and $N) (lambda x (lambda y (call and (var x) (var y)))))
(rule $ROOT ($N) (lambda x (call list (var x))))
"""


def utterances(n, seed=1, depth=3, capacity=100_000, text=NAMES, check=None):
    chart = Chart(grammar_of(text), check, depth, capacity)
    return [phrase.utterance for phrase in islice(sample(chart, seed), n)]


def test_equal_seeds_give_equal_samples_and_others_differ():
    assert utterances(10, seed=3, depth=5, capacity=5) == utterances(10, 3, 5, 5)
    assert utterances(10, seed=3, depth=5) != utterances(10, seed=4, depth=5)


def test_a_sample_larger_than_the_set_is_the_set():
    chart = Chart(grammar_of(NAMES), None, 3)
    assert sorted(utterances(1000)) == sorted(phrase.utterance for phrase in chart.roots())
    assert len(utterances(1000)) == 3 + 9


def test_all_derivations_are_equally_likely():
    """First draws over many seeds, on a set that the type check thins out."""

    def no_double_a(term):
        return "( call and a a )" not in term.text

    firsts = Counter(
        utterances(1, seed=seed, depth=3, check=no_double_a)[0] for seed in range(2200)
    )
    assert len(firsts) == 3 + 9 - 1
    # 200 expected each; five standard deviations of a binomial are 67
    assert all(abs(count - 200) < 70 for count in firsts.values())


def test_pools_reach_depths_that_rejection_would_not():
    """A fifth of all conjunctions pass: of a derivation with nine, one in two millions."""

    def fifth(term):
        return " and " not in term.text or sum(map(ord, term.text)) % 5 == 0

    found = utterances(20, depth=7, capacity=10, check=fifth)
    assert len(set(found)) == 20
    assert max(utterance.count(" and ") for utterance in found) >= 9


def test_a_grammar_without_pairs_gives_an_empty_sample():
    assert utterances(5, check=lambda term: False) == []
