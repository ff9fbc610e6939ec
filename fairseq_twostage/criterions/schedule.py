"""What a loss or a reward is summed of: known names, and weights that may change in training."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from fairseq_twostage.errors import UserError

OBJECTIVES = ("denoising", "back_translation", "policy_gradient", "supervised", "pseudo_pairs")
REWARDS = ("fluency", "style", "relevance", "executability", "similarity")


@dataclass(frozen=True)
class Schedule:
    """A weight, piecewise linear in the number of updates; constant outside its points.

    Attributes:
        points: (update, weight), by update.
    """

    points: tuple[tuple[int, float], ...]

    def at(self, update: int) -> float:
        """The weight at ``update``."""
        after = bisect_right([point for point, _ in self.points], update)
        if after == 0:
            return self.points[0][1]
        if after == len(self.points):
            return self.points[-1][1]
        (start, low), (end, high) = self.points[after - 1], self.points[after]
        return low + (high - low) * (update - start) / (end - start)

    @classmethod
    def parse(cls, text: str) -> Schedule:
        """Read ``0.5`` (constant) or ``1@0;0@2000`` (weight@update, linear between)."""
        points = []
        for piece in text.split(";"):
            weight, _, update = piece.partition("@")
            points.append((int(update) if update else 0, float(weight)))
        if not all(math.isfinite(weight) for _, weight in points):
            raise ValueError("weights must be finite")
        updates = [update for update, _ in points]
        if updates != sorted(set(updates)):
            raise ValueError("updates must increase")
        return cls(tuple(points))


def parse_weighted_names(
    text: str, known: tuple[str, ...], option: str
) -> list[tuple[str, Schedule]]:
    """Read ``name=weight,name=weight`` (weight 1 if left out) against the known names.

    Raises:
        UserError: an unknown name, a name given twice or a weight that is no number.
    """
    chosen: list[tuple[str, Schedule]] = []
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        name, _, weight = piece.partition("=")
        if name not in known:
            raise UserError(f"unknown name {name!r}; choose from {', '.join(known)}", option)
        if name in dict(chosen):
            raise UserError(f"{name!r} is given twice", option)
        try:
            chosen.append((name, Schedule.parse(weight or "1")))
        except ValueError:
            raise UserError(
                f"cannot read the weight of {piece!r}; write NAME=0.5, or NAME=1@0;0@2000 "
                "for a weight that moves between updates",
                option,
            ) from None
    if not chosen:
        raise UserError(f"nothing chosen; choose from {', '.join(known)}", option)
    return chosen
