"""``twostage prepare`` as a whole: on a made-up domain, and on the real data if it is there."""

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from fairseq_twostage.cli.main import main
from fairseq_twostage.cli.train import prepared_data
from fairseq_twostage.databin import prepare as prepare_module
from fairseq_twostage.databin.folder import read_gold, read_manifest

Prepare = Callable[..., tuple[int, Path]]
Groups = Callable[[int], Iterable[Sequence[int]]]  # file length -> groups of positions

EXAMPLE = """(example
  (utterance "{}")
  (original "{}")
  (targetFormula
    {}
  )
)
"""
TREES = ["oak", "elm", "ash", "fir", "yew"]
TRAIN = [
    (f"{verb} the {tree}", f"height of {tree}", f"(call SW.height en.tree.{tree})")
    for verb in ("measure", "size")
    for tree in TREES
]
TEST = [("gauge the oak", "height of oak", "(call SW.height en.tree.oak)")]
VECTORS = "the 0.1 0.2\noak 1 -1\nheight 0.5 2e-3\nbeech 3 3\n"
PAIRS = "".join(f"height of {tree}\t(call SW.height en.tree.{tree})\n" for tree in [*TREES, "fig"])
GEO = {
    "geo_train": [
        (f"{verb} _lake_ ?", "depth of _lake_", "( f _lake_ )", json.dumps({"_lake_": f"l.{verb}"}))
        for verb in ("measure", "size", "plumb")
    ],
    "geo_dev_54": [("size it ?", "depth of it", "( f it )", "{}")] * 2,
    "geo_dev": [("size it ?", "depth of it", "( f it )", "{}")] * 3,
    "geo_test": [("gauge it ?", "none", "( f it )", "{}")],
}


WORLD = "population_city_count\tfb:en.city.tull\t(number 7 count)\n"


def write_examples(path: Path, rows: Iterable[tuple[str, str, str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(EXAMPLE.format(*row) for row in rows))


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    for split, rows in (("train", TRAIN), ("test", TEST)):
        write_examples(folder / f"overnight/calendar.paraphrases.{split}.examples", rows)
    (folder / "geogranno").mkdir()
    for name, columns in GEO.items():
        text = "".join("\t".join(row) + "\n" for row in columns)
        (folder / "geogranno" / f"{name}.tsv").write_text(text)
    (folder / "geogranno" / "geo880.db").write_text(WORLD)
    (folder / "glove").mkdir()
    (folder / "glove" / "glove.6B.100d.subset.txt").write_text(VECTORS)
    (folder / "pairs.tsv").write_text(PAIRS)
    return folder


@pytest.fixture
def prepare(raw: Path, tmp_path: Path) -> Prepare:
    """Run the command on the made-up raw folder; gives (exit status, destination)."""

    def run(*options: str, domain: str = "calendar", dest: str = "bin") -> tuple[int, Path]:
        out = tmp_path / "out" / dest
        arguments = ["--domain", domain, "--raw", str(raw), "--dest", str(out)]
        return main(["prepare", *arguments, "--embedding-dim", "2", *options]), out

    return run


def contents(folder: Path, outside_gold: bool = False) -> dict[str, bytes]:
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return {
        name: data for name, data in files.items() if not (outside_gold and name.startswith("gold"))
    }


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def decode(prefix: Path | str, dictionary: Path) -> list[str]:
    data_utils = pytest.importorskip("fairseq.data.data_utils")
    from fairseq.data import Dictionary

    words = Dictionary.load(str(dictionary))
    dataset = data_utils.load_indexed_dataset(str(prefix), words)
    assert all(sentence[-1] == words.eos() for sentence in dataset)
    return [words.string(sentence) for sentence in dataset]


def words_of(dictionary: Path) -> set[str]:
    return {line.rsplit(" ", 1)[0] for line in lines(dictionary)}


LM = ["dict.txt", "train.bin", "train.idx", "valid.bin", "valid.idx"]
SIDES = [f"{split}.{side}" for split in ("train", "valid") for side in ("nl", "cf")]
PAIR_SIDES = [f"{split}.cf-lf.{side}" for split in ("train", "valid") for side in ("cf", "lf")]
OVERNIGHT_LAYOUT = {
    "manifest.json",
    "embeddings.txt",
    "counts.nl.tsv",
    "counts.cf.tsv",
    *(f"dict.{side}.txt" for side in ("utterance", "nl", "cf", "lf")),
    *(f"text/{side}" for side in SIDES + PAIR_SIDES),
    *(f"{side}.{end}" for side in SIDES + PAIR_SIDES for end in ("bin", "idx")),
    *(f"lm.{side}/{name}" for side in ("nl", "cf") for name in LM),
    "gold/manifest.json",
    "gold/sources.json",
    *(f"gold/{split}.tsv" for split in ("train", "valid", "test")),
    *(
        f"gold/{split}.nl-cf-lf.{side}.{end}"
        for split in ("train", "valid", "test")
        for side in ("nl", "cf", "lf")
        for end in ("bin", "idx")
    ),
}
GEO_LAYOUT = (
    OVERNIGHT_LAYOUT
    | {"world.db"}
    | {f"{split}.nl.variables.jsonl" for split in ("train", "valid")}
) - {f"gold/test.nl-cf-lf.cf.{end}" for end in ("bin", "idx")}


@pytest.mark.parametrize(
    ("domain", "layout"), [("calendar", OVERNIGHT_LAYOUT), ("geo", GEO_LAYOUT)]
)
def test_layout(prepare: Prepare, domain: str, layout: set[str]) -> None:
    status, out = prepare(domain=domain)
    assert status == 0
    assert set(contents(out)) == layout
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_corpora_and_gold_hold_the_rows(prepare: Prepare) -> None:
    _, out = prepare()
    rows = {split: read_gold(out, split) for split in ("train", "valid", "test")}
    assert {split: len(part) for split, part in rows.items()} == {"train": 8, "valid": 2, "test": 1}
    spaced = [(x, z, y.replace("(", "( ").replace(")", " )")) for x, z, y in TRAIN]
    both = rows["train"] + rows["valid"]
    assert sorted((r.utterance, r.canonical, r.logical_form) for r in both) == sorted(spaced)
    for split in ("train", "valid"):
        gold, text = rows[split], out / "text"
        assert sorted(lines(text / f"{split}.nl")) == sorted(r.utterance for r in gold)
        assert sorted(lines(text / f"{split}.cf")) == sorted(r.canonical for r in gold)
        pairs = zip(lines(text / f"{split}.cf-lf.cf"), lines(text / f"{split}.cf-lf.lf"))
        assert sorted(pairs) == sorted((r.canonical, r.logical_form) for r in gold)


def test_dictionaries_and_counts(prepare: Prepare) -> None:
    _, out = prepare()
    nl, cf = {"measure", "size", "the", *TREES}, {"height", "of", *TREES}
    assert words_of(out / "dict.nl.txt") == words_of(out / "lm.nl" / "dict.txt") == nl
    assert words_of(out / "dict.cf.txt") == words_of(out / "lm.cf" / "dict.txt") == cf
    assert words_of(out / "dict.utterance.txt") == nl | cf
    assert words_of(out / "dict.lf.txt") == {
        *("(", ")", "call", "SW.height"),
        *(f"en.tree.{tree}" for tree in TREES),
    }
    assert lines(out / "counts.nl.tsv")[:3] == ["the\t10", "measure\t5", "size\t5"]
    assert lines(out / "counts.cf.tsv")[:3] == ["height\t10", "of\t10", "ash\t2"]


def test_fairseq_reads_back_what_was_binarized(prepare: Prepare) -> None:
    _, out = prepare()
    utterance, lf = out / "dict.utterance.txt", out / "dict.lf.txt"
    for name in SIDES + PAIR_SIDES:
        dictionary = lf if name.endswith(".lf") else utterance
        assert decode(out / name, dictionary) == lines(out / "text" / name)
    for side in ("nl", "cf"):
        for split in ("train", "valid"):
            text = lines(out / "text" / f"{split}.{side}")
            assert decode(out / f"lm.{side}" / split, out / f"lm.{side}" / "dict.txt") == text
    gold = read_gold(out, "train")
    prefix = out / "gold" / "train.nl-cf-lf"
    assert decode(f"{prefix}.nl", utterance) == [row.utterance for row in gold]
    assert decode(f"{prefix}.cf", utterance) == [row.canonical for row in gold]
    assert decode(f"{prefix}.lf", lf) == [row.logical_form for row in gold]


def test_words_of_test_alone_are_unknown(prepare: Prepare) -> None:
    _, out = prepare()
    decoded = decode(out / "gold" / "test.nl-cf-lf.nl", out / "dict.utterance.txt")
    assert decoded == ["<unk> the oak"]


def test_variables_lie_beside_their_utterances(prepare: Prepare) -> None:
    _, out = prepare(domain="geo")
    together = zip(
        lines(out / "text" / "train.nl"), map(json.loads, lines(out / "train.nl.variables.jsonl"))
    )
    assert {x: values["_lake_"] for x, values in together} == {
        f"{verb} _lake_ ?": f"l.{verb}" for verb in ("measure", "size", "plumb")
    }


def test_geos_development_file_is_an_option(prepare: Prepare) -> None:
    assert len(read_gold(prepare(domain="geo")[1], "valid")) == 2
    _, out = prepare("--geo-dev", "geo_dev", domain="geo", dest="other")
    assert len(read_gold(out, "valid")) == 3
    assert read_manifest(out).options["geo_dev"] == "geo_dev"


def test_the_cut_vectors_and_their_coverage(
    prepare: Prepare, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = prepare()
    # 10 rows: measure 5, size 5, the 10, height 10, of 10, each tree 4 (2 nl + 2 cf)
    assert lines(out / "embeddings.txt") == ["3 2", "height 0.5 2e-3", "the 0.1 0.2", "oak 1 -1"]
    info = read_manifest(out).embeddings
    assert (info.types_covered, info.types, info.tokens_covered, info.tokens) == (3, 10, 24, 60)
    assert "3 of 10 words (30.0 %), 40.0 % of the tokens" in capsys.readouterr().out


def test_grammar_setting(prepare: Prepare, raw: Path) -> None:
    _, paper = prepare(dest="paper")
    status, out = prepare("--canonical", "grammar", "--pairs", str(raw / "pairs.tsv"))
    assert status == 0
    generated = sorted(f"height of {tree}" for tree in [*TREES, "fig"])
    assert sorted(lines(out / "text" / "train.cf")) == generated
    assert sorted(lines(out / "text" / "train.cf-lf.cf")) == generated
    valid = lines(out / "text" / "valid.cf")
    assert len(valid) == 1 and set(valid) < set(generated)
    assert lines(out / "text" / "valid.cf-lf.cf") == valid
    assert "fig" in words_of(out / "dict.cf.txt")
    for name in ("train.nl", "valid.nl"):
        assert lines(out / "text" / name) == lines(paper / "text" / name)
    manifest = read_manifest(out)
    assert manifest.canonical == "grammar"
    assert {s.file: s.sha256 is None for s in manifest.sources} == {
        "overnight/calendar.paraphrases.train.examples": True,
        "overnight/calendar.paraphrases.test.examples": True,
        "pairs.tsv": False,
    }


@pytest.mark.data
def test_the_domains_grammar_is_generated_from(data_dir: Path, tmp_path: Path) -> None:
    made = tmp_path / "made"
    options = ["--raw", str(data_dir), "--canonical", "grammar", "--dest"]
    assert main(["prepare", "--domain", "recipes", *options, str(made)]) == 0
    known = {line.split("\t")[0] for line in lines(data_dir / "canonical" / "recipes.tsv")}
    assert set(lines(made / "text" / "train.cf")) == known
    assert len(known) == 124


@pytest.mark.data
@pytest.mark.slow
def test_of_two_forms_in_a_published_grammar_the_first_counts(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "made"
    options = ["--raw", str(data_dir), "--canonical", "grammar", "--dest", str(made)]
    assert main(["prepare", "--domain", "socialnetwork", *options]) == 0
    assert "socialnetwork.grammar: 2 pairs give another" in capsys.readouterr().err
    forms = [
        form
        for line, form in zip(
            lines(made / "text" / "train.cf-lf.cf"), lines(made / "text" / "train.cf-lf.lf")
        )
        if line == "person whose height is 180 cm and whose end date is 2004"
    ]
    assert len(forms) == 1 and "education_end_date" in forms[0]  # its rule stands first


def test_sources_are_recorded_with_their_checksums(prepare: Prepare, raw: Path) -> None:
    _, out = prepare()
    recorded = json.loads((out / "gold" / "sources.json").read_text())
    assert len(recorded) == 2
    assert [source.bytes for source in read_manifest(out).sources] == [None, None]
    for source in recorded:
        printed = subprocess.check_output(["sha256sum", raw / source["file"]], text=True)
        assert printed.split()[0] == source["sha256"]
        assert (raw / source["file"]).stat().st_size == source["bytes"]


@pytest.mark.parametrize("domain", ["calendar", "geo"])
def test_a_rerun_gives_the_same_bytes(prepare: Prepare, domain: str) -> None:
    first, second = (prepare(domain=domain, dest=name)[1] for name in ("one", "two"))
    assert contents(first) == contents(second)


def test_a_rerun_leaves_an_equal_databin_alone(
    prepare: Prepare, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = prepare()
    before = (out / "manifest.json").stat().st_mtime_ns
    assert prepare()[0] == 0
    assert "up to date" in capsys.readouterr().out
    assert (out / "manifest.json").stat().st_mtime_ns == before


def test_a_databin_of_an_earlier_version_alone_is_left_alone(prepare: Prepare) -> None:
    manifest = prepare()[1] / "manifest.json"
    values = json.loads(manifest.read_text(encoding="utf-8")) | {"version": "0.0.1"}
    text = json.dumps(values, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    manifest.write_text(text, encoding="utf-8")
    assert prepare()[0] == 0
    assert manifest.read_text(encoding="utf-8") == text


def test_another_databin_is_replaced_only_by_force(
    prepare: Prepare, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = prepare()
    before = contents(out)
    assert prepare("--seed", "1")[0] == 1
    assert "--force" in capsys.readouterr().err
    assert contents(out) == before
    assert prepare("--seed", "1", "--force")[0] == 0
    assert read_manifest(out).seed == 1
    assert contents(out) != before
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_a_databin_of_another_version_asks_for_force(
    prepare: Prepare, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = prepare()
    values = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps(values | {"format": 0, "version": "0.0.1"}))
    assert prepare()[0] == 1
    assert "made by version 0.0.1" in capsys.readouterr().err
    assert prepare("--force")[0] == 0
    assert read_manifest(out).format == 1


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_folder_of_something_else_is_never_replaced(
    prepare: Prepare, tmp_path: Path, force: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    thesis = tmp_path / "out" / "bin" / "thesis.tex"
    thesis.parent.mkdir(parents=True)
    thesis.write_text("all my work")
    assert prepare(*force)[0] == 1
    assert "not a data-bin" in capsys.readouterr().err
    assert thesis.read_text() == "all my work"


def one_row(raw: Path) -> None:
    write_examples(raw / "overnight" / "calendar.paraphrases.train.examples", TRAIN[:1])


def ragged_vectors(raw: Path) -> None:
    (raw / "glove" / "glove.6B.100d.subset.txt").write_text(VECTORS.replace("1 -1", "1"))


def no_vectors(raw: Path) -> None:
    (raw / "glove" / "glove.6B.100d.subset.txt").unlink()


def nothing(raw: Path) -> None:
    pass


GRAMMAR = ("--canonical", "grammar")


@pytest.mark.parametrize(
    ("damage", "options", "message"),
    [
        (one_row, (), r"train\.examples: too few rows"),
        (ragged_vectors, (), r"subset\.txt:2: expected 2 values, found 1"),
        (no_vectors, (), "no word vectors there"),
        (nothing, ("--embedding-dim", "3"), r"subset\.txt:1: expected 3 values, found 2"),
        (nothing, ("--domain", "weather"), "unknown domain 'weather'"),
        (nothing, ("--raw", "nowhere"), "nowhere: no such folder of raw data"),
        (nothing, ("--seed", "-1"), "--seed: must be from 0 to"),
        (nothing, ("--embedding-dim", "0"), "--embedding-dim: must be at least 1"),
        (nothing, GRAMMAR, r"calendar\.grammar"),  # the raw folder has no grammars
        (nothing, (*GRAMMAR, "--domain", "geo"), "geo needs --pairs FILE"),
        (nothing, ("--grammar", "g"), "--grammar: belongs to --canonical grammar"),
        (nothing, (*GRAMMAR, "--grammar", "g", "--pairs", "p"), "give one of the two"),
        (nothing, ("--pairs", "pairs.tsv"), "--pairs FILE belong together"),
        (nothing, (*GRAMMAR, "--pairs", "nowhere.tsv"), r"nowhere\.tsv: no such file"),
        (
            nothing,
            ("--embeddings", "none", "--backoff-embeddings", "nowhere.txt"),
            "--backoff-embeddings: needs word vectors of a file, and --embeddings is 'none'",
        ),
        (nothing, ("--backoff-embeddings", "nowhere.txt"), r"nowhere\.txt: no such file"),
        (nothing, ("--backoff-embeddings", "."), r"\.: cannot be read: Is a directory"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    prepare: Prepare,
    raw: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    damage: Callable[[Path], None],
    options: tuple[str, ...],
    message: str,
) -> None:
    damage(raw)
    status, out = prepare(*options)
    assert status > 0
    error = capsys.readouterr().err
    assert re.search(message, error)
    assert error.count("\n") == 1
    assert not out.parent.exists() or not list(out.parent.iterdir())


def test_a_failure_in_the_middle_leaves_nothing(
    prepare: Prepare,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(text: Path, prefix: Path, dictionary: object) -> None:
        if prefix.name == "valid.cf":
            raise KeyboardInterrupt

    monkeypatch.setattr(prepare_module, "binarize", fail)
    status, _ = prepare()
    assert (status, capsys.readouterr().err) == (130, "twostage prepare: interrupted\n")
    assert not list((tmp_path / "out").iterdir())


def test_without_fairseq_it_says_how_to_install_it(
    prepare: Prepare, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "fairseq.binarizer", None)
    status, _ = prepare()
    assert status == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "needs fairseq" in line and "scripts/setup.sh" in line


def test_raw_folder_and_destination_by_default(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TWOSTAGE_DATA", str(raw))
    assert main(["prepare", "--domain", "calendar", "--embedding-dim", "2"]) == 0
    assert read_manifest("data-bin/calendar").domain == "calendar"


def test_both_settings_have_a_folder_by_default_where_train_looks_for_them(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--domain", "calendar", "--raw", str(raw), "--embedding-dim", "2"]
    assert main(["prepare", *options]) == 0
    pairs = ["--pairs", str(raw / "pairs.tsv")]
    assert main(["prepare", *options, "--canonical", "grammar", *pairs]) == 0
    for setting, folder in (
        (None, "data-bin/calendar"),
        ("paper", "data-bin/calendar"),
        ("grammar", "data-bin/calendar.grammar"),
    ):
        data, manifest = prepared_data(None, "calendar", setting)
        assert (str(data), manifest.canonical) == (folder, setting or "paper")


# -- The de-pairing test, on the real data -------------------------------------------------


def permuted_within(
    groups: Iterable[Sequence[int]], values: list[tuple[str, str]], seed: int
) -> list[tuple[str, str]]:
    """The values with those of each group of positions permuted among themselves."""
    permuted = list(values)
    for group in groups:
        targets = list(group)
        random.Random(seed).shuffle(targets)
        for source, target in zip(group, targets):
            permuted[target] = values[source]
    return permuted


def repair_examples(source: Path, target: Path, groups: Groups, seed: int) -> None:
    text = source.read_text()
    examples = re.findall(
        r'utterance "(.*)"\)\s+\(original "(.*)"\)\s+\(targetFormula\s+(.*)\n', text
    )
    assert len(examples) == text.count("(example")
    pairs = permuted_within(groups(len(examples)), [(z, y) for _, z, y in examples], seed)
    write_examples(target, [(x, z, y) for (x, _, _), (z, y) in zip(examples, pairs)])


def repair_tsv(source: Path, target: Path, groups: Groups, seed: int) -> None:
    rows = [line.split("\t") for line in lines(source)]
    pairs = permuted_within(groups(len(rows)), [(z, y) for _, z, y, _ in rows], seed)
    repaired = [(x, z, y, values) for (x, _, _, values), (z, y) in zip(rows, pairs)]
    target.parent.mkdir(exist_ok=True)
    target.write_text("".join("\t".join(row) + "\n" for row in repaired))


def within_the_splits(size: int) -> list[Sequence[int]]:
    order = np.arange(size)
    np.random.RandomState(999).shuffle(order)
    cut = int(0.8 * size)
    return [order[:cut].tolist(), order[cut:].tolist()]


def whole_file(size: int) -> list[Sequence[int]]:
    return [range(size)]


def prepare_real(raw: Path, data_dir: Path, out: Path, domain: str) -> Path:
    vectors = data_dir / "glove" / "glove.6B.100d.subset.txt"
    arguments = ["--domain", domain, "--raw", str(raw), "--dest", str(out)]
    arguments += ["--embeddings", str(vectors)]
    arguments += ["--backoff-embeddings", str(vectors.with_name("glove.6B.50d.subset.txt"))]
    assert main(["prepare", *arguments]) == 0
    return out


def test_words_without_a_vector_get_one_from_the_backoff(
    raw: Path, prepare: Prepare, capsys: pytest.CaptureFixture[str]
) -> None:
    generator = np.random.default_rng(0)
    words = [f"w{index}" for index in range(40)]
    rows = {word: generator.normal(size=2) for word in [*words, "measure"]}
    glove = raw / "glove"
    (glove / "glove.6B.100d.subset.txt").write_text(
        "".join(f"{word} {rows[word][0]:.4f} {rows[word][1]:.4f}\n" for word in words)
    )
    (glove / "glove.6B.50d.subset.txt").write_text(
        "".join(f"{word} {a:.4f} {b:.4f} 0.0\n" for word, (a, b) in rows.items())
    )
    status, out = prepare()
    assert status == 0
    rows_written = (out / "embeddings.txt").read_text().splitlines()
    assert [row.split(" ")[0] for row in rows_written[1:]] == ["measure"]
    found = [float(value) for value in rows_written[1].split(" ")[1:]]
    np.testing.assert_allclose(found, rows["measure"], atol=0.2)
    assert read_manifest(out).options["backoff_embeddings"]["file"] == "glove.6B.50d.subset.txt"
    status, out = prepare("--backoff-embeddings", "none", "--force")
    assert (status, (out / "embeddings.txt").read_text()) == (0, "0 2\n")


def test_a_missing_world_is_said(
    raw: Path, prepare: Prepare, capsys: pytest.CaptureFixture[str]
) -> None:
    (raw / "geogranno" / "geo880.db").unlink()
    status, out = prepare(domain="geo")
    assert status == 1 and not out.exists()
    assert "geo880.db: no such file; twostage download fetches it" in capsys.readouterr().err


@pytest.mark.data
@pytest.mark.parametrize("domain", ["calendar", "geo"])
def test_the_pairing_of_raw_rows_leaves_no_trace_outside_gold(
    data_dir: Path, tmp_path: Path, domain: str
) -> None:
    raw = tmp_path / "raw"
    raw.mkdir()
    if domain == "geo":
        for name in ("geo_train", "geo_dev_54", "geo_test"):
            file = f"geogranno/{name}.tsv"
            repair_tsv(data_dir / file, raw / file, whole_file, seed=5)
        shutil.copy(data_dir / "geogranno/geo880.db", raw / "geogranno/geo880.db")
    else:
        for split, groups in (("train", within_the_splits), ("test", whole_file)):
            file = f"overnight/{domain}.paraphrases.{split}.examples"
            repair_examples(data_dir / file, raw / file, groups, seed=5)
    original = prepare_real(data_dir, data_dir, tmp_path / "a", domain)
    repaired = prepare_real(raw, data_dir, tmp_path / "b", domain)
    assert contents(original, outside_gold=True) == contents(repaired, outside_gold=True)
    for split in ("train", "valid"):
        pairs = [
            {(r.utterance, r.canonical) for r in read_gold(folder, split)}
            for folder in (original, repaired)
        ]
        assert len(pairs[0] & pairs[1]) < 0.2 * len(pairs[0])


@pytest.mark.parametrize("tokenisation", ["words", "sentencepiece"])
def test_nor_does_it_where_a_lexicon_names_entities(
    raw: Path, prepare: Prepare, tmp_path: Path, tokenisation: str
) -> None:
    """In two rows the names stand in another order in z than in x, in one z has one more."""
    utterances = ["walk from oak to elm", "reach fir after ash", "climb yew in the north"]
    annotated = [
        ("way from oak to elm", "( way en.tree.oak en.tree.elm )"),
        ("way from ash to fir", "( way en.tree.ash en.tree.fir )"),
        ("way from yew to yew", "( way en.tree.yew en.tree.yew )"),
    ]
    lexicon = tmp_path / "lexicon.tsv"
    lexicon.write_text("".join(f"{tree}\ttree\ten.tree.{tree}\n" for tree in TREES))
    prepared = []
    for dest, order in (("a", (0, 1, 2)), ("b", (1, 2, 0))):
        rows = [(utterances[i], *annotated[j], "{}") for i, j in enumerate(order)]
        text = "".join("\t".join(row) + "\n" for row in rows)
        (raw / "geogranno" / "geo_train.tsv").write_text(text)
        options = ["--lexicon", str(lexicon), "--tokenisation", tokenisation]
        options += ["--pieces", "40"] if tokenisation == "sentencepiece" else []
        status, out = prepare(*options, "--embeddings", "none", domain="geo", dest=dest)
        assert status == 0
        prepared.append(out)
    first, second = (contents(out, outside_gold=True) for out in prepared)
    assert first == second
    if tokenisation == "sentencepiece":
        assert {"_tree_", "_tree2_"} <= words_of(prepared[0] / "dict.cf.txt")
        return
    pairs = zip(*(lines(prepared[0] / "text" / f"train.cf-lf.{side}") for side in ("cf", "lf")))
    assert sorted(pairs) == [
        *[("way from _tree_ to _tree2_", "( way _tree_ _tree2_ )")] * 2,
        ("way from _tree_ to _tree_", "( way _tree_ _tree_ )"),
    ]
    aligned = {row.utterance: row.canonical for row in read_gold(prepared[0], "train")}
    assert aligned["reach _tree_ after _tree2_"] == "way from _tree2_ to _tree_"


@pytest.mark.data
def test_moving_canonical_utterances_between_splits_does_leave_a_trace(
    data_dir: Path, tmp_path: Path
) -> None:
    for split in ("train", "test"):
        file = f"overnight/calendar.paraphrases.{split}.examples"
        (tmp_path / "raw").mkdir(exist_ok=True)
        repair_examples(data_dir / file, tmp_path / "raw" / file, whole_file, seed=5)
    moved = prepare_real(tmp_path / "raw", data_dir, tmp_path / "a", "calendar")
    real = prepare_real(data_dir, data_dir, tmp_path / "b", "calendar")
    assert (moved / "text/train.nl").read_bytes() == (real / "text/train.nl").read_bytes()
    assert (moved / "text/train.cf").read_bytes() != (real / "text/train.cf").read_bytes()


def test_parser_pairs_are_for_the_parser_alone(prepare: Prepare, tmp_path: Path) -> None:
    status, plain = prepare(dest="plain")
    assert status == 0
    trees = sorted({line.split()[-1] for line in lines(plain / "text" / "train.cf")})
    new, form = f"{trees[0]} of {trees[1]}", f"( call SW.of en.tree.{trees[0]} )"
    more = tmp_path / "more.tsv"
    more.write_text(f"{new}\t{form}\nheight of fig\t( call SW.fig )\n")
    status, out = prepare("--parser-pairs", str(more), dest="more")
    assert status == 0
    before, after = contents(plain), contents(out)
    changed = {name for name in after if after[name] != before[name]}
    assert changed == {
        "manifest.json",
        "gold/manifest.json",
        "dict.lf.txt",
        *(f"text/train.cf-lf.{side}" for side in ("cf", "lf")),
        *(f"train.cf-lf.{side}.{end}" for side in ("cf", "lf") for end in ("bin", "idx")),
        "valid.cf-lf.lf.bin",
        *(f"gold/{split}.nl-cf-lf.lf.bin" for split in ("train", "valid", "test")),
    }
    pairs = list(zip(*(lines(out / "text" / f"train.cf-lf.{side}") for side in ("cf", "lf"))))
    assert len(pairs) == len(lines(plain / "text" / "train.cf-lf.cf")) + 1  # no fig in Z
    assert (new, form) in pairs
    assert decode(out / "train.cf-lf.lf", out / "dict.lf.txt") == [form for _, form in pairs]
    options = json.loads((out / "manifest.json").read_text())["options"]
    assert options["parser_pairs"]["file"] == "more.tsv"


def test_parser_pairs_that_cannot_be_read(
    prepare: Prepare, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = tmp_path / "more.tsv"
    more.write_text("oak of elm\n")
    assert prepare("--parser-pairs", str(more))[0] == 1
    assert f"{more}:1" in capsys.readouterr().err


@pytest.mark.slow
def test_two_at_once_on_one_destination(raw: Path, prepare: Prepare, tmp_path: Path) -> None:
    """Of the same files both end well; of other ones one of them says so, and one is whole."""
    status, alone = prepare(dest="alone")
    _, other = prepare("--seed", "2", dest="other")
    assert status == 0 and contents(alone) != contents(other)
    command = [sys.executable, "-m", "fairseq_twostage.cli.main", "prepare", "--domain", "calendar"]
    command += ["--raw", str(raw), "--embedding-dim", "2"]

    def both(dest: str, *options: str) -> tuple[list[int], dict[str, bytes], str]:
        mine = [*command, "--dest", str(tmp_path / "out" / dest)]
        started = [
            subprocess.Popen([*mine, *more], stderr=subprocess.PIPE, text=True)
            for more in ([], options)
        ]
        told = "".join(each.communicate(timeout=300)[1] for each in started)
        return [each.returncode for each in started], contents(tmp_path / "out" / dest), told

    statuses, found, told = both("same")
    assert statuses == [0, 0] and found == contents(alone), told
    statuses, found, told = both("unlike", "--seed", "2")
    assert sorted(statuses) == [0, 1] and "Traceback" not in told
    assert "a data-bin made from other files or with other options; --force" in told
    assert found in (contents(alone), contents(other))
    assert not [path for path in (tmp_path / "out").iterdir() if path.name.startswith(".")]
