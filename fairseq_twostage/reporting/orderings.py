"""The orderings that the paper draws its conclusions from, and those past the paper."""

from __future__ import annotations

from dataclasses import dataclass

ONE_NOISE = ("noise_drop", "noise_add", "noise_shuffle")
TWO_NOISES = ("noise_drop+add", "noise_drop+shuffle", "noise_add+shuffle")


@dataclass(frozen=True)
class Ordering:
    """A claim that the mean accuracy of some systems is above that of others."""

    claim: str
    better: tuple[str, ...]
    worse: tuple[str, ...]


ORDERINGS = (
    Ordering("cycle learning > DAE alone", ("complete",), ("minus_cycle_learning",)),
    Ordering("shared > separate encoders", ("complete",), ("minus_shared_encoder",)),
    Ordering("all noises > two", ("noise_all",), TWO_NOISES),
    Ordering("two noises > one", TWO_NOISES, ONE_NOISE),
    Ordering("one noise > none", ONE_NOISE, ("noise_none",)),
    Ordering("BT + DRL > BT", ("cycle_bt+drl",), ("cycle_bt",)),
    Ordering("BT + DRL > DRL", ("cycle_bt+drl",), ("cycle_drl",)),
    Ordering("BT > neither", ("cycle_bt",), ("cycle_dae",)),
    Ordering("DRL > neither", ("cycle_drl",), ("cycle_dae",)),
    Ordering("DRL > its policy gradient alone", ("cycle_drl",), ("cycle_policy_gradient",)),
    Ordering("policy gradient alone > neither", ("cycle_policy_gradient",), ("cycle_dae",)),
    Ordering("BT + DRL > DAE + BT + DRL", ("cycle_bt+drl",), ("cycle_dae+bt+drl",)),
    Ordering("style matters more than fluency", ("reward_minus_fluency",), ("reward_minus_style",)),
    Ordering(
        "relevance matters more than fluency",
        ("reward_minus_fluency",),
        ("reward_minus_relevance",),
    ),
    Ordering("words only > CompleteModel", ("words_only",), ("complete",)),
    Ordering("sentence encoder > words only", ("sentence_encoder",), ("words_only",)),
    Ordering(
        "sentence encoder, no label > two-stage supervised",
        ("sentence_encoder",),
        ("two_stage_supervised",),
    ),
    Ordering(
        "words only, no label > two-stage supervised", ("words_only",), ("two_stage_supervised",)
    ),
    Ordering("words only > its denoising alone", ("words_only",), ("added_0_denoising",)),
    Ordering("CompleteModel > WmdSamples, two-stage", ("complete",), ("wmd_samples_two_stage",)),
    Ordering("CompleteModel > MultiTaskDae", ("complete",), ("multitask_dae",)),
    Ordering("5 % labels > none", ("semi_05",), ("complete",)),
    Ordering("30 % labels > 5 %", ("semi_30",), ("semi_05",)),
    Ordering("100 % labels > 30 %", ("semi_100",), ("semi_30",)),
    Ordering("100 % labels > one-stage supervised", ("semi_100",), ("one_stage_supervised",)),
)
