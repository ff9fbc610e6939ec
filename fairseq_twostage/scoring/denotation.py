"""Denotation accuracy as a fairseq scorer: ``--scoring denotation --denotation-domain D``."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Optional

from fairseq.dataclass import FairseqDataclass
from fairseq.scoring import BaseScorer, register_scorer

from fairseq_twostage.corpora.databin import read_gold
from fairseq_twostage.corpora.worlds import open_world
from fairseq_twostage.errors import UserError
from fairseq_twostage.semantics import execute, same_denotation


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

    fairseq tells a scorer the two strings of a row but not which row it is. Where a gold form
    stands in several rows with other variables, a prediction counts by the share of these under
    which it is right; ``twostage score`` knows the rows and is exact.
    """

    def __init__(self, cfg: DenotationScorerConfig) -> None:
        super().__init__(cfg)
        if not cfg.denotation_domain:
            raise UserError("--scoring denotation needs --denotation-domain")
        self.world = open_world(cfg.denotation_domain, cfg.denotation_geo_db)
        self.variables: dict[str, list[dict[str, str]]] = {}
        if cfg.denotation_data:
            self.variables = variables_by_form(cfg.denotation_data, cfg.denotation_split)
        self.reset()

    def reset(self) -> None:
        """Forget all rows."""
        self.ref: list[str] = []
        self.pred: list[str] = []
        self._correct = 0.0

    def add_string(self, ref: str, pred: str) -> None:
        """Count a row: a gold and a predicted logical form."""
        super().add_string(ref, pred)
        choices = self.variables.get(ref) or [{}]
        right = [
            same_denotation(
                execute(pred, self.world, variables), execute(ref, self.world, variables)
            )
            for variables in choices
        ]
        self._correct += sum(right) / len(right)

    def score(self) -> float:
        """Accuracy in percent; 0 before the first row."""
        return 100.0 * self._correct / len(self.ref) if self.ref else 0.0

    def result_string(self) -> str:
        """The line that ``fairseq-generate`` prints."""
        return f"Denotation accuracy: {self.score():.2f} ({len(self.ref)} rows)"


def variables_by_form(folder: str, split: str) -> dict[str, list[dict[str, str]]]:
    """The variables of all rows of a split, by gold form.

    Raises:
        UserError: the data-bin has no such split.
    """
    variables: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in read_gold(folder, split):
        variables[row.logical_form].append(dict(row.variables))
    return variables
