"""What a logical form means: reading, evaluating, printing and comparing, in plain Python."""

from fairseq_twostage.semantics.denotation import Answer, Denotation, Failure, same_denotation
from fairseq_twostage.semantics.executor import execute, first_executable
from fairseq_twostage.semantics.foreign import ExactMatchWorld, FunctionWorld
from fairseq_twostage.semantics.loading import DOMAINS, load_world, read_triples
from fairseq_twostage.semantics.normalise import normalise
from fairseq_twostage.semantics.world import Database, TripleStore, World

__all__ = [
    "DOMAINS",
    "Answer",
    "Database",
    "Denotation",
    "ExactMatchWorld",
    "Failure",
    "FunctionWorld",
    "TripleStore",
    "World",
    "execute",
    "first_executable",
    "load_world",
    "normalise",
    "read_triples",
    "same_denotation",
]
