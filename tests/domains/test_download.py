"""Downloads from a server on this machine, broken ones included."""

import errno
import hashlib
import io
import json
import os
import subprocess
import threading
import zipfile
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from fairseq_twostage.domains import download
from fairseq_twostage.domains.download import (
    GLOVE_ROWS,
    QUESTIONS,
    PublicFile,
    check_glove,
    download_glove,
    download_public_file,
    public_files,
)
from fairseq_twostage.domains.fetching import Fetcher
from fairseq_twostage.errors import UserError

PUBLIC_FILES = public_files()
SCRIPT = Path(__file__).parents[2] / "scripts" / "download_data.sh"
CONTENT = b"a line of data\n" * 100
FILE = PublicFile(
    target="overnight/rows.tsv",
    repository="someone/something",
    revisions=("1234567", "HEAD"),
    path="data/rows.tsv",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
)
PINNED, HEAD = (f"/someone/something/{revision}/data/rows.tsv" for revision in FILE.revisions)
QUICK = Fetcher(tries=3, delay=0)


class Server(ThreadingHTTPServer):
    """Serves ``files``; the first ``cut[path]`` answers of a path end in the middle."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.cut: Counter[str] = Counter()
        self.status: dict[str, int] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.requests.append((self.path, wanted))
        if self.path in self.server.status:
            self.send_error(self.server.status[self.path])
            return
        if self.path not in self.server.files:
            self.send_error(404)
            return
        body = self.server.files[self.path]
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        if start >= len(body) and wanted:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(body)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        end = len(body)
        if self.server.cut[self.path]:
            self.server.cut[self.path] -= 1
            end = start + (end - start) // 2
        self.wfile.write(body[start:end])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def left_in(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_a_good_file_is_fetched_once(server: Server, tmp_path: Path) -> None:
    server.files[PINNED] = CONTENT
    assert download_public_file(FILE, tmp_path, QUICK, server.address)
    assert (tmp_path / FILE.target).read_bytes() == CONTENT
    assert not download_public_file(FILE, tmp_path, QUICK, server.address)
    assert server.paths() == [PINNED]
    assert left_in(tmp_path) == [FILE.target]


def test_a_changed_local_file_is_fetched_again(server: Server, tmp_path: Path) -> None:
    server.files[PINNED] = CONTENT
    (tmp_path / "overnight").mkdir()
    (tmp_path / FILE.target).write_bytes(b"something else")
    assert download_public_file(FILE, tmp_path, QUICK, server.address)
    assert (tmp_path / FILE.target).read_bytes() == CONTENT


def test_a_download_that_breaks_off_is_continued(server: Server, tmp_path: Path) -> None:
    server.files[PINNED] = CONTENT
    server.cut[PINNED] = 2
    assert download_public_file(FILE, tmp_path, QUICK, server.address)
    assert (tmp_path / FILE.target).read_bytes() == CONTENT
    assert server.requests == [(PINNED, None), (PINNED, "bytes=750-"), (PINNED, "bytes=1125-")]


def test_a_download_that_always_breaks_off_fails_and_leaves_nothing(
    server: Server, tmp_path: Path
) -> None:
    server.files[PINNED] = CONTENT
    server.cut[PINNED] = 99
    with pytest.raises(UserError, match=r"failed 3 times, last: ended after \d+ of \d+ bytes"):
        download_public_file(FILE, tmp_path, QUICK, server.address)
    assert left_in(tmp_path) == []


def test_another_revision_with_the_same_bytes_will_do(server: Server, tmp_path: Path) -> None:
    server.files[HEAD] = CONTENT
    assert download_public_file(FILE, tmp_path, QUICK, server.address)
    assert server.paths() == [PINNED, HEAD]  # a missing file is not asked for again


def test_a_file_that_is_nowhere(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"1234567: HTTP 404 .*; HEAD: HTTP 404"):
        download_public_file(FILE, tmp_path, QUICK, server.address)
    assert left_in(tmp_path) == []


def test_other_content_is_refused_and_the_old_file_kept(server: Server, tmp_path: Path) -> None:
    server.files[PINNED] = CONTENT[:-1] + b"!"
    (tmp_path / "overnight").mkdir()
    (tmp_path / FILE.target).write_bytes(b"old")
    with pytest.raises(UserError, match="SHA-256 differs"):
        download_public_file(FILE, tmp_path, QUICK, server.address)
    assert left_in(tmp_path) == [FILE.target]
    assert (tmp_path / FILE.target).read_bytes() == b"old"


def test_a_server_in_trouble_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.status[PINNED] = 503
    with pytest.raises(UserError, match="failed 3 times, last: HTTP 503"):
        download_public_file(FILE, tmp_path, QUICK, server.address)
    assert server.paths() == [PINNED] * 3


def test_no_server_at_all(server: Server, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="failed 3 times"):
        download_public_file(FILE, tmp_path, QUICK, "http://127.0.0.1:9")


# -- GloVe ---------------------------------------------------------------------------------


def glove_rows(changed: dict[str, str] | None = None, width: int = 100) -> str:
    rows = {**GLOVE_ROWS, **(changed or {})}
    return "".join(f"{w} {start}{' 0.5' * (width - 3)}\n" for w, start in rows.items())


def archive(
    text: str, member: str = "glove.6B.100d.txt", compression: int = zipfile.ZIP_STORED
) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as members:
        members.writestr("glove.6B.50d.txt", "the 1 2\n")
        members.writestr(member, text)
    return buffer.getvalue()


def fetch_glove(server: Server, folder: Path, body: bytes) -> bool:
    server.files["/glove.6B.zip"] = body
    return download_glove(folder, QUICK, f"{server.address}/glove.6B.zip")


def test_glove_is_fetched_unpacked_and_checked(server: Server, tmp_path: Path) -> None:
    assert fetch_glove(server, tmp_path, archive(glove_rows()))
    assert left_in(tmp_path) == ["glove/glove.6B.100d.txt"]
    assert (tmp_path / "glove" / "glove.6B.100d.txt").read_text() == glove_rows()
    assert not fetch_glove(server, tmp_path, archive(glove_rows()))
    assert server.paths() == ["/glove.6B.zip"]


def damaged(text: str) -> bytes:
    """An archive of the right length whose member fails its checksum."""
    body = bytearray(archive(text))
    body[body.index(b"player")] ^= 1
    return bytes(body)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (archive(glove_rows())[:-40], "not a whole zip archive"),
        (damaged(glove_rows()), "not a whole zip archive"),
        (b"<html>moved</html>", "not a whole zip archive"),
        (archive(glove_rows(), member="glove.txt"), r"holds no glove\.6B\.100d\.txt"),
        (archive(glove_rows({"the": "1 2 3"})), "another row of 'the'"),
        (archive(glove_rows(width=50)), "another row of 'the'"),
        (archive(glove_rows().replace("player", "painter")), "no row of 'player'"),
    ],
)
def test_a_bad_archive_is_refused_and_leaves_nothing(
    server: Server, tmp_path: Path, body: bytes, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        fetch_glove(server, tmp_path, body)
    assert left_in(tmp_path) == []


def test_a_long_download_is_continued_by_the_next_call(server: Server, tmp_path: Path) -> None:
    body = archive(glove_rows())
    server.cut["/glove.6B.zip"] = 3
    with pytest.raises(UserError, match="failed 3 times"):
        fetch_glove(server, tmp_path, body)
    assert not (tmp_path / "glove" / "glove.6B.100d.txt").exists()
    assert fetch_glove(server, tmp_path, body)
    assert server.requests[-1][1] is not None
    assert left_in(tmp_path) == ["glove/glove.6B.100d.txt"]


def test_a_full_disk_costs_no_archive(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> io.BytesIO:
        raise OSError(errno.ENOSPC, "No space left on device")

    body = archive(glove_rows())
    (tmp_path / "glove").mkdir()
    (tmp_path / "glove" / ".glove.6B.zip.part").write_bytes(body)
    with monkeypatch.context() as patched:
        patched.setattr(download, "open", full, raising=False)
        patched.setattr(download.Fetcher, "fetch", lambda *_: None)
        with pytest.raises(UserError, match="cannot be written: No space left on device"):
            fetch_glove(server, tmp_path, body)
    assert left_in(tmp_path) == ["glove/.glove.6B.zip.part"]
    assert fetch_glove(server, tmp_path, body)


def test_a_whole_archive_that_was_not_unpacked_is_not_fetched_again(
    server: Server, tmp_path: Path
) -> None:
    body = archive(glove_rows())
    (tmp_path / "glove").mkdir()
    (tmp_path / "glove" / ".glove.6B.zip.part").write_bytes(body)
    assert fetch_glove(server, tmp_path, body)
    assert server.requests == [("/glove.6B.zip", f"bytes={len(body)}-")]
    assert left_in(tmp_path) == ["glove/glove.6B.100d.txt"]


@pytest.mark.data
def test_the_known_rows_are_those_of_the_data(data_dir: Path) -> None:
    check_glove(data_dir / "glove" / "glove.6B.100d.subset.txt")


# -- The script ----------------------------------------------------------------------------


def run_script(server: Server, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "TWOSTAGE_GITHUB_URL": server.address,
        "TWOSTAGE_GLOVE_URL": f"{server.address}/glove.6B.zip",
    }
    command = ["bash", str(SCRIPT), "--dest", str(folder), "--retry-delay", "0", *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.fixture
def mirror(server: Server, data_dir: Path) -> Server:
    for file in PUBLIC_FILES:
        address = f"/{file.repository}/{file.revisions[0]}/{file.path}"
        server.files[address] = (data_dir / file.target).read_bytes()
    server.files["/glove.6B.zip"] = archive(glove_rows(), compression=zipfile.ZIP_DEFLATED)
    rows = (data_dir / download.QUESTIONS).read_text().splitlines()[1:]
    entries = [entry(*row.split("\t")) for row in reversed(rows)]
    server.files[f"/{download.QUESTIONS_PATH}"] = json.dumps(entries).encode()
    return server


def entry(split: str, question: str, sql: str) -> dict[str, object]:
    """As the repository has it, the last word of a question a variable."""
    start, _, last = question.rpartition(" ")
    return {
        "sentences": [
            {
                "question-split": split,
                "text": f"{start} name0",
                "variables": {"name0": last},
            }
        ],
        "sql": [sql.replace(f'"{last}"', '"name0"'), "another"],
    }


@pytest.mark.data
def test_the_script_brings_everything_and_a_rerun_nothing(
    mirror: Server, tmp_path: Path, data_dir: Path
) -> None:
    done = run_script(mirror, tmp_path)
    assert done.returncode == 0, done.stderr
    assert left_in(tmp_path) == sorted(
        ["glove/glove.6B.100d.txt", QUESTIONS, *(file.target for file in PUBLIC_FILES)]
    )
    both = [(folder / QUESTIONS).read_text().splitlines() for folder in (tmp_path, data_dir)]
    assert both[0][0] == both[1][0] and sorted(both[0]) == sorted(both[1])
    for file in PUBLIC_FILES:
        assert (tmp_path / file.target).read_bytes() == (data_dir / file.target).read_bytes()
    asked = len(mirror.requests)
    again = run_script(mirror, tmp_path)
    assert again.returncode == 0
    assert again.stdout.count("there already") == len(PUBLIC_FILES) + 2
    assert len(mirror.requests) == asked


@pytest.mark.data
def test_the_script_says_in_one_line_what_is_wrong(mirror: Server, tmp_path: Path) -> None:
    address = next(path for path in mirror.files if path.endswith("geo_test.tsv"))
    mirror.files[address] = b"moved\n"
    done = run_script(mirror, tmp_path, "--only", "geogranno")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "geo_test.tsv" in done.stderr and "SHA-256 differs" in done.stderr
    assert not (tmp_path / "geogranno" / "geo_test.tsv").exists()
    assert not [name for name in left_in(tmp_path) if name.endswith(".part")]
    for content, said in (
        (b'["x"]', "no questions of this form"),
        (b"[]", "SHA-256 of the"),
    ):
        mirror.files[f"/{download.QUESTIONS_PATH}"] = content
        done = run_script(mirror, tmp_path, "--only", "geoquery")
        assert done.returncode == 1 and said in done.stderr
        assert not (tmp_path / QUESTIONS).exists()


def test_every_target_and_address_is_distinct_and_pinned() -> None:
    assert len({file.target for file in PUBLIC_FILES}) == len(PUBLIC_FILES) == 35
    assert len({(f.repository, f.revisions, f.path) for f in PUBLIC_FILES}) == len(PUBLIC_FILES)
    for file in PUBLIC_FILES:
        assert len(bytes.fromhex(file.sha256)) == 32
        assert file.revisions[0] not in ("HEAD", "master", "main")
        assert file.target.split("/")[0] in download.PARTS
