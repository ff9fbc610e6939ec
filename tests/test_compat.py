"""Each mend, shown by what fairseq does without it and with it."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from fairseq.distributed import utils as distributed_utils

from fairseq_twostage import compat
from tests.integration.commands import Forks

SENTENCES = [" ".join("abcdefgh"[(i * j + j) % 8] for j in range(3 + i % 5)) for i in range(24)]
SHORT_RUN = (
    *("data-bin", "--cpu", "--task", "language_modeling", "--arch", "lstm_lm"),
    *("--decoder-embed-dim", "8", "--decoder-hidden-size", "8", "--decoder-out-embed-dim", "8"),
    *("--decoder-attention", "False", "--dropout", "0", "--no-epoch-checkpoints"),
    *("--sample-break-mode", "none", "--tokens-per-sample", "6", "--batch-size", "3"),
    *("--optimizer", "adam", "--lr", "0.01", "--clip-norm", "1", "--max-epoch", "2"),
    *("--num-workers", "0", "--seed", "5", "--log-format", "json", "--log-interval", "1"),
)
TORCHRUN = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2"]


def python(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )


def code(mend: str | None, body: str) -> tuple[str, ...]:
    first = f"from fairseq_twostage import compat; compat.{mend}()\n" if mend else ""
    return ("python", "-c", first + body)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny language-modelling corpus and a user-dirs that make the mends."""
    root = tmp_path_factory.mktemp("corpus")
    (root / "text").write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    for name, mend in (("mends", "apply"), ("loading_alone", "load_argparse_checkpoints")):
        (root / name).mkdir()
        (root / name / "__init__.py").write_text(
            f"from fairseq_twostage import compat\ncompat.{mend}()\n", encoding="utf-8"
        )
    done = python(
        *("-m", "fairseq_cli.preprocess", "--only-source", "--trainpref", "text"),
        *("--validpref", "text", "--destdir", "data-bin"),
        cwd=root,
    )
    assert done.returncode == 0, done.stderr
    return root


Train = Callable[..., list[dict[str, str]]]


@pytest.fixture(scope="module")
def train(corpus: Path, forks: Forks) -> Train:
    """Gives the progress records of a short run of fairseq's own lstm_lm."""

    def train(save_dir: str, *options: str, launcher: list[str] | None = None) -> Any:
        command = (*SHORT_RUN, "--save-dir", save_dir, *options)
        if launcher:
            done = python(*launcher, "-m", "fairseq_cli.train", *command, cwd=corpus)
            status, log = done.returncode, done.stdout + done.stderr
        else:
            forked = forks("fairseq-train", *command, folder=corpus)
            status, log = forked.status, forked.out + forked.err
        assert status == 0, log
        return [json.loads(line) for line in re.findall(r"\{\"epoch.*\}$", log, re.MULTILINE)]

    return train


def parameters(checkpoint: Path) -> dict[str, torch.Tensor]:
    with torch.serialization.safe_globals([argparse.Namespace]):
        return torch.load(checkpoint, weights_only=True)["model"]


@pytest.fixture(scope="module")
def one_worker(train: Train) -> list[dict[str, str]]:
    return train("one", "--user-dir", "mends", "--update-freq", "2")


@pytest.mark.slow
def test_checkpoints_of_argparse_architectures_load(
    corpus: Path, one_worker: list[dict[str, str]], forks: Forks
) -> None:
    load = (
        "from fairseq.checkpoint_utils import load_checkpoint_to_cpu\n"
        "state = load_checkpoint_to_cpu('one/checkpoint_last.pt')\n"
        "print(state['cfg']['model'].decoder_hidden_size)"
    )
    without = forks(*code(None, load), folder=corpus)
    assert without.status != 0
    assert "argparse.Namespace" in without.err
    mended = forks(*code("load_argparse_checkpoints", load), folder=corpus).ok()
    assert mended.out.split()[-1] == "8"


@pytest.mark.slow
@pytest.mark.skipif(int(np.__version__.split(".")[0]) < 2, reason="NumPy 1 has np.compat.long")
def test_sentences_as_blocks_work_with_numpy_2(forks: Forks) -> None:
    blocks = (
        "import torch\n"
        "from fairseq.data import TokenBlockDataset\n"
        "lines = [torch.tensor([5, 6, 2]), torch.tensor([7, 2])]\n"
        "blocks = TokenBlockDataset(lines, [3, 2], None, pad=1, eos=2, break_mode='eos')\n"
        "print([block.tolist() for block in blocks])"
    )
    without = forks(*code(None, blocks))
    assert re.search("AttributeError: .*compat", without.err)
    mended = forks(*code("restore_numpy_compat_long", blocks)).ok()
    assert mended.out.splitlines()[-1] == "[[5, 6, 2], [7, 2]]"


@pytest.mark.slow
def test_torchrun_on_cpu_is_one_run(
    corpus: Path, train: Train, one_worker: list[dict[str, str]]
) -> None:
    two_workers = train("two", "--user-dir", "mends", launcher=TORCHRUN)
    assert [r.get("loss") for r in two_workers] == [r.get("loss") for r in one_worker]
    updates = [r["num_updates"] for r in two_workers if "loss" in r]
    assert updates == [str(i + 1) for i in range(8)]
    assert [r["valid_loss"] for r in two_workers if "valid_loss" in r] == [
        r["valid_loss"] for r in one_worker if "valid_loss" in r
    ]
    one, two = (parameters(corpus / name / "checkpoint_last.pt") for name in ("one", "two"))
    assert one.keys() == two.keys()
    for name, values in one.items():
        torch.testing.assert_close(two[name], values, rtol=0, atol=1e-5, msg=name)


@pytest.mark.slow
def test_torchrun_on_cpu_is_two_runs_without_the_mend(train: Train) -> None:
    records = train("apart", "--no-save", "--max-update", "2", launcher=TORCHRUN)
    assert [r["num_updates"] for r in records if "loss" in r].count("1") == 2


@pytest.mark.slow
def test_workers_on_cpu_gather_objects(tmp_path: Path) -> None:
    script = tmp_path / "gather.py"
    script.write_text(
        "from types import SimpleNamespace\n"
        "from fairseq.dataclass.configs import CommonConfig, DistributedTrainingConfig\n"
        "from fairseq.distributed import utils\n"
        "from fairseq_twostage import compat\n"
        "compat.apply()\n"
        "common = CommonConfig(cpu=True)\n"
        "cfg = SimpleNamespace(\n"
        "    common=common, distributed_training=DistributedTrainingConfig(tpu=False))\n"
        "def main(cfg):\n"
        "    gathered = utils.all_gather_list({'rank': utils.get_global_rank()})\n"
        "    if utils.get_global_rank() == 0:\n"
        "        print(gathered)\n"
        "utils.call_main(cfg, main)\n",
        encoding="utf-8",
    )
    done = python(*TORCHRUN, str(script))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[{'rank': 0}, {'rank': 1}]"


def test_torchrun_with_one_gpu_per_machine_is_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = {"MASTER_ADDR": "localhost", "MASTER_PORT": "1", "WORLD_SIZE": "2", "RANK": "1"}
    for name, value in worker.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    settings = SimpleNamespace(
        distributed_init_method=None,
        distributed_world_size=1,
        distributed_rank=0,
        tpu=False,
        pipeline_model_parallel=False,
        distributed_no_spawn=False,
        distributed_backend="nccl",
        device_id=0,
    )
    cfg = SimpleNamespace(common=SimpleNamespace(cpu=False), distributed_training=settings)

    def stock(cfg: SimpleNamespace, main: None) -> None:
        distributed_utils.infer_init_method(cfg.distributed_training)

    stock(cfg, None)
    assert settings.distributed_init_method is None  # fairseq alone: a run of its own
    compat._joining_torchrun(stock)(cfg, None)
    assert (settings.distributed_init_method, settings.distributed_backend) == ("env://", "nccl")
    assert (settings.distributed_world_size, settings.distributed_rank) == (2, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("mend", "left"), [(None, b"ne"), ("save_checkpoints_whole", b"old")])
def test_a_run_killed_while_it_copies_a_checkpoint(
    tmp_path: Path, mend: str | None, left: bytes, forks: Forks
) -> None:
    best, last = tmp_path / "checkpoint_best.pt", tmp_path / "checkpoint_last.pt"
    best.write_bytes(b"newer")
    last.write_bytes(b"old")
    copying = f"checkpoint_utils.PathManager.copy({str(best)!r}, {str(last)!r}, overwrite=True)"
    killed = (
        "import os, shutil\n"
        "from fairseq import checkpoint_utils\n"
        "def half(source, target):\n"
        "    open(target, 'wb').write(open(source, 'rb').read(2))\n"
        "    os._exit(137)\n"
        "shutil.copyfile = half\n"
    )
    assert forks(*code(mend, killed + copying)).status == 137
    assert last.read_bytes() == left
    forks(*code(mend, f"from fairseq import checkpoint_utils\nassert {copying}")).ok()
    assert last.read_bytes() == b"newer"
    if mend:
        assert sorted(tmp_path.iterdir()) == [best, last]  # the temporary name is gone again


def test_apply_twice_changes_nothing_more() -> None:
    compat.apply()
    call_main, shim = distributed_utils.call_main, np.compat
    compat.apply()
    assert distributed_utils.call_main is call_main
    assert np.compat is shim


@pytest.mark.slow
@pytest.mark.parametrize("mends", ["mends", "loading_alone"])
def test_a_resumed_run_trains_on_the_batches_it_began_with(
    train: Train, tmp_path: Path, mends: str
) -> None:
    """fairseq's own language model, of which a batch holds blocks that were drawn together."""
    names = {"whole": ("3",), "broken": ("1", "3")}
    for name, ends in names.items():
        for epochs in ends:
            train(str(tmp_path / name), "--user-dir", mends, "--max-epoch", epochs)
    whole, broken = (parameters(tmp_path / name / "checkpoint_last.pt") for name in names)
    same = all(torch.equal(broken[key], values) for key, values in whole.items())
    assert same is (mends == "mends")


@pytest.mark.slow
def test_a_resumed_run_is_no_more_patient_than_it_was(train: Train, tmp_path: Path) -> None:
    """At rate 0 no loss is better than the first: patience 3 ends a run after epoch 4."""
    options = ("--lr", "0", "--max-epoch", "9", "--patience", "3", "--log-interval", "100")

    def epochs(name: str, *more: str) -> list[int]:
        records = train(str(tmp_path / name), "--user-dir", "mends", *options, *more)
        return [record["epoch"] for record in records if "valid_loss" in record]

    whole = epochs("whole")
    assert whole == [1, 2, 3, 4]
    assert epochs("broken", "--max-epoch", "2") == [1, 2]
    assert epochs("broken") == [3, 4]
    assert epochs("broken") == []  # stopped by patience, it stays so
    assert epochs("broken", "--patience", "4") == [5]
