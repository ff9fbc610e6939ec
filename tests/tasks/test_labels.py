"""Which rows a share of labels uncovers."""

import pytest

from fairseq_twostage.tasks.data_bin import labelled_rows


@pytest.mark.parametrize(
    ("share", "count"), [(0.001, 1), (0.05, 1), (0.15, 3), (0.3, 6), (0.5, 10), (1.0, 20)]
)
def test_a_share_is_that_many_distinct_rows(share, count):
    rows = labelled_rows(20, share, seed=1)
    assert len(set(rows)) == len(rows) == count
    assert rows == sorted(rows)
    assert set(rows) <= set(range(20))


def test_more_labels_are_added_to_the_same_ones():
    shares = [set(labelled_rows(100, share, seed=3)) for share in (0.05, 0.15, 0.3, 0.5, 1.0)]
    assert shares == sorted(shares, key=len)
    assert all(share < shares[-1] for share in shares[:-1])
    assert shares[0] < shares[1] < shares[2] < shares[3]
    assert shares[-1] == set(range(100))


def test_the_seed_chooses():
    assert labelled_rows(100, 0.3, seed=1) == labelled_rows(100, 0.3, seed=1)
    assert labelled_rows(100, 0.3, seed=1) != labelled_rows(100, 0.3, seed=2)
