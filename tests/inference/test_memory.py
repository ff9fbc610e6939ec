"""What is parsed once, and what is never parsed."""

from fairseq_twostage.decoding.stage import Hypothesis
from fairseq_twostage.inference.memory import BatchMemory, ParseMemory


class Counting:
    def __init__(self):
        self.asked = []

    def __call__(self, lines):
        self.asked.append(list(lines))
        return [[Hypothesis(line.upper(), -1.0)] for line in lines]


def forms(found):
    return [hypotheses[0].text for hypotheses in found]


def test_known_and_repeated_lines_are_not_parsed():
    stage = Counting()
    memory = ParseMemory(stage, {"k": [Hypothesis("known", 0.0)]})
    assert forms(memory(["a", "k", "a", "b"])) == ["A", "known", "A", "B"]
    assert forms(memory(["b", "c"])) == ["B", "C"]
    assert memory([]) == []
    assert stage.asked == [["a", "b"], ["c"]]


def test_the_one_asked_for_least_recently_is_forgotten():
    stage = Counting()
    memory = ParseMemory(stage, {}, capacity=2)
    for lines in (["a"], ["b"], ["a"], ["c"], ["a"], ["b"]):
        assert forms(memory(lines)) == [line.upper() for line in lines]
    assert stage.asked == [["a"], ["b"], ["c"], ["b"]]


def test_more_lines_than_it_holds():
    memory = ParseMemory(Counting(), {}, capacity=1)
    assert forms(memory(["a", "b", "c"])) == ["A", "B", "C"]


def test_a_form_that_is_looked_up_is_the_only_one():
    stage = Counting()
    memory = ParseMemory(
        stage, {"b": [Hypothesis("known", -2.0)]}, certain={"a": "other", "b": "B"}
    )
    assert [list(found) for found in memory(["a", "b", "c", "a"])] == [
        [Hypothesis("other", 0.0)],
        [Hypothesis("B", 0.0)],
        [Hypothesis("C", -1.0)],
        [Hypothesis("other", 0.0)],
    ]
    assert stage.asked == [["c"]]


def test_what_is_learnt_is_not_forgotten():
    stage = Counting()
    memory = ParseMemory(stage, capacity=1, certain={"a": "other"})
    memory.learn(["a", "b"])
    assert memory.known == {"b": [Hypothesis("B", -1.0)]}
    assert forms(memory(["a", "b", "c", "d", "a"])) == ["other", "B", "C", "D", "other"]
    assert stage.asked == [["b"], ["c", "d"]]


def test_without_a_parser_what_is_not_looked_up_has_no_form():
    memory = ParseMemory(None, certain={"a": "other"})
    memory.learn(["a"])
    assert memory.known == {}
    assert [list(found) for found in memory(["a", "b"])] == [[Hypothesis("other", 0.0)], []]


def test_a_batch_larger_than_the_memory_and_lines_that_come_twice():
    asked = []

    def double(lines):
        asked.append(list(lines))
        return [2 * line for line in lines]

    memory = BatchMemory(double, capacity=2)
    assert memory(["a", "b", "a", "c"]) == ["aa", "bb", "aa", "cc"]
    assert memory(["c", "b", "a"]) == ["cc", "bb", "aa"]
    assert memory([]) == []
    assert asked == [["a", "b", "c"], ["a"]]
