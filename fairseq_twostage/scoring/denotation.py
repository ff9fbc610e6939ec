"""Denotation accuracy as a fairseq scorer: ``--scoring denotation --denotation-domain D``."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from fairseq.data import Dictionary
from fairseq.dataclass import FairseqDataclass
from fairseq.scoring import BaseScorer, register_scorer

from fairseq_twostage.databin.folder import read_gold
from fairseq_twostage.domains.worlds import open_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import execute, same_denotation

GoldForm = tuple[str, Mapping[str, str]]  # and the variables of its row


@dataclass
class DenotationScorerConfig(FairseqDataclass):
    """Options of the scorer."""

    denotation_domain: str = field(
        default="", metadata={"help": "domain whose world runs the logical forms"}
    )
    denotation_geo_db: Optional[str] = field(  # noqa: UP045 (fairseq knows Optional only)
        default=None, metadata={"help": "where geo880.db lies, for the domain geo"}
    )
    denotation_data: Optional[str] = field(  # noqa: UP045
        default=None,
        metadata={"help": "data-bin whose gold rows hold the variables of logical forms"},
    )
    denotation_split: str = field(
        default="test", metadata={"help": "split of --denotation-data that is decoded"}
    )


@register_scorer("denotation", dataclass=DenotationScorerConfig)
class DenotationScorer(BaseScorer):
    """Percentage of predictions that denote what their gold form denotes.

    fairseq tells a scorer the two strings of a row but not which row it is, and writes
    ``<<unk>>`` for what ``dict.lf.txt`` lacks. Where a gold form as it writes it stands for several
    forms, or for one with other variables, a prediction counts by the share of these under which
    it is right; ``twostage score`` knows the rows and is exact.
    """

    def __init__(self, cfg: DenotationScorerConfig) -> None:
        super().__init__(cfg)
        if not cfg.denotation_domain:
            raise UserError("--scoring denotation needs --denotation-domain")
        self.world = open_world(cfg.denotation_domain, cfg.denotation_geo_db)
        self.rows: dict[str, list[GoldForm]] = {}
        if cfg.denotation_data:
            self.rows = rows_as_printed(cfg.denotation_data, cfg.denotation_split)
        self.reset()

    def reset(self) -> None:
        self.ref: list[str] = []
        self.pred: list[str] = []
        self._correct = 0.0

    def add_string(self, ref: str, pred: str) -> None:
        """Count a row: a gold and a predicted logical form."""
        super().add_string(ref, pred)
        right = [
            same_denotation(
                execute(pred, self.world, variables), execute(gold, self.world, variables)
            )
            for gold, variables in self.rows.get(ref) or [(ref, {})]
        ]
        self._correct += sum(right) / len(right)

    def score(self) -> float:
        """Accuracy in percent; 0 before the first row."""
        return 100.0 * self._correct / len(self.ref) if self.ref else 0.0

    def result_string(self) -> str:
        """The line that ``fairseq-generate`` prints."""
        return f"Denotation accuracy: {self.score():.2f} ({len(self.ref)} rows)"


def rows_as_printed(folder: str, split: str) -> dict[str, list[GoldForm]]:
    """The rows of a split, by gold form as ``fairseq-generate`` prints it.

    Raises:
        UserError: the data-bin has no such split.
    """
    symbols = Dictionary.load(str(Path(folder) / "dict.lf.txt"))
    unknown = symbols.unk_string(escape=True)
    rows: dict[str, list[GoldForm]] = defaultdict(list)
    for row in read_gold(folder, split):
        words = row.logical_form.split()
        printed = " ".join(word if word in symbols else unknown for word in words)
        rows[printed].append((row.logical_form, row.variables))
    return rows
