"""Word vectors carried from one space to another."""

from pathlib import Path

import numpy as np
import pytest

from fairseq_twostage.databin.embeddings import read_vectors
from fairseq_twostage.databin.vector_transfer import VectorTransfer, transfer_vectors
from fairseq_twostage.errors import UserError


def write(path: Path, words: list[str], vectors: np.ndarray) -> Path:
    rows = (f"{word} " + " ".join(f"{v:.6f}" for v in row) for word, row in zip(words, vectors))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_an_affine_relation_is_found() -> None:
    generator = np.random.default_rng(0)
    source = generator.normal(size=(2000, 5))
    matrix, constant = generator.normal(size=(5, 7)), generator.normal(size=7)
    transfer = VectorTransfer(source, source @ matrix + constant)
    unseen = generator.normal(size=5)
    np.testing.assert_allclose(transfer(unseen), unseen @ matrix + constant, atol=0.02)


def test_the_neighbours_add_what_is_not_affine() -> None:
    generator = np.random.default_rng(1)
    source = generator.uniform(-2, 2, size=(3000, 2))
    target = np.sin(2 * source)
    transfer = VectorTransfer(source, target)
    unseen = generator.uniform(-1.5, 1.5, size=(50, 2))
    with_constant = np.concatenate([unseen, np.ones((50, 1))], axis=1)
    plain = np.abs(with_constant @ transfer.weights - np.sin(2 * unseen)).mean()
    full = np.abs(np.stack([transfer(row) for row in unseen]) - np.sin(2 * unseen)).mean()
    assert full < plain / 5


def test_only_missing_words_of_the_source_come(tmp_path: Path) -> None:
    generator = np.random.default_rng(2)
    words = [f"w{i}" for i in range(60)]
    small = generator.normal(size=(60, 3))
    source = write(tmp_path / "source", words, small)
    target = write(tmp_path / "target", words[:50], 2.0 * small[:50, :2])
    found = transfer_vectors({"w55", "nowhere"}, target, 2, source)
    assert list(found) == ["w55"]
    np.testing.assert_allclose(
        [float(value) for value in found["w55"].split(" ")], 2.0 * small[55, :2], atol=0.15
    )


def test_too_few_shared_words(tmp_path: Path) -> None:
    vectors = np.eye(4)
    source = write(tmp_path / "source", ["a", "b", "c", "d"], vectors)
    target = write(tmp_path / "target", ["a", "b"], vectors[:2])
    with pytest.raises(UserError, match=r"shares 2 words with target.*takes 40"):
        transfer_vectors({"d"}, target, 4, source)


def test_a_missing_file(tmp_path: Path) -> None:
    target = write(tmp_path / "target", ["a", "b"], np.eye(2))
    with pytest.raises(UserError, match="no such file"):
        transfer_vectors({"d"}, target, 2, tmp_path / "source")
    with pytest.raises(UserError, match="cannot be read"):
        transfer_vectors({"d"}, target, 2, tmp_path)
    (tmp_path / "source").write_text("( call x )\n")
    with pytest.raises(UserError, match=r"source:1: 'call' is not a number"):
        transfer_vectors({"d"}, target, 2, tmp_path / "source")
    (tmp_path / "source").write_bytes(b"caf\xe9 1 2\n")
    with pytest.raises(UserError, match=r"source:1: not UTF-8 text"):
        transfer_vectors({"d"}, target, 2, tmp_path / "source")


@pytest.mark.data
def test_held_out_words_of_glove(data_dir: Path, tmp_path: Path) -> None:
    full = data_dir / "glove" / "glove.6B.100d.subset.txt"
    with open(full, encoding="utf-8") as file:
        lines = file.read().splitlines()
    held_out = {line.split(" ")[0] for line in lines[500:1500:10]}
    truth = read_vectors(full, held_out, 100)
    cut = [line for line in lines if line.split(" ")[0] not in held_out]
    shorter = data_dir / "glove" / "glove.6B.50d.subset.txt"
    target = tmp_path / "target"
    target.write_text("\n".join(cut) + "\n", encoding="utf-8")
    found = transfer_vectors(held_out, target, 100, shorter)
    cosines = []
    for word, values in found.items():
        ours, theirs = (np.array(v.split(" "), dtype=float) for v in (values, truth[word]))
        cosines.append(ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs))
    assert len(cosines) > 90
    assert 0.85 < np.mean(cosines) < 1.0
