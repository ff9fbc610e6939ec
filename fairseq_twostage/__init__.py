"""Unsupervised dual paraphrasing for two-stage semantic parsing, as a fairseq plugin.

``fairseq-train --user-dir fairseq_twostage`` imports this module, then everything in
``tasks/`` and ``models/``. It stays free of torch and fairseq so that the plain-Python
rooms (``text``, ``semantics``, ``grammar``, ``domains``) can be used without them.
"""

import sys

__version__ = "0.2.0"


class _UserDir(list[str]):
    """The package's path, which registers the plugin when fairseq looks for it there.

    fairseq's ``import_user_module`` imports tasks and models of a user-dir itself, but not if the
    package was imported before: then it only asks whether the user-dir is on the package's path.
    """

    def __contains__(self, path: object) -> bool:
        found = super().__contains__(path)
        if found and "fairseq.tasks" in sys.modules:
            from fairseq_twostage import plugin

            plugin.load()
        return found


__path__ = _UserDir(__path__)
