"""Which comparisons an English utterance makes: at most, before, the most, not …

Similarity hardly tells "at least" from "at most", though they are the whole difference between
two canonical utterances. Comparison words are a small closed class of English, the same in
every domain, so they are listed here once. An utterance in another language makes none.
"""

from __future__ import annotations

import re

from fairseq_twostage.pairing.similarity import Words

NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d\S*)"
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
        rf"{NEGATION} {LESS}(?: than)?",
        rf"{NEGATION} {BEFORE}",
        rf"or (?:{MORE}|{AFTER}|up)",
        r"and (?:up|above|over|later)",
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


def comparisons(words: Words) -> set[str]:
    """Names of the comparisons in an utterance, keys of ``COMPARISONS``."""
    rest, found = " ".join(words), set()
    for name, pattern in _PATTERNS.items():
        rest, count = pattern.subn("#", rest)
        if count:
            found.add(name)
    return found
