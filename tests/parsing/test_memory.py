"""What is parsed once, and what is never parsed."""

from fairseq_twostage.parsing.memory import ParseMemory
from fairseq_twostage.parsing.stages import Hypothesis


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
