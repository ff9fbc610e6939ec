"""Hostile files end soon, in one line."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.databases.schema_file import read_schema
from fairseq_twostage.domains.domain_file import read_domain_file
from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.reader import read_grammar
from fairseq_twostage.systems.config_files import find_config, layers
from fairseq_twostage.yaml_reading import load_yaml

BOMB = "a0: &a0 [x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
RULE = "(rule $ROOT (a) (ConstantFn en.a))"


@pytest.fixture(autouse=True)
def soon() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BOMB, "values, aliases written out"),
        ("a: &a [*a]", "an alias that stands for itself"),
        ("a: " + "[" * 5000 + "]" * 5000, r":1: nested more than 40 deep"),
        (
            "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 2000)),
            "nested more than 40 deep, aliases written out",
        ),
        ("a: " + "9" * 10_000, r"f.yaml:1: not YAML: Exceeds the limit"),
        ("? [a, [b]]\n: c", "not YAML"),
        ("a: 2020-13-45", r":1: not YAML: month"),
        ("a: !!python/object:os.system x", "not YAML"),
        ("a: *b", "not YAML: found undefined alias"),
    ],
)
def test_yaml(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(text)
    for read in (load_yaml, read_domain_file, read_schema):
        with pytest.raises(UserError, match=message if read is load_yaml else None) as caught:
            read(path)
        assert "\n" not in str(caught.value)


def test_yaml_that_shares_is_read(tmp_path: Path) -> None:
    (tmp_path / "f.yaml").write_text("a: &a {x: [1, 2.5]}\nb: *a\n")
    assert load_yaml(tmp_path / "f.yaml") == {"a": {"x": [1, 2.5]}, "b": {"x": [1, 2.5]}}
    (tmp_path / "f.yaml").write_text("")
    assert load_yaml(tmp_path / "f.yaml") is None


@pytest.mark.parametrize(
    "value", ["[]", "{}", "null", "3", "true", "[1]", "{a: [b]}", "2020-01-01"]
)
def test_no_value_of_a_domain_file_traces_back(tmp_path: Path, value: str) -> None:
    from fairseq_twostage.domains.domain_file import _READERS

    for key in _READERS:
        for name in ("", "name: x\n") if key != "name" else ("",):
            (tmp_path / "domain.yaml").write_text(f"{name}{key}: {value}\n")
            with pytest.raises(UserError, match=r"domain\.yaml"):
                read_domain_file(tmp_path / "domain.yaml")
    for long in ("a" * 5000, '"a\\0b"', "~nobody-there/x"):
        (tmp_path / "domain.yaml").write_text(f"name: x\nfolder: {long}\nutterances: {long}\n")
        with pytest.raises(UserError):
            read_domain_file(tmp_path / "domain.yaml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(include /dev/zero)", "cannot include /dev/zero"),
        (f"{RULE}\n(for @a (1 2 3 4 5 6 7 8 9 0) " * 7 + RULE + ")" * 7, "loops written out"),
        (
            "(def @a (x x))"
            + "".join(
                f"(def @{'a' * n} (@{'a' * (n - 1)} @{'a' * (n - 1)}))" for n in range(2, 40)
            ),
            "macros written out",
        ),
        ("".join(f"(rule $A (w{n}) (ConstantFn en.w{n}))\n" for n in range(50_000)), "20000 rules"),
        (f"(rule $ROOT (a {'(b optional) ' * 30}) (ConstantFn en.a))", "parts are optional"),
        (f"(rule $ROOT (a $B) (SelectFn {'9' * 6000}))", "SelectFn NUMBER"),
        ("(" * 100_000, "nested too deeply"),
    ],
)
def test_a_grammar(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "g.grammar").write_text(text)
    with pytest.raises(UserError, match=message) as caught:
        read_grammar(tmp_path / "g.grammar")
    assert len(str(caught.value)) < 8000 and "\n" not in str(caught.value)


def test_files_that_include_one_another(tmp_path: Path) -> None:
    for n in range(60):
        (tmp_path / f"{n}.grammar").write_text(f"(include {n + 1}.grammar)")
    with pytest.raises(UserError, match="more than 40 files include one another"):
        read_grammar(tmp_path / "0.grammar")


def test_recursion_in_two_ways(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fairseq_twostage.cli.canonical.MAX_APPLICATIONS", 50_000)
    path = tmp_path / "g.grammar"
    path.write_text(
        "(rule $A (a) (ConstantFn en.a)) (rule $A (b) (ConstantFn en.b))"
        "(rule $A ($A or $A) (lambda x (lambda y (call f (var x) (var y)))))"
        "(rule $ROOT ($A) (IdentityFn))"
    )
    assert main(["canonical", "--grammar", str(path), "--depth", "30"]) == 1
    assert "given up after 50000 applications of rules" in capsys.readouterr().err
    assert main(["canonical", "--grammar", str(path), "--depth", "30", "--budget", "50"]) == 0


def test_placeholders_that_stand_for_too_much() -> None:
    from fairseq_twostage.semantics import execute, load_world
    from fairseq_twostage.semantics.explain import explain

    world = load_world("calendar")
    form = "( call SW.listValue ( string " + "_x_ " * 40_000 + ") )"
    found = execute(form, world, {"_x_": "y" * 100_000})
    assert getattr(found, "category", None) == "budget"
    assert explain(form, world, {"_x_": "y" * 100_000})
    small = execute("( string _x_ )", world, {"_x_": "y" * 1000})
    assert small.text is not None


def test_a_configuration_with_a_bomb(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(BOMB)
    with pytest.raises(UserError, match="aliases written out"):
        layers(find_config(tmp_path / "c.yaml"))
