"""fairseq's own dictionaries and binarizer, the only use of fairseq in this room."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fairseq_twostage.errors import UserError

if TYPE_CHECKING:
    from fairseq.data import Dictionary


def make_dictionary(counts: Mapping[str, int]) -> Dictionary:
    """A fairseq dictionary of every counted word, most frequent first.

    No ``madeupword`` fills it up to a multiple of eight: a decoder must not be able to
    write what its corpus does not hold.
    """
    from fairseq.data import Dictionary

    dictionary = Dictionary()
    for word, count in counts.items():
        dictionary.add_symbol(word, n=count)
    dictionary.finalize(padding_factor=1)
    return dictionary


def load_dictionary(path: Path) -> Dictionary:
    """A dictionary that ``twostage prepare`` wrote.

    Raises:
        UserError: it is not there.
    """
    from fairseq.data import Dictionary

    if not path.is_file():
        raise UserError("not there; run twostage prepare again", str(path))
    return Dictionary.load(str(path))


def binarize(text: Path, prefix: Path, dictionary: Dictionary) -> None:
    """Write ``prefix.bin`` and ``prefix.idx`` (memory-mapped, end of sentence appended)."""
    from fairseq.binarizer import FileBinarizer, VocabularyDatasetBinarizer

    FileBinarizer.multiprocess_dataset(
        str(text),
        "mmap",
        VocabularyDatasetBinarizer(dictionary, append_eos=True),
        str(prefix),
        vocab_size=len(dictionary),
    )
