"""Parses as plain data: what ``twostage parse --format jsonl`` prints and the server answers."""

from __future__ import annotations

from typing import Any

from fairseq_twostage.inference.answer import answer_table, answer_values, display
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.parses import Explanation, Parse
from fairseq_twostage.inference.picking import Reading
from fairseq_twostage.inference.trust import Verdict
from fairseq_twostage.semantics.errors import ExecutionError
from fairseq_twostage.semantics.foreign import QueriedWorld
from fairseq_twostage.semantics.normalise import fill
from fairseq_twostage.text.utterance import Utterance


def parse_record(parser: TwoStageParser, parse: Parse, explain: bool = False) -> dict[str, Any]:
    """An utterance with its readings, best first."""
    utterance = parse.utterance
    readings = [reading_record(parser, reading, utterance) for reading in parse.readings]
    if explain:
        for rank, record in enumerate(readings):
            record["explanation"] = explanation_record(parser.explain(parse, rank))
    return {
        "utterance": utterance.text,
        "tokens": utterance.tokens,
        "variables": dict(utterance.variables),
        "unknown_words": list(utterance.unknown),
        "unseen_names": dict(utterance.unseen),
        "corrected_names": dict(utterance.corrected),
        "values_read": dict(utterance.values),
        "similar_names": {typed: list(names) for typed, names in utterance.similar.items()},
        **verdict_record(parse.verdict),
        "readings": readings,
    }


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """Whether the first reading is to be believed; numbers are probabilities, None: not judged."""
    return {
        "understood": verdict.understood,
        "refused_because": verdict.refused_because,
        "in_domain": _probability(verdict.in_domain),
        "confidence": _probability(verdict.confidence),
        "unused_words": list(verdict.unused),
        "suggestions": list(verdict.suggestions),
    }


def reading_record(
    parser: TwoStageParser, reading: Reading, utterance: Utterance
) -> dict[str, Any]:
    """A reading; ``answer`` is None where there is an ``error``, ``values`` is empty then.

    ``answer`` is in print, ``values`` are its members for people, each whole, by the lexicon's
    phrases. Where a database answers, ``sql`` and ``table`` are there, too.
    ``canonical`` is for people, its placeholders put back; ``canonical_tokens`` and
    ``logical_form_tokens`` are what the stages wrote.
    """
    called = parser.called(reading.answer)
    return {
        "canonical": parser.reader.write_out(reading.canonical, utterance),
        "canonical_tokens": reading.canonical,
        "canonical_score": _rounded(reading.canonical_score),
        "logical_form": _filled(reading.logical_form, utterance),
        "logical_form_tokens": reading.logical_form,
        "logical_form_score": _rounded(reading.logical_form_score),
        "answer": reading.answer.shown,
        "values": [display(value, called) for value in answer_values(reading.answer)],
        "error": answer_table(reading.answer).message or None,
        **_queried(parser, reading, utterance),
    }


def _filled(form: str, utterance: Utterance) -> str:
    try:
        return fill(form, utterance.variables)
    except ExecutionError:  # values that are too long: the answer says so
        return form


def _queried(parser: TwoStageParser, reading: Reading, utterance: Utterance) -> dict[str, Any]:
    """Where a database answers: the query, and the answer with what it compares or sorts by."""
    if not isinstance(parser.world, QueriedWorld):
        return {}
    table = parser.table(reading.logical_form, utterance.variables)
    sql = parser.sql(reading.logical_form, utterance.variables)
    return {"sql": sql, "table": None if table is None else table.record()}


def explanation_record(explanation: Explanation) -> dict[str, Any]:
    """An explanation, weights rounded."""
    table = explanation.table
    return {
        "source": list(explanation.source),
        "target": list(explanation.target),
        "attention": [[round(weight, 3) for weight in row] for row in explanation.attention],
        "tree": explanation.tree.to_dict(),
        "table": table.record(),
    }


def _probability(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _rounded(score: float) -> float:
    return round(score, 4) + 0.0  # no -0.0
