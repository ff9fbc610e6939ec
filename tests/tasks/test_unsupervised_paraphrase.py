"""What the paraphrase task reads, and when; real runs are tested elsewhere."""

from dataclasses import replace

import pytest
import torch
from fairseq.logging import metrics
from omegaconf import OmegaConf

from fairseq_twostage.criterions.objective import log_means
from fairseq_twostage.criterions.registration import ObjectiveConfig, WeightedObjectivesConfig
from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.unsupervised_paraphrase import (
    UnsupervisedParaphraseConfig,
    UnsupervisedParaphraseTask,
)
from tests.builders import GEO_ROWS


def build(data_bin, seed=1, **options):
    cfg = UnsupervisedParaphraseConfig(data=str(data_bin), seed=seed, cpu=True, **options)
    return UnsupervisedParaphraseTask.setup_task(cfg)


def train_set(data_bin, **options):
    task = build(data_bin, **options)
    task.load_dataset("train")
    return task, task.datasets["train"]


def labelled_lines(task, dataset):
    words = task.source_dictionary
    return [
        tuple(" ".join(words[i] for i in sentence[:-1]) for sentence in pair)
        for pair in dataset.labelled
    ]


def test_training_is_noised_and_validation_is_not(data_bin):
    task, dataset = train_set(data_bin)
    assert "noised" in dataset[0]["nl"]
    assert "variables" in dataset[0]["nl"]
    assert "variables" not in dataset[0]["cf"]
    task.load_dataset("valid")
    valid = task.datasets["valid"]
    assert "noised" not in valid[0]["nl"]
    assert not valid.shuffle
    assert len(valid) == 3


@pytest.mark.parametrize(
    "config, noised",
    [
        (ObjectiveConfig(_name="denoising"), True),
        (ObjectiveConfig(_name="back_translation"), False),
        (
            WeightedObjectivesConfig(
                _name="weighted_objectives", objectives="back_translation=1,denoising=0.5"
            ),
            True,
        ),
    ],
)
def test_noise_is_made_for_the_objectives_that_read_it(data_bin, config, noised):
    task = build(data_bin)
    task.build_criterion(OmegaConf.structured(config))
    task.load_dataset("train")
    assert ("noised" in task.datasets["train"][0]["nl"]) == noised


def test_channels_can_be_switched_off(data_bin):
    _, dataset = train_set(data_bin, no_drop=True, no_add=True, no_shuffle=True)
    for index in range(len(dataset)):
        for side in ("nl", "cf"):
            entry = dataset[index][side]
            assert entry["noised"].tolist() == entry["tokens"].tolist()
    _, dataset = train_set(data_bin, no_drop=True, no_add=True)
    entries = [dataset[index]["nl"] for index in range(len(dataset))]
    assert all(sorted(e["noised"]) == sorted(e["tokens"]) for e in entries)
    assert any(e["noised"].tolist() != e["tokens"].tolist() for e in entries)


def test_addition_takes_words_of_the_other_side(data_bin):
    task, dataset = train_set(data_bin, no_drop=True, no_shuffle=True)
    words = task.source_dictionary
    for side, foreign in (("nl", {"depth", "of"}), ("cf", {"how", "deep", "is"})):
        added = set()
        for epoch in range(1, 9):
            dataset.set_epoch(epoch)
            for index in range(len(dataset)):
                entry = dataset[index][side]
                assert len(entry["noised"]) > len(entry["tokens"])
                added |= {words[i] for i in set(entry["noised"]) - set(entry["tokens"])}
        assert added & foreign


@pytest.mark.parametrize(
    "share, count", [(0.0, 0), (0.01, 1), (0.2, 1), (0.5, 2), (0.7, 4), (1.0, 5)]
)
def test_a_share_of_the_pairs_is_seen(data_bin, share, count):
    task, dataset = train_set(data_bin, labelled_share=share)
    found = labelled_lines(task, dataset)
    assert len(found) == len(set(found)) == count
    assert set(found) <= {(x, z) for x, z, _ in GEO_ROWS}
    task.load_dataset("valid")
    assert not task.datasets["valid"].labelled


def test_the_seed_chooses_the_pairs(data_bin):
    chosen = [
        tuple(labelled_lines(*train_set(data_bin, seed=seed, labelled_share=0.4)))
        for seed in (1, 1, 2, 3, 4, 5)
    ]
    assert chosen[0] == chosen[1]
    assert len(set(chosen)) > 1


@pytest.mark.parametrize("share", [-0.1, 1.5])
def test_a_share_is_a_share(data_bin, share):
    with pytest.raises(UserError, match=r"--labelled-share: must lie in \[0, 1\]"):
        build(data_bin, labelled_share=share)


def test_gold_rows_are_not_opened_unless_asked_for(data_bin, opened):
    task, _ = train_set(data_bin)
    task.load_dataset("valid")
    assert opened
    assert not [name for name in opened if "gold" in name]
    train_set(data_bin, labelled_share=0.5)
    assert [name for name in opened if "gold" in name] == [
        "gold/train.nl-cf-lf.nl",
        "gold/train.nl-cf-lf.cf",
    ]


def test_generation_reads_gold_pairs_in_the_decoders_ids(data_bin):
    task = build(data_bin, source_lang="nl", target_lang="cf")
    task.load_dataset("valid")
    dataset = task.datasets["valid"]
    words, canonical = task.source_dictionary, task.dictionaries["cf"]
    pairs = {(words.string(row["source"]), canonical.string(row["target"])) for row in dataset}
    assert pairs == {(x, z) for x, z, _ in GEO_ROWS[:3]}
    task.load_dataset("test")
    assert task.datasets["test"][0]["target"] is None  # no canonical test utterances in geo
    assert task.datasets["test"].left_pad_source is False


def test_sides_and_directions_are_checked(data_bin):
    with pytest.raises(UserError, match="-s: no side 'lf'; choose nl or cf"):
        build(data_bin, source_lang="lf")
    with pytest.raises(UserError, match="-t: no side 'en'"):
        build(data_bin, target_lang="en")
    with pytest.raises(UserError, match="generation needs a direction"):
        build(data_bin, source_lang="nl").build_generator([], None)


def test_scheduled_weights_learn_the_update_from_training(data_bin):
    task = build(data_bin)
    assert task.updates == 0
    model = torch.nn.Linear(1, 1)
    model.set_num_updates = lambda update: None
    seen = []

    def criterion(model, sample):
        seen.append(task.updates)
        return model.weight.sum(), 1, {}

    class Optimizer:
        backward = staticmethod(torch.Tensor.backward)

    for update in (41, 42):
        task.train_step({}, model, criterion, Optimizer(), update)
    assert seen == [41, 42]


def test_the_metric_needs_no_parser_and_says_so_where_one_is_needed(data_bin, tmp_path):
    task = build(data_bin)
    assert task.selection.cycle.parses is None
    with pytest.raises(UserError, match="--lm-nl: needed by the rewards"):
        task.auxiliaries.language_models()
    absent = str(tmp_path / "absent.pt")
    with pytest.raises(UserError, match=r"--parser: no checkpoint .*absent\.pt; train it first"):
        _ = build(data_bin, parser=absent).selection.cycle


def test_frequencies_choose_only_where_z_has_its_own(data_bin, monkeypatch):
    for option in ("best_checkpoint_metric", "also_best"):
        task = build(data_bin, **{option: "label_free_frequency"})
        task.load_dataset("valid")
        monkeypatch.setattr(
            task.data_bin, "manifest", replace(task.data_bin.manifest, canonical="grammar")
        )
        with pytest.raises(UserError, match="--also-best: label_free_frequency needs a Z"):
            task.load_dataset("valid")


def test_pseudo_pairs_are_read_with_their_weights(data_bin, tmp_path):
    (tmp_path / "pairs.tsv").write_text("how deep is it\tdepth of _lake_\t0.25\n")
    task, dataset = train_set(data_bin, pseudo_pairs=str(tmp_path))
    ((natural, canonical, weight),) = dataset.pseudo_pairs
    words = task.source_dictionary
    # "it" stands in no corpus of the data-bin.
    assert [words[index] for index in natural] == ["how", "deep", "is", "<unk>", "</s>"]
    assert [words[index] for index in canonical] == ["depth", "of", "_lake_", "</s>"]
    assert weight == 0.25
    task.load_dataset("valid")
    assert not task.datasets["valid"].pseudo_pairs


class Criterion:
    reduce_metrics = staticmethod(log_means)


def reduced(task, *outputs):
    """What fairseq's meters make of batches; it asks for every batch alone as well."""
    with metrics.aggregate(new_root=True) as everything:
        for output in outputs:
            with metrics.aggregate():
                task.reduce_metrics([output], Criterion())
        return everything.get_smoothed_values()


def means(**values):
    counted = {f"count/{name}": count for name, (_, count) in values.items()}
    return counted | {f"sum/{name}": total for name, (total, _) in values.items()}


def test_a_batch_without_canonical_rows_has_no_metric_and_does_no_harm(data_bin):
    both = means(cycle_bleu=(1.0, 2), cycle_exact=(1.0, 2), cycle_agreement=(2.0, 2))
    alone = means(cycle_bleu=(0.0, 2), cycle_exact=(0.0, 0), cycle_agreement=(0.0, 0))
    values = reduced(build(data_bin), both, alone)
    assert values["label_free"] == pytest.approx(4 * 0.25 + 1.0)
    assert values["label_free_release"] == pytest.approx(0.25 + 0.5)
    assert "label_free" not in reduced(build(data_bin), alone)
