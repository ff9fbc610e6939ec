"""Questions that were asked, as a file that grows: ``twostage serve --log``."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from fairseq_twostage.durable import append, appending, check_writable, ends_within_a_line
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import reason
from fairseq_twostage.inference.question_log import Question, is_question
from fairseq_twostage.server.growing import whole_lines

LOGGER = logging.getLogger(__name__)


class QuestionLog:
    """A file with a line per question; several servers may share it, and it may be deleted.

    Args:
        path: made when first needed.

    Raises:
        UserError: it cannot be written, or is no text.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._said = False  # that it cannot be written
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                with appending(path) as file:
                    whole_lines(file, path, is_question)
            else:
                check_writable(path.parent)
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"cannot be used for the log: {error}", str(path)) from error

    def add(self, questions: Sequence[Question]) -> None:
        """Write the questions; where that fails they are answered all the same, and a line says so.

        What another server, killed within a line, left of it is put aside first.
        """
        if not questions:
            return
        try:
            with appending(self.path) as file:
                if ends_within_a_line(file):
                    whole_lines(file, self.path, is_question)
                append(file, b"".join(question.line() for question in questions))
            self._said = False
        except (OSError, UnicodeDecodeError) as error:
            if not self._said:
                why = reason(error) if isinstance(error, OSError) else "is no text"
                LOGGER.warning("%s: questions are not logged: %s", self.path, why)
            self._said = True
