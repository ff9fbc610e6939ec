"""Inputs that fuzzing kept: one for each kind of outcome, with the outcome."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fairseq_twostage.semantics import Failure, execute, load_world
from fairseq_twostage.semantics.explain import explain
from tests.semantics.naive import NotMyBusiness, run
from tests.semantics.test_executor_properties import naive_world

LINES = Path(__file__).with_name("corpus.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("number", range(len(LINES)))
def test_kept_input(number):
    domain, line, text, category = json.loads(LINES[number])
    world = load_world(domain)
    denotation = execute(line, world)
    assert denotation.metric_text == text
    assert (denotation.category if isinstance(denotation, Failure) else None) == category
    assert explain(line, world)[0].denotation.metric_text == text


def test_the_naive_executor_agrees_with_the_corpus():
    compared = 0
    for entry in LINES:
        domain, line, text, _ = json.loads(entry)
        if line.isascii() and not set(line) & set("\"\\#\0'\t\r") and "!(" not in line:
            try:
                assert run(line, naive_world(domain)) == text, line
            except NotMyBusiness:
                continue
            compared += 1
    assert compared > len(LINES) // 2
