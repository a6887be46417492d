"""Runs the cases through the compiled plant or filter and compares them with the stored references."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE
from remora.equations.hull.inertia import rigid_body_inertia
from remora.equations.types import Matrix6
from remora.files.arrays import Array
from remora.plant import initial_state, pack, rollout
from remora.plant.multibody import BodyModel, LatchTolerance, Link, MultibodyPlant, attach
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle_reader import load_vehicle
from remora_evidence.assessment import Assessment, Study
from remora_evidence.checkcases.box_navigation import our_navigation
from remora_evidence.checkcases.problem_file import CASES, CaseRun, CheckCase, LinearFlow, load_problem
from remora_evidence.checkcases.trajectory import UNITS, Trajectory, differences, has_thrust, read_csv, write_csv
from remora_evidence.figure import AssessedFigure

WHEN = 1e-9  # s: events fall on output times


def case_study(case: str, folder: Path | None = None) -> Study:
    """A check-case as something to run; the trajectories of the plant are written into the folder, if there is one."""
    return Study(case, "check-case", load_problem(case).title, lambda seeds: _figures(case, folder))


def _figures(case: str, folder: Path | None) -> list[AssessedFigure]:
    """The largest difference from the reference in each quantity, with its tolerance."""
    problem = load_problem(case)
    ours = our_trajectories(problem)
    if folder is not None:
        write_csv(folder / f"{case}.csv", problem, ours)
    return figures_of(problem, ours)


def figures_of(problem: CheckCase, ours: Sequence[Trajectory]) -> list[AssessedFigure]:
    """The largest difference of trajectories from the reference in each quantity, with its tolerance."""
    apart = differences(problem, ours, read_csv(CASES / f"{problem.id}.csv", problem))
    return [
        AssessedFigure(name, None, apart[name], "at most", tolerance, UNITS[name])
        for name, tolerance in problem.tolerances.items()
    ]


def our_trajectories(problem: CheckCase) -> list[Trajectory]:
    """The runs of a problem at its output times."""
    if problem.is_navigation:
        return our_navigation(problem, problem.interval)
    return our_docking(problem) if problem.docking else [our_run(problem, run) for run in problem.runs]


def case_as_json(case: Assessment) -> dict[str, Any]:
    """A case as plain data; a difference that is not finite becomes null."""
    checks = [
        {"quantity": f.name, "unit": f.unit, "difference": f.value, "tolerance": f.bound, "holds": f.holds}
        for f in case.figures
    ]
    return {"id": case.id, "title": case.title, "checks": checks, "error": case.error or None, "holds": case.holds}


def our_run(problem: CheckCase, run: CaseRun) -> Trajectory:
    """One run through the compiled plant, with its default method and the step of the problem."""
    packed = pack(parameters_of(problem))
    held = [run.inputs_at(time) for time in problem.times[:-1].tolist()]
    start = initial_state(packed, run.position, run.quaternion, np.concatenate([run.velocity, run.rates]))
    states = rollout(
        packed,
        start,
        np.array([one.commands for one in held]),
        problem.interval,
        problem.steps,
        external=np.array([one.wrench for one in held]),
        water=_water_row(run.water),
    )
    return Trajectory(run.name, problem.times, states if has_thrust(problem) else states[:, :13])


def our_docking(problem: CheckCase) -> list[Trajectory]:
    """Two bodies that dock and undock, through the plant of linked bodies with the step of the problem."""
    begin, end = problem.docking or (math.inf, math.inf)
    packed, names = pack(parameters_of(problem)), [run.name for run in problem.runs]
    plant = MultibodyPlant(tuple(BodyModel(name, packed) for name in names), time_step=problem.step)
    starts = [np.concatenate([run.position, run.quaternion, run.velocity, run.rates]) for run in problem.runs]
    state = plant.state_of(starts)
    states = [plant.body_states(state)]
    for time in problem.times[:-1].tolist():
        if abs(time - begin) < WHEN:
            plant, state, *_ = attach(plant, state, Link("weld", "rigid", names[0], names[1]), LatchTolerance(math.inf))
        if abs(time - end) < WHEN:
            plant = plant.detach("weld")
        wrenches = np.array([run.inputs_at(time).wrench for run in problem.runs])
        state = plant.step(state, (), wrenches, steps=problem.steps)
        states.append(plant.body_states(state))
    return [Trajectory(run.name, problem.times, np.array(states)[:, i]) for i, run in enumerate(problem.runs)]


def _water_row(water: LinearFlow) -> Array:
    """The water as the plant takes it."""
    if not water.gradient.any():
        return water.velocity
    return np.concatenate([water.velocity, water.gradient.ravel(), np.zeros(4)])


def parameters_of(problem: CheckCase) -> VehicleParameters:
    """The vehicle of a problem: the preset that it names, or a bare body from its numbers."""
    numbers = problem.vehicle
    if "preset" in numbers:
        return load_vehicle(numbers["preset"]).parameters
    mass = float(numbers["mass"])
    x, y, z = (float(a) for a in numbers["center_of_gravity"])
    i, j, k = (float(a) for a in numbers["inertia_about_center_of_gravity"])
    inertia_G = ((i, 0.0, 0.0), (0.0, j, 0.0), (0.0, 0.0, k))
    a, b, c = (float(a) for a in numbers["center_of_buoyancy"])
    return VehicleParameters(
        mass=mass,
        displaced_mass=float(numbers["displaced_mass"]),
        p_BG=(x, y, z),
        p_BC=(a, b, c),
        inertia_G=inertia_G,
        rigid_body_inertia=rigid_body_inertia(mass, (x, y, z), inertia_G),
        added_mass=_matrix(numbers["added_mass"]),
        linear_damping=_matrix(numbers["linear_damping"]),
        quadratic_damping=_matrix(numbers["quadratic_damping"]),
        gravity=float(numbers["gravity"]),
        **_ABSENT,
    )


# What a body of the problem files does not have. Density is only known to vehicle files.
_ABSENT: dict[str, Any] = {
    "cubic_surge": 0.0,
    "heave_up": None,
    "density": math.nan,
    "thrusters": (),
    "thruster_names": (),
    "thrust_law": OUTPUT_IS_FORCE,
    "mapped_commands": False,
    "fins": (),
    "fin_names": (),
    "locked": (),
    "simplifications": (),
    "envelope": None,
    "total_inertia_only": False,
}


def _matrix(numbers: Any) -> Matrix6:
    """A 6x6 matrix from its rows, or from its diagonal."""
    array: Array = np.array(numbers, dtype=float)
    rows = np.diag(array) if array.ndim == 1 else array
    return tuple(tuple(row) for row in rows.tolist())  # type: ignore[return-value] # six rows of six
