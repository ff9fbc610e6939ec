"""A file that is no whole checkpoint is one line, and no code of it runs."""

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
import torch

from fairseq_twostage.checkpoint_reading import load_state
from fairseq_twostage.errors import UserError


class Code:
    def __reduce__(self) -> Any:
        return os.mkdir, ("it-ran",)


def saved(path: Path, value: object) -> bytes:
    torch.save(value, path)
    return path.read_bytes()


@pytest.mark.parametrize("place", range(0, 1000, 97))
def test_a_changed_byte(tmp_path: Path, place: int) -> None:
    path = tmp_path / "checkpoint_last.pt"
    content = bytearray(saved(path, {"model": {"a": torch.arange(5000.0)}}))
    assert load_state(path)["model"]["a"][7] == 7
    content[place * len(content) // 1000] ^= 16
    path.write_bytes(content)
    try:
        found = load_state(path)["model"]["a"]  # a byte that nobody reads, as a time
        assert torch.equal(found, torch.arange(5000.0))
    except UserError as error:
        assert str(error).startswith(f"{path}: damaged") and "\n" not in str(error)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "damaged, or no checkpoint"),
        (b"hello\n", "damaged, or no checkpoint"),
        (pickle.dumps(Code(), protocol=4), "unsafe or damaged: a pickle"),
        (pickle.dumps(Code(), protocol=2), "unsafe: loading it would call posix.mkdir"),
        ({"model": Code()}, "unsafe: loading it would call posix.mkdir"),
        ([1], "a list and no checkpoint"),
    ],
)
def test_what_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "checkpoint_last.pt"
    path.write_bytes(content) if isinstance(content, bytes) else saved(path, content)
    with pytest.raises(UserError) as caught:
        load_state(path)
    assert str(caught.value).startswith(f"{path}: {message}") and "\n" not in str(caught.value)
    assert not (tmp_path / "it-ran").exists()
