"""Loading the plugin from Python, as ``--user-dir`` does from the command line."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from fairseq_twostage.errors import UserError

MISSING = (
    "needs fairseq, which cannot be imported here ({}): pip install "
    "'fairseq-twostage[fairseq,train]', or in a clone scripts/setup.sh"
)


def require_fairseq() -> None:
    """Import fairseq.

    Raises:
        UserError: that fails.
    """
    try:
        import fairseq.binarizer  # noqa: F401
    except ImportError as error:
        raise UserError(MISSING.format(error)) from error


def look_for_fairseq() -> None:
    """The same for a process that only starts others: whether it is installed.

    Raises:
        UserError: it is not.
    """
    try:
        found = importlib.util.find_spec("fairseq")
    except ImportError:
        found = None
    if found is None:
        raise UserError(MISSING.format("No module named 'fairseq'"))


def load() -> None:
    """Register the tasks, models, criterions and scorers with fairseq.

    fairseq's own ``import_user_module`` skips a user-dir whose package is imported already.

    Raises:
        UserError: there is no fairseq.
    """
    require_fairseq()
    from fairseq.models import import_models
    from fairseq.tasks import import_tasks

    here = Path(__file__).parent
    import_tasks(str(here / "tasks"), "fairseq_twostage.tasks")
    import_models(str(here / "models"), "fairseq_twostage.models")
