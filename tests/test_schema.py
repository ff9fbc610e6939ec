"""No bit of the small files that decide answers changes without a word."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairseq_twostage.databin.folder import read_gold, read_manifest
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.bundle import read_bundle, read_description
from fairseq_twostage.inference.pipeline import Pipeline
from fairseq_twostage.schema import checked, strict, with_checksum
from fairseq_twostage.systems.record import by_hand, read_record
from tests.builders import write_data_bin
from tests.ships import ships, ships_folder  # noqa: F401

FLIPS = 150  # of each file; tests/faults tries every bit


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data_bin(tmp_path_factory.mktemp("schema"))


def flips(path: Path, count: int = FLIPS) -> Iterator[None]:
    """The file with one bit changed, again and again; as it was in the end."""
    content = path.read_bytes()
    chosen = random.Random(path.name).sample(range(8 * len(content)), min(count, 8 * len(content)))
    for bit in chosen:
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        yield
    path.write_bytes(content)


def survives(path: Path, read: Callable[[], object], good: object, count: int = FLIPS) -> None:
    for _ in flips(path, count):
        try:
            found = read()
        except UserError as error:
            assert "\n" not in str(error)
        else:  # a blank, say, that means the same
            assert found == good, path.read_bytes()[:200]


def test_a_bundle(ships_folder: Path) -> None:  # noqa: F811
    path = ships_folder / "bundle.json"
    survives(path, lambda: read_description(ships_folder), read_description(ships_folder))
    for path in sorted(ships_folder.iterdir()):
        for _ in flips(path, 3 if path.name != "bundle.json" else 0):
            with pytest.raises(UserError, match="damaged or changed"):
                read_bundle(ships_folder)


def test_a_data_bin(data: Path) -> None:
    good = read_manifest(data)
    survives(data / "manifest.json", lambda: read_manifest(data), good)
    rows = read_gold(data, "test")
    survives(data / "gold" / "manifest.json", lambda: read_gold(data, "test"), rows, 50)
    for _ in flips(data / "gold" / "test.tsv", 20):
        with pytest.raises(UserError, match=r"damaged|UTF-8"):
            read_gold(data, "test")
    for path in sorted(data.rglob("*")):
        outside = "gold" not in path.parts and path.name != "manifest.json"
        if path.is_file() and outside and path.stat().st_size:
            for _ in flips(path, 2):
                with pytest.raises(UserError, match=r"damaged, or changed"):
                    world_of(data)
    assert len(read_gold(data, "test")) == 1


def test_a_record_of_a_run(data: Path, tmp_path: Path) -> None:
    pipeline = Pipeline(["a.pt"], "b.pt", {"forward": 1.0, "dual": 0.3}, [0.5, -2.0], lookup=True)
    path = by_hand(data, pipeline).write(tmp_path)
    survives(path, lambda: read_record(tmp_path), read_record(tmp_path))


def test_files_of_before_have_no_sums(data: Path, tmp_path: Path) -> None:
    path = by_hand(data, Pipeline(parser="b.pt")).write(tmp_path)
    said = json.loads(path.read_text())
    path.write_text(json.dumps({name: said[name] for name in said if name != "sha256"}))
    assert read_record(tmp_path).pipeline == Pipeline(parser="b.pt")


@strict
@dataclass(frozen=True)
class Thing:
    name: str
    size: int
    share: float = 1.0


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "a"}, "damaged: size: field required"),
        ({"name": "a", "size": True}, "size: input should be a valid integer"),
        ({"name": "a", "size": 1.0}, "size: input should be a valid integer"),
        ({"name": "a", "size": "1"}, "size: input should be a valid integer"),
        ({"name": "a", "size": 1, "more": 2}, "more: unexpected"),
        ({"name": "a", "size": 1, "share": float("nan")}, "share: input should be a finite"),
        ([1], "damaged: "),
    ],
)
def test_values_are_what_they_say(values: object, message: str) -> None:
    assert checked(Thing, {"name": "a", "size": 1, "share": 2}, "x") == Thing("a", 1, 2.0)
    with pytest.raises(UserError, match=rf"^file: .*{message}"):
        checked(Thing, values, "file")


def test_the_sum_is_of_the_content_alone() -> None:
    one, other = with_checksum({"a": 1, "b": [2]}), with_checksum({"b": [2], "a": 1})
    assert one == other == with_checksum(one)
    assert with_checksum({"a": True, "b": [2]})["sha256"] != one["sha256"]
