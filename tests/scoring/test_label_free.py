"""The label-free metric against sacreBLEU and hand-made round trips."""

import pytest
import sacrebleu
import torch

import fairseq_twostage.scoring.label_free as module
from fairseq_twostage.criterions.back_translation import translate
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.scoring.label_free import (
    FrequencyMetric,
    LabelFreeMetric,
    label_free,
    label_free_release,
)
from tests.builders import (
    bias_word,
    dictionaries,
    paraphraser,
    texts,
    tokens_of,
    unpaired_batch,
    widen,
)

LIMIT = LengthLimit(slope=0.0, offset=6)
NATURAL = ["the longest ship in port please", "ship", "the ship in port", "please the port"]
REBUILT = ["the longest ship in port please", "the ship", "the ship in the port please", "in"]
CANONICAL = ["ship whose length is largest", "port", "largest ship"]


@pytest.fixture
def words():
    return dictionaries()["utterance"]


@pytest.fixture
def round_trip(monkeypatch, words):
    """Translations by a table instead of a model; padded more than they need be."""

    def install(table):
        def look_up(model, tokens, source, limit):
            assert limit == LIMIT
            lines = [table[source, line] for line in texts(words, tokens)]
            return widen(tokens_of(words, *lines), 4, words.pad())

        monkeypatch.setattr(module, "translate", look_up)

    return install


def means(logs):
    return {name: (pytest.approx(mean.total), mean.count) for name, mean in logs.items()}


def forth_and_back(side, lines, rebuilt):
    """A table that sends line k by way of k words to what it is rebuilt as."""
    other = "cf" if side == "nl" else "nl"
    middle = [" ".join(["in"] * (k + 1)) for k in range(len(lines))]
    return {(side, line): between for line, between in zip(lines, middle)} | {
        (other, between): line for between, line in zip(middle, rebuilt)
    }


def test_bleu_is_sacrebleus_of_each_sentence(words, round_trip):
    round_trip(forth_and_back("nl", NATURAL, REBUILT))
    logs = LabelFreeMetric(words, None, LIMIT)(None, unpaired_batch(words, natural=NATURAL))
    scores = [
        sacrebleu.sentence_bleu(rebuilt, [line], tokenize="none", use_effective_order=True).score
        / 100
        for rebuilt, line in zip(REBUILT, NATURAL)
    ]
    assert scores[0] == pytest.approx(1.0)
    assert 0 < scores[2] < 1
    assert means(logs) == {"cycle_bleu": (sum(scores), 4), "cycle_exact": (0.0, 0)}


def test_a_perfect_cycle_scores_one_whatever_the_padding(words, round_trip):
    round_trip(forth_and_back("nl", NATURAL, NATURAL))
    batch = unpaired_batch(words, natural=NATURAL)
    batch["nl"]["tokens"] = widen(batch["nl"]["tokens"], 3, words.pad())
    logs = LabelFreeMetric(words, None, LIMIT)(None, batch)
    assert means(logs)["cycle_bleu"] == (4.0, 4)


def test_agreement_compares_parses_and_exact_compares_sentences(words, round_trip):
    rebuilt = ["ship whose length is largest", "in port", "port"]
    round_trip(forth_and_back("cf", CANONICAL, rebuilt))
    table = {
        "ship whose length is largest": "( a )",
        "port": "( b )",
        "in port": "( b )",
        "largest ship": "( a )",
    }

    def parses(tokens):
        return [table[line] for line in texts(words, tokens)]

    logs = LabelFreeMetric(words, parses, LIMIT)(None, unpaired_batch(words, canonical=CANONICAL))
    assert means(logs) == {
        "cycle_bleu": (0.0, 0),
        "cycle_exact": (1.0, 3),
        "cycle_agreement": (2.0, 3),
    }


def test_a_missing_side_counts_nothing(words, round_trip):
    round_trip(forth_and_back("nl", NATURAL, REBUILT))

    def never(tokens):
        raise AssertionError("nothing to parse")

    logs = LabelFreeMetric(words, never, LIMIT)(None, unpaired_batch(words, natural=NATURAL))
    assert means(logs)["cycle_agreement"] == (0.0, 0)
    assert means(logs)["cycle_exact"] == (0.0, 0)
    assert logs["cycle_bleu"].count == 4


def test_round_trips_go_through_the_model_and_do_not_depend_on_the_batch(words):
    model = paraphraser(seed=1, scale=9.0)
    for side in ("nl", "cf"):
        bias_word(model.decoder(side), "</s>", 1.0)
    metric = LabelFreeMetric(words, lambda tokens: texts(words, tokens), LIMIT)
    batch = unpaired_batch(words, natural=NATURAL, canonical=CANONICAL)
    logs = metric(model, batch)
    expected = {}
    for line in NATURAL:
        back = translate(model, translate(model, tokens_of(words, line), "nl", LIMIT), "cf", LIMIT)
        expected[line] = sacrebleu.sentence_bleu(
            texts(words, back)[0], [line], tokenize="none", use_effective_order=True
        ).score
    assert sum(expected.values()) > 0
    assert means(logs)["cycle_bleu"] == (sum(expected.values()) / 100, 4)
    parts = [
        metric(model, unpaired_batch(words, natural=NATURAL[:1], canonical=CANONICAL[:2])),
        metric(model, unpaired_batch(words, natural=NATURAL[1:], canonical=CANONICAL[2:])),
    ]
    for name, mean in logs.items():
        assert sum(part[name].total for part in parts) == pytest.approx(mean.total)
        assert sum(part[name].count for part in parts) == mean.count
    torch.testing.assert_close(batch["nl"]["tokens"], tokens_of(words, *NATURAL))


def test_the_two_metrics():
    assert label_free(bleu=0.25, agreement=0.5) == 1.5
    assert label_free_release(bleu=0.25, exact=0.5) == 0.75


def test_paraphrases_as_frequent_as_the_corpus(words, round_trip, monkeypatch):
    monkeypatch.setattr(module, "BATCH", 3)  # the last one has a single row
    read = {"ship": "port", "the ship": "port", "please": "largest ship", "the port": "ship"}
    round_trip({("nl", line): written for line, written in read.items()})
    natural, canonical = (
        [tokens_of(words, line)[0].numpy() for line in lines]
        for lines in (
            ["ship", "the ship", "the port", "please", "please", "ship", "ship"],
            ["port"] * 3 + ["largest ship"] * 6 + ["in port"],
        )
    )
    metric = FrequencyMetric(natural, canonical, words.pad(), LIMIT)
    # Written: port 4 of 7, largest ship 2, ship 1; in the corpus 3, 6 and 0 of 10.
    assert metric(paraphraser()) == pytest.approx(3 / 10 + 2 / 7)
