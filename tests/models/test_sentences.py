"""Ids of lines against fairseq's own."""

import pytest
import torch
from fairseq.data import Dictionary, data_utils

from fairseq_twostage.models.sentences import padded_ids, shift_right
from fairseq_twostage.models.vocabulary import Vocabulary
from tests.builders import NATURAL, dictionary_of

LINES = ["the longest ship", "  ship\tin\u3000port\x1c\n", "", "no <pad> such </s> word", "ship"]


def fairseq_ids(words, add):
    rows = [words.encode_line(line, add_if_not_exist=add).long() for line in LINES]
    return data_utils.collate_tokens(rows, words.pad())


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize("copy", [lambda words: words, lambda words: Vocabulary.of(words.symbols)])
def test_ids_are_those_of_fairseq(add, copy):
    words = copy(dictionary_of(NATURAL))
    expected = fairseq_ids(dictionary_of(NATURAL), add)
    found = padded_ids(words, LINES, add)
    assert found.dtype == torch.long
    assert torch.equal(found, expected)
    assert ("such" in words.symbols) == add


def test_a_vocabulary_answers_as_fairseqs_dictionary():
    expected, found = Dictionary(), Vocabulary()
    for word in ["ship", "port", "ship", "<unk>"]:
        assert found.add_symbol(word) == expected.add_symbol(word)
    assert found.symbols == expected.symbols
    assert (len(found), found.nspecial) == (len(expected), expected.nspecial)
    for name in ("bos", "pad", "eos", "unk"):
        assert getattr(found, name)() == getattr(expected, name)()
    for word in ("port", "quay", "</s>"):
        assert found.index(word) == expected.index(word)
    assert [found[index] for index in range(9)] == [expected[index] for index in range(9)]


@pytest.mark.parametrize("symbols", [["a", "b", "c", "d", "e"], [*Vocabulary().symbols, "a", "a"]])
def test_other_symbols_are_refused(symbols):
    with pytest.raises(ValueError, match="not the symbols of a dictionary"):
        Vocabulary.of(symbols)


def test_the_prefix_starts_with_end_of_sentence():
    assert shift_right(torch.tensor([[5, 6, 2], [7, 2, 1]]), eos=2).tolist() == [
        [2, 5, 6],
        [2, 7, 2],
    ]
