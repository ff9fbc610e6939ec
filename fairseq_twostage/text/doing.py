"""Who does what to whom, and what goes from where to where.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re
from itertools import pairwise

from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.word_forms import base, same_root

_AS_THEIR = re.compile(r"\b(?:have|has|with) (_\w+_) as (?:an? |their |its |his |her )?([a-z]+)\b")
_ACTS = re.compile(r"\b(?:does|do|did) (?:the )?(_\w+_) ([a-z]{3,})\b")
_ARE_ROLE = re.compile(r"\b(?:are|is) ([a-z]+) of (_\w+_)")
_DONE_BY_NAME = re.compile(r"\b(?=[a-z]+ by (?:the )?(_\w+_))([a-z]{3,}) by\b")
_ACTED_ON = re.compile(r"(?<!\bhave )(?<!\bhas )(?<!\bwith )\b([a-z]{3,}) (?:to )?(?:the )?(_\w+_)")
_NAME = r"(?:the )?_(?!number|date|time)\w+_"
_WAY = re.compile(rf"\bfrom {_NAME} (?:to|into) {_NAME}")
_GOING = re.compile(
    r"\b(?:bound|deliver\w*|go|goes|going|gone|head\w*|send\w*|sent|ship\w*|travel\w*|went) "
    rf"(?:to|for) {_NAME}"
)
_SAID_END = re.compile(rf"\b(from|to|into) (?:the )?({_NAME})")
_GIVEN_END = re.compile(
    rf"\b(from|origin|departing from|to|destination|arriving at)(?: [a-z]+)? (?:the )?({_NAME})"
)
_FROM = ("from", "origin", "departing from")
_TO_FROM = re.compile(r"\b(?:to|into) from (?:the )?_(?!number|date|time)")
_STARTS = re.compile(r"\b(?:between|from|origin|source|departure|depart\w*|leav\w*|start\w*)\b")
_ENDS = re.compile(r"\b(?:between|to|into|destination|arriv\w*|reach\w*|ends?|ending)\b")
_LIVES = re.compile(rf"who (?:is living|lived?|lives) (?:at|in) {_NAME}")
_AGENTS = ("er", "or")  # with manager _name_, of what _name_ manages
_OWNS = re.compile(
    r"(?:who (?:has|owns)|which (?:land)?(?:lord|owner)s? (?:have|own|with)|"
    r"who is (?!tenant|occup|resident|lodger|inhabitant)[a-z]+ of) "
)
_HAVING = word_set("have has had does did")
_WHERE_DOES = re.compile(rf"where (?:does|do|did|can|will) {_NAME} ([a-z]{{3,}})\b")
_BEING = word_set(
    "belong come fall grow lie live originate reside rise run sit sleep stand start stay take"
)
_IS_DUE = re.compile(r"\b(due|paid) (?:after|before|between|in|on|since) _date")
_LIKE_DUE = {
    "due": re.compile(
        r"\b(?:by|deadline\w*|due|expected|fall\w*|matur\w*|must|ow(?:e[ds]?|ing)|overdue|pay\w*|"
        r"return\w*|till|to be|unpaid|until)\b"
    ),
    "paid": re.compile(
        r"\b(?:c[ao]me|cash\w*|collect\w*|cost\w*|earn\w*|pa(?:y\w*|id)|receiv\w*|settle\w*|spen[dt]\w*|"
        r"t[ao]ken?|took)\b"
    ),
}
_DATE_NOUN = re.compile(r"_date\d*_ ([a-z]+s)\b")
_DONE = re.compile(r"\b([a-z]+(?:ed|rt|de|ld|id)) (?:after|before|between|in|on|since) _date")
_HAPPENING = word_set(
    "arrivals bookings cancellations closings deliveries departures endings hires openings "
    "pickups purchases registrations returns signups starts"
)


def turned_round(tokens: str, paraphrase: str) -> bool:
    """Whether something is done *by* a name, and what was understood has a *by* elsewhere:
    "which members is _member_ referred by" of "who was referred by _member_"; or somebody has a
    name *as their boss*, and what was understood is the boss of that one; or one *reports to* a
    name, and what was understood is whom it reports to; or one is asked whom a name *mentors*, and
    what was understood is their mentor."""
    if role := _AS_THEIR.search(tokens):
        of = re.search(rf"\b([a-z]+) of {role[1]}", paraphrase)
        if of is not None and base(of[1]) == of[1]:
            return True
    if (role := _ARE_ROLE.search(paraphrase)) and any(
        name == role[2] and same_root(verb, role[1])
        for name, verb in (*_ACTS.findall(tokens), *_DONE_BY_NAME.findall(tokens))
    ):
        return True
    if _acts_and_is_acted_on(tokens, paraphrase) or _acts_and_is_acted_on(paraphrase, tokens):
        return True
    words = paraphrase.split()
    by = {name for before, name in pairwise(words) if before == "by"}
    agents = [name for before, name in pairwise(tokens.split()) if before == "by"]
    return "by" in words and any(
        name.startswith("_") and name in words and name not in by for name in agents
    )


def _acts_and_is_acted_on(one: str, other: str) -> bool:
    """Whether a name does in one text what is done to it in the other."""
    acts = {name: verb for name, verb in _ACTS.findall(one) if verb not in _HAVING}
    return any(
        name in acts
        and name not in dict(_ACTS.findall(other))
        and same_root(verb, acts[name])
        and not (verb.endswith(_AGENTS) and len(verb) > len(acts[name]))
        for verb, name in _ACTED_ON.findall(other)
        if verb not in _HAVING
    )


def lives_otherwise(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks who lives at a name, and what was understood who has it."""
    return bool(_LIVES.match(tokens)) and bool(_OWNS.match(paraphrase))


def places_otherwise(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks where a name does something, "where does _act_ play", and what was
    understood where it is."""
    found = _WHERE_DOES.match(tokens)
    return found is not None and found[1] not in _BEING and paraphrase.startswith("where is ")


def adds_due(tokens: str, paraphrase: str) -> str | None:
    """``due``, or ``paid``, where what was understood is so at a time, and the question says
    nothing like it."""
    found = _IS_DUE.search(paraphrase)
    return found[1] if found and not _LIKE_DUE[found[1]].search(tokens) else None


def happens_otherwise(tokens: str, paraphrase: str) -> str | None:
    """``departures`` of "_date_ departures", where what was understood is what was *booked*
    then."""
    found = _DATE_NOUN.search(tokens)
    if found is None or found[1] not in _HAPPENING or not _DONE.search(paraphrase):
        return None
    words = paraphrase.split()
    return None if any(same_root(base(found[1]), word) for word in words) else found[1]


def misses_way(tokens: str, paraphrase: str) -> bool:
    """Whether a question is from one name to another, and what was understood is not of a way."""
    starts = _STARTS.search(paraphrase)
    if _TO_FROM.search(tokens):  # where one can go from a name
        return not starts
    return bool(_WAY.search(tokens)) and not (starts and _ENDS.search(paraphrase))


def goes_otherwise(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of what comes from a name, and what was understood of what goes there;
    or the other way round."""
    said = {name: end for end, name in _SAID_END.findall(tokens)}
    given = {name: end for end, name in _GIVEN_END.findall(paraphrase)}
    return any(
        (end == "from") is not (given[name] in _FROM) for name, end in said.items() if name in given
    )


def misses_destination(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of what goes to a name, and what was understood does not go there."""
    return bool(_GOING.search(tokens)) and not _ENDS.search(paraphrase)


_NEVER_DONE = re.compile(r"\bnever (?:been )?([a-z]+(?:ed|own|old|ght|ent|en|ut|ead))\b")
_DONE_ALIKE = (
    word_set("bought ordered purchased sold"),
    word_set("booked borrowed hired lent loaned rented reserved used"),
    word_set("displayed exhibited presented screened shown"),
    word_set("marked rated reviewed"),
    word_set("checked inspected serviced"),
    word_set("fixed mended repaired"),
)


def never_done_other(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``shown`` and ``sold``: what was never done as a question says, and as was understood."""
    never, given = _NEVER_DONE.search(tokens), _NEVER_DONE.search(paraphrase)
    if never is None or given is None:
        return None
    said, done = never[1], given[1]
    alike = any({said, done} <= words for words in _DONE_ALIKE)
    there = any(same_root(said, word) for word in paraphrase.split())
    return None if alike or there or done in tokens.split() else (said, done)
