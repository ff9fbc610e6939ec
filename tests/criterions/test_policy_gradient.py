"""L_DRL: REINFORCE against the sum written out, and against the true gradient."""

import itertools

import pytest
import torch

from fairseq_twostage.criterions.baselines import GreedyReward, MeanOfSamples, NoBaseline
from fairseq_twostage.criterions.policy_gradient import (
    PolicyGradient,
    distinct_samples,
    draw_samples,
    reinforce_loss,
    sum_rewards,
)
from fairseq_twostage.decoding.lean import LengthLimit, decode, pick_best
from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.rewards.relevance import Relevance, dual_log_probs
from tests.builders import (
    bias_word,
    dictionary_of,
    gradients,
    only_words,
    paraphraser,
    teacher_forced_log_prob,
    texts,
    tokens_of,
    touched,
    unpaired_batch,
)

NATURAL = ["the longest ship in port", "please"]
DRAWN = ["ship", "largest ship", "ship", "port", "port in", "port"]  # three for each input
REWARD = {"ship": 2.0, "largest ship": -1.0, "port": 7.0, "port in": 0.5}
LIMIT = LengthLimit(slope=0.0, offset=6)


class Judge:
    """A reward by the sample's text; remembers how many samples it was shown."""

    def __init__(self, value):
        self.value = value
        self.judged = []

    def __call__(self, inputs, samples):
        found = texts(samples.policy.decoder(samples.side).dictionary, samples.tokens)
        self.judged.append(found)
        return torch.tensor([self.value(text) for text in found]).double()


def fixed(lines):
    """A sampler that always draws these."""

    def sampler(model, inputs, target, count, limit, constraint):
        assert len(lines) == count * inputs.tokens.size(0)
        return tokens_of(model.decoder(target).dictionary, *lines)

    return sampler


def objective(judge=None, **options):
    settings = dict(
        rewards={"table": judge or Judge(REWARD.__getitem__)},
        weights={"table": 1.0},
        samples=3,
        baseline=MeanOfSamples(),
        limit=LIMIT,
        sampler=fixed(DRAWN),
    )
    return PolicyGradient(**(settings | options))


def written_out(model, words, advantages):
    """``−Σ_k advantage_k / K · log P(z̃ᵏ | x)`` over every sample, repeated ones too."""
    total = 0.0
    for number, (line, advantage) in enumerate(zip(DRAWN, advantages)):
        source = tokens_of(words["utterance"], NATURAL[number // 3])
        sentence = words["cf"].encode_line(line, add_if_not_exist=False).tolist()
        log_prob = teacher_forced_log_prob(
            model.decoder("cf"), model.memory(source, "cf"), sentence
        )
        total = total - advantage / 3 * log_prob
    return total


def gradient_of(model, loss):
    model.zero_grad()
    loss.backward()
    return gradients(model)


@pytest.mark.parametrize(
    "options, advantages",
    [
        # Means of the rewards: (2 - 1 + 2) / 3 = 1 and (7 + 0.5 + 7) / 3 = 29 / 6.
        ({}, [1, -2, 1, 13 / 6, -13 / 3, 13 / 6]),
        ({"baseline": NoBaseline()}, [2, -1, 2, 7, 0.5, 7]),
        ({"weights": {"table": 0.5}}, [0.5, -1, 0.5, 13 / 12, -13 / 6, 13 / 12]),
        ({"advantage_clamp": 1.5}, [1, -1.5, 1, 1.5, -1.5, 1.5]),
    ],
)
def test_equals_the_sum_over_all_samples(words, options, advantages):
    """Equal samples are merged, which must not show."""
    model = paraphraser(scale=3.0)
    batch = unpaired_batch(words["utterance"], natural=NATURAL)
    loss = objective(**options)(model, batch).loss
    expected = written_out(model, words, advantages)
    torch.testing.assert_close(loss, expected)
    found = gradient_of(model, loss)
    torch.testing.assert_close(found, gradient_of(model, expected))
    assert found.abs().max() > 0.01


def test_gradient_climbs_the_expected_reward():
    """Against ``−∇ Σ_z P(z | x) R(z)`` over all sentences of a language of two words."""
    words = {side: dictionary_of("a b") for side in ("utterance", "nl", "cf", "lf")}
    model = paraphraser(dictionary_by_side=words, seed=3, scale=5.0)
    decoder = model.decoder("cf")
    only_words(decoder)
    bias_word(decoder, "</s>", 2.0)
    batch = unpaired_batch(words["utterance"], natural=["a b"])

    def reward(text):
        return 3.0 * text.count("a") - 1.5 * text.count("b") + (2.0 if text[:1] == "b" else 0.0)

    memory = model.memory(batch["nl"]["tokens"], "cf")
    ids = {word: words["cf"].index(word) for word in "ab"}
    covered, expected_reward = 0.0, 0.0
    for length in range(7):
        for sentence in itertools.product("ab", repeat=length):
            written = [*(ids[word] for word in sentence), words["cf"].eos()]
            probability = teacher_forced_log_prob(decoder, memory, written).exp()
            covered += probability.item()
            expected_reward = expected_reward + probability * reward(" ".join(sentence))
    assert covered > 0.998
    truth = gradient_of(model, -expected_reward)
    torch.manual_seed(17)
    for baseline in (NoBaseline(), MeanOfSamples()):
        estimate = gradient_of(
            model,
            objective(
                Judge(reward),
                samples=30_000,
                baseline=baseline,
                limit=LengthLimit(0.0, 30),
                sampler=draw_samples,
            )(model, batch).loss,
        )
        assert (estimate - truth).norm() < 0.06 * truth.norm()


def test_constant_rewards_teach_nothing_above_the_mean(words):
    model = paraphraser()
    batch = unpaired_batch(words["utterance"], natural=NATURAL)
    loss = objective(Judge(lambda text: 5.0))(model, batch).loss
    assert not gradient_of(model, loss).any()


def test_each_distinct_sample_of_an_input_is_judged_once(words):
    model = paraphraser()
    judge = Judge(REWARD.__getitem__)
    output = objective(judge)(model, unpaired_batch(words["utterance"], natural=NATURAL))
    assert judge.judged == [["ship", "largest ship", "port", "port in"]]
    logs = {name: (mean.total, mean.count) for name, mean in output.logs.items()}
    assert logs == {
        "reward_table_nl_cf": (2 - 1 + 2 + 7 + 0.5 + 7, 6),
        "reward_nl_cf": (17.5, 6),
        "distinct_samples_nl_cf": (4.0, 2),
        "reward_table_cf_nl": (0.0, 0),
        "reward_cf_nl": (0.0, 0),
        "distinct_samples_cf_nl": (0.0, 0),
    }


def test_the_same_sentence_for_two_inputs_is_two_samples():
    drawn = torch.tensor([[5, 2], [5, 2], [6, 2], [5, 2]])
    distinct, where = distinct_samples(drawn, 2, 1)
    assert distinct.tolist() == [0, 2, 3]
    assert where.tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize("side, other", [("nl", "cf"), ("cf", "nl")])
def test_trains_the_policy_and_not_the_judges(words, side, other):
    """No gradient through samples or rewards, the dual model's likelihood among them."""
    model = paraphraser(separate_encoders=True, scale=4.0)
    sides = {"natural": NATURAL} if side == "nl" else {"canonical": ["largest ship", "port"]}
    batch = unpaired_batch(words["utterance"], **sides)
    torch.manual_seed(18)
    settings = dict(
        rewards={"relevance": Relevance()}, weights={"relevance": 1.0}, sampler=draw_samples
    )
    gradient_of(model, objective(**settings)(model, batch).loss)
    assert touched(model.encoder(other))
    assert touched(model.decoder(other))
    assert not touched(model.encoder(side))
    assert not touched(model.decoder(side))
    gradient_of(model, objective(**settings, dual_weight=0.5)(model, batch).loss)
    assert touched(model.encoder(side))
    assert touched(model.decoder(side))


def test_the_dual_term_is_the_mean_likelihood_of_the_input(words):
    model = paraphraser(scale=3.0)
    batch = unpaired_batch(words["utterance"], natural=NATURAL)
    plain = objective()(model, batch).loss
    loss = objective(dual_weight=0.25)(model, batch).loss
    expected = 0.0
    for number, line in enumerate(DRAWN):
        memory = model.memory(tokens_of(words["utterance"], line), "nl")
        sentence = words["nl"].encode_line(NATURAL[number // 3], add_if_not_exist=False).tolist()
        log_prob = teacher_forced_log_prob(model.decoder("nl"), memory, sentence)
        expected = expected - 0.25 * log_prob / 3
    torch.testing.assert_close(loss - plain, expected)


def test_relevance_with_dropout_is_the_dual_terms_own_pass(words, monkeypatch):
    """A pass of its own would be refused here, and would draw another mask."""
    passes = []

    def once(inputs, samples):
        passes.append(dual_log_probs(inputs, samples))
        return passes[-1]

    monkeypatch.setattr("fairseq_twostage.criterions.policy_gradient.dual_log_probs", once)
    monkeypatch.setattr("fairseq_twostage.rewards.relevance.dual_log_probs", None)
    model = paraphraser(scale=3.0, dropout=0.5)
    settings = dict(rewards={"relevance": Relevance(dropout=True)}, weights={"relevance": 1.0})
    batch = unpaired_batch(words["utterance"], natural=NATURAL)
    logs = objective(**settings, dual_weight=0.5)(model, batch).logs
    (values,) = passes
    shares = torch.tensor([DRAWN.count(text) for text in dict.fromkeys(DRAWN)])
    expected = (values * shares).sum().item()
    assert logs["reward_relevance_nl_cf"].total == pytest.approx(expected)


@pytest.mark.parametrize("dual_weight", [0.0, 0.5])
def test_rewards_see_the_dual_likelihood_as_a_constant(words, dual_weight):
    seen = []

    def reward(inputs, samples):
        seen.append(samples.dual_log_probs)
        return torch.zeros(len(samples.rows)).double()

    batch = unpaired_batch(words["utterance"], natural=NATURAL)
    objective(reward, dual_weight=dual_weight)(paraphraser(), batch)
    (values,) = seen
    if dual_weight == 0:
        assert values is None
    else:
        assert values.shape == (4,)
        assert not values.requires_grad


def test_the_greedy_baseline_is_the_reward_of_greedy_decoding(words):
    model = paraphraser(seed=1, scale=9.0)
    only_words(model.decoder("cf"))
    bias_word(model.decoder("cf"), "</s>", 1.0)
    greedy = []
    for line in NATURAL:
        memory = model.memory(tokens_of(words["utterance"], line), "cf")
        greedy += texts(words["cf"], decode(model.decoder("cf"), memory, LIMIT))
    assert len(set(greedy)) == 2

    def value(text):
        return REWARD.get(text, 0.0) + 0.25 * len(text)

    batch = unpaired_batch(words["utterance"], natural=NATURAL)
    loss = objective(Judge(value), baseline=GreedyReward())(model, batch).loss
    advantages = [value(text) - value(greedy[k // 3]) for k, text in enumerate(DRAWN)]
    torch.testing.assert_close(loss, written_out(model, words, advantages))


def test_rewards_are_given_the_inputs_with_their_variables(words):
    seen = []

    def judge(inputs, samples):
        seen.append((inputs.side, inputs.variables, samples.side, samples.rows.tolist()))
        return torch.zeros(samples.tokens.size(0))

    batch = unpaired_batch(words["utterance"], natural=NATURAL, canonical=["port", "ship"])
    batch["nl"]["variables"] = [{"_a_": "1"}, {}]
    settings = dict(rewards={"judge": judge}, weights={"judge": 1.0})
    torch.manual_seed(0)
    objective(**settings, sampler=draw_samples)(paraphraser(), batch)
    (x_side, variables, z_side, rows), (other_side, nothing, _, _) = seen
    assert (x_side, variables, z_side) == ("nl", [{"_a_": "1"}, {}], "cf")
    assert set(rows) == {0, 1}
    assert rows == sorted(rows)
    assert (other_side, nothing) == ("cf", None)


def test_samples_are_drawn_in_evaluation_mode_input_by_input(words):
    model = paraphraser(seed=1, scale=9.0, dropout=0.5)
    bias_word(model.decoder("cf"), "</s>", 1.0)
    inputs = Inputs("nl", tokens_of(words["utterance"], *NATURAL))
    model.eval()
    memory = model.memory(inputs.tokens, "cf")
    greedy = texts(words["cf"], decode(model.decoder("cf"), memory, LIMIT))
    model.train()
    drawn = draw_samples(model, inputs, "cf", 3, LIMIT, choose=pick_best)
    assert texts(words["cf"], drawn) == [greedy[0]] * 3 + [greedy[1]] * 3
    assert all(module.training for module in model.modules())
    torch.manual_seed(19)
    varied = texts(words["cf"], draw_samples(model, inputs, "cf", 20, LIMIT))
    assert len(varied) == 40
    assert len(set(varied)) > 4


def test_samples_of_no_coefficient_cost_nothing(words):
    model = paraphraser()
    inputs = Inputs("nl", tokens_of(words["utterance"], *NATURAL))
    tokens = tokens_of(words["cf"], "ship", "port")
    samples = Samples("cf", tokens, torch.tensor([0, 1]), model)
    alone = Samples("cf", tokens[1:], torch.tensor([1]), model)
    both = reinforce_loss(model, inputs, samples, torch.tensor([0.0, 2.0]))
    torch.testing.assert_close(both, reinforce_loss(model, inputs, alone, torch.tensor([2.0])))
    nothing = reinforce_loss(model, inputs, samples, torch.zeros(2))
    assert nothing.item() == 0
    assert not gradient_of(model, nothing).any()


def test_rewards_add_up_with_their_weights():
    rewards = {"a": torch.tensor([1.0, 2.0]), "b": torch.tensor([10.0, -10.0])}
    assert sum_rewards(rewards, {"a": 2.0, "b": 0.5}).tolist() == [7.0, -1.0]
