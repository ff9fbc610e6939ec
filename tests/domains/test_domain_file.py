from pathlib import Path

import pytest

from fairseq_twostage.domains.registry import domain_file, load_domain
from fairseq_twostage.errors import UserError

FILES = ("d.grammar", "world.tsv", "asked.txt", "test.tsv", "pairs.tsv", "words.tsv")
GOOD = "name: trees\ngrammar: d.grammar\nworld: world.tsv\nutterances: asked.txt\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).write_text("")
    return tmp_path


def write(folder: Path, text: str) -> Path:
    path = folder / "domain.yaml"
    path.write_text(text)
    return path


def test_everything_that_can_be_said(folder: Path) -> None:
    domain = load_domain(
        write(
            folder,
            GOOD + "labelled: {valid: test.tsv, test: test.tsv}\ntags: [generate]\ndepth: 4\n"
            "lexicon: words.tsv\ntokenisation: sentencepiece\npieces: 90\n"
            "embeddings: sentence-encoder\naggregates: values\n",
        )
    )
    assert (domain.name, domain.folder) == ("trees", folder)
    assert domain.utterances == {"train": "asked.txt"}
    assert domain.labelled == {"valid": "test.tsv", "test": "test.tsv"}
    assert (list(domain.grammar), list(domain.tags), domain.depth) == (
        ["d.grammar"],
        ["generate"],
        4,
    )
    assert domain.aggregates == "values"
    assert (domain.tokenisation, domain.pieces) == ("sentencepiece", 90)
    assert domain.setting == "grammar"


def test_a_labelled_file_alone_is_for_the_test(folder: Path) -> None:
    assert load_domain(write(folder, GOOD + "labelled: test.tsv\n")).labelled == {
        "test": "test.tsv"
    }


def test_the_folder_that_holds_a_domain_file_names_it_too(folder: Path) -> None:
    write(folder, GOOD)
    assert load_domain(folder).name == load_domain(str(folder)).name == "trees"


def test_files_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREES", str(folder))
    (folder / "other").mkdir()
    path = write(folder / "other", GOOD + "folder: $TREES\n")
    assert load_domain(path).folder == folder


def test_names_files_and_folders_are_told_apart(folder: Path) -> None:
    assert domain_file("a/domain.yaml") == Path("a/domain.yaml")
    assert domain_file("b.yml") == Path("b.yml")
    assert domain_file("calendar") is domain_file("world.tsv") is None
    assert domain_file(str(folder)) is None
    path = write(folder, GOOD)
    assert domain_file(str(folder)) == domain_file(f"{folder}/") == path


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (GOOD + "grammer: d.grammar\n", 5, "no setting 'grammer'; known: name"),
        (GOOD + "name: again\n", 5, "a second time"),
        (GOOD + "labelled:\n  test: test.tsv\n  test: d.tsv\n", 7, "test is said a second time"),
        (GOOD.replace("\n", "\t\n") + "depth: deep\n", 5, "wants a positive number"),
        (GOOD + "labelled: nowhere.tsv\n", 5, "no such file: .*nowhere.tsv"),
        (GOOD + "labelled: {dev: test.tsv}\n", 5, "no split 'dev'"),
        (GOOD + "executor: m:f\n", 5, "give world or executor, not both"),
        (GOOD + "pairs: pairs.tsv\n", 5, "give grammar or pairs, not both"),
        (GOOD + "depth: deep\n", 5, "wants a positive number, not 'deep'"),
        (GOOD + "tokenisation: letters\n", 5, "wants words or blanks or sentencepiece"),
        (GOOD + "aggregates: mean\n", 5, "aggregates: wants rows or values, not 'mean'"),
        (
            GOOD.replace("world: world.tsv", "executor: m:f") + "aggregates: rows\n",
            5,
            "aggregates: is for a domain with a world",
        ),
        (GOOD + "tags: 3\n", 5, "wants a text or a list of texts"),
        (GOOD + "folder: $NOT_SET_AT_ALL\n", 5, "a variable of .* is not set"),
        (GOOD + "folder: nowhere\n", 5, "no such folder"),
        (GOOD.replace("world.tsv", "moon"), 3, "wants a .tsv file of triples, or one of"),
        (GOOD.replace("trees", "../up"), 1, "wants letters, digits"),
        (GOOD.replace("name: trees", "name: 3"), 1, "wants one text, not 3"),
        ("name: [trees\n", 2, "not YAML"),
    ],
)
def test_bad_input_is_one_line_that_says_where(
    folder: Path, text: str, line: int, message: str
) -> None:
    with pytest.raises(UserError, match=rf"domain\.yaml:{line}: .*{message}") as caught:
        load_domain(write(folder, text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "wants lines of key: value"),
        (GOOD.replace("name: trees\n", ""), "no name"),
        (GOOD.replace("utterances: asked.txt\n", ""), "no utterances to learn from"),
        (GOOD.replace("grammar: d.grammar\n", ""), "nothing says its logical forms: give"),
    ],
)
def test_what_is_missing_is_said(folder: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=rf"domain\.yaml: {message}"):
        load_domain(write(folder, text))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        load_domain(tmp_path / "domain.yaml")
