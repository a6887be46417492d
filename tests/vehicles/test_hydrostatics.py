"""Net buoyancy, rest attitude and natural periods, against printed figures, by symmetry and by simulation."""

import math

import numpy as np
import pytest

from remora.equations.algebra.kinematics import down_in_body, inertia_about_B
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.algebra.vectors import IDENTITY3, subtract3
from remora.equations.hull.inertia import rigid_body_inertia
from remora.equations.hull.restoring import restoring_wrench
from remora.plant import initial_state, pack, rollout
from remora.vehicles import VehicleParameters, load_vehicle
from remora.vehicles.checks.hydrostatics import (
    coupled_periods,
    natural_periods,
    net_buoyancy_text,
    period_text,
    trim_attitude,
    trim_text,
)


def parameters(name: str) -> VehicleParameters:
    return load_vehicle(name).parameters


def test_falcon_rests_and_swings_as_published() -> None:
    falcon = parameters("falcon")
    trim = trim_attitude(falcon)
    assert trim is not None
    assert math.degrees(trim.roll) == pytest.approx(1.71, abs=0.005)
    assert math.degrees(trim.pitch) == pytest.approx(-0.60, abs=0.005)
    assert natural_periods(falcon) == pytest.approx((4.10, 4.95), abs=0.005)


def test_vita1_swings_as_published() -> None:
    assert natural_periods(parameters("vita1")) == pytest.approx((3.66, 3.30), abs=0.005)


@pytest.mark.parametrize("name", ["falcon", "vita1", "bluerov2", "remus100", "sphere_bare"])
def test_no_moment_acts_at_the_trim_attitude(name: str) -> None:
    p = parameters(name)
    trim = trim_attitude(p)
    assert trim is not None
    down = down_in_body(from_euler_zyx(trim.roll, trim.pitch, 0.3))
    wrench = restoring_wrench(p.mass, p.displaced_mass, p.p_BG, p.p_BC, p.gravity, down)
    assert wrench[3:] == pytest.approx((0.0, 0.0, 0.0), abs=1e-12 * p.mass * p.gravity)


def test_a_vehicle_heavy_at_the_top_rests_upside_down() -> None:
    p = parameters("falcon")._replace(p_BC=(0.0, 0.0, 0.04))
    trim = trim_attitude(p)
    assert trim is not None
    assert abs(math.degrees(trim.roll)) == pytest.approx(180.0)


def test_periods_do_not_depend_on_the_origin() -> None:
    p = parameters("vita1")
    moved = (0.3, -0.2, 0.5)
    p_BG, p_BC = subtract3(p.p_BG, moved), subtract3(p.p_BC, moved)
    p_MB = subtract3((0.0, 0.0, 0.0), moved)
    elsewhere = p._replace(
        p_BG=p_BG,
        p_BC=p_BC,
        rigid_body_inertia=rigid_body_inertia(p.mass, p_BG, p.inertia_G),
        added_mass=inertia_about_B(p.added_mass, p_MB, IDENTITY3),
    )
    assert natural_periods(elsewhere) == pytest.approx(natural_periods(p), rel=1e-9)
    assert coupled_periods(elsewhere) == pytest.approx(coupled_periods(p), rel=1e-9)


@pytest.mark.parametrize(("axis", "angles"), [(0, (0.01, 0.0)), (1, (0.0, 0.01))])
def test_a_simulated_swing_takes_the_swinging_period(axis: int, angles: tuple[float, float]) -> None:
    """The undamped Falcon drifts while it swings, so it is a little faster than with B held."""
    still = tuple((0.0,) * 6 for _ in range(6))
    p = parameters("falcon")._replace(linear_damping=still, quadratic_damping=still, heave_up=None)
    p = p._replace(displaced_mass=p.mass)
    trim = trim_attitude(p)
    assert trim is not None
    start = from_euler_zyx(trim.roll + angles[0], trim.pitch + angles[1], 0.0)
    packed = pack(p)
    states = rollout(packed, initial_state(packed, quaternion=start), np.zeros(5), 0.001, intervals=30_000)
    rate = states[:, 10 + axis]
    rising = np.flatnonzero((rate[:-1] < 0.0) & (rate[1:] >= 0.0))
    measured = (rising[-1] - rising[0]) * 0.001 / (len(rising) - 1)
    assert measured == pytest.approx(coupled_periods(p)[axis], rel=1e-3)
    assert measured < natural_periods(p)[axis]


def test_without_a_lever_there_is_no_trim_and_no_swing() -> None:
    p = parameters("falcon")
    p = p._replace(displaced_mass=p.mass, p_BC=p.p_BG)
    assert trim_attitude(p) is None
    assert natural_periods(p) == coupled_periods(p) == (math.inf, math.inf)
    assert trim_text(p) == "none: G and C coincide, so every attitude is at rest"
    assert period_text(p) == "roll none (nothing rights it), pitch none (nothing rights it)"
    assert net_buoyancy_text(p) == "0 N (neutral)"


def test_words_say_direction_and_what_is_locked() -> None:
    falcon = parameters("falcon")
    assert net_buoyancy_text(falcon) == "1.96 N up (floats)"
    assert net_buoyancy_text(falcon._replace(displaced_mass=115.0)) == "9.81 N down (sinks)"
    assert trim_text(falcon) == "roll +1.71 deg, pitch -0.60 deg"
    assert period_text(falcon) == "roll 4.10 s, pitch 4.95 s"
    planar = parameters("docking_vehicle")
    assert trim_text(planar) == "roll and pitch are locked by the model"
    assert period_text(planar) == "roll locked by the model, pitch locked by the model"
    assert coupled_periods(falcon._replace(locked=("roll",)))[1] < math.inf
