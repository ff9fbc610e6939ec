"""What all tasks do with batches."""

import pickle

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.semantic_parsing import SemanticParsingConfig, SemanticParsingTask
from fairseq_twostage.tasks.unsupervised_paraphrase import (
    UnsupervisedParaphraseConfig,
    UnsupervisedParaphraseTask,
)
from tests.builders import GEO_ROWS


@pytest.fixture
def task(data_bin):
    cfg = UnsupervisedParaphraseConfig(data=str(data_bin), seed=1, cpu=True)
    task = UnsupervisedParaphraseTask.setup_task(cfg)
    task.load_dataset("train")
    return task


def ids_of(task, epoch, multiple):
    iterator = task.get_batch_iterator(
        task.datasets["train"],
        max_sentences=4,
        required_batch_size_multiple=multiple,
        seed=1,
        epoch=epoch,
    )
    return [batch["id"].tolist() for batch in iterator.next_epoch_itr(shuffle=True)]


@pytest.mark.parametrize("multiple", [1, 2, 8])
def test_every_row_is_in_a_batch(task, multiple):
    """fairseq's default multiple, 8, would drop the fifth row."""
    batches = ids_of(task, 1, multiple)
    assert sorted(len(batch) for batch in batches) == [1, 4]
    assert sorted(row for batch in batches for row in batch) == list(range(5))


def test_batches_are_made_anew_at_each_epoch(task):
    assert not task.can_reuse_epoch_itr(task.datasets["train"])
    orders = set()
    for epoch in range(1, 5):
        ids_of(task, epoch, 1)
        dataset = task.datasets["train"]
        assert dataset.epoch == epoch
        orders.add(tuple(tuple(dataset[i]["nl"]["tokens"]) for i in range(len(dataset))))
    assert len(orders) > 1


def test_a_model_of_other_word_ids_is_refused(data_bin, task):
    saved = pickle.loads(pickle.dumps(task.state_dict()))
    assert set(saved["dictionaries"]) == {"utterance", "nl", "cf"}
    again = UnsupervisedParaphraseTask.setup_task(task.cfg)
    again.load_state_dict(saved)
    assert again.state_dict() == saved
    again.load_state_dict({})  # of a checkpoint without a record

    path = data_bin / "dict.cf.txt"
    first, second, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([second, first, *rest]), encoding="utf-8")
    other = UnsupervisedParaphraseTask.setup_task(task.cfg)
    with pytest.raises(UserError, match=r"dict\.cf\.txt: holds other words, or in another order"):
        other.load_state_dict(saved)
    parsing = SemanticParsingTask.setup_task(SemanticParsingConfig(data=str(data_bin)))
    parsing.load_state_dict(saved)  # it has no use for that dictionary


def test_no_sentence_is_too_long(data_bin, task):
    assert task.max_positions() is None
    parsing = SemanticParsingTask.setup_task(SemanticParsingConfig(data=str(data_bin)))
    parsing.load_dataset("train")
    iterator = parsing.get_batch_iterator(
        parsing.datasets["train"], max_sentences=8, max_positions=parsing.max_positions()
    )
    rows = sum(batch["id"].numel() for batch in iterator.next_epoch_itr(shuffle=False))
    assert rows == len(GEO_ROWS)
