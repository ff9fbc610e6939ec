"""L_DRL: dual reinforcement learning with REINFORCE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from fairseq_twostage.criterions.back_translation import other_side
from fairseq_twostage.criterions.baselines import Baseline
from fairseq_twostage.criterions.objective import Batch, Mean, ObjectiveOutput, zero_loss
from fairseq_twostage.decoding.constraints import Constraint, WrittenMask
from fairseq_twostage.decoding.lean import LengthLimit, decode, draw, evaluation_mode, pick_best
from fairseq_twostage.decoding.samples import Inputs, Samples
from fairseq_twostage.models.dual_paraphraser import SIDES, DualParaphraser
from fairseq_twostage.models.scoring import chunked_sentence_log_probs
from fairseq_twostage.rewards import Reward
from fairseq_twostage.rewards.relevance import dual_log_probs

Sampler = Callable[[DualParaphraser, Inputs, str, int, LengthLimit, Constraint | None], Tensor]


@dataclass
class PolicyGradient:
    """``∇L ≈ −Σ_k (R(z̃ᵏ) − b)/K · ∇ log P(z̃ᵏ | x)``, and the same for ``x̃ᵏ`` from z.

    Samples are drawn by the model in evaluation mode, but for the sampler ``dropout_beam``;
    equal samples of one input are judged and scored once, with the sum of their coefficients.

    Attributes:
        rewards: by name; the total is their weighted sum.
        weights: of the rewards.
        samples: K.
        baseline: b.
        limit: of the samples' length.
        sampler: draws K samples per input.
        advantage_clamp: if positive, ``R − b`` is clamped to ± this (released code: 5).
        dual_weight: weight of ``−mean_k log P_dual(x | z̃ᵏ)`` (paper: 0; released code: 0.5).
        constraints: by side, what its samples are held to. The policy is then the model
            renormalised over what may follow, in sampling and in its log-probability.
    """

    rewards: Mapping[str, Reward]
    weights: Mapping[str, float]
    samples: int
    baseline: Baseline
    limit: LengthLimit
    sampler: Sampler = field(default_factory=lambda: draw_samples)
    advantage_clamp: float = 0.0
    dual_weight: float = 0.0
    constraints: Mapping[str, Constraint] = field(default_factory=dict)

    name = "policy_gradient"
    in_validation = False

    def __call__(self, model: DualParaphraser, batch: Batch) -> ObjectiveOutput:
        loss = zero_loss(model)
        logs: dict[str, Mean] = {}
        for side in SIDES:
            if side not in batch:
                logs.update(dict.fromkeys(self._log_names(side), Mean(0.0, 0)))
                continue
            inputs = Inputs(side, batch[side]["tokens"], batch[side].get("variables"))
            side_loss, side_logs = self._one_direction(model, inputs)
            loss = loss + side_loss
            logs.update(side_logs)
        return ObjectiveOutput(loss, logs)

    def _one_direction(
        self, model: DualParaphraser, inputs: Inputs
    ) -> tuple[Tensor, dict[str, Mean]]:
        target = other_side(inputs.side)
        constraint = self.constraints.get(target)
        drawn = self.sampler(model, inputs, target, self.samples, self.limit, constraint)
        distinct, where = distinct_samples(drawn, self.samples, model.decoder(target).padding_idx)
        samples = Samples(target, drawn[distinct], distinct // self.samples, model)
        dual = dual_log_probs(inputs, samples) if self.dual_weight > 0 else None
        if dual is not None:
            samples = replace(samples, dual_log_probs=dual.detach())
        judged = {name: reward(inputs, samples) for name, reward in self.rewards.items()}
        total = sum_rewards(judged, self.weights)[where].view(-1, self.samples)
        greedy = (
            (lambda: self._greedy_rewards(model, inputs, target))
            if self.baseline.wants_greedy
            else None
        )
        advantage = total - self.baseline(inputs.side, total, greedy)
        if self.advantage_clamp > 0:
            advantage = advantage.clamp(-self.advantage_clamp, self.advantage_clamp)
        coefficients = total.new_zeros(distinct.numel())
        coefficients.index_add_(0, where, advantage.flatten() / self.samples)
        loss = reinforce_loss(model, inputs, samples, coefficients, constraint)
        if dual is not None:
            shares = torch.bincount(where, minlength=distinct.numel()) / self.samples
            loss = loss - self.dual_weight * (shares * dual).sum()
        means = [Mean(reward[where].sum().item(), where.numel()) for reward in judged.values()]
        means.append(Mean(total.sum().item(), where.numel()))
        means.append(Mean(float(distinct.numel()), total.size(0)))
        return loss, dict(zip(self._log_names(inputs.side), means))

    def _log_names(self, side: str) -> list[str]:
        direction = f"{side}_{other_side(side)}"
        rewards = [f"reward_{name}_{direction}" for name in self.rewards]
        return [*rewards, f"reward_{direction}", f"distinct_samples_{direction}"]

    def _greedy_rewards(self, model: DualParaphraser, inputs: Inputs, target: str) -> Tensor:
        constraint = self.constraints.get(target)
        written = draw_samples(model, inputs, target, 1, self.limit, constraint, pick_best)
        rows = torch.arange(written.size(0), device=written.device)
        samples = Samples(target, written, rows, model)
        judged = {name: reward(inputs, samples) for name, reward in self.rewards.items()}
        return sum_rewards(judged, self.weights)


def reinforce_loss(
    model: DualParaphraser,
    inputs: Inputs,
    samples: Samples,
    coefficients: Tensor,
    constraint: Constraint | None = None,
) -> Tensor:
    """``−Σ_i coefficient_i · log P(sample_i | its input)``; zero coefficients cost nothing.

    Args:
        model: the policy, in the caller's mode.
        inputs: of the policy.
        samples: ``n`` of them.
        coefficients: ``(R − b)/K``, constants, ``(n,)``.
        constraint: that the samples were held to.
    """
    kept = coefficients.nonzero().squeeze(1)
    if kept.numel() == 0:
        return zero_loss(model)
    memory = model.memory(inputs.tokens, samples.side)
    tokens = samples.tokens[kept]
    mask = None if constraint is None else WrittenMask(constraint, tokens)
    log_probs = chunked_sentence_log_probs(
        model.decoder(samples.side), memory, samples.rows[kept], tokens, mask
    )
    return -(coefficients[kept].detach() * log_probs).sum()


def sum_rewards(rewards: Mapping[str, Tensor], weights: Mapping[str, float]) -> Tensor:
    """The weighted sum of named rewards, each ``(n,)``."""
    return torch.stack([weights[name] * reward for name, reward in rewards.items()]).sum(dim=0)


def draw_samples(
    model: DualParaphraser,
    inputs: Inputs,
    target: str,
    count: int,
    limit: LengthLimit,
    constraint: Constraint | None = None,
    choose: Callable[[Tensor], Tensor] = draw,
) -> Tensor:
    """``count`` sentences of each input, ``(batch · count, length)``, input by input.

    They are true samples, or words are chosen otherwise by ``choose``.
    """
    with torch.no_grad(), evaluation_mode(model):
        memory = model.memory(inputs.tokens, target)
        rows = torch.arange(inputs.tokens.size(0), device=inputs.tokens.device)
        repeated = memory.select(rows.repeat_interleave(count))
        return decode(model.decoder(target), repeated, limit, choose, constraint)


def distinct_samples(drawn: Tensor, count: int, padding_idx: int) -> tuple[Tensor, Tensor]:
    """Which samples differ from the earlier ones of their own input.

    Args:
        drawn: ``(batch · count, length)``, input by input.
        count: samples per input.
        padding_idx: id of the padding.

    Returns:
        indices of the distinct samples ``(n,)``, and for every sample the position of its
        equal among them ``(batch · count,)``.
    """
    first: dict[tuple[int, ...], int] = {}
    where = []
    chosen: list[int] = []
    for index, row in enumerate(drawn.tolist()):
        key = (index // count, *row)
        if key not in first:
            first[key] = len(chosen)
            chosen.append(index)
        where.append(first[key])
    device = drawn.device
    return torch.tensor(chosen, device=device), torch.tensor(where, device=device)
