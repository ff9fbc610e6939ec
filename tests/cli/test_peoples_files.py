"""Files as people bring them: each is read as it is meant, or refused, or something is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.databin.folder import read_gold

FILES = {
    "boats.grammar": "(rule $Boat (_boat_) (ConstantFn _boat_))\n"
    "(rule $ROOT (crew of $Boat) (lambda b (call @listValue "
    "(call @getProperty (var b) (string crew)))))\n",
    "world.tsv": "type\t(name en.boat.ivy)\t(name en.boat)\ncrew\t(name en.boat.ivy)\t(number 7)\n"
    "type\t(name en.boat.oak)\t(name en.boat)\ncrew\t(name en.boat.oak)\t(number 4)\n"
    "beside\t(name en.boat.oak)\t(name en.boat.ivy)\n",
    "lexicon.tsv": "ivy\tboat\ten.boat.ivy\nold oak\tboat\ten.boat.oak\n",
    "asked.txt": "how many sail on ivy\nhands of the old oak\nhow big is the team of ivy\n",
    "test.tsv": "how many are on ivy\tcrew of ivy\t(call SW.listValue (call SW.getProperty "
    "en.boat.ivy (string crew)))\n",
    "domain.yaml": "name: boats\ngrammar: boats.grammar\nworld: world.tsv\nlexicon: lexicon.tsv\n"
    "utterances: asked.txt\nlabelled: test.tsv\n",
}
CREW = "( call SW.getProperty en.boat.ivy ( string crew ) )"
MISSPELT = (
    "( call SW.filter ( call SW.getProperty ( call SW.singleton en.boat ) ( string !type ) ) "
    "( string beside ) ( string = ) en.boat.yvi )"
)

NO_DATE = "(date 2019 13 45)"

Change = Callable[[str], str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def quoted(text: str) -> str:
    rows = (line.split("\t") for line in text.splitlines())
    return "".join("\t".join(f'"{field}"' for field in row) + "\n" for row in rows)


def twostage(capfd: pytest.CaptureFixture[str], *command: object) -> tuple[int, str, str]:
    status = main([*map(str, command)])
    out, err = capfd.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"\ufeff{text}",
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\t\t\n").replace("\t\t\n\t\t", "\t\t\n"),
        quoted,
    ],
    ids=["mark", "crlf", "trailing tabs", "quoted"],
)
def test_the_same_tables_as_other_programs_write_them(
    folder: Path, change: Change, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("fairseq.binarizer")
    prepare = ("prepare", "--domain", folder, "--dest")
    assert twostage(capfd, *prepare, folder / "plain")[0] == 0
    tables = ["world.tsv", "lexicon.tsv", "test.tsv"]
    others = ["boats.grammar", "domain.yaml", "asked.txt"]
    lines_alone = change("a\n") in ("\ufeffa\n", "a\r\n", "a\t\t\n")
    for name in tables + others * lines_alone:
        (folder / name).write_text(change(FILES[name]), newline="")
    status, out, _ = twostage(capfd, *prepare, folder / "changed")
    assert status == 0 and "utterances with names of the lexicon: 3 of 3" in out
    for name in ("text/train.nl", "text/train.cf-lf.lf", "gold/test.tsv", "lexicon.tsv"):
        assert (folder / "changed" / name).read_bytes() == (folder / "plain" / name).read_bytes()
    (row,) = read_gold(folder / "changed", "test")
    assert row.variables == {"_boat_": "en.boat.ivy"}
    forms = folder / "forms.txt"
    forms.write_text(change(CREW + "\n").rstrip("\t\n") + "\n", newline="")
    (folder / "gold").write_text(CREW + "\n")
    scored = twostage(capfd, "score", "--domain", folder, "--hyp", forms, "--ref", folder / "gold")
    assert scored[0] == 0 and "100.0 % (1 of 1)" in scored[1]
    for world in ("world.tsv", "."):
        found = twostage(capfd, "execute", "--domain", folder / world, forms)
        assert found == (0, "(list (number 7))\n", "")


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("lexicon.tsv", "ivy\tboat\ten.ship.ivy\n", "{}/lexicon.tsv:1: the world has no en.ship"),
        (
            "lexicon.tsv",
            FILES["lexicon.tsv"] + "x\tboat\ten.boat.x\n",
            "{}/lexicon.tsv:3: the world has",
        ),
        ("lexicon.tsv", "zed\tboat\ten.boat.ivy\n", "no utterance names anything of the lexicon"),
        (
            "test.tsv",
            FILES["test.tsv"].replace("SW.get", "edu.stanford.nlp.sempre.cube.SimpleWorld.get"),
            "1 of 1 annotated rows have a logical form that does not execute, and count as wrong; "
            "the first: {}/test.tsv:1: no function edu.stanford.nlp.sempre.cube",
        ),
        (
            "test.tsv",
            "question\tmeaning\tform\n" + FILES["test.tsv"],
            "1 of 2 annotated rows have a logical form that does not execute, and count as wrong; "
            "the first: {}/test.tsv:1: the world has no form",
        ),
        (
            "test.tsv",
            FILES["test.tsv"].replace(
                "getProperty en.boat.ivy (string crew)",
                "superlative "
                "(call SW.getProperty (call SW.singleton en.boat) (string !type)) (string most) "
                "(string crew)",
            ),
            "the first: {}/test.tsv:1: a superlative is max or min, not most",
        ),
        (
            "test.tsv",
            FILES["test.tsv"] + f"what lies there\twhat lies there\t{MISSPELT}\n",
            "{}/test.tsv:2: the world has no en.boat.yvi",
        ),
        (
            "test.tsv",
            FILES["test.tsv"] + f"when\twhen\t(call SW.listValue {NO_DATE})\n",
            "{}/test.tsv:2: '( date 2019 13 45 )' is no date of the calendar",
        ),
        (
            "lexicon.tsv",
            FILES["lexicon.tsv"]
            + "".join(f"{n}\tboat\ten.boat.{n}\n{n}by\ttown\ten.town.{n}\n" for n in "abc")
            + "dby\tboat\ten.town.d\n",
            "{}/lexicon.tsv:9: 'dby' stands as a boat, and its constant en.town.d is like those "
            "of town",
        ),
        ("test.tsv", "who\twho\ten.boat.ivy\n" * 5, "{}/test.tsv:3: en.boat.ivy is a name alone"),
        ("test.tsv", "who\twho\ten.boat.ivy\n" * 5, "so it is with 2 more logical forms"),
        (
            "lexicon.tsv",
            FILES["lexicon.tsv"] + "a dozen\tsize\t(number 1 2)\n",
            "{}/lexicon.tsv:3: '(number 1 2)' has a digit where its unit should be",
        ),
        (
            "lexicon.tsv",
            FILES["lexicon.tsv"] + "👍\tboat\ten.boat.ivy\n",
            "{}/lexicon.tsv:3: '👍' has no letter or digit, and is never found",
        ),
        (
            "lexicon.tsv",
            FILES["lexicon.tsv"] + "it\tboat\ten.boat.ivy\n",
            "{}/lexicon.tsv:3: 'it' is a word of every sentence, and a name only in capital",
        ),
        (
            "lexicon.tsv",
            FILES["lexicon.tsv"] + "old. oak\tboat\ten.boat.ivy\n",
            "{}/lexicon.tsv:3: 'old. oak' is read as 'old oak' is ({}/lexicon.tsv:2)",
        ),
        (
            "asked.txt",
            FILES["asked.txt"] + "アイビー号の乗組員は何人ですか" * 15 + "\n",
            "{}/asked.txt:4: left out: 225 words, and at most 200 are read",
        ),
        (
            "domain.yaml",
            FILES["domain.yaml"] + "units: {en.kilo: kilogram}\n",
            "units: no fact has a number in en.kilo",
        ),
        (
            "asked.txt",
            FILES["asked.txt"] + "so " * 300 + "\n",
            "{}/asked.txt:4: left out: 300 words, and at most 200 are read",
        ),
    ],
)
def test_prepare_tells_what_cannot_be_meant(
    folder: Path, file: str, text: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("fairseq.binarizer")
    prepare = ("prepare", "--domain", folder, "--dest", folder / "bin")
    status, _, err = twostage(capfd, *prepare)
    assert status == 0 and "note:" not in err
    (folder / file).write_text(text)
    status, _, err = twostage(capfd, *prepare, "--force")
    assert status == ("en.ship" in said)  # then no pair passes the type check
    assert any(
        line.startswith("note: ") and said.replace("{}", str(folder)) in line
        for line in err.split("\n")
    )


def test_examples_may_have_comments_and_are_forms_too(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = folder / "some.examples"
    file.write_text(
        f'# by hand, "2014\n(example (utterance "crew #1 of ivy") # old\n'
        f'(original "crew of ivy") (targetFormula {CREW}))\n'
    )
    assert twostage(capfd, "execute", "--domain", folder, file)[:2] == (0, "(list (number 7))\n")


@pytest.mark.parametrize(
    ("hyp", "ref", "message"),
    [
        ("crew of ivy", CREW, "hyp:1: no logical form"),
        ("crew (of ivy)", CREW, "hyp:1: no logical form"),
        (CREW, "crew of ivy", "ref:1: no logical form but text"),
        (CREW, f"{CREW} {CREW}", "ref:1: more than a logical form"),
        (CREW, CREW.replace("ivy", "i\0vy"), "ref:1: no UTF-8 text"),
    ],
)
def test_text_is_not_scored_as_forms(
    folder: Path, hyp: str, ref: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("hyp", hyp), ("ref", ref)):
        (folder / name).write_text(f"{text}\n")
    files = ("--hyp", folder / "hyp", "--ref", folder / "ref")
    status, out, err = twostage(capfd, "score", "--domain", folder, *files)
    assert (status, out) == (1, "") and message in err
    status, out, err = twostage(capfd, "execute", "--domain", folder, folder / "hyp")
    assert ("hyp:1: no logical form but text" in err) == (hyp != CREW)


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("NULL", "note: {}:1: the world has no NULL (1 of 2 gold forms have no value, and count"),
        ("None", "note: {}:1: the world has no None (1 of 2"),
        ("en.boat.ivy", "note: {}:1: en.boat.ivy is a name alone, no logical form"),
        ("( call SW.getProperty en.boat.ivy )", "note: {}:1: no getProperty for these 1 arg"),
        (CREW[:-2], "note: {}:1: missing ) (1 of 2"),
        ("# comment", "note: {}:1: no form on the line (1 of 2"),
        (CREW.replace("ivy", "yvi"), "note: {}:1: the world has no (name en.boat.yvi) (1 of 2"),
        (MISSPELT, "note: {}:1: the world has no en.boat.yvi\n"),
    ],
)
def test_score_tells_gold_forms_that_cannot_be_meant(
    folder: Path, ref: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "hyp").write_text(f"{CREW}\n{CREW}\n")
    (folder / "ref").write_text(f"{ref}\n{CREW}\n")
    files = ("--hyp", folder / "hyp", "--ref", folder / "ref")
    status, out, err = twostage(capfd, "score", "--domain", folder, *files)
    assert status == 0 and out.startswith("denotation accuracy 50.0 % (1 of 2), executable 2")
    assert said.format(folder / "ref") in err and err.count("\n") == 1


def test_prepare_refuses_what_stands_behind_a_gold_form(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("fairseq.binarizer")
    prepare = ("prepare", "--domain", folder, "--dest", folder / "bin")
    more = FILES["test.tsv"].replace("\n", " ( extra )\n")
    (folder / "more.tsv").write_text(more)
    status, _, err = twostage(capfd, *prepare, "--labelled", folder / "more.tsv")
    assert (status, err.count("\n")) == (1, 1)
    assert f"{folder}/more.tsv:1: more than a logical form" in err
    (folder / "test.tsv").write_text(FILES["test.tsv"] + more)
    status, _, err = twostage(capfd, *prepare)
    assert status == 1 and f"{folder}/test.tsv:2: more than a logical form" in err


@pytest.mark.parametrize("command", ["execute", "explain", "hyp", "ref"])
def test_line_ends_of_an_old_macintosh_are_told(
    folder: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "one").write_text(f"{CREW}\n")
    (folder / "old").write_text(f"{CREW}\r{CREW}\r", newline="")
    arguments: tuple[object, ...] = (command, "--domain", folder, folder / "old")
    if command in ("hyp", "ref"):
        files = {"hyp": "one", "ref": "one"} | {command: "old"}
        arguments = ("score", "--domain", folder, "--hyp", folder / files["hyp"])
        arguments += ("--ref", folder / files["ref"])
    status, out, err = twostage(capfd, *arguments)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert f"{folder}/old:1: holds a carriage return inside a line" in err


def test_an_empty_generation_is_an_error(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    grammar = FILES["boats.grammar"].replace("string crew", "string masts")
    (folder / "boats.grammar").write_text(grammar)
    status, out, err = twostage(capfd, "canonical", "--domain", folder, "--output", folder / "out")
    assert (status, out) == (1, "") and "boats.grammar: generates no pair" in err
    assert not (folder / "out").exists()


def test_a_database_as_geogranno_writes_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "w.db").write_text("size\tfb:en.sea.a\t(number 7 en.km)\n")
    (folder / "forms").write_text("(call SW.getProperty fb:en.sea.a (string size))\n")
    found = twostage(capfd, "execute", "--domain", folder / "w.db", folder / "forms")
    assert found == (0, "(list (number 7 en.km))\n", "")
