"""The plugin is registered however its package came to be imported."""

import subprocess
import sys
from pathlib import Path

import pytest

import fairseq_twostage
from tests.integration.commands import Forks

USER_DIR = Path(fairseq_twostage.__file__).parent
BY_USER_DIR = f"""
from argparse import Namespace
from fairseq import utils
utils.import_user_module(Namespace(user_dir={str(USER_DIR)!r}))
"""
REGISTERED = """
from fairseq.criterions import CRITERION_REGISTRY
from fairseq.models import MODEL_REGISTRY
from fairseq.tasks import TASK_REGISTRY
assert "semantic_parsing" in TASK_REGISTRY and "style_classification" in TASK_REGISTRY
assert "dual_paraphraser" in MODEL_REGISTRY and "policy_gradient" in CRITERION_REGISTRY
"""


@pytest.mark.parametrize(
    "before",
    [
        "",
        *(
            pytest.param(before, marks=pytest.mark.slow)  # fairseq is imported anew by each
            for before in (
                "import fairseq_twostage",
                "from fairseq_twostage.semantics import load_world; load_world('calendar')",
                "from fairseq_twostage import plugin; plugin.load()",
            )
        ),
    ],
)
def test_the_user_dir_in_a_process_of_its_own(before: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{before}\n{BY_USER_DIR}\n{REGISTERED}"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("before", ["import fairseq.tasks, fairseq_twostage.grammar", BY_USER_DIR])
def test_the_user_dir_after_fairseq(before: str, forks: Forks) -> None:
    forks("python", "-c", f"{before}\n{BY_USER_DIR}\n{REGISTERED}").ok()
