"""Comparison of the step of a scenario with the motion of a vehicle at its start and at full thrust."""

import math

import numpy as np

from remora.equations.algebra.vectors import ZERO3
from remora.files.arrays import Array
from remora.files.problems import Path
from remora.logs.problems import seconds
from remora.plant.batches.step_length import longest_step
from remora.plant.methods import IntegrationMethod
from remora.run.setup import VehicleSetup
from remora.scenarios.feasibility import full_speeds
from remora.scenarios.load_context import LoadContext


def check_step(vehicle: VehicleSetup, method: IntegrationMethod, path: Path, context: LoadContext) -> None:
    """Refuse a step that is unstable at the start of a vehicle; note one that is at its full speed along an axis."""
    interval, start = 1e-9 * context.step_ns, np.asarray(vehicle.start, dtype=float)
    north, east, down = start[:3].tolist()
    current = np.array(context.environment.at(0, (north, east, down)).velocity)
    packed = vehicle.plant.packed
    at_rest = longest_step(packed, interval, method)
    longest = min(at_rest, longest_step(packed, interval, method, start, current))
    step, fix = f"the step of {seconds(context.step_ns)}", "Give a step of at most"
    if longest < interval:
        when = "damps or rights itself too fast at rest" if at_rest < interval else "starts with a motion too fast"
        context.refuse(path, f"{when}: {step} is unstable. {fix} {1e3 * longest:.2g} ms.", shows_value=False)
        return
    for state, speed, words in _at_full_speed(vehicle):
        if (longest := longest_step(packed, interval, method, state)) < interval:
            message = f"reaches {speed:.2g} m/s {words} at full thrust, where {step} is unstable. {fix}"
            context.note(path, f"{message} {1e3 * longest:.2g} ms.", shows_value=False)


def _at_full_speed(vehicle: VehicleSetup) -> list[tuple[Array, float, str]]:
    """Level states at the largest speed through the water along each axis, with the speeds and words for them."""
    found = []
    for axis, (speed, words) in enumerate(
        zip(full_speeds(vehicle.plant.vehicle.parameters, ZERO3)[:3], ("ahead", "sideways", "downwards"), strict=True)
    ):
        if math.isfinite(speed) and speed > 0.0:
            state = np.asarray(vehicle.start, dtype=float).copy()
            state[3:13] = (1.0, *(0.0,) * 9)
            state[7 + axis] = speed
            found.append((state, speed, words))
    return found
