"""What questions begin with, said in one way: "return the total number of", how many.

Canonical utterances that a schema makes say it so, and a similarity hears little of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_Instead = str | Callable[[re.Match[str]], str]
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
_NOUN = r"(?!(?:is|was|does|did|do|has|have) )[a-z]+"
_THINGS = rf"(?:(?:which|what) )?({_NOUN}s|{_NOUN} {_NOUN}s|(?<=which ){_NOUN}|(?<=what ){_NOUN})"
_NO_THINGS = r"(?!(?:how|when|where|who|whose|is|was|does|has|the|why|this) )"
_ASKING = rf"(?:(?:just|only|and|also) )*(?:{_SHOWING}|i need)| (?:just|only)(?= the )"
_THEN_ASKED = re.compile(
    rf"^{_NO_THINGS}{_THINGS} (?!of )([a-z_][^?.;:]*?)"
    rf"(?: ?(?:[?.;:]|-)(?P<asking> {_ASKING}| which| what are)?| {_ASKING}) "
    r"(?:the |their |its |his )?"
    r"((?:[a-z]+ )?[a-z]{2,}s|(?<= )[a-z]{3,})"
    r"(?: only| please| of (?:the |those |these )?[a-z]+)?(?: [.?])?$"
)
_BEFORE_IT = re.compile(
    r"(?:with|in|on|at|from|by|over|under|above|below|who|that|whose|where|[a-z]+ing) "
)
_DOES = re.compile(r"(?:do|does|did) (?=(?:the )?_)")
_THANKS = frozenset(("thanks", "cheers", "please", "regards", "ones", "others", "yes", "this"))
_AND_WHO = re.compile(
    r"(?: [,.?;-])* (?:who|which|what) (?:are|is) (?:they|those|these|it)(?: \?)?$"
)
_FIRST_OF_WHAT = re.compile(
    r"^((?:for|of|in|at|from|among|during|since|on) (?:the |all )?(?:[a-z]+ ){0,2}?_[a-z_]+\d*_)"
    r"(?: ,)? ((?:how|what|which|who|when|where|list|show|find|give)\b(?! (?:of|is it)\b).*)$"
)
_NUMBER = re.compile(
    rf"^(?:{_SHOWING} )?(?:what (?:is|are|was|were|s|'s) |whats )?(?:the )?"
    r"(?:total |overall |exact |current )?(?:number|count) of (?:all )?(?:the )?"
)
_COUNT = re.compile(
    r"^(?:(?:please|can you|could you) )*count (?:up )?(?:the )?(?:number of |how many )?(?:all )?"
    r"(?:the )?"
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
_EACH = re.compile(
    r"\b(names?|titles?|ids?) of (?:each|every) "
    r"(?=[a-z]+(?: [a-z]+)? (?:that|which|who|whose|with|in)\b)"
)
_OF_NAMED = re.compile(
    r"\b((?:of|by|in|for|from) the [a-z]+(?: [a-z]+)?) with (?:the )?(?:name|title) "
    r"(_[a-z_]+\d*_)(?!\S)"
)
_OR_LESS, _OR_MORE = (
    re.compile(rf"(?<![a-z])(_number\d*_) or (?:{degrees})\b(?! than\b)")
    for degrees in ("less|fewer", "more")
)
_HOW_MANY = re.compile(r"^how many (?:distinct|unique|various) ")
_SHOW_WHO = re.compile(rf"^{_SHOWING} (?=(?:who|which|what|how|when|where|whose)\b)")
_SHOW = re.compile(
    rf"^{_SHOWING} "
    r"(?=(?:the|all|every|each|me|us|a|an|which|what|who|how|average|mean|total|combined)\b)"
)
_WHOSE = re.compile(
    r"^who (is|are|was|were) (_(?!number|date|time)\w+_) '?s ([a-z]+(?: [a-z]+)?)(?= \?|$)"
)
_WHAT_DOES = re.compile(
    r"^what (?:do|does) (_(?!number|date|time)\w+_) do"
    r"(?: here| for (?:us|a living)| at work)?(?= \?|$)"
)
_WHO_IS = re.compile(r"^(who|what|where|when) ?'s (?!_)")
_MEAN = re.compile(r"(?:(?<=\bthe )|(?<=\bis )|^)mean (?!by\b|that\b|the\b)(?=[a-z_])")
_DEAREST = re.compile(r"\b(?:dearest|priciest|costliest)\b")
_DEARER = re.compile(r"\b(?:dearer|pricier|costlier) than\b")
_LONGEST = re.compile(
    r"\b(?:has|have) (?:been|worked|served) "
    r"(?:(?:with|for) us|here|working (?:here|for us)|in the [a-z]+) "
    r"(?:the |for the )?longest(?: time)?\b"
)
_SPEAK_TO = re.compile(r"^who (?:do|can|should) (?:we|i) (?:speak|talk) to (?=(?:at|in|from) )")
_NO_AMOUNT = (
    r"(?!(?:average|mean|total|sum|highest|lowest|most|least|top|group|show|split|what|which|who|"
    r"how)\b)"
)
_ONE_THING = r"(?:[a-z]+ ){0,3}?[a-z]*(?:[a-rt-z]|ss|us)"
_BY_EACH = re.compile(rf"^{_NO_AMOUNT}((?:[a-z]+ ){{0,2}}?[a-z]+s) by ({_ONE_THING})(?: \?)?$")
_GROUPED = re.compile(
    r"^(?:(?:please|can you|could you) )*(?:break down|group|split)(?: up)? (?:all )?(?:the )?"
    rf"((?:[a-z]+ ){{0,2}}?[a-z]+s) by ({_ONE_THING})(?: and count (?:them|each))?(?: \?)?$"
)
_WANTED = re.compile(
    r"^(?:(?:can|could|may) (?:i|we)|(?:i|we) (?:need|want|(?:would|'d) like)|(?:i|we)'?d like)"
    r"(?: to)?(?: (?:get|have|look at|see|view))? (?=(?:a list|all|each|every|the)\b)"
)
_A_LIST = re.compile(
    rf"^(?:{_SHOWING} |show )?(?:(?:an?|the) )?(?:(?:complete|full) )?(?:list|listing) of "
    r"(?:all )?"
)
_EVERY = re.compile(
    r"^(?:show )?(?:each|every) (?!(?:of|one|single|time)\b)((?:[a-z]+ ){0,2}?)([a-z]+?)"
    r"(s|x|ch|sh|(?<=[^aeiou])y|)"
    r"(?= (?:(?:at|by|for|from|having|in|of|on|that|to|which|who|whose|with)\b|\?)|$)"
)
_DISPLAY = re.compile(r"^(?:display|fetch|retrieve) (?=(?:[a-z_]+ ){0,3}?[a-z]{2,}s\b)")
_ANY_THERE = re.compile(
    r"^(?:are there (?:any )?|any )(.+?) \? (?:please )?(?:list|name|show)(?: me)? (?:them|those)"
    r"(?: [.?])?$"
)
_WE_HAVE = re.compile(
    r"^((?:show|what are) (?:all )?(?:the )?[a-z]+(?: [a-z]+)?)(?: that| which)? "
    r"we (?:have|hold|keep)(?: on (?:file|record))?(?: \?)?$"
)
_WE_HAVE_MANY = re.compile(
    r"^(how many [a-z]+(?: [a-z]+){0,2}?) do we have(?: in (?:all|total)| altogether)?(?= \?|$)"
)
_THAN_ALL = (
    r"than (?:all|any|every)(?:body|one)?(?: of)?(?: the)? (?:else|others?|rest)(?: [a-z]+)?"
)
_MORE_THAN_ALL, _FEWER_THAN_ALL = (
    re.compile(rf"\b(?:{degrees}) ([a-z]+(?: [a-z]+){{0,3}}?) {_THAN_ALL}(?= \?|$)")
    for degrees in ("more", "fewer|less")
)
_EXCEEDS = re.compile(r"\bexceeds (?=(?:the )?_)")
_ABOVE = re.compile(r" (?:in excess of|exceeding|>) (?=(?:the )?(?:_|average\b))")
_BELOW = re.compile(r" < (?=(?:the )?(?:_|average\b))")
_OF_STAFF = re.compile(r"\b(?:member|members|person|people) of (?:the |our )?staff\b")
_LACKING = re.compile(r"\blacking\b")
_CANNOT = (
    r"(?<!^)(?<!\bwhy )\b"
    r"(?:can't|cannot|can not|couldn't|could not|(?:is|are|was|were) unable to)\b"
)
_CANNOT_BE = re.compile(rf"{_CANNOT}(?= be\b)")
_CANNOT_DO = re.compile(rf"{_CANNOT}(?! (?:be|find|see|remember|recall|think)\b)")
_AT_THE_TOP, _AT_THE_BOTTOM = (
    re.compile(
        rf"\b(has|have|with) (?:the )?(?:{degrees}) (?!(?:of|number)\b)"
        r"([a-z]+(?: [a-z]+){0,5})(?= \?|$)"
    )
    for degrees in ("top|maximum|max|peak", "bottom|minimum|min")
)
_HAIRED = re.compile(r"\b([a-z]+)[- ](hair|eye)ed\b")
_LIST = re.compile(
    r"^(?:please )?list (?:out )?(?!(?:price|rate|length|size)s?\b)"
    r"(?=(?:[a-z_]+ ){0,3}?[a-z]{2,}s\b)"
)
_DIFFERENT = re.compile(
    r"(?<!many )(?<!_ )\b(?:all )?(?:the )?(?:different|distinct|unique|various) (?=[a-z]+)"
)


_WHETHER_IT = (
    r"^(?:is it (?:correct|right|the case|true) that|(?:(?:can|could|would) you )?(?:please )?"
    r"(?:check|confirm|find out|say|see|tell me) (?:if|whether)|do you know (?:if|whether)|"
    r"(?:i|we) (?:need|want|would like|'d like) to (?:know|see) (?:if|whether)) "
    r"(_(?!number|date|time)\w+_|(?:the |any |all )?[a-z]+(?: [a-z]+)?) "
)
_WHETHER = re.compile(rf"{_WHETHER_IT}(is|are|was|were|can|did) ")
_WHETHER_HAS = re.compile(rf"{_WHETHER_IT}(?:has|have) ")
_TAGGED = re.compile(
    r"^(_(?!number|date|time)\w+_) (is|was) ([^,?]+?)(?: ,)? (?:correct|right|is n't it|isn't it)"
    r"(?: \?)?$"
)
_OR_NOT = re.compile(r"^((?:is|are|was|were|does|do|did|has|have) .+?)(?: ,)? or not(?= \?|$)")
_BUT_ONES = re.compile(
    r"\b(?:apart from|but not|except(?: for)?|excluding|other than) (?:the )?"
    r"([a-z_-]+(?: [a-z_-]+)?) ones\b"
)


def _several(found: re.Match[str]) -> str:
    """*show all orders* of "show every order"."""
    before, noun, ending = found.groups()
    return f"show all {before}{noun}{'ies' if ending == 'y' else f'{ending}es' if ending else 's'}"


_BEGINNINGS = ((_PREFACE, ""), (_TAIL, ""), (_AND_WHO, ""), (_SHOW_WHO, ""))
_IN_USUAL_WORDS: Sequence[tuple[re.Pattern[str], _Instead]] = (
    (_WHETHER, r"\2 \1 "),
    (_WHETHER_HAS, r"does \1 have "),
    (_TAGGED, r"\2 \1 \3"),
    (_OR_NOT, r"\1"),
    (_BUT_ONES, r"that are not \1"),
    (_FIRST_OF_WHAT, r"\2 \1"),
    (_ANY_THERE, r"show \1"),
    (_WANTED, "show "),
    (_A_LIST, "show "),
    (_WHOSE, r"who \1 the \3 of \2"),
    (_WHAT_DOES, r"what is the job of \1"),
    (_NUMBER, "how many "),
    (_COUNT, "how many "),
    (_OF_NAMED, r"\1 \2"),
    (_EACH, r"\1 of the "),
    (_OR_LESS, r"at most \1"),
    (_OR_MORE, r"at least \1"),
    (_WHO_IS, r"\1 is "),
    (_MEAN, "average "),
    (_HAIRED, r"\1 \2"),
    (_DEAREST, "most expensive"),
    (_DEARER, "more expensive than"),
    (_SPEAK_TO, "who is the contact "),
    (_LONGEST, "is the longest serving"),
    (_GROUPED, r"how many \1 are there for each \2"),
    (_BY_EACH, r"how many \1 are there for each \2"),
    (_MORE_THAN_ALL, r"the most \1"),
    (_FEWER_THAN_ALL, r"the fewest \1"),
    (_EXCEEDS, "is above "),
    (_ABOVE, " above "),
    (_BELOW, " below "),
    (_LACKING, "without"),
    (_CANNOT_BE, "can not"),
    (_CANNOT_DO, "do not"),
    (_OF_STAFF, "staff"),
    (_HOW_MANY, "how many different "),
    (_MOST, "the most "),
    (_FEWEST, "the fewest "),
    (_DIFFERENT, "the "),
    (_SHOW, "show "),
    (_LIST, "show "),
    (_DISPLAY, "show "),
    (_EVERY, _several),
    (_WE_HAVE, r"\1"),
    (_WE_HAVE_MANY, r"\1 are there"),
    (_AT_THE_TOP, r"\1 the highest \2"),
    (_AT_THE_BOTTOM, r"\1 the lowest \2"),
)
"""What is said instead, one after the other: each reads what those before it wrote."""


def usually_asked(words: str) -> str:
    """A question with what it begins with in the words that canonical utterances have.

    Args:
        words: of the question, names replaced by placeholders.
    """
    return _replaced(_asked_after(_replaced(words, _BEGINNINGS)), _IN_USUAL_WORDS)


def _replaced(words: str, instead: Sequence[tuple[re.Pattern[str], _Instead]]) -> str:
    for pattern, text in instead:
        words = pattern.sub(text, words)
    return words


def _asked_after(words: str) -> str:
    """As one question what is asked with a request behind it: "what are the names of films that
    are long", of "which films are long ? give me the names"; others as they are."""
    found = _THEN_ASKED.match(words)
    if found is None:
        return words
    things, said, _, named = found.groups()
    if named.split()[-1] in _THANKS or (named == things and not found["asking"]):
        return words
    that = "" if _BEFORE_IT.match(said) else "that "
    return f"what are the {named} of {things} {that}{_DOES.sub('', said)}"
