"""Where a question compares things with each other, and what was understood does otherwise.

See :mod:`fairseq_twostage.text.disagreement`, whose rules these are.
"""

from __future__ import annotations

import re

from fairseq_twostage.text.function_words import word_set
from fairseq_twostage.text.word_forms import base, has_form, same_root

_SAME = re.compile(r"\bsame ([a-z]+)")
_LIKE_SAME = re.compile(r"\b(?:same|like|similar\w*|also|too|shar\w+|match\w*|common|equal\w*)\b")
_OTHER = re.compile(r"\b(?:different|another|other|differ\w*|else)\b")
_KINDS = word_set("kind sort type genre category class style species breed")
_NUMBER = r"(?:\d|_(?:number|date|time)|one\b|two\b|three\b|four\b|five\b|a\b|an\b)"
_THAN_THING = re.compile(
    r"(?<!other )(?<!else )(?<!rather )\bthan "
    r"(?!(?:all |any |every |the )?(?:the )?others?\b|(?:any\w*|every\w*) else\b|"
    rf"average|usual|expected|planned|once|that\b|it|{_NUMBER})|"
    r"\b(?:before|after) (?:any|every) (?!time\b|day\b)[a-z]"
)
_COMPARED = re.compile(
    r"\b(?:than|above|below|over|under|before|after|since|until|beyond|between|exceed\w*|more|less|"
    r"fewer|at least|at most|same|different|not)\b"
)
_NAMES_OR = re.compile(r"(_(?!number|date|time)[a-z_]+?\d*_) or (_[a-z_]+?\d*_)")
_VALUES_BETWEEN = re.compile(
    r"\bbetween (_(?:number|date|time)\d*_) and (_(?:number|date|time)\d*_)"
)
_ONLY = re.compile(
    rf"\b(?:only|exclusively|solely) (?!the |a |want|need|show|\w+ed {_NUMBER}|{_NUMBER})"
)
_JUST = re.compile(rf"\b(?:with|by|in|starring|from|of|at|has|have|had) just (?!the |{_NUMBER})")
_ALONE = re.compile(r"\b(?:alone|exclusively|solely) ?\??$")
_WANTING = word_set("show list give me want need see find tell us please display get name")
_OF_ALL = re.compile(
    r"\b([a-z]+) (?:all(?! of)|every|everything|everybody|everyone)\b"
    r"(?! (?:of|the time|day|week|month|year|season|game)\b)"
)
_DID_ALL = re.compile(
    r"\b(?:bought|sold|made|won|wrote|read|seen|saw|had|got|gave|taught|led) (?:all|every)\b"
)
_BEFORE_ALL = _WANTING | word_set(
    "of for are is at the what which that in on above after over them these those we you i do "
    "does did there and or not nearly almost with from show name overall across print return "
    "count select sum total about how would could should will can may"
)
_EVERY = re.compile(r"\b(?:all|every|each|everything|no)\b")
_SEVERAL = re.compile(
    r"\b(?:with|have|has|having|had|got) (?:a )?"
    r"(?:few|several|many|multiple|numerous|lots? of|plenty of)\b"
)
_COUNTED = re.compile(
    r"\b(?:more|most|fewer|fewest|less|least|several|many|few|two|number|_number\d*_)\b"
)
_REVERSED = re.compile(r"\bthan ?\??$|\bcosts? more than ?\??$")
_NOTHING_ELSE = re.compile(r"\b(?:only|no other|exactly|at most|least)\b")


def same_of_other(tokens: str, paraphrase: str) -> tuple[str, str] | None:
    """``length`` and ``genre``, where a question asks for the same of the one and what was
    understood for the same of the other; ``different`` and ``same``."""
    given = _SAME.search(paraphrase)
    if given is None:
        return None
    said = _SAME.search(tokens)
    if said is None:
        other = _OTHER.search(tokens)
        if other is not None and "than" in tokens.split():
            return other[0], f"the same {given[1]}"
        if has_form(given[1], tokens.split()) or _LIKE_SAME.search(tokens):
            return None
        return "something else", f"the same {given[1]}"
    one, two = base(said[1]), base(given[1])
    if one.startswith("_") or same_root(one, two) or {one, two} <= _KINDS:
        return None
    return f"the same {said[1]}", f"the same {given[1]}"


def compares_things(tokens: str, paraphrase: str) -> bool:
    """Whether a question compares with another thing, "longer than the shortest film", and what
    was understood compares with nothing: "the shortest film"."""
    return bool(_THAN_THING.search(tokens)) and not _COMPARED.search(paraphrase)


def ranges_unasked(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood lies between two values that the question has one by one: "rated
    _number_ or _number2_", "in _date_ and _date2_"."""
    found = _VALUES_BETWEEN.search(paraphrase)
    if found is None:
        return False
    first, second = found.groups()
    joined = "or" if first.startswith("_date") else "(?:or|and|,)"  # in May and June
    apart = re.search(rf"{first} {joined} (?:in |of |with |at )?{second}", tokens)
    before = tokens[: apart.start()].split() if apart else []
    return apart is not None and "between" not in before


def adds_choice(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood is of one name or another, and the question of both: "with
    _person_ and _person2_"."""
    found = _NAMES_OR.search(paraphrase)
    both = found and rf"\b(?:with|starring|has|have) (?:both )?{found[1]} and {found[2]}"
    return bool(both and re.search(both, tokens))


def misses_only(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of what has nothing else, "starring only _person_", and what was
    understood is not."""
    only = next((at for at in map(re.Match.start, _ONLY.finditer(tokens)) if at), None)
    wanted = only is not None and not _WANTING.isdisjoint(tokens[:only].split()[-2:])
    said = (only is not None and not wanted) or _JUST.search(tokens) or _ALONE.search(tokens)
    return bool(said) and not _NOTHING_ELSE.search(paraphrase)


def misses_all(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of those that do something with all, "bought all _brand_ products",
    and what was understood of those that do it with any."""
    done = {*map(base, paraphrase.split())}
    said = any(
        word not in _BEFORE_ALL and (word.endswith("ed") or any(same_root(word, d) for d in done))
        for word in _OF_ALL.findall(tokens)
    ) or bool(_DID_ALL.search(tokens))
    by = re.search(r"\b(?:by|were|was|been) (?:all|every)\b", tokens)
    return bool(said or by) and not _EVERY.search(paraphrase)


def misses_several(tokens: str, paraphrase: str) -> bool:
    """Whether a question is of what has several or few, and what was understood of what has any."""
    return bool(_SEVERAL.search(tokens)) and not _COUNTED.search(paraphrase)


def compares_reversed(tokens: str, paraphrase: str) -> bool:
    """Whether a question ends by *than*, "which dogs is _dog_ older than", and what was understood
    compares the other way round."""
    return bool(_REVERSED.search(tokens)) and not _REVERSED.search(paraphrase)
