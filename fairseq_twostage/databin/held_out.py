"""Training pairs cut so that each part asks for programs that the others do not.

How well P_nsp reads programs that it was not trained on can be seen so before any utterance is:
train it on all parts but one, read that one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics.normalise import program
from fairseq_twostage.text.rows import Row


def cut_by_program(pairs: Sequence[Row], parts: int, seed: int) -> list[list[int]]:
    """Indices of the pairs in each part; pairs of one program stay together.

    Programs are dealt out in random order, so parts have as many of them, give or take one.

    Args:
        pairs: (z, y), repeated or not.
        parts: how many, at least two.
        seed: of the order.

    Raises:
        UserError: there are fewer programs than parts.
    """
    programs = [program(row.logical_form) for row in pairs]
    distinct = sorted(set(programs))
    if not 2 <= parts <= len(distinct):
        raise UserError(f"{parts} parts of {len(distinct)} programs", "--parts")
    order = np.random.default_rng(seed).permutation(len(distinct))
    part_of = {distinct[which]: at % parts for at, which in enumerate(order)}
    return [
        [index for index, found in enumerate(programs) if part_of[found] == part]
        for part in range(parts)
    ]
