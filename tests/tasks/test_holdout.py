"""Training pairs in parts without a common program, and what the task learns from them."""

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.text.rows import Row
from research.holdout import cut_by_program, main
from tests.builders import GEO_ROWS
from tests.tasks.test_semantic_parsing import pairs


def test_a_parser_is_validated_on_programs_that_it_does_not_learn(data_bin, tmp_path, capsys):
    dest = tmp_path / "held-out"
    assert main(["--data", str(data_bin), "--dest", str(dest), "--parts", "2"]) == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == [
        "2 pairs to train on, 3 held out",
        "3 pairs to train on, 2 held out",
    ]
    everything = sorted((z, y) for _, z, y in GEO_ROWS)
    held_out = [pairs(data_bin, "valid", pairs=str(dest / part)) for part in ("1", "2")]
    learnt = [pairs(data_bin, "train", pairs=str(dest / part)) for part in ("1", "2")]
    assert learnt == held_out[::-1]
    assert sorted(held_out[0] + held_out[1]) == everything


@pytest.mark.parametrize("parts", ["1", "6"])
def test_parts_that_there_cannot_be_leave_nothing(data_bin, tmp_path, capsys, parts):
    dest = tmp_path / "held-out"
    options = ["--data", str(data_bin), "--dest", str(dest), "--parts", parts]
    assert main(options) == 1
    assert capsys.readouterr().err == (f"holdout: error: --parts: {parts} parts of 5 programs\n")
    assert not dest.exists()


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
