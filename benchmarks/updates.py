"""Cost of a policy-gradient update and of a whole cycle update, in denoising steps.

    python benchmarks/updates.py DATA-BIN RUN [--only "policy gradient;cycle"]

RUN is a folder of ``scripts/train_domain.sh`` with lm.nl, lm.cf, style, parser and dae; its
configuration decides whether there is a bottleneck and a bias in the attention. A denoising
step is one optimiser step on 16 x and 16 z. Updates of all kinds take turns on the same batches,
each on a model of its own that starts from the pre-trained one and with a memory of its own of what
the naive parser has read, so that none pays for another's samples; CPU time is counted, so the
ratios hold on a busy machine too. The first round warms the memories up and is not counted.
A kind with "in a cycle" takes an update of back-translation, not counted, before each of its own:
without it the samples stay so various that the naive parser has read few of them before.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import time
from pathlib import Path

import torch
from fairseq import checkpoint_utils

from fairseq_twostage import plugin

plugin.load()

from fairseq_twostage.criterions.registration import (  # noqa: E402
    WeightedObjectives,
    WeightedObjectivesConfig,
)
from fairseq_twostage.tasks.auxiliaries import Auxiliaries  # noqa: E402
from fairseq_twostage.tasks.unsupervised_paraphrase import UnsupervisedParaphraseTask  # noqa: E402

BEAM = {"sampler": "beam"}
RELEASED = {
    **BEAM,
    "translation_beam": 5,
    "advantage_clamp": 5.0,
    "dual_weight": 0.5,
    "rewards": "fluency=0.5,style=0.5,relevance=0.5,executability=0.5",
    "relevance_dropout": True,
}
CYCLE = "back_translation,policy_gradient"
KINDS: dict[str, tuple[str, dict[str, object]]] = {
    "denoising": ("denoising", {}),
    "policy gradient": ("policy_gradient", {}),
    "policy gradient, beam": ("policy_gradient", BEAM),
    "policy gradient, released code": ("policy_gradient", RELEASED),
    "policy gradient, in a cycle": ("policy_gradient", {}),
    "back-translation": ("back_translation", {}),
    "cycle (BT + DRL)": (CYCLE, {}),
    "cycle, beam": (CYCLE, BEAM),
    "cycle, released code": (CYCLE, RELEASED),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data")
    parser.add_argument("run", type=Path)
    parser.add_argument("--updates", type=int, default=34)
    parser.add_argument("--rounds", type=int, default=2, help="rounds; the first is not counted")
    parser.add_argument("--checkpoint", default="dae", help="stage to start from: dae or cycle")
    parser.add_argument("--only", help="kinds with one of these in their name, by ';'")
    parser.add_argument("--profile", choices=KINDS, help="kind to profile instead")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    names = {"lm_nl": "lm.nl", "lm_cf": "lm.cf", "style": "style", "parser": "parser"}
    paths = {name: str(args.run / stage / "checkpoint_best.pt") for name, stage in names.items()}
    models, _, task = checkpoint_utils.load_model_ensemble_and_task(
        [str(args.run / args.checkpoint / "checkpoint_best.pt")],
        {"data": args.data, "cpu": True, "seed": 1, **paths},
    )
    task.load_dataset("train")
    dataset = task.datasets["train"]
    if args.profile:
        profile(Update(models[0], args.profile, task), dataset, args.updates)
        return
    wanted = ["denoising", *(args.only.split(";") if args.only else KINDS)]
    updates = {
        kind: Update(models[0], kind, task)
        for kind in KINDS
        if any(name in kind for name in wanted)
    }
    costs: dict[str, list[float]] = {kind: [] for kind in updates}
    read_before: dict[str, int] = {}
    for round_ in range(args.rounds):
        read_before = {kind: update.read() for kind, update in updates.items()}
        dataset.set_epoch(round_ + 1)
        for number in range(min(args.updates, len(dataset) // 16)):
            for kind, update in updates.items():
                update.prepare(dataset, number)
                started = time.process_time()
                update(dataset, number)
                if round_ > 0:
                    costs[kind].append(time.process_time() - started)
    step = statistics.mean(costs["denoising"])
    for kind, seconds in costs.items():
        mean = statistics.mean(seconds)
        new = (updates[kind].read() - read_before[kind]) / (len(seconds) / (args.rounds - 1))
        print(
            f"{kind:32} {1000 * mean:7.1f} ms  {mean / step:5.2f} denoising steps"
            f"  {new:5.1f} samples that the naive parser had not read"
        )


class Update:
    """One optimiser step of a kind, on a copy of the model."""

    def __init__(self, model: torch.nn.Module, kind: str, task: UnsupervisedParaphraseTask) -> None:
        objectives, options = KINDS[kind]
        shared = task.auxiliaries
        self.auxiliaries = Auxiliaries(shared.data, shared.checkpoints, shared.device)
        task.auxiliaries = self.auxiliaries
        self.model = copy.deepcopy(model).train()
        self.criterion = criterion(task, objectives, **options)
        self.before = criterion(task, "back_translation") if "in a cycle" in kind else None
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.001)

    def read(self) -> int:
        """Canonical utterances that the naive parser has read."""
        return len(self.auxiliaries.parses().remembered)

    def prepare(self, dataset: object, number: int) -> None:
        """What comes before the update and is not counted."""
        if self.before is not None:
            self._step(self.before, dataset, number)

    def __call__(self, dataset: object, number: int) -> None:
        self._step(self.criterion, dataset, number)

    def _step(self, objectives: WeightedObjectives, dataset: object, number: int) -> None:
        items = [dataset[index] for index in range(16 * number, 16 * number + 16)]
        loss, size, _ = objectives(self.model, dataset.collater(items))
        self.optimizer.zero_grad()
        (loss / size).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()


def criterion(
    task: UnsupervisedParaphraseTask, objectives: str, **options: object
) -> WeightedObjectives:
    """The weighted sum of objectives that ``fairseq-train`` would build."""
    config = WeightedObjectivesConfig(objectives=objectives, **options)  # type: ignore[arg-type]
    return WeightedObjectives.build_criterion(config, task)


def profile(update: Update, dataset: object, count: int) -> None:
    import cProfile
    import pstats

    update(dataset, 0)
    with cProfile.Profile() as profiler:
        for number in range(min(count, len(dataset) // 16)):
            update(dataset, number)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
