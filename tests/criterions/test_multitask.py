"""MultiTaskDae: the parser's loss, the reconstruction's, and what each of them trains."""

from types import SimpleNamespace

import pytest
import torch

from fairseq_twostage.criterions.multitask import ParsingAndDenoising
from fairseq_twostage.models.multitask_parser import MultitaskParser, MultitaskParserConfig
from tests.builders import teacher_forced_log_prob, tokens_of, touched

CANONICAL = ["ship whose length is largest", "port"]
FORMS = ["( call argmax ship length )", "( port )"]
NATURAL = ["the longest ship", "please in port"]
NOISED = ["longest the port", "in in"]


@pytest.fixture
def model(words):
    torch.manual_seed(5)
    task = SimpleNamespace(
        cfg=SimpleNamespace(data="no-data", target_lang="lf"),
        source_dictionary=words["utterance"],
        target_dictionary=words["lf"],
        natural_dictionary=words["nl"],
    )
    cfg = MultitaskParserConfig(embed_dim=4, hidden_dim=5, dropout=0.0, embeddings="none")
    built = MultitaskParser.build_model(cfg, task).double()
    with torch.no_grad():
        for parameter in built.parameters():
            parameter.mul_(3.0)
    return built


def batch(words, denoising=True):
    target = tokens_of(words["lf"], *FORMS)
    sample = {
        "net_input": {"src_tokens": tokens_of(words["utterance"], *CANONICAL)},
        "target": target,
        "ntokens": int(target.ne(words["lf"].pad()).sum()),
        "nsentences": len(FORMS),
    }
    if denoising:
        sample["denoising"] = {
            "tokens": tokens_of(words["utterance"], *NATURAL),
            "noised": tokens_of(words["utterance"], *NOISED),
        }
    return sample


def expected_log_prob(model, words, sources, decoder, side, targets):
    total = 0.0
    for source, target in zip(sources, targets):
        memory = decoder.memory(model.encoder(tokens_of(words["utterance"], source)))
        sentence = words[side].encode_line(target, add_if_not_exist=False).tolist()
        total += teacher_forced_log_prob(decoder, memory, sentence).item()
    return total


def test_loss_is_that_of_both_tasks(words, model):
    loss, size, logs = ParsingAndDenoising(None)(model, batch(words))
    parsing = -expected_log_prob(model, words, CANONICAL, model.decoder, "lf", FORMS)
    rebuilding = -expected_log_prob(model, words, NOISED, model.reconstructor, "nl", NATURAL)
    assert loss.item() == pytest.approx(parsing + rebuilding)
    assert size == logs["sample_size"] == 2
    assert logs["sum/parsing"] == pytest.approx(parsing)
    assert logs["sum/denoising_nl"] == pytest.approx(rebuilding)
    loss.backward()
    assert all(touched(part) for part in (model.encoder, model.decoder, model.reconstructor))


def test_a_batch_of_pairs_alone_is_parsed(words, model):
    loss, _, logs = ParsingAndDenoising(None)(model, batch(words, denoising=False))
    parsing = -expected_log_prob(model, words, CANONICAL, model.decoder, "lf", FORMS)
    assert loss.item() == pytest.approx(parsing)
    assert (logs["sum/denoising_nl"], logs["count/denoising_nl"]) == (0.0, 0)
    loss.backward()
    assert not touched(model.reconstructor)


def test_one_encoder_serves_both(words, model):
    names = [name for name, _ in model.named_parameters() if "forward_lstm" in name]
    assert names and all(name.startswith("encoder.") for name in names)
    assert len(model.reconstructor.dictionary) == len(words["nl"])
    assert not [name for name in model.state_dict() if "to_natural" in name]
