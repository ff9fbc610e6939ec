"""A system as a YAML file: its training stages, and how it is evaluated.

``docs/systems.md`` shows the format. A file that ``extends`` another one holds only what
differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, cast

from fairseq_twostage.errors import UserError
from fairseq_twostage.systems.config_files import (
    ConfigFile,
    find_config,
    in_one_line,
    layers,
    place_of,
)
from fairseq_twostage.systems.merging import merged

FAIRSEQ_TRAIN = "fairseq-train"


def _listed(keys: Any) -> list[str]:
    """A key, a list of keys or none, as a list."""
    if isinstance(keys, list):
        return keys
    return [keys] if keys else []


@dataclass
class Stage:
    """One command and the folder that it fills.

    Attributes:
        command: ``fairseq-train``, or another command that takes ``--data`` and ``--dest``.
        name: of the folder; stages of one name are shared between systems. Empty: the key.
        corpus: folder within the data-bin that the command reads; empty: the data-bin.
        groups: names of option groups, later ones overriding earlier ones.
        options: of this stage alone, overriding the groups'. A mapping is written
            ``name=weight,…``; ``true`` is a flag; ``false`` and null leave the option out.
        checkpoints: option to the stage whose best checkpoint it takes, or to a list of stages;
            null: none.
        folders: option to the stage whose folder it takes.
    """

    command: str = FAIRSEQ_TRAIN
    name: str = ""
    corpus: str = ""
    groups: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    checkpoints: dict[str, Any] = field(default_factory=dict)
    folders: dict[str, Any] = field(default_factory=dict)

    def asked(self) -> dict[str, list[str]]:
        """Option to the stages whose best checkpoints it takes."""
        listed = {option: _listed(needed) for option, needed in self.checkpoints.items()}
        return {option: keys for option, keys in listed.items() if keys}

    def needs(self) -> list[str]:
        """Keys of the stages that have to be done before."""
        return [*chain(*self.asked().values()), *filter(None, self.folders.values())]


@dataclass
class Evaluation:
    """What ``twostage evaluate`` is given.

    Attributes:
        parser: stage whose checkpoint parses; None: known canonical utterances are looked up.
        paraphraser: stage whose checkpoint paraphrases before, or a list of them, whose mixture
            does; None: one stage.
        encoder: stage that adapts the sentence encoder; None: it is taken as it is.
        metric: the ``also-best`` of that stage, if its checkpoint is to be the one chosen by it.
        source: what goes in, ``nl`` or (gold) ``cf``.
        skip_punctuation: whether punctuation that Z does not have is left out.
        split: that is scored.
        splits: other splits by domain.
        options: how it reads: ``rerank``, ``proposals``, ``beam``, ``pick``, ``lookup``, as the
            options of the command.
    """

    parser: str | None = "parser"
    paraphraser: Any = None
    encoder: str | None = None
    metric: str | None = None
    source: str = "nl"
    skip_punctuation: bool = False
    split: str = "test"
    splits: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def paraphrasers(self) -> list[str]:
        """The stages that paraphrase, none with one stage."""
        return _listed(self.paraphraser)

    def needs(self) -> list[str]:
        """Keys of the stages whose checkpoints it takes."""
        return [*_listed(self.parser), *self.paraphrasers, *_listed(self.encoder)]

    def split_of(self, domain: str) -> str:
        """The split of a domain that is scored."""
        return self.splits.get(domain, self.split)


@dataclass
class Epochs:
    """At most so many epochs; 0: as many as it takes until another limit.

    Attributes:
        auxiliary: of language models, style classifier and parsers.
        pretrain: of denoising.
        cycle: of cycle learning.
    """

    auxiliary: int = 100
    pretrain: int = 50
    cycle: int = 50


@dataclass
class Updates:
    """At most so many updates, whatever the epochs; None or 0: as many as they take.

    Attributes:
        parser: of a parser.
        pretrain: of denoising.
        cycle: of cycle learning.
    """

    parser: int | None = None
    pretrain: int | None = None
    cycle: int | None = None


@dataclass
class System:
    """One row of the paper's tables.

    Attributes:
        system: name of the row in results; by default the file's.
        config: configuration that it belongs to, as ``cao2020``.
        seed: of the run, given with it; options may refer to it, as ``${seed}``.
        epochs: options refer to them, as ``${epochs.cycle}``.
        updates: likewise.
        groups: options by name, shared between stages.
        stages: by key, each after those it needs.
        evaluate: how it is scored.
        domains: by domain, what is different there.
    """

    system: str = ""
    config: str = ""
    seed: int = 1
    epochs: Epochs = field(default_factory=Epochs)
    updates: Updates = field(default_factory=Updates)
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)
    stages: dict[str, Stage] = field(default_factory=dict)
    evaluate: Evaluation = field(default_factory=Evaluation)
    domains: dict[str, dict[str, Any]] = field(default_factory=dict)

    def limits(self) -> Iterator[tuple[str, int | None]]:
        """``epochs.cycle`` and the like, each with its value."""
        for part in ("epochs", "updates"):
            for name, limit in vars(getattr(self, part)).items():
                yield f"{part}.{name}", limit

    def needed_stages(self, until: str | None = None) -> list[str]:
        """Keys of the stages that the evaluation depends on, in the order of the file.

        Args:
            until: name of a stage's folder: in place of what the evaluation depends on, that
                stage and what it depends on.

        Raises:
            UserError: there is no such stage, or one needs a stage that does not stand before it.
        """
        if until is None:
            wanted = set(self._known(self.evaluate.needs(), self.stages, "evaluate"))
        else:
            wanted = {key for key in self.stages if self.stage_name(key) == until}
        if not wanted and until is not None:
            known = ", ".join(map(self.stage_name, self.stages))
            raise UserError(f"{self.system} has no stage {until!r}, only {known}", "--until")
        keys = list(self.stages)
        for place in reversed(range(len(keys))):
            if keys[place] in wanted:
                needs = self.stages[keys[place]].needs()
                wanted.update(self._known(needs, keys[:place], f"stages.{keys[place]}"))
        return [key for key in keys if key in wanted]

    def _known(self, keys: Sequence[str], known: Any, where: str) -> Sequence[str]:
        for key in keys:
            if not isinstance(key, str) or key not in known:
                raise UserError(
                    f"needs the stage {key!r}, which does not stand before it",
                    f"{self.system}: {where}",
                )
        return keys

    def stage_name(self, key: str) -> str:
        """Name of the folder of the stage ``key``."""
        return self.stages[key].name or key

    def stage_options(self, key: str) -> dict[str, Any]:
        """Options of the stage ``key``: those of its groups, then its own."""
        stage = self.stages[key]
        merged: dict[str, Any] = {}
        for group in stage.groups:
            if group not in self.groups:
                raise UserError(f"no group {group!r}", f"{self.system}: stages.{key}.groups")
            merged.update(self.groups[group])
        return merged | stage.options


def load_system(
    config: str | Path | ConfigFile, changes: Sequence[str] = (), domain: str | None = None
) -> System:
    """Read a configuration and those that it extends.

    Args:
        config: as :func:`find_config` takes or gives it.
        changes: ``key=value`` over what the files say, as ``epochs.cycle=15``.
        domain: what a file says of this one counts, right after the rest of that file.

    Raises:
        UserError: no such file, not YAML, or a key or value that means nothing.
    """
    from omegaconf import OmegaConf

    config = config if isinstance(config, ConfigFile) else find_config(config)
    with in_one_line("--set"):
        changed: Any = OmegaConf.to_container(OmegaConf.from_dotlist(list(changes)))
    sources: list[Callable[[str], tuple[str, bool]]] = []
    tree: Any = OmegaConf.structured(System)
    for source, layer in layers(config):
        sources.append(partial(place_of, source, ""))
        tree = merged(tree, layer, sources[-1])
        if domain is not None and (part := (layer.get("domains") or {}).get(domain)):
            sources.append(partial(place_of, source, f"domains.{domain}"))
            tree = merged(tree, part, sources[-1])
    if changes:
        _check_named(changed, tree)
        tree = merged(tree, changed, lambda key: ("--set", False))

    def where(key: str) -> str:
        if any(change.partition("=")[0] == key for change in changes):
            return "--set"
        places = (source(key) for source in reversed(sources))
        return next((at for at, there in places if there), str(config))

    with in_one_line(where):
        system = cast(System, OmegaConf.to_object(tree))
    for key, limit in system.limits():
        if limit is not None and limit < 0:
            raise UserError(f"{key}: must be at least 0 (no limit), not {limit}", where(key))
    return system


def _check_named(changed: dict[str, Any], tree: Any) -> None:
    """Refuse a change to a stage or group that there is not: it would change nothing."""
    for part in ("stages", "groups"):
        named = changed.get(part)
        for name in named if isinstance(named, dict) else ():
            if name not in tree[part]:
                raise UserError(f"{part}.{name}: only {', '.join(tree[part])}", "--set")
