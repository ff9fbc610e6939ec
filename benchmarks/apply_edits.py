"""Edits of a schema file as a file: what they say is put into the generated one.

python -m benchmarks.apply_edits SCHEMA.yaml EDITS.yaml

Mappings are merged, all else is replaced, ``null`` takes a key away. Comments go.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import yaml


def merged(whole: Any, edits: Any) -> Any:
    """``whole`` with what ``edits`` says of it."""
    if not (isinstance(whole, dict) and isinstance(edits, dict)):
        return edits
    found = whole | {key: merged(whole.get(key), value) for key, value in edits.items()}
    return {key: value for key, value in found.items() if value is not None}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("schema", type=Path)
    parser.add_argument("edits", type=Path)
    args = parser.parse_args()
    schema, edits = (
        yaml.safe_load(path.read_text(encoding="utf-8")) for path in vars(args).values()
    )
    args.schema.write_text(
        yaml.safe_dump(merged(schema, edits), sort_keys=False, allow_unicode=True), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
