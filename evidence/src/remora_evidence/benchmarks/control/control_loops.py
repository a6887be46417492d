"""Time of gain selection, and of the predictive controller in a closed loop."""

import time
from collections.abc import Mapping

import numpy as np

from remora.control.predictive.controller import PoseTarget, PredictiveControl
from remora.control.predictive.problem import PredictiveLimits, predictive_problem
from remora.control.tuning.gain_selection import tuned_control
from remora.messages.estimate import Estimate
from remora.plant import Stepper
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle

PERIOD, STEP, SAMPLES, ROUNDS = 0.1, 0.02, 80, 3
LEGS = ((0.3, 0.1, -0.1, 0.2), (0.3, 0.5, -0.1, -0.2))  # m and rad, each held for half of the samples


def measure_tuning() -> Mapping[str, float | str]:
    """Gain selection for a vehicle file, reading included."""
    start = time.process_time()
    tuned_control(Plant(load_vehicle("bluerov2_heavy")))
    return {"tune_seconds": time.process_time() - start}


def measure_predictive() -> Mapping[str, float | str]:
    """Solves of a closed loop with a swell and two waypoints, the quickest of some rounds for each sample."""
    limits = PredictiveLimits(force_rate=150.0)
    control = PredictiveControl(predictive_problem(load_vehicle("bluerov2_heavy").parameters, limits=limits))
    solves = 1e3 * np.min([_solve_times(control) for _ in range(ROUNDS)], axis=0)
    return {
        "predictive_median_milliseconds": float(np.median(solves)),
        "predictive_worst_milliseconds": float(np.max(solves)),
    }


def _solve_times(control: PredictiveControl) -> list[float]:
    """CPU time of each sample, s; the first, which prepares the functions, is left out."""
    p, held = control.problem, control.initial()
    stepper, body, found = Stepper(p.packed, STEP), np.zeros(13 + p.thrusters), []
    body[3] = 1.0
    for k in range(SAMPLES):
        x, y, z, heading = LEGS[k * len(LEGS) // SAMPLES]
        a, b, c, s, i, j, m, u, v, w, d, e, f = body[:13].tolist()
        estimate = Estimate(k, (a, b, c), (s, i, j, m), (u, v, w, d, e, f))
        start = time.process_time()
        held, forces = control.step(held, estimate, PoseTarget((x, y, z), heading, (0.0, 0.0, 0.0), 0.0))
        found.append(time.process_time() - start)
        swell = np.array([8.0 * np.sin(1.3 * k * PERIOD), 5.0, 4.0 * np.cos(1.3 * k * PERIOD), 0.0, 0.0, 0.0])
        for _ in range(round(PERIOD / STEP)):
            body = stepper(body, forces, external=swell)
    return found[1:]
