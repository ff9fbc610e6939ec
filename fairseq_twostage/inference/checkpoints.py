"""A parser straight from training: two checkpoints and their data-bin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fairseq_twostage import plugin
from fairseq_twostage.corpora.databin import data_bin_lines, known_forms, read_manifest
from fairseq_twostage.corpora.frontend import Frontend, load_frontend
from fairseq_twostage.corpora.lexicon import is_placeholder, read_lexicon
from fairseq_twostage.corpora.worlds import world_of
from fairseq_twostage.decoding.mixture import as_one
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.bundle import is_bundle, read_bundle
from fairseq_twostage.inference.parser import DEFAULT_BEAM, PARAPHRASE_LIMIT, TwoStageParser
from fairseq_twostage.inference.picks import DEFAULT_PICK
from fairseq_twostage.inference.plain_models import Sizes
from fairseq_twostage.inference.reading import UtteranceReader
from fairseq_twostage.selection import LABEL_FREE, best_checkpoint

CHECKPOINT = best_checkpoint()
CHECKPOINT_OF_STAGE = f"*/{CHECKPOINT}"
# Chosen for what is used as it is (configs/minus_cycle_learning.yaml), where denoising kept it.
DENOISING_ALONE = best_checkpoint(f"{LABEL_FREE}_*")
PARAPHRASERS = ("cycle", "warm", "dae")  # the last of them that a run has
# A run may have a naive parser for reading beside the one that rewards, and others.
NAIVE_PARSERS = ("parser.reader", "parser")
EXAMPLES = 5
EXAMPLE_WORDS = range(4, 10)


def load_checkpoints(
    data: Path,
    paraphrasers: Sequence[Path],
    parser: Path,
    beam: int = DEFAULT_BEAM,
    pick: str = DEFAULT_PICK,
    lexicon: Path | None = None,
) -> TwoStageParser:
    """The parser of two checkpoints.

    Args:
        data: the data-bin they were trained on, or its copy.
        paraphrasers: checkpoint of the paraphraser, or of several that are read with as a mixture.
        parser: checkpoint of a ``naive_parser``.
        beam: of each stage.
        pick: see :class:`TwoStageParser`.
        lexicon: phrases that become placeholders, in place of the data-bin's.

    Raises:
        UserError: a file that is missing or of another kind, or no fairseq.
    """
    plugin.load()
    from fairseq_twostage.decoding.two_stage import first_stage, parse_stage
    from fairseq_twostage.tasks.auxiliaries import load_paraphraser, load_parser

    manifest = read_manifest(data)
    frontend = load_frontend(data)
    if lexicon is not None:
        frontend = Frontend(frontend.tokeniser, read_lexicon(lexicon))
    firsts = [
        first_stage(load_paraphraser(str(path), str(data)), beam, PARAPHRASE_LIMIT)
        for path in paraphrasers
    ]
    second = parse_stage(load_parser(str(parser), str(data)), beam)
    for stage in (*firsts, second):
        Sizes.of(stage.encoder, stage.decoder)
    words = firsts[0].encoder.dictionary
    reader = UtteranceReader(words.symbols[words.nspecial :], frontend)
    examples = example_utterances(data, frontend)
    return TwoStageParser(
        reader,
        as_one(firsts),
        second,
        world_of(data),
        manifest.domain,
        pick,
        examples=examples,
        certain=known_forms(data),
    )


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


def run_paraphraser(run: Path) -> Path:
    """The paraphraser of a run folder: ``cycle``, else ``warm``, else ``dae``.

    A stage's folder may say more, as ``cycle.bt``. A run that ends with ``dae`` gives the
    checkpoint that a second metric chose, if there is one, as in ``minus_cycle_learning``.

    Raises:
        UserError: it is not there, or there are several.
    """
    chosen = _checkpoint(run, PARAPHRASERS, "--paraphraser")
    return next(iter(sorted(chosen.parent.glob(DENOISING_ALONE))), chosen)


def run_parser(run: Path) -> Path:
    """The naive parser of a run folder, whatever other parsers it holds (``parser.supervised``);
    where there is none of that name, as :func:`run_paraphraser`."""
    for name in NAIVE_PARSERS:
        naive = run / name / CHECKPOINT
        if naive.is_file():
            return naive
    return _checkpoint(run, ("parser",), "--parser")


def _checkpoint(run: Path, stages: Sequence[str], option: str) -> Path:
    """That of the first of ``stages`` that there is; ``option`` chooses among several."""
    for stage in stages:
        found = sorted(run.glob(f"{stage}{CHECKPOINT_OF_STAGE}"))
        if len(found) > 1:
            names = ", ".join(path.parent.name for path in found)
            raise UserError(f"several checkpoints ({names}): export one by {option}", str(run))
        if found:
            return found[0]
    missing = str(run / stages[0] / CHECKPOINT)
    raise UserError("neither an exported parser nor a run: no such file", missing)


def open_parser(folder: Path, data: Path | None = None) -> TwoStageParser:
    """The parser of an exported folder, or of a run folder with its data-bin.

    Raises:
        UserError: it is neither.
    """
    if is_bundle(folder):
        return read_bundle(folder)
    if not folder.is_dir():
        raise UserError("no such folder; make one with twostage export", str(folder))
    paraphraser, parser = run_paraphraser(folder), run_parser(folder)
    if data is None:
        raise UserError("a run needs its data-bin: give --data, or export it", str(folder))
    return load_checkpoints(data, [paraphraser], parser)
