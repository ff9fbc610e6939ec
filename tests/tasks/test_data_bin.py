"""Reading a data-bin that ``prepare`` wrote."""

import shutil

import pytest
from fairseq.data import indexed_dataset

from fairseq_twostage.errors import UserError
from fairseq_twostage.tasks.data_bin import DataBin
from tests.builders import GEO_ROWS


def lines(words, sentences):
    return [words.string(sentence) for sentence in sentences]


def test_corpora_are_those_of_the_text(data_bin):
    files = DataBin(str(data_bin))
    words = files.dictionary("utterance")
    for name, side in (("train.nl", 0), ("train.cf", 1), ("train.cf-lf.cf", 1)):
        sentences = files.sentences(name, words)
        assert all(sentence[-1] == words.eos() for sentence in sentences)
        text = (data_bin / "text" / name).read_text().splitlines()
        assert [" ".join(words[i] for i in s[:-1]) for s in sentences] == text
        assert sorted(text) == sorted(row[side] for row in GEO_ROWS)
    symbols = files.dictionary("lf")
    forms = lines(symbols, files.indexed("train.cf-lf.lf", symbols))
    assert sorted(forms) == sorted(row[2] for row in GEO_ROWS)


def test_variables_stand_line_by_line_with_their_utterances(data_bin):
    files = DataBin(str(data_bin))
    text = (data_bin / "text" / "train.nl").read_text().splitlines()
    expected = [{"_lake_": f"lake.{[row[0] for row in GEO_ROWS].index(line)}"} for line in text]
    assert files.variables("train") == expected
    assert files.variables("absent") is None


def test_counts_are_by_id_and_of_one_side(data_bin):
    files = DataBin(str(data_bin))
    words = files.dictionary("utterance")
    counts = files.counts("nl", words)
    assert counts.shape == (len(words),)
    # Five training rows, and three of them again for development.
    assert counts[words.index("how")] == 8
    assert counts[words.index("here")] == 2
    assert counts[words.index("ever")] == 1
    assert counts[words.index("depth")] == 0  # a word of the other side
    assert files.counts("cf", words)[words.index("depth")] == 8
    assert counts[: words.nspecial].sum() == 0


def test_gold_rows_are_aligned(data_bin):
    files = DataBin(str(data_bin))
    words = files.dictionary("utterance")
    sides = [files.sentences(files.gold("train", side), words) for side in ("nl", "cf")]
    found = [tuple(" ".join(words[i] for i in s[:-1]) for s in pair) for pair in zip(*sides)]
    assert sorted(found) == sorted((x, z) for x, z, _ in GEO_ROWS)
    assert files.exists(files.gold("test", "nl"))
    assert not files.exists(files.gold("test", "cf"))


def test_what_is_missing_is_said_in_one_line(data_bin, tmp_path):
    files = DataBin(str(data_bin))
    words = files.dictionary("utterance")
    with pytest.raises(UserError, match=r"absent\.nl: not there; run twostage prepare again"):
        files.sentences("absent.nl", words)
    with pytest.raises(UserError, match="no such folder"):
        DataBin(str(tmp_path / "absent"))
    with pytest.raises(UserError, match="not a data-bin"):
        DataBin(str(tmp_path))


def test_an_empty_corpus_is_refused(data_bin, tmp_path):
    copy = tmp_path / "bin"
    shutil.copytree(data_bin, copy)
    builder = indexed_dataset.make_builder(str(copy / "train.nl.bin"), "mmap", vocab_size=10)
    builder.finalize(str(copy / "train.nl.idx"))
    files = DataBin(str(copy))
    with pytest.raises(UserError, match=r"train\.nl: the corpus is empty"):
        files.sentences("train.nl", files.dictionary("utterance"))
