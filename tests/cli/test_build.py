"""How long ``twostage build`` trains, by how many utterances there are."""

from pathlib import Path

import pytest

from fairseq_twostage.cli.build import scaled_limits
from fairseq_twostage.systems.config import load_system
from fairseq_twostage.systems.config_files import find_config


@pytest.mark.parametrize(
    ("natural", "canonical", "expected"),
    [
        (400, 400, {}),
        (70, 700, {"pretrain": 5 * 50, "cycle": 5 * 12, "auxiliary": 100, "warm": 5 * 25}),
        (350, 5_001, {"lm": 8_800, "style": 8_800}),
    ],
)
def test_limits(tmp_path: Path, natural: int, canonical: int, expected: dict[str, int]) -> None:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "train.nl").write_text("a\n" * natural)
    (tmp_path / "text" / "train.cf").write_text("b\n" * canonical)
    config = find_config("recommended")
    changes = scaled_limits(tmp_path, config, "ships")
    system = load_system(config, changes, "ships")
    plain = load_system(config, domain="ships")
    found = {
        "pretrain": system.epochs.pretrain,
        "cycle": system.epochs.cycle,
        "auxiliary": system.epochs.auxiliary,
        "warm": system.stages["warm"].options["max-epoch"],
        "lm": system.stage_options("lm.cf").get("max-update"),
        "style": system.stage_options("style").get("max-update"),
    }
    usual = {"pretrain": 50, "cycle": 12, "auxiliary": 100, "warm": 25, "lm": None, "style": None}
    assert found == usual | expected
    assert (system == plain) == (not expected)
