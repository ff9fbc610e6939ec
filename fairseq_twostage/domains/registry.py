"""The domains that ship with the project, and those that users bring.

Overnight's eight and geo are instances of the same structure that a user's ``domain.yaml``
fills in. The examples are such folders within the package, known by their names.
"""

from __future__ import annotations

from pathlib import Path

from fairseq_twostage.domains.domain import Domain
from fairseq_twostage.domains.domain_file import DOMAIN_FILE, read_domain_file
from fairseq_twostage.errors import UserError
from fairseq_twostage.text.tokenisation import BLANKS

OVERNIGHT_DOMAINS = (
    "basketball",
    "blocks",
    "calendar",
    "housing",
    "publications",
    "recipes",
    "restaurants",
    "socialnetwork",
)
GEO = "geo"
GEO_DEV_FILES = ("geo_dev_54", "geo_dev")
DOMAIN_FILE_ENDINGS = (".yaml", ".yml")
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


def get_domain(name: str, geo_dev: str = GEO_DEV_FILES[0]) -> Domain:
    """Look a domain up by name; ``geo_dev`` chooses GeoGranno's development file."""
    if name in OVERNIGHT_DOMAINS:
        return Domain(
            name,
            labelled={
                split: f"overnight/{name}.paraphrases.{split}.examples"
                for split in ("train", "test")
            },
            grammar=[f"grammar/overnight/{name}.grammar"],
            world=name,
            tokenisation=BLANKS,
        )
    if name == GEO:
        names = {"train": "geo_train", "valid": geo_dev, "test": "geo_test"}
        labelled = {split: f"geogranno/{file}.tsv" for split, file in names.items()}
        return Domain(name, labelled=labelled, world="geogranno/geo880.db", tokenisation=BLANKS)
    known = ", ".join((*OVERNIGHT_DOMAINS, GEO))
    examples = ", ".join(example_domains())
    raise UserError(
        f"unknown domain {name!r}; known: {known}; examples: {examples}; or the path of a "
        "domain.yaml of your own"
    )


def example_domains() -> list[str]:
    """Names of the examples that come with the package."""
    return sorted(file.parent.name for file in EXAMPLES.glob(f"*/{DOMAIN_FILE}"))


def domain_file(name: str) -> Path | None:
    """The ``domain.yaml`` that ``--domain`` names, whose folder it names, or that of an example
    with this name; else None."""
    if name.endswith(DOMAIN_FILE_ENDINGS):
        return Path(name)
    inside = Path(name) / DOMAIN_FILE
    if inside.is_file():
        return inside
    return EXAMPLES / name / DOMAIN_FILE if name in example_domains() else None


def load_domain(name_or_path: str | Path, geo_dev: str = GEO_DEV_FILES[0]) -> Domain:
    """A domain by its name, or as a ``domain.yaml`` (or the folder that holds it) says it.

    Raises:
        UserError: no such domain or file, or a file that says what cannot be.
    """
    name = str(name_or_path)
    path = domain_file(name)
    return get_domain(name, geo_dev) if path is None else read_domain_file(path)
