"""Finding configurations: by name from anywhere, as a file, as an entry of a file."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.systems import config_files
from fairseq_twostage.systems.config import load_system
from fairseq_twostage.systems.config_files import ABLATIONS, CONFIGS, find_config, layers, names
from tests.configurations import ABLATED

SEVERAL = """
small: {extends: untrained, evaluate: {split: valid}}
large:
  extends: complete
  groups: {common: {batch-size: 64}}
odd: 3
"""


@pytest.fixture
def several(tmp_path: Path) -> Path:
    path = tmp_path / "several.yaml"
    path.write_text(SEVERAL)
    return path


def refused(name: str | Path) -> str:
    with pytest.raises(UserError) as error:
        load_system(name)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_name_is_one_of_the_package_in_any_folder(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_config("recommended").file == CONFIGS / "recommended.yaml"
    assert load_system("words_only").system == "words_only"


def test_a_file_and_what_it_extends_beside_it_or_in_the_package(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("extends: untrained\nevaluate: {split: valid}")
    assert load_system(mine).evaluate.split == "valid"
    (tmp_path / "untrained.yaml").write_text("extends: untrained\nevaluate: {source: cf}")
    system = load_system(mine)  # the file beside it first, which extends the package's
    assert (system.system, system.evaluate.source, system.evaluate.parser) == ("mine", "cf", None)


def test_an_entry_of_a_file(several: Path) -> None:
    config = find_config(f"{several}:large")
    assert (config.file, config.name, str(config)) == (several, "large", f"{several}:large")
    system = load_system(config)
    assert (system.system, system.config) == ("large", "cao2020_released_cycle")
    assert system.groups["common"]["batch-size"] == 64
    assert load_system(f"{several}:small").evaluate.split == "valid"


def test_what_is_not_there(several: Path, tmp_path: Path) -> None:
    message = refused("recomended")
    assert message.startswith("recomended: no such configuration; the names are cao2020, ")
    assert message.endswith("(--config research/ablations.yaml:NAME)")
    message = refused(f"{several}:medium")
    assert message.endswith("several.yaml: no entry 'medium', only small, large, odd")
    assert refused(f"{several}:odd").endswith("several.yaml:odd: a configuration is a mapping")
    assert refused(tmp_path / "no.yaml:small").endswith("no.yaml: no such configuration")
    assert refused(tmp_path / "no.yaml").endswith("no.yaml: no such configuration")
    assert refused(tmp_path / "folder" / "name").endswith("name: no such configuration")
    assert refused(ABLATIONS).endswith(f"name one, as {ABLATIONS}:{next(iter(_order()))}")


def _order() -> list[str]:
    lines = ABLATIONS.read_text(encoding="utf-8").splitlines()
    return [line.split(":")[0] for line in lines if line[:1].isalpha()]


def test_at_most_a_base_a_system_and_changes(tmp_path: Path) -> None:
    for name, base in {"b": "a", "c": "b", "d": "c", "e": "e", "f": "[a]", "g": "g/h"}.items():
        (tmp_path / f"{name}.yaml").write_text(f"extends: {base}")
    (tmp_path / "a.yaml").write_text("config: mine")
    assert load_system(tmp_path / "c.yaml").config == "mine"
    message = refused(tmp_path / "d.yaml")
    assert "d.yaml: extends too far (d → c → b → a): a system may extend one other" in message
    (tmp_path / "a.yaml").write_text("extends: b")
    assert "a.yaml: extends too far (a → b → a → b)" in refused(tmp_path / "a.yaml")
    assert "e.yaml: extends 'e': no such file beside it" in refused(tmp_path / "e.yaml")
    assert "f.yaml: extends ['a']: no such file" in refused(tmp_path / "f.yaml")
    assert "g.yaml: extends 'g/h': no such file" in refused(tmp_path / "g.yaml")


@pytest.mark.parametrize("name", names())
def test_a_configuration_of_the_package_says_what_it_is_and_is_two_deep_at_most(name: str) -> None:
    chain = layers(find_config(name))
    assert len(chain) <= 2
    assert load_system(name).system == name
    lines = (CONFIGS / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    head = list(takewhile(lambda line: line.startswith("#"), lines))
    assert len(head[0]) > 20
    said = "\n".join(head)
    assert all(f"\n# {part}: " in said for part in ("What", "Needs", "Scores"))


def test_ablations_extend_configurations_of_the_package() -> None:
    assert not {*ABLATED} & {*names()}
    for name in ABLATED:
        base = layers(find_config(f"{ABLATIONS}:{name}"))[-2][0]
        assert base.file.parent == CONFIGS


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("cao2020_released_cycle", "complete"),
        ("sentence_encoder", "recommended"),
        ("configs/sentence_encoder.yaml", "recommended"),
    ],
)
def test_names_of_the_version_before(before: str, now: str, capsys) -> None:
    assert find_config(before) == find_config(now)
    name = Path(before).stem
    assert capsys.readouterr().err == f"twostage: warning: --config {name} is now --config {now}\n"


def test_a_bare_name_of_an_ablation_is_found_in_the_repository_alone(capsys, monkeypatch) -> None:
    new = "research/ablations.yaml:noise_add"
    warning = f"twostage: warning: --config noise_add is now --config {new}\n"
    for before in ("noise_add", "configs/noise_add.yaml"):
        assert find_config(before) == find_config(f"{ABLATIONS}:noise_add")
        assert capsys.readouterr().err == warning
    monkeypatch.setattr(config_files, "ABLATIONS", Path("/nowhere/ablations.yaml"))
    assert "ablations are entries of research/ablations.yaml in the repository" in refused(
        "noise_add"
    )
