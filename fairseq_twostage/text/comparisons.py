"""Which comparisons an English utterance makes: at most, before, the most, not …

Similarity hardly tells "at least" from "at most", though they are the whole difference between
two canonical utterances. Comparison words are a small closed class of English, the same in
every domain, so they are listed here once. An utterance in another language makes none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d\S*|_(?:number|date|time)\d*_)"
# Old, new, young and fast are left out: of an age, a date and a speed they say the opposite.
LESS = r"(?:less|lesser|fewer|smaller|shorter|lower|earlier|cheaper|lighter)"
MORE = r"(?:more|larger|greater|bigger|longer|higher|later|taller|wider|deeper|heavier|better)"
BEFORE = r"(?:before|prior|under|below)"
AFTER = r"(?:after|past|over|above|beyond)"
LIMIT = r"(?:is|has|with|of) a"
NEGATION = r"(?:no|not|nothing|none|never|isn't|n't)(?: \w+)?"

# What is found is taken out, so that "no more than" is no "more than": the order counts.
COMPARISONS = {
    "at most": (
        r"at most",
        r"up to",
        r"within",
        rf"{NEGATION} {MORE}(?: than)?",
        rf"{NEGATION} (?:{AFTER}|exceeding)",
        rf"or (?:{LESS}|{BEFORE})(?: to)?",
        r"and (?:earlier|before|below|under|less|fewer|lower)",
        rf"{LESS} than or (?:equal|the same|same)",
        r"(?:before|by) (?:and|or) (?:at|before|by|during|in|on)",
        rf"max(?:imum)?(?: of)? {NUMBER}",
        rf"{NUMBER} (?:\w+ )?(?:max|maximum|tops)",
        rf"{LIMIT} max(?:imum)?(?: of)?",
    ),
    "at least": (
        r"at (?:the )?least",
        r"since",
        r"onwards?",
        rf"from {NUMBER} (?:on|forward)",
        rf"{NEGATION} {LESS}(?: than)?",
        rf"{NEGATION} {BEFORE}",
        rf"or (?:{MORE}|{AFTER}|up)",
        r"and (?:up|above|over|later|after|more|higher)",
        rf"{MORE} than or (?:equal|the same|same)",
        r"after (?:and|or) (?:at|during|in|on)",
        r"(?:at|in|on) (?:and|or) after",
        rf"min(?:imum)?(?: of)? {NUMBER}",
        rf"{NUMBER} (?:\w+ )?(?:min|minimum)",
        rf"{LIMIT} min(?:imum)?(?: of)?",
    ),
    "most": (
        r"most|max|maximum|top|best|latest|the last",
        r"(?:larg|bigg|great|long|high|tall|wid|deep|heavi)est",
    ),
    "least": (
        r"least|min|minimum|cheapest|soonest|the first",
        r"(?:small|short|low|few|narrow|earli|light)est",
    ),
    "less": (rf"{LESS}(?: than)?", r"before|under|below|sooner|narrower|prior(?: to)?"),
    "more": (rf"{MORE}(?: than)?", r"after|over|above|past|beyond|exceed(?:s|ing)?"),
    "not": (
        r"not|no|never|without|except|different|outside|other than",
        r"n't|(?:is|are|was|were|do|does|did|has|have)n'?t",
    ),
}
_PATTERNS = {
    name: re.compile(rf"(?<!\S)(?:{'|'.join(patterns)})(?!\S)")
    for name, patterns in COMPARISONS.items()
}


# Where a number or a date of the question stands in an utterance, more is known of what it says.
# Two marks, since whoever asks for a number is never content with a list, nor the reverse.
HOW_MANY = frozenset(("how many", "a number"))
_VALUE = re.compile(r"(?<!\S)_(number|date|time)\d*_(?!\S)")
_NOT = r"(?:(?:do|does|did|is|are|was|were|wo|ca|should|must)n'?t|cannot|never)(?: \w+)?"
_PLAINLY = (
    (rf"{_NOT} ({MORE} than)", r"no \1"),
    (rf"{_NOT} ({LESS} than)", r"no \1"),
    (rf"{_NOT} (?:exceed|go over|be over)", "no more than"),
    (r"at the most", "at most"),
    (r"since before|pre", "before"),
    (r"post", "after"),
    (r"(?:all the way )?through(?= _)", "at most"),
    (r"(?:until|till|no later than|not after|by(?= _))", "at most"),
)
_OF_A_DATE = ((r"(?:newer|more recent(?:ly)?|younger)", "later"), (r"older", "earlier"))
_OF_A_NUMBER = ((r"older", "more"), (r"(?:younger|newer)", "less"))
_COUNTS = re.compile(r"(?<!\S)(?:how many|number of|count)(?!\S)")


def _with_value(text: str) -> tuple[str, set[str]]:
    """An utterance with a value in plainer words, and whether it asks how many."""
    kinds = set(_VALUE.findall(text))
    changes = _PLAINLY + (_OF_A_DATE if "date" in kinds else _OF_A_NUMBER)
    for pattern, plain in changes:
        text = re.sub(rf"(?<!\S){pattern}(?!\S)", plain, text)
    return text, {*HOW_MANY} if _COUNTS.search(text) else set()


def comparisons(words: Sequence[str]) -> set[str]:
    """Names of the comparisons in an utterance, keys of ``COMPARISONS``.

    Of one with a number, a date or a time of the question, also whether it asks ``how many``.
    """
    rest = " ".join(words)
    found: set[str] = set()
    if _VALUE.search(rest):
        rest, found = _with_value(rest)
    for name, pattern in _PATTERNS.items():
        rest, count = pattern.subn("#", rest)
        if count:
            found.add(name)
    return found
