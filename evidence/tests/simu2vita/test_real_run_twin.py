"""The real tunnel run of Gava et al. 2022 in simulation: heading -137 degrees, a swinging reference, echo noise.

With feedback linearisation, and with the cascade of an autopilot as on the real vehicle. Attitude and twist are true.
"""

import math

import numpy as np
import pytest

from remora.control import simu2vita_control
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.guidance import Sinusoid, TunnelGoal, simu2vita_guidance
from remora.vehicles import load_vehicle
from remora.world import Horseshoe, Rectangle, Tunnel
from remora_evidence.studies.simu2vita.mission import echoes
from tunnel_oracle import cascaded, fly

YAW = math.radians(-137.0)
SECONDS = 120.0


def twin(noise, cascade, section):
    """States at 20 Hz, true offsets, the reference of the vertical one, and what was flown."""
    parameters = load_vehicle("vita1").parameters
    tunnel = Tunnel(section, heading=YAW, length=100.0)
    errors = np.random.default_rng(1).normal(0.0, noise, (2401, 4))
    flown = fly(
        SECONDS,
        tunnel,
        (tunnel.point(1.0, 0.2, 0.0), from_euler_zyx(0.0, 0.0, YAW + math.radians(3.0))),
        TunnelGoal(surge=0.25, q_NB=from_euler_zyx(0.0, 0.0, YAW)),
        simu2vita_guidance(Sinusoid(0.6, 40.0)),
        simu2vita_control(parameters, lateral_derivative=15.0, vertical_derivative=20.0, orientation=not cascade),
        cascaded(parameters) if cascade else None,
        heard=lambda readings, k: tuple(a + b for a, b in zip(readings, errors[k], strict=True)),
    )
    true = np.array([echoes(tunnel, tuple(s[:3]), tuple(s[3:7])) for s in flown.states[:-1:20].tolist()])
    return flown, true


def figures(flown, true):
    late = flown.reading_times > 40.0
    lateral, vertical = true[:, 1] - true[:, 0], true[:, 2] - true[:, 3]
    wanted = np.array([reference.vertical for reference in flown.references])
    return lateral[late], vertical[late], wanted[late]


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def test_without_noise_the_linearised_run_gives_the_reference_figures():
    """Rms of the vertical error 0.012 m, lateral error up to 0.2 mm."""
    flown, true = twin(0.0, False, Rectangle(3.8, 3.8))
    lateral, vertical, wanted = figures(flown, true)
    assert rms(vertical - wanted) == pytest.approx(0.012, abs=0.0005)
    assert np.abs(lateral).max() == pytest.approx(0.0002, abs=0.00005)


def test_with_noise_the_linearised_run_stays_in_the_reference_range():
    """Rms of e_sw 0.007 to 0.012 m, of the vertical error 0.016 m, commands up to 12.5 N, by seed."""
    flown, true = twin(0.02, False, Rectangle(3.8, 3.8))
    lateral, vertical, wanted = figures(flown, true)
    assert 0.006 < rms(lateral) < 0.0125
    assert rms(vertical - wanted) == pytest.approx(0.016, abs=0.002)
    assert flown.states[flown.times > 40.0, 7].mean() == pytest.approx(0.25, abs=0.001)
    assert 11.0 < np.abs(flown.commands).max() < 13.5


@pytest.mark.parametrize("section", [Rectangle(3.8, 3.8), Horseshoe(3.8, 3.8)], ids=["square", "horseshoe"])
def test_the_cascade_flies_the_real_run(section):
    """S2V-20 to S2V-25 with 2 cm of echo noise."""
    flown, true = twin(0.02, True, section)
    lateral, vertical, wanted = figures(flown, true)
    roll, pitch, yaw = np.array([to_euler_zyx(tuple(q)) for q in flown.states[:, 3:7].tolist()]).T
    assert np.degrees(np.abs([roll, pitch])).max() < 5.0
    turned = [math.degrees(math.remainder(y - YAW, 2.0 * math.pi)) for y in yaw[flown.times > 20.0]]
    assert np.abs(turned).max() < 5.0
    assert np.abs(lateral).max() <= 0.25
    assert np.corrcoef(vertical, wanted)[0, 1] > 0.95
    assert flown.states[flown.times > 40.0, 7].mean() == pytest.approx(0.25, rel=0.05)
    if isinstance(section, Rectangle):
        assert true[-100:, 0] + true[-100:, 1] == pytest.approx(3.2, abs=0.02)
