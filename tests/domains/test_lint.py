"""What grammar, facts and lexicon of a domain name, each slip made by hand."""

from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main

WORDS, NAMES, FACTS = "words.grammar", "lexicon.tsv", "world.tsv"


@pytest.fixture
def shelter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    main(["init", str(tmp_path / "shelter")])
    capsys.readouterr()
    return tmp_path / "shelter"


def findings(domain: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["canonical", "--domain", domain, "--lint"]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("name", "old", "new", "line", "message"),
    [
        (WORDS, "en.kind.cat", "en.kind.kat", 9, "$Value -> cat: no fact has en.kind.kat"),
        (WORDS, "string weight", "string wait", 15, "weight: no fact has the property wait"),
        (WORDS, "(string age)", "(number 2 en.yr)", 14, "no fact has a number in en.yr"),
        (WORDS, "(_keeper_)", "(_keper_)", 12, "lexicon.tsv has no name of the type keper"),
        (WORDS, "(string age)", "(date 2019 13 45)", 14, "is no date of the calendar"),
        (NAMES, "\tkeeper", "\tboss", 7, "the grammar has no _boss_"),
        (NAMES, "en.keeper.anna", "en.keeper.anne", 7, "'anna': no fact has en.keeper.anne"),
        (NAMES, "en.keeper.anna", "(number 3 en.yr)", 7, "no fact has a number in en.yr"),
        (FACTS, "type\t(name en.animal.mila", "is\t(name en.animal.mila", 12, "no line 'type'"),
    ],
)
def test_a_slip_is_told_with_its_line(shelter, capsys, name, old, new, line, message):
    text = (shelter / name).read_text()
    assert old in text
    (shelter / name).write_text(text.replace(old, new))
    told = findings(str(shelter), capsys)
    found = [each for each in told if each.startswith(f"{shelter / name}:{line}: ")]
    assert any(message in each for each in found), told


@pytest.mark.parametrize("domain", ["cinema", "trains"])
def test_the_examples_name_what_they_have(domain, capsys):
    words = ("no fact has", "no line 'type'", "the grammar has no", "has no name of")
    assert not [line for line in findings(domain, capsys) if any(word in line for word in words)]


def test_a_second_number_of_a_thing_is_told(
    shelter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = shelter / FACTS
    lines = facts.read_text().splitlines()
    ages = [line for line in lines if line.startswith("age\t")]
    first, thing = lines.index(ages[0]) + 1, ages[0].split("name ")[1].split(")")[0]
    facts.write_text("\n".join([*lines, ages[0]]) + "\n")
    said = f"{facts}:{len(lines) + 1}: {thing} has age in line {first} already; both count"
    assert said in findings(str(shelter), capsys)
    facts.write_text("\n".join([*lines, *ages]) + "\n")  # each has two
    assert not any("already" in line for line in findings(str(shelter), capsys))


def test_words_that_name_nothing_need_no_rule_and_no_fact(
    shelter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = findings(str(shelter), capsys)
    with (shelter / NAMES).open("a") as file:
        file.write("in town\tnothing\t-\nkitty\tcalled\tyoung%20cat\nrex street\tkept\t-\n")
    assert findings(str(shelter), capsys) == before
    (tmp_path / "asked.txt").write_text("who keeps the kitty of rex street in town\n")
    assert main(["read", "--domain", str(shelter), str(tmp_path / "asked.txt")]) == 0
    read = "who keeps the young cat of rex street"
    assert capsys.readouterr().out == f"{read}\t{read}\n"
