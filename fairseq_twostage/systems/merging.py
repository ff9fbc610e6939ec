"""Changes to a configuration, or one line that says which key of them cannot be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

from fairseq_twostage.errors import UserError, nearest


def merged(tree: Any, part: dict[Any, Any], where: Callable[[str], tuple[str, bool]]) -> Any:
    """A configuration with what ``part`` says over it.

    Args:
        tree: omegaconf's, which knows its types.
        part: keys and values.
        where: of a key, as :func:`place_of` tells it.

    Raises:
        UserError: a key that there is not, or a value that cannot be.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        return OmegaConf.merge(tree, part)
    except OmegaConfBaseException as error:
        path, value = _blamed(tree, part)
        key = ".".join(map(str, path)) or error.full_key or "value"
        raise UserError(f"{key}: {_reason(error, _at(tree, path), value)}", where(key)[0]) from None


def _blamed(tree: Any, part: Any) -> tuple[list[Any], Any]:
    """The key that cannot be merged, from the outside in, and its value.

    omegaconf itself does not name one where a text stands in place of a mapping.
    """
    path: list[Any] = []
    while isinstance(part, dict):
        wrong = [name for name in part if not _fits(tree, [*path, name], part[name])]
        if not wrong:
            break
        path.append(wrong[0])
        part = part[wrong[0]]
    return path, part


def _fits(tree: Any, path: list[Any], value: Any) -> bool:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    for name in reversed(path):
        value = {name: value}
    try:
        OmegaConf.merge(tree, value)
    except OmegaConfBaseException:
        return False
    return True


def _at(tree: Any, path: list[Any]) -> Any:
    """What the configuration has at a key; None: nothing."""
    for name in path:
        tree = tree.get(name) if hasattr(tree, "get") and name in tree else None
    return tree


def _reason(error: Any, there: Any, value: Any) -> str:
    from omegaconf import DictConfig, ListConfig
    from omegaconf.errors import ConfigAttributeError, ConfigKeyError

    reason = str(error).splitlines()[0]
    if isinstance(error, ConfigKeyError | ConfigAttributeError) and is_dataclass(error.object_type):
        known = [field.name for field in fields(error.object_type)]
        return f"no setting {error.key!r}{nearest(str(error.key), known)}"
    new = "is not a subclass of" in reason or "type hint 'typing.Dict" in reason
    if (new or isinstance(there, DictConfig)) and not isinstance(value, dict):
        return f"wants lines of key: value, not {str(value)[:60]!r}"
    if "is not a ListConfig" in reason or (
        isinstance(there, ListConfig) and not isinstance(value, list)
    ):
        return f"wants a list, not {str(value)[:60]!r}"
    return reason
