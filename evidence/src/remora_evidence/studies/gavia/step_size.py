"""gavia-5.11: the step of a free run does not show in its velocities."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remora.equations.algebra.vectors import add3, scale3
from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, heading_terms, velocity_rate
from remora.equations.navigation.model_aided import process
from remora.equations.types import Vector3
from remora.identification import free_run
from remora.identification.gyro_driven.data import GyroData
from remora.identification.gyro_driven.free_run import STEP
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.gavia.calm_water import data, recursive_fit

PRINTED_STEP = 1e-4  # s, of the explicit Euler method of the source
FINE_STEP = 0.02  # s, of the classical Runge-Kutta method
FILTER_STEP = 0.04  # s, of the process model at 25 Hz
SAMPLES = 40  # of the unseen run, 45 s with a turn each way: the fine steps of a whole run take minutes


def by_euler(model: GyroDriven, made: GyroData, step: float = PRINTED_STEP) -> NDArray[np.float64]:
    """Velocities at the samples by the explicit Euler method; inputs are interpolated linearly."""
    begun = made.velocity[0].tolist()
    now: Vector3 = (begun[0], begun[1], begun[2])
    found = [now]
    for k in range(len(made.time) - 1):
        count = round(float(made.time[k + 1] - made.time[k]) / step)
        h = float(made.time[k + 1] - made.time[k]) / count
        for thrust, rotation in _inputs(model, made, k, count):
            now = add3(now, scale3(h, velocity_rate(model, thrust, now, rotation)))
        found.append(now)
    return np.array(found)


def _inputs(model: GyroDriven, made: GyroData, k: int, count: int) -> list[tuple[float, Rotation]]:
    """Thrust and rotation at the beginning of each step between a sample and the next."""
    share = np.arange(count) / count

    def line(column: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(column[k] + share * (column[k + 1] - column[k]))

    rates = zip(*(line(column).tolist() for column in made.rates.T), strict=True)
    accelerations = zip(*(line(column).tolist() for column in made.turn_acceleration.T), strict=True)
    _, pitch, heading = made.angles
    terms = zip(*(part.tolist() for part in heading_terms(model.circular_heading, line(heading))), strict=True)  # type: ignore
    rows = zip(rates, accelerations, line(pitch).tolist(), terms, strict=True)
    return [(thrust, Rotation._make(row)) for thrust, row in zip(line(made.thrust).tolist(), rows, strict=True)]


def by_filter(model: GyroDriven, made: GyroData, step: float) -> NDArray[np.float64]:
    """Velocities at the samples by the process model of the filter, with the inputs of the middle of each step."""
    x = [*(0.0,) * 3, *made.quaternion[0].tolist(), *(0.0,) * 9, *made.velocity[0].tolist(), *(0.0,) * 8]
    found = [made.velocity[0]]
    numbers = (model.surge_mass, *model.surge, *model.sway, *model.heave, model.circular_heading)
    row = (9.81, 30.0, *(0.0,) * 12)
    for k in range(len(made.time) - 1):
        count = math.ceil(float(made.time[k + 1] - made.time[k]) / step)
        h = float(made.time[k + 1] - made.time[k]) / count
        between = _inputs(model, made, k, 2 * count)[1::2]
        x[3:7] = made.quaternion[k].tolist()
        for thrust, rotation in between:
            inputs = (*rotation.rates, *(0.0,) * 3, *rotation.accelerations, thrust, *numbers)
            x = list(process(tuple(x), inputs, h, row))
        found.append(np.array(x[16:19]))
    return np.array(found)


def steps(seeds: Sequence[int]) -> list[Value]:
    """Largest differences of velocities: our step and half of it, and the method and step of the source."""
    model, unseen = recursive_fit("ID1", seeds[0]).model, data("matched", "unseen", seeds[0])
    part = unseen.rows(0, SAMPLES)
    halved = free_run(model, unseen, STEP).velocity - free_run(model, unseen, 0.5 * STEP).velocity
    other = free_run(model, part, FINE_STEP).velocity - by_euler(model, part)
    filtered = by_filter(model, part, FILTER_STEP)
    finer = filtered - by_filter(model, part, 0.5 * FILTER_STEP)
    against = filtered - free_run(model, part, FINE_STEP).velocity
    return [
        (f"step of {STEP} s halved: largest change", np.max(np.abs(halved))),
        (f"Runge-Kutta at {FINE_STEP} s against Euler at {PRINTED_STEP} s: largest difference", np.max(np.abs(other))),
        (f"process model of the filter, step of {FILTER_STEP} s halved: largest change", np.max(np.abs(finer))),
        (f"the same against Runge-Kutta at {FINE_STEP} s: largest difference", np.max(np.abs(against))),
    ]  # fmt: skip


STUDIES: dict[str, StudyFunction] = {
    "gavia-5.11": steps,
}
