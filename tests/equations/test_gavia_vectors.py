"""Surge of the Gavia AUV (Randeni et al. 2018, sign of the quadratic term corrected): thrust, drag and steady speed."""

import numpy as np
import pytest
from scipy.optimize import brentq

from remora.equations.actuators.thrusters import THRUST_FROM_SPEED, ThrustCurve, static_thrust
from remora.equations.algebra.vectors import diagonal6
from remora.equations.motion import hull_damping_wrench
from remora.equations.packed import hull_at
from remora.plant import initial_state, pack, rollout
from sample_vehicles import body, diagonal3, thruster, with_thrusters

RPM = 2.0 * np.pi / 60.0
PER_RPM_SQUARED = 95e-6  # N
FITS = {  # cubic, quadratic, linear, as drag
    "RLS1": (8.5937, -22.3129, 32.7171),
    "RLS2": (7.4594, -18.2884, 29.7355),
    "PEM1": (8.6492, -22.4870, 32.8517),
    "PEM2": (7.4957, -18.2994, 29.5699),
}
STEADY = {  # m/s at these revolutions per minute
    450: (1.017, 1.021, 1.016, 1.030),
    570: (1.616, 1.584, 1.616, 1.589),
    700: (2.034, 2.012, 2.034, 2.014),
    900: (2.504, 2.505, 2.503, 2.504),
    975: (2.654, 2.662, 2.652, 2.661),
}


def gavia(fit):
    cubic, quadratic, linear = FITS[fit]
    curve = ThrustCurve(PER_RPM_SQUARED / RPM**2, 0.0, 0.0)
    hull = body(
        70.0,
        diagonal3((0.35, 42.7, 42.7)),
        added_mass=diagonal6((0.9, 68.2, 68.2, 0.07, 39.5, 39.5)),
        linear_damping=diagonal6((linear, 0.0, 0.0, 0.0, 0.0, 0.0)),
        quadratic_damping=diagonal6((quadratic, 0.0, 0.0, 0.0, 0.0, 0.0)),
        cubic_surge=cubic,
    )
    propeller = thruster((-1.3, 0.0, 0.0), (1.0, 0.0, 0.0), positive=curve, negative=curve)
    return with_thrusters(hull, [propeller], THRUST_FROM_SPEED)


def drag(fit, speed):
    hull = hull_at(pack(gavia(fit)).row.tolist())
    return hull_damping_wrench(hull, (speed, 0.0, 0.0, 0.0, 0.0, 0.0))[0]


@pytest.mark.parametrize(("rpm", "newton"), [(450, 19.2375), (700, 46.55), (975, 90.309375)])
def test_thrust(rpm, newton):
    assert static_thrust(gavia("RLS1").thrusters[0], rpm * RPM) == pytest.approx(newton, rel=1e-14)


def test_drag_and_its_slope():
    """30.426 N and 27.32 N s/m at the working speed of 1.6 m/s."""
    assert drag("RLS1", 1.6) == pytest.approx(30.426, abs=0.0005)
    slope = (drag("RLS1", 1.6 + 1e-5) - drag("RLS1", 1.6 - 1e-5)) / 2e-5
    assert slope == pytest.approx(27.32, abs=0.005)


@pytest.mark.parametrize("rpm", STEADY)
@pytest.mark.parametrize("fit", FITS)
def test_steady_speed(fit, rpm):
    printed = STEADY[rpm][list(FITS).index(fit)]
    newton = PER_RPM_SQUARED * rpm**2
    assert brentq(lambda u: drag(fit, u) - newton, 0.0, 5.0) == pytest.approx(printed, abs=0.00051)


@pytest.mark.parametrize("rpm", STEADY)
def test_steady_speed_is_where_a_run_ends(rpm):
    packed = pack(gavia("RLS1"))
    states = rollout(packed, initial_state(packed), [rpm * RPM], 0.02, intervals=6000)
    assert states[-1, 7] == pytest.approx(STEADY[rpm][0], abs=0.00051)
    assert np.abs(states[:, 8:13]).max() == 0.0


def test_drag_is_monotonic():
    """Both discriminants are negative: no speed at which more thrust would slow the vehicle down."""
    for fit in FITS:
        values = [drag(fit, u) for u in np.linspace(-3.0, 3.0, 601).tolist()]
        assert np.all(np.diff(values) > 0.0)
