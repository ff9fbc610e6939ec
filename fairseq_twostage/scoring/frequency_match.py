"""Does a paraphraser write canonical utterances as often as they are asked for?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable


def frequency_match(written: Iterable[Hashable], corpus: Iterable[Hashable]) -> float:
    """The share that two distributions of sentences have in common, 0 … 1.

    ``Σ_z min(P_written(z), P_corpus(z))``, that is 1 minus their total variation distance. A
    training that has settled on readings in a circle (major cities as their number, the number
    of major cities as that of all) gives back every utterance and is good by the label-free
    metric; but what it writes is not as frequent as Z. It needs a Z as frequent as X means it,
    as in the paper's setting: no label, but more than the grammar alone.

    Args:
        written: paraphrases of natural utterances, one per utterance.
        corpus: Z, with repetition.

    Raises:
        ValueError: either is empty.
    """
    first, second = Counter(written), Counter(corpus)
    if not first or not second:
        raise ValueError("no sentences to compare")
    one, other = first.total(), second.total()
    return sum(min(count / one, second[z] / other) for z, count in first.items())
