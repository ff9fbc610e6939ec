"""From checkpoints and their data-bin to the parser that reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
from safetensors import SafetensorError

from fairseq_twostage import plugin
from fairseq_twostage.databases.opening import with_names
from fairseq_twostage.databin.folder import (
    data_bin_lines,
    further_forms,
    known_forms,
    read_manifest,
)
from fairseq_twostage.databin.frontend import load_frontend
from fairseq_twostage.databin.world import world_of
from fairseq_twostage.decoding.lean import PARSE_LIMIT
from fairseq_twostage.decoding.mixture import as_one
from fairseq_twostage.decoding.stage import BeamStage
from fairseq_twostage.errors import UserError
from fairseq_twostage.files import sha256
from fairseq_twostage.inference.candidates import BeamSearch, FirstStage, NoParaphrase
from fairseq_twostage.inference.likelihood import Direction, DirectLikelihood, DualLikelihood
from fairseq_twostage.inference.parser import PARAPHRASE_LIMIT, TwoStageParser
from fairseq_twostage.inference.pipeline import EXECUTABLE_PARAPHRASE, PRIOR, Pipeline
from fairseq_twostage.inference.reranking import Reranking
from fairseq_twostage.inference.similarity_files import (
    fitted_on,
    read_similarity,
    write_similarity,
)
from fairseq_twostage.models.dual_paraphraser import DualParaphraser
from fairseq_twostage.models.naive_parser import NaiveParser
from fairseq_twostage.pairing.corpora import Corpora
from fairseq_twostage.pairing.features import SIMILARITIES, resources
from fairseq_twostage.pairing.fitted import MOST_FITTED, FittedSimilarity
from fairseq_twostage.pairing.transport import EVEN_BALANCE
from fairseq_twostage.text.frontend import Frontend
from fairseq_twostage.text.lexicon_files import read_lexicon
from fairseq_twostage.text.placeholders import is_placeholder
from fairseq_twostage.text.reading import UtteranceReader

SIMILARITY = "similarity"  # folder of a run
EXAMPLES = 5
EXAMPLE_WORDS = range(4, 10)


def load_pipeline(
    pipeline: Pipeline,
    data: Path,
    run: Path | None = None,
    fingerprint: str = "",
    lexicon: Path | None = None,
) -> TwoStageParser:
    """The parser that a pipeline describes.

    Args:
        pipeline: its checkpoints where they lie.
        data: the data-bin that they were trained on; nothing of its gold rows is read.
        run: folder in which fitted similarities are kept; None: they are fitted here.
        fingerprint: of the data-bin.
        lexicon: phrases that become placeholders, in place of the data-bin's.

    Raises:
        UserError: a file that is missing or of another kind.
    """
    plugin.load()
    from fairseq_twostage.inference.checkpoints import load_parser

    manifest = read_manifest(data)
    frontend = load_frontend(data)
    if lexicon is not None:
        frontend = replace(frontend, lexicon=read_lexicon(lexicon))
    second = None
    if pipeline.parser is not None:
        model = load_parser(pipeline.parser, str(data))
        opened = model.open_vocabulary
        second = BeamStage(
            model.encoder, model.decoder, pipeline.beam, PARSE_LIMIT, open_vocabulary=opened
        )
    first, further = first_stage(pipeline, data, run, fingerprint), further_forms(data)
    if isinstance(first, Reranking):
        first = replace(first, further=tuple(further))
    words = [line.split(" ")[0] for line in data_bin_lines(data / "dict.utterance.txt")]
    world = world_of(data)
    frontend = with_names(frontend, world)
    return TwoStageParser(
        UtteranceReader(words, frontend),
        first,
        second,
        world,
        manifest.domain,
        pipeline.pick,
        known_forms(data),
        pipeline.lookup,
        examples=example_utterances(data, frontend),
        further=further,
    )


def first_stage(
    pipeline: Pipeline, data: Path, run: Path | None = None, fingerprint: str = ""
) -> FirstStage:
    """How a pipeline finds ẑ."""
    models = load_paraphrasers(pipeline, data)
    if pipeline.rerank:
        return reranking(pipeline, data, models, run, fingerprint)
    if models:
        return BeamSearch(as_one([beam_of(model, pipeline.beam) for model in models]))
    if not pipeline.skip_punctuation:
        return NoParaphrase()
    lines = data_bin_lines(data / "dict.cf.txt")
    return NoParaphrase({line.split(" ")[0] for line in lines})


def load_paraphrasers(pipeline: Pipeline, data: Path) -> list[DualParaphraser | NaiveParser]:
    """The models of a pipeline's paraphrasers."""
    from fairseq_twostage.inference.checkpoints import load_paraphraser

    return [load_paraphraser(path, str(data)) for path in pipeline.paraphrasers]


def beam_of(model: DualParaphraser | NaiveParser, beam: int) -> BeamStage:
    """Natural to canonical by a beam: a direction of the paraphraser, or a model of that alone."""
    if isinstance(model, DualParaphraser):
        return BeamStage(model.encoder("cf"), model.decoder("cf"), beam, PARAPHRASE_LIMIT)
    return BeamStage(model.encoder, model.decoder, beam, PARAPHRASE_LIMIT)


def directions(model: DualParaphraser) -> dict[str, Direction]:
    """``log P(z | x)`` as ``forward``, ``log P(x | z)`` as ``dual``."""
    return {
        "forward": Direction(model.encoder("cf"), model.decoder("cf")),
        "dual": Direction(model.encoder("nl"), model.decoder("nl")),
    }


def reranking(
    pipeline: Pipeline,
    data: Path,
    models: Sequence[DualParaphraser | NaiveParser],
    run: Path | None = None,
    fingerprint: str = "",
) -> Reranking:
    """The first stage that ranks a data-bin's known canonical utterances.

    Raises:
        UserError: a feature that the models do not have.
    """
    asked = {name for name in pipeline.rerank if name != PRIOR}
    both: dict[str, Direction] = {}
    if asked - set(SIMILARITIES):
        if len(models) != 1 or not isinstance(models[0], DualParaphraser):
            raise UserError(
                "forward, forward_mean and dual need one paraphraser, a model of both directions",
                "--rerank",
            )
        both = directions(models[0])
    counts = canonical_counts(data)
    found = Reranking(
        list(counts),
        {name: weight for name, weight in pipeline.rerank.items() if name != PRIOR},
        {
            name: fitted_similarity(name, data, run, fingerprint, pipeline.adapted(name))
            for name in asked & set(SIMILARITIES)
        },
        DirectLikelihood(both["forward"]) if asked & {"forward", "forward_mean"} else None,
        DualLikelihood(both["dual"]) if "dual" in asked else None,
        proposals=beam_of(models[0], pipeline.proposals) if pipeline.proposals else None,
        faithful=pipeline.pick == EXECUTABLE_PARAPHRASE,
    )
    if not pipeline.rerank.get(PRIOR):
        return found
    if pipeline.prior and len(pipeline.prior) != len(counts):
        raise UserError(f"has {len(pipeline.prior)} numbers for {len(counts)} z", "prior")
    prior = np.array(pipeline.prior or fit_prior(found, pipeline.rerank[PRIOR], data))
    return replace(found, prior=prior)


def fit_prior(ranking: Reranking, weight: float, data: Path) -> list[float]:
    """The prior under which X spreads over Z: by the frequencies in Z in the setting ``paper``,
    else evenly and by half."""
    corpora = Corpora.of(data)
    found = corpora.balanced(ranking.scores(corpora.natural), 1.0)
    return list((weight if corpora.by_frequency else EVEN_BALANCE * weight) * found.prior)


def canonical_counts(data: Path) -> dict[str, int]:
    """How often each z stands in the training part of Z, in alphabetic order.

    Of training alone: a balance over development rows would judge their answers by them.
    """
    return dict(sorted(Counter(data_bin_lines(data / "text" / "train.cf")).items()))


def fitted_similarity(
    name: str,
    data: Path,
    run: Path | None = None,
    fingerprint: str = "",
    encoder: str | None = None,
) -> FittedSimilarity:
    """The similarity ``name`` over a data-bin's X and Z, from a run's files if they hold it.

    Args:
        name: of it.
        data: the data-bin.
        run: folder in which it is kept.
        fingerprint: of the data-bin.
        encoder: file of the encoder or of the word vectors as they were adapted.
    """
    adapted = None if encoder is None else Path(encoder)
    if adapted is not None:
        fingerprint = f"{fingerprint} {sha256(adapted)[:16]}"
    kept = None if run is None else run / SIMILARITY
    if kept is not None and fitted_on(kept, name) == fingerprint:
        with suppress(ValueError, KeyError, TypeError, IndexError, SafetensorError):  # damaged
            return read_similarity(kept, name)
    natural = dict.fromkeys(data_bin_lines(data / "text" / "train.nl"))
    known = resources(name, data, adapted=adapted)
    x, z = ([line.split() for line in lines] for lines in (natural, canonical_counts(data)))
    found, _ = FittedSimilarity.fit(known, x, z, MOST_FITTED)
    if kept is not None:
        write_similarity(found, kept, fingerprint)
    return found


def remember_canonicals(parser: TwoStageParser, data: Path) -> None:
    """Let the parser know the n-best ŷ of every canonical utterance of the data-bin."""
    lines = {
        line
        for split in ("train", "valid")
        for name in (f"{split}.cf", f"{split}.cf-lf.cf")
        for line in data_bin_lines(data / "text" / name)
    }
    parser.parse.learn(sorted(lines))


def example_utterances(data: Path, frontend: Frontend) -> list[str]:
    """A few training utterances, spread over the corpus, that people may try."""
    lines = sorted(set(data_bin_lines(data / "text" / "train.nl")))
    texts = [frontend.write_out(line) for line in lines]
    good = [
        text
        for text in texts
        if len(text.split()) in EXAMPLE_WORDS and not any(map(is_placeholder, text.split()))
    ]
    return good[:: max(1, len(good) // EXAMPLES)][:EXAMPLES]
