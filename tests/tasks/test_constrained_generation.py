"""``--constrain`` as fairseq's generation calls it."""

from argparse import Namespace

import pytest
import torch

from fairseq_twostage.decoding.generator import ConstrainedGenerator
from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.data_bin import DataBin, known_sentences
from tests.builders import (
    GEO_ROWS,
    dictionaries,
    paraphraser,
    teacher_forced_log_prob,
    tokens_of,
    write_data_bin,
)

LINES = ["ship whose length is largest", "ship in port", "port"]
BEAM = Namespace(beam=2)


@pytest.fixture
def closed_list(tmp_path):
    file = tmp_path / "list.txt"
    file.write_text("\n".join([*LINES, "words unknown"]) + "\n")
    return known_sentences(None, "cf", str(file), dictionaries()["cf"])


def test_hypotheses_as_fairseq_wants_them(closed_list):
    words, model = dictionaries(), paraphraser(scale=5.0)
    view = model.view("cf")
    sources = tokens_of(words["utterance"], "the longest ship", "port")
    found = ConstrainedGenerator([view], closed_list, BEAM).generate(
        [view], {"net_input": {"src_tokens": sources, "src_lengths": None}}
    )
    assert len(found) == 2
    for row, hypotheses in enumerate(found):
        memory = model.memory(sources, "cf").select(torch.tensor([row]))
        assert 1 <= len(hypotheses) <= 2
        for hypothesis in hypotheses:
            tokens = hypothesis["tokens"].tolist()
            assert words["cf"].string(tokens) in LINES
            total = teacher_forced_log_prob(model.decoder("cf"), memory, tokens).item()
            assert hypothesis["score"].item() == pytest.approx(total / len(tokens))
            assert len(hypothesis["positional_scores"]) == len(tokens)
            assert hypothesis["positional_scores"].sum().item() == pytest.approx(total)


def test_what_it_does_not_know(closed_list):
    view = paraphraser().view("cf")
    with pytest.raises(UserError, match="ensemble"):
        ConstrainedGenerator([view, view], closed_list, BEAM)
    with pytest.raises(UserError, match="--sampling"):
        ConstrainedGenerator([view], closed_list, Namespace(beam=2, sampling=True))


def test_known_sentences_of_a_data_bin(tmp_path):
    data_bin = DataBin(str(write_data_bin(tmp_path)))
    for side, column in (("cf", 1), ("lf", 2)):
        known = known_sentences(data_bin, side, "known", data_bin.dictionary(side))
        assert known.size == len({row[column] for row in GEO_ROWS})
    lines = data_bin.folder / "text" / "valid.cf"
    training = {row[1] for row in GEO_ROWS}
    lines.write_text("depth of depth of here\n")  # an answer to a development row
    assert known_sentences(data_bin, "cf", "known", data_bin.dictionary("cf")).size == len(training)
    with pytest.raises(UserError, match="no-such-file"):
        known_sentences(data_bin, "cf", "no-such-file", data_bin.dictionary("cf"))
    latin = tmp_path / "latin.txt"
    latin.write_bytes("café\n".encode("latin-1"))
    with pytest.raises(UserError, match=r"latin\.txt:1: not UTF-8 text"):
        known_sentences(data_bin, "cf", str(latin), data_bin.dictionary("cf"))
    (data_bin.folder / "text" / "train.cf").unlink()
    with pytest.raises(UserError, match=r"train\.cf: not there; run twostage prepare again"):
        known_sentences(data_bin, "cf", "known", data_bin.dictionary("cf"))
