"""The generated worlds."""

from __future__ import annotations

import pytest

from fairseq_twostage.semantics.loading import read_triples
from fairseq_twostage.semantics.overnight import OVERNIGHT, generate
from fairseq_twostage.semantics.values import Name


@pytest.mark.data
@pytest.mark.parametrize("domain", OVERNIGHT)
def test_equal_to_the_original_worlds_triple_by_triple(domain, data_dir):
    original = read_triples(data_dir / "worlds" / f"{domain}.tsv")
    assert list(generate(domain)) == list(original)


@pytest.mark.parametrize("domain", OVERNIGHT)
def test_main_entities(domain):
    """Sixty of the main type; of a named type, just the names; the rest are numbered on."""
    store = generate(domain)
    main = next(e.type for e, p, _ in store if p != "type")
    entities = store.lookup(Name(main), "!type")
    assert len(entities) == 60
    assert entities[59] == Name(f"{main}.59")


def test_every_generation_is_the_same():
    assert list(generate("publications")) == list(generate("publications"))
