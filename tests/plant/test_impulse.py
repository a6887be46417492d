"""Invariant T3: linear and angular impulse of body and water are conserved. Energy alone would not see a lost term."""

import numpy as np
import pytest

from remora.plant import pack
from remora.vehicles.parameters import with_symmetric_heave
from sample_features import general
from sample_vehicles import bluerov2, falcon, flatfish_gazebo, neutral, torpedo, undamped, vita1
from trajectories import energies, impulses, largest_change, run

VEHICLES = {
    "bluerov2": bluerov2,
    "falcon": falcon,
    "flatfish": flatfish_gazebo,
    "vita1": lambda: vita1((0.02, 0.01, 0.03)),
    "torpedo": torpedo,
    "full matrices": lambda: general(np.random.default_rng(12)),
}
START = {"position": (3.0, -2.0, 1.0), "quaternion": (0.8, 0.1, -0.3, 0.4), "twist": (0.5, -0.15, 0.1, 0.15, 0.2, -0.1)}


def free(make):
    return undamped(with_symmetric_heave(neutral(make())))._replace(fins=(), fin_names=())


@pytest.mark.parametrize("name", VEHICLES)
def test_conserved(name):
    """RK4 at 10 ms for 60 s: 1e-7 relative, while the body tumbles."""
    parameters = free(VEHICLES[name])
    states = run(pack(parameters), 60.0, 0.01, **START)
    linear, angular = impulses(parameters, states)
    assert largest_change(linear) <= 1e-7
    assert largest_change(angular) <= 1e-7
    assert np.ptp(states[:, 7:13], axis=0).max() > 0.05


@pytest.mark.parametrize("simplification", ["munk_off", "coriolis_off"])
def test_simplifications_break_it_while_energy_does_not_notice(simplification):
    """Without Munk or Coriolis terms the energy is still kept, the impulse is wrong by more than half."""
    parameters = free(bluerov2)
    states = run(pack(parameters, simplifications=(simplification,)), 60.0, 0.01, **START)
    total = energies(parameters, states)
    assert np.abs(total - total[0]).max() <= 1e-7 * total.max()
    linear, angular = impulses(parameters, states)
    assert largest_change(linear) > 0.5
    assert largest_change(angular) > 0.5


def test_an_applied_impulse_is_found_again():
    """A wrench turned so that it is constant in N raises the linear impulse by force times time."""
    parameters = free(bluerov2)
    packed, step, force = pack(parameters), 0.002, np.array([1.0, -2.0, 0.5])
    states = run(packed, step, step, **START)
    for _ in range(1500):
        row = states[-1]
        s, v = row[3], row[4:7]
        in_body = force - 2 * s * np.cross(v, force) + 2 * np.cross(v, np.cross(v, force))
        wrench = np.concatenate([in_body, np.zeros(3)])
        after = run(packed, step, step, position=row[:3], quaternion=row[3:7], twist=row[7:13], external=wrench)
        states = np.vstack([states, after[-1]])
    linear, _ = impulses(parameters, states)
    np.testing.assert_allclose(linear[-1] - linear[1], 1500 * step * force, atol=5e-3)
