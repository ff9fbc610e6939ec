"""ELMo read from files in the published layout, against loops over plain arrays."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from fairseq_twostage.errors import UserError

h5py = pytest.importorskip("h5py")

from fairseq_twostage.models.elmo import Elmo, character_ids  # noqa: E402

FILTERS = ((1, 3), (2, 2), (3, 2))
LENGTH, CHARACTER_DIM, PROJECTION, CELL = 7, 4, 3, 5
OPTIONS = {
    "lstm": {
        "use_skip_connections": True,
        "projection_dim": PROJECTION,
        "cell_clip": 0.4,
        "proj_clip": 0.3,
        "dim": CELL,
        "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": FILTERS,
        "n_highway": 2,
        "embedding": {"dim": CHARACTER_DIM},
        "n_characters": 262,
        "max_characters_per_token": LENGTH,
    },
}
SENTENCES = [["which", "ships", "é"], ["ship"], ["overlongword", "a"]]


def arrays() -> dict[str, np.ndarray]:
    """Small weights under the names that the published file has."""
    random = np.random.default_rng(3)
    size = sum(count for _, count in FILTERS)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(scale=0.8, size=shape).astype(np.float32)

    found = {"char_embed": draw(261, CHARACTER_DIM)}
    for number, (width, count) in enumerate(FILTERS):
        found[f"CNN/W_cnn_{number}"] = draw(1, width, CHARACTER_DIM, count)
        found[f"CNN/b_cnn_{number}"] = draw(count)
    for number in range(2):
        for name in ("transform", "carry"):
            found[f"CNN_high_{number}/W_{name}"] = draw(size, size)
            found[f"CNN_high_{number}/b_{name}"] = draw(size)
    found["CNN_proj/W_proj"], found["CNN_proj/b_proj"] = draw(size, PROJECTION), draw(PROJECTION)
    for direction in range(2):
        for layer in range(2):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            found[f"{cell}/W_0"] = draw(2 * PROJECTION, 4 * CELL)
            found[f"{cell}/B"] = draw(4 * CELL)
            found[f"{cell}/W_P_0"] = draw(CELL, PROJECTION)
    return found


def write(folder, weights, options=OPTIONS):
    (folder / "elmo_options.json").write_text(json.dumps(options))
    with h5py.File(folder / "elmo_weights.hdf5", "w") as file:
        for name, values in weights.items():
            file[name] = values
    return folder


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def bytes_of(word: str) -> list[int]:
    kept = list(word.encode())[: LENGTH - 2]
    ids = [258, *kept, 259]
    return ids + [260] * (LENGTH - len(ids))


def represent(ids: list[int], weights) -> np.ndarray:
    """One word, from the ids of the file (0 … 260)."""
    letters = [weights["char_embed"][identity] for identity in ids]
    features = []
    for number, (width, count) in enumerate(FILTERS):
        kernel, bias = weights[f"CNN/W_cnn_{number}"], weights[f"CNN/b_cnn_{number}"]
        for unit in range(count):
            windows = [
                sum(letters[start + k] @ kernel[0, k, :, unit] for k in range(width)) + bias[unit]
                for start in range(LENGTH - width + 1)
            ]
            features.append(max(0.0, max(windows)))
    x = np.array(features)
    for number in range(2):
        high = f"CNN_high_{number}"
        carry = sigmoid(x @ weights[f"{high}/W_carry"] + weights[f"{high}/b_carry"])
        new = np.maximum(0, x @ weights[f"{high}/W_transform"] + weights[f"{high}/b_transform"])
        x = carry * new + (1 - carry) * x
    return x @ weights["CNN_proj/W_proj"] + weights["CNN_proj/b_proj"]


def run_lstm(inputs, weights, direction: int, layer: int) -> list[np.ndarray]:
    cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
    h, c = np.zeros(PROJECTION), np.zeros(CELL)
    outputs = []
    for x in inputs:
        gates = np.concatenate([x, h]) @ weights[f"{cell}/W_0"] + weights[f"{cell}/B"]
        i, j, f, o = np.split(gates, 4)
        c = np.clip(sigmoid(f + 1.0) * c + sigmoid(i) * np.tanh(j), -0.4, 0.4)
        h = np.clip((sigmoid(o) * np.tanh(c)) @ weights[f"{cell}/W_P_0"], -0.3, 0.3)
        outputs.append(h)
    return outputs


def expected_states(words: list[str], weights) -> np.ndarray:
    """(layers, words, dim) of one sentence."""
    ids = [
        [258, 256, 259, *[260] * (LENGTH - 3)],
        *map(bytes_of, words),
        [258, 257, 259, *[260] * (LENGTH - 3)],
    ]
    embedded = [represent(row, weights) for row in ids]
    sides = []
    for direction in range(2):
        inputs = embedded if direction == 0 else embedded[::-1]
        first = run_lstm(inputs, weights, direction, 0)
        second = [a + b for a, b in zip(run_lstm(first, weights, direction, 1), first)]
        layers = [inputs, first, second]
        sides.append(layers if direction == 0 else [layer[::-1] for layer in layers])
    both = [np.concatenate(pair, axis=1) for pair in zip(*map(np.array, sides))]
    return np.stack(both)[:, 1:-1]


def test_states_are_those_of_the_published_network(tmp_path):
    weights = arrays()
    model = Elmo.load(write(tmp_path, weights))
    assert (model.dim, model.layers) == (2 * PROJECTION, 3)
    states, mask = model.token_states(SENTENCES)
    assert states.shape == (3, 3, 3, 2 * PROJECTION)
    assert mask.tolist() == [[True] * 3, [True, False, False], [True, True, False]]
    clipped = 0
    for row, words in enumerate(SENTENCES):
        expected = expected_states(words, weights)
        np.testing.assert_allclose(states[row, :, : len(words)], expected, atol=1e-5)
        assert not states[row, :, len(words) :].any()
        clipped += int((np.abs(expected[1]) >= 0.3 - 1e-6).sum())
    assert clipped  # the bounds are reached, so they are tested


def test_nothing_is_trained(tmp_path):
    model = Elmo.load(write(tmp_path, arrays()))
    assert not model.training
    assert not any(parameter.requires_grad for parameter in model.parameters())


def test_a_word_is_its_bytes():
    # Ids are one more than in the file: 0 is kept for what is no word.
    assert character_ids("é", 7) == [259, 0xC3 + 1, 0xA9 + 1, 260, 261, 261, 261]
    assert character_ids("abcdefgh", 5) == [259, ord("a") + 1, ord("b") + 1, ord("c") + 1, 260]


def test_without_clipping_and_skips(tmp_path):
    lstm = {**OPTIONS["lstm"], "use_skip_connections": False, "cell_clip": None, "proj_clip": None}
    model = Elmo.load(write(tmp_path, arrays(), {**OPTIONS, "lstm": lstm}))
    free, _ = model.token_states(SENTENCES)
    (tmp_path / "other").mkdir()
    bound, _ = Elmo.load(write(tmp_path / "other", arrays())).token_states(SENTENCES)
    torch.testing.assert_close(free[:, 0], bound[:, 0])
    assert free[:, 1].abs().max() > 0.3 >= bound[:, 1].abs().max()


def without(name):
    return {key: values for key, values in arrays().items() if key != name}


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (without("CNN_proj/b_proj"), "not the weights of these options"),
        ({**arrays(), "CNN_proj/b_proj": np.zeros(9, np.float32)}, r"shape \(9,\), not \(3,\)"),
    ],
)
def test_other_weights_are_refused(tmp_path, weights, message):
    with pytest.raises(UserError, match=message):
        Elmo.load(write(tmp_path, weights))


def test_missing_files_are_named(tmp_path):
    with pytest.raises(UserError, match=r"holds 0 files \*options\.json"):
        Elmo.load(tmp_path)
    (tmp_path / "options.json").write_text("{}")
    with pytest.raises(UserError, match="not ELMo's options"):
        Elmo.load(tmp_path)
    (tmp_path / "options.json").write_text(json.dumps(OPTIONS))
    with pytest.raises(UserError, match=r"holds 0 files \*\.hdf5"):
        Elmo.load(tmp_path)
    (tmp_path / "weights.hdf5").write_text("no weights")
    with pytest.raises(UserError, match=r"weights\.hdf5: not the weights"):
        Elmo.load(tmp_path)
