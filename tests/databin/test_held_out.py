"""Training pairs in parts without a common program."""

import pytest

from fairseq_twostage.databin.held_out import cut_by_program
from fairseq_twostage.errors import UserError
from fairseq_twostage.text.rows import Row

# Ten programs of one to ten pairs; brackets of the first pair are spaced otherwise.
PAIRS = [
    Row("", f"z {program} {copy}", f"(call {program})" if copy == 0 else f"( call {program} )")
    for program in range(10)
    for copy in range(program + 1)
]


def programs(indices):
    return {PAIRS[index].canonical.split()[1] for index in indices}


def test_every_pair_is_in_one_part_and_every_program_too():
    parts = cut_by_program(PAIRS, 4, seed=1)
    assert sorted(index for part in parts for index in part) == list(range(len(PAIRS)))
    assert sorted(len(programs(part)) for part in parts) == [2, 2, 3, 3]
    assert sum(len(programs(part)) for part in parts) == 10


def test_the_seed_deals():
    first, same, other = (cut_by_program(PAIRS, 4, seed) for seed in (1, 1, 2))
    assert first == same != other


@pytest.mark.parametrize("parts", [1, 0, -2, 11])
def test_more_parts_than_programs_and_fewer_than_two(parts):
    with pytest.raises(UserError, match=f"--parts: {parts} parts of 10 programs"):
        cut_by_program(PAIRS, parts, seed=1)
