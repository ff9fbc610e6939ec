"""From what a user types to the tokens that the models read, and back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from fairseq_twostage.errors import UserError
from fairseq_twostage.text.normalisation import tokenize_utterance
from fairseq_twostage.text.scripts import apart, closed_up, without_invisible

WORDS, BLANKS, SENTENCEPIECE = "words", "blanks", "sentencepiece"
TOKENISATIONS = (WORDS, BLANKS, SENTENCEPIECE)
DEFAULT_PIECES = 500
MAX_WORDS = 200  # of an utterance
_WORD_START = "\u2581"
_FOLDED = str.maketrans("‘’‚‛′´ʼʹ`‐‑‒–−—™®©⁄", "'''''''''-----    /") | {
    ord("≥"): ">=",
    ord("≤"): "<=",
}
_RAISED = "".join(c for c in map(chr, range(0x1FFFF)) if unicodedata.category(c) == "No")
_AFTER_DIGIT = re.compile(rf"(?<=\d)(?=[{_RAISED}])")  # 8½ and 10² are not 81/2 and 102
_MARKS = re.escape(".,:'/&()%$€£¥+#<>=-")  # those that may be part of a token, or one
_LETTER = f"[^\\s{_MARKS}]"  # no \\w: that leaves out the vowel signs of many scripts
_QUOTED = re.compile(rf"(?<!{_LETTER})'([^']*)'(?!{_LETTER})")
_PLURAL_POSSESSIVE = re.compile(rf"(?<=s)'(?!{_LETTER})")
_COMPARING = frozenset("<>=+!≠")  # names of a lexicon hardly ever have one
_NOT = re.compile(r"!=|<>|≠|(?<![^\s(])!(?=\w)")
_VALUE = r"((?:[$€£¥] )?\d\S*)(?!\S)"
_SIGNS = tuple(
    (re.compile(rf"(?<!\S){pattern}"), said)
    for pattern, said in (
        (rf"(?:> =|= >) {_VALUE}", r"at least \1"),
        (rf"(?:< =|= <) {_VALUE}", r"at most \1"),
        (rf"> {_VALUE}", r"more than \1"),
        (rf"< {_VALUE}", r"less than \1"),
        (rf"{_VALUE}(?: \+)+(?! \S*\d)", r"at least \1"),
    )
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TOKEN = re.compile(
    rf"'s(?!{_LETTER})"  # the possessive stands apart
    rf"|(?:[cdjlmnst]|qu)(?='{_LETTER})(?!'s(?!{_LETTER}))"  # l'âge, d'Artagnan
    rf"|(?:-(?=\d))?{_LETTER}+(?:(?:[.&-]|'(?!s(?!{_LETTER}))|(?<=\d)[,:/](?=\d)){_LETTER}+)*"
    rf"(?:(?<=[^\W\d_])[+#]+(?!{_LETTER})|(?<=(?<![^\s(])[a-z])-(?!{_LETTER}|-))?"  # C++, F#, A-
    r"|[()%&$€£¥+<>=]"
)


class Tokeniser(Protocol):
    """Text in, tokens separated by single blanks out."""

    def words(self, text: str) -> str:
        """The words of what somebody typed, in which entities are looked for."""

    def encode(self, text: str) -> str:
        """The tokens of a text of words."""

    def decode(self, tokens: str) -> str:
        """The text of tokens."""

    def join(self, words: Iterable[str]) -> str:
        """The text of words, with blanks where people write some."""


class Words:
    """For text as people type it: lower case, words apart from the marks around them.

    Comparisons by marks are said: "> 4", more than 4; "18+", at least 18. Marks of numbers and
    round brackets are tokens, ``'s`` is one; the other marks go, but for those inside a word.
    Written forms of one character (quotes, dashes, full-width letters, composed accents) are one.
    Text of scripts that are written without blanks is cut into characters. Tokens stay what they
    are when they are read again.
    """

    def words(self, text: str) -> str:
        """See :class:`Tokeniser`."""
        text = _AFTER_DIGIT.sub(" ", without_invisible(text).translate(_FOLDED))
        text = unicodedata.normalize("NFKC", text).translate(_FOLDED).lower().replace("ß", "ss")
        signs = not _COMPARING.isdisjoint(text)
        if signs:
            text = _NOT.sub(" not ", text)
        text = apart("".join(c if _is_kept(c) else " " for c in text))
        text = _PLURAL_POSSESSIVE.sub(" 's", _QUOTED.sub(r" \1 ", text))
        words = " ".join(_TOKEN.findall(_THOUSANDS.sub("", text)))
        for sign, said in _SIGNS if signs else ():
            words = sign.sub(said, words)
        return words

    def encode(self, text: str) -> str:
        """See :class:`Tokeniser`."""
        return self.words(text)

    def decode(self, tokens: str) -> str:
        """See :class:`Tokeniser`."""
        return closed_up(tokens)

    def join(self, words: Iterable[str]) -> str:
        """See :class:`Tokeniser`."""
        return closed_up(" ".join(words))


def _is_kept(character: str) -> bool:
    """Letters, digits, vowel signs, and the marks that may be part of a token."""
    return unicodedata.category(character)[0] in "LNM" or character in "_.,:'/&()%$€£¥+#<>=-"


class Blanks(Words):
    """For text that is tokenised already: lower-case, round brackets apart, nothing else."""

    def words(self, text: str) -> str:
        """See :class:`Tokeniser`."""
        return tokenize_utterance(text)

    def encode(self, text: str) -> str:
        """See :class:`Tokeniser`."""
        return tokenize_utterance(text)

    def decode(self, tokens: str) -> str:
        """See :class:`Tokeniser`."""
        return tokens

    def join(self, words: Iterable[str]) -> str:
        """See :class:`Tokeniser`."""
        return " ".join(words)


def count_words(text: str, tokenisation: str) -> int:
    """How many words a text has; what counts for :data:`MAX_WORDS`."""
    cut = Blanks() if tokenisation == BLANKS else Words()
    return len(cut.words(text).split())


class Pieces:
    """Subwords of a sentencepiece model, as fairseq's ``--bpe sentencepiece`` makes them.

    Args:
        model: the model's bytes.
    """

    def __init__(self, model: bytes) -> None:
        self.model = model
        self._processor: Any = _sentencepiece().SentencePieceProcessor(model_proto=model)

    @classmethod
    def load(cls, path: Path) -> Pieces:
        """Read a model's file.

        Raises:
            UserError: it cannot be read or is no model.
        """
        try:
            return cls(path.read_bytes())
        except OSError as error:
            raise UserError(f"cannot be read: {error.strerror}", where=str(path)) from None
        except RuntimeError:
            raise UserError("not a sentencepiece model", where=str(path)) from None

    def words(self, text: str) -> str:
        """See :class:`Tokeniser`."""
        return Words().words(text)

    def encode(self, text: str) -> str:
        """See :class:`Tokeniser`; the model itself folds case."""
        return " ".join(self._processor.encode(closed_up(self.words(text)), out_type=str))

    def decode(self, tokens: str) -> str:
        """See :class:`Tokeniser`."""
        return tokens.replace(" ", "").replace(_WORD_START, " ").strip()

    def join(self, words: Iterable[str]) -> str:
        """See :class:`Tokeniser`."""
        return closed_up(" ".join(words))


def train_pieces(lines: Iterable[str], size: int, whole: Sequence[str] = ()) -> Pieces:
    """A unigram model of the lines; the same lines give the same bytes.

    Args:
        lines: tokenised utterances.
        size: pieces at most: fewer when the lines do not have so many.
        whole: words that are never cut, such as placeholders.

    Raises:
        UserError: the size does not even cover the letters.
    """
    from io import BytesIO

    model = BytesIO()
    try:
        _sentencepiece().SentencePieceTrainer.train(
            sentence_iterator=iter(sorted(map(closed_up, lines))),
            model_writer=model,
            vocab_size=size,
            hard_vocab_limit=False,
            character_coverage=1.0,
            normalization_rule_name="nmt_nfkc_cf",
            user_defined_symbols=list(whole),
            num_threads=1,
            minloglevel=2,
        )
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise UserError(f"sentencepiece cannot be trained: {reason}", where="pieces") from None
    return Pieces(model.getvalue())


def _sentencepiece() -> Any:
    try:
        import sentencepiece
    except ImportError:
        raise UserError(
            "sentencepiece is not installed: pip install sentencepiece", where="tokenisation"
        ) from None
    return sentencepiece
