"""Any weighted sum of objectives as a fairseq criterion."""

from types import SimpleNamespace

import pytest
import torch
from fairseq.logging import metrics

from fairseq_twostage.criterions.objective import (
    Mean,
    ObjectiveOutput,
    WeightedObjectivesCriterion,
    require_gradient_sync,
    zero_loss,
)
from fairseq_twostage.criterions.schedule import Schedule
from fairseq_twostage.errors import UserError

BATCH = {"nsentences": 8, "ntokens": 40}


class Multiple:
    """The loss ``factor · w`` of a model with one parameter."""

    def __init__(self, name, factor, in_validation=True):
        self.name = name
        self.factor = factor
        self.in_validation = in_validation
        self.calls = 0

    def __call__(self, model, batch):
        self.calls += 1
        loss = self.factor * model.weight.sum()
        return ObjectiveOutput(loss, {f"{self.name}_part": Mean(loss.item(), 4)})


def one_parameter(value):
    model = torch.nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(value)
    return model


def criterion(*objectives, updates=0):
    task = SimpleNamespace(updates=updates)
    return WeightedObjectivesCriterion(
        task, [(objective, Schedule.parse(weight)) for objective, weight in objectives]
    )


def test_losses_are_summed_with_their_weights():
    model = one_parameter(3.0)
    loss, size, logs = criterion((Multiple("a", 2.0), "0.5"), (Multiple("b", 5.0), "4"))(
        model, BATCH
    )
    assert loss.item() == pytest.approx(0.5 * 6 + 4 * 15)
    loss.backward()
    assert model.weight.grad.item() == pytest.approx(0.5 * 2 + 4 * 5)
    assert size == 8
    assert logs == {
        "loss": loss.item(),
        "ntokens": 40,
        "nsentences": 8,
        "sample_size": 8,
        "sum/a_loss": 6.0,
        "count/a_loss": 8,
        "sum/a_part": 6.0,
        "count/a_part": 4,
        "sum/b_loss": 15.0,
        "count/b_loss": 8,
        "sum/b_part": 15.0,
        "count/b_part": 4,
    }


def test_weights_follow_the_tasks_updates():
    model = one_parameter(1.0)
    objective = criterion((Multiple("a", 1.0), "1@0;0@10"))
    for updates, weight in ((0, 1.0), (5, 0.5), (9, 0.1)):
        objective.task.updates = updates
        assert objective(model, BATCH)[0].item() == pytest.approx(weight)


def test_an_objective_of_weight_zero_is_not_run_in_training():
    model = one_parameter(1.0)
    off, on = Multiple("off", 1.0), Multiple("on", 1.0)
    objective = criterion((off, "0"), (on, "1"))
    objective(model, BATCH)
    assert (off.calls, on.calls) == (0, 1)
    objective(model.eval(), BATCH)
    assert (off.calls, on.calls) == (1, 2)


def test_with_every_weight_zero_training_goes_on():
    model = one_parameter(1.0)
    loss, _, _ = criterion((Multiple("a", 1.0), "0@0;1@10"))(model, BATCH)
    loss.backward()
    assert model.weight.grad.item() == 0


def test_validation_runs_what_can_be_validated():
    model = one_parameter(2.0).eval()
    sampled = Multiple("sampled", 1.0, in_validation=False)
    loss, _, logs = criterion((sampled, "1"), (Multiple("a", 1.0), "1"))(model, BATCH)
    assert sampled.calls == 0
    assert loss.item() == 2.0
    assert "sum/sampled_loss" not in logs


def test_logged_means_are_over_all_batches():
    outputs = [
        {
            "loss": 6.0,
            "sample_size": 2,
            "sum/bleu": 1.5,
            "count/bleu": 2,
            "sum/x": 0.0,
            "count/x": 0,
        },
        {"loss": 3.0, "sample_size": 1, "sum/bleu": 0.0, "count/bleu": 1},
    ]
    with metrics.aggregate() as meters:
        WeightedObjectivesCriterion.reduce_metrics(outputs)
    assert dict(meters.get_smoothed_values()) == {"loss": 3.0, "bleu": 0.5}
    assert WeightedObjectivesCriterion.logging_outputs_can_be_summed()


def test_a_loss_of_nothing_has_a_gradient():
    model = one_parameter(2.0)
    loss = zero_loss(model)
    loss.backward()
    assert loss.item() == 0
    assert model.weight.grad.item() == 0


def test_a_data_parallel_wrapper_that_would_not_synchronise_is_refused():
    class Wrapped(torch.nn.parallel.DistributedDataParallel):
        def __init__(self):
            torch.nn.Module.__init__(self)

    class Proxy(torch.nn.Module):
        def __init__(self, module):
            super().__init__()
            self.module = module

    require_gradient_sync(torch.nn.Linear(1, 1))
    require_gradient_sync(Proxy(torch.nn.Linear(1, 1)))
    with pytest.raises(UserError, match="legacy_ddp"):
        require_gradient_sync(Proxy(Wrapped()))
