"""L_BT: greedy translations in evaluation mode, and training on the way back."""

import pytest
import torch

from fairseq_twostage.criterions.back_translation import BackTranslation, other_side, translate
from fairseq_twostage.decoding.lean import LengthLimit, decode
from fairseq_twostage.decoding.patient_beam import patient_hypotheses
from tests.builders import (
    bias_word,
    paraphraser,
    teacher_forced_log_prob,
    texts,
    tokens_of,
    touched,
    unpaired_batch,
)

NATURAL = ["the longest ship in port", "please"]
CANONICAL = ["ship whose length is largest", "port", "largest ship"]
LIMIT = LengthLimit(slope=0.0, offset=4)


def build(**options):
    model = paraphraser(scale=9.0, **options)
    for side in ("nl", "cf"):
        bias_word(model.decoder(side), "</s>", 1.0)
    return model


def greedy_texts(model, words, lines, source):
    """Translations of one line at a time by the model in evaluation mode."""
    target = other_side(source)
    model.eval()
    found = []
    for line in lines:
        memory = model.memory(tokens_of(words["utterance"], line), target)
        found += texts(words[target], decode(model.decoder(target), memory, LIMIT))
    return found


@pytest.mark.parametrize("source, lines", [("nl", NATURAL), ("cf", CANONICAL)])
def test_translations_are_greedy_in_evaluation_mode(words, source, lines):
    model = build(dropout=0.5)
    expected = greedy_texts(model, words, lines, source)
    model.train()
    found = translate(model, tokens_of(words["utterance"], *lines), source, LIMIT)
    assert texts(words["utterance"], found) == expected
    assert any(expected)
    assert all(module.training for module in model.modules())
    assert not found.requires_grad


def test_a_beam_takes_the_best_hypothesis(words):
    changed = 0
    for seed in range(8):
        model = build(seed=seed)
        tokens = tokens_of(words["utterance"], *NATURAL)
        found = texts(words["utterance"], translate(model, tokens, "nl", LIMIT, beam=4))
        for line, text in zip(NATURAL, found):
            memory = model.memory(tokens_of(words["utterance"], line), "cf")
            [hypotheses] = patient_hypotheses(model.decoder("cf"), memory, 4, LIMIT)
            assert text == texts(words["cf"], torch.tensor([hypotheses[0][0]]))[0]
        changed += found != texts(words["utterance"], translate(model, tokens, "nl", LIMIT))
    assert changed


def test_learns_to_translate_the_translations_back(words):
    model = build()
    output = BackTranslation(LIMIT)(
        model, unpaired_batch(words["utterance"], natural=NATURAL, canonical=CANONICAL)
    )
    expected = {}
    for side, lines in (("nl", NATURAL), ("cf", CANONICAL)):
        other, total = other_side(side), 0.0
        for line, translation in zip(lines, greedy_texts(model, words, lines, side)):
            memory = model.memory(tokens_of(words["utterance"], translation), side)
            sentence = words[side].encode_line(line, add_if_not_exist=False).tolist()
            total -= teacher_forced_log_prob(model.decoder(side), memory, sentence).item()
        expected[f"back_translation_{other}_{side}"] = (pytest.approx(total), len(lines))
    logs = {name: (mean.total, mean.count) for name, mean in output.logs.items()}
    assert logs == expected
    assert output.loss.item() == pytest.approx(sum(total for total, _ in logs.values()))


@pytest.mark.parametrize("side, other", [("nl", "cf"), ("cf", "nl")])
def test_trains_the_way_back_alone(words, side, other):
    model = build(separate_encoders=True)
    sides = {"natural": NATURAL} if side == "nl" else {"canonical": CANONICAL}
    output = BackTranslation(LIMIT)(model, unpaired_batch(words["utterance"], **sides))
    output.loss.backward()
    assert touched(model.encoder(side))  # reads the translation
    assert touched(model.decoder(side))  # writes the sentence
    assert not touched(model.encoder(other))
    assert not touched(model.decoder(other))
    missing = output.logs[f"back_translation_{side}_{other}"]
    assert (missing.total, missing.count) == (0.0, 0)


def test_gradient_is_that_of_fixed_translations(words):
    model = build()
    batch = unpaired_batch(words["utterance"], natural=NATURAL)
    translations = tokens_of(words["utterance"], *greedy_texts(model, words, NATURAL, "nl"))
    BackTranslation(LIMIT)(model, batch).loss.backward()
    targets = tokens_of(words["nl"], *NATURAL)
    prefix = torch.cat([torch.full((2, 1), words["nl"].eos()), targets[:, :-1]], dim=1)
    loss = torch.nn.functional.cross_entropy(
        model(translations, "nl", prefix).transpose(1, 2),
        targets,
        ignore_index=words["nl"].pad(),
        reduction="sum",
    )
    parameters = [p for p in model.parameters() if p.grad is not None and p.grad.any()]
    assert parameters
    for parameter, expected in zip(parameters, torch.autograd.grad(loss, parameters)):
        torch.testing.assert_close(parameter.grad, expected)
