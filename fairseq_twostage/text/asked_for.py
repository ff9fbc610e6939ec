"""What kind of answer a question wants: a thing, yes or no, a place, a sum of money.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re
from itertools import pairwise

from fairseq_twostage.text.function_words import FUNCTION_WORDS, word_set
from fairseq_twostage.text.money import MONEY, PROPERTY
from fairseq_twostage.text.question_words import ASKING, asked_plural, asked_thing, asks_who_does
from fairseq_twostage.text.unit_words import EACH, MEASURES, UNITS
from fairseq_twostage.text.word_forms import base, has_form, same_root

_OTHERS = word_set(
    "address allergen category city code colour comment country county date diet district email "
    "fax id job level mobile nation note notes number phone position postcode province region role "
    "state status street telephone title town type unit url website year"
)
"""Properties that nobody is, by which *who* is not answered."""
_CONTACTS = {
    **dict.fromkeys(("email", "emails", "e-mail", "e-mails"), ("mail",)),
    **dict.fromkeys(("fax", "faxes"), ("fax",)),
    **dict.fromkeys(
        ("website", "websites", "homepage", "url"), ("web", "site", "page", "url", "link")
    ),
}
"""Words for where somebody is reached, and parts of words by which the same is known."""
_REGULAR = {
    "year": ("annual", "yearly"), "month": ("monthly",), "week": ("weekly",), "day": ("daily",),
    "hour": ("hourly",),
}  # fmt: skip
_PER = re.compile(r"\bper (year|month|week|day|hour)\b")
_ASKING_FOR = word_set("who which what when where whose how why list show give find name")
_WHETHER = word_set("is are was were do does did has have")
_HOW_OFTEN = re.compile(r"how often (?:did|have|has|had|was|were) ")
_NUMBER_OF = re.compile(r"^(?:what is the |the |give me the |total )?number of [a-z]+s\b")
_TOTAL_OF = re.compile(r"what is the total (?:[a-z]+ )*?([a-z]+) of ")
_ASKS_AGAIN = re.compile(
    r"\band (?:(?:at|by|for|from|in|on|to|with) which|when (?:was|is|did|does|do|are|were|will)|"
    r"where (?:was|is|did|does|do|are|were|can)|how (?:many|much|old|long|big|far)|"
    r"what (?:was|is|are|were|did|does|do)|"
    r"who (?:did|does|(?:is|are|was|were) (?:in|on|at|the|their|its|his|her)|"
    r"[a-z]+(?= (?:it|them|this|these)\b))) "
)
_IS_NAME = re.compile(r"(?:is|was|does|did|has) (?:the )?_(?!number|date|time)[a-z]")
_HOW_IS = re.compile(r"how ([a-z]+) (?:is|are) ")
_BEGINS_PER = re.compile(
    r"(?:(?:what|is|the|show|me|give|our|total|average|mean) )*([a-z]+) "
    r"(?:per|for each|by) [a-z]+\b"
)
_PAID = word_set("paid spent earned collected raised taken made")
"""Said for the sum itself: "total paid by method"."""
_ARE_ALL = re.compile(r"(?:is|are|was|were|do|does|did|have|has) (?:all|every|each|both)\b")
_PROPERTY = re.compile(r"what (?:is|are) the (?:[a-z]+ )*?([a-z]+) (?:of|have|has)\b")
_IN_WORDS = word_set("address city code date email id name phone status title type")
"""Properties that are no number."""
_IS_THERE = re.compile(
    r"^(?:is|are|was|were) there (?:an? |any |some )?([a-z]+)\b( (?:without|that|who|with no)\b)?"
)
_ANYTHING = word_set(
    "something anything nothing somewhere anywhere nowhere somebody anybody nobody someone anyone"
)
_WAS_DONE = re.compile(
    r"\b(?:is|are|was|were|been) ([a-z]+ed) (?:(?:down|off|out|up|back) )?"
    r"(?:in|on|since|before|after|during) _date"
)
_USUAL = word_set(
    "added booked created dated issued listed logged noted posted processed received recorded "
    "registered reported scheduled started stored"
)
"""What is done to whatever a row of a table says."""
_STILL = re.compile(
    r"\bstill (?:here|with (?:us|the)|employed|work\w*|on (?:the )?(?:staff|team|payroll))\b"
)
_NOT_GONE = word_set("still active current currently not no never employed")
_BIRTHDAY = re.compile(r"\bbirthdays?\b")
_BORN_THEN = re.compile(r"\b(?:born|birth) .*_date\d*_")
_NAMES_AND = re.compile(r"\bnames? (?:and|&|plus|with) ")
_KIND = re.compile(r"^which (?:[\w-]+ ){0,2}?([a-z]+s)\b")
_NO_NUMBER = re.compile(
    r"\b(?!(?:all|and|by|give|in|list|me|of|show|the|their|total|what|which)\b)[a-z]+ numbers\b|"
    r"\bamounts? (?:of )?(?:at|above|below|between|less|more|over|under)\b|\baverage amount\b"
)
_COUNTING = word_set(
    "how many number numbers count counts counted total per each every much amount"
)


def misses_number(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks how many, and what was understood which; or how much, and what was
    understood which, or how many of what is no measure."""
    how, many, counted, *_ = [*tokens.split(), "", "", ""]
    asked, of, *_ = [*paraphrase.split(), "", ""]
    if _NUMBER_OF.search(tokens):  # of tables is no table number, nor the total age of members
        total = _TOTAL_OF.match(paraphrase)
        if total is not None and total[1] != "number":
            return not any(same_root(total[1], word) for word in tokens.split())
        return asked == "what" and "number of" in paraphrase and "how many" not in tokens
    if (how, many) == ("how", "much"):
        things = paraphrase.startswith("how many ") and base(paraphrase.split()[2]) not in MEASURES
        return asked in ("which", "who") or things
    if how == "total":
        return asked in ("which", "who")
    if _HOW_OFTEN.match(tokens):
        told = _PROPERTY.match(paraphrase)
        return asked in ("which", "who", "when") or (told is not None and told[1] in _IN_WORDS)
    if (how, many) != ("how", "many"):
        return False
    if asked == "how" and of not in ("many", "much"):
        return base(counted) not in MEASURES
    if asked == "how" and base(counted) in UNITS:  # days of holiday are no shipments
        given = [*map(base, paraphrase.split())]
        return base(counted) not in given and given[2:3] != [] and given[2] not in MEASURES
    property = _PROPERTY.match(paraphrase)
    worded = property is not None and property[1] in _IN_WORDS
    return (asked in ("which", "who") and counted != "") or worded


def counts_which(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks which or who, and what was understood how many."""
    asked = tokens.split()[:1] in (["which"], ["who"], ["where"], ["when"])
    return paraphrase.startswith("how many ") and asked and not says_number(tokens)


def counts_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood counts, and the question asks for no number."""
    return paraphrase.startswith("how many ") and not says_number(tokens)


def says_number(tokens: str) -> bool:
    """Whether a question says a word by which a number may be asked for; flight *numbers* are
    none, nor is *every* but in "for every", nor an *amount* that is compared."""
    words = ["", *_NO_NUMBER.sub("", tokens).split()]
    return any(
        word in _COUNTING and (word not in EACH or before in ("for", "per", "of", "in", "by"))
        for before, word in pairwise(words)
    )


def asks_whether(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks who or which, and what was understood yes or no."""
    first, asked = ({*words.split()[:1]} for words in (paraphrase, tokens))
    return not _WHETHER.isdisjoint(first) and not _ASKING_FOR.isdisjoint(asked)


def asks_nobody(tokens: str, paraphrase: str) -> str | None:
    """``city`` of "what is the city of the supplier …", where a question asks who does something;
    where it also says the property, it may be meant; or of "whose orders …"."""
    found = PROPERTY.match(paraphrase)
    whose = tokens.startswith("whose ")
    if found is None or not (whose or asks_who_does(tokens)):
        return None
    last = found[1].split()[-1]
    others = _OTHERS | MONEY if whose else _OTHERS
    return last if last in others and last not in {*map(base, tokens.split())} else None


def per_year_twice(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is an *annual* cost of each year, and the question, per year,
    says it once."""
    found = _PER.search(paraphrase)
    if found is None or _PER.search(tokens) is None:
        return False
    regular = {*_REGULAR[found[1]]}
    return not regular.isdisjoint(paraphrase.split()) and regular.isdisjoint(tokens.split())


def asks_of_one(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks if one thing is something, "is _dog_ the oldest", and what was
    understood which is."""
    one = _IS_NAME.match(tokens) and "or" not in tokens.split()
    return bool(one) and paraphrase.startswith(("which ", "what ", "who "))


def says_how_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for things that are *heavy*, and what was understood how heavy."""
    found = _HOW_IS.match(paraphrase)
    plural = asked_plural(tokens) or asked_plural(" ".join(tokens.split()[1:]))
    of_it = found is not None and found[1] in tokens.split()
    return plural is not None and of_it and "how" not in tokens.split()


def per_other(tokens: str, paraphrase: str) -> str | None:
    """``revenue`` of "revenue per month", where what was understood has something else for each."""
    found = _BEGINS_PER.match(tokens)
    if found is None or found[1] in _PAID or not re.search(r"\b(?:per|each)\b", paraphrase):
        return None
    return None if has_form(found[1], paraphrase.split()) else found[1]


def asks_of_all(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks if all are something, and what was understood which are."""
    return bool(_ARE_ALL.match(tokens)) and not _ARE_ALL.match(paraphrase)


def asks_two(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks a second thing behind an *and*: "when … and where …"."""
    return bool(_ASKS_AGAIN.search(tokens)) and not _ASKS_AGAIN.search(paraphrase)


def misses_still(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for those who are still there, and what was understood for all."""
    return bool(_STILL.search(tokens)) and not is_present(paraphrase)


def is_present(paraphrase: str) -> bool:
    """Whether what was understood says who or what is there still, or is not."""
    return not _NOT_GONE.isdisjoint(paraphrase.split())


def born_that_year(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for a birthday, and what was understood for a year of birth."""
    return bool(_BIRTHDAY.search(tokens)) and bool(_BORN_THEN.search(paraphrase))


def misses_names(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks for names and something else, and what was understood for the
    latter alone."""
    said = "name" in map(base, paraphrase.split())
    return bool(_NAMES_AND.search(tokens)) and paraphrase.startswith("what ") and not said


def gives_itself(tokens: str, paraphrase: str) -> str | None:
    """``events``, where a question asks where an event is."""
    found = _KIND.match(paraphrase)
    if found is None or not tokens.startswith("where "):
        return None
    return found[1] if f"_{base(found[1])}_" in tokens.split() else None


def misses_there(tokens: str, paraphrase: str) -> str | None:
    """``projector`` of "is there a projector in …", where what was understood has none, or of "is
    there a projector without …", where it asks for something else."""
    found = _IS_THERE.match(tokens)
    if found is None or found[1] in ASKING | FUNCTION_WORDS | _ANYTHING:
        return None
    asked = asked_thing(paraphrase)
    lacking = found[2] is not None and asked not in (None, base(found[1]))
    return found[1] if lacking or not has_form(found[1], paraphrase.split()) else None


def misses_contact(tokens: str, paraphrase: str) -> str | None:
    """``e-mail`` of "the e-mail address of _customer_", where what was understood has none."""
    said = ((word, parts) for word in tokens.split() if (parts := _CONTACTS.get(word)))
    return next((word for word, parts in said if not any(p in paraphrase for p in parts)), None)


def misses_done(tokens: str, paraphrase: str) -> str | None:
    """``failed`` of "were failed in _date_", where what was understood are those from that time."""
    of_then = "from _date" in paraphrase or "have date " in paraphrase
    found = _WAS_DONE.search(tokens) if of_then else None
    if found is None or found[1] in _USUAL:
        return None
    return None if any(same_root(found[1], word) for word in paraphrase.split()) else found[1]
