import json
import os
from pathlib import Path

import pytest

from fairseq_twostage.databin.folder import (
    EmbeddingsInfo,
    Manifest,
    Source,
    data_bin_lines,
    known_forms,
    read_gold,
    read_manifest,
    write_gold,
)
from fairseq_twostage.errors import UserError
from fairseq_twostage.schema import with_checksum
from fairseq_twostage.text.rows import Row

MANIFEST = Manifest(
    format=1,
    version="0.1.0",
    domain="trees",
    canonical="paper",
    seed=3,
    options={"embedding_dim": 2},
    sources=[Source("trees.tsv", 12, None), Source("pairs.tsv", 7, "ab" * 32)],
    sizes={"train.nl": 5},
    embeddings=EmbeddingsInfo(
        types_covered=1,
        types=2,
        tokens_covered=3,
        tokens=4,
        file="vectors.txt",
        sha256="cd" * 32,
        dim=2,
    ),
)
ROWS = [
    Row("is _lake_ deep", "depth of _lake_", "( f _lake_ )", {"_lake_": "en.lake.bluë"}),
    Row("any lake", "", "( f )"),
]


@pytest.fixture
def databin(tmp_path: Path) -> Path:
    MANIFEST.write(tmp_path)
    (tmp_path / "gold").mkdir()
    write_gold(tmp_path, "test", ROWS)
    return tmp_path


def change(databin: Path, **values: object) -> None:
    path = databin / "manifest.json"
    path.write_text(json.dumps(with_checksum(json.loads(path.read_text()) | values)))


def test_a_manifest_is_read_back(databin: Path) -> None:
    assert read_manifest(databin) == MANIFEST


def test_gold_rows_are_read_back(databin: Path) -> None:
    assert read_gold(databin, "test") == ROWS


def test_gold_columns(databin: Path) -> None:
    lines = (databin / "gold" / "test.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == 'is _lake_ deep\tdepth of _lake_\t( f _lake_ )\t{"_lake_": "en.lake.bluë"}'
    assert lines[1] == "any lake\t\t( f )\t{}"


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such folder"):
        read_manifest(tmp_path / "none")


def test_a_folder_that_is_no_databin(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a data-bin"):
        read_manifest(tmp_path)


def test_nothing_is_waited_for_at_a_pipe(databin: Path) -> None:
    (databin / "manifest.json").unlink()
    os.mkfifo(databin / "manifest.json")
    with pytest.raises(UserError, match="not a data-bin"):
        read_manifest(databin)


def test_a_databin_of_another_version(databin: Path) -> None:
    change(databin, format=2, version="7.0")
    with pytest.raises(
        UserError, match=r"made by version 7\.0; .* reads format 1: run twostage prepare again"
    ):
        read_manifest(databin)
    with pytest.raises(UserError, match="format 2"):
        read_gold(databin, "test")


@pytest.mark.parametrize("text", ["{", "[]", "{}", "3"])
def test_something_else_under_the_manifests_name(databin: Path, text: str) -> None:
    (databin / "manifest.json").write_text(text)
    with pytest.raises(UserError, match="not a manifest"):
        read_manifest(databin)


@pytest.mark.parametrize("values", [{"sources": None}, {"embeddings": {}}, {"surplus": 1}])
def test_a_damaged_manifest(databin: Path, values: dict[str, object]) -> None:
    change(databin, **values)
    with pytest.raises(UserError, match="damaged manifest"):
        read_manifest(databin)


def test_an_unknown_split(databin: Path) -> None:
    with pytest.raises(UserError, match="no such split"):
        read_gold(databin, "dev")


def test_lines_of_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "train.nl"
    with pytest.raises(UserError, match=r"train\.nl: not there; run twostage prepare again"):
        data_bin_lines(path)
    path.write_text("")
    with pytest.raises(UserError, match=r"train\.nl: the corpus is empty"):
        data_bin_lines(path)
    path.write_bytes(b"caf\xe9\n")
    with pytest.raises(UserError, match=r"train\.nl:1: not UTF-8 text"):
        data_bin_lines(path)
    path.write_bytes(b"a b\n\nc")
    assert data_bin_lines(path) == ["a b", "", "c"]


def test_a_damaged_gold_row(databin: Path) -> None:
    with open(databin / "gold" / "test.tsv", "a") as file:
        file.write("only one column\n")
    with pytest.raises(UserError, match=r"test\.tsv:3: damaged row"):
        read_gold(databin, "test")


def test_known_forms_are_those_that_the_training_pairs_have_most_often(tmp_path):
    text = tmp_path / "text"
    text.mkdir()
    (text / "train.cf-lf.cf").write_text("a\nb\na\na\nb\n")
    (text / "train.cf-lf.lf").write_text("1\n2\n3\n3\n4\n")
    assert known_forms(tmp_path) == {"a": "3", "b": "2"}
