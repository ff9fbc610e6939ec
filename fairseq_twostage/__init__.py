"""Unsupervised dual paraphrasing for two-stage semantic parsing, as a fairseq plugin.

``fairseq-train --user-dir fairseq_twostage`` imports this module, then everything in
``tasks/`` and ``models/``. It stays free of torch and fairseq so that the plain-Python
rooms (``text``, ``semantics``, ``grammar``, ``domains``) can be used without them.
"""

__version__ = "0.2.0"
