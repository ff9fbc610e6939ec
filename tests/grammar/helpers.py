"""Grammars written inside a test."""

from fairseq_twostage.grammar.reader import Grammar
from fairseq_twostage.grammar.rule_reading import read_rule
from fairseq_twostage.grammar.syntax import parse


def grammar_of(text):
    return Grammar(tuple(read_rule(tree, f"g:{tree.line}") for tree in parse(text, "g")))
