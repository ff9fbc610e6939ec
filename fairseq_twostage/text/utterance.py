"""What was read of a text: its tokens, its names, what was not understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fairseq_twostage.text.placeholders import placeholders_for


@dataclass(frozen=True)
class Utterance:
    """A text made ready for the first stage.

    Attributes:
        text: as it was typed.
        tokens: what the encoder reads.
        variables: placeholder -> logical constant.
        phrases: placeholder -> the words it stands for.
        unknown: words that the model has seen in neither number nor person.
        unseen: likewise names, each with what it is here, as ``second animal``.
        corrected: names that were misspelt or typed in part, and misspelt words of the domain,
            with what they were read as.
        similar: what may be a name of several things, with phrases of the nearest ones.
        senses: the same with other things that its names are, too.
        names_as_words: whether some of its names are read as words of the domain.
        values: words that say a number, a date or a time, with what was read.
    """

    text: str
    tokens: str
    variables: Mapping[str, str] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)
    similar: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unseen: Mapping[str, str] = field(default_factory=dict)
    senses: tuple[Utterance, ...] = field(default=(), repr=False)
    names_as_words: bool = False
    values: Mapping[str, str] = field(default_factory=dict)

    def with_placeholders_of(self, other: Utterance) -> Utterance:
        """The same, each entity under the placeholder that it has in ``other``.

        One that ``other`` lacks gets a placeholder that ``other`` leaves free.
        """
        renamed = placeholders_for(self.variables, other.variables)
        tokens = " ".join(renamed.get(token, token) for token in self.tokens.split())
        variables = {renamed[name]: value for name, value in self.variables.items()}
        phrases = {renamed[name]: phrase for name, phrase in self.phrases.items()}
        return replace(
            self,
            tokens=tokens,
            variables={**variables, **other.variables},
            phrases={**phrases, **other.phrases},
        )
