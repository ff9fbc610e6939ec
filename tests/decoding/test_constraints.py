import math
import random

import pytest
import torch
from torch.overrides import TorchFunctionMode

from fairseq_twostage.decoding.constraints import (
    DEAD,
    PrefixTrie,
    WrittenMask,
    mask_logits,
    prefix_states,
    trie_of_lines,
)
from fairseq_twostage.decoding.lean import LengthLimit, decode, draw, pick_best
from fairseq_twostage.decoding.patient_beam import patient_hypotheses
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.scoring import chunked_sentence_log_probs
from tests.builders import (
    dictionaries,
    dictionary_of,
    paraphraser,
    teacher_forced_log_prob,
    texts,
    tokens_of,
)

EOS = 2
SENTENCES = [(5, 6, EOS), (5, 7, EOS), (5, EOS), (9, EOS), (5, 6, 8, EOS)]


def followers(prefix, sentences):
    """Words after ``prefix`` in sentences, by looking at each."""
    n = len(prefix)
    return {s[n] for s in sentences if len(s) > n and s[:n] == prefix}


def state_of(trie, prefix):
    state = torch.tensor([trie.start])
    for word in prefix:
        state = trie.advance(state, torch.tensor([word]))
    return int(state)


def allowed_in(trie, state):
    rows, words = trie.allowed(torch.tensor([state]))
    assert not rows.any()
    return set(words.tolist())


@pytest.mark.parametrize("prefix", [(), (5,), (9,), (5, 6), (5, 7), (5, 6, 8)])
def test_trie_allows_what_follows_in_the_list(prefix):
    trie = PrefixTrie(SENTENCES)
    assert allowed_in(trie, state_of(trie, prefix)) == followers(prefix, SENTENCES)


@pytest.mark.parametrize("prefix", [(6,), (5, 9), (9, 5, 6), (5, 6, 7), (100,), (5, EOS, 5)])
def test_trie_knows_no_other_prefix(prefix):
    trie = PrefixTrie(SENTENCES)
    assert state_of(trie, prefix) == DEAD
    assert allowed_in(trie, DEAD) == set()
    assert state_of(trie, (*prefix, 5)) == DEAD


def test_random_tries_against_looking_at_every_sentence():
    chance = random.Random(0)
    for _ in range(20):
        sentences = [
            (*(chance.randrange(4, 8) for _ in range(chance.randrange(1, 6))), EOS)
            for _ in range(chance.randrange(1, 40))
        ]
        trie = PrefixTrie(sentences)
        prefixes = sorted({s[:n] for s in sentences for n in range(len(s))})
        states = torch.tensor([state_of(trie, prefix) for prefix in prefixes])
        assert len(set(states.tolist())) == len(prefixes)
        rows, words = trie.allowed(states)
        assert rows.tolist() == sorted(rows.tolist())
        for number, prefix in enumerate(prefixes):
            expected = sorted(followers(prefix, sentences))
            assert words[rows == number].tolist() == expected


def test_nothing_to_hold():
    for sentences in ([], [()]):
        with pytest.raises(ValueError, match="needs sentences"):
            PrefixTrie(sentences)


def test_lines_that_cannot_be_written_are_left_out():
    words = dictionary_of("red ship")
    trie = trie_of_lines(["red ship", "red boat", "red"], words, "file")
    red, ship = words.index("red"), words.index("ship")
    assert trie.size == 2
    assert allowed_in(trie, state_of(trie, (red,))) == {ship, words.eos()}
    with pytest.raises(UserError, match="file"):
        trie_of_lines(["blue"], words, "file")


def test_masked_softmax_is_renormalised():
    trie = PrefixTrie(SENTENCES)
    logits = torch.randn(3, 10, generator=torch.Generator().manual_seed(0))
    states = torch.tensor([state_of(trie, (5,)), trie.start, DEAD])
    masked = mask_logits(logits, trie, states)
    plain = logits.softmax(dim=1)
    chosen = [EOS, 6, 7]
    expected = torch.zeros(10)
    expected[chosen] = plain[0, chosen] / plain[0, chosen].sum()
    torch.testing.assert_close(masked.softmax(dim=1)[0], expected)
    assert masked[1].isfinite().nonzero().flatten().tolist() == [5, 9]
    torch.testing.assert_close(masked[2], logits[2])


def test_the_ends_of_sentences_do_no_harm():
    trie = PrefixTrie(SENTENCES)
    over = torch.tensor([state_of(trie, (9, EOS))])
    logits = torch.randn(1, 10)
    torch.testing.assert_close(mask_logits(logits, trie, over), logits)


def lines_and_ids(words):
    lines = ["ship whose length is largest", "ship in port", "ship", "port", "length is length"]
    ids = [words.encode_line(line, add_if_not_exist=False).tolist() for line in lines]
    return lines, ids


def naive_log_prob(decoder, memory, sentence, sentences):
    """Word by word, each softmax over what follows the prefix in some sentence."""
    state, last, total = decoder.initial_state(1), decoder.dictionary.eos(), 0.0
    for place, word in enumerate(sentence):
        logits, _, state = decoder.step(torch.tensor([last]), state, memory)
        may = sorted(followers(tuple(sentence[:place]), [tuple(s) for s in sentences]))
        total += logits[0, word].item() - logits[0, may].logsumexp(0).item()
        last = word
    return total


def test_log_probability_of_the_renormalised_policy():
    words = dictionaries()
    model = paraphraser(scale=5.0)
    _, ids = lines_and_ids(words["cf"])
    target = torch.nn.utils.rnn.pad_sequence(
        [torch.tensor(s) for s in ids] * 2, batch_first=True, padding_value=words["cf"].pad()
    )
    rows = torch.tensor([0] * len(ids) + [1] * len(ids))
    sources = tokens_of(words["utterance"], "the longest ship", "port please")
    memory, decoder = model.memory(sources, "cf"), model.decoder("cf")
    trie = PrefixTrie(ids)
    found = chunked_sentence_log_probs(decoder, memory, rows, target, WrittenMask(trie, target))
    one = [model.memory(sources[k : k + 1, : 4 - k], "cf") for k in range(2)]
    expected = [naive_log_prob(decoder, one[k], s, ids) for k in range(2) for s in ids]
    torch.testing.assert_close(found, torch.tensor(expected, dtype=found.dtype))
    torch.testing.assert_close(found.exp().view(2, -1).sum(dim=1), torch.ones(2).to(found))
    found.sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


def test_greedy_and_samples_stay_in_the_list():
    words = dictionaries()
    model = paraphraser(scale=5.0)
    lines, ids = lines_and_ids(words["cf"])
    trie = trie_of_lines(lines, words["cf"], "list")
    sources = tokens_of(words["utterance"], *["the longest ship", "port"] * 30)
    memory, decoder = model.memory(sources, "cf"), model.decoder("cf")
    limit = LengthLimit(0.0, 1)  # it would end every sentence after a word
    torch.manual_seed(0)
    drawn = texts(words["cf"], decode(decoder, memory, limit, draw, trie))
    assert set(drawn) <= set(lines) and len(set(drawn)) > 2
    greedy = texts(words["cf"], decode(decoder, memory, limit, pick_best, trie))
    for row in range(2):
        one = memory.select(torch.tensor([row]))
        sentence, prefix = [], ()
        while not sentence or sentence[-1] != words["cf"].eos():
            may = sorted(followers(prefix, [tuple(s) for s in ids]))
            scores = [naive_log_prob(decoder, one, [*prefix, word], ids) for word in may]
            sentence.append(may[int(torch.tensor(scores).argmax())])
            prefix = tuple(sentence)
        assert greedy[row] == " ".join(words["cf"][word] for word in sentence[:-1])


def test_samples_follow_the_renormalised_policy():
    words = dictionaries()
    model = paraphraser(scale=5.0)
    lines, ids = lines_and_ids(words["cf"])
    trie = trie_of_lines(lines, words["cf"], "list")
    memory = model.memory(tokens_of(words["utterance"], "the longest ship"), "cf")
    decoder, count = model.decoder("cf"), 4000
    torch.manual_seed(0)
    many = memory.select(torch.zeros(count, dtype=torch.long))
    drawn = texts(words["cf"], decode(decoder, many, LengthLimit(), draw, trie))
    for line, sentence in zip(lines, ids):
        expected = math.exp(naive_log_prob(decoder, memory, sentence, ids))
        assert drawn.count(line) / count == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_beam_finds_the_best_of_the_list(k):
    words = dictionaries()
    model = paraphraser(scale=5.0)
    lines, ids = lines_and_ids(words["cf"])
    trie = trie_of_lines(lines, words["cf"], "list")
    sources = tokens_of(words["utterance"], "the longest ship", "port please")
    memory, decoder = model.memory(sources, "cf"), model.decoder("cf")
    found = patient_hypotheses(decoder, memory, k, LengthLimit(0.0, 1), trie)
    for row, hypotheses in enumerate(found):
        one = memory.select(torch.tensor([row]))
        scores = {tuple(s): teacher_forced_log_prob(decoder, one, s).item() for s in ids}
        assert 1 <= len(hypotheses) <= k
        for sentence, score in hypotheses:
            assert score == pytest.approx(scores[tuple(sentence)] / len(sentence))
        if k == 3:  # no more than three prefixes of one length are alive
            best = max(scores, key=lambda s: scores[s] / len(s))
            assert tuple(hypotheses[0][0]) == best


def test_a_beam_wider_than_the_list():
    words = dictionaries()
    model = paraphraser(scale=5.0)
    lines = ["ship in port", "ship"]
    trie = trie_of_lines(lines, words["cf"], "list")
    memory = model.memory(tokens_of(words["utterance"], "the longest ship"), "cf")
    (found,) = patient_hypotheses(model.decoder("cf"), memory, 3, LengthLimit(), trie)
    assert {tuple(sentence) for sentence, _ in found} == {
        tuple(words["cf"].encode_line(line, add_if_not_exist=False).tolist()) for line in lines
    }


def test_prefix_states():
    trie = PrefixTrie(SENTENCES)
    states = prefix_states(trie, torch.tensor([[5, 6, EOS], [5, 9, EOS]]))
    assert states[0].tolist() == [trie.start, state_of(trie, (5,)), state_of(trie, (5, 6))]
    assert states[1].tolist() == [trie.start, state_of(trie, (5,)), DEAD]


class Elsewhere(torch.Tensor):
    """A tensor that is said to lie on another device."""


class OtherDevice(TorchFunctionMode):
    """As a GPU does, refuse operations on tensors of two devices."""

    device = torch.device("meta")

    def __torch_function__(self, function, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            if function is torch.Tensor.cpu:
                return args[0].as_subclass(torch.Tensor)
            if function is torch.Tensor.to and args[1] == self.device:
                return args[0].as_subclass(Elsewhere)
            if function == torch.Tensor.device.__get__ and isinstance(args[0], Elsewhere):
                return self.device
            found = {type(each) for each in args if isinstance(each, torch.Tensor)}
            assert len(found) < 2, f"{function} on tensors of two devices"
            result = function(*args, **(kwargs or {}))
            away = found == {Elsewhere} and isinstance(result, torch.Tensor)
            return result.as_subclass(Elsewhere) if away else result


def test_a_trie_answers_on_the_device_of_the_question():
    trie = PrefixTrie(SENTENCES)
    states, words = torch.tensor([0, DEAD, state_of(trie, (5,))]), torch.tensor([5, 5, 7])
    expected = [*trie.allowed(states), trie.advance(states, words)]
    with OtherDevice():
        away, further = states.to(OtherDevice.device), words.to(OtherDevice.device)
        with pytest.raises(AssertionError, match="two devices"):
            _ = states + away
        found = [*trie.allowed(away), trie.advance(away, further)]
    assert all(isinstance(each, Elsewhere) for each in found)
    assert [each.tolist() for each in found] == [each.tolist() for each in expected]
