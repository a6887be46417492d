"""MJ-1 to MJ-3: a spheroid and a vehicle inside MuJoCo, against what is known exactly."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remora.equations.hull.inertia import kinetic_energy
from remora.interop.mujoco.hydrodynamics import Hydrodynamics, load_mujoco, submerged
from remora.interop.mujoco.mjcf import model_xml
from remora.plant.plant import Plant
from remora.vehicles import Vehicle, load_vehicle
from remora.vehicles.parameters import total_inertia
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.spheroid import DENSITY, DIAMETER, LENGTH, spheroid

STEP, SECONDS = 0.001, 20.0
INTEGRATORS = ("Euler", "implicit", "implicitfast", "RK4")
BEST = "RK4"
TUMBLING = (0.5, 0.2, -0.1, 0.3, 0.2, -0.25)  # m/s and rad/s
# The same spheroid with the fluid forces of MuJoCo, of which only those of an ideal fluid are left.
OWN_FLUID = f"""
<mujoco>
  <option timestep="{STEP}" integrator="RK4" density="{DENSITY}" gravity="0 0 0"/>
  <worldbody>
    <body name="spheroid">
      <freejoint/>
      <geom type="ellipsoid" size="{LENGTH / 2} {DIAMETER / 2} {DIAMETER / 2}" density="{DENSITY}"
            fluidshape="ellipsoid" fluidcoef="0 0 0 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""


class MujocoScene:
    """A vehicle in MuJoCo with our water, or with MuJoCo's own."""

    def __init__(self, vehicle: Vehicle, integrator: str, own_fluid: bool = False, **options: Any) -> None:
        self.mujoco = load_mujoco()
        text = OWN_FLUID if own_fluid else model_xml(vehicle, step=STEP, integrator=integrator)
        self.model = self.mujoco.MjModel.from_xml_string(text)
        self.data, self.own_fluid = self.mujoco.MjData(self.model), own_fluid
        # With the model's own fluid the water is only asked for states.
        dry = self.mujoco.MjModel.from_xml_string(model_xml(vehicle, step=STEP, integrator=integrator))
        self.water = Hydrodynamics(dry if own_fluid else self.model, vehicle.name, vehicle, **options)

    def walk(self, steps: int, way: str) -> None:
        """Advance with our hydrodynamics inside MuJoCo, as one wrench before each step, or with MuJoCo alone."""
        with submerged(self.water) if way == "inside" else nullcontext():
            for _ in range(steps):
                if way == "apply":
                    self.water.apply(self.data)
                self.mujoco.mj_step(self.model, self.data)

    def state(self) -> NDArray[np.float64]:
        """In our axes."""
        return self.water.state(self.data)


def pushed(axis: int, way: str) -> float:
    """Acceleration over the exact one when a unit push acts on the resting spheroid."""
    vehicle = spheroid()
    scene = MujocoScene(vehicle, "Euler", own_fluid=way == "own fluid")
    turned = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
    scene.data.xfrc_applied[1] = np.eye(6)[axis] * turned
    scene.walk(1, way)
    return float(scene.state()[7 + axis] / STEP * total_inertia(vehicle.parameters)[axis][axis])


def energy_error(integrator: str, way: str) -> float:
    """Largest relative change of the kinetic energy of body and water while the spheroid tumbles freely."""
    vehicle = spheroid()
    scene = MujocoScene(vehicle, integrator, own_fluid=way == "own fluid")
    scene.water.place(scene.data, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, *TUMBLING))
    inertia = total_inertia(vehicle.parameters)
    energies = [kinetic_energy(inertia, TUMBLING)]
    for _ in range(100):
        scene.walk(round(SECONDS / STEP / 100), way)
        energies.append(kinetic_energy(inertia, tuple(scene.state()[7:].tolist())))
    return float(np.abs(np.array(energies) / energies[0] - 1.0).max())


def path_error(
    vehicle: Vehicle, integrator: str, way: str, commands: Sequence[float], twist: Any = (0.0,) * 6
) -> float:
    """Largest distance from our plant on the same commands, m."""
    plant = Plant(vehicle)
    state = plant.initial_state(twist=twist)
    states = plant.rollout(state, np.array(commands), SECONDS / 100, round(SECONDS / STEP / 100), intervals=100)
    scene = MujocoScene(vehicle, integrator)
    scene.water.place(scene.data, state)
    scene.water.command(scene.data, commands)
    errors = []
    for there in states[1:]:
        scene.walk(round(SECONDS / STEP / 100), way)
        errors.append(np.linalg.norm(scene.state()[:3] - there[:3]))
    return float(max(errors))


def acceleration(seeds: Sequence[int]) -> list[Value]:
    """MJ-1: a push from rest meets body and water."""
    axes = {"sway": 1, "yaw": 5}
    figures = [
        (f"{name}, {way}: error of the acceleration", 100.0 * abs(pushed(axis, way) - 1.0))
        for name, axis in axes.items()
        for way in ("inside", "apply")
    ]
    without = [100.0 * (pushed(axis, "own fluid") - 1.0) for axis in axes.values()]
    return [
        *figures,
        ("sway with MuJoCo's own fluid: too large by", without[0]),
        ("yaw with MuJoCo's own fluid: too large by", without[1]),
    ]


def energy(seeds: Sequence[int]) -> list[Value]:
    """MJ-2: an ideal fluid takes no energy; the best integrator and the others."""
    errors = {name: 100.0 * energy_error(name, "inside") for name in INTEGRATORS}
    best = min(errors, key=errors.__getitem__)
    others = [(f"largest change of energy, {name}", errors[name]) for name in INTEGRATORS if name != BEST]
    return [
        (f"largest change of energy, {BEST}", errors[BEST]),
        (f"change of energy with {BEST} over that of the best integrator", errors[BEST] / errors[best]),
        *others,
        ("largest change of energy, one wrench per step, Euler", 100.0 * energy_error("Euler", "apply")),
        ("largest change of energy, MuJoCo's own fluid", 100.0 * energy_error(BEST, "own fluid")),
    ]


def path(seeds: Sequence[int]) -> list[Value]:
    """MJ-3: the path of our plant."""
    rov, thrust = load_vehicle("bluerov2_heavy"), (5.0, 4.0, -3.0, -6.0, 1.0, 2.0, 2.0, 1.5)
    return [
        (f"spheroid, distance from the plant, {BEST}", path_error(spheroid(), BEST, "inside", (), TUMBLING)),
        (f"bluerov2_heavy, distance from the plant, {BEST}", path_error(rov, BEST, "inside", thrust)),
        ("spheroid, one wrench per step, Euler", path_error(spheroid(), "Euler", "apply", (), TUMBLING)),
        ("bluerov2_heavy, one wrench per step, Euler", path_error(rov, "Euler", "apply", thrust)),
    ]


STUDIES: dict[str, StudyFunction] = {
    "MJ-1": acceleration,
    "MJ-2": energy,
    "MJ-3": path,
}
