"""L_DAE: its value and which modules it trains."""

import pytest
import torch

from fairseq_twostage.criterions.denoising import Denoising
from tests.builders import paraphraser, teacher_forced_log_prob, tokens_of, touched, unpaired_batch

NATURAL = ["the longest ship in port", "please"]
CANONICAL = ["ship whose length is largest", "port", "largest ship"]
NOISED = {"nl": ["port ship largest the", "in please"], "cf": ["length ship", "in port", "ship"]}


def noised_batch(words, **sides):
    batch = unpaired_batch(words["utterance"], **sides)
    for side in ("nl", "cf"):
        if side in batch:
            batch[side]["noised"] = tokens_of(words["utterance"], *NOISED[side])
    return batch


def side_loss(model, words, side, sources, targets):
    total = 0.0
    for source, target in zip(sources, targets):
        memory = model.memory(tokens_of(words["utterance"], source), side)
        sentence = words[side].encode_line(target, add_if_not_exist=False).tolist()
        total -= teacher_forced_log_prob(model.decoder(side), memory, sentence).item()
    return total


def test_rebuilds_both_sides_from_their_noise(words):
    model = paraphraser(scale=3.0)
    output = Denoising()(model, noised_batch(words, natural=NATURAL, canonical=CANONICAL))
    natural = side_loss(model, words, "nl", NOISED["nl"], NATURAL)
    canonical = side_loss(model, words, "cf", NOISED["cf"], CANONICAL)
    assert output.loss.item() == pytest.approx(natural + canonical)
    logs = {name: (mean.total, mean.count) for name, mean in output.logs.items()}
    assert logs == {
        "denoising_nl": (pytest.approx(natural), 2),
        "denoising_cf": (pytest.approx(canonical), 3),
    }


def test_without_noise_the_sentences_themselves_are_read(words):
    model = paraphraser(scale=3.0)
    output = Denoising()(model, unpaired_batch(words["utterance"], canonical=CANONICAL))
    assert output.loss.item() == pytest.approx(side_loss(model, words, "cf", CANONICAL, CANONICAL))
    missing = output.logs["denoising_nl"]
    assert (missing.total, missing.count) == (0.0, 0)


@pytest.mark.parametrize("side, other", [("nl", "cf"), ("cf", "nl")])
def test_each_side_trains_the_encoder_and_its_own_decoder(words, side, other):
    model = paraphraser(separate_encoders=True)
    sides = {"natural": NATURAL} if side == "nl" else {"canonical": CANONICAL}
    Denoising()(model, noised_batch(words, **sides)).loss.backward()
    assert touched(model.encoder(side))
    assert touched(model.decoder(side))
    assert not touched(model.encoder(other))
    assert not touched(model.decoder(other))


def test_gradient_equals_finite_differences(words):
    model = paraphraser(scale=3.0)
    batch = noised_batch(words, natural=NATURAL, canonical=CANONICAL)
    Denoising()(model, batch).loss.backward()
    torch.manual_seed(16)
    for parameter in model.parameters():
        direction = torch.randn_like(parameter)
        expected = (parameter.grad * direction).sum().item()
        values = []
        for sign in (1, -1):
            with torch.no_grad():
                parameter.add_(direction, alpha=sign * 1e-5)
                values.append(Denoising()(model, batch).loss.item())
                parameter.sub_(direction, alpha=sign * 1e-5)
        assert (values[0] - values[1]) / 2e-5 == pytest.approx(expected, rel=1e-4, abs=1e-5)
