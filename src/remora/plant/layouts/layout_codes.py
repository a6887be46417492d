"""A layout as an array of integers, as compiled entry points take it, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from remora.equations.hull.forms.table import OPTIONAL_FORMS
from remora.equations.packed import Layout

FORMS_AT = Layout._fields.index("forms")  # in the codes; the fields before it are one integer each
FORMS_SIZE_AT = FORMS_AT + len(OPTIONAL_FORMS)
USER_FORMS_SIZE_AT = FORMS_SIZE_AT + 1
USER_FORMS_AT = FORMS_SIZE_AT + 2
LAYOUT_SIZE = USER_FORMS_AT + 1


def form_counts_at(codes: NDArray[np.int64]) -> tuple[int, ...]:
    """Count of records of each optional form of the table; `kernels.forms.unrolled_forms` has the compiled version."""
    counts: Any = tuple(codes[FORMS_AT:FORMS_SIZE_AT])
    return counts
