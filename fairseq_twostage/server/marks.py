"""Answers that people marked, as files: what was right is a labelled row for ``prepare``."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import BinaryIO

from fairseq_twostage.durable import append, appending, check_writable, ends_within_a_line
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import load_json
from fairseq_twostage.inference.labels import WRONG_ENDING, check_canonical, check_form
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.semantics.gold_rows import is_gold
from fairseq_twostage.server.growing import whole_lines
from fairseq_twostage.text.normalisation import check_brackets, normalize_logical_form
from fairseq_twostage.text.rows import Row
from fairseq_twostage.text.utterance import Utterance

FORM = "logical_form"  # of a request


class Marks:
    """Two files that grow by a line per mark, from several threads and several servers.

    What is right goes to ``labelled``, a row as ``prepare`` takes them: ``utterance TAB canonical
    TAB logical form TAB variables as JSON``. What is wrong, and so no label, goes to a JSON Lines
    file beside it. A mark that was answered as saved is on the disk.

    Args:
        parser: reads the texts.
        labelled: file of labelled rows; made when first needed.
    """

    def __init__(self, parser: TwoStageParser, labelled: Path) -> None:
        self.parser = parser
        self.labelled = labelled
        self.wrong = labelled.with_name(labelled.name + WRONG_ENDING)
        self._seen: set[str] = set()
        self._known: tuple[int, ...] = ()  # which file was read last, and how long it was
        self._one_thread = threading.Lock()
        try:
            labelled.parent.mkdir(parents=True, exist_ok=True)
            if labelled.exists():
                with appending(labelled) as file:
                    self._read(file)
            else:
                check_writable(labelled.parent)
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"cannot be used for marks: {error}", str(labelled)) from error

    def __len__(self) -> int:
        return len(self._seen)

    def right(self, utterance: str, canonical: str, logical_form: str) -> bool:
        """Save a labelled row; False if it was there already.

        Args:
            utterance: as typed.
            canonical: what it means in canonical words, as typed or as the parser wrote it.
            logical_form: what it means, placeholders or constants in it.

        Raises:
            UserError: a text without words, a form that is none or has no answer, or one that is
                not what the canonical utterance means.
            OSError: it cannot be saved; the file is as it was.
        """
        row, meant = self._row(utterance, canonical, logical_form)
        if not is_gold(row.logical_form):
            try:
                check_form(self.parser, row.logical_form, row.variables)
                check_canonical(self.parser, meant, row)
            except UserError as error:
                raise UserError(str(error), FORM) from None
        line = row.line
        with self._one_thread:
            with appending(self.labelled) as file:
                self._read(file)  # another server may have added to it
                if line in self._seen:
                    return False
                append(file, f"{line}\n".encode())
                known = _identity(file)
            self._seen.add(line)
            self._known = known
        return True

    def is_wrong(self, utterance: str, canonical: str, logical_form: str) -> bool:
        """Remember that this is not what the utterance means; True.

        Raises:
            UserError: a text without words, or a form that is none.
            OSError: it cannot be saved.
        """
        row, _ = self._row(utterance, canonical, logical_form)
        record = {
            "utterance": row.utterance,
            "canonical": row.canonical,
            "logical_form": row.logical_form,
            "variables": dict(row.variables),
        }
        with self._one_thread, appending(self.wrong) as file:
            start = "\n" if ends_within_a_line(file) else ""
            append(file, f"{start}{json.dumps(record, ensure_ascii=False)}\n".encode())
        return True

    def _read(self, file: BinaryIO) -> None:
        """Know every row of the file, and end its last line, before something is added.

        What a killed server left of a row was never answered as saved: it goes to a file beside.
        """
        if self._known == _identity(file):
            return
        content = whole_lines(file, self.labelled, _is_row)
        self._seen = set(content.decode().split("\n")) - {""}
        self._known = _identity(file)

    def _row(self, utterance: str, canonical: str, logical_form: str) -> tuple[Row, Utterance]:
        """A row, and its canonical utterance as it was read."""
        reader = self.parser.reader
        read = reader(utterance)
        meant = reader.rewriting(canonical, read)
        form = normalize_logical_form(logical_form)
        if not form:
            raise UserError("is empty", FORM)
        check_brackets(form, FORM)
        # What the utterance does not name has no placeholder: it stays as it is written.
        foreign = meant.variables.keys() - read.variables.keys()
        phrases = {name: meant.phrases[name] for name in foreign}
        constants = {name: meant.variables[name] for name in foreign}
        names = {constant: name for name, constant in read.variables.items()}
        form = " ".join(names.get(token, constants.get(token, token)) for token in form.split())
        text = reader.frontend.write_out
        z = text(meant.tokens, phrases)
        return Row(text(read.tokens), z, form, dict(read.variables)), meant


def _identity(file: BinaryIO) -> tuple[int, int, int]:
    """What is another as soon as somebody else has written to a file, or replaced it."""
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino, found.st_size


def _is_row(line: bytes) -> bool:
    try:
        *texts, variables = line.decode().split("\t")
        return len(texts) == 3 and isinstance(load_json(variables), dict)
    except ValueError:
        return False
