"""Where a configuration stands: a file of its own, or an entry of a file that holds several."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from fairseq_twostage.errors import UserError
from fairseq_twostage.yaml_reading import compose_yaml, load_yaml

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
# Of the repository, not of an installed package.
ABLATIONS = Path(__file__).resolve().parents[2] / "research" / "ablations.yaml"
ENDINGS = (".yaml", ".yml")
# Names of an earlier version; they are understood until the next one.
RENAMED = {"cao2020_released_cycle": "complete", "sentence_encoder": "recommended"}
DEEPEST = 3  # a base, a system that extends it, and changes to that system


@dataclass(frozen=True)
class ConfigFile:
    """Where a configuration stands.

    Attributes:
        file: YAML file.
        entry: key of the configuration in it; empty: the file is one configuration.
    """

    file: Path
    entry: str = ""

    @property
    def name(self) -> str:
        """Of the system, unless the configuration says otherwise."""
        return self.entry or self.file.stem

    def __str__(self) -> str:
        return f"{self.file}:{self.entry}" if self.entry else str(self.file)


def find_config(name: str | Path) -> ConfigFile:
    """A configuration by its name among those of the package, its ``FILE`` or ``FILE:ENTRY``.

    Raises:
        UserError: there is no such name or file. Whether a file has the entry is not looked at.
    """
    text = str(name)
    file, _, entry = text.rpartition(":")
    if file.endswith(ENDINGS):
        return ConfigFile(_there(Path(file)), entry)
    if Path(text).is_file():
        return ConfigFile(Path(text))
    if text.endswith(ENDINGS) and Path(text).parent.name == CONFIGS.name:
        text = Path(text).stem  # before, every name was a file of configs/
    elif Path(text).name != text or text.endswith(ENDINGS):
        return ConfigFile(_there(Path(text)))
    return _named(text) or _of_before(text)


def _there(file: Path) -> Path:
    if not file.exists():
        raise UserError("no such configuration", str(file))
    return file


def _named(name: str) -> ConfigFile | None:
    """The configuration of the package with this name, if there is one."""
    file = CONFIGS / f"{name}.yaml"
    return ConfigFile(file) if file.is_file() else None


def names() -> list[str]:
    """Names of the package's configurations, in their order."""
    return sorted(file.stem for file in CONFIGS.glob("*.yaml"))


def _of_before(name: str) -> ConfigFile:
    """What a name meant in an earlier version, with a warning.

    Raises:
        UserError: it meant nothing.
    """
    ablations = f"research/{ABLATIONS.name}"
    if name in RENAMED:
        found, now = ConfigFile(CONFIGS / f"{RENAMED[name]}.yaml"), RENAMED[name]
    elif ABLATIONS.is_file() and name in _content(ABLATIONS):
        found, now = ConfigFile(ABLATIONS, name), f"{ablations}:{name}"
    else:
        raise UserError(
            f"no such configuration; the names are {', '.join(names())}; ablations are entries of "
            f"{ablations} in the repository (--config {ablations}:NAME)",
            name,
        )
    print(f"twostage: warning: --config {name} is now --config {now}", file=sys.stderr)
    return found


def layers(config: ConfigFile) -> list[tuple[ConfigFile, dict[str, Any]]]:
    """A configuration and those it extends, the most general one first.

    Raises:
        UserError: one of them cannot be read or found, or there are more than :data:`DEEPEST`.
    """
    found: list[tuple[ConfigFile, dict[str, Any]]] = []
    following: ConfigFile | None = config
    while following is not None:
        if len(found) == DEEPEST:
            chain = " → ".join(each.name for each, _ in [*reversed(found), (following, {})])
            raise UserError(
                f"extends too far ({chain}): a system may extend one other, and changes may extend "
                "a system",
                str(config),
            )
        content = _read(following)
        base = content.pop("extends", None)
        found.insert(0, (following, {"system": following.name, **content}))
        following = None if base is None else _base(base, following)
    return found


def _base(name: Any, config: ConfigFile) -> ConfigFile:
    """What a configuration extends: a file beside it, or a name among those of the package."""
    beside = config.file.parent / f"{name}.yaml"
    if beside.is_file() and beside != config.file:
        return ConfigFile(beside)
    if isinstance(name, str) and (found := _named(name)) is not None:
        return found
    raise UserError(
        f"extends {name!r}: no such file beside it, and the names are {', '.join(names())}",
        str(config),
    )


def _read(config: ConfigFile) -> dict[str, Any]:
    content, where = _content(config.file), str(config.file)
    if config.entry:
        if config.entry not in content:
            entries = ", ".join(map(str, content))
            raise UserError(f"no entry {config.entry!r}, only {entries}", where)
        content = content[config.entry]
    elif content and all(isinstance(each, dict) and "extends" in each for each in content.values()):
        first = f"{where}:{next(iter(content))}"
        raise UserError(f"holds several configurations; name one, as {first}", where)
    if not isinstance(content, dict):
        raise UserError("a configuration is a mapping", str(config))
    return content


def _content(file: Path) -> dict[Any, Any]:
    if not file.exists():
        raise UserError("no such configuration", str(file))
    content = deepcopy(_parsed(file, file.stat().st_mtime_ns))
    if not isinstance(content, dict):
        raise UserError("a configuration is a mapping", str(file))
    return content


@lru_cache(maxsize=32)  # one file holds some forty configurations
def _parsed(file: Path, written: int) -> Any:
    return load_yaml(file)


def place_of(config: ConfigFile, inside: str, key: str) -> tuple[str, bool]:
    """``file:line`` of a key, as ``stages.lm.nl.options``, and whether all of it stands there.

    Otherwise it is that of the key around it, or the file alone.

    Args:
        config: where to look.
        inside: key of the part of it that is meant; empty: all.
        key: its parts joined by dots, of which a part may have some itself.
    """
    rest = ".".join(filter(None, (config.entry, inside, key)))
    node, line = compose_yaml(config.file), 0
    while rest and node is not None and node.id == "mapping":
        for name, value in node.value:
            if f"{rest}.".startswith(f"{name.value}."):
                node, rest = value, rest[len(name.value) + 1 :]
                line = name.start_mark.line + 1
                break
        else:
            break
    return (f"{config.file}:{line}" if line else str(config)), not rest


@contextmanager
def in_one_line(where: str | Callable[[str], str]) -> Iterator[None]:
    """Say in one line what YAML or omegaconf cannot read.

    Args:
        where: of it, or what tells that of a key.

    Raises:
        UserError: in place of their errors.
    """
    import yaml
    from omegaconf.errors import OmegaConfBaseException

    def at(key: str) -> str:
        return where if isinstance(where, str) else where(key)

    try:
        yield
    except yaml.YAMLError as error:
        raise UserError(f"not YAML ({' '.join(str(error).split())})", at("")) from None
    except OmegaConfBaseException as error:
        key = error.full_key or "value"
        raise UserError(f"{key}: {str(error).splitlines()[0]}", at(key)) from None
