"""What a question asks for and denies, by its words; beside that what was understood does."""

from __future__ import annotations

from fairseq_twostage.text.function_words import word_set

ASKING = word_set(
    "a an the is are was were be been do does did what which there please give me list show tell "
    "all us"
)
"""What questions have more or less of, and mean the same."""
NEGATIONS = word_set("not no never without except nobody nothing none neither")
DENYING = word_set(
    "without outside other others else excluding excluded apart besides but lack lacks lacking "
    "missing free unlike different rather instead beyond still yet left remaining"
)
"""Words that deny without being a negation."""
_COMPARED = word_set(
    "more less later earlier fewer longer shorter greater higher lower larger smaller older newer "
    "sooner bigger taller than only before after over under"
)


def negations(tokens: str) -> list[int]:
    """Where words deny something; not in "no more than"."""
    words = [*tokens.split(), ""]
    return [
        place
        for place, word in enumerate(words[:-1])
        if (word in NEGATIONS or word.endswith("n't")) and words[place + 1] not in _COMPARED
    ]


def asked_thing(tokens: str) -> str | None:
    """What a question asks for by its noun: ``film`` of "how many films …", of "films that …", of
    "which long films" ``long``; None of "what is the …", "who …"."""
    words = tokens.split()
    lead = 2 if words[:2] == ["how", "many"] else 1 if words[:1] in (["which"], ["what"]) else 0
    if not lead:
        named = next((word for word in words if word not in ASKING), "")
        return base(named) if base(named) != named else None
    rest = [word for word in words[lead:] if not word.startswith("_")]
    return base(rest[0]) if rest and rest[0] not in ASKING else None


def misses_number(tokens: str, paraphrase: str) -> bool:
    """Whether a question asks how many, and what was understood which."""
    asked = paraphrase.split()[:1]
    return tokens.startswith("how many ") and asked in (["which"], ["who"])


def denies_alone(tokens: str, paraphrase: str) -> bool:
    """Whether what was understood denies with a *not* what the question does not deny."""
    words = tokens.split()
    denied = "not" in paraphrase.split() and bool(negations(paraphrase))
    return denied and not negations(tokens) and not any(map(_denying, words))


def _denying(word: str) -> bool:
    return word in DENYING or word.startswith(("un", "non", "dis"))


def asks_for_other(tokens: str, paraphrase: str) -> str | None:
    """``film`` where a question asks who did something to a film, and what was understood asks
    for films, else None."""
    if tokens.split()[:1] != ["who"]:
        return None
    asked = asked_thing(paraphrase)
    return asked if f"_{asked}_" in tokens.split() else None


def core(tokens: str) -> list[str]:
    """The words of a question without those that only ask; plurals and third persons in -s as their
    base."""
    words = (word for word in tokens.split() if word not in ASKING and any(map(str.isalnum, word)))
    return list(map(base, words))


def base(word: str) -> str:
    """Of a plural or third person in -s."""
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word
