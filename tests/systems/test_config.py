"""Reading configurations: what extends what, and which stages a system needs."""

from __future__ import annotations

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.systems.config import load_system

BASE = """
config: first
epochs: {pretrain: 7}
groups:
  common: {lr: 0.1, flag: true}
  more: {lr: 0.2}
stages:
  one: {groups: [common, more], options: {epochs: "${epochs.pretrain}"}}
  two:
    groups: [more, common]
    options: {weights: {a: 1, b: 2}}
    checkpoints: {from: one}
  three: {folders: {pairs: one}}
evaluate: {parser: two}
"""


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    write("base", BASE)
    return write


def test_groups_in_their_order_then_own_options(write):
    system = load_system(write("child", "extends: base"))
    assert system.stage_options("one") == {"lr": 0.2, "flag": True, "epochs": 7}
    assert system.stage_options("two") == {"lr": 0.1, "flag": True, "weights": {"a": 1, "b": 2}}


def test_a_file_holds_only_what_differs(write):
    write("child", "extends: base\nstages: {two: {name: two.b, options: {weights: {b: null}}}}")
    system = load_system(write("grandchild", "extends: child\ngroups: {common: {lr: 0.3}}"))
    assert (system.system, system.config) == ("grandchild", "first")
    assert system.stage_name("two") == "two.b" and system.stage_name("one") == "one"
    assert system.stage_options("two") == {"lr": 0.3, "flag": True, "weights": {"a": 1, "b": None}}


def test_changes_from_the_command_line_come_last(write):
    system = load_system(write("child", "extends: base"), ["epochs.pretrain=2", "system=mine"])
    assert system.stage_options("one")["epochs"] == 2
    assert system.system == "mine"


def test_a_domain_may_differ(write):
    write("child", "extends: base\ndomains: {geo: {groups: {common: {lr: 0.5, flag: null}}}}")
    path = write("grandchild", "extends: child\ndomains: {geo: {groups: {common: {flag: 3}}}}")
    assert load_system(path).stage_options("two") == load_system(
        path, domain="calendar"
    ).stage_options("two")
    assert load_system(path, domain="calendar").groups["common"] == {"lr": 0.1, "flag": True}
    assert load_system(path, domain="geo").groups["common"] == {"lr": 0.5, "flag": 3}
    changed = load_system(path, ["groups.common.lr=9"], "geo")  # the command line comes last
    assert changed.groups["common"] == {"lr": 9, "flag": 3}
    write("child", "extends: base\ndomains: {geo: {groups: {common: {lr: 0.5}}}}")
    last = write("last", "extends: child\ngroups: {common: {lr: 0.7}}")  # over its parents'
    assert load_system(last, domain="geo").groups["common"] == {"lr": 0.7, "flag": True}
    change = "{stages: {four: {checkpoints: {of: one}}}, evaluate: {parser: four}}"
    more = write("more", f"extends: base\ndomains: {{geo: {change}}}")
    assert load_system(more, domain="geo").needed_stages() == ["one", "four"]
    assert load_system(more, domain="calendar") == load_system(more)
    path = write("bad", "extends: base\ndomains: {geo: {epochs: {rest: 1}}}")
    with pytest.raises(UserError, match=r"epochs\.rest: "):
        load_system(path, domain="geo")


def test_options_may_refer_to_the_seed(write):
    path = write("child", "extends: base\nstages: {one: {options: {draw: '${seed}'}}}")
    assert load_system(path, ["seed=5"]).stage_options("one")["draw"] == 5


def test_a_stage_may_ask_several(write):
    stages = "{four: {checkpoints: {best: [three, one], other: [], none: null}}}"
    system = load_system(write("child", f"extends: base\nstages: {stages}"))
    assert system.stages["four"].asked() == {"best": ["three", "one"]}
    assert system.needed_stages(until="four") == ["one", "three", "four"]


def test_only_needed_stages_are_run(write):
    assert load_system(write("child", "extends: base")).needed_stages() == ["one", "two"]
    path = write("other", "extends: base\nevaluate: {parser: one, paraphraser: three}")
    assert load_system(path).needed_stages() == ["one", "three"]
    path = write("alone", "extends: base\nstages: {two: {checkpoints: {from: null}}}")
    assert load_system(path).needed_stages() == ["two"]
    assert load_system(path).needed_stages(until="one") == ["one"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "extends: base\nstagez: {}",
            "bad.yaml:2: stagez: no setting 'stagez'; did you mean 'stages'?",
        ),
        ("extends: base\nepochs: {pretrain: many}", "epochs.pretrain: "),
        (
            "extends: base\nepochs: {rest: 1}",
            "bad.yaml:2: epochs.rest: no setting 'rest'; ",
        ),
        ("a: [", "bad.yaml:1: not YAML"),
        ("extends: base\nevaluate: {}\nevaluate: {}", "bad.yaml:3: evaluate is said a second time"),
        (
            "extends: base\nepochs:\n  cycle: 1\n  cycle: 2",
            "bad.yaml:4: cycle is said a second time",
        ),
        ("- a", "bad.yaml: a configuration is a mapping"),
        ("extends: base\nepochs: {cycle: '${'}", "bad.yaml:2: epochs.cycle: "),
        ("extends: base\ngroups: {a: {b: 2020-01-01}}", "bad.yaml:2: groups.a.b: "),
        ("extends: base\nnull: 1", "bad.yaml: None: "),
        (
            "extends: base\nstages: {a: 3}",
            "bad.yaml:2: stages.a: wants lines of key: value, not '3'",
        ),
        ("extends: base\nstages: text", "bad.yaml:2: stages: wants lines of key: value"),
        ("extends: base\nevaluate: 3", "bad.yaml:2: evaluate: wants lines of key: value, not '3'"),
        ("stages:\n  one:\n    groups: x", "bad.yaml:3: stages.one.groups: wants a list, not 'x'"),
        (
            "extends: base\nstages:\n  one.b:\n    comand: x",
            "bad.yaml:4: stages.one.b.comand: no s",
        ),
        ("extends: base\nepochs:\n  cycle: -1", "bad.yaml:3: epochs.cycle: must be at least 0"),
        ("extends: base\nupdates:\n  cycle: -1", "bad.yaml:3: updates.cycle: must be at least 0"),
        ("extends: base\nalias: child", "bad.yaml:2: alias: "),
        ("extends: base\nstages: {a: {like: one}}", "bad.yaml:2: stages.a.like: "),
    ],
)
def test_what_means_nothing_is_refused_in_one_line(write, text, message):
    with pytest.raises(UserError) as refused:
        load_system(write("bad", text))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_tabs_at_line_ends_change_nothing(write):
    text = "extends: base\nepochs:\n  pretrain: 9"
    plain = load_system(write("child", text))
    assert load_system(write("child", text.replace("\n", " \t\n\t\n") + "\t")) == plain
    assert plain.epochs.pretrain == 9
    with pytest.raises(UserError, match=r"bad\.yaml:3: not YAML"):
        load_system(write("bad", "a: 1\t\n\t\nb: [\t"))


def test_what_is_no_text_file(write, tmp_path):
    with pytest.raises(UserError, match="cannot be read: "):
        load_system(tmp_path)
    path = write("bad", "")
    path.write_bytes("system: café".encode("latin-1"))
    with pytest.raises(UserError, match=r"bad\.yaml:1: not UTF-8"):
        load_system(path)


@pytest.mark.parametrize(
    "change",
    ["stages=5", "groups=5", "groups=[a]", "domains=5", "domains.a=5", "evaluate=5", "epochs=5",
     "evaluate.splits=5", "stages.one=5", "stages.one.groups=5", "stages.one.options=5", "foo=1",
     "epochs.cycle=-1", "updates.cycle=-1", "epochs.cycle=[1", "epochs.cycle=${",
     "epochs.rest=1", "stages.oen.options.lr=1",
     "groups.comon.lr=1"],
)  # fmt: skip
def test_changes_that_cannot_be_read(write, change):
    with pytest.raises(UserError) as refused:
        load_system(write("child", "extends: base"), [change])
    assert str(refused.value).startswith("--set: ") and "\n" not in str(refused.value)


def test_a_mistake_is_told_where_it_stands(write):
    write("child", "extends: base\n\ndomains:\n  geo:\n    epochs: {cycle: -3}\n    foo: 1")
    path = write("grandchild", "extends: child\nevaluate: {split: valid}")
    with pytest.raises(UserError, match=r"child\.yaml:6: foo: no setting 'foo'"):
        load_system(path, domain="geo")
    write("child", "extends: base\n\ndomains:\n  geo:\n    epochs: {cycle: -3}")
    with pytest.raises(UserError, match=r"/child\.yaml:5: epochs\.cycle: must be at least 0"):
        load_system(path, domain="geo")
    assert load_system(path, ["epochs.cycle=0"], "geo").epochs.cycle == 0  # no limit
    several = write("several", "one: {extends: base}\ntwo:\n  extends: base\n  epochs: 7")
    with pytest.raises(UserError, match=r"several\.yaml:4: epochs: wants lines of key: value"):
        load_system(f"{several}:two")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("evaluate: {parser: four}", "bad: evaluate: needs the stage 'four'"),
        ("evaluate: {paraphraser: {a: b}}", "bad: evaluate: needs the stage {'a': 'b'}"),
        ("stages: {one: {folders: {pairs: two}}}", "bad: stages.one: needs the stage 'two'"),
    ],
)
def test_a_stage_stands_after_those_it_needs(write, text, message):
    system = load_system(write("bad", f"extends: base\n{text}"))
    with pytest.raises(UserError, match=message):
        system.needed_stages()
