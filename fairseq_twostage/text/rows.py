"""The one record every raw format is read into."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    """One aligned example: utterance x, canonical utterance z and logical form y.

    Args:
        utterance: natural utterance, tokenised (words separated by single spaces).
        canonical: canonical utterance, tokenised; empty where the dataset has none.
        logical_form: normalised by :func:`.normalisation.normalize_logical_form`.
        variables: placeholder of the utterance -> the entity that replaces it in a logical
            form before execution (GeoGranno); empty elsewhere.
        where: ``file:line`` that it was read from, for messages; of no account in comparisons.
    """

    utterance: str
    canonical: str
    logical_form: str
    variables: Mapping[str, str] = field(default_factory=dict)
    where: str = field(default="", compare=False)

    @property
    def line(self) -> str:
        """x, z, y and the variables as JSON, separated by tabs."""
        return "\t".join((self.utterance, self.canonical, self.logical_form, self.variables_json))

    @property
    def variables_json(self) -> str:
        """The variables as one line of JSON, keys sorted."""
        return json.dumps(dict(self.variables), ensure_ascii=False, sort_keys=True)
