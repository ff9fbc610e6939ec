from collections import Counter

import pytest

from fairseq_twostage.databin.unalign import unalign, unalign_with_grammar, with_parser_pairs
from fairseq_twostage.text.rows import Row

ROWS = [
    Row(f"x{i:03}", f"z{i % 40:03}", f"( y{i % 40:03} )", {"_v_": f"v{i % 3}"}) for i in range(100)
]
PAIRS = [(f"z{i:03}", f"( y{i:03} )") for i in range(50)]


def test_corpora_keep_their_items_with_repetition() -> None:
    part = unalign(ROWS, "train", seed=1)
    assert Counter(x for x, _ in part.utterances) == Counter(row.utterance for row in ROWS)
    assert Counter(part.canonicals) == Counter(row.canonical for row in ROWS)
    assert Counter(part.pairs) == Counter((row.canonical, row.logical_form) for row in ROWS)


def test_variables_stay_with_their_utterance() -> None:
    part = unalign(ROWS, "train", seed=1)
    assert set(part.utterances) == {(row.utterance, row.variables_json) for row in ROWS}


def test_only_the_multiset_of_each_side_matters() -> None:
    moved = ROWS[1:] + ROWS[:1]
    repaired = [
        Row(row.utterance, other.canonical, other.logical_form, row.variables)
        for row, other in zip(reversed(ROWS), moved)
    ]
    assert {(r.utterance, r.canonical) for r in repaired} != {
        (r.utterance, r.canonical) for r in ROWS
    }
    assert unalign(repaired, "train", seed=1) == unalign(ROWS, "train", seed=1)


@pytest.mark.parametrize("seed", [1, 999])
def test_the_orders_of_the_corpora_are_unrelated(seed: int) -> None:
    # With one x per z, equal positions after equal shuffles would give every pair away.
    rows = [Row(f"x{i:03}", f"z{i:03}", f"( y{i:03} )") for i in range(400)]
    part = unalign(rows, "train", seed)
    orders = [
        [int(x[1:]) for x, _ in part.utterances],
        [int(z[1:]) for z in part.canonicals],
        [int(z[1:]) for z, _ in part.pairs],
    ]
    for first, second in [(0, 1), (0, 2), (1, 2)]:
        same_place = sum(a == b for a, b in zip(orders[first], orders[second]))
        assert same_place < 8  # expected 1, Poisson: P(>= 8) is about 1e-5
        assert orders[first] != sorted(orders[first])


def test_splits_and_seeds_have_orders_of_their_own() -> None:
    assert unalign(ROWS, "train", 1) == unalign(ROWS, "train", 1)
    assert unalign(ROWS, "train", 1) != unalign(ROWS, "valid", 1)
    assert unalign(ROWS, "train", 1) != unalign(ROWS, "train", 2)


def test_the_grammar_gives_every_pair_to_training_and_a_fifth_to_validation() -> None:
    train = unalign_with_grammar(ROWS, PAIRS, "train", seed=1)
    valid = unalign_with_grammar(ROWS, PAIRS, "valid", seed=1)
    assert sorted(train.pairs) == PAIRS
    assert sorted(train.canonicals) == [z for z, _ in PAIRS]
    assert len(valid.pairs) == len(set(valid.pairs)) == 10
    assert set(valid.pairs) < set(PAIRS)
    assert sorted(valid.canonicals) == sorted(z for z, _ in valid.pairs)
    assert train.utterances == unalign(ROWS, "train", seed=1).utterances


def test_the_validation_sample_depends_on_the_seed_and_not_on_the_files_order() -> None:
    samples = [
        set(unalign_with_grammar(ROWS, pairs, "valid", seed).pairs)
        for pairs, seed in [(PAIRS, 1), (PAIRS[::-1], 1), (PAIRS, 2)]
    ]
    assert samples[0] == samples[1] != samples[2]


def test_one_pair_is_enough_for_validation() -> None:
    assert unalign_with_grammar(ROWS, PAIRS[:1], "valid", seed=1).pairs == PAIRS[:1]


def test_parser_pairs_leave_z_as_it_is() -> None:
    part = unalign(ROWS, "train", seed=1)
    pairs = [("z001 z002", "( new )"), ("z003", "( other )"), ("z003 zebra", "( unwritable )")]
    more = with_parser_pairs(part, pairs, "train", seed=1)
    assert Counter(more.pairs) == Counter([*part.pairs, ("z001 z002", "( new )")])
    assert (more.utterances, more.canonicals) == (part.utterances, part.canonicals)
    assert with_parser_pairs(part, [], "train", seed=1) == part
