"""``twostage download``: the public datasets, grammars and word vectors."""

from __future__ import annotations

import argparse

from fairseq_twostage.domains.download import add_arguments as add_arguments
from fairseq_twostage.domains.download import fetch


def main(args: argparse.Namespace) -> int:
    """Fetch the chosen parts, or find them there and right."""
    fetch(args)
    return 0
