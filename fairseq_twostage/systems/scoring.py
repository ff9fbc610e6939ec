"""Denotation accuracy of a parser on annotated rows."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.errors import UserError
from fairseq_twostage.inference.parser import TwoStageParser
from fairseq_twostage.inference.parses import Parse
from fairseq_twostage.inference.pipeline import CANONICAL, Pipeline
from fairseq_twostage.inference.trust import Verdict
from fairseq_twostage.scoring.selective import Selective
from fairseq_twostage.semantics.accuracy import answered, is_right
from fairseq_twostage.text.rows import Row

BATCH = 256


@dataclass(frozen=True)
class Scored:
    """What was read of annotated rows.

    Attributes:
        gold: the rows.
        canonicals: ẑ of each; empty with one stage.
        forms: ŷ of each, in the placeholders of its row.
        denotations: of ŷ as text, ``ERROR`` where it has none.
        right: whether that is the denotation of the row's own form.
        parser: what read them.
        paraphrases: ẑ of each as it was found, where ``canonicals`` has what means ŷ.
        verdicts: whether to believe each.
        canonical_scores: of ẑ, as the first stage has them.
    """

    gold: Sequence[Row]
    canonicals: Sequence[str]
    forms: Sequence[str]
    denotations: Sequence[str]
    right: Sequence[bool]
    parser: TwoStageParser
    paraphrases: Sequence[str] = ()
    verdicts: Sequence[Verdict] = ()
    canonical_scores: Sequence[float] = ()

    @property
    def selective(self) -> Selective | None:
        """How trusted answers fare; None where nothing judges them."""
        confidences = [verdict.confidence for verdict in self.verdicts]
        if not confidences or None in confidences:
            return None
        given = [verdict.understood for verdict in self.verdicts]
        return Selective.of([each or 0.0 for each in confidences], self.right, given)

    @property
    def rows(self) -> list[tuple[str, str, str, str, int]]:
        """Utterance, ẑ, ŷ, denotation and whether it is right, for each row."""
        return [
            (row.utterance, canonical, form, denotation, int(right))
            for row, canonical, form, denotation, right in zip(
                self.gold, self.canonicals, self.forms, self.denotations, self.right
            )
        ]

    @property
    def correct_rows(self) -> list[int]:
        """Indices of the right rows."""
        return [index for index, right in enumerate(self.right) if right]

    @property
    def percent(self) -> float:
        """Accuracy."""
        return 100 * sum(self.right) / len(self.right)

    def __str__(self) -> str:
        correct = sum(self.right)
        return f"denotation accuracy: {self.percent:.1f} % ({correct} of {len(self.right)})"


def score(parser: TwoStageParser, rows: Sequence[Row], pipeline: Pipeline | None = None) -> Scored:
    """Read each row as a person's text would be, execute, compare.

    Args:
        parser: what reads.
        rows: annotated, from a data-bin.
        pipeline: says which side is read, and whether there is a ẑ; None: natural, and there is.
    """
    rows = _countable(rows, parser)
    tokeniser = parser.reader.frontend.tokeniser
    canonical = pipeline is not None and pipeline.source == CANONICAL
    texts = [tokeniser.decode(row.canonical if canonical else row.utterance) for row in rows]
    read = [parser.reader(text, row.variables) for text, row in zip(texts, rows)]
    utterances = [parser.reader.in_all_senses(utterance) for utterance in read]
    parses: list[Parse] = []
    for start in range(0, len(rows), BATCH):
        parses += parser.parse_utterances(utterances[start : start + BATCH])
    denotations, right = [], []
    for row, parse in zip(rows, parses):
        denotations.append(parse.answer.metric_text or "ERROR")
        right.append(is_right(parse.answer, row.logical_form, parser.world, row.variables))
    two = pipeline is None or pipeline.two_stages
    canonicals = [parse.canonical if two else "" for parse in parses]
    forms = [parse.logical_form for parse in parses]
    found = [parse.readings[0].paraphrase for parse in parses]
    verdicts = [parse.verdict for parse in parses]
    scores = [parse.readings[0].canonical_score for parse in parses]
    return Scored(rows, canonicals, forms, denotations, right, parser, found, verdicts, scores)


def _countable(rows: Sequence[Row], parser: TwoStageParser) -> Sequence[Row]:
    """The rows whose gold answer is one; a note says how many are not.

    Raises:
        UserError: none is.
    """
    kept = [row for row in rows if answered(row.logical_form, parser.world)]
    if len(kept) < len(rows):
        gone = len(rows) - len(kept)
        print(
            f"note: {gone} of {len(rows)} rows do not count: their gold query does not run or "
            "answers nothing",
            file=sys.stderr,
        )
    if rows and not kept:
        raise UserError("no gold query of the split runs and answers something")
    return kept


def epoch_checkpoints(pipeline: Pipeline) -> dict[int, Path]:
    """The checkpoints that training kept after each epoch, beside the pipeline's last one.

    Raises:
        UserError: there are none, or there are several trainings.
    """
    if len(pipeline.paraphrasers) > 1:
        raise UserError("is for one training, not for several", "--history")
    folder = Path(last_checkpoint(pipeline)).parent
    found = {
        int(match[1]): path
        for path in folder.glob("checkpoint*.pt")
        if (match := re.fullmatch(r"checkpoint(\d+)\.pt", path.name))
    }
    if not found:
        raise UserError(
            "holds no epoch's checkpoint; train without --no-epoch-checkpoints", str(folder)
        )
    return dict(sorted(found.items()))


def last_checkpoint(pipeline: Pipeline) -> str:
    """That of the (last) paraphraser, or of the parser where there is one stage."""
    checkpoint = [*filter(None, [pipeline.parser]), *pipeline.paraphrasers][-1:]
    if not checkpoint:
        raise UserError("nothing was trained", "--history")
    return checkpoint[0]


def epoch_accuracies(
    pipeline: Pipeline, data: Path, split: str | None, checkpoints: Mapping[int, Path]
) -> dict[int, float]:
    """Accuracy of each epoch's checkpoint on a split, in percent."""
    if not checkpoints or split is None:
        return {}
    from fairseq_twostage.inference.loading import load_pipeline

    rows = read_gold(data, split)
    accuracies = {}
    for epoch, path in checkpoints.items():
        if pipeline.paraphrasers:
            changed = replace(pipeline, paraphrasers=[str(path)])
        else:
            changed = replace(pipeline, parser=str(path))
        accuracies[epoch] = round(score(load_pipeline(changed, data), rows, changed).percent, 2)
    return accuracies
