"""A parser of a made-up domain, trained by heart in about a second, and its exported folder.

Fixtures: a conftest.py that imports them has them.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from fairseq_twostage.decoding.lean import PARSE_LIMIT
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.inference.candidates import BeamSearch
from fairseq_twostage.inference.exporting import write_bundle
from fairseq_twostage.inference.parser import PARAPHRASE_LIMIT, TwoStageParser
from fairseq_twostage.models.sentences import shift_right
from fairseq_twostage.semantics import TripleStore, World, execute
from fairseq_twostage.semantics.values import TRUE, Name, Number
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon import Entry, Lexicon
from fairseq_twostage.text.reading import UtteranceReader
from fairseq_twostage.text.tokenisation import Blanks
from tests.builders import dictionary_of, naive_parser, paraphraser, tokens_of

ALL = "( call SW.getProperty ( call SW.singleton en.ship ) ( string !type ) )"
ROWS = [
    (
        "how long is the aurora",
        "length of aurora",
        "( call SW.listValue ( call SW.getProperty en.ship.aurora ( string length ) ) )",
    ),
    (
        "how long is the baltic ?",
        "length of baltic",
        "( call SW.listValue ( call SW.getProperty en.ship.baltic ( string length ) ) )",
    ),
    (
        "where does the aurora lie",
        "port of aurora",
        "( call SW.listValue ( call SW.getProperty en.ship.aurora ( string port ) ) )",
    ),
    ("show me every ship", "ship", f"( call SW.listValue {ALL} )"),
    (
        "which ships are longer than the aurora",
        "ship whose length is larger than length of aurora",
        f"( call SW.listValue ( call SW.filter {ALL} ( call SW.ensureNumericProperty "
        "( string length ) ) ( string > ) ( call SW.ensureNumericEntity ( call SW.getProperty "
        "en.ship.aurora ( string length ) ) ) ) )",
    ),
    (
        "what lies in _port_ ?",
        "ship whose port is _port_",
        f"( call SW.listValue ( call SW.filter {ALL} ( string port ) ( string = ) _port_ ) )",
    ),
    # The naive parser reads this one as a form that does not execute.
    ("how heavy is the aurora", "weight of aurora", "( call SW.listValue ( string weight ) ( )"),
]
LEXICON = Lexicon(
    [Entry("turku", "port", "en.port.turku"), Entry("old town", "port", "en.port.tallinn")]
)


def ship_world() -> World:
    store = TripleStore()
    for name, length, port in (
        ("aurora", 120, "turku"),
        ("baltic", 180, "tallinn"),
        ("meridian", 210, "turku"),
    ):
        ship, harbour = Name(f"en.ship.{name}"), Name(f"en.port.{port}")
        store.add(ship, "type", Name("en.ship"))
        store.add(harbour, "type", Name("en.port"))
        store.add(ship, "length", Number(length, "en.metre"))
        store.add(ship, "port", harbour)
    store.add(Name("en.ship.meridian"), "has_sauna", TRUE)
    return World(store, "ships")


def train(encoder: nn.Module, decoder: nn.Module, pairs: list[tuple[str, str]]) -> None:
    """Learn pairs by heart."""
    source = tokens_of(encoder.dictionary, *(x for x, _ in pairs))
    target = tokens_of(decoder.dictionary, *(y for _, y in pairs))
    parameters = [*encoder.parameters(), *decoder.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=0.015)
    prefix = shift_right(target, decoder.dictionary.eos())
    for _ in range(400):
        logits, _ = decoder.teacher_forced(prefix, decoder.memory(encoder(source)))
        loss = nn.functional.cross_entropy(
            logits.flatten(0, 1), target.flatten(), ignore_index=decoder.dictionary.pad()
        )
        if loss < 0.003:
            break
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def reader() -> SimpleNamespace:
    """What reads texts and runs forms as the parser does, without its networks."""
    known = dictionary_of(*(text for row in ROWS for text in row[:2]))
    read, world = UtteranceReader(known.symbols[4:], Frontend(Blanks(), LEXICON)), ship_world()
    return SimpleNamespace(
        reader=read,
        world=world,
        denote=lambda form, variables: execute(form, world, variables),
        knows=lambda name: world.database.knows(Name(name)),
        pairs={},
        forms={},
        lookup=True,
    )


def make_ships() -> TwoStageParser:
    """The parser; three of the canonical utterances are known beforehand."""
    utterances, canonicals, forms = zip(*ROWS)
    words = {
        "utterance": dictionary_of(*utterances, *canonicals),
        "nl": dictionary_of(*utterances),
        "cf": dictionary_of(*canonicals),
    }
    # A small start leaves the parser less sure, so that a beam holds other readings.
    options = dict(embed_dim=16, hidden_dim=32, double=False, embedding_start="uniform")
    first = paraphraser(seed=1, dictionary_by_side=words, **options)
    second = naive_parser(
        seed=2, source=words["utterance"], target=dictionary_of(*forms), **options
    )
    asked = [(f"{x.removesuffix(' ?')}{end}", z) for x, z, _ in ROWS for end in ("", " ?")]
    train(first.encoder("cf"), first.decoder("cf"), asked)
    train(second.encoder, second.decoder, list(zip(canonicals, forms)))
    stages = (
        BeamStage(first.encoder("cf"), first.decoder("cf"), 5, PARAPHRASE_LIMIT),
        BeamStage(second.encoder, second.decoder, 5, PARSE_LIMIT),
    )
    for stage in stages:
        stage.encoder.eval()
        stage.decoder.eval()
    reader = UtteranceReader(words["utterance"].symbols[4:], Frontend(Blanks(), LEXICON))
    parser = TwoStageParser(
        reader,
        BeamSearch(stages[0]),
        stages[1],
        ship_world(),
        "ships",
        "best",
        examples=["how long is the aurora", "show me every ship"],
    )
    parser.parse.learn(sorted(canonicals)[:3])
    return parser


@pytest.fixture(scope="session")
def ships() -> TwoStageParser:
    """The parser of :data:`ROWS`."""
    return make_ships()


@pytest.fixture(scope="session")
def ships_folder(ships: TwoStageParser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, exported; only to be read."""
    folder = tmp_path_factory.mktemp("export") / "ships"
    write_bundle(ships, folder)
    return folder
