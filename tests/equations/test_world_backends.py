"""Equations of the world say the same to floats, arrays and symbols."""

import casadi
import numpy as np
import pytest

from remora.equations.geometry import contact, solids
from remora.equations.water import current, seawater, waves

WAVE = waves.RegularWave(0.4, 0.9, 0.09, 0.7, 0.3)
LAW = contact.ContactLaw(1e4, 2.0, 0.5, 100.0)

# Functions of four numbers, each between -1 and 1, that give numbers or nested tuples of them.
FUNCTIONS = {
    "wave_number": lambda x: waves.wave_number(1.5 + x[0], 20.0 + 10.0 * x[1], 9.81),
    "wave_motion": lambda x: waves.wave_motion(WAVE, 12.0, (3.0 * x[0], x[1], 2.0 + x[2]), x[3]),
    "jonswap": lambda x: waves.jonswap(1.2 + x[0], 2.0, 6.0 + x[1], 3.3),
    "density": lambda x: seawater.density_of_seawater(15.0 + 10.0 * x[0], 20.0 + 15.0 * x[1], 1e7 * (1.0 + x[2])),
    "sound": lambda x: seawater.sound_speed_in_seawater(15.0 + 10.0 * x[0], 35.0 + x[1], 900.0 + x[2]),
    "power law": lambda x: current.power_law_fraction(x[0], 0.2),
    "tide": lambda x: current.tidal_ellipse(1.0, x[0], x[1], 0.3, x[2], x[3]),
    "box ray": lambda x: solids.box_distance((0.5 * x[0], 0.3 * x[1], 0.4 * x[2]), (1.0, x[3], 0.2), (1.0, 0.8, 0.5)),
    "rod ray": lambda x: solids.rod_distance((0.5 + 0.4 * x[0], 0.3 * x[1], 0.4 * x[2]), (1.0, x[3], 0.2), 0.6, 1.0),
    "box": lambda x: solids.box_nearest((2.0 * x[0], 2.0 * x[1], 2.0 * x[2]), (1.0, 0.8, 0.5)),
    "rod": lambda x: solids.rod_nearest((2.0 * x[0], 2.0 * x[1], 2.0 * x[2]), 0.5, 1.0),
    "ball": lambda x: solids.ball_nearest((2.0 * x[0], 2.0 * x[1], 2.0 * x[2]), 0.5),
    "triangle": lambda x: solids.triangle_point((x[0], x[1], x[2]), (0.1, 0.0, x[3]), (0.9, 0.1, 0.0), (0.0, 0.7, 0.2)),
    "cell": lambda x: solids.cell_height(x[0], x[1], (x[2], 0.3, 0.5, x[3])),
    "force": lambda x: contact.contact_force(LAW, 0.1 * x[0], (0.6, 0.0, -0.8), (x[1], x[2], x[3])),
}


def flat(result):
    return [number for part in result for number in flat(part)] if isinstance(result, tuple) else [result]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arrays_and_symbols_agree_with_floats(name):
    function = FUNCTIONS[name]
    samples = np.random.default_rng(3).uniform(-1.0, 1.0, (50, 4))
    plain = np.array([flat(function(tuple(row))) for row in samples.tolist()])
    arrays = np.array([np.broadcast_to(part, 50) for part in flat(function(tuple(samples.T)))]).T
    symbols = [casadi.SX.sym(f"x{i}") for i in range(4)]
    compiled = casadi.Function("f", symbols, [casadi.vertcat(*flat(function(tuple(symbols))))])
    symbolic = np.array([np.array(compiled(*row)).ravel() for row in samples])
    assert arrays == pytest.approx(plain, rel=1e-12, abs=1e-12)
    assert symbolic == pytest.approx(plain, rel=1e-12, abs=1e-12)
