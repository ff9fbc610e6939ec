"""A domain in Chinese: names inside running text, no word vectors, no encoder of English."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main

pytest.importorskip("fairseq.binarizer")

PETS = {  # phrase: constant, age, weight, keeper
    "小红": ("hong", 3, 4, "fang"),
    "大黄": ("huang", 7, 30, "li"),
    "雪球": ("qiu", 2, 1.5, "fang"),
    "小红帽": ("mao", 5, 12, "li"),
}
KEEPERS = {"王芳": "fang", "李娜": "li"}
PROPERTIES = {"年龄": "age", "体重": "weight", "饲养员": "keeper"}
ASKED = """\
小红的年龄是多少？
大黄几岁了？
请问雪球的年龄是多大。
「小红帽」今年几岁？
小红有多重？
大黄的体重是多少？
雪球的体重，谢谢！
小红帽多少公斤？
谁是小红的饲养员？
大黄的饲养员是谁？
谁照顾雪球？
小红帽由谁照顾？
王芳照顾哪些宠物？
李娜照顾的宠物有哪些？
由王芳照顾的宠物是哪些？
年龄最大的宠物是哪一只？
哪只宠物年龄最大？
最重的宠物是哪只？
宠物的数量是多少？
一共有多少只宠物？
"""
GRAMMAR = """\
(rule $Pet (_pet_) (ConstantFn _pet_))
(rule $Pets (宠物) (ConstantFn (call @getProperty (call @singleton en.pet) (string !type))))
(rule $Keeper (_keeper_) (ConstantFn _keeper_))
(rule $ROOT (由 $Keeper 照顾的 $Pets) (lambda k (lambda p (call @listValue
  (call @filter (var p) (string keeper) (string =) (var k))))))
(rule $ROOT (年龄最大的 $Pets) (lambda p (call @listValue
  (call @superlative (var p) (string max) (string age)))))
(rule $ROOT ($Pets 的数量) (lambda p (call @listValue (call .size (var p)))))
"""
DOMAIN = "name: zoo\ngrammar: g\nworld: world.tsv\nlexicon: lexicon.tsv\nutterances: asked\n"
ANSWERED = {
    "请问小红的年龄。": ("小红的年龄", "3"),
    "小红帽的年龄？": ("小红帽的年龄", "5"),
    "雪球的体重是多少": ("雪球的体重", "1.5"),
    "「大黄」的饲养员是谁？": ("大黄的饲养员", "李娜"),
    "李娜照顾的宠物": ("由李娜照顾的宠物", "大黄, 小红帽"),
    "年龄最大的宠物": ("年龄最大的宠物", "大黄"),
    "宠物的数量": ("宠物的数量", "4"),
}
REFUSED = {
    "法国的首都在哪里？": "法国",  # words that nobody used
    "小明的年龄是多少": "小明",  # a name that is not listed
    "大黄的颜色": "颜色",
    "小红几岁？": "几岁",  # known, but nothing says that it asks for 年龄
    "小红": "a name alone",
}


@pytest.fixture(scope="module", params=["words", "sentencepiece"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp(request.param)
    facts = [f"type\t(name en.keeper.{id})\t(name en.keeper)" for id in KEEPERS.values()]
    for id, age, weight, keeper in PETS.values():
        facts += [
            f"type\t(name en.pet.{id})\t(name en.pet)",
            f"age\t(name en.pet.{id})\t(number {age})",
            f"weight\t(name en.pet.{id})\t(number {weight})",
            f"keeper\t(name en.pet.{id})\t(name en.keeper.{keeper})",
        ]
    names = [f"{phrase}\tpet\ten.pet.{id}" for phrase, (id, *_) in PETS.items()]
    names += [f"{phrase}\tkeeper\ten.keeper.{id}" for phrase, id in KEEPERS.items()]
    rules = "".join(
        f"(rule $ROOT ($Pet 的{said}) (lambda p (call @listValue (call @getProperty (var p) "
        f"(string {name})))))\n"
        for said, name in PROPERTIES.items()
    )
    domain = DOMAIN + f"tokenisation: {request.param}\npieces: 90\n"
    files = {"world.tsv": facts, "lexicon.tsv": names, "g": [GRAMMAR + rules], "asked": [ASKED]}
    for name, lines in (files | {"domain.yaml": [domain]}).items():
        (base / name).write_text("\n".join([*lines, ""]), encoding="utf-8")
    data, runs = str(base / "bin"), str(base / "runs")
    assert main(["prepare", "--domain", str(base), "--dest", data]) == 0
    of = ["--config", "untrained_words", "--domain", str(base), "--data", data, "--runs", runs]
    assert main(["train", *of]) == 0
    return base


def parsed(folder: Path, texts: list[str], capfd: pytest.CaptureFixture[str]) -> list[dict]:
    (folder / "questions").write_text("\n".join([*texts, ""]), encoding="utf-8")
    run, file = folder / "runs" / "zoo.grammar.1", folder / "questions"
    capfd.readouterr()
    assert main(["parse", str(run), "--file", str(file), "--format", "jsonl"]) == 0
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def test_questions_that_share_characters_with_their_meaning_are_answered(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = parsed(folder, list(ANSWERED), capfd)
    first = [each["readings"][0] for each in found if each["understood"]]
    assert len(first) == len(ANSWERED), [each["refused_because"] for each in found]
    said = [(each["canonical"], ", ".join(each["values"])) for each in first]
    assert said == list(ANSWERED.values())


def test_what_shares_none_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for each, why in zip(parsed(folder, list(REFUSED), capfd), REFUSED.values()):
        assert not each["understood"], each
        assert why in each["refused_because"] or "does not look like" in each["refused_because"]


def test_marks_go_and_names_are_found_the_longest_first(folder: Path) -> None:
    lines = (folder / "bin" / "text" / "train.nl").read_text(encoding="utf-8").splitlines()
    lines += (folder / "bin" / "text" / "valid.nl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 20 and sum("_pet_" in line for line in lines) == 12
    assert sum("_keeper_" in line for line in lines) == 3
    assert not set("".join(lines)) & set("「」？。，！帽芳娜球")
