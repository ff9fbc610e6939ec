"""The log of questions."""

import errno
import json
import os

import pytest

from fairseq_twostage import durable
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.question_log import Question, read_log
from fairseq_twostage.server.app import ParseRequest, ReadRequest, answer, asked
from fairseq_twostage.server.asked import QuestionLog
from tests.ships import ROWS

FIELDS = [
    *("time", "question", "understood", "refused_because"),
    *("canonical", "logical_form", "confidence", "in_domain"),
]


def question(text: str) -> Question:
    return Question("2026-01-01T00:00:00+00:00", text, True, None, "a", "( b )", 0.5, None)


def test_a_server_logs_questions_and_nothing_else(server):
    before = len(server.questions.read_text().splitlines()) if server.questions.exists() else 0
    server.post("/api/parse", {"utterance": "What lies in Turku?", "explain": False})
    server.post("/api/read", {"canonical": "Length of Baltic"})
    server.post("/api/parse", {"utterance": "…"})  # no words, so no question
    line, *others = server.questions.read_text().splitlines()[before:]
    found = json.loads(line)
    assert not others and list(found) == FIELDS
    assert found["question"] == "What lies in Turku?" and found["understood"] is True
    assert found["canonical"] == "ship whose port is turku"
    assert found["logical_form"] == ROWS[5][2].replace("_port_", "en.port.turku")
    assert json.loads(server.request("GET", "/api/info")[2])["logged"] is True


def test_half_a_line_of_a_killed_server_is_put_aside(tmp_path):
    path = tmp_path / "deep" / "log.jsonl"
    log = QuestionLog(path)
    log.add([question("one"), question("t\udcffo")])
    whole = path.read_bytes()
    path.write_bytes(whole + '{"time": "ü'.encode()[:-1])
    assert [each.question for each in read_log_of(path, whole)] == ["one", "t?o"]
    log.add([question("three")])  # another server was killed meanwhile
    assert [each.question for each in read_log(path)] == ["one", "t?o", "three"]
    assert (tmp_path / "deep" / "log.jsonl.half").read_text() == '{"time": "\ufffd\n'
    path.write_bytes(path.read_bytes() + b'{"time"')
    assert [each.question for each in read_log(path)] == ["one", "t?o", "three"]
    QuestionLog(path)
    assert path.read_bytes().endswith(b"\n")


def read_log_of(path, content):
    other = path.with_name("other.jsonl")
    other.write_bytes(content.removesuffix(b"\n"))  # a whole line without its end counts
    return read_log(other)


def test_a_full_disk_is_one_line_and_a_deleted_log_begins_anew(tmp_path, monkeypatch, caplog):
    path = tmp_path / "log.jsonl"
    log = QuestionLog(path)
    log.add([question("one")])
    before = path.read_bytes()

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(durable.os, "fsync", full)
        log.add([question("two")])
        log.add([question("three")])
    assert path.read_bytes() == before
    assert len(caplog.messages) == 1 and "No space left" in caplog.text
    path.unlink()
    log.add([question("four")])
    assert [each.question for each in read_log(path)] == ["four"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]\n", "2: no line of a log of twostage serve"),
        ("{}\n", "2: no line of a log of twostage serve (time: field required)"),
        ("x\n", "2: no line of a log of twostage serve (not JSON)"),
    ],
)
def test_lines_that_are_none(tmp_path, content, message):
    path = tmp_path / "log.jsonl"
    path.write_bytes(question("one").line() + content.encode())
    with pytest.raises(UserError) as raised:
        read_log(path)
    assert str(raised.value).startswith(f"{path}:{message}")


def test_a_file_that_cannot_be(tmp_path):
    with pytest.raises(UserError, match="cannot be used for the log"):
        QuestionLog(tmp_path)


def test_what_is_asked_of_a_batch(ships):
    jobs = [
        ParseRequest(utterance="…"),
        ReadRequest(canonical="length of baltic"),
        ParseRequest(utterance="how long is the aurora", explain=False),
    ]
    (found,) = asked(jobs, answer(ships, jobs))
    assert (found.question, found.canonical) == ("how long is the aurora", "length of aurora")
