"""Chains of linked bodies against MuJoCo in one run and against a dense solve, and a ring of hinges against its bodies.

Links of the chains are ellipsoids with ball joints, 5 ms a step, many steps in one call on both sides. MuJoCo has its
ellipsoid fluid forces, our bodies added mass and damping matrices of the same hull.
"""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from remora_evidence.benchmarks.mujoco import mujoco_baseline
from remora_evidence.benchmarks.timing import Work, quickest

if TYPE_CHECKING:  # the command's help must not wait for compiled code
    from remora.plant.multibody import BodyModel, MultibodyPlant

STEP = 0.005  # s
SIZES = (3, 10, 50)
LONG_CHAIN = 100  # bodies whose accelerations are compared with those of a dense solve
BEND = 0.3  # rad, from each link of the long chain to the next
BODY_STEPS = 3000  # in a window: steps times bodies
EVALUATIONS = 300  # in a window
INTEGRATORS = ("RK4", "Euler", "implicitfast")
_LINK = '<geom type="ellipsoid" size="0.25 0.06 0.06" mass="4" fluidshape="ellipsoid"/>'


def measure_linked_bodies(rounds: int = 7) -> Mapping[str, float | str]:
    """Ratios of MuJoCo's times to ours for chains, their growth, and the cost of a ring of ten hinges."""
    works: dict[str, Work] = {f"ours {n}": _chain_steps(n) for n in SIZES}
    present = mujoco_baseline.is_present()
    if present:
        works |= {f"{one} {n}": _mujoco_steps(n, one) for n in SIZES for one in INTEGRATORS}
    seconds = quickest(works, rounds)
    each = {name: value / _steps(int(name.split()[1])) for name, value in seconds.items()}
    found: dict[str, float | str] = {f"chain_{n}_microseconds": 1e6 * each[f"ours {n}"] for n in SIZES}
    for one in INTEGRATORS:
        for n in SIZES:
            name = f"chain_{n}_vs_mujoco_{one.lower()}"
            found[name] = each[f"{one} {n}"] / each[f"ours {n}"] if present else mujoco_baseline.MISSING
    found["chain_growth"] = each["ours 50"] / each["ours 10"]
    found["chain_100_residual"] = chain_residual(LONG_CHAIN)
    return {**found, "ring_microseconds": _ring_cost(rounds), "rigid_microseconds": _rigid_cost(rounds)}


def _steps(bodies: int) -> int:
    """Steps in a window."""
    return max(20, BODY_STEPS // bodies)


def _ellipsoid(name: str) -> "BodyModel":
    """One link of a chain: 0.5 m long, neutral."""
    from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE
    from remora.equations.algebra.vectors import diagonal6
    from remora.equations.hull.inertia import rigid_body_inertia
    from remora.plant.multibody import BodyModel
    from remora.plant.pack import pack
    from remora.vehicles.parameters import VehicleParameters

    zero, moments = (0.0, 0.0, 0.0), ((0.0058, 0.0, 0.0), (0.0, 0.053, 0.0), (0.0, 0.0, 0.053))
    parameters = VehicleParameters(
        mass=4.0, displaced_mass=4.0, p_BG=zero, p_BC=zero, inertia_G=moments,
        rigid_body_inertia=rigid_body_inertia(4.0, zero, moments),
        added_mass=diagonal6((0.3, 3.6, 3.6, 0.0, 0.03, 0.03)),
        linear_damping=diagonal6((0.5, 0.5, 0.5, 0.05, 0.05, 0.05)),
        quadratic_damping=diagonal6((1.0, 15.0, 15.0, 0.01, 0.2, 0.2)), cubic_surge=0.0, heave_up=None, gravity=9.81,
        density=1026.0, thrusters=(), thruster_names=(), thrust_law=OUTPUT_IS_FORCE, mapped_commands=False, fins=(),
        fin_names=(), locked=(), simplifications=(), envelope=None, total_inertia_only=False,
    )  # fmt: skip
    return BodyModel(name, pack(parameters))


def chain(n: int) -> "tuple[MultibodyPlant, Any]":
    """A chain of ellipsoids with ball joints and its state, in motion."""
    from remora.plant.multibody import Link, MultibodyPlant

    names = [f"link {i}" for i in range(n)]
    links = [
        Link(f"ball {i}", "ball", names[i], names[i + 1], (-0.25, 0.0, 0.0), (0.25, 0.0, 0.0)) for i in range(n - 1)
    ]
    plant = MultibodyPlant(tuple(map(_ellipsoid, names)), tuple(links), STEP, projection=10)
    rows = [np.array([-0.5 * i, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.3, 0.1, 0.0, 0.0, 0.0]) for i in range(n)]
    return plant, plant.state_of(rows)


def bent_chain(n: int) -> "tuple[MultibodyPlant, Any]":
    """The chain at rest, each link turned against the one before it about the y and z axis by turns."""
    from remora.equations.algebra.quaternions import from_axis_angle, product, rotation_matrix

    plant, _ = chain(n)
    q, end, rows = (1.0, 0.0, 0.0, 0.0), np.zeros(3), []
    for i in range(n):
        q = product(q, from_axis_angle((0.0, float(i % 2), float((i + 1) % 2)), BEND))
        half = np.array(rotation_matrix(q)) @ (0.25, 0.0, 0.0)
        rows.append(np.concatenate([end - half, q, np.zeros(6)]))
        end = end - 2.0 * half
    return plant, plant.state_of(rows)


def chain_residual(n: int) -> float:
    """Largest difference in acceleration, m/s2 or rad/s2, between the elimination and a dense solve of a bent chain."""
    from remora.plant.multibody.textbook import dense_system, multiplier_elimination

    plant, state = bent_chain(n)
    wrench = np.sin(np.arange(6 * n)).reshape(n, 6) * (1.0, 1.0, 1.0, 0.1, 0.1, 0.1)
    dense = multiplier_elimination(*dense_system(plant, state, (), wrench)).reshape(n, 6)
    return float(np.abs(plant.accelerations(state, (), wrench) - dense).max())


def _chain_steps(n: int) -> Work:
    plant, state = chain(n)
    steps = _steps(n)

    def work() -> None:
        plant.step(state, steps=steps)

    work()
    return work


def _mujoco_steps(n: int, integrator: str) -> Work:
    mujoco: Any = importlib.import_module("mujoco")
    opened = "".join(
        f'<body pos="-0.5 0 0"><joint type="ball" pos="0.25 0 0" damping="0.05"/>{_LINK}' for _ in range(n - 1)
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP}" density="1026" viscosity="0.001" gravity="0 0 0" integrator="{integrator}">'
        f'<flag contact="disable"/></option><worldbody><body><freejoint/>{_LINK}{opened}{"</body>" * n}'
        "</worldbody></mujoco>"
    )
    steps = _steps(n)

    def work() -> None:
        data = mujoco.MjData(model)
        data.qvel[:3] = (1.0, 0.3, 0.1)
        mujoco.mj_step(model, data, nstep=steps)

    return work


def _ring(n: int) -> "tuple[MultibodyPlant, Any]":
    """A ring of ellipsoids with hinges."""
    from remora.plant.multibody import Link, MultibodyPlant

    names, angle = [f"link {i}" for i in range(n)], 2.0 * np.pi / n
    radius = 0.25 / np.tan(0.5 * angle)
    rows = []
    for i in range(n):
        heading = i * angle + 0.5 * np.pi
        place = radius * np.cos(i * angle), radius * np.sin(i * angle), 0.0
        rows.append(np.array([*place, np.cos(0.5 * heading), 0.0, 0.0, np.sin(0.5 * heading), *[0.0] * 6]))
    q = (float(np.cos(0.5 * angle)), 0.0, 0.0, float(np.sin(0.5 * angle)))
    ends = (0.25, 0.0, 0.0), (-0.25, 0.0, 0.0)
    links = [Link(f"h {i}", "hinge", names[i], names[(i + 1) % n], *ends, q, (0.0, 0.0, 1.0)) for i in range(n)]
    plant = MultibodyPlant(tuple(map(_ellipsoid, names)), tuple(links), STEP)
    return plant, plant.state_of(rows)


def _ring_cost(rounds: int) -> float:
    """Microseconds that ten hinges in a ring add to one evaluation of their bodies."""
    return _link_cost(*_ring(10), rounds)


def _rigid_cost(rounds: int) -> float:
    """Microseconds that nine rigid links, and so one solve instead of ten, add to one evaluation of their bodies."""
    plant, state = chain(10)
    return _link_cost(plant.with_links([replace(link, kind="rigid") for link in plant.links]), state, rounds)


def _link_cost(plant: "MultibodyPlant", state: Any, rounds: int) -> float:
    """Microseconds by which an evaluation takes longer with the links than without."""
    free = plant.with_links(())
    seconds = quickest({"linked": _evaluations(plant, state), "free": _evaluations(free, state)}, rounds)
    return 1e6 * (seconds["linked"] - seconds["free"]) / EVALUATIONS


def _evaluations(plant: "MultibodyPlant", state: Any) -> Callable[[], None]:
    wrench = np.tile([1.0, 0.5, 0.2, 0.1, 0.1, 0.1], (len(plant.bodies), 1))
    evaluate = plant.evaluation(state, external=wrench)

    def work() -> None:
        for _ in range(EVALUATIONS):
            evaluate()

    return work
