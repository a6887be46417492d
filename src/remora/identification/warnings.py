"""Warnings about the data and the values of a fit."""

from collections.abc import Sequence

import numpy as np

from remora.files.arrays import Array
from remora.files.problems import Advice, Fix
from remora.identification.data.record import Record
from remora.identification.diagnostics.lost_readings import lost_reading_warnings
from remora.identification.diagnostics.recorded_inputs import outputs_logged_slowly, outputs_that_may_be_commands
from remora.identification.parameter_names import damping_of
from remora.identification.regression.rows import assumed_inputs
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters

TRUTH = "truth"  # navigation part that knows the simulated motion
# Added mass of a translation, in displaced masses, above which speeds are probably in a wrong unit: twice the largest
# ratio of the bundled vehicles (falcon, sway: 4.1). A start that has half of it already is believed.
_LARGEST_RATIO, _BELIEVED = 8.0, 0.5
_OWN_DAMPING = {name for axis in DEGREES_OF_FREEDOM for name in damping_of(axis)}


def assumptions(record: Record, vehicle: VehicleParameters) -> list[str]:
    """Sentences on assumptions about quantities that were not recorded."""
    sentences = [*estimated_motion(record), *assumed_inputs(record, vehicle), *doubtful_data(record, vehicle)]
    resting = [axis for axis in DEGREES_OF_FREEDOM if axis not in record.measured]
    if resting:
        sentences.append(f"{', '.join(resting)} were not measured and are taken as zero.")
    if record.quaternion is None:
        sentences.append("No attitude was recorded; the vehicle is taken as level.")
    return sentences


def estimated_motion(record: Record) -> list[str]:
    """Sentence on motion that was not measured: the simulated truth, or an estimate with errors of its own."""
    if not record.estimated_by:
        return []
    if record.estimated_by != TRUTH:
        return [
            f"Motion is the estimate of navigation: {record.estimated_by}. Its errors are correlated in time, and "
            "scale and mounting errors of its sensors bias values in proportion: the intervals count neither."
        ]
    finding = (
        "The estimate of this log is the simulated truth (navigation: truth), without errors of sensors: results show "
        "model and method alone."
    )
    fix = Fix("For measured motion read sensors, such as {channel}, or run the scenario with navigation: filter.",
              {"channel": "surge=VEHICLE/dvl:velocity_x"},
              {"channel": 'motion={"surge": ("VEHICLE/dvl", "velocity_x")}'})  # fmt: skip
    return [Advice(finding, fix)]


def doubtful_data(record: Record, vehicle: VehicleParameters) -> list[str]:
    """Sentences on recorded inputs and speeds that bias a fit."""
    outputs = [*outputs_that_may_be_commands(record, vehicle), *outputs_logged_slowly(record)]
    return [*outputs, *lost_reading_warnings(record)]


def all_assumptions(records: Sequence[Record], vehicle: VehicleParameters) -> list[str]:
    """Assumptions of several records, each sentence once, with the record where they differ."""
    each = [(record.source, assumptions(record, vehicle)) for record in records]
    shared = [sentence for sentence in each[0][1] if all(sentence in said for _, said in each)]
    own = [f"{source}: {sentence}" for source, said in each for sentence in said if sentence not in shared]
    return list(dict.fromkeys(shared + own))


def negative_damping(names: Sequence[str], values: Array) -> list[str]:
    """A sentence for each damping on a diagonal that is negative."""
    return [
        f"{name} is negative ({value:.4g}), which no damping can be; it will not be written to a file without a reason."
        for name, value in zip(names, values, strict=True)
        if name in _OWN_DAMPING and value < 0.0
    ]


def unlikely_added_mass(names: Sequence[str], values: Array, start: VehicleParameters) -> list[str]:
    """A sentence for each fitted added mass that is many times the displaced mass, and the start far below it."""
    displaced, sentences = start.displaced_mass, []
    for i, axis in enumerate(DEGREES_OF_FREEDOM[:3]):
        name, before = f"added_mass.{axis}", float(start.added_mass[i][i])
        value = float(values[names.index(name)]) if name in names else 0.0
        if displaced <= 0.0 or value <= _LARGEST_RATIO * displaced or before >= _BELIEVED * value:
            continue
        times = (start.mass + value) / (start.mass + before)
        sentences.append(
            f"{name} is {value / displaced:.2g} times the displaced mass, and the inertia {times:.2g} times that of "
            f"the start: speeds of {axis} seem too small, or its thrust too large, by such a factor. Check the unit of "
            f"the column of {axis}; a speed in cm/s that is read as mm/s gives a factor of 10."
        )
    return sentences


def sources(records: Sequence[Record]) -> str:
    """Sources of the data, each once."""
    return ", ".join(dict.fromkeys(record.source for record in records))


def largest_speeds(records: Sequence[Record]) -> tuple[float, ...]:
    """Largest |speed| of each degree of freedom in all records; zero where not measured."""
    return tuple(max(_largest(record, i) for record in records) for i in range(6))


def _largest(record: Record, i: int) -> float:
    speeds = record.twist[np.isfinite(record.twist[:, i]), i]
    return float(np.abs(speeds).max()) if len(speeds) else 0.0
