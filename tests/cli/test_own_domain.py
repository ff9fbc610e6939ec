"""``twostage prepare --domain domain.yaml`` and the commands that read what it makes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.cli.train import prepared_data
from fairseq_twostage.databin.folder import read_gold, read_manifest
from fairseq_twostage.databin.frontend import load_frontend
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.domains import worlds
from fairseq_twostage.errors import UserError
from fairseq_twostage.schema import with_checksum
from fairseq_twostage.semantics import execute

GRAMMAR = """
(rule $Type (tree) (ConstantFn en.tree))
(rule $Name (_tree_) (ConstantFn _tree_))
(rule $Rel (height) (ConstantFn (string height)))
(rule $Rel (weight) (ConstantFn (string weight)))
(rule $All ($Type) (lambda t (call @getProperty (call @singleton (var t)) (string !type))))
(rule $ROOT ($All) (lambda x (call @listValue (var x))))
(rule $ROOT ($Rel of $Name) (lambda r (lambda n (call @listValue
  (call @getProperty (var n) (var r))))))
"""
WORLD = "".join(
    f"type\t(name en.tree.{name})\t(name en.tree)\nheight\t(name en.tree.{name})\t(number {n})\n"
    for name, n in (("oak", 3), ("elm", 5))
)
LEXICON = "old oak\ttree\ten.tree.oak\nelm\ttree\ten.tree.elm\n"
ASKED = (
    "How tall is the old oak?\nsize of the elm\nWhat grows here?\nlist trees\nall trees, please\n"
)
TEST = (
    "how high is the elm?\theight of elm\t( call SW.listValue ( call SW.getProperty en.tree.elm "
    "( string height ) ) )\nwhich trees are there\t\t(call SW.listValue (call SW.getProperty "
    "(call SW.singleton en.tree) (string !type)))\n"
)
DOMAIN = """name: trees
grammar: trees.grammar
world: world.tsv
lexicon: lexicon.tsv
utterances: asked.txt
labelled: test.tsv
"""
EXECUTOR = """
def run(form):
    if "crash" in form:
        raise ValueError("no")
    return form.count("a")
"""

Prepare = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "trees.grammar": GRAMMAR,
        "world.tsv": WORLD,
        "lexicon.tsv": LEXICON,
        "asked.txt": ASKED,
        "test.tsv": TEST,
        "domain.yaml": DOMAIN,
        "pairs.tsv": "tall one\ta\nsmall one\tb\nany one\ta b a\n",
        "forms.tsv": "which one is big\ttall one\ta\n",
        "my_executor.py": EXECUTOR,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def prepare(folder: Path) -> Prepare:
    """Prepare the domain, with lines of its file replaced, and give the data-bin."""

    def run(*options: str, domain: str = DOMAIN) -> Path:
        pytest.importorskip("fairseq.binarizer")
        (folder / "domain.yaml").write_text(domain)
        out = folder / "bin"
        arguments = ["--domain", str(folder / "domain.yaml"), "--dest", str(out), *options]
        assert main(["prepare", *arguments]) == 0
        return out

    return run


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_every_generated_utterance_once_and_no_pairing(prepare: Prepare) -> None:
    out = prepare()
    # The world has no weights, so the type check refuses "weight of …".
    assert sorted(lines(out / "text" / "train.cf")) == ["height of _tree_", "tree"]
    asked = sorted(lines(out / "text" / "train.nl") + lines(out / "text" / "valid.nl"))
    assert asked == [
        "all trees please",
        "how tall is the _tree_",
        "list trees",
        "size of the _tree_",
        "what grows here",
    ]
    manifest = read_manifest(out)
    assert (manifest.domain, manifest.canonical) == ("trees", "grammar")
    assert {path.name for path in (out / "gold").glob("*.tsv")} == {"test.tsv"}


def test_variables_go_with_their_utterances(prepare: Prepare) -> None:
    out = prepare()
    found = {}
    for split in ("train", "valid"):
        variables = map(json.loads, lines(out / f"{split}.nl.variables.jsonl"))
        found |= dict(zip(lines(out / "text" / f"{split}.nl"), variables))
    assert found["size of the _tree_"] == {"_tree_": "en.tree.elm"}
    assert found["list trees"] == {}


def test_annotated_rows_are_abstracted_and_still_denote_the_same(prepare: Prepare) -> None:
    out = prepare()
    row, other = read_gold(out, "test")
    assert (row.utterance, row.canonical) == ("how high is the _tree_", "height of _tree_")
    assert "_tree_" in row.logical_form and row.variables == {"_tree_": "en.tree.elm"}
    assert other.canonical == ""
    denotation = execute(row.logical_form, world_of(out), row.variables)
    assert denotation.metric_text == "(list (number 5))"


def test_train_finds_it_in_the_folder_of_its_name(
    prepare: Prepare, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main(["prepare", "--domain", "domain.yaml"]) == 0
    for setting in (None, "grammar"):
        data, manifest = prepared_data(None, "domain.yaml", setting)
        assert (str(data), manifest.canonical) == ("data-bin/trees", "grammar")
    with pytest.raises(UserError, match="data-bin/trees: was prepared with --canonical grammar"):
        prepared_data(None, "domain.yaml", "paper")


def test_the_databin_stands_alone(prepare: Prepare, folder: Path) -> None:
    out = prepare()
    for name in ("trees.grammar", "world.tsv", "lexicon.tsv", "domain.yaml"):
        (folder / name).unlink()
    found = load_frontend(out).read("The Old Oak: how tall?")
    assert (found.tokens, found.variables) == ("the _tree_ how tall", {"_tree_": "en.tree.oak"})
    assert load_frontend(out).write_out("height of _tree_", found.phrases) == "height of old oak"
    text = execute(
        "( call SW.getProperty _tree_ ( string height ) )", world_of(out), found.variables
    )
    assert text.metric_text == "(list (number 3))"


def test_no_embeddings_unless_asked_for(prepare: Prepare) -> None:
    out = prepare("--embedding-dim", "3")
    assert lines(out / "embeddings.txt") == ["0 3"]
    assert read_manifest(out).embeddings.file == "none"


AVERAGE = (
    "( call SW.listValue ( call SW.aggregate ( string avg ) ( call SW.getProperty ( call "
    "SW.getProperty ( call SW.singleton en.tree ) ( string !type ) ) ( string height ) ) ) )"
)
ASH = "type\t(name en.tree.ash)\t(name en.tree)\nheight\t(name en.tree.ash)\t(number 5)\n"


@pytest.mark.parametrize(
    ("setting", "recorded", "average"),
    [
        ("", None, "4.33"),
        ("aggregates: rows\n", None, "4.33"),
        ("aggregates: values\n", "values", "4"),
    ],
)
def test_aggregates_are_over_rows_unless_said(
    prepare: Prepare,
    folder: Path,
    setting: str,
    recorded: str | None,
    average: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "world.tsv").write_text(WORLD + ASH)  # heights 3, 5, 5
    out = prepare(domain=DOMAIN + setting)
    assert read_manifest(out).options.get("aggregates") == recorded
    assert execute(AVERAGE, world_of(out)).text == f"(list (number {average}))"
    (folder / "form").write_text(AVERAGE)
    capsys.readouterr()
    assert main(["execute", "--domain", str(folder), str(folder / "form")]) == 0
    assert capsys.readouterr().out == f"(list (number {average}))\n"
    (folder / "gold").write_text("( call SW.listValue ( number 4 ) )")
    files = ["--hyp", str(folder / "form"), "--ref", str(folder / "gold")]
    assert main(["score", "--domain", str(folder), *files]) == 0
    assert f"({int(average == '4')} of 1)" in capsys.readouterr().out


def test_a_generated_world_may_be_averaged_over_its_rows(prepare: Prepare, folder: Path) -> None:
    calendar = PAIRS + "world: calendar\n"
    assert "aggregates" not in read_manifest(prepare(domain=calendar)).options
    out = prepare("--force", domain=calendar + "aggregates: rows\n")
    assert read_manifest(out).options["aggregates"] == "rows"
    assert world_of(out).rows and not world_of(out).exact


PAIRS = "name: ones\npairs: pairs.tsv\nutterances: asked.txt\nlabelled: forms.tsv\n"


def test_pairs_without_grammar_or_executor_are_compared_as_text(prepare: Prepare) -> None:
    out = prepare(domain=PAIRS)
    assert sorted(lines(out / "text" / "train.cf-lf.cf")) == ["any one", "small one", "tall one"]
    world = world_of(out)
    assert read_manifest(out).options["world"] == "exact match"
    assert execute("a  b a", world).executable
    assert not execute("b b", world).executable


def test_an_executor_of_ones_own(prepare: Prepare, folder: Path) -> None:
    out = prepare(domain=PAIRS + "executor: my_executor:run\n")
    (folder / "my_executor.py").unlink()
    world = world_of(out)
    assert execute("a b a", world).metric_text == "2"
    assert not execute("crash", world).executable
    assert "ValueError: no" in execute("crash", world).message
    assert "my_executor" not in sys.modules  # it lies under a name of its own


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        ("os:system", r"os:system: cannot be used as executor \(no file os.py in "),
        ("my_executor:walk", "my_executor:walk: cannot be used"),
        ("../../my_executor:run", "executor: string should match"),
        ("os.path:join", "executor: string should match"),
    ],
)
def test_an_executor_that_is_not_there(
    prepare: Prepare, folder: Path, executor: str, message: str
) -> None:
    out = prepare(domain=PAIRS + "executor: my_executor:run\n")
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["options"]["executor"] = executor
    (out / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(UserError, match=r"manifest\.json: damaged, or changed"):
        world_of(out)
    (out / "manifest.json").write_text(json.dumps(with_checksum(manifest)))
    with pytest.raises(UserError, match=message):
        world_of(out)


def test_an_installed_executor_must_be_allowed(
    prepare: Prepare, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "forms").write_text("a b\n")
    (folder / "domain.yaml").write_text(PAIRS + "executor: shlex:split\n")
    run = ["execute", "--domain", str(folder), str(folder / "forms")]
    assert main(run) == 1
    assert "is loaded with --allow-executor shlex" in capsys.readouterr().err
    assert main([*run, "--allow-executor", "shlex"]) == 0
    assert capsys.readouterr().out == "(list a b)\n"
    out = prepare("--allow-executor", "shlex", domain=PAIRS + "executor: shlex:split\n")
    assert (out / "executor" / "shlex.py").is_file()  # it runs where nothing is allowed
    allowed = worlds._allowed.copy()
    worlds._allowed.clear()
    try:
        assert execute("a b", world_of(out)).text == "(list a b)"
    finally:
        worlds._allowed.update(allowed)
    (folder / "domain.yaml").write_text(PAIRS + "executor: json:loads\n")
    assert main(["prepare", *run[1:3], "--dest", "x", "--allow-executor", "json"]) == 1
    assert "is no single Python file" in capsys.readouterr().err


def test_subwords(prepare: Prepare) -> None:
    out = prepare("--tokenisation", "sentencepiece", "--pieces", "40")
    frontend = load_frontend(out)
    canonical = {frontend.write_out(line) for line in lines(out / "text" / "train.cf")}
    assert canonical == {"height of _tree_", "tree"}
    pieces = frontend.read("how tall are the elm and the treehouse").tokens
    assert "_tree_" in pieces.split()
    assert frontend.write_out(pieces) == "how tall are the _tree_ and the treehouse"
    known = {line.rsplit(" ", 1)[0] for line in lines(out / "dict.utterance.txt")}
    assert set(lines(out / "text" / "train.nl")[0].split()) <= known
    assert read_gold(out, "test")[0].utterance == frontend.encode("how high is the _tree_")


def test_corrections_become_labelled_training_rows(prepare: Prepare, folder: Path) -> None:
    (folder / "marked.tsv").write_text(TEST.replace("how high", "how very high"))
    out = prepare("--labelled", str(folder / "marked.tsv"))
    assert len(read_gold(out, "train")) == 2
    assert "how very high is the _tree_" in lines(out / "text" / "train.nl")


def test_test_utterances_in_training_are_noticed(
    prepare: Prepare, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "asked.txt").write_text(ASKED + "How high is the elm\n" * 3)
    out = prepare("--seed", "3")
    seen = "how high is the _tree_" in lines(out / "text" / "train.nl")
    assert ("1 test utterances stand in the training" in capsys.readouterr().out) == seen


def test_the_same_files_give_the_same_bytes(prepare: Prepare, folder: Path) -> None:
    def contents(out: Path) -> dict[str, bytes]:
        return {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}

    first = contents(prepare("--tokenisation", "sentencepiece", "--pieces", "40"))
    (folder / "bin").rename(folder / "first")
    assert contents(prepare("--tokenisation", "sentencepiece", "--pieces", "40")) == first


@pytest.mark.parametrize("name", ["domain.yaml", ""])
def test_commands_on_the_domain_file_or_its_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    domain = ["--domain", str(folder / name)]
    assert main(["canonical", *domain]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in printed] == ["height of _tree_", "tree"]
    forms = tmp_path / "forms"
    forms.write_text('( call SW.getProperty _t_ ( string height ) )\t{"_t_": "en.tree.oak"}\n')
    assert main(["execute", *domain, str(forms)]) == 0
    assert capsys.readouterr().out == "(list (number 3))\n"
    assert main(["explain", *domain, str(forms)]) == 0
    assert "(number 3)" in capsys.readouterr().out
    assert main(["score", *domain, "--hyp", str(forms), "--ref", str(forms)]) == 0


@pytest.mark.parametrize("name", ["domain.yaml", ""])
def test_execute_without_an_executor_knows_the_forms(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    (folder / "domain.yaml").write_text(PAIRS)
    (tmp_path / "forms").write_text("a  b a\n")
    assert main(["execute", "--domain", str(folder / name), str(tmp_path / "forms")]) == 0
    assert capsys.readouterr().out == "a b a\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("trees.grammar", GRAMMAR + "(rule $ROOT (tree) (ConstantFn en.x))", "two logical forms"),
        ("asked.txt", "one\n", r"asked\.txt: too few rows"),
        ("asked.txt", "one\ttwo\n", r"asked\.txt:1: a tab in an utterance"),
        ("test.tsv", "how\ttree\n\nwhat\tbush\n", r"test\.tsv:3: .*'bush' is no canonical"),
        ("domain.yaml", DOMAIN + "embeddings: nowhere.txt\n", "no such file"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, message: str
) -> None:
    (folder / name).write_text(text)
    out = folder / "out" / "bin"
    status = main(["prepare", "--domain", str(folder / "domain.yaml"), "--dest", str(out)])
    error = capsys.readouterr().err
    assert status == 1 and re.search(message, error) and error.count("\n") == 1
    assert not out.exists()


def test_an_unknown_canonical_utterance_is_named_by_its_line_though_rows_are_cut(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "domain.yaml").write_text(
        "name: ones\npairs: pairs.tsv\nlabelled: {train: rows.tsv}\n"
    )
    known = [f"ask number {n}\ttall one\n" for n in range(10)]
    arguments = ["--domain", str(folder), "--dest", str(folder / "bin"), "--seed", "999"]
    options = ["--canonical", "grammar", "--embeddings", "none"]
    for wrong in range(10):  # two of them are cut off for validation
        rows = ["\n", *known]
        rows[1 + wrong] = "what is this\tbush\n"
        (folder / "rows.tsv").write_text("".join(rows))
        assert main(["prepare", *arguments, *options]) == 1
        error = capsys.readouterr().err
        assert f"rows.tsv:{2 + wrong}: no logical form, and 'bush' is no" in error
        assert main(["prepare", *arguments]) == 1
        assert re.search(r"rows\.tsv:\d+: no logical form; --canon", capsys.readouterr().err)


def test_a_row_without_canonical_utterance_is_named_by_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "domain.yaml").write_text("name: ones\nlabelled: {train: rows.tsv}\n")
    rows = [f"ask number {n}\ttall one\ta\n" for n in range(10)]
    rows[7] = "what is this\t\ta\n"
    (folder / "rows.tsv").write_text("".join(rows))
    assert main(["prepare", "--domain", str(folder), "--dest", str(folder / "bin")]) == 1
    assert "rows.tsv:8: no canonical utterance" in capsys.readouterr().err


def test_nearest_scores_the_canonical_utterance_nearest_by_word_vectors(
    prepare: Prepare, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # "tall" lies at "height" and "grows" far from all: of the rows below the first is right.
    vectors = {"tall": (1, 0), "height": (1, 0.1), "tree": (0, 1), "grows": (0.9, 0.4)}
    lines_ = (f"{word} {x} {y}\n" for word, (x, y) in vectors.items())
    (folder / "vectors.txt").write_text("".join(lines_))
    (folder / "test.tsv").write_text("so tall elm?\theight of elm\nwhat grows\ttree\n")
    out = prepare("--embeddings", str(folder / "vectors.txt"), "--embedding-dim", "2")
    capsys.readouterr()
    results = folder / "results"
    assert main(["nearest", "--data", str(out), "--results", str(results)]) == 0
    assert "denotation accuracy: 50.0 % (1 of 2)" in capsys.readouterr().out
    found = json.loads((results / "results.jsonl").read_text())
    assert found["system"] == "nearest" and sum(found["errors"].values()) == 1
    assert found["accuracy"] == 50.0 and found["correct_rows"] == [0] and found["total"] == 2


# -- The built-in domains through the same structure ---------------------------------------

CALENDAR = """name: calendar
folder: $TWOSTAGE_DATA
labelled:
  train: overnight/calendar.paraphrases.train.examples
  test: overnight/calendar.paraphrases.test.examples
grammar: grammar/overnight/calendar.grammar
world: calendar
tokenisation: blanks
embeddings: glove/glove.6B.100d.subset.txt
"""
GEO = """name: geo
folder: $TWOSTAGE_DATA
labelled:
  train: geogranno/geo_train.tsv
  valid: geogranno/geo_dev_54.tsv
  test: geogranno/geo_test.tsv
world: geogranno/geo880.db
tokenisation: blanks
embeddings: glove/glove.6B.100d.subset.txt
"""


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("calendar", CALENDAR, ()),
        ("calendar", CALENDAR, ("--canonical", "grammar")),
        ("geo", GEO, ()),
    ],
)
def test_a_built_in_domain_as_a_file_gives_the_same_bytes(
    data_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    text: str,
    options: tuple[str, ...],
) -> None:
    monkeypatch.setenv("TWOSTAGE_DATA", str(data_dir))
    (tmp_path / "domain.yaml").write_text(text)
    contents = []
    for domain, dest in (
        (name, tmp_path / "by-name"),
        (str(tmp_path / "domain.yaml"), tmp_path / "by-file"),
    ):
        assert main(["prepare", "--domain", domain, "--dest", str(dest), *options]) == 0
        contents.append(
            {str(p.relative_to(dest)): p.read_bytes() for p in dest.rglob("*") if p.is_file()}
        )
    assert contents[0] == contents[1]


@pytest.mark.data
def test_raw_geo_text_with_the_published_lexicon(data_dir: Path, tmp_path: Path) -> None:
    lexicon = data_dir / "geogranno" / "geo880.lexicon"
    out = tmp_path / "bin"
    options = ["--raw", str(data_dir), "--embeddings", "none", "--lexicon", str(lexicon)]
    assert main(["prepare", "--domain", "geo", "--dest", str(out), *options]) == 0
    found = load_frontend(out).read("what is the capital of texas ?")
    assert found.tokens == "what is the capital of _state_ ?"
    known = {line.rsplit(" ", 1)[0] for line in lines(out / "dict.utterance.txt")}
    assert set(found.tokens.split()) <= known
    form = "( call SW.getProperty _state_ ( string capital_state_city ) )"
    answer = execute(form, world_of(out), found.variables).metric_text
    assert answer is not None and "austin" in answer


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("$Rel ($Nope wide) (IdentityFn)", "$Rel -> $Nope wide never applies"),
        ("$Rell (girth) (ConstantFn (string height))", "$Rell -> girth is never reached from"),
        ("$Name (_tre_) (ConstantFn _tre_)", "lexicon.tsv has no name of the type tre"),
    ],
)
def test_prepare_tells_rules_of_which_nothing_comes(
    prepare: Prepare, folder: Path, capsys: pytest.CaptureFixture[str], rule: str, said: str
) -> None:
    prepare()
    assert "note: " not in capsys.readouterr().err.replace("never passes the type check", "")
    (folder / "trees.grammar").write_text(f"{GRAMMAR}(rule {rule})\n")
    prepare("--force")
    notes = [line for line in capsys.readouterr().err.splitlines() if said in line]
    assert len(notes) == 1 and notes[0].startswith(f"note: {folder / 'trees.grammar'}:")
