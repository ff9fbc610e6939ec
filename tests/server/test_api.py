"""The API over real HTTP: answers, marks, and requests that are wrong."""

import json
import signal
import socket
import subprocess
import sys
import time

import pytest

from tests.ships import ROWS


def test_parse(server):
    status, found = server.post("/api/parse", {"utterance": "What lies in Turku?"})
    assert status == 200
    reading = found["readings"][0]
    assert reading["canonical"] == "ship whose port is turku"
    assert reading["answer"] == "(list (name en.ship.aurora) (name en.ship.meridian))"
    assert reading["explanation"]["table"]["columns"] == ["ship", "length", "port", "has sauna"]
    assert reading["explanation"]["table"]["rows"][0] == ["aurora", "120 metres", "turku", ""]
    assert {len(row) for row in reading["explanation"]["attention"]} == {5}


def test_parse_options(server):
    status, found = server.post(
        "/api/parse",
        {
            "utterance": "what lies in _port_",
            "n_best": 1,
            "variables": {"_port_": "en.port.tallinn"},
            "explain": False,
        },
    )
    assert status == 200
    (reading,) = found["readings"]
    assert reading["answer"] == "(list (name en.ship.baltic))"
    assert "explanation" not in reading


def test_read_canonical_words(server):
    status, found = server.post("/api/read", {"canonical": "Length of Baltic"})
    assert (status, found["readings"][0]["answer"]) == (200, "(list (number 180 en.metre))")


def test_rows_are_those_of_a_database_alone(server):
    status, found = server.post("/api/rows", {"logical_form": "( call SW.listValue x )"})
    assert (status, found["error"]) == (422, "logical_form: has no table of a database")


def test_info_and_page(server):
    status, headers, body = server.request("GET", "/api/info")
    info = json.loads(body)
    assert (status, info["domain"], len(info["canonical"])) == (200, "ships", 3)
    assert info["examples"] == ["how long is the aurora", "show me every ship"]
    status, headers, body = server.request("GET", "/")
    assert status == 200 and headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    for name in ("app.js", "alignment.js", "api.js", "dom.js", "results.js", "style.css"):
        assert server.request("GET", f"/static/{name}")[0] == 200
    assert b"http://" not in body and b"https://" not in body  # nothing from elsewhere


def parse_body(**changes):
    return json.dumps({"utterance": "ship"} | changes).encode()


@pytest.mark.parametrize(
    "body, says",
    [
        (b"", "Field required"),
        (b"{", "JSON decode error"),
        (b"[]", "valid dictionary"),
        (b"null", "valid dictionary"),
        (b"\xff\xfe", ""),
        (b"[" * 30_000, ""),
        (b"{}", "utterance: Field required"),
        (parse_body(utterance=""), "utterance: String should have at least 1 character"),
        (parse_body(utterance="a" * 1001), "at most 1000 characters"),
        (parse_body(utterance=7), "valid string"),
        (parse_body(utterance="?!"), "no words to parse"),
        (parse_body(utterance="a " * 300), "300 words are too many"),
        (b'{"utterance": "a \\ud800"}', "utterance"),
        (parse_body(n_best=0), "n_best"),
        (parse_body(n_best=10**30), "n_best"),
        (parse_body(n_best="2"), "n_best"),
        (parse_body(variables={"_a_": 1}), "variables._a_"),
        (parse_body(variables={"lies": "en.port.turku"}), "variables: 'lies' is no placeholder"),
        (parse_body(variables={f"_{n}_": "x" for n in range(30)}), "variables"),
        (parse_body(more=1), "more"),
    ],
)
def test_malformed_requests(server, body, says):
    status, headers, answer = server.request(
        "POST", "/api/parse", body, Content_Type="application/json"
    )
    assert 400 <= status < 500
    assert says in json.loads(answer)["error"]
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", "/nowhere", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/api/parse", 405),
        ("DELETE", "/api/marks", 405),
    ],
)
def test_wrong_paths_and_methods(server, method, path, status):
    found, _, body = server.request(method, path)
    assert found == status and json.loads(body)["error"]


def test_other_kinds_of_bodies_and_hosts(server):
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        found, _, body = server.request("POST", "/api/parse", parse_body(), Content_Type=kind)
        assert "header Content-Type: application/json" in json.loads(body)["error"]
        assert found == 415  # what a page elsewhere may send without being asked first
    for host in ("evil.example", "", "www.localhost"):
        found, headers, body = server.request("GET", "/api/info", Host=host)
        assert (found, headers["content-type"]) == (400, "application/json")
        assert "called by a name that is not allowed" in json.loads(body)["error"]
        assert headers["x-content-type-options"] == "nosniff"
    assert server.request("GET", "/api/info", Host=f"localhost:{server.port}")[0] == 200


def test_too_long_bodies(server):
    long = parse_body(utterance="a" * 40_000)
    assert server.request("POST", "/api/parse", long, Content_Type="application/json")[0] == 413
    status, answer = raw(
        server,
        b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n" + 5 * (b"4000\r\n" + b"a" * 0x4000 + b"\r\n"),
    )
    assert status == 413, answer


def test_what_is_no_http(server):
    assert raw(server, b"GARBAGE\r\n\r\n")[0] == 400
    head = b"POST /api/parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
    assert raw(server, head + b"-5\r\n\r\n")[0] == 400


def raw(server, sent):
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(sent)
        answer = connection.recv(65536)
    return int(answer.split()[1]), answer


def test_marks_are_labelled_rows(server):
    utterance, canonical, form = ROWS[5]
    mark = {
        "verdict": "right",
        "utterance": "What lies in Turku?",
        "canonical": "ship whose port is turku",
        "logical_form": form,
    }
    assert not server.labelled.exists()  # serving alone leaves nothing behind
    status, found = server.post("/api/marks", mark)
    assert (status, found["saved"], found["new"]) == (200, "labelled.tsv", True)
    assert server.post("/api/marks", mark)[1]["new"] is False
    added = server.labelled.read_text()
    assert added == f'{utterance}\t{canonical}\t{form}\t{{"_port_": "en.port.turku"}}\n'
    status, found = server.post("/api/marks", mark | {"verdict": "wrong"})
    assert (status, found["saved"]) == (200, "labelled.tsv.wrong.jsonl")
    for wrong, says in (
        ("( a", "broken logical form"),
        ("NULL", "the logical form has no answer: the world has no NULL"),
        ("( call SW.nonsense )", "the logical form has no answer: "),
        (f"{form} ( extra )", "more than a logical form"),
    ):
        status, found = server.post("/api/marks", mark | {"logical_form": wrong})
        assert status == 422 and found["error"].startswith(f"logical_form: {says}")
    assert server.labelled.read_text() == added
    for change in ({"logical_form": "( a"}, {"verdict": "maybe"}, {"canonical": "?"}):
        assert server.post("/api/marks", mark | change)[0] == 422


def test_a_port_in_use_and_a_missing_folder_are_one_line(server, ships_folder):
    def serve(folder, *options):
        command = [sys.executable, "-m", "fairseq_twostage.cli.main", "serve", str(folder)]
        started = time.monotonic()
        done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=120)
        assert time.monotonic() - started < 110
        return done.returncode, done.stderr

    status, error = serve(ships_folder, "--port", str(server.port))
    assert (status, error.count("\n")) == (1, 1)
    assert error.endswith(f"127.0.0.1:{server.port}: cannot be used: Address already in use\n")
    status, error = serve(ships_folder / "nowhere", "--port", "0")
    assert status == 1 and "no such folder" in error and error.count("\n") == 1


def test_an_interrupt_ends_it_quietly(ships_folder, tmp_path):
    command = [sys.executable, "-m", "fairseq_twostage.cli.main", "serve", str(ships_folder)]
    process = subprocess.Popen(
        [*command, "--port", "0", "--marks", str(tmp_path / "labelled.tsv")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout and process.stdout.readline().startswith("ships: http://127.0.0.1:")
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in error
