"""What stands between a user's text and the models: placeholders, then tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from pathlib import Path

from fairseq_twostage.text.function_words import FUNCTION_WORDS, said_as_names
from fairseq_twostage.text.lexicon import Entry, Lexicon, Reading
from fairseq_twostage.text.lexicon_files import read_lexicon, write_lexicon
from fairseq_twostage.text.placeholders import name_of
from fairseq_twostage.text.rows import Row
from fairseq_twostage.text.tokenisation import (
    BLANKS,
    SENTENCEPIECE,
    WORDS,
    Blanks,
    Pieces,
    Tokeniser,
    Words,
)
from fairseq_twostage.text.value_settings import NUMBER, read_settings
from fairseq_twostage.text.values import ValueReader

LEXICON_FILE = "lexicon.tsv"
VALUES_FILE = "values.json"
EXAMPLE_NUMBERS = ("2", "3")
PIECES_FILE = "sentencepiece.model"
_VALUE = re.compile(r"\( ((?:number|date|time) [^()]*) \)")

LONGEST_FUNCTION_WORD = max(map(len, FUNCTION_WORDS)) + 2  # with marks


@dataclass(frozen=True)
class Input:
    """An utterance as the models take it.

    Attributes:
        tokens: what the encoder reads.
        variables: placeholder -> constant, to be filled into the logical form.
        phrases: placeholder -> words, to be put back into canonical utterances.
    """

    tokens: str
    variables: Mapping[str, str]
    phrases: Mapping[str, str]


@dataclass(frozen=True)
class Frontend:
    """A domain's reading of text; ``Frontend()`` takes it as it stands.

    Attributes:
        tokeniser: cuts a text into words.
        lexicon: its names.
        values: its numbers, dates and times.
        asks_as_schemas: whether questions are asked of a schema, whose canonical utterances
            begin in few ways.
    """

    tokeniser: Tokeniser = field(default_factory=Blanks)
    lexicon: Lexicon | None = None
    values: ValueReader | None = None
    asks_as_schemas: bool = False

    @property
    def has_names(self) -> bool:
        """Whether there is anything that becomes a placeholder."""
        return self.lexicon is not None or self.values is not None

    @cached_property
    def names(self) -> Lexicon:
        """The lexicon, its phrases in words as the utterances' are, with the values."""
        entries = self.lexicon.entries if self.lexicon else ()
        return Lexicon(entries, self.phrase_words, self.values)

    @cached_property
    def _small_names(self) -> frozenset[str]:
        """Function words that are the words of a name, too: of the rating *A-*, as well. Text that
        is tokenised already has no capitals to tell them by."""
        if self.lexicon is None or isinstance(self.tokeniser, Blanks):
            return frozenset()
        short = {e.phrase for e in self.lexicon.entries if len(e.phrase) <= LONGEST_FUNCTION_WORD}
        return FUNCTION_WORDS & {*map(self.tokeniser.words, short)}

    def words(self, text: str) -> str:
        """The words of what somebody typed. A function word that is a name, too, is in capitals
        where it is written as one."""
        words = self.tokeniser.words(text)
        if not self._small_names:
            return words
        written = words.split()
        for word, as_names in said_as_names(text, self._small_names).items():
            places = [place for place, each in enumerate(written) if each == word]
            if len(places) != len(as_names):  # a part of another word was counted, too
                as_names = [any(as_names)] * len(places)
            for place in compress(places, as_names):
                written[place] = word.upper()
        return " ".join(written)

    def shown(self, entry: Entry) -> str:
        """A phrase of the lexicon so that it is found when it is read."""
        small = self._is_small(entry.phrase)
        return entry.phrase.upper() if small else entry.phrase

    def phrase_words(self, phrase: str) -> str:
        """The words of a phrase of the lexicon, as :meth:`words` has them."""
        words = self.tokeniser.words(phrase)
        return words.upper() if self._is_small(phrase) else words

    def _is_small(self, phrase: str) -> bool:
        short = bool(self._small_names) and len(phrase) <= LONGEST_FUNCTION_WORD
        return short and self.tokeniser.words(phrase) in self._small_names

    def example_values(self, kind: str, behind: Sequence[str]) -> Sequence[str]:
        """Numbers, dates or times to try, in words; the unit stands behind a number."""
        if self.values is None:
            return ()
        settings = self.values.settings
        if kind != NUMBER:
            return settings.examples.get(kind, ())
        units = (unit for unit in settings.units.values() if [unit.word] == list(behind))
        found = next((unit.examples for unit in units), ())
        return found if len(found) > 1 else EXAMPLE_NUMBERS

    def read(self, text: str) -> Input:
        """What a user typed, in its most likely reading."""
        return next(self.readings(text))

    def readings(self, text: str) -> Iterator[Input]:
        """The readings: several where a phrase names several entities, the likeliest first."""
        for reading in self.names.readings(self.words(text)):
            yield Input(self.encode(reading.utterance), reading.variables, reading.phrases)

    def encode(self, text: str) -> str:
        """Tokens of a text without entities to look for, as a canonical utterance."""
        return self.tokeniser.encode(text)

    def write_out(self, tokens: str, phrases: Mapping[str, str] | None = None) -> str:
        """The text of tokens that a model wrote, its placeholders restored."""
        words = self.tokeniser.decode(tokens).split()
        return self.tokeniser.join((phrases or {}).get(word, word) for word in words)

    def utterance(self, text: str) -> Row:
        """An utterance without annotation as a row."""
        found = self.read(text)
        return Row(found.tokens, "", "", found.variables)

    def row(self, row: Row) -> Row:
        """An annotated row, its entities replaced on all sides unless it has variables already."""
        words = self.words(row.utterance)
        if not self.has_names or row.variables:
            reading = Reading(words, row.variables, {})
        else:
            reading = self.names.read(words)
        form = _with_names(row.logical_form, reading.variables)
        canonical = self.encode(self._abstracted(row.canonical, reading.variables))
        return Row(self.encode(reading.utterance), canonical, form, reading.variables, row.where)

    def apart(self, row: Row) -> Row:
        """The row as :meth:`row` gives it, but the canonical side by itself: its placeholders are
        numbered in its own order, so that they do not tell of the utterance beside it."""
        aligned = self.row(row)
        if not self.has_names or row.variables:
            return aligned
        form = row.logical_form.split()
        reading = self.names.read(self.words(row.canonical), meant=form)
        named = _with_names(row.logical_form, reading.variables)
        return replace(aligned, canonical=self.encode(reading.utterance), logical_form=named)

    def _abstracted(self, canonical: str, variables: Mapping[str, str]) -> str:
        """The canonical utterance with the placeholders that its utterance has."""
        if not self.has_names:
            return canonical
        reading = self.names.read(self.words(canonical))
        names = {name: _named(constant, variables) for name, constant in reading.variables.items()}
        kept = {name: reading.phrases[name] for name in names if names[name] not in variables}
        return " ".join(kept.get(w, names.get(w, w)) for w in reading.utterance.split())

    @property
    def tokenisation(self) -> str:
        """Name of the tokenisation."""
        if isinstance(self.tokeniser, Pieces):
            return SENTENCEPIECE
        return BLANKS if isinstance(self.tokeniser, Blanks) else WORDS

    def write(self, folder: Path) -> None:
        """Put into a folder what :func:`read_frontend` reads."""
        if self.lexicon is not None:
            write_lexicon(self.lexicon, folder / LEXICON_FILE)
        if self.values is not None:
            self.values.settings.write(folder / VALUES_FILE)
        if isinstance(self.tokeniser, Pieces):
            (folder / PIECES_FILE).write_bytes(self.tokeniser.model)


def _named(word: str, variables: Mapping[str, str]) -> str:
    return name_of(word, variables) or word


def _with_names(form: str, variables: Mapping[str, str]) -> str:
    """A logical form with placeholders in place of the constants that they stand for."""
    if any(constant.startswith("(") for constant in variables.values()):
        form = _VALUE.sub(lambda value: name_of(f"({value[1]})", variables) or value[0], form)
    return " ".join(_named(word, variables) for word in form.split())


def read_frontend(folder: Path, tokenisation: str) -> Frontend:
    """The front end whose files :meth:`Frontend.write` put into ``folder``.

    Raises:
        UserError: a file of it is damaged.
    """
    tokeniser: Tokeniser = Words() if tokenisation == WORDS else Blanks()
    if tokenisation == SENTENCEPIECE:
        tokeniser = Pieces.load(folder / PIECES_FILE)
    lexicon, values = folder / LEXICON_FILE, folder / VALUES_FILE
    return Frontend(
        tokeniser,
        read_lexicon(lexicon) if lexicon.is_file() else None,
        ValueReader(read_settings(values)) if values.is_file() else None,
    )
