"""Where canonical utterances come from: SEMPRE's grammar files and a generator over them.

``generate_pairs(["calendar.grammar"], "calendar")`` yields (canonical utterance, logical form).
"""

from fairseq_twostage.grammar.generate import Pair, generate_pairs
from fairseq_twostage.grammar.reader import DEFAULT_TAGS, Grammar, read_grammar

__all__ = ["DEFAULT_TAGS", "Grammar", "Pair", "generate_pairs", "read_grammar"]
