from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairseq_twostage import durable
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_columns, read_lines, read_text, sha256, stream_lines
from fairseq_twostage.writing import atomic_write, check_folder, make_folder, staged_folder


def test_text_is_utf8_with_unix_line_ends(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "new" / "file.txt") as file:
        file.write("é\nb\n")
    assert (tmp_path / "new" / "file.txt").read_bytes() == b"\xc3\xa9\nb\n"
    assert os.listdir(tmp_path / "new") == ["file.txt"]


def test_bytes(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "file.bin", "wb") as file:
        file.write(b"\r\n\x00")
    assert (tmp_path / "file.bin").read_bytes() == b"\r\n\x00"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, error: type[BaseException]
) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    with pytest.raises(error), atomic_write(target) as file:
        file.write("half")
        file.flush()
        raise error
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["file.txt"]


def test_failure_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError), atomic_write(tmp_path / "file.txt") as file:
        file.write("half")
        raise ValueError
    assert os.listdir(tmp_path) == []


def test_what_is_in_the_way_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(UserError, match="cannot be written: Is a directory"),
        atomic_write(tmp_path),
    ):
        pytest.fail("opened")
    for path in (tmp_path / "file", tmp_path / "file" / "new" / "folder"):
        with pytest.raises(UserError, match=f"{path}: cannot be written"):
            make_folder(path)
        with pytest.raises(UserError, match=r"file: is a file where a folder is needed"):
            check_folder(path)
    with (
        pytest.raises(UserError, match="cannot be written: Not a directory"),
        atomic_write(tmp_path / "file" / "x" / "y"),
    ):
        pytest.fail("opened")
    check_folder(tmp_path / "new" / "folder")
    assert os.listdir(tmp_path) == ["file"]


def test_readers_see_the_old_file_until_the_end(tmp_path: Path) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    with atomic_write(target) as file:
        file.write("new")
        file.flush()
        assert target.read_text() == "old"
    assert target.read_text() == "new"


def test_mode_follows_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        with atomic_write(tmp_path / "file.txt") as file:
            file.write("text")
    finally:
        os.umask(umask)
    assert (tmp_path / "file.txt").stat().st_mode & 0o777 == 0o640


def tree(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("exchange", [True, False])
def test_a_folder_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    if not exchange:

        def impossible(one: Path, other: Path) -> None:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

        monkeypatch.setattr(durable, "exchange", impossible)
    dest = tmp_path / "dest"
    for content in ("first", "second", "third"):
        with staged_folder(dest) as folder:
            (folder / content).write_text(content)
            durable.install(folder, dest)
        assert tree(dest) == {content: content}
        assert os.listdir(tmp_path) == ["dest"]


def test_what_an_exchange_in_two_steps_left_is_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dest = tmp_path / "dest"
    dest.mkdir()
    (dest / "old").write_text("old")
    before = dest.rename(tmp_path / durable.BEFORE.format("dest"))
    with durable.alone(before):  # its writer lives
        durable.recover(dest)
        assert not dest.exists()
    durable.recover(dest)
    assert tree(dest) == {"old": "old"} and os.listdir(tmp_path) == ["dest"]
    (tmp_path / durable.BEFORE.format("dest")).mkdir()  # killed after both steps
    durable.recover(dest)
    assert tree(dest) == {"old": "old"} and os.listdir(tmp_path) == ["dest"]


KEEPS = """
import sys, time
from pathlib import Path
from typing import Any
from fairseq_twostage import durable
with durable.temporary_folder(Path(sys.argv[1])), durable.temporary_file(Path(sys.argv[1])):
    print("there", flush=True)
    time.sleep(60)
"""


def test_left_over_temporaries_are_swept_and_those_in_use_are_not(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", KEEPS, str(tmp_path / "dest")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "there\n"
    kept = sorted(os.listdir(tmp_path))
    (tmp_path / ".dest.swp").touch()  # somebody else's
    durable.sweep(tmp_path, durable.BESIDE)
    assert sorted(os.listdir(tmp_path)) == sorted([*kept, ".dest.swp"]) and len(kept) == 2
    process.kill()
    process.communicate()
    durable.sweep(tmp_path, durable.BESIDE)
    assert os.listdir(tmp_path) == [".dest.swp"]


def test_lines_of_several_processes_and_after_half_a_line(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("half")
    code = (
        "import sys; from pathlib import Path; from fairseq_twostage.writing import append_line\n"
    )
    code += "for number in range(50): append_line(Path(sys.argv[1]), sys.argv[2] * 2000)"
    command = [sys.executable, "-c", code, str(path)]
    writers = [subprocess.Popen([*command, letter]) for letter in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    lines = path.read_text().splitlines()
    assert sorted(lines) == ["a" * 2000] * 50 + ["b" * 2000] * 50 + ["half"]


def test_sha256_of_a_known_message(tmp_path: Path) -> None:
    # FIPS 180-2, appendix B.1 and B.3: "abc", and a million times "a".
    (tmp_path / "abc").write_bytes(b"abc")
    (tmp_path / "million").write_bytes(b"a" * 1_000_000)
    assert sha256(tmp_path / "abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
    assert sha256(tmp_path / "million") == (
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    )


def test_lines_without_the_mark_of_utf8_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\xff\x0b\xe2\x80\xa8")
    assert list(stream_lines(str(path))) == ["one\r", "\udcff\x0b\u2028"]
    with pytest.raises(UserError, match=r"file\.txt:2: not UTF-8"):
        list(stream_lines(str(path), "strict"))


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"\xef\xbb\xbfa\r\nb", ["a", "b"]),
        (b"a\n\xef\xbb\xbfb\n", ["a", "b"]),  # two files, one behind the other
        (b"\n\xc3\xa9\x85\xe2\x80\xa8\n".replace(b"\x85", b"\xc2\x85"), ["", "é\x85\u2028"]),
        (b"", []),
    ],
)
def test_lines_of_any_editor(tmp_path: Path, content: bytes, lines: list[str]) -> None:
    (tmp_path / "text").write_bytes(content)
    assert read_lines(tmp_path / "text") == lines
    assert read_text(tmp_path / "text").split("\n")[: len(lines)] == lines


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\n".encode("utf-16"), "text: is UTF-16 text; save it as UTF-8"),
        ("a\n".encode("utf-16-be"), "text:1: holds a NUL"),
        (b"a\nb\0\n", "text:2: holds a NUL"),
        (b"a\n\xff\n", r"text:2: not UTF-8 text \(byte 1"),
        (b"a\rb\r", "text:1: holds a carriage return"),
        (b"SQLite format 3\0\x10", "is an SQLite database"),
        (b"PK\x03\x04\n", "is a ZIP archive"),
    ],
)
@pytest.mark.parametrize("read", [read_lines, read_text])
def test_what_is_no_text_is_told(
    tmp_path: Path, read: Callable[[Path], object], content: bytes, message: str
) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(UserError, match=message):
        read(tmp_path / "text")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/dev/zero", "Is no regular"),
        ("/", "Is a dir"),
        ("/none", "no such"),
        ("\0", "name"),
    ],
)
def test_only_files_are_read(path: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_text(path)
    with pytest.raises(UserError, match="larger than 2 bytes"):
        read_text(__file__, 2)


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("a\tb\t\t ", ["a", "b"]),
        ("a\t", ["a", ""]),
        ("a\tb\tc\t", ["a", "b", "c"]),
        (' "a" \t"say ""b"" now"', ["a", 'say "b" now']),
        ('"a" and "b"\t7" pipe', ['"a" and "b"', '7" pipe']),
    ],
)
def test_columns_as_a_spreadsheet_means_them(tmp_path: Path, line: str, columns: list[str]) -> None:
    path = tmp_path / "table.tsv"
    path.write_text(f"\n \t\n{line}\n")
    assert list(read_columns(path, 2, 3)) == [(f"{path}:3", columns)]
    for bad, message in (('"a\tb', "is not closed"), ("a\tb\tc\td", r"columns \(x, y\), found 4")):
        path.write_text(f"{line}\n{bad}\n")
        with pytest.raises(UserError, match=rf"table\.tsv:2: .*{message}"):
            list(read_columns(path, 2, 3, names="x, y"))


def test_a_folder_swept_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may take it for left over between the two."""
    made: list[Path] = []
    make = tempfile.mkdtemp

    def swept_once(**how: Any) -> str:
        folder = make(**how)
        made.append(Path(folder))
        if len(made) == 1:
            Path(folder).rmdir()
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", swept_once)
    with durable.temporary_folder(tmp_path / "data") as folder:
        assert folder == made[1] and folder.is_dir()
    assert not any(tmp_path.iterdir())
