"""fairseq tasks of the plugin.

fairseq imports the modules of a user-dir's ``tasks`` and ``models`` by itself; importing
this package brings in the rest: the mends, the criterions, one-line errors.
"""

import os

import torch

from fairseq_twostage import compat
from fairseq_twostage.errors import print_user_errors_in_one_line

compat.apply()
print_user_errors_in_one_line()
if "OMP_NUM_THREADS" not in os.environ:
    torch.set_num_threads(1)  # at this model size a second thread makes a run slower

import fairseq_twostage.criterions.multitask  # noqa: E402
import fairseq_twostage.criterions.registration  # noqa: E402
import fairseq_twostage.scoring.denotation  # noqa: E402, F401
