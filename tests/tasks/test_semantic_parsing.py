"""Which pairs a parser is trained on, and what validation counts."""

import itertools
import json
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from fairseq.data import LanguagePairDataset
from fairseq.tasks import FairseqTask

import fairseq_twostage.tasks.semantic_parsing as module
from fairseq_twostage.databin.folder import read_manifest
from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.data_bin import DataBin
from fairseq_twostage.tasks.semantic_parsing import SemanticParsingConfig, SemanticParsingTask
from tests.builders import GEO_ROWS, dictionary_of, texts, tokens_of


def pairs(data_bin, split, **options):
    cfg = SemanticParsingConfig(data=str(data_bin), **{"seed": 1} | options)
    task = SemanticParsingTask.setup_task(cfg)
    task.load_dataset(split)
    return sorted(
        (task.words.string(row["source"]), task.symbols.string(row["target"]))
        for row in task.datasets[split]
    )


def test_the_naive_parser_learns_generated_pairs(data_bin):
    assert pairs(data_bin, "train") == sorted((z, y) for _, z, y in GEO_ROWS)
    assert pairs(data_bin, "valid") == sorted((z, y) for _, z, y in GEO_ROWS[:3])


def test_a_supervised_parser_learns_annotated_rows(data_bin):
    options = {"source_lang": "nl", "supervised": True}
    assert pairs(data_bin, "train", **options) == sorted((x, y) for x, _, y in GEO_ROWS)
    assert pairs(data_bin, "valid", **options) == sorted((x, y) for x, _, y in GEO_ROWS[:3])


def test_a_paraphraser_is_learnt_from_annotated_rows_in_the_decoders_ids(data_bin):
    options = {"source_lang": "nl", "target_lang": "cf", "supervised": True}
    assert pairs(data_bin, "train", **options) == sorted((x, z) for x, z, _ in GEO_ROWS)
    task = SemanticParsingTask.setup_task(
        SemanticParsingConfig(data=str(data_bin), seed=1, **options)
    )
    assert task.symbols.symbols == task.data_bin.dictionary("cf").symbols
    task.load_dataset("test")
    assert task.datasets["test"][0]["target"] is None  # no canonical test utterances in geo


def test_a_share_of_the_labels_goes_round(data_bin):
    options = {"source_lang": "nl", "supervised": True}
    gold = {(x, y) for x, _, y in GEO_ROWS}
    few = pairs(data_bin, "train", labelled_share=0.4, **options)
    assert len(few) == len(GEO_ROWS)  # an epoch is as long as with all labels
    assert len(set(few)) == 2 and set(few) < gold
    assert sorted(few.count(pair) for pair in set(few)) == [2, 3]
    more = pairs(data_bin, "train", labelled_share=0.6, **options)
    assert set(few) < set(more) < gold
    other = [set(pairs(data_bin, "train", labelled_share=0.4, seed=s, **options)) for s in range(5)]
    assert len(set(map(frozenset, other))) > 1
    assert len(pairs(data_bin, "valid", labelled_share=0.4, **options)) == 3


def batches(data_bin, epoch=1, **options):
    """The pairs of each batch of an epoch, as the rows of the data-bin that they are."""
    task = SemanticParsingTask.setup_task(
        SemanticParsingConfig(data=str(data_bin), **{"seed": 1} | options)
    )
    task.load_dataset("train")
    found = task.get_batch_iterator(task.dataset("train"), max_sentences=2, seed=1, epoch=epoch)
    return [batch["id"].tolist() for batch in found.next_epoch_itr(shuffle=False)]


def test_a_batch_of_a_share_of_the_labels_is_not_one_pair_again_and_again(data_bin):
    options = {"source_lang": "nl", "supervised": True, "labelled_share": 0.4}
    assert [len(set(batch)) for batch in batches(data_bin, **options)] == [2, 2, 1]


def test_pairs_of_unlike_length_meet_in_random_batches_alone(data_bin, monkeypatch):
    monkeypatch.setattr(LanguagePairDataset, "ordered_indices", lambda self: np.arange(len(self)))
    assert batches(data_bin) == [[0, 1], [2, 3], [4]]  # as if sorted so
    epochs = [batches(data_bin, epoch, random_batches=True) for epoch in range(1, 21)]
    assert all(sorted(itertools.chain(*epoch)) == [0, 1, 2, 3, 4] for epoch in epochs)
    together = {frozenset(batch) for epoch in epochs for batch in epoch if len(batch) == 2}
    assert together == set(map(frozenset, itertools.combinations(range(5), 2)))


def test_only_the_two_sides_that_are_learnt_are_opened(data_bin, opened):
    for split in ("train", "valid"):
        pairs(data_bin, split)
    assert not [name for name in opened if "gold" in name]
    opened.clear()
    pairs(data_bin, "train", source_lang="nl", supervised=True)
    assert opened == ["gold/train.nl-cf-lf.nl", "gold/train.nl-cf-lf.lf"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"supervised": True, "labelled_share": 0.0}, r"--labelled-share: must lie in \(0, 1\]"),
        ({"supervised": True, "labelled_share": 1.1}, r"--labelled-share: must lie in \(0, 1\]"),
        ({"labelled_share": 0.5}, "--labelled-share: labels are for --supervised"),
        ({"supervised": True, "pairs": "x"}, "--supervised/--pairs: either"),
        ({"pairs": "nowhere"}, "nowhere/train.nl-cf-lf.cf: not there"),
    ],
)
def test_options_that_do_not_go_together(data_bin, options, message):
    with pytest.raises(UserError, match=message):
        pairs(data_bin, "train", **options)


def test_natural_test_rows_are_for_generation(data_bin):
    ((utterance, form),) = pairs(data_bin, "test", source_lang="nl")
    assert utterance == "how deep is <unk> <unk>"
    assert form == "( depth <unk> )"


def test_annotated_rows_are_not_learnt_by_accident(data_bin):
    for target in ("lf", "cf"):
        with pytest.raises(UserError, match="add --supervised"):
            pairs(data_bin, "train", source_lang="nl", target_lang=target)


def test_gold_rows_do_not_stand_in_for_generated_pairs(data_bin, tmp_path):
    damaged = tmp_path / "damaged"
    shutil.copytree(data_bin, damaged)
    for file in damaged.glob("*.cf-lf.*"):
        file.unlink()
    assert (damaged / "gold" / "train.tsv").is_file()
    for split in ("train", "valid"):
        with pytest.raises(UserError, match=rf"{split}\.cf-lf\.cf"):
            pairs(damaged, split)


@pytest.mark.parametrize(
    "options", [{"source_lang": "lf"}, {"target_lang": "cf"}, {"target_lang": "nl"}]
)
def test_sides_are_checked(data_bin, options):
    with pytest.raises(UserError, match=r"^-[st]: "):
        pairs(data_bin, "train", **options)


LAKE = "fb:en.lake.one"
EVERY_LAKE = "( call SW.getProperty ( call SW.singleton fb:en.lake ) ( string !type ) )"
ALL_LAKES = f"( call SW.listValue {EVERY_LAKE} )"
THE_LAKE = "( call SW.listValue _lake_ )"
CLOSED = f"{THE_LAKE} )"


@pytest.fixture
def answerable(data_bin, tmp_path):
    """The data-bin with development rows whose forms have an answer: the one lake."""
    folder = tmp_path / "bin"
    shutil.copytree(data_bin, folder)
    names = [LAKE, "fb:en.lake.two", LAKE]
    lines = [
        "\t".join((x, z, ALL_LAKES, json.dumps({"_lake_": name}))) + "\n"
        for (x, z, _), name in zip(GEO_ROWS, names)
    ]
    (folder / "gold" / "valid.tsv").write_text("".join(lines))
    read_manifest(folder).write(folder)  # with new sums
    return folder


def validated(folder, monkeypatch, parses, symbols=None, parser=None, **options):
    """What validation counts on the three development rows, if ``parses`` are what is written."""
    cfg = SemanticParsingConfig(data=str(folder), seed=1, source_lang="nl", **options)
    task = SemanticParsingTask.setup_task(cfg)
    task.symbols = symbols or task.symbols
    if parser is not None:
        monkeypatch.setattr(task.auxiliaries, "has_parser", lambda: True)
        monkeypatch.setattr(task.auxiliaries, "parses", lambda: parser)
    task.load_dataset("valid")
    dataset = task.datasets["valid"]
    order = [2, 0, 1]
    batch = dataset.collater([dataset[row] for row in order])
    assert sorted(batch["id"].tolist()) == [0, 1, 2]
    lines = [parses[row] for row in batch["id"].tolist()]
    monkeypatch.setattr(module, "decode", lambda *_: tokens_of(task.symbols, *lines))
    monkeypatch.setattr(FairseqTask, "valid_step", lambda *_: (torch.zeros(()), 3, {}))
    model = SimpleNamespace(encoder=lambda _: None, decoder=SimpleNamespace(memory=lambda _: None))
    return task.valid_step(batch, model, None)[2]


def test_a_parse_with_the_answer_of_the_gold_form_is_right(answerable, monkeypatch):
    symbols = dictionary_of(ALL_LAKES, THE_LAKE)
    # Row 1 is about another lake; what follows a whole form does no harm.
    counts = validated(
        answerable, monkeypatch, [THE_LAKE, THE_LAKE, CLOSED], symbols, supervised=True
    )
    assert counts == {"exact": 0, "parsed": 3, "right": 2}


def test_a_canonical_paraphrase_is_right_if_its_parse_is(answerable, monkeypatch):
    written = [GEO_ROWS[row][1] for row in (1, 1, 0)]
    forms = {GEO_ROWS[1][1]: ALL_LAKES, GEO_ROWS[0][1]: CLOSED}
    words = DataBin(str(answerable)).dictionary("utterance")

    def parses(tokens):
        return [forms[line] for line in texts(words, tokens)]

    options = {"target_lang": "cf", "supervised": True}
    counts = validated(answerable, monkeypatch, written, parser=parses, **options)
    assert counts == {"exact": 1, "parsed": 3, "right": 3}


def test_without_labels_no_answer_is_known(answerable, monkeypatch):
    (answerable / "gold" / "valid.tsv").unlink()
    cfg = SemanticParsingConfig(data=str(answerable), seed=1)
    task = SemanticParsingTask.setup_task(cfg)
    task.load_dataset("valid")
    dataset = task.datasets["valid"]
    assert "rows" not in dataset.collater([dataset[0]])


def test_the_parser_of_paraphrases_is_for_paraphrases(data_bin):
    with pytest.raises(UserError, match="--parser: is for"):
        pairs(data_bin, "train", source_lang="nl", supervised=True, parser="p.pt")
