"""Executability and the memory of greedy parses."""

import pytest
import torch

from fairseq_twostage.decoding.lean import PARSE_LIMIT, decode
from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.rewards.executability import Executability, GreedyParses, sentence_keys
from tests.builders import (
    bias_word,
    dictionaries,
    naive_parser,
    only_words,
    paraphraser,
    texts,
    tokens_of,
    widen,
)

LINES = ["ship in port", "largest ship", "ship", "ship whose length is largest"]


@pytest.fixture
def parser():
    parser = naive_parser(scale=9.0).eval()
    only_words(parser.decoder)
    bias_word(parser.decoder, "</s>", 2.5)
    return parser


def read_rows(parser):
    """How many rows the parser's encoder reads in each call from now on."""
    rows = []
    parser.encoder.register_forward_hook(lambda _, inputs, __: rows.append(inputs[0].size(0)))
    return rows


def parsed_alone(parser, words, line):
    memory = parser.decoder.memory(parser.encoder(tokens_of(words["utterance"], line)))
    return texts(words["lf"], decode(parser.decoder, memory, PARSE_LIMIT))[0]


def test_parses_are_greedy_and_in_order(parser, words):
    parses = GreedyParses(parser)
    found = parses(tokens_of(words["utterance"], *LINES, LINES[0]))
    assert found == [parsed_alone(parser, words, line) for line in [*LINES, LINES[0]]]
    assert len(set(found)) > 2


def test_what_was_parsed_before_is_not_parsed_again(parser, words):
    expected = {line: parsed_alone(parser, words, line) for line in LINES}
    parses, rows = GreedyParses(parser), read_rows(parser)
    assert parses(tokens_of(words["utterance"], LINES[0], LINES[1], LINES[0])) == [
        expected[line] for line in (LINES[0], LINES[1], LINES[0])
    ]
    assert rows == [2]
    # Padding is no part of a sentence.
    again = widen(tokens_of(words["utterance"], LINES[1], LINES[0]), 3, words["utterance"].pad())
    assert parses(again) == [expected[LINES[1]], expected[LINES[0]]]
    assert rows == [2]
    assert parses(tokens_of(words["utterance"], *LINES)) == [expected[line] for line in LINES]
    assert rows == [2, 2]


def test_a_full_memory_is_emptied_and_answers_stay_right(parser, words):
    expected = {line: parsed_alone(parser, words, line) for line in LINES}
    parses, rows = GreedyParses(parser, capacity=2), read_rows(parser)
    remembered = []
    for lines in (LINES[:2], [LINES[0], LINES[2]], LINES, LINES[3:]):
        assert parses(tokens_of(words["utterance"], *lines)) == [expected[line] for line in lines]
        remembered.append(len(parses.remembered))
    # 2 new; 1 new does not fit, so both anew; all 4 anew; the last is remembered.
    assert rows == [2, 2, 4]
    assert remembered == [2, 2, 4, 4]  # no fewer than one call asks for


class Recorder:
    """Forms with ``good`` in them execute; remembers what was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, form, variables):
        self.asked.append((form, dict(variables)))
        return "good" in form and variables.get("_lake_") != "dry"


def reward(forms, executes):
    return Executability(lambda tokens: forms[: tokens.size(0)], executes)


def samples_of(side, rows):
    words = dictionaries()
    return Samples(
        side, tokens_of(words[side], *["ship"] * len(rows)), torch.tensor(rows), paraphraser()
    )


def inputs_of(side, variables=None):
    return Inputs(side, tokens_of(dictionaries()["utterance"], "ship", "port"), variables)


def test_one_for_a_form_that_executes():
    executes = Recorder()
    values = reward(["( good )", "( bad )", "( good )"], executes)(
        inputs_of("nl"), samples_of("cf", [0, 0, 1])
    )
    assert values.tolist() == [1.0, 0.0, 1.0]
    assert executes.asked == [("( good )", {}), ("( bad )", {})]


def test_variables_are_those_of_the_samples_input():
    executes = Recorder()
    variables = [{"_lake_": "dry", "_sea_": "x"}, {"_sea_": "x", "_lake_": "wet"}]
    judge = reward(["( good )"] * 3, executes)
    for _ in range(2):  # the second time from memory
        values = judge(inputs_of("nl", variables), samples_of("cf", [1, 0, 1]))
        assert values.tolist() == [1.0, 0.0, 1.0]
    assert executes.asked == [("( good )", variables[1]), ("( good )", variables[0])]


def test_no_more_verdicts_than_its_capacity_are_remembered():
    executes = Recorder()
    forms = ["( good )", "( bad )", "( good )"]
    judge = Executability(lambda tokens: forms[: tokens.size(0)], executes, capacity=1)
    values = judge(inputs_of("nl"), samples_of("cf", [0, 0, 1]))
    assert values.tolist() == [1.0, 0.0, 1.0]
    assert len(executes.asked) == 3  # the first form again, for the second took its place


def test_nothing_for_natural_samples():
    executes = Recorder()
    values = reward(["( good )"], executes)(inputs_of("cf"), samples_of("nl", [0, 1]))
    assert values.tolist() == [0.0, 0.0]
    assert not executes.asked


def test_the_parser_reads_samples_in_utterance_ids(parser, words):
    lines = ["largest ship", "ship in port"]
    forms = []
    judge = Executability(GreedyParses(parser), lambda form, _: bool(forms.append(form)))
    tokens = tokens_of(words["cf"], *lines)
    judge(inputs_of("nl"), Samples("cf", tokens, torch.tensor([0, 1]), paraphraser()))
    assert forms == [parsed_alone(parser, words, line) for line in lines]


def test_keys_are_sentences_without_padding():
    assert sentence_keys(torch.tensor([[5, 2, 1], [5, 6, 2]]), 1) == [(5, 2), (5, 6, 2)]
