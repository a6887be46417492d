"""What our water costs inside MuJoCo: a step with it against a bare `mj_step`, both called from Python."""

from collections.abc import Mapping

from remora_evidence.benchmarks.mujoco import mujoco_baseline
from remora_evidence.benchmarks.timing import Work, quickest

STEPS = 500  # in a window
VEHICLE = "bluerov2_heavy"  # eight thrusters with lags
THRUST = 5.0  # N

Values = Mapping[str, float | str]


def measure_water(rounds: int = 200) -> Values:
    """Our water inside MuJoCo's evaluations, and as one wrench per step, against the same body without any."""
    names = ("mujoco_water_rk4_cost", "mujoco_water_euler_cost", "mujoco_wrench_cost")
    if not mujoco_baseline.is_present():
        return dict.fromkeys(names, mujoco_baseline.MISSING)
    works: dict[str, Work] = {
        f"{integrator} {way}": _steps(integrator, way)
        for integrator in ("Euler", "RK4")
        for way in ("bare", "inside", "wrench")
    }
    seconds = quickest(works, rounds)
    return {
        "mujoco_water_rk4_cost": seconds["RK4 inside"] / seconds["RK4 bare"],
        "mujoco_water_euler_cost": seconds["Euler inside"] / seconds["Euler bare"],
        "mujoco_wrench_cost": seconds["Euler wrench"] / seconds["Euler bare"],
    }


def _steps(integrator: str, way: str) -> Work:
    """A window of steps, each a call from Python."""
    from remora.interop.mujoco.hydrodynamics import Hydrodynamics, load_mujoco, submerged
    from remora.interop.mujoco.mjcf import model_xml
    from remora.vehicles import load_vehicle

    mujoco, vehicle = load_mujoco(), load_vehicle(VEHICLE)
    model = mujoco.MjModel.from_xml_string(model_xml(vehicle, integrator=integrator))
    data, step = mujoco.MjData(model), mujoco.mj_step
    water = Hydrodynamics(model, vehicle.name, vehicle)
    water.command(data, [THRUST] * len(water.actuator_names))

    def bare() -> None:
        for _ in range(STEPS):
            step(model, data)

    def inside() -> None:
        with submerged(water):
            bare()

    def wrench() -> None:
        for _ in range(STEPS):
            water.apply(data)
            step(model, data)

    return {"bare": bare, "inside": inside, "wrench": wrench}[way]
