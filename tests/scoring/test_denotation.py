"""The fairseq scorer, built as fairseq builds it."""

from __future__ import annotations

from dataclasses import fields

import pytest

pytest.importorskip("fairseq")

from fairseq import options as fairseq_options
from fairseq import scoring
from fairseq.data import Dictionary
from fairseq.dataclass.utils import convert_namespace_to_omegaconf

import fairseq_twostage.scoring.denotation as module
from fairseq_twostage.databin.folder import FORMAT, EmbeddingsInfo, write_gold
from fairseq_twostage.errors import UserError
from fairseq_twostage.text.rows import Row
from fairseq_twostage.writing import write_json

DATE = "( call SW.listValue ( call SW.getProperty en.meeting.{} ( string date ) ) )"
EMPTY = (
    "( call SW.listValue ( call SW.superlative ( call SW.filter ( call SW.domain ( string date ) ) "
    "( string date ) ( string = ) ( date 1900 1 1 ) ) ( string max ) ( string length ) ) )"
)


def build(*options):
    """The scorer that ``--scoring denotation`` and these options give, by fairseq's own way."""
    args = options_of_generation("--scoring", "denotation", *options)
    config = convert_namespace_to_omegaconf(args)
    return scoring.build_scorer(config.scoring, Dictionary())


def options_of_generation(*options):
    parser = fairseq_options.get_generation_parser()
    return fairseq_options.parse_args_and_arch(parser, ["no-data", *options])


def build_from(**options):
    return module.DenotationScorer(module.DenotationScorerConfig(**options))


def test_is_chosen_by_its_name():
    scorer = build("--denotation-domain", "recipes")
    assert isinstance(scorer, module.DenotationScorer)
    assert scorer.world.name == "recipes"


def test_counts_equal_denotations_not_equal_strings():
    scorer = build_from(denotation_domain="calendar")
    same = DATE.format(3).replace("SW", "edu.stanford.nlp.sempre.overnight.SimpleWorld")
    scorer.add_string(DATE.format(3), same)
    scorer.add_string(EMPTY, "( list )")
    scorer.add_string(DATE.format(3), "( call SW.nonsense )")
    scorer.add_string("( nonsense", "( nonsense")
    assert scorer.score() == 50.0
    assert scorer.result_string() == "Denotation accuracy: 50.00 (4 rows)"
    scorer.reset()
    assert scorer.score() == 0.0


@pytest.fixture
def data_bin(tmp_path):
    """A data-bin with gold rows only: one form, two meetings."""
    form = DATE.format(3).replace("en.meeting.3", "_m_")
    (tmp_path / "gold").mkdir()
    rows = [Row("x", "z", form, {"_m_": f"en.meeting.{i}"}) for i in (3, 4)]
    write_gold(tmp_path, "test", rows)
    symbols = sorted({*form.split()})
    (tmp_path / "dict.lf.txt").write_text("".join(f"{symbol} 1\n" for symbol in symbols))
    manifest = {"format": FORMAT, "version": "1", "domain": "calendar", "canonical": "paper"}
    manifest |= {"seed": 1, "options": {}, "sources": [], "sizes": {}}
    empty = dict.fromkeys([item.name for item in fields(EmbeddingsInfo)], 0)
    manifest["embeddings"] = {**empty, "file": "", "sha256": ""}
    write_json(tmp_path / "manifest.json", manifest)
    return tmp_path, form


def test_variables_of_the_gold_rows_fill_placeholders(data_bin):
    folder, form = data_bin
    scorer = build("--denotation-domain", "calendar", "--denotation-data", str(folder))
    scorer.add_string(form, form)
    assert scorer.score() == 100.0
    # The answer for one of the two meetings only: half right, whichever row it was.
    scorer.add_string(form, DATE.format(3))
    assert scorer.score() == 75.0


def test_symbols_that_training_never_saw_are_those_of_the_row(data_bin):
    """fairseq prints <<unk>> for them in gold forms; a parser cannot write them at all."""
    folder, form = data_bin
    unseen = form.replace("( string date )", "( string attendee )")
    write_gold(folder, "test", [Row("x", "z", unseen, {"_m_": "en.meeting.3"})])
    scorer = build("--denotation-domain", "calendar", "--denotation-data", str(folder))
    printed = unseen.replace("attendee", "<<unk>>")
    scorer.add_string(printed, unseen)
    scorer.add_string(printed, form)
    assert scorer.score() == 50.0


def test_without_variables_a_placeholder_is_an_unknown_entity(data_bin):
    _, form = data_bin
    scorer = build("--denotation-domain", "calendar")
    scorer.add_string(form, form)
    assert scorer.score() == 0.0


def test_needs_a_domain():
    with pytest.raises(UserError, match="--denotation-domain"):
        build_from()
