"""Words of a question for which its answer speaks, though nothing that was understood has them."""

from __future__ import annotations

import re

from fairseq_twostage.inference.answer import answer_values
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.semantics.values import Name, Time
from fairseq_twostage.text.question_words import TOTAL, says_total

_CODE = re.compile(r".*\.[A-Z0-9]{1,5}")
_NAMES = ("name", "names", "title", "titles")
_MADE_THEN = re.compile(
    r"\b(created|held|introduced|launched|made|manufactured|organi[sz]ed|produced|published) "
    r"(?:after|before|between|from|in|since) (?:the )?(?:years? (?:of )?)?_date"
)
_BOTH = re.compile(r"\b_([a-z_]+?)\d*_ (?:[a-z]+ )?and _\1\d*_")


def spoken_for(tokens: str, reading: Reading) -> set[str]:
    """*time* of "what time …", where the answer is one; *names*, of those of things; *altogether*,
    where all are counted; *both*, of two names; *produced* in a year."""
    values = list(answer_values(reading.answer))
    timed = bool(values) and all(isinstance(value, Time) for value in values)
    named = bool(values) and all(isinstance(value, Name) for value in values)
    counts = reading.paraphrase.startswith("how many ") or says_total(reading.paraphrase)
    said = ("time",) if timed and "what time" in tokens else _NAMES if named else ()
    if counts and "different" in tokens.split():  # things are counted once
        said = (*said, "different")
    if named and all(isinstance(value, Name) and _CODE.fullmatch(value.id) for value in values):
        said = (*said, "code", "codes")
    both = ("both",) if _BOTH.search(reading.paraphrase) else ()
    made = _MADE_THEN.findall(tokens) if "year" in reading.paraphrase.split() else ()
    return {*said, *(TOTAL if counts else ()), *both, *made}
