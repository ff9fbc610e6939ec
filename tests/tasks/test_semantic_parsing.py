"""Which pairs a parser is trained on."""

import pytest

from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.semantic_parsing import (
    SemanticParsingConfig,
    SemanticParsingTask,
)
from tests.builders import GEO_ROWS


def pairs(data_bin, split, **options):
    task = SemanticParsingTask.setup_task(SemanticParsingConfig(data=str(data_bin), **options))
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


def test_natural_test_rows_are_for_generation(data_bin):
    ((utterance, form),) = pairs(data_bin, "test", source_lang="nl")
    assert utterance == "how deep is <unk> <unk>"
    assert form == "( depth <unk> )"


def test_annotated_rows_are_not_learnt_by_accident(data_bin):
    with pytest.raises(UserError, match="add --supervised"):
        pairs(data_bin, "train", source_lang="nl")


@pytest.mark.parametrize("options", [{"source_lang": "lf"}, {"target_lang": "cf"}])
def test_sides_are_checked(data_bin, options):
    with pytest.raises(UserError, match=r"^-[st]: "):
        pairs(data_bin, "train", **options)
