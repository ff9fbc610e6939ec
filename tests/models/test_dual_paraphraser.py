"""One encoder, two decoders, three dictionaries."""

import torch

from fairseq_twostage.models.dual_paraphraser import id_maps
from tests.builders import (
    NATURAL,
    dictionaries,
    dictionary_of,
    gradients,
    paraphraser,
    texts,
    tokens_of,
    touched,
)


def test_ids_are_mapped_word_by_word():
    source, target = dictionary_of("a b c"), dictionary_of("c x a")
    to_target, to_source = id_maps(source, target)
    assert [target[i] for i in to_target] == ["<s>", "<pad>", "</s>", "<unk>", "a", "<unk>", "c"]
    assert [source[i] for i in to_source] == ["<s>", "<pad>", "</s>", "<unk>", "c", "<unk>", "a"]


def test_sentences_change_dictionaries_and_come_back():
    words = dictionaries()
    model = paraphraser()
    line = "the longest ship in port please"
    natural = tokens_of(words["utterance"], line, "ship")
    as_target = model.as_target(natural, "nl")
    assert texts(words["nl"], as_target) == [line, "ship"]
    assert torch.equal(model.as_source(as_target, "nl"), natural)
    # D_z knows words of its own side only.
    assert texts(words["cf"], model.as_target(natural, "cf"))[0] == (
        "<unk> <unk> ship in port <unk>"
    )


def test_each_decoder_writes_words_of_its_own_side_only():
    words = dictionaries()
    model = paraphraser()
    tokens = tokens_of(words["utterance"], NATURAL)
    for side in ("nl", "cf"):
        prefix = torch.full((1, 2), words[side].eos())
        assert model(tokens, side, prefix).shape == (1, 2, len(words[side]))


def test_forward_is_the_view_of_the_direction():
    words = dictionaries()
    model = paraphraser()
    tokens = tokens_of(words["utterance"], NATURAL, "ship")
    for target, lines in (("cf", ("largest port", "ship")), ("nl", (NATURAL, "ship"))):
        prefix = tokens_of(words[target], *lines).roll(1, dims=1)
        logits, _ = model.view(target)(tokens, None, prefix)
        torch.testing.assert_close(logits, model(tokens, target, prefix))


def test_a_view_shares_every_parameter_and_leaves_the_state_dict_alone():
    model = paraphraser()
    names = list(model.state_dict())
    view = model.view("cf")
    own = {id(parameter) for parameter in model.parameters()}
    assert all(id(parameter) in own for parameter in view.parameters())
    assert list(model.state_dict()) == names
    tensors = [tensor.data_ptr() for tensor in model.state_dict().values()]
    assert len(set(tensors)) == len(tensors)
    assert not [name for name in names if not name.startswith(("encoders.", "decoders."))]
    assert {name.split(".")[1] for name in names} == {"shared", "nl", "cf"}


def test_a_shared_encoder_is_one_encoder():
    model = paraphraser()
    assert model.encoder("nl") is model.encoder("cf")
    assert model.decoder("nl") is not model.decoder("cf")
    assert model.decoder("nl").embedding is not model.encoder("nl").embedding


def test_separate_encoders_serve_one_decoder_each():
    words = dictionaries()
    model = paraphraser(separate_encoders=True)
    assert {name.split(".")[1] for name in model.state_dict() if name.startswith("encoders.")} == {
        "nl",
        "cf",
    }
    tokens = tokens_of(words["utterance"], NATURAL)
    assert not torch.equal(
        model.encoder("nl")(tokens)["encoder_out"][0], model.encoder("cf")(tokens)["encoder_out"][0]
    )
    prefix = torch.full((1, 1), words["cf"].eos())
    model(tokens, "cf", prefix).logsumexp(-1).sum().backward()
    assert touched(model.encoder("cf"))
    assert touched(model.decoder("cf"))
    assert not touched(model.encoder("nl"))
    assert not touched(model.decoder("nl"))


def test_every_side_starts_from_the_word_vectors_of_the_data_bin(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("2 4\nship 1 2 3 4\nplease 5 6 7 8\n")
    words = dictionaries()
    model = paraphraser(embeddings=str(path), double=False)
    modules = {
        "utterance": model.encoder("nl"),
        "nl": model.decoder("nl"),
        "cf": model.decoder("cf"),
    }
    for side, module in modules.items():
        weight = module.embedding.weight
        assert weight[words[side].index("ship")].tolist() == [1, 2, 3, 4]
        assert not weight[words[side].pad()].any()
        assert 0 < weight[words[side].unk()].abs().max() <= 0.2
    assert modules["nl"].embedding.weight[words["nl"].index("please")].tolist() == [5, 6, 7, 8]


def test_rest_of_the_parameters_start_within_the_papers_range():
    model = paraphraser(double=False)
    rest = [p for name, p in model.named_parameters() if "embedding" not in name]
    assert len(rest) == 8 + 2 * (4 + 4 + 2)  # two LSTMs; LSTM, attention and output of two decoders
    assert all(0.01 < parameter.abs().max() <= 0.2 for parameter in rest)


def test_the_same_seed_gives_the_same_model():
    one, same, other = paraphraser(seed=1), paraphraser(seed=1), paraphraser(seed=2)
    flat = [torch.cat([p.flatten() for p in model.parameters()]) for model in (one, same, other)]
    assert torch.equal(flat[0], flat[1])
    assert not torch.equal(flat[0], flat[2])
    assert not gradients(one).any()
