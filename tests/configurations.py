"""Every configuration there is, as ``--config`` takes it: the package's and the ablations."""

from __future__ import annotations

import yaml

from fairseq_twostage.systems.config_files import ABLATIONS, CONFIGS, find_config, names

ABLATED = sorted(yaml.safe_load(ABLATIONS.read_text(encoding="utf-8")))
EVERY = [*map(find_config, names()), *(find_config(f"{ABLATIONS}:{name}") for name in ABLATED)]


def configuration(name: str) -> str:
    """Of the package or of the ablations, by its name."""
    return str(CONFIGS / f"{name}.yaml") if name in names() else f"{ABLATIONS}:{name}"
