"""Which training rows an explicit share of labels uncovers."""

import numpy as np


def labelled_rows(size: int, share: float, seed: int) -> list[int]:
    """Indices of the labelled rows, ascending; at least one.

    A larger share of the same seed contains the smaller one.

    Args:
        size: rows there are.
        share: of them, in (0, 1].
        seed: of the choice.
    """
    count = max(1, round(share * size))
    return sorted(np.random.default_rng(seed).permutation(size)[:count].tolist())
