"""What a text says that the domain's utterances do not; counted by hand."""

import numpy as np

from fairseq_twostage.inference.scope import ScopeModel
from fairseq_twostage.inference.usage import Usage

NATURAL = ["which ships sail to _port_", "how many ships are there", "long boats"]
CANONICAL = ["ship whose harbour is _port_"]
FOREIGN = ["which meetings start at noon", "cake"]


def test_shares_and_things_by_hand():
    words = Usage.of(NATURAL, CANONICAL)
    found = words.features(["which meetings sail", "ships of _port_", "who is there", "harbours"])
    # meeting is never asked for, and is one of two words unknown; harbour is known from Z, yet
    # never asked for
    assert found.tolist() == [[-1, -1 / 2], [1, 0], [0, 0], [-1, 0]]


def test_each_of_x_is_judged_by_the_others():
    words = Usage.of(NATURAL, CANONICAL)
    found = words.features(NATURAL, themselves=True)
    # sail, long and boats stand in one utterance alone; ship is in two, and in Z
    assert found.tolist() == [[1, -1 / 2], [1, 0], [0, -1]]


def test_words_tell_where_vectors_do_not():
    draw = np.random.default_rng(1)
    rows = draw.normal(size=(90, 4)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    lines = (NATURAL[:2] * 15, CANONICAL * 30, FOREIGN[:1] * 30)
    model = ScopeModel.fit(rows[:30], rows[30:60], rows[60:], lines=lines)

    class Read:
        states = None
        vector = rows[0]

    known, unknown = (model(text, {"made": Read()}) for text in (NATURAL[0], FOREIGN[0]))
    assert known > 0.8 > 0.2 > unknown
