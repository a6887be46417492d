"""R1 to R5: added mass in a rigid-body engine, Britto Neto 2018, chapter 4."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from remora.guidance import PoseReference
from remora.interop.added_mass_schemes import (
    DelayedCompensation,
    DirectCompensation,
    LastAcceleration,
    Scheme,
    Uncompensated,
    added_mass_ratio,
    excess,
    largest_share,
)
from remora.interop.simple_engine import CompensatedEngine
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, total_inertia
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.scheme_comparison import SchemeComparison, compare_with_reference

SECONDS, STEP, COARSE_STEP = 60.0, 0.001, 0.01
GOAL = PoseReference((10.0, 10.0, 8.0), math.pi, (0.0, 0.0, 0.0), 0.0)
AHEAD = PoseReference((2.0, 0.0, 3.0), 0.0, (0.0, 0.0, 0.0), 0.0)
LOST = 1e3  # m/s and rad/s


def vehicle() -> VehicleParameters:
    """The FlatFish of the simulation study."""
    return load_vehicle("flatfish_gazebo").parameters


def schemes() -> dict[str, Scheme]:
    """Every scheme that is compared, by name."""
    parameters = vehicle()
    K = excess(parameters)
    return {
        "method 2": DirectCompensation(K),
        "method 1": DelayedCompensation(K),
        "method 1, 50 ms late": DelayedCompensation(K, round(0.05 / STEP)),
        "method 1, Coriolis effort forgotten": DelayedCompensation(K, forgets_coriolis=True),
        "method 1, compensation not taken out": DelayedCompensation(K, keeps_compensation=True),
        "no added mass": Uncompensated(),
        "naive": LastAcceleration(parameters.added_mass),
    }


@lru_cache
def driven(name: str, step: float = STEP) -> SchemeComparison:
    """Engine and reference from rest to the goal in four degrees of freedom at once."""
    return compare_with_reference(vehicle(), schemes()[name], GOAL, SECONDS, step)


def direct_method(seeds: Sequence[int]) -> list[Value]:
    """R1: method 2 against RK4, and how its error grows with the step."""
    fine, coarse = driven("method 2").mean_errors, driven("method 2", COARSE_STEP).mean_errors
    growth = coarse / fine
    return [
        *[(f"mean error of {dof}, 1 ms", fine[i]) for i, dof in enumerate(DEGREES_OF_FREEDOM)],
        *[(f"error of {dof}, 10 ms over 1 ms", growth[i]) for i, dof in enumerate(DEGREES_OF_FREEDOM)],
    ]


def delayed_method(seeds: Sequence[int]) -> list[Value]:
    """R2: method 1 against method 2."""
    direct = driven("method 2").mean_errors
    ideal, late = driven("method 1").mean_errors / direct, driven("method 1, 50 ms late").mean_errors / direct
    return [
        *[(f"method 1 over method 2, {dof}", ideal[i]) for i, dof in enumerate(DEGREES_OF_FREEDOM)],
        *[(f"50 ms late over method 2, {dof}", late[i]) for i, dof in enumerate(DEGREES_OF_FREEDOM)],
    ]


def stability(seeds: Sequence[int]) -> list[Value]:
    """R3: the naive scheme on both sides of its limit, and the filtered one of its own."""
    light, heavy = (_with_added_mass(factor) for factor in (0.9, 1.1))
    flatfish = vehicle()
    limit, M_A = largest_share(flatfish), flatfish.added_mass
    below, above = (LastAcceleration(M_A, factor * limit) for factor in (0.9, 1.1))
    naive = driven("naive").diverged_after
    return [
        ("added mass over rigid body, FlatFish", added_mass_ratio(flatfish)),
        ("largest share of the newest acceleration, FlatFish", limit),
        ("naive, ratio 0.9: error of the acceleration", pushed(light, LastAcceleration(light.added_mass))),
        ("naive, ratio 1.1: error of the acceleration", pushed(heavy, LastAcceleration(heavy.added_mass))),
        ("filtered, 0.9 of the limit: error of the acceleration", pushed(flatfish, below)),
        ("filtered, 1.1 of the limit: error of the acceleration", pushed(flatfish, above)),
        ("naive, FlatFish: steps until it is lost", math.inf if naive is None else naive),
    ]


def gentle_drive(seeds: Sequence[int]) -> list[Value]:
    """R4: one degree of freedom and small rates, where both methods agree."""
    both = [compare_with_reference(vehicle(), schemes()[name], AHEAD, 20.0).engine for name in ("method 1", "method 2")]
    return [
        ("largest difference of the speeds, methods 1 and 2", np.abs(both[0] - both[1]).max()),
        ("largest speed ahead", both[1][:, 0].max()),
    ]


def contact(seeds: Sequence[int]) -> list[Value]:
    """R5: a force that arises inside the engine, without and with the hook before its step."""
    parameters = vehicle()
    rigid, total = np.array(parameters.rigid_body_inertia), np.array(total_inertia(parameters))
    plain, hooked = (touched(parameters, hook) for hook in (False, True))
    return [
        ("per force: largest error against M_RB^-1 f", _error(plain, np.linalg.inv(rigid))),
        ("hook: largest error against M^-1 f", _error(hooked, np.linalg.inv(total))),
        *[
            (f"too light in {dof} without the hook", plain[i, i] / hooked[i, i])
            for i, dof in enumerate(DEGREES_OF_FREEDOM)
        ],
    ]


def _error(found: NDArray[np.float64], exact: NDArray[np.float64]) -> float:
    return float(np.abs(found - exact).max() / np.abs(exact).max())


def _with_added_mass(factor: float) -> VehicleParameters:
    """The FlatFish with an added mass that is a multiple of its rigid body."""
    rigid = vehicle().rigid_body_inertia
    return vehicle()._replace(added_mass=tuple(tuple(factor * x for x in row) for row in rigid))  # type: ignore[arg-type]


def pushed(parameters: VehicleParameters, scheme: Scheme, steps: int = 300) -> float:
    """Relative error of the acceleration after some steps under a steady thrust from rest."""
    moved, outputs = (
        CompensatedEngine(parameters, scheme, STEP, (0.0, 0.0, 3.0)),
        np.full(len(parameters.thrusters), 20.0),
    )
    inertia = np.array(total_inertia(parameters))
    wanted = at_rest = np.linalg.solve(inertia, moved.efforts(outputs))
    for _ in range(steps):
        wanted = np.linalg.solve(inertia, moved.efforts(outputs))
        moved.advance(outputs)
        if np.abs(moved.state[7:13]).max() > LOST:
            wanted = at_rest  # at such speeds the efforts say nothing any more
            break
    return float(np.abs(np.array(moved.last_rate) - wanted).max() / np.abs(wanted).max())


def touched(parameters: VehicleParameters, hook: bool) -> NDArray[np.float64]:
    """Change of the acceleration by a unit contact force in each direction, a column for each, with method 2."""
    outputs = np.zeros(len(parameters.thrusters))
    columns = []
    for force in (np.zeros(6), *np.eye(6)):
        body = CompensatedEngine(parameters, DirectCompensation(excess(parameters)), STEP, (0.0, 0.0, 3.0))
        body.advance(outputs, tuple(force.tolist()), hook)
        columns.append(body.last_rate)
    return (np.array(columns[1:]) - columns[0]).T


STUDIES: dict[str, StudyFunction] = {
    "R1": direct_method,
    "R2": delayed_method,
    "R3": stability,
    "R4": gentle_drive,
    "R5": contact,
}
