"""The objectives under their fairseq names: ``--criterion denoising`` and so on."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from fairseq.criterions import register_criterion
from fairseq.dataclass import ChoiceEnum, FairseqDataclass

from fairseq_twostage.criterions.back_translation import BackTranslation
from fairseq_twostage.criterions.baselines import BASELINES
from fairseq_twostage.criterions.denoising import Denoising
from fairseq_twostage.criterions.objective import Objective, WeightedObjectivesCriterion
from fairseq_twostage.criterions.policy_gradient import PolicyGradient, draw_samples
from fairseq_twostage.criterions.schedule import OBJECTIVES, REWARDS, Schedule, parse_weighted_names
from fairseq_twostage.criterions.supervised import PseudoPairs, Supervised
from fairseq_twostage.decoding.beam import SharedBeam, beam_samples, dropout_beam_samples
from fairseq_twostage.decoding.lean import LengthLimit
from fairseq_twostage.errors import UserError
from fairseq_twostage.models.sentence_encoder import SentenceEncoder
from fairseq_twostage.rewards import Reward
from fairseq_twostage.rewards.executability import Executability
from fairseq_twostage.rewards.fluency import Fluency
from fairseq_twostage.rewards.relevance import Relevance
from fairseq_twostage.rewards.similarity import Similarity
from fairseq_twostage.rewards.style import Style

SAMPLERS = {
    "multinomial": draw_samples,
    "beam": beam_samples,
    "dropout_beam": dropout_beam_samples,
}


@dataclass
class ObjectiveConfig(FairseqDataclass):
    """Options of every objective; the defaults are the paper's."""

    samples: int = field(default=6, metadata={"help": "K: samples per input (policy_gradient)"})
    sampler: ChoiceEnum(list(SAMPLERS)) = field(  # type: ignore[valid-type]
        default="multinomial",
        metadata={
            "help": "how samples are drawn; 'beam': the K best hypotheses; 'dropout_beam': "
            "likewise, searched with dropout on (released code)"
        },
    )
    baseline: ChoiceEnum(list(BASELINES)) = field(  # type: ignore[valid-type]
        default="mean",
        metadata={
            "help": "b of REINFORCE: mean of the K samples, none, running or cumulative "
            "mean, reward of greedy decoding"
        },
    )
    rewards: str = field(
        default="fluency=1,style=1,relevance=1,executability=1",
        metadata={"help": "rewards and their weights; one left out is off"},
    )
    advantage_clamp: float = field(
        default=0.0,
        metadata={"help": "clamp R - b to plus or minus this; 0: no clamp (released code: 5)"},
    )
    dual_weight: float = field(
        default=0.0,
        metadata={
            "help": "weight of the dual model's likelihood of the input given the samples "
            "(released code: 0.5)"
        },
    )
    relevance_dropout: bool = field(
        default=False,
        metadata={
            "help": "judge relevance with dropout on (released code), and not in evaluation "
            "mode; with --dual-weight one pass serves both, in which the samples of an input share "
            "what is dropped of its words"
        },
    )
    translation_beam: int = field(
        default=1,
        metadata={
            "help": "beam of back-translation; 1: greedy (released code: 5); where policy_gradient "
            "samples by a 'beam' at least as wide, that one search serves both"
        },
    )
    length_slope: float = field(
        default=LengthLimit().slope,
        metadata={"help": "paraphrases made in training have at most SLOPE * input + OFFSET words"},
    )
    length_offset: int = field(
        default=LengthLimit().offset, metadata={"help": "see --length-slope"}
    )


@dataclass
class WeightedObjectivesConfig(ObjectiveConfig):
    """Options of the weighted sum."""

    objectives: str = field(
        default="back_translation=1,policy_gradient=1",
        metadata={
            "help": "objectives and their weights, NAME=WEIGHT,…; a weight is a number or "
            "WEIGHT@UPDATE;WEIGHT@UPDATE, linear in between"
        },
    )


def build_objective(
    name: str, cfg: ObjectiveConfig, task: Any, shared: SharedBeam | None = None
) -> Objective:
    """The objective ``name`` with the options ``cfg`` on the models that ``task`` offers.

    Args:
        name: of :data:`OBJECTIVES`.
        cfg: options of all of them.
        task: gives models and data.
        shared: the search of back-translation and of samples, if it is the same.
    """
    limit = LengthLimit(cfg.length_slope, cfg.length_offset)
    builders: dict[str, Callable[[], Objective]] = {
        "denoising": Denoising,
        "back_translation": lambda: build_back_translation(cfg, task, limit, shared),
        "policy_gradient": lambda: build_policy_gradient(cfg, task, limit, shared),
        "supervised": lambda: build_supervised(task),
        "pseudo_pairs": lambda: build_pseudo_pairs(task),
    }
    return builders[name]()


def build_back_translation(
    cfg: ObjectiveConfig, task: Any, limit: LengthLimit, shared: SharedBeam | None = None
) -> BackTranslation:
    """Back-translation with the options ``cfg``."""
    if cfg.translation_beam < 1:
        raise UserError(f"must be at least 1, not {cfg.translation_beam}", "--translation-beam")
    return BackTranslation(limit, task.constraints, cfg.translation_beam, shared)


def build_supervised(task: Any) -> Supervised:
    """The supervised objective, if labels were asked for."""
    if task.cfg.labelled_share <= 0:
        raise UserError(
            "needs labelled pairs: set --labelled-share above 0", "objective supervised"
        )
    return Supervised()


def build_pseudo_pairs(task: Any) -> PseudoPairs:
    """The objective of guessed pairs, if there are any."""
    if task.cfg.pseudo_pairs is None:
        raise UserError("needs --pseudo-pairs, what twostage pair wrote", "objective pseudo_pairs")
    return PseudoPairs()


def check_pairs_are_used(names: Collection[str], task: Any) -> None:
    """Refuse pairs that no objective learns from: a run would be another than it is called.

    Args:
        names: of the objectives.
        task: says which pairs it loads.

    Raises:
        UserError: it loads labelled or guessed pairs whose objective is not among them.
    """
    if task.cfg.labelled_share > 0 and "supervised" not in names:
        raise UserError("unused: add supervised=1 to --objectives", "--labelled-share")
    if task.cfg.pseudo_pairs is not None and "pseudo_pairs" not in names:
        raise UserError("unused: add pseudo_pairs=1 to --objectives", "--pseudo-pairs")


def shared_beam(cfg: ObjectiveConfig, names: Collection[str]) -> SharedBeam | None:
    """The search that back-translation and the samples share, if both search with one beam."""
    both = {"back_translation", "policy_gradient"} <= set(names)
    wide = 1 < cfg.translation_beam <= cfg.samples
    return SharedBeam(cfg.samples) if both and wide and str(cfg.sampler) == "beam" else None


def build_policy_gradient(
    cfg: ObjectiveConfig, task: Any, limit: LengthLimit, shared: SharedBeam | None = None
) -> PolicyGradient:
    """Dual reinforcement learning with the rewards that ``cfg`` names."""
    if cfg.samples < 1:
        raise UserError(f"must be at least 1, not {cfg.samples}", "--samples")
    if cfg.samples == 1 and str(cfg.baseline) == "mean":
        raise UserError(
            "1 with the baseline 'mean' leaves every advantage at zero: "
            "draw 2 or more, or choose another --baseline",
            "--samples",
        )
    chosen = parse_weighted_names(cfg.rewards, REWARDS, "--rewards")
    if any(len(schedule.points) > 1 for _, schedule in chosen):
        raise UserError("a reward's weight cannot move between updates", "--rewards")
    auxiliaries = task.auxiliaries
    builders: dict[str, Callable[[], Reward]] = {
        "fluency": lambda: Fluency(auxiliaries.language_models(), task.dictionaries),
        "style": lambda: Style(auxiliaries.style_classifier()),
        "relevance": lambda: Relevance(cfg.relevance_dropout),
        "similarity": lambda: Similarity(
            SentenceEncoder.load().embed, task.dictionaries["utterance"]
        ),
        "executability": lambda: Executability(auxiliaries.parses(), task.executes()),
    }
    return PolicyGradient(
        rewards={name: builders[name]() for name, _ in chosen},
        weights={name: schedule.at(0) for name, schedule in chosen},
        samples=cfg.samples,
        baseline=BASELINES[str(cfg.baseline)](),
        limit=limit,
        sampler=shared or SAMPLERS[str(cfg.sampler)],
        advantage_clamp=cfg.advantage_clamp,
        dual_weight=cfg.dual_weight,
        constraints=task.constraints,
    )


@register_criterion("weighted_objectives", dataclass=WeightedObjectivesConfig)
class WeightedObjectives(WeightedObjectivesCriterion):
    """Any weighted sum of objectives as one run."""

    @classmethod
    def build_criterion(cls, cfg: WeightedObjectivesConfig, task: Any) -> "WeightedObjectives":
        chosen = parse_weighted_names(cfg.objectives, OBJECTIVES, "--objectives")
        names = [name for name, _ in chosen]
        check_pairs_are_used(names, task)
        shared = shared_beam(cfg, names)
        return cls(
            task, [(build_objective(name, cfg, task, shared), weight) for name, weight in chosen]
        )


class SingleObjective(WeightedObjectivesCriterion):
    """One objective with weight 1; its name is the criterion's."""

    objective = ""

    @classmethod
    def build_criterion(cls, cfg: ObjectiveConfig, task: Any) -> "SingleObjective":
        check_pairs_are_used([cls.objective], task)
        return cls(task, [(build_objective(cls.objective, cfg, task), Schedule.parse("1"))])


@register_criterion("denoising", dataclass=ObjectiveConfig)
class DenoisingCriterion(SingleObjective):
    """L_DAE alone: pre-training."""

    objective = "denoising"


@register_criterion("back_translation", dataclass=ObjectiveConfig)
class BackTranslationCriterion(SingleObjective):
    """L_BT alone."""

    objective = "back_translation"


@register_criterion("policy_gradient", dataclass=ObjectiveConfig)
class PolicyGradientCriterion(SingleObjective):
    """L_DRL alone."""

    objective = "policy_gradient"


@register_criterion("supervised", dataclass=ObjectiveConfig)
class SupervisedCriterion(SingleObjective):
    """Labelled pairs alone."""

    objective = "supervised"


@register_criterion("pseudo_pairs", dataclass=ObjectiveConfig)
class PseudoPairsCriterion(SingleObjective):
    """Guessed pairs alone: a warm start."""

    objective = "pseudo_pairs"
