"""What questions begin with, said in one way: "return the total number of", how many.

Canonical utterances that a schema makes say it so, and a similarity hears little of it.
"""

from __future__ import annotations

import re

_SHOWING = (
    r"(?:(?:please|kindly|now|can you|could you) )*"
    r"(?:calculate|compute|determine|display|fetch|find(?: out)?|get|give|list(?: out)?|name|"
    r"output|print|provide|report|retrieve|return|select|show|state|tell|i want|we want)"
    r"(?: me| us)?"
)
_PREFACE = re.compile(
    r"^(?:(?:hi|hello|hey|please|so) )*"
    r"(?:(?:i 'm|i'm|im|i am|we are) trying to (?:find out|work out|see|understand)|"
    r"(?:i|we) (?:(?:would|'d) like|want|need) to (?:know|find out|see)|"
    r"(?:i'd|we'd) like to (?:know|find out|see)|(?:do|would) you (?:happen to )?know) "
    r"(?=(?:how|which|what|who|when|where|whether)\b)"
)
_TAIL = re.compile(
    r" (?:(?:can|could) you (?:please )?tell me|do you know|any idea|please)(?: \?)?$"
)
_NUMBER = re.compile(
    rf"^(?:{_SHOWING} )?(?:what (?:is|are|was|were|s|'s) |whats )?(?:the )?"
    r"(?:total |overall |exact |current )?(?:number|count) of (?:all )?(?:the )?"
)
_COUNT = re.compile(
    r"^(?:please )?count (?:up )?(?:the )?(?:number of |how many )?(?:all )?(?:the )?"
)
_MOST, _FEWEST = (
    re.compile(
        rf"\b(?:the )?(?:{degrees}) (?:number|amount|count) of (?:the )?(?=[a-z])(?!times\b)"
    )
    for degrees in (
        "most|greatest|largest|highest|maximum|biggest",
        "least|fewest|smallest|lowest|minimum",
    )
)
_HOW_MANY = re.compile(r"^how many (?:distinct|unique|various) ")
_SHOW = re.compile(rf"^{_SHOWING} (?=(?:the|all|every|each|me|us|a|an|which|what|who|how)\b)")
_DIFFERENT = re.compile(
    r"(?<!many )(?<!_ )\b(?:all )?(?:the )?(?:different|distinct|unique|various) (?=[a-z]+)"
)


def usually_asked(words: str) -> str:
    """A question with what it begins with in the words that canonical utterances have.

    Args:
        words: of the question, names replaced by placeholders.
    """
    asked = _TAIL.sub("", _PREFACE.sub("", words))
    asked = _NUMBER.sub("how many ", asked, count=1)
    asked = _COUNT.sub("how many ", asked, count=1)
    asked = _HOW_MANY.sub("how many different ", asked, count=1)
    asked = _FEWEST.sub("the fewest ", _MOST.sub("the most ", asked))
    asked = _DIFFERENT.sub("the ", asked)
    return _SHOW.sub("show ", asked, count=1)
