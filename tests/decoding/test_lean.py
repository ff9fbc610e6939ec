"""Greedy decoding and sampling against one sentence and one word at a time."""

import itertools
import math
from collections import Counter

import pytest
import torch

from fairseq_twostage.decoding.lean import LengthLimit, decode, draw, evaluation_mode
from tests.builders import (
    SPECIAL,
    bias_word,
    dictionary_of,
    paraphraser,
    teacher_forced_log_prob,
    texts,
    tokens_of,
)

LINES = ["the longest ship in port please", "ship", "longest ship", "please", "in port"]
LIMIT = LengthLimit(slope=1.0, offset=4)


@pytest.fixture
def model():
    """It ends some sentences early, some late, some at the limit only."""
    model = paraphraser(seed=5, scale=9.0)
    bias_word(model.decoder("cf"), "</s>", 2.0)
    return model


def naive_greedy(decoder, memory, limit):
    """Argmax over the whole prefix, teacher-forced anew for every word; one sentence."""
    words = decoder.dictionary
    written = []
    while len(written) < limit:
        prefix = torch.tensor([[words.eos(), *written]])
        logits = decoder.teacher_forced(prefix, memory)[0][0, -1].clone()
        logits[[words.index(word) for word in SPECIAL]] = -math.inf
        best = int(logits.argmax())
        if best == words.eos():
            break
        written.append(best)
    return " ".join(words[word] for word in written)


def test_greedy_equals_argmax_one_sentence_at_a_time(model, words):
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    written = texts(words["cf"], decode(model.decoder("cf"), memory, LIMIT))
    expected = []
    for line in LINES:
        tokens = tokens_of(words["utterance"], line)
        alone = model.memory(tokens, "cf")
        expected.append(naive_greedy(model.decoder("cf"), alone, LIMIT.offset + tokens.size(1)))
    assert written == expected
    assert len({len(line.split()) for line in written}) > 2  # rows do end at different times


def test_removing_finished_rows_changes_nothing(model, words):
    tokens = tokens_of(words["utterance"], *LINES)
    memory = model.memory(tokens, "cf")
    decoder = model.decoder("cf")
    together = decode(decoder, memory, LIMIT)
    for row in range(len(LINES)):
        alone = decode(decoder, memory.select(torch.tensor([row])), LIMIT)[0]
        assert together[row, : len(alone)].tolist() == alone.tolist()
        assert together[row, len(alone) :].eq(words["cf"].pad()).all()


def test_logits_are_those_of_the_rows_that_are_left(words):
    """Rows that end out of order, each written by a script, against teacher forcing."""
    scripts = ["in port", "ship", "port whose length is ship", "", "is largest length in"]
    targets = [words["cf"].encode_line(line, add_if_not_exist=False).tolist() for line in scripts]
    model = paraphraser(scale=4.0)
    decoder = model.decoder("cf")
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    seen = {row: [] for row in range(len(scripts))}

    def follow_the_scripts(logits):
        step = max(len(found) for found in seen.values())
        left = [row for row, target in enumerate(targets) if step < len(target)]
        assert len(left) == len(logits)
        for row, found in zip(left, logits):
            seen[row].append(found)
        return torch.tensor([targets[row][step] for row in left])

    written = decode(decoder, memory, LengthLimit(0.0, 9), follow_the_scripts)
    assert texts(words["cf"], written) == scripts
    for row, target in enumerate(targets):
        prefix = torch.tensor([[words["cf"].eos(), *target[:-1]]])
        expected = decoder.teacher_forced(prefix, memory.select(torch.tensor([row])))[0][0]
        expected[:, [words["cf"].index(word) for word in SPECIAL]] = -math.inf
        torch.testing.assert_close(torch.stack(seen[row]), expected.detach())


def test_every_row_ends_once_and_is_padded_after(model, words):
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    for row in decode(model.decoder("cf"), memory, LIMIT).tolist():
        end = row.index(words["cf"].eos())
        assert all(word == words["cf"].pad() for word in row[end + 1 :])
        assert words["cf"].pad() not in row[:end]


@pytest.mark.parametrize("slope, offset", [(0.0, 3), (1.5, 2), (2.0, 0), (0.0, 0)])
def test_a_sentence_that_would_not_end_has_as_many_words_as_the_limit(words, slope, offset):
    model = paraphraser(scale=3.0)
    bias_word(model.decoder("cf"), "</s>", -100.0)
    tokens = tokens_of(words["utterance"], *LINES)
    written = decode(model.decoder("cf"), model.memory(tokens, "cf"), LengthLimit(slope, offset))
    found = [len(line.split()) for line in texts(words["cf"], written)]
    source_lengths = [len(line.split()) + 1 for line in LINES]
    assert found == [int(slope * length + offset) for length in source_lengths]


def test_special_symbols_are_never_written(words):
    model = paraphraser()
    decoder = model.decoder("cf")
    for word in SPECIAL:
        bias_word(decoder, word, 100.0)
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    torch.manual_seed(0)
    for choose in ({}, {"choose": draw}):
        written = decode(decoder, memory, LIMIT, **choose)
        assert not set(" ".join(texts(words["cf"], written)).split()) & set(SPECIAL)
        assert written.ne(words["cf"].eos()).any()


def test_an_empty_sentence_is_written_as_its_end_alone(words):
    model = paraphraser()
    bias_word(model.decoder("cf"), "</s>", 100.0)
    memory = model.memory(tokens_of(words["utterance"], *LINES), "cf")
    assert decode(model.decoder("cf"), memory, LIMIT).tolist() == [[words["cf"].eos()]] * 5


def test_samples_come_as_often_as_the_model_says():
    """Every sentence of up to two words of a language of two, against its probability."""
    words = {side: dictionary_of("a b") for side in ("utterance", "nl", "cf", "lf")}
    model = paraphraser(dictionary_by_side=words, seed=4, scale=4.0)
    decoder = model.decoder("cf")
    for word in SPECIAL:
        bias_word(decoder, word, -200.0)
    memory = model.memory(tokens_of(words["utterance"], "a b"), "cf")
    ids = [words["cf"].index(word) for word in "ab"]
    eos = words["cf"].eos()
    probabilities = {}
    for length in range(3):
        for sentence in itertools.product(ids, repeat=length):
            ends = [] if length == 2 else [eos]  # at the limit the end is not drawn
            log_prob = teacher_forced_log_prob(decoder, memory, [*sentence, *ends])
            probabilities[" ".join(words["cf"][i] for i in sentence)] = math.exp(log_prob.item())
    assert sum(probabilities.values()) == pytest.approx(1.0)
    draws = 20_000
    torch.manual_seed(13)
    repeated = memory.select(torch.zeros(draws, dtype=torch.long))
    counts = Counter(texts(words["cf"], decode(decoder, repeated, LengthLimit(0.0, 2), draw)))
    assert set(counts) <= set(probabilities)
    for sentence, probability in probabilities.items():
        deviation = (draws * probability * (1 - probability)) ** 0.5
        assert abs(counts[sentence] - draws * probability) < 4 * deviation, sentence
    assert max(probabilities.values()) < 0.9  # else there is nothing to tell apart


def test_draw_follows_the_softmax_of_each_row():
    torch.manual_seed(14)
    logits = torch.tensor([[0.0, 1.0, -1.0, -math.inf], [3.0, 3.0, -math.inf, 2.0]]).double()
    draws = 20_000
    chosen = draw(logits.repeat_interleave(draws, dim=0)).view(2, draws)
    for row in range(2):
        total = sum(math.exp(value) for value in logits[row].tolist())
        counts = torch.bincount(chosen[row], minlength=4).tolist()
        for count, value in zip(counts, logits[row].tolist()):
            share = math.exp(value) / total
            assert abs(count - draws * share) <= 4 * (draws * share * (1 - share)) ** 0.5


def test_decoding_keeps_no_gradient(model, words):
    memory = model.memory(tokens_of(words["utterance"], "ship"), "cf")
    assert memory.keys.requires_grad
    assert not decode(model.decoder("cf"), memory, LIMIT).requires_grad


def test_evaluation_mode_is_left_as_it_was_found():
    model = paraphraser()
    for training in (True, False):
        model.train(training)
        with evaluation_mode(model):
            assert not any(module.training for module in model.modules())
        assert all(module.training is training for module in model.modules())
    model.train()
    with pytest.raises(RuntimeError), evaluation_mode(model):
        raise RuntimeError
    assert all(module.training for module in model.modules())


def test_a_word_of_no_probability_is_never_drawn():
    torch.manual_seed(15)
    logits = torch.full((50_000, 5), -math.inf)
    logits[:, 1] = -7.0
    logits[:, 3] = 0.0
    assert set(draw(logits).tolist()) == {1, 3}
