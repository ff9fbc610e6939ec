import random
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from fairseq_twostage.grammar.streams import distinct, sorted_distinct

lines = st.text(
    st.characters(blacklist_categories=("Cs",), blacklist_characters="\n\r"), max_size=4
)


@given(st.lists(lines), st.integers(1, 5))
def test_sorting_on_disk_is_sorting(items, chunk):
    assert list(sorted_distinct(items, chunk)) == sorted(set(items))


def test_many_runs_are_merged_and_leave_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    items = [str(random.Random(1).random()) for _ in range(10)]
    items += [f"{i:05d}" for i in range(1000)] * 2
    random.Random(2).shuffle(items)
    merged = sorted_distinct(items, chunk=5)
    assert next(merged) == min(items)
    assert len(list(Path(tmp_path).rglob("run-*"))) < 65
    assert list(merged) == sorted(set(items))[1:]
    assert list(tmp_path.iterdir()) == []


def test_a_stream_that_is_not_read_to_its_end_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    merged = sorted_distinct(map(str, range(100)), chunk=5)
    next(merged)
    merged.close()
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.integers(0, 20)))
def test_distinct_keeps_the_first_of_each(items):
    assert list(distinct(items)) == list(dict.fromkeys(items))


def test_distinct_forgets_what_is_far_behind():
    assert list(distinct([1, 2, 3, 1, 4, 5, 1, 1], window=2)) == [1, 2, 3, 4, 5, 1]
