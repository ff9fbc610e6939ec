"""The file of labelled rows."""

import errno
import json
import os

import pytest

from fairseq_twostage import durable
from fairseq_twostage.domains.tsv import read_rows
from fairseq_twostage.errors import UserError
from fairseq_twostage.server.marks import Marks
from tests.ships import ROWS

UTTERANCE, CANONICAL, FORM = ROWS[5]


def test_rows_are_what_prepare_reads(ships, tmp_path):
    marks = Marks(ships, tmp_path / "new" / "labelled.tsv")
    assert marks.right("What lies in Turku?", "ship whose port is turku", FORM)
    assert marks.right("How long is the Aurora", "Length of Aurora", ROWS[0][2])
    assert not marks.right("how long is the aurora", "length of aurora", ROWS[0][2])
    assert len(marks) == 2
    first, second = read_rows(marks.labelled)
    assert (first.utterance, first.canonical, first.logical_form) == ROWS[5]
    assert first.variables == {"_port_": "en.port.turku"}
    assert (second.utterance, second.canonical, second.logical_form) == ROWS[0]
    assert second.variables == {}


def test_constants_of_a_form_become_the_utterances_placeholders(ships, tmp_path):
    marks = Marks(ships, tmp_path / "labelled.tsv")
    form = FORM.replace("_port_", "en.port.tallinn")
    marks.right("what lies in old town ?", "ship whose port is old town", form)
    (row,) = read_rows(marks.labelled)
    assert row.logical_form == FORM and row.variables == {"_port_": "en.port.tallinn"}


def test_an_entity_that_the_utterance_lacks_is_no_placeholder(ships, tmp_path):
    marks = Marks(ships, tmp_path / "labelled.tsv")
    form = FORM.replace("_port_", "_port2_")  # as the answer of /api/read has it
    marks.right("what lies in turku ?", "ship whose port is old town", form)
    (row,) = read_rows(marks.labelled)
    assert (row.utterance, row.canonical) == (UTTERANCE, "ship whose port is old town")
    assert row.logical_form == FORM.replace("_port_", "en.port.tallinn")
    assert row.variables == {"_port_": "en.port.turku"}


def test_a_file_that_is_there_grows(ships, tmp_path):
    path = tmp_path / "labelled.tsv"
    path.write_text("a\tb\t( c )\t{}")  # no newline at its end
    marks = Marks(ships, path)
    marks.right(*ROWS[0])
    marks.right(*ROWS[1])
    assert [row.utterance for row in read_rows(path)] == ["a", ROWS[0][0], ROWS[1][0]]
    assert len(Marks(ships, path)) == 3


def test_what_is_wrong_is_no_label(ships, tmp_path):
    marks = Marks(ships, tmp_path / "labelled.tsv")
    marks.is_wrong(*ROWS[0])
    assert not marks.labelled.exists()
    assert json.loads(marks.wrong.read_text()) == {
        "utterance": ROWS[0][0],
        "canonical": ROWS[0][1],
        "logical_form": ROWS[0][2],
        "variables": {},
    }


def test_a_form_that_its_canonical_utterance_does_not_mean(ships, tmp_path, monkeypatch):
    monkeypatch.setattr(ships, "pairs", {ROWS[5][1]: ROWS[5][2]})
    marks = Marks(ships, tmp_path / "labelled.tsv")
    with pytest.raises(UserError, match=r"'ship whose port is turku' means: .* en\.port\.turku"):
        marks.right(UTTERANCE.replace("_port_", "turku"), "ship whose port is turku", ROWS[3][2])
    assert len(marks) == 0


@pytest.mark.parametrize("form", ["( a", "a )", "  "])
def test_a_form_that_is_none(ships, tmp_path, form):
    marks = Marks(ships, tmp_path / "labelled.tsv")
    with pytest.raises(UserError):
        marks.right(UTTERANCE, CANONICAL, form)
    assert not marks.labelled.exists()


def test_half_a_row_of_a_killed_server_is_no_label(ships, tmp_path, caplog):
    path = tmp_path / "labelled.tsv"
    marks = Marks(ships, path)
    marks.right(*ROWS[0])
    whole = path.read_bytes()
    with open(path, "ab") as file:
        file.write("where is tü".encode()[:-1])  # within a character, even
    again = Marks(ships, path)
    assert len(again) == 1 and path.read_bytes() == whole
    assert (tmp_path / "labelled.tsv.half").read_text() == "where is t\ufffd\n"
    assert "half a row" in caplog.text


def test_a_failed_write_leaves_the_file_as_it_was(ships, tmp_path, monkeypatch):
    path = tmp_path / "labelled.tsv"
    marks = Marks(ships, path)
    marks.right(*ROWS[0])
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(durable.os, "fsync", full)
        for save in (marks.right, marks.is_wrong):
            with pytest.raises(OSError, match="No space left"):
                save(*ROWS[1])
    assert path.read_bytes() == before and marks.wrong.read_bytes() == b""
    assert marks.right(*ROWS[1])  # not taken for saved
    assert [row.utterance for row in read_rows(path)] == [ROWS[0][0], ROWS[1][0]]


def test_two_servers_and_an_editor_on_one_file(ships, tmp_path):
    path = tmp_path / "labelled.tsv"
    one, other = Marks(ships, path), Marks(ships, path)
    assert one.right(*ROWS[0]) and not other.right(*ROWS[0])
    assert other.right(*ROWS[1]) and not one.right(*ROWS[1])
    edited = tmp_path / "edited"
    edited.write_text(path.read_text().splitlines()[1] + "\n")
    edited.replace(path)  # as editors save: another file of that name
    assert one.right(*ROWS[0]) and len(one) == 2
    assert [row.utterance for row in read_rows(path)] == [ROWS[1][0], ROWS[0][0]]


def test_a_file_that_cannot_be(ships, tmp_path):
    with pytest.raises(UserError, match="cannot be used for marks"):
        Marks(ships, tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="cannot be used for marks"):
        Marks(ships, tmp_path / "binary")
