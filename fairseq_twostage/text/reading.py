"""What the models read of a text: its tokens, entities replaced by placeholders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from fairseq_twostage.errors import UserError
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.function_words import DRAWN_IN, FUNCTION_WORDS
from fairseq_twostage.text.lexicon import Reading
from fairseq_twostage.text.misspelt_words import MisspeltWords
from fairseq_twostage.text.names import MOST_SIMILAR, Guess, NameGuesser
from fairseq_twostage.text.placeholders import is_placeholder, parts_of, placeholders_for
from fairseq_twostage.text.senses import senses
from fairseq_twostage.text.spelling import DomainSpelling
from fairseq_twostage.text.tokenisation import MAX_WORDS, Words
from fairseq_twostage.text.usual_asking import usually_asked
from fairseq_twostage.text.utterance import Utterance
from fairseq_twostage.text.word_forms import base, stems


@dataclass(frozen=True)
class _Mended:
    """Words, and what was guessed in them; see :class:`Utterance`."""

    text: str
    corrected: Mapping[str, str] = field(default_factory=dict)
    similar: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class UtteranceReader:
    """Spelling and tokens as the domain's data has them, and its lexicon.

    Args:
        vocabulary: the tokens that the encoder knows.
        frontend: of the domain.
    """

    def __init__(self, vocabulary: Collection[str], frontend: Frontend) -> None:
        self.vocabulary = set(vocabulary)
        self.frontend = frontend
        self._known = {stem for word in self.vocabulary for stem in stems(base(word))}
        self._in_words = isinstance(frontend.tokeniser, Words)
        phrases = set[str]().union(*frontend.names.senses)
        self._spelling = DomainSpelling(self.vocabulary | phrases)
        self._meant = MisspeltWords(self.vocabulary)
        self._guesses = NameGuesser(frontend.names, self.vocabulary | FUNCTION_WORDS)

    def __call__(self, text: str, variables: Mapping[str, str] | None = None) -> Utterance:
        """Read a text.

        Args:
            text: as typed.
            variables: values of the placeholders that the text itself has; with any given, the
                lexicon is not consulted.

        Raises:
            UserError: there is no word in it, or too many, or a variable is no placeholder.
        """
        for name in variables or ():
            if not is_placeholder(name):
                raise UserError(f"{name[:60]!r} is no placeholder, as _film_ is one", "variables")
        found = self._read(text, variables)
        return found if variables else self.in_all_senses(found)

    def in_all_senses(self, utterance: Utterance) -> Utterance:
        """With :attr:`Utterance.senses`, where the lexicon has some."""
        if self.frontend.lexicon is None or not utterance.variables:
            return utterance
        others = senses(utterance, self.frontend, self.vocabulary)
        return replace(utterance, senses=tuple(map(self._with_unknown, others)))

    def rewriting(self, text: str, of: Utterance) -> Utterance:
        """Read a canonical utterance that is to rewrite another one.

        Entities have the placeholders that they have there; of the senses of a phrase those that
        are meant there go first.

        Raises:
            UserError: there is no word in it, or too many.
        """
        return self._read(text, None, of.variables.values()).with_placeholders_of(of)

    def _read(
        self,
        text: str,
        variables: Mapping[str, str] | None,
        rewrites: Collection[str] | None = None,
    ) -> Utterance:
        meant = rewrites or ()
        words = self.frontend.words(text)
        count = len(words.split())
        if not any(character.isalnum() for character in words):
            raise UserError("no words to parse")
        if count > MAX_WORDS:
            raise UserError(f"{count} words are too many; at most {MAX_WORDS} can be parsed")
        guessing = self._in_words and not variables
        mended = _Mended(words)
        if guessing:
            mended = self._mended(mended, self._guesses.around)
        found = Reading(mended.text, dict(variables or {}), {})
        if not variables:
            found = self._named(found, meant)
        if self._in_words:
            spelled = self._spelling(found.utterance)
            if spelled != found.utterance:  # a name may have been hidden behind a mark
                found = self._named(replace(found, utterance=spelled), meant)
        if guessing:
            mended = self._mended(replace(mended, text=found.utterance), self._guesses)
            if mended.text != found.utterance:  # read anew: names are numbered in their order
                in_words = self.frontend.phrase_words
                names = {name: in_words(phrase) for name, phrase in found.phrases.items()}
                pieces = (names.get(word, word) for word in mended.text.split())
                again = self._named(Reading(" ".join(pieces), {}, {}), meant)
                found = replace(again, values=found.values)
        found = replace(found, utterance=self._parted(found.utterance))
        if self.frontend.asks_as_schemas and rewrites is None:
            found = replace(found, utterance=usually_asked(found.utterance))
        slips = self._slips(found.utterance)
        said = {
            name: self.called.get(constant) or _said(constant)
            for name, constant in found.variables.items()
        }
        read = Utterance(
            text,
            self.frontend.encode(
                " ".join(slips.get(word, word) for word in found.utterance.split())
            ),
            found.variables,
            {**said, **found.phrases},
            corrected={**mended.corrected, **slips},
            similar=mended.similar,
            values=found.values,
        )
        return self._with_unknown(read)

    def _parted(self, words: str) -> str:
        """Words with hyphens that the domain has as several: *no-shows*."""
        if not self._in_words:
            return words
        parts = {
            word: word.split("-")
            for word in words.split()
            if "-" in word and word not in self.vocabulary and not is_placeholder(word)
        }
        known = {
            word: " ".join(of)
            for word, of in parts.items()
            if all(each in self.vocabulary or base(each) in self._known for each in of)
        }
        return " ".join(known.get(word, word) for word in words.split()) if known else words

    def _slips(self, words: str) -> dict[str, str]:
        """The domain's words that are meant by others."""
        if not self._in_words:
            return {}
        unknown = {word for word in words.split() if word not in self.vocabulary}
        meant = {word: self._meant(word) for word in unknown if base(word) not in self._known}
        return {word: known for word, known in meant.items() if known is not None}

    def _with_unknown(self, read: Utterance) -> Utterance:
        if not self._in_words:
            return read
        unknown = [token for token in read.tokens.split() if token not in self.vocabulary]
        names = list(filter(is_placeholder, unknown))
        dull = {*names, *DRAWN_IN}
        words = (word for word in unknown if word not in dull and base(word) not in self._known)
        return replace(
            read,
            unknown=tuple(dict.fromkeys(words)),
            unseen={self.write_out(name, read): _place(name) for name in names},
        )

    def _mended(
        self, found: _Mended, guesses: Callable[[Sequence[str]], Iterator[Guess]]
    ) -> _Mended:
        """With names that were misspelt or typed in part; which these are, which are unclear."""
        words, written = found.text.split(), list[str]()
        corrected, similar = {**found.corrected}, {**found.similar}
        done = 0
        for start, end, entries in guesses(words):
            typed = self.frontend.tokeniser.join(words[start:end])
            written += words[done:start]
            if len(entries) == 1:
                corrected[typed] = entries[0].phrase
                written += self.frontend.phrase_words(entries[0].phrase).split()
            else:
                similar[typed] = tuple(entry.phrase for entry in entries[:MOST_SIMILAR])
                written += words[start:end]
            done = end
        return _Mended(" ".join(written + words[done:]), corrected, similar)

    def _named(self, found: Reading, meant: Collection[str]) -> Reading:
        """With the lexicon's entities, too, under placeholders that are free."""
        if not self.frontend.has_names:
            return found
        words = found.utterance.split()
        there = {f"\0{place}": word for place, word in enumerate(words) if is_placeholder(word)}
        hidden = [f"\0{place}" if is_placeholder(w) else w for place, w in enumerate(words)]
        read = self.frontend.names.read(" ".join(hidden), meant)
        renamed = placeholders_for(read.variables, found.variables, there.values())
        back = renamed | there
        return Reading(
            " ".join(back.get(word, word) for word in read.utterance.split()),
            {**found.variables, **{renamed[name]: read.variables[name] for name in renamed}},
            {**{renamed[name]: read.phrases[name] for name in renamed}, **found.phrases},
            {**found.values, **read.values},
        )

    def write_out(self, tokens: str, utterance: Utterance) -> str:
        """Tokens that the first stage wrote as text, the utterance's phrases put back.

        An entity that the utterance does not have is *some* one of its type.
        """
        words = self.frontend.tokeniser.decode(tokens).split()
        missing = {word for word in words if is_placeholder(word)} - utterance.phrases.keys()
        named = {word: f"some {parts_of(word)[0].replace('_', ' ')}" for word in missing}
        return self.frontend.write_out(tokens, {**utterance.phrases, **named})

    def with_examples(self, tokens: str) -> str | None:
        """A canonical utterance in words, names of the lexicon in place of its placeholders.

        None where the lexicon names nothing of a type that it has.
        """
        words = self.frontend.tokeniser.decode(tokens).split()
        phrases: dict[str, str] = {}
        for place, word in enumerate(words):
            if not is_placeholder(word):
                continue
            type, number = parts_of(word)
            behind = words[place + 1 : place + 2]
            names = self._names.get(type) or self.frontend.example_values(type, behind)
            if number > len(names):
                return None
            phrases[word] = names[number - 1]
        return self.frontend.write_out(tokens, phrases)

    @cached_property
    def called(self) -> Mapping[str, str]:
        """The first phrase of each constant of the lexicon."""
        lexicon = self.frontend.lexicon
        return {
            entry.constant: self.frontend.shown(entry)
            for entry in reversed(lexicon.entries if lexicon else ())
        }

    @cached_property
    def _names(self) -> Mapping[str, Sequence[str]]:
        """By type a phrase for each of its constants, in the order of the lexicon."""
        lexicon = self.frontend.lexicon
        found: dict[str, dict[str, str]] = {}
        for entry in lexicon.entries if lexicon else ():
            found.setdefault(entry.type, {}).setdefault(entry.constant, self.frontend.shown(entry))
        return {type: list(phrases.values()) for type, phrases in found.items()}


def _place(name: str) -> str:
    """What a placeholder stands for: ``animal``, ``second animal``."""
    type, number = parts_of(name)
    nth = ("", "second ", "third ")[number - 1] if number <= 3 else f"{number}th "
    return nth + type.replace("_", " ")


def _said(constant: str) -> str:
    """Words for a constant of which no phrase is known: ``fb:en.state.new_york``, new york."""
    return constant.rpartition(".")[2].replace("_", " ") or constant
