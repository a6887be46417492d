"""What every fit says about its data and its numbers, in words."""

from collections.abc import Sequence

import numpy as np

from remora.files.arrays import Array
from remora.identification.data.record import Record
from remora.identification.diagnostics.recorded_outputs import outputs_that_may_be_commands
from remora.identification.regression.rows import assumed_inputs
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters


def assumptions(record: Record, vehicle: VehicleParameters) -> list[str]:
    """What had to be assumed because it was not recorded."""
    sentences = [*assumed_inputs(record, vehicle), *outputs_that_may_be_commands(record, vehicle)]
    resting = [axis for axis in DEGREES_OF_FREEDOM if axis not in record.measured]
    if resting:
        sentences.append(f"{', '.join(resting)} were not measured and are taken as zero.")
    if record.quaternion is None:
        sentences.append("No attitude was recorded; the vehicle is taken as level.")
    return sentences


def all_assumptions(records: Sequence[Record], vehicle: VehicleParameters) -> list[str]:
    """What had to be assumed, each sentence once; with the record that lacks something which others have."""
    each = [(record.source, assumptions(record, vehicle)) for record in records]
    shared = [sentence for sentence in each[0][1] if all(sentence in said for _, said in each)]
    own = [f"{source}: {sentence}" for source, said in each for sentence in said if sentence not in shared]
    return list(dict.fromkeys(shared + own))


def negative_damping(names: Sequence[str], values: Array) -> list[str]:
    """A sentence for each damping on a diagonal that is negative."""
    return [
        f"{name} is negative ({value:.4g}), which no damping can be; it will not be written to a file without a reason."
        for name, value in zip(names, values, strict=True)
        if name.startswith(("damping.linear.", "damping.quadratic.")) and "_" not in name and value < 0.0
    ]


def sources(records: Sequence[Record]) -> str:
    """Where the data come from, each source once."""
    return ", ".join(dict.fromkeys(record.source for record in records))


def largest_speeds(records: Sequence[Record]) -> tuple[float, ...]:
    """Largest |speed| of each degree of freedom in all records; zero where nothing was measured."""
    return tuple(max(_largest(record, i) for record in records) for i in range(6))


def _largest(record: Record, i: int) -> float:
    speeds = record.twist[np.isfinite(record.twist[:, i]), i]
    return float(np.abs(speeds).max()) if len(speeds) else 0.0
