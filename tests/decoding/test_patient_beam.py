"""The search that waits: its scores, its endings, and what fairseq's loses."""

import itertools

import pytest
import torch

from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.decoding.patient_beam import patient_hypotheses
from tests.builders import beam_search, naive_parser, only_words, teacher_forced_log_prob, tokens_of

LINES = ["ship in port", "the longest ship", "largest", "length is largest in port please the"]


def setting(seed, lines, scale=9.0):
    model = naive_parser(seed=seed, scale=scale)
    tokens = tokens_of(model.encoder.dictionary, *lines)
    return model.decoder, model.decoder.memory(model.encoder(tokens))


def test_scores_are_log_probabilities_per_word():
    limit = LengthLimit(slope=1.0, offset=3)
    decoder, memory = setting(1, LINES)
    found = patient_hypotheses(decoder, memory, 3, limit)
    for row, hypotheses in enumerate(found):
        alone = memory.select(torch.tensor([row]))
        scores = [score for _, score in hypotheses]
        assert len(scores) == 3 and scores == sorted(scores, reverse=True)
        for ids, score in hypotheses:
            expected = float(teacher_forced_log_prob(decoder, alone, ids).detach()) / len(ids)
            assert score == pytest.approx(expected, abs=1e-9)
            assert len(ids) - 1 <= limit.of(alone)


def test_a_wide_beam_finds_the_best_of_all_sentences():
    decoder, memory = setting(3, ["ship in port"], scale=4.0)
    words = decoder.dictionary
    letters = [i for i in range(len(words)) if i > words.unk()]
    scored = {}
    for length in (1, 2, 3):
        for prefix in itertools.product(letters, repeat=length):
            ids = (*prefix, words.eos())
            log_prob = float(teacher_forced_log_prob(decoder, memory, ids).detach())
            scored[ids] = log_prob / len(ids)
    limit = LengthLimit(slope=0.0, offset=3)
    found = patient_hypotheses(decoder, memory, len(letters) ** 3, limit)[0]
    best = sorted(scored, key=lambda ids: -scored[ids])[:20]
    assert [tuple(ids) for ids, _ in found[:20]] == best


def test_batches_do_not_matter():
    limit = LengthLimit(slope=1.0, offset=4)
    decoder, memory = setting(5, LINES)
    together = patient_hypotheses(decoder, memory, 3, limit)
    for row in range(len(LINES)):
        length = int((~memory.padding[row]).sum())
        alone = memory.select(torch.tensor([row])).shorten(length)
        (hypotheses,) = patient_hypotheses(decoder, alone, 3, limit)
        assert [ids for ids, _ in hypotheses] == [ids for ids, _ in together[row]]


def test_the_best_is_never_worse_than_that_of_fairseqs_search_and_sometimes_better():
    limit = LengthLimit(slope=1.0, offset=8)
    gains = []
    for seed in range(12):
        model = naive_parser(seed=seed, scale=9.0)
        only_words(model.decoder)  # fairseq's search writes the beginning of a sentence, too
        for line in LINES:  # and its limit is one for the whole batch
            tokens = tokens_of(model.encoder.dictionary, line)
            memory = model.decoder.memory(model.encoder(tokens))
            (patient,) = patient_hypotheses(model.decoder, memory, 2, limit)
            (impatient,) = beam_search([model], model.decoder.dictionary, tokens, 2, limit)
            ids = impatient[0][0].tolist()
            # Scored anew: fairseq's search rounds to single precision.
            score = float(teacher_forced_log_prob(model.decoder, memory, ids).detach()) / len(ids)
            gains.append(patient[0][1] - score)
    assert min(gains) >= -1e-9
    assert max(gains) > 0.1
