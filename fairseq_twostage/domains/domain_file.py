"""``domain.yaml``: a domain in one small file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from fairseq_twostage.domains.domain import LABELLED_SPLITS, SPLITS, Domain
from fairseq_twostage.domains.measures import unknown_measure
from fairseq_twostage.errors import UserError
from fairseq_twostage.grammar.reader import DEFAULT_TAGS
from fairseq_twostage.semantics.loading import AGGREGATES
from fairseq_twostage.semantics.overnight import OVERNIGHT
from fairseq_twostage.text.moments import ORDERS
from fairseq_twostage.text.tokenisation import TOKENISATIONS
from fairseq_twostage.yaml_reading import compose_yaml, construct

DOMAIN_FILE = "domain.yaml"
NO_EMBEDDINGS, SENTENCE_ENCODER = "none", "sentence-encoder"
LARGEST = 1_000_000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_EXCLUSIVE = (
    ("grammar", "pairs"),
    ("world", "executor"),
    ("world", "database"),
    ("database", "executor"),
)
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


@dataclass(frozen=True)
class _Setting:
    """A value of the file, and where it stands."""

    value: Any
    where: str

    def error(self, message: str) -> UserError:
        return UserError(message, where=self.where)

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error(f"wants one text, not {_shown(self.value)}")
        return self.value

    def texts(self) -> list[str]:
        values = self.value if isinstance(self.value, list) else [self.value]
        if not values or not all(isinstance(value, str) and value.strip() for value in values):
            raise self.error(f"wants a text or a list of texts, not {_shown(self.value)}")
        return values

    def by_split(self, alone: str, known: Sequence[str] = SPLITS) -> dict[str, str]:
        """``split: file`` pairs; a file alone is that of the split ``alone``."""
        values = self.value if isinstance(self.value, dict) else {alone: self.value}
        if not values or not all(isinstance(v, str) and v.strip() for v in values.values()):
            raise self.error(f"wants a file, or a file for each of {', '.join(known)}")
        for split in values:
            if split not in known:
                raise self.error(f"no split {split!r}; choose of {', '.join(known)}")
        return values

    def positive(self) -> int:
        if type(self.value) is not int or not 1 <= self.value <= LARGEST:
            raise self.error(f"wants a positive number, not {_shown(self.value)}")
        return self.value

    def matching(self, pattern: re.Pattern[str], wanted: str) -> str:
        if not pattern.fullmatch(self.text()):
            raise self.error(f"wants {wanted}, not {_shown(self.value)}")
        return self.text()

    def units(self) -> dict[str, Any]:
        """By unit of the facts a measure, or ``{unit: MEASURE, words: WORDS}``."""
        if not isinstance(self.value, dict) or not self.value:
            raise self.error("wants lines such as en.minute: minute")
        for unit, told in self.value.items():
            rest = {**told} if isinstance(told, dict) else {"unit": told}
            texts = [rest.pop("unit", ""), *_listed(rest.pop("words", []))]
            if (
                not isinstance(unit, str)
                or rest
                or not all(isinstance(text, str) for text in texts)
            ):
                raise self.error(
                    f"of {unit} wants a measure, or {{unit: …, words: […]}}; not {_shown(told)}"
                )
            if problem := unknown_measure(told):
                raise self.error(f"of {unit}: {problem}")
        return self.value

    def one_of(self, *choices: str) -> str:
        if self.value not in choices:
            raise self.error(f"wants {' or '.join(choices)}, not {_shown(self.value)}")
        return self.text()


_READERS: dict[str, Callable[[_Setting], Any]] = {
    "name": lambda setting: setting.matching(_NAME, "letters, digits, - and _"),
    "folder": _Setting.text,
    "utterances": lambda setting: setting.by_split("train"),
    "labelled": lambda setting: setting.by_split("test", LABELLED_SPLITS),
    "grammar": _Setting.texts,
    "tags": _Setting.texts,
    "depth": _Setting.positive,
    "pairs": _Setting.text,
    "world": _Setting.text,
    "aggregates": lambda setting: setting.one_of(*AGGREGATES),
    "database": _Setting.text,
    "executor": lambda setting: setting.matching(_FUNCTION, "module:function"),
    "lexicon": _Setting.text,
    "units": _Setting.units,
    "dates": lambda setting: setting.one_of(*ORDERS),
    "tokenisation": lambda setting: setting.one_of(*TOKENISATIONS),
    "pieces": _Setting.positive,
    "embeddings": _Setting.text,
}
assert set(_READERS) == {field.name for field in fields(Domain)}


def read_domain_file(path: Path) -> Domain:
    """Read a ``domain.yaml``; its files are looked for beside it, unless ``folder`` says where.

    Raises:
        UserError: with ``file:line`` for anything that cannot be, a missing file included.
    """
    settings = _read_settings(path)
    values = {key: _READERS[key](setting) for key, setting in settings.items()}
    if "name" not in values:
        raise UserError("no name; say name: …", where=str(path))
    values["folder"] = _folder(path, settings.get("folder"))
    values.setdefault("tags", DEFAULT_TAGS)
    domain = Domain(**values)
    _check(domain, settings, path)
    return domain


def _read_settings(path: Path) -> dict[str, _Setting]:
    root = compose_yaml(path)
    if root is None or not isinstance(root.value, list) or root.id != "mapping":
        raise UserError("wants lines of key: value", where=str(path))
    settings: dict[str, _Setting] = {}
    for key_node, value_node in root.value:
        where = f"{path}:{key_node.start_mark.line + 1}"
        key = construct(key_node, path)
        if not isinstance(key, str) or key not in _READERS:
            raise UserError(f"no setting {_shown(key)}; known: {', '.join(_READERS)}", where=where)
        settings[key] = _Setting(construct(value_node, path), f"{where}: {key}")
    return settings


def _folder(path: Path, setting: _Setting | None) -> Path:
    if setting is None:
        return path.parent
    text = os.path.expandvars(setting.text())
    if "$" in text:
        raise setting.error(f"a variable of {setting.value!r} is not set")
    try:
        folder = path.parent / Path(text).expanduser()
        found = folder.is_dir()
    except (OSError, RuntimeError):  # too long; no such user
        found = False
    if not found:
        raise setting.error(f"no such folder: {_shown(text)}")
    return folder


def _check(domain: Domain, settings: Mapping[str, _Setting], path: Path) -> None:
    """Raise for settings that do not go together, and for files that are not there."""
    for one, other in _EXCLUSIVE:
        if one in settings and other in settings:
            raise settings[other].error(f"give {one} or {other}, not both")
    made = domain.database is not None
    if not made and not domain.grammar and not domain.pairs and not domain.labelled.get("train"):
        raise UserError("nothing says its logical forms: give grammar or pairs", where=str(path))
    if not made and not domain.utterances and not domain.labelled.get("train"):
        raise UserError("no utterances to learn from: give utterances", where=str(path))
    if domain.utterances and "train" not in domain.utterances:
        raise settings["utterances"].error("wants a file for train")
    if domain.world is not None and not domain.world_file and domain.world not in OVERNIGHT:
        known = ", ".join(OVERNIGHT)
        raise settings["world"].error(f"wants a .tsv file of triples, or one of {known}")
    if domain.aggregates is not None and domain.world is None:
        raise settings["aggregates"].error("is for a domain with a world; leave it out")
    for key, files in _files(domain).items():
        for file in files:
            if not _is_file(domain.base(path.parent) / file):
                raise settings[key].error(f"no such file: {domain.base(path.parent) / file}")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that is too long, say
        return False


def _files(domain: Domain) -> dict[str, list[str]]:
    single = {"pairs": domain.pairs, "lexicon": domain.lexicon, "world": domain.world_file}
    single["database"] = domain.database
    if domain.embeddings not in (NO_EMBEDDINGS, SENTENCE_ENCODER):
        single["embeddings"] = domain.embeddings
    return {
        "utterances": list(domain.utterances.values()),
        "labelled": list(domain.labelled.values()),
        "grammar": list(domain.grammar),
        **{key: [file] for key, file in single.items() if file is not None},
    }


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
