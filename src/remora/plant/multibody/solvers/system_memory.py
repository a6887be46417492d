"""All numbers of a system of linked bodies in one array of integers and one of floats, in named regions.

Compiled functions take these two arrays and make views of the regions they need: few arguments compile fast.
"""

from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from remora.files.arrays import Array

Integers = NDArray[np.int64]

# Head of the integers: counts and addresses of compiled functions, then the start of each region.
COUNTS = (
    "bodies", "ordered", "loop_links", "loop_bodies", "slots", "latches", "water", "steps", "every", "linked",
    "begin_address", "advance_address", "loads_address", "tree_address", "loops_address",
)  # fmt: skip
INTEGER_REGIONS = ("codes", "order", "nodes", "links", "fixed", "eliminated", "blocks", "updates", "starts", "latches")
FLOAT_REGIONS = (
    "settings", "rows", "commands", "externals", "waters", "carried", "actuators", "weights", "tree_records",
    "loop_records", "latch_records", "x", "stage", "total", "rates", "loads", "subtrees", "motion", "diagonal",
    "coupling", "on_first", "on_second", "right", "multipliers", "residual",
)  # fmt: skip
(
    BODIES, ORDERED, LOOP_LINKS, LOOP_BODIES, SLOTS, LATCHES, WATER, STEPS, EVERY, LINKED,
    BEGIN_ADDRESS, ADVANCE_ADDRESS, LOADS_ADDRESS, TREE_ADDRESS, LOOPS_ADDRESS,
) = range(len(COUNTS))  # fmt: skip
CODES, ORDER, NODES, LINKS, FIXED, ELIMINATED, BLOCKS, UPDATES, STARTS, LATCH_ENDS = (
    len(COUNTS) + i for i in range(len(INTEGER_REGIONS))
)
(
    SETTINGS, ROWS, COMMANDS, EXTERNALS, WATERS, CARRIED, ACTUATORS, WEIGHTS, TREE_RECORDS, LOOP_RECORDS, LATCH_RECORDS,
    X, STAGE, TOTAL, RATES, LOADS, SUBTREES, MOTION, DIAGONAL, COUPLING, ON_FIRST, ON_SECOND, RIGHT, MULTIPLIERS,
    RESIDUAL,
) = (len(COUNTS) + len(INTEGER_REGIONS) + i for i in range(len(FLOAT_REGIONS)))  # fmt: skip
HEAD_SIZE = RESIDUAL + 1
STEP, RATE_GAIN, ERROR_GAIN, REACHED, SETTINGS_SIZE = 0, 1, 2, 3, 4  # in the settings


@final
class SystemMemory:
    """The two arrays, and views of their regions by name."""

    def __init__(self, counts: dict[str, int], integers: dict[str, Integers], floats: dict[str, Array]) -> None:
        head = [counts[name] for name in COUNTS]
        shapes: list[tuple[str, str, Any]] = [("integers", name, integers[name]) for name in INTEGER_REGIONS]
        shapes += [("floats", name, floats[name]) for name in FLOAT_REGIONS]
        ends = {"integers": HEAD_SIZE, "floats": 0}
        for kind, _, values in shapes:
            head.append(ends[kind])
            ends[kind] += values.size
        self.integers = np.zeros(ends["integers"], dtype=np.int64)
        self.floats = np.zeros(ends["floats"])
        self.integers[:HEAD_SIZE] = head
        self._views: dict[str, Array] = {}
        for (kind, name, values), start in zip(shapes, head[len(COUNTS) :], strict=True):
            whole: Array = getattr(self, kind)
            view = whole[start : start + values.size].reshape(values.shape)
            view[...] = values
            self._views[name] = view

    def __getitem__(self, name: str) -> Array:
        """View of a region."""
        return self._views[name]

    def set_count(self, index: int, value: int) -> None:
        """Change a count or an address of the head."""
        self.integers[index] = value
