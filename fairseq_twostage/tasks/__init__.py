"""fairseq tasks of the plugin.

fairseq imports the modules of a user-dir's ``tasks`` and ``models`` by itself; importing
this package brings in the rest: the mends, the criterions, one-line errors.
"""

from fairseq_twostage import compat
from fairseq_twostage.errors import print_user_errors_in_one_line

compat.apply()
print_user_errors_in_one_line()

import fairseq_twostage.criterions.registration  # noqa: E402, F401
