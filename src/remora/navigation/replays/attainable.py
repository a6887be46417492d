"""The accuracy that the sensors of a replay allow: its Cramér-Rao bound, and the states that readings show."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.instruments import point_position, velocity_in_N
from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.messages.reading import Reading
from remora.navigation.filters import ErrorBound, FilterRun, ObservedStates, TrueTrajectory, bound, observed_states
from remora.navigation.inertial.inertial_filter import InertialFilter, Launch
from remora.navigation.inertial.recorded_readings import prepared
from remora.navigation.inertial.state_blocks import StateLayout
from remora.navigation.replays.truth_errors import RecordedTruth
from remora.navigation.replays.verdict import COORDINATES

APART = 0.1  # s, between two times of the bound
POSITIONS = ("position north", "position east", "position down")


class AttainableAccuracy(NamedTuple):
    """Bound of the errors of any unbiased filter with these sensors, and the states that they show."""

    bound: ErrorBound
    observed: ObservedStates
    along_truth: bool  # whether the trajectory was the true one, and not the estimate of the filter

    def rms(self, first: int) -> float:
        """Root mean square of the length of three error coordinates from the given one on."""
        return float(np.sqrt(np.mean(np.sum(self.bound.sigma[:, first : first + 3] ** 2, axis=1))))


def attainable_accuracy(
    made: InertialFilter, launch: Launch, readings: Sequence[Reading], run: FilterRun, truth: RecordedTruth | None
) -> AttainableAccuracy:
    """What the sensors of a log allow on its trajectory, by the errors that their data sheets state.

    Parameters
    ----------
    made
        Filter of the suite.
    launch
        What is known at the start.
    readings
        Of all sensors.
    run
        Estimates, whose trajectory is used without a truth.
    truth
        True motion, where it is known.

    Raises
    ------
    InputError
        When readings and trajectory have no time in common.
    """
    record = prepared(made, launch, readings)
    known = truth is not None and len(truth.stamps_ns) > 1
    path = _true_states(made, truth) if known and truth is not None else TrueTrajectory(run.stamps_ns, run.states)
    start = max(record.belief.stamp_ns, int(path.stamps_ns[0]))
    events = [one for one in record.events if start <= one.stamp_ns <= int(path.stamps_ns[-1])]
    if not events:
        raise InputError("readings and trajectory have no time in common").about("readings", 0)
    covariance = record.belief.covariance
    found = bound(made.filter, path, events, covariance, apart=APART)
    names = coordinate_names(made.suite.layout)
    return AttainableAccuracy(found, observed_states(made.filter, path, events, covariance, names), known)


def coordinate_names(layout: StateLayout) -> tuple[str, ...]:
    """Names of the error coordinates of a filter."""
    blocks = []
    for block in layout.blocks:
        size = len(block.sigma)
        blocks += [block.name] if size == 1 else [f"{block.name} {i + 1}" for i in range(size)]
    return (*POSITIONS, *COORDINATES, *blocks)


def _true_states(made: InertialFilter, truth: RecordedTruth) -> TrueTrajectory:
    """States of the filter along a true motion, with the errors of the sensors at their means."""
    extras = [block.mean for block in made.suite.layout.blocks for _ in block.sigma]
    r, rows = made.suite.inputs.p_BI, []
    for p, q, twist in zip(truth.positions.tolist(), truth.attitudes.tolist(), truth.twists.tolist(), strict=True):
        place, attitude = (p[0], p[1], p[2]), (q[0], q[1], q[2], q[3])
        rows.append([*point_position(place, attitude, r), *velocity_in_N(attitude, twist, r), *attitude, *extras])
    return TrueTrajectory(truth.stamps_ns, _array(rows))


def _array(rows: list[list[float]]) -> Array:
    return np.array(rows, dtype=np.float64)
