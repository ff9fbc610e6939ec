"""What addition takes for near."""

import numpy as np
import pytest

from fairseq_twostage.tasks.data_bin import DataBin
from fairseq_twostage.tasks.noising import word_movers_distance


def test_a_placeholder_of_both_sides_matches_itself_alone(data_bin):
    prepared = DataBin(str(data_bin))
    words = prepared.dictionary("utterance")
    lake, here, how, then = (words.index(word) for word in ("_lake_", "here", "how", "then"))
    wmd = word_movers_distance(prepared, words, {"nl": [(how, lake, here)], "cf": [(lake,)]})
    assert wmd.distance([lake], [lake]) == 0.0
    assert wmd.distance([lake], [here]) > wmd.distance([lake, here], [here, lake]) == 0.0
    assert wmd.distance([lake], [here]) >= 2.0  # vectors of four dimensions
    assert wmd.distance([then], [here]) == np.inf  # no vector, and not on both sides: ignored
    assert wmd.distance([how, then], [how]) == 0.0
    only_natural = word_movers_distance(prepared, words, {"nl": [(lake,)], "cf": [(here,)]})
    assert only_natural.distance([lake, how], [how]) == pytest.approx(0.0)
