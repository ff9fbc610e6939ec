"""A system as a YAML file: its training stages, and how it is evaluated.

``docs/systems.md`` shows the format. A file that ``extends`` another one holds only what
differs; one that is an ``alias`` of another system names it and holds nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, cast

from fairseq_twostage.errors import UserError
from fairseq_twostage.files import read_text

FAIRSEQ_TRAIN = "fairseq-train"
CONFIGS = Path(__file__).resolve().parents[2] / "configs"


def _listed(keys: Any) -> list[str]:
    """A key, a list of keys or none, as a list."""
    if isinstance(keys, list):
        return keys
    return [keys] if keys else []


@dataclass
class Stage:
    """One command and the folder that it fills.

    Attributes:
        like: key of a stage whose keys it has, too, but where its own say otherwise. Empty: none.
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

    like: str = ""
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
        return [*_listed(self.parser), *self.paraphrasers]

    def split_of(self, domain: str) -> str:
        """The split of a domain that is scored."""
        return self.splits.get(domain, self.split)


@dataclass
class Epochs:
    """At most so many epochs.

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
    """At most so many updates, whatever the epochs; None: as many as they take.

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


def find_config(name: str | Path) -> Path:
    """The file of a configuration: itself, or that of a name among those of the repository.

    Raises:
        UserError: there is neither.
    """
    path = Path(name)
    named = CONFIGS / f"{name}.yaml"
    if path.is_file() or path.suffix or not named.is_file():
        if not path.is_file():
            known = ", ".join(sorted(each.stem for each in CONFIGS.glob("*.yaml")))
            raise UserError(f"no such configuration; the names are {known}", str(name))
        return path
    return named


def load_system(path: str | Path, changes: Sequence[str] = (), domain: str | None = None) -> System:
    """Read a configuration, the files that it extends, and follow an alias.

    Args:
        path: YAML file.
        changes: ``key=value`` over what the files say, as ``epochs.cycle=15``.
        domain: what a file says of this one counts, right after the rest of that file.

    Raises:
        UserError: no such file, not YAML, or a key or value that means nothing.
    """
    from omegaconf import OmegaConf

    layers = _layers(Path(path))
    where = str(layers[-1][0])
    with _in_one_line("--set"):
        changed = OmegaConf.from_dotlist(list(changes))
    with _in_one_line(where):
        parts = []
        for _, layer in layers:
            parts.append(layer)
            if domain is not None:
                parts.append((layer.get("domains") or {}).get(domain) or {})
        tree = _checked(parts)
    if changes:  # a merge takes as long as all the rest
        with _in_one_line("--set"):
            _check_named(changed, tree)
            tree = _checked([*parts, changed])
    with _in_one_line(where):
        return cast(System, OmegaConf.to_object(tree))


def _checked(parts: Sequence[Any]) -> Any:
    """The parts merged, a stage that is like another one with what that one has, as a system."""
    from omegaconf import OmegaConf

    system: Any = OmegaConf.structured(System)
    tree = OmegaConf.merge(system, *parts)
    likes = {key: stage.like for key, stage in tree.stages.items() if stage and stage.like}
    if not likes:
        return tree
    told: Any = OmegaConf.merge(*parts)
    for key, model in likes.items():
        if model in likes or not told.stages.get(model):
            reason = "itself like another one:" if model in likes else "no stage"
            raise UserError(f"like: {reason} {model!r}", f"stages.{key}")
        told.stages[key] = OmegaConf.merge(told.stages[model], told.stages[key])
    return OmegaConf.merge(system, told)


def _check_named(changed: Any, tree: Any) -> None:
    """Refuse a change to a stage or group that there is not: it would change nothing."""
    for part in ("stages", "groups"):
        for name in changed.get(part) or ():
            if name not in tree[part]:
                raise UserError(f"{part}.{name}: only {', '.join(tree[part])}", "--set")


@contextmanager
def _in_one_line(where: str) -> Iterator[None]:
    """Say in one line what YAML or omegaconf cannot read."""
    import yaml
    from omegaconf.errors import OmegaConfBaseException

    try:
        yield
    except yaml.YAMLError as error:
        raise UserError(f"not YAML ({' '.join(str(error).split())})", where) from None
    except OmegaConfBaseException as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{error.full_key or 'value'}: {reason}", where) from None


def _layers(path: Path, seen: tuple[Path, ...] = ()) -> list[tuple[Path, Any]]:
    """The file and those it extends, the most general one first."""
    from omegaconf import OmegaConf

    if path.resolve() in seen:
        raise UserError("extends itself", str(path))
    content = _read(path)
    alias, base = content.pop("alias", None), content.pop("extends", None)
    beside = (*seen, path.resolve())
    if alias is not None:
        if content or base is not None:
            raise UserError("an alias holds nothing else", str(path))
        return _layers(path.parent / f"{alias}.yaml", beside)
    content.setdefault("system", path.stem)
    layers = _layers(path.parent / f"{base}.yaml", beside) if base is not None else []
    with _in_one_line(str(path)):
        return [*layers, (path, OmegaConf.create(content))]


def _read(path: Path) -> dict[str, Any]:
    import yaml

    if not path.exists():
        raise UserError("no such configuration", str(path))
    text = read_text(path)
    with _in_one_line(str(path)):
        content = yaml.safe_load(text)
    if not isinstance(content, dict):
        raise UserError("a configuration is a mapping", str(path))
    return content
