"""Answers that people marked, as files: what was right is a labelled row for ``prepare``."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.recalibration import WRONG_ENDING
from fairseq_twostage.text.normalisation import check_brackets, normalize_logical_form
from fairseq_twostage.text.rows import Row


class Marks:
    """Two files that grow by a line per mark.

    What is right goes to ``labelled``, a row as ``prepare`` takes them: ``utterance TAB canonical
    TAB logical form TAB variables as JSON``. What is wrong, and so no label, goes to a JSON Lines
    file beside it.

    Args:
        parser: reads the texts.
        labelled: file of labelled rows; made when first needed.
    """

    def __init__(self, parser: TwoStageParser, labelled: Path) -> None:
        self.parser = parser
        self.labelled = labelled
        self.wrong = labelled.with_name(labelled.name + WRONG_ENDING)
        try:
            text = labelled.read_text(encoding="utf-8") if labelled.exists() else ""
            labelled.parent.mkdir(parents=True, exist_ok=True)
            if not os.access(labelled if labelled.exists() else labelled.parent, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"cannot be used for marks: {error}", str(labelled)) from error
        self._seen = set(text.splitlines())
        self._unended = bool(text) and not text.endswith("\n")

    def __len__(self) -> int:
        return len(self._seen)

    def right(self, utterance: str, canonical: str, logical_form: str) -> bool:
        """Save a labelled row; False if it was there already.

        Args:
            utterance: as typed.
            canonical: what it means in canonical words, as typed or as the parser wrote it.
            logical_form: what it means, placeholders or constants in it.

        Raises:
            UserError: a text without words, or a form that is none.
        """
        row = self._row(utterance, canonical, logical_form)
        line = "\t".join((row.utterance, row.canonical, row.logical_form, row.variables_json))
        if line in self._seen:
            return False
        with open(self.labelled, "a", encoding="utf-8", newline="\n") as file:
            file.write(f"{chr(10) * self._unended}{line}\n")
        self._seen.add(line)
        self._unended = False
        return True

    def is_wrong(self, utterance: str, canonical: str, logical_form: str) -> None:
        """Remember that this is not what the utterance means.

        Raises:
            UserError: a text without words, or a form that is none.
        """
        row = self._row(utterance, canonical, logical_form)
        record = {
            "utterance": row.utterance,
            "canonical": row.canonical,
            "logical_form": row.logical_form,
            "variables": dict(row.variables),
        }
        with open(self.wrong, "a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def _row(self, utterance: str, canonical: str, logical_form: str) -> Row:
        reader = self.parser.reader
        read = reader(utterance)
        meant = reader.rewriting(canonical, read)
        form = normalize_logical_form(logical_form)
        if not form:
            raise UserError("the logical form is empty")
        check_brackets(form, "logical form")
        # What the utterance does not name has no placeholder: it stays as it is written.
        foreign = meant.variables.keys() - read.variables.keys()
        phrases = {name: meant.phrases[name] for name in foreign}
        constants = {name: meant.variables[name] for name in foreign}
        names = {constant: name for name, constant in read.variables.items()}
        form = " ".join(names.get(token, constants.get(token, token)) for token in form.split())
        text = reader.frontend.write_out
        return Row(text(read.tokens), text(meant.tokens, phrases), form, dict(read.variables))
