"""Loading the plugin from Python, as ``--user-dir`` does from the command line."""

from __future__ import annotations

from pathlib import Path


def load() -> None:
    """Register the tasks, models, criterions and scorers with fairseq.

    fairseq's own ``import_user_module`` skips a user-dir whose package is imported already.
    """
    from fairseq.models import import_models
    from fairseq.tasks import import_tasks

    here = Path(__file__).parent
    import_tasks(str(here / "tasks"), "fairseq_twostage.tasks")
    import_models(str(here / "models"), "fairseq_twostage.models")
