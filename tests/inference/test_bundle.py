"""The exported folder: what is in it, that it stands alone, and what is wrong with a bad one."""

import hashlib
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fairseq_twostage
from fairseq_twostage.decoding.mixture import MixtureStage
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.domains.worlds import function_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference import TwoStageParser
from fairseq_twostage.inference.bundle import read_bundle
from fairseq_twostage.inference.candidates import BeamSearch, NearestWords, NoParaphrase
from fairseq_twostage.inference.exporting import write_bundle
from fairseq_twostage.inference.likelihood import Direction, DirectLikelihood, DualLikelihood
from fairseq_twostage.inference.parser import PARAPHRASE_LIMIT
from fairseq_twostage.inference.records import parse_record
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.pairing.features import WordVectors
from fairseq_twostage.pairing.fitted import FittedSimilarity
from fairseq_twostage.semantics import ExactMatchWorld, World
from fairseq_twostage.systems.opening import open_parser
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import train_pieces
from tests.builders import dictionary_of, paraphraser
from tests.ships import ROWS

TEXTS = [*(row[0] for row in ROWS), "What lies in Turku?", "is the baltic a port"]


@pytest.fixture
def copy(ships_folder, tmp_path):
    return Path(shutil.copytree(ships_folder, tmp_path / "copy"))


def records(parser, texts=TEXTS):
    return [parse_record(parser, parse, True) for parse in parser.parse_batch(texts, n_best=3)]


def test_files(ships_folder):
    names = {path.name for path in ships_folder.iterdir()}
    assert names == {
        *("bundle.json", "dictionaries.json", "known.jsonl", "pairs.tsv", "world.tsv"),
        *("lexicon.tsv", "paraphraser.safetensors", "parser.safetensors"),
    }
    for path in ships_folder.iterdir():
        assert path.read_bytes()[:2] not in (b"PK", b"\x80\x02", b"\x80\x04")  # no pickle
        assert path.stat().st_mode & 0o044 == 0o044


def test_it_gives_identical_answers_in_a_fresh_process_elsewhere(ships, ships_folder, tmp_path):
    script = (
        "import json, sys\n"
        "from fairseq_twostage.inference import TwoStageParser\n"
        "from fairseq_twostage.inference.records import parse_record\n"
        "parser = TwoStageParser.load(sys.argv[1])\n"
        "parses = parser.parse_batch(json.loads(sys.argv[2]), n_best=3)\n"
        "print(json.dumps([parse_record(parser, parse, True) for parse in parses]))\n"
        "assert 'fairseq_twostage.tasks' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(ships_folder), json.dumps(TEXTS)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(Path(fairseq_twostage.__file__).parents[1]),
            "OMP_NUM_THREADS": "1",
        },
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == records(ships)


def test_reading_and_writing_again_changes_nothing(ships_folder, tmp_path):
    write_bundle(read_bundle(ships_folder), tmp_path / "again")
    for path in ships_folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_mixture_of_paraphrasers(ships, tmp_path):
    first = ships.first.stage
    read, written = first.encoder.dictionary, first.decoder.dictionary
    words = {"utterance": read, "nl": read, "cf": written}
    other = paraphraser(seed=5, dictionary_by_side=words, double=False)
    second = BeamStage(other.encoder("cf"), other.decoder("cf"), first.beam, first.limit)
    mixed = TwoStageParser(
        *(ships.reader, BeamSearch(MixtureStage([first, second])), ships.second),
        *(ships.world, "ships"),
        known=ships.parse.known,
    )
    write_bundle(mixed, tmp_path / "mixed")
    assert (tmp_path / "mixed" / "paraphraser.2.safetensors").is_file()
    again = read_bundle(tmp_path / "mixed")
    assert records(again) == records(mixed) != records(ships)
    unlike = paraphraser(seed=5)
    stage = BeamStage(unlike.encoder("cf"), unlike.decoder("cf"), first.beam, first.limit)
    mixed.first = BeamSearch(MixtureStage([first, stage]))
    with pytest.raises(UserError, match="trained with different dictionaries"):
        write_bundle(mixed, tmp_path / "unlike")
    assert not (tmp_path / "unlike").exists()


# ------------------------------------------------------------------------ a reranking


def ranking_of(ships, names, prior=False, proposals=0, parser=True, **options):
    """A parser of random weights that ranks the ships' canonical utterances."""
    natural, canonical, _ = zip(*ROWS)
    source = ships.second.encoder.dictionary
    words = {"utterance": source, "nl": dictionary_of(*natural), "cf": dictionary_of(*canonical)}
    sizes = {"embed_dim": 8, "hidden_dim": 9, "double": False, "embedding_start": "uniform"}
    model = paraphraser(3, words, scale=4.0, **sizes, **options).eval()
    both = {side: Direction(model.encoder(side), model.decoder(side)) for side in ("nl", "cf")}
    random = np.random.default_rng(0)
    vectors = {word: random.normal(size=5) for word in source.symbols[4:]}
    candidates = sorted(set(canonical))[1:]
    similarity, _ = FittedSimilarity.fit(
        WordVectors(vectors, 5), [x.split() for x in natural], [z.split() for z in candidates]
    )
    first = Reranking(
        candidates,
        {name: 1.0 + place / 4 for place, name in enumerate(names)},
        {"word_vectors": similarity} if "word_vectors" in names else {},
        DirectLikelihood(both["cf"]) if {"forward", "forward_mean"} & set(names) else None,
        DualLikelihood(both["nl"]) if "dual" in names else None,
        random.normal(size=len(candidates)) if prior else None,
        BeamStage(*both["cf"], proposals, PARAPHRASE_LIMIT) if proposals else None,
        faithful=prior,
    )
    pairs = {z: form for _, z, form in ROWS if parser is False or z != "ship"}
    second = ships.second if parser else None
    pick = "executable_paraphrase" if prior else "best"
    return TwoStageParser(ships.reader, first, second, ships.world, "ships", pick, pairs)


def same(one, other):
    assert one.utterance == other.utterance and len(one.readings) == len(other.readings) > 0
    for mine, theirs in zip(one.readings, other.readings):
        assert (mine.canonical, mine.logical_form) == (theirs.canonical, theirs.logical_form)
        assert mine.answer == theirs.answer
        for score in ("canonical_score", "logical_form_score"):
            assert getattr(mine, score) == pytest.approx(getattr(theirs, score), abs=1e-5)


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (["forward"], {}),
        (["forward", "dual", "word_vectors"], {"prior": True, "proposals": 3}),
        (["forward_mean", "dual"], {"separate_encoders": True, "prior": True}),
        (["dual"], {"proposals": 2}),
        (["word_vectors"], {"prior": True}),
        (["word_vectors"], {"parser": False}),
        (["word_vectors"], {"parser": False, "prior": True}),
    ],
)
def test_a_reranking(ships, tmp_path, names, options):
    parser = ranking_of(ships, names, **options)
    parser.parse.learn(sorted(z for _, z, _ in ROWS))
    size = write_bundle(parser, tmp_path / "ranking", system="untrained")
    assert size == sum(path.stat().st_size for path in (tmp_path / "ranking").iterdir())
    assert json.loads((tmp_path / "ranking" / "bundle.json").read_text())["system"] == "untrained"
    again = read_bundle(tmp_path / "ranking")
    together = again.parse_batch(TEXTS, n_best=3)
    for text, parse in zip(TEXTS, together):
        expected = parser(text, n_best=3)
        same(parse, expected)
        same(again(text, n_best=3), expected)
    turned = again.parse_batch(TEXTS[::-1], n_best=3)[::-1]
    fresh = read_bundle(tmp_path / "ranking").parse_batch(TEXTS[2::-1], n_best=3)[::-1]
    for parse, *others in zip(together, turned, [*fresh, *together[3:]]):
        for other in others:
            same(parse, other)
    same(again.read_canonical("length of baltic"), parser.read_canonical("length of baltic"))
    explained = [each.explain(each(TEXTS[0])) for each in (parser, again)]
    np.testing.assert_allclose(*(each.attention for each in explained), atol=1e-5)
    write_bundle(again, tmp_path / "again", system="untrained")
    for path in (tmp_path / "ranking").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name


def test_what_is_read_by_one_model_alone(ships, tmp_path):
    for first in (NoParaphrase(), NoParaphrase({"length", "of"})):
        parser = TwoStageParser(ships.reader, first, ships.second, ships.world, "ships")
        write_bundle(parser, tmp_path / "one", force=True)
        again = read_bundle(tmp_path / "one")
        for text in ("length of aurora ?", "ship"):
            same(again(text), parser(text))


def test_what_cannot_be_exported(ships, tmp_path):
    refused = {
        "the dual model alone cannot be exported": ranking_of(ships, ["dual"]),
        "a NearestWords cannot be exported": TwoStageParser(
            ships.reader, NearestWords(list), None, ships.world, "ships"
        ),
    }
    for message, parser in refused.items():
        with pytest.raises(UserError, match=message):
            write_bundle(parser, tmp_path / "new")
        assert list(tmp_path.iterdir()) == []


def test_known_utterances_are_not_decoded(ships_folder, monkeypatch):
    parser = TwoStageParser.load(ships_folder)

    def refuse(lines):
        raise AssertionError(lines)

    monkeypatch.setattr(parser.parse.parse, "compute", refuse)
    for canonical in parser.canonical_utterances:
        assert parser.read_canonical(canonical).logical_form
    with pytest.raises(AssertionError):
        parser.read_canonical("ship ship ship")


def test_an_existing_folder_is_replaced_only_if_that_is_asked_for(ships, copy, tmp_path):
    with pytest.raises(UserError, match="--force"):
        write_bundle(ships, copy)
    (copy / "known.jsonl").write_text("")
    write_bundle(ships, copy, force=True)
    assert records(read_bundle(copy)) == records(ships)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(UserError, match="no exported parser"):
        write_bundle(ships, tmp_path / "other", force=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy", "other"]


def test_a_failed_export_leaves_nothing(ships, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fairseq_twostage.inference.exporting.write_triples", fail)
    with pytest.raises(UserError, match="No space left"):
        write_bundle(ships, tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_damage_is_told(copy):
    path = copy / "parser.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(UserError, match=r"parser\.safetensors: damaged"):
        read_bundle(copy)
    path.unlink()
    with pytest.raises(UserError, match=r"parser\.safetensors: cannot be read"):
        read_bundle(copy)


@pytest.mark.parametrize("name", ["bundle.json", "known.jsonl", "parser.safetensors"])
def test_nothing_is_waited_for_at_a_pipe(copy, name):
    (copy / name).unlink()
    os.mkfifo(copy / name)
    with pytest.raises(UserError) as error:
        open_parser(copy)
    assert str(error.value) == f"{copy / name}: cannot be read: Is no regular file"


def rewrite(folder, change, sign):
    """Change what the description says, by hand or as if it had been exported so."""
    path = folder / "bundle.json"
    content = json.loads(path.read_text())
    change(content)
    if sign:
        rest = {name: value for name, value in content.items() if name != "sha256"}
        text = json.dumps(rest, sort_keys=True)
        content["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    path.write_text(json.dumps(content))


def function(name):
    return {"kind": "function", "name": name}


def refused(folder):
    with pytest.raises(UserError) as caught:
        read_bundle(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda content: content.pop("networks"), "another version"),
        (lambda content: content["networks"]["parser"].update(hidden_dim=9), "another version"),
        (
            lambda content: content["world"].update(kind="function", name="os:system"),
            "another version (world.function",
        ),
        (
            lambda content: content.update(world={"kind": "function", "name": "os:system"}),
            "no file",
        ),
        (
            lambda content: content.update(world={"kind": "function", "name": "a/b:c"}),
            "world.funct",
        ),
        (lambda content: content.update(pick="bets"), "pick: input should be"),
        (lambda content: content.update(beam=-1), "beam: input should be"),
        (lambda content: content.update(beam=True), "beam: input should be"),
        (lambda content: content.update(tokenisation="word"), "tokenisation: input should"),
        (lambda content: content.update(domain="../x"), "domain: string should match"),
        (lambda content: content.update(files={}), "was added after the export"),
        (lambda content: content["files"].update({"../x": "0" * 64}), "files.../x"),
        (lambda content: content.update(surplus=1), "surplus: unexpected"),
        (lambda content: content["first_stage"].update(kind="guess"), "another version"),
        (lambda content: content.update(files=[]), "another version"),
    ],
)
def test_a_wrong_description_is_told(copy, change, message):
    rewrite(copy, change, sign=True)
    assert message in refused(copy)


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"weights": {"forward": True}}, "weights.forward"),
        ({"weights": {"forward": "1"}}, "weights.forward"),
        ({"weights": [1.0]}, "weights"),
        ({"weights": {"forward": 1.0}}, "weights: not of the similarities"),
        ({"weights": {"dual": 1.0, "word_vectors": 1.0}}, "networks: dual is missing"),
        ({"prior": 0.5}, "prior"),
        ({"prior": ["a"]}, "prior.0"),
        ({"prior": [0.5]}, "prior: 1 for"),
        ({"candidates": "ship"}, "candidates"),
        ({"candidates": [1]}, "candidates.0"),
        ({"candidates": []}, "candidates"),
        ({"candidates": ["ship", "ship"], "prior": None}, "candidates: one of them stands twice"),
        ({"candidates": ["ship"], "prior": None}, "another version"),
        ({"similarities": []}, "weights: not of the similarities"),
        ({"similarities": ["sentence_encoder"]}, "weights: not of the similarities"),
        ({"proposals": 2.5}, "proposals"),
        ({"faithful": 1}, "faithful"),
    ],
)
def test_a_wrong_ranking_is_told(ships, tmp_path, wrong, message):
    write_bundle(ranking_of(ships, ["forward", "word_vectors"], prior=True), tmp_path / "bundle")
    rewrite(tmp_path / "bundle", lambda content: content["first_stage"].update(wrong), sign=True)
    assert "damaged, or" in (said := refused(tmp_path / "bundle")) and message in said


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda content: content["networks"].pop("paraphraser"), "paraphraser is missing"),
        (lambda content: content["networks"]["parser"].update(shared=True), "shared with none"),
        (lambda content: content.update(beam=0), "beam: 0 where there is a parser"),
    ],
)
def test_networks_that_are_missing_are_told(ships, tmp_path, change, message):
    write_bundle(ranking_of(ships, ["forward"]), tmp_path / "bundle")
    rewrite(tmp_path / "bundle", change, sign=True)
    assert message in refused(tmp_path / "bundle")


def places(content, *above):
    """Paths to every value."""
    if isinstance(content, dict | list) and content:
        pairs = content.items() if isinstance(content, dict) else enumerate(content)
        for name, value in pairs:
            yield from places(value, *above, name)
    else:
        yield above


def test_any_value_that_was_changed_by_hand_is_refused(ships, tmp_path):
    parser = ranking_of(ships, ["forward", "word_vectors"], prior=True)
    write_bundle(parser, tmp_path / "bundle")
    path = tmp_path / "bundle" / "bundle.json"
    text = path.read_text()
    every = list(places(json.loads(text)))
    assert len(every) > 40
    for where in every:
        content = json.loads(text)
        inner = content
        for name in where[:-1]:
            inner = inner[name]
        old = inner[where[-1]]
        other = not old if isinstance(old, bool) else old + 1 if isinstance(old, int | float) else 7
        for change in (other, None) if old is not None else (other,):
            inner[where[-1]] = change
            path.write_text(json.dumps(content))
            message = refused(tmp_path / "bundle")
            changed = f"{path}: changed since it was exported; export again"
            assert where == ("format",) or message == changed
        del inner[where[-1]]
        path.write_text(json.dumps(content))
        refused(tmp_path / "bundle")
    path.write_text(json.dumps({**json.loads(text), "more": 1}))
    assert "changed since it was exported" in refused(tmp_path / "bundle")
    path.write_text(json.dumps(json.loads(text)))  # laid out otherwise, of the same content
    same(read_bundle(tmp_path / "bundle")(TEXTS[0]), parser(TEXTS[0]))


@pytest.mark.parametrize("layout", [1, 2, 3, 5])
def test_other_formats_are_refused(copy, layout):
    rewrite(copy, lambda content: content.update(format=layout, version="0.2.0"), sign=True)
    assert refused(copy) == (
        f"{copy}: an export of format {layout}, made by version 0.2.0; this version reads format "
        "4: export again"
    )


@pytest.mark.parametrize("layout", ["4", True, 4.0, None, [4]])
def test_a_format_that_only_looks_like_this_one(copy, layout):
    rewrite(copy, lambda content: content.update(format=layout), sign=True)
    said = json.dumps(layout)
    assert f"an export whose format is no whole number but {said}: export" in refused(copy)


def test_what_is_no_export(tmp_path):
    with pytest.raises(UserError, match="no such folder"):
        TwoStageParser.load(tmp_path / "nowhere")
    with pytest.raises(UserError, match="no exported parser"):
        TwoStageParser.load(tmp_path)
    (tmp_path / "bundle.json").write_text("[1]")
    with pytest.raises(UserError, match="not written by twostage export"):
        TwoStageParser.load(tmp_path)


def test_the_rules_of_the_world_come_along(ships, ships_folder, copy, tmp_path, monkeypatch):
    said = json.loads((ships_folder / "bundle.json").read_text())["world"]
    assert said == {"kind": "triples", "numbers": "rounded", "aggregates": "values"}
    monkeypatch.setattr(ships, "world", World(ships.world.database, "ships", True, True))
    write_bundle(ships, tmp_path / "bundle")
    said = json.loads((tmp_path / "bundle" / "bundle.json").read_text())["world"]
    assert said == {"kind": "triples", "numbers": "exact", "aggregates": "rows"}
    world = read_bundle(tmp_path / "bundle").world
    assert world.exact and world.rows
    rewrite(copy, lambda content: content.update(world={"kind": "triples"}), sign=True)
    world = read_bundle(copy).world
    assert not world.exact and not world.rows


def test_an_executor_of_ones_own_comes_along(ships, tmp_path, monkeypatch):
    module = tmp_path / "executor" / "counting_words.py"
    module.parent.mkdir()
    module.write_text("def run(form):\n    return len(form.split())\n")
    monkeypatch.setattr(ships, "world", function_world("counting_words:run", module.parent))
    write_bundle(ships, tmp_path / "bundle")
    shutil.rmtree(module.parent)
    parser = read_bundle(tmp_path / "bundle")
    assert parser("show me every ship").answer.text == str(len(ROWS[3][2].split()))


def test_executors_of_one_name_and_pythons_own_stay_apart(ships, tmp_path, monkeypatch):
    worlds = []
    for number in (1, 2):
        module = tmp_path / str(number) / "calendar.py"
        module.parent.mkdir()
        module.write_text(f"def run(form):\n    return 'calendar {number}'\n")
        worlds.append(function_world("calendar:run", module.parent))
    assert hasattr(importlib.import_module("calendar"), "timegm")
    monkeypatch.setattr(ships, "world", worlds[0])
    write_bundle(ships, tmp_path / "bundle")
    answer = read_bundle(tmp_path / "bundle")("show me every ship").answer
    assert answer.text == "calendar 1"


def test_without_executor_a_form_is_its_own_answer(ships, tmp_path, monkeypatch):
    monkeypatch.setattr(ships, "world", ExactMatchWorld([ROWS[0][2]]))
    write_bundle(ships, tmp_path / "bundle")
    parser = read_bundle(tmp_path / "bundle")
    answer = parser("how long is the aurora").answer
    assert answer.metric_text == ROWS[0][2]
    assert answer.executable  # one of the known forms
    assert not parser("show me every ship").answer.executable


def test_subwords_come_along(ships, tmp_path, monkeypatch):
    pieces = train_pieces(["the ship sails home", "a ship at home"], 30)
    monkeypatch.setattr(ships, "reader", UtteranceReader([], Frontend(pieces)))
    write_bundle(ships, tmp_path / "bundle")
    reader = read_bundle(tmp_path / "bundle").reader
    found = reader("The ships, at home?")
    assert found.tokens == ships.reader("The ships, at home?").tokens
    assert len(found.tokens.split()) > 4
    assert reader.write_out(found.tokens, found) == "the ships at home"
