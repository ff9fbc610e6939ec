"""Log-probabilities of sentences: in one pass, in chunks, word by word."""

import math

import pytest
import torch

from fairseq_twostage.models.scoring import (
    chunked_sentence_log_probs,
    map_by_length,
    sentence_log_probs,
)
from tests.builders import (
    SOURCES,
    TARGETS,
    paraphraser,
    teacher_forced_log_prob,
    tokens_of,
    widen,
    without_padding,
)


@pytest.fixture
def model():
    return paraphraser(scale=3.0)


def test_equals_the_sum_of_the_words_log_probabilities(model, words):
    memory = model.memory(tokens_of(words["utterance"], *SOURCES), "cf")
    targets = tokens_of(words["cf"], *TARGETS[:3])
    decoder = model.decoder("cf")
    scored = sentence_log_probs(decoder, memory, targets)
    assert scored.shape == (3,)
    for row in range(3):
        sentence = without_padding(targets[row], words["cf"].pad())
        alone = memory.select(torch.tensor([row]))
        expected = teacher_forced_log_prob(decoder, alone, sentence)
        torch.testing.assert_close(scored[row], expected)
    wider = widen(targets, 3, words["cf"].pad())
    torch.testing.assert_close(sentence_log_probs(decoder, memory, wider), scored)


def test_probabilities_of_a_model_in_half_precision_are_summed_in_single(model, words):
    memory = model.memory(tokens_of(words["utterance"], *SOURCES), "cf")
    targets = tokens_of(words["cf"], *TARGETS[:3])
    single = sentence_log_probs(model.decoder("cf"), memory, targets)
    model.half()
    halved = model.memory(tokens_of(words["utterance"], *SOURCES), "cf")
    rows = torch.arange(3)
    for scored in (
        sentence_log_probs(model.decoder("cf"), halved, targets),
        chunked_sentence_log_probs(model.decoder("cf"), halved, rows, targets),
    ):
        assert scored.dtype == torch.float32
        torch.testing.assert_close(scored, single.float(), rtol=0.02, atol=0.05)


def test_an_even_model_gives_every_word_the_same_probability(words):
    model = paraphraser(scale=0.0)
    memory = model.memory(tokens_of(words["utterance"], "ship", "ship"), "cf")
    scored = sentence_log_probs(model.decoder("cf"), memory, tokens_of(words["cf"], "", "port in"))
    even = -math.log(len(words["cf"]))
    assert scored.tolist() == pytest.approx([even, 3 * even])


def test_chunks_change_neither_values_nor_gradients(model, words):
    memory = model.memory(tokens_of(words["utterance"], *SOURCES), "cf")
    decoder = model.decoder("cf")
    rows = torch.tensor([2, 0, 1, 0, 2])
    targets = tokens_of(words["cf"], *TARGETS)
    weights = torch.tensor([1.0, -2.0, 0.5, 3.0, -1.0]).double()
    results = []
    for scored in (
        chunked_sentence_log_probs(decoder, memory, rows, targets),
        sentence_log_probs(decoder, memory.select(rows), targets),
    ):
        parameters = list(model.encoder("nl").parameters()) + list(decoder.parameters())
        loss = (weights * scored).sum()
        results.append([scored, *torch.autograd.grad(loss, parameters, retain_graph=True)])
    for chunked, whole in zip(*results):
        torch.testing.assert_close(chunked, whole)


@pytest.mark.parametrize("number", [1, 3, 4, 9])
def test_sentences_come_back_in_their_order(number):
    torch.manual_seed(12)
    lengths = torch.randint(1, 7, (number,))
    tokens = torch.arange(1, 7).expand(number, 6).clone() * 10
    tokens[torch.arange(6) >= lengths.unsqueeze(1)] = 1
    widths = []

    def total(chosen, part):
        assert torch.equal(part, tokens[chosen, : part.size(1)])
        widths.append(part.size(1))
        return part.masked_fill(part.eq(1), 0).sum(dim=1)

    expected = [10 * length * (length + 1) // 2 for length in lengths.tolist()]
    assert map_by_length(total, tokens, padding_idx=1).tolist() == expected
    assert widths == sorted(widths)
    assert max(widths) == lengths.max()
