"""Invariant T2: energy is kept without damping, falls with it, and changes by input power less dissipation."""

import numpy as np
import pytest
from hypothesis import given
from scipy.integrate import simpson

from remora.equations.algebra.vectors import dot6
from remora.equations.hull.forms.cross_flow import CROSS_FLOW
from remora.equations.hull.forms.lift import LIFT, lift_wrench
from remora.equations.motion import hull_damping_wrench
from remora.equations.packed import hull_at
from remora.plant import derivative, initial_state, pack
from remora.vehicles.parameters import form_records, total_inertia, with_form, with_symmetric_heave
from sample_features import general_vehicles, quaternions, six, twists
from sample_vehicles import bluerov2, falcon, flatfish_gazebo, torpedo, undamped, vita1
from trajectories import energies, kinetic_energies, run

START = {"quaternion": (0.9, 0.2, -0.3, 0.1), "twist": (0.4, -0.2, 0.1, 0.2, -0.3, 0.2), "position": (1.0, 2.0, 3.0)}


@pytest.mark.parametrize("make", [bluerov2, falcon, flatfish_gazebo, vita1])
def test_kept_without_damping(make):
    """RK4 at 10 ms for 60 s, swinging about its centre of buoyancy: 1e-7 of the energy that moves to and fro."""
    parameters = undamped(with_symmetric_heave(make()))
    parameters = parameters._replace(displaced_mass=parameters.mass)
    states = run(pack(parameters), 60.0, 0.01, **START)
    total = energies(parameters, states)
    moving = kinetic_energies(parameters, states).max()
    assert np.abs(total - total[0]).max() <= 1e-7 * moving
    assert np.ptp(kinetic_energies(parameters, states)) > 1e-3 * moving  # it does trade with the potential


def test_error_falls_with_the_fourth_power_of_the_step():
    parameters = undamped(bluerov2())
    errors = []
    for step in (0.04, 0.02, 0.01):
        total = energies(parameters, run(pack(parameters), 20.0, step, **START))
        errors.append(np.abs(total - total[0]).max())
    assert errors[0] > 12 * errors[1] > 144 * errors[2]


@pytest.mark.parametrize("make", [bluerov2, falcon, flatfish_gazebo, vita1])
def test_never_grows_with_damping(make):
    parameters = with_symmetric_heave(make())
    total = energies(parameters, run(pack(parameters), 60.0, 0.01, **START))
    assert np.diff(total).max() <= 1e-12 * np.abs(total).max()
    assert total[-1] < total[0]


def test_a_hull_with_lift_comes_to_rest():
    """Lift turns the flow but brings in no energy in a glide to rest."""
    parameters = torpedo()
    total = energies(parameters, run(pack(parameters), 30.0, 0.01, twist=(1.5, 0.1, -0.05, 0.0, 0.02, 0.05)))
    assert total[-1] < total[0]


@given(general_vehicles, quaternions, twists, six(50.0))
def test_rate_is_input_power_less_dissipation(parameters, quaternion, twist, external):
    """nu . M nu' + U' = nu . tau - nu . d, at any instant, with U' by the motion of G and C."""
    packed = pack(parameters)
    rate = derivative(packed, initial_state(packed, quaternion=quaternion, twist=twist), (), external)
    inertia = np.array(total_inertia(parameters))
    kinetic = np.array(twist) @ inertia @ rate[7:]
    s, x, y, z = quaternion
    down = np.array([2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)])
    v, w = np.array(twist[:3]), np.array(twist[3:])
    sinking = [down @ (v + np.cross(w, p)) for p in (parameters.p_BG, parameters.p_BC)]
    potential = parameters.gravity * (parameters.displaced_mass * sinking[1] - parameters.mass * sinking[0])
    dissipated = dot6(hull_damping_wrench(hull_at(packed.row.tolist()), twist), twist)
    supplied = dot6(twist, external)
    size = max(map(abs, (kinetic, potential, dissipated, supplied))) + np.abs(inertia).max() * (v @ v + w @ w)
    assert kinetic + potential == pytest.approx(supplied - dissipated, rel=0, abs=1e-10 * size + 1e-300)


def test_work_along_a_driven_run():
    """The energy at the end is that at the start, plus the work put in, less what damping and lift took."""
    bare = torpedo()._replace(fins=(), fin_names=(), thrusters=(), thruster_names=())
    parameters, step = with_form(bare, CROSS_FLOW), 0.001
    wrench = np.array([30.0, 2.0, -1.0, 0.1, 0.5, -0.7])
    states = run(pack(parameters), 20.0, step, external=wrench, **START)
    twist = tuple(states[:, 7:13].T)
    hull = hull_at(pack(parameters).row.tolist())
    resisted = np.add(hull_damping_wrench(hull, twist), lift_wrench(form_records(parameters, LIFT)[0], twist))
    power = np.sum(states[:, 7:13].T * (wrench[:, None] - resisted), axis=0)
    total = energies(parameters, states)
    assert total[-1] - total[0] == pytest.approx(simpson(power, dx=step), rel=1e-7)
