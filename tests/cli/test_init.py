"""``twostage init``: the skeleton works as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.domains.worlds import open_world
from fairseq_twostage.semantics import execute


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert main(["init", str(tmp_path / "mine")]) == 0
    return tmp_path / "mine"


def test_the_grammar_has_no_flaw(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    domain = str(folder / "domain.yaml")
    assert main(["canonical", "--domain", domain, "--lint"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["canonical", "--domain", domain]) == 0
    generated = {line.split("\t")[0] for line in capsys.readouterr().out.splitlines()}
    assert {"animal with highest age", "keeper of _animal_", "number of animal"} <= generated
    assert not any("age of _keeper_" in utterance for utterance in generated)


def test_the_rules_for_several_conditions_work(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grammar = folder / "general.grammar"
    grammar.write_text(grammar.read_text().replace("# (rule", "(rule"))
    capsys.readouterr()
    assert main(["canonical", "--domain", str(folder), "--lint"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["canonical", "--domain", str(folder)]) == 0
    forms = dict(line.split("\t") for line in capsys.readouterr().out.splitlines())
    world, joao = open_world(str(folder)), {"_keeper_": "en.keeper.joao"}
    cats = "animal with kind cat and keeper _keeper_"
    for utterance, animal in ((" that is vaccinated", "mila"), (" with lowest age", "tiger")):
        found = execute(forms[cats + utterance], world, joao)
        assert found.metric_text == f"(list (name en.animal.{animal}))"


def test_every_annotated_row_has_an_answer(folder: Path) -> None:
    pytest.importorskip("fairseq.binarizer")
    options = ["--embeddings", "none", "--dest", str(folder / "bin")]
    assert main(["prepare", "--domain", str(folder / "domain.yaml"), *options]) == 0
    world = world_of(folder / "bin")
    canonical = set((folder / "bin" / "text" / "train.cf").read_text().splitlines())
    rows = read_gold(folder / "bin", "test")
    for row in rows:
        denotation = execute(row.logical_form, world, row.variables)
        assert denotation.executable and denotation.metric_text != "(list)", row
        assert row.canonical in canonical
    assert len(rows) == 15


def test_a_folder_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.tex").write_text("all my work")
    assert main(["init", str(tmp_path)]) == 1
    assert "not an empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["init", str(tmp_path / "empty")]) == 0
    assert (tmp_path / "empty" / "domain.yaml").is_file()
