"""Utterance to canonical utterance to logical form, as text."""

import pytest

import fairseq_twostage.decoding.stage as module
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.decoding.two_stage import (
    Parse,
    paraphrase_stage,
    parse_stage,
    two_stage_parse,
)
from tests.builders import (
    CANONICAL,
    NATURAL,
    SYMBOLS,
    bias_word,
    dictionaries,
    naive_parser,
    only_words,
    paraphraser,
)

LINES = ["the longest ship in port", "ship", "please", "ship", "longest ship in port please the"]
LIMIT = LengthLimit(slope=0.0, offset=5)


@pytest.fixture
def model():
    model = paraphraser(seed=1, scale=9.0)
    for side in ("nl", "cf"):
        only_words(model.decoder(side))
        bias_word(model.decoder(side), "</s>", 1.0)
    return model


def test_lines_keep_their_order_whatever_the_batch(model):
    stage = paraphrase_stage(model, "cf", beam=3, limit=LIMIT)
    together = stage(LINES)
    assert all(len(hypotheses) == 3 for hypotheses in together)
    one_by_one = BeamStage(stage.encoder, stage.decoder, 3, LIMIT, batch_size=1)
    assert together == one_by_one(LINES)
    assert together == [stage([line])[0] for line in LINES]
    assert len({hypotheses[0] for hypotheses in together}) > 2
    assert stage([]) == []


def test_equal_lines_are_decoded_once(model, monkeypatch):
    rows = []
    search = module.patient_hypotheses

    def counted(decoder, memory, *rest):
        rows.append(memory.padding.size(0))
        return search(decoder, memory, *rest)

    monkeypatch.setattr(module, "patient_hypotheses", counted)
    paraphrase_stage(model, "cf", beam=2, limit=LIMIT)(LINES)
    assert rows == [4]


def test_each_direction_writes_the_words_of_its_side(model):
    for target, vocabulary in (("cf", CANONICAL), ("nl", NATURAL)):
        found = paraphrase_stage(model, target, 2, LIMIT)(LINES)
        written = [text for hypotheses in found for text in hypotheses]
        assert any(written)
        assert set(" ".join(written).split()) <= set(vocabulary.split())


def test_unknown_words_and_empty_lines_are_decoded_too(model):
    stage = paraphrase_stage(model, "cf", beam=2, limit=LIMIT)
    assert len(stage(["zeppelin over the quay", ""])) == 2
    assert stage(["zeppelin"]) == stage(["airship"])  # both are <unk>


def test_the_parser_reads_utterances_and_writes_symbols():
    parser = naive_parser(scale=9.0)
    only_words(parser.decoder)
    found = parse_stage(parser, beam=2)(["ship in port", "largest ship"])
    written = [text for hypotheses in found for text in hypotheses]
    assert set(" ".join(written).split()) <= set(SYMBOLS.split())
    assert parse_stage(parser, 2).encoder.dictionary.symbols == dictionaries()["utterance"].symbols


def shout(lines):
    return [[line.upper(), line.title()] for line in lines]


def wrap(lines):
    return [[f"( {line} )", f"[ {line} ]"] for line in lines]


def test_the_second_stage_reads_what_the_first_wrote():
    assert list(two_stage_parse(["a b", "c"], shout, wrap)) == [
        Parse("a b", "A B", "( A B )"),
        Parse("c", "C", "( C )"),
    ]
    assert list(two_stage_parse(["a b"], None, wrap)) == [Parse("a b", "", "( a b )")]


def test_the_best_accepted_hypothesis_is_taken():
    asked = []

    def square(row, form):
        asked.append((row, form))
        return form.startswith("[")

    assert list(two_stage_parse(["a b", "c"], shout, wrap, square)) == [
        Parse("a b", "A B", "[ A B ]"),
        Parse("c", "C", "[ C ]"),
    ]
    assert asked == [(0, "( A B )"), (0, "[ A B ]"), (1, "( C )"), (1, "[ C ]")]


def test_the_next_paraphrase_is_tried_if_allowed_and_else_the_best_pair_stays():
    def small(row, form):
        return form.islower()

    def lower(lines):
        return [[line, line.lower()] for line in lines]

    plain = list(two_stage_parse(["Ab"], lower, wrap, small))
    assert plain == [Parse("Ab", "Ab", "( Ab )")]  # nothing accepted
    both = list(two_stage_parse(["Ab"], lower, wrap, small, paraphrases=2))
    assert both == [Parse("Ab", "ab", "( ab )")]
