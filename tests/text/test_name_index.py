"""The index of names finds what a look at every name finds."""

import random
from functools import reduce

import numpy as np
import pytest
from rapidfuzz.distance import OSA
from wordfreq import zipf_frequency

from fairseq_twostage.text import name_index
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.name_index import Parts, Spellings, in_all, letters_of
from fairseq_twostage.text.names import MOST_SIMILAR, NameGuesser

LETTERS = "aabbcdeno3'-é日"  # few, so that many names are near each other
SOURCE = random.Random(3)


def word():
    return "".join(SOURCE.choices(LETTERS, k=SOURCE.randint(1, 9)))


WORDS = [word() for _ in range(120)]
NAMES = list(dict.fromkeys(" ".join(SOURCE.choices(WORDS, k=n % 3 + 1)) for n in range(500)))
SPELT = {name: letters_of(name) for name in NAMES}


@pytest.fixture(autouse=True)
def _the_same_draws_in_any_order():
    SOURCE.seed(7)


def digits(text):
    return [letter for letter in text if letter.isdigit()]


def typed(name):
    """A name after up to four slips, not all of them of a hand that stays near."""
    for _ in range(SOURCE.randint(0, 4)):
        at = SOURCE.randrange(len(name) + 1)
        kept = SOURCE.choice([name[at:], name[at + 1 :], name[at : at + 2][::-1] + name[at + 2 :]])
        name = name[:at] + SOURCE.choice(["", SOURCE.choice(LETTERS)]) + kept
    return name


@pytest.mark.parametrize("few", [0, 2000])
@pytest.mark.parametrize("slips", range(4))
def test_the_nearest_spellings(slips, few, monkeypatch):
    monkeypatch.setattr(name_index, "_FEW", few)  # 0: all are left out by their letters first
    index = Spellings(NAMES)
    found = 0
    for _ in range(60):
        text = letters_of(typed(SOURCE.choice(NAMES)))
        far = [OSA.distance(text, SPELT[name]) for name in NAMES]
        near = [place for place, each in enumerate(far) if each == min(far)]
        expected = (min(far), near) if min(far) <= slips else None
        assert index.nearest(text, slips) == expected, text
        found += expected is not None
    assert found


def test_names_that_have_words():
    parts = Parts(NAMES)
    several = 0
    for _ in range(200):
        asked = SOURCE.choices([*WORDS, "unheard"], weights=[*[1] * 120, 10], k=2)
        having = [[p for p, name in enumerate(NAMES) if each in name.split()] for each in asked]
        both = in_all(map(parts.having, asked)).tolist()
        assert both == sorted(reduce(set.intersection, map(set, having)))
        assert parts.having_any(asked).tolist() == sorted({*having[0], *having[1]})
        several += len(both) > 1
    assert several


def test_there_may_be_no_name():
    assert Spellings([]).nearest("abc", 1) is None
    assert Parts([]).having("abc").tolist() == []
    assert Spellings(["abc"]).nearest("x" * 500, 3) is None


def test_what_is_guessed_of_one_word():
    """By the rule in words: a part of names, else the nearest name or word of one."""
    entries = [Entry(name, "thing", f"en.{place}") for place, name in enumerate(NAMES)]
    guesses = NameGuesser(Lexicon(entries), ())
    words = sorted({each for name in NAMES for each in name.split()})
    for _ in range(100):
        text = "".join(typed(SOURCE.choice(WORDS)).split())
        letters = letters_of(text)
        slips = int(np.searchsorted([4, 8, 14], len(letters), side="right"))
        having = [name for name in NAMES if text in name.split()] if len(text) > 2 else []
        if zipf_frequency(text, "en", wordlist="small") >= 4.75:  # too common for less than half
            having = [name for name in having if len(name.split()) < 3]
        options = [(0, sorted(having))] if having else []
        for known in [] if having or not slips else [NAMES, words]:
            far = {each: OSA.distance(letters, letters_of(each)) for each in known}
            near = [each for each in known if far[each] == min(far.values()) <= slips]
            if known is NAMES:  # another number names another thing
                near = [each for each in near if digits(each) == digits(text)]
            if known is words:
                near = [name for name in NAMES if {*near} & {*name.split()}]
            options += [(min(far.values()), sorted(near))] if near else []
        expected = min(options)[1][:MOST_SIMILAR] if options else []
        found = [entry.phrase for guess in guesses([text]) for entry in guess.entries]
        assert found == expected, text
