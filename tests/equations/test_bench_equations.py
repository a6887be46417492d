"""Equations of bench tests: closed forms, inverses, energy, and the same answer in every backend."""

import math

import casadi
import numba
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import solve_ivp

import remora.plant.registration  # noqa: F401 - hands the equations to Numba
from remora.equations.actuators import voltage_drive
from remora.equations.actuators.voltage_drive import VoltageSpeed
from remora.equations.estimation import pendulums, single_axis
from remora.equations.estimation.pendulums import HydrostaticPair

LAW = VoltageSpeed(0.011, 8.5e-5, 0.6, 5.6e-4, 0.84, 400.0)
PAIR = HydrostaticPair(
    140.283, 4.054, 0.298, 0.5 * math.pi, (0.0, 0.0, -0.0114), (0.0, -0.0016, -0.00886), 0.2265, 9.2889, 0.048, 0.0082
)
FUNCTIONS = {
    "damping": (single_axis.axis_damping, (2.0, 30.0)),
    "equivalent": (single_axis.equivalent_damping, (2.0, 30.0)),
    "oscillation": (pendulums.damped_oscillation, None),
    "pair": (pendulums.pair_acceleration, (PAIR,)),
    "voltage": (voltage_drive.speed_from_pulse_and_voltage, (LAW,)),
}
rates = st.floats(-2.0, 2.0)


@given(rates)
def test_damping_takes_energy_out(speed):
    assert single_axis.axis_damping(2.0, 30.0, speed) * speed >= 0.0
    assert single_axis.axis_acceleration(5.0, 2.0, 30.0, speed, single_axis.axis_damping(2.0, 30.0, speed)) == 0.0


def test_equivalent_damping_takes_as_much_energy_per_cycle():
    amplitude, phase = 0.7, np.linspace(0.0, 2.0 * math.pi, 20_001)
    speed = amplitude * np.sin(phase)
    true = np.trapezoid(np.asarray(single_axis.axis_damping(2.0, 30.0, speed)) * speed, phase)
    same = np.trapezoid(single_axis.equivalent_damping(2.0, 30.0, amplitude) * speed**2, phase)
    assert same == pytest.approx(true, rel=1e-6)


def test_printed_moments_of_inertia_on_two_wires():
    """Proctor 2014, Table 3.3: the two rigs of X and Z are one and the same."""
    for frequency, inertia, rig in (
        (2.61996, 9.30079, 0.2244),
        (3.41806, 14.91636, 0.6126),
        (2.20642, 13.11394, 0.2244),
    ):
        stiffness = pendulums.bifilar_stiffness(116.0, 9.81, math.sqrt(rig), 1.0)
        assert pendulums.inertia_from_frequency(stiffness, frequency) == pytest.approx(inertia, rel=5e-4)


def test_the_damped_oscillation_solves_its_equation():
    frequency, ratio = 2.6, 0.05
    solution = solve_ivp(
        lambda t, y: (y[1], -2.0 * ratio * frequency * y[1] - frequency**2 * y[0]),
        (0.0, 10.0), (0.2, 0.0), t_eval=np.linspace(0.0, 10.0, 50), rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    sine = 0.2 * ratio / math.sqrt(1.0 - ratio**2)
    ours = np.asarray(pendulums.damped_oscillation(solution.t, frequency, ratio, 0.2, sine))
    assert ours == pytest.approx(solution.y[0], abs=1e-8)
    period = 2.0 * math.pi / (frequency * math.sqrt(1.0 - ratio**2))
    decrement = math.log(ours[0] / pendulums.damped_oscillation(period, frequency, ratio, 0.2, sine))
    assert pendulums.damping_ratio_from_decrement(decrement) == pytest.approx(ratio)


def test_the_pair_without_drag_keeps_its_energy_and_rests_where_its_buoyancy_is():
    free = PAIR._replace(linear=0.0, quadratic=0.0, rolling_linear=0.0, rolling_quadratic=0.0)
    y, z = pendulums.pair_lever(PAIR)
    solution = solve_ivp(
        lambda t, s: (s[1], pendulums.pair_acceleration(free, s[0], s[1])),
        (0.0, 60.0),
        (0.0, 0.0),
        rtol=1e-10,
        atol=1e-12,
    )
    roll, rate = solution.y
    energy = 0.5 * PAIR.inertia * rate**2 + PAIR.weight * (y * np.sin(roll) + z * np.cos(roll))
    assert energy == pytest.approx(energy[0], rel=1e-6)
    assert math.degrees(math.atan(y / z)) == pytest.approx(-34.1, abs=0.3)  # Nielsen 2018
    assert pendulums.pair_acceleration(PAIR, math.atan(y / z), 0.0) == pytest.approx(0.0, abs=1e-12)


@given(st.floats(9.0, 21.0), st.floats(-400.0, 400.0))
def test_speed_over_voltage(voltage, pulse):
    """Odd in the pulse, still below the start, never falling with pulse or voltage, balanced at full pulse."""
    speed = voltage_drive.speed_from_pulse_and_voltage(LAW, pulse, voltage)
    assert voltage_drive.speed_from_pulse_and_voltage(LAW, -pulse, voltage) == -speed
    assert (speed == 0.0) == (abs(pulse) <= voltage_drive.starting_pulse(LAW, voltage))
    assert abs(voltage_drive.speed_from_pulse_and_voltage(LAW, 1.01 * pulse, voltage)) >= abs(speed)
    full = voltage_drive.speed_at_full_pulse(LAW, voltage)
    assert LAW.back * full + LAW.load * full**2 == pytest.approx(voltage)
    assert voltage_drive.speed_from_pulse_and_voltage(LAW, 400.0, voltage) == pytest.approx(full)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_plain_compiled_symbolic_and_array_agree(name):
    function, fixed = FUNCTIONS[name]
    if fixed is None:  # time and four numbers
        points = [(0.3, 2.0, 0.1, 0.2, -0.1), (5.0, 3.0, 0.01, -0.2, 0.3)]
        fixed = ()
    elif name == "pair":
        points = [(0.3, -0.4), (-1.2, 0.9)]
    elif name == "voltage":
        points = [(150.0, 12.0), (-300.0, 17.0), (10.0, 12.0)]
    else:
        points = [(0.4,), (-1.3,)]
    plain = np.array([function(*fixed, *point) for point in points])
    count = len(points[0])
    compiled = compile_function(function, len(fixed) + count)
    assert np.array([compiled(*fixed, *point) for point in points]) == pytest.approx(plain, rel=1e-12)
    symbols = [casadi.SX.sym(f"x{i}") for i in range(count)]
    symbolic = casadi.Function("f", symbols, [function(*fixed, *symbols)])
    assert np.array([float(symbolic(*point)) for point in points]) == pytest.approx(plain, rel=1e-12)
    assert np.asarray(function(*fixed, *np.array(points).T)) == pytest.approx(plain, rel=1e-12)


def compile_function(function, arguments: int):
    """The function called from compiled code."""
    names = ", ".join(f"a{i}" for i in range(arguments))
    namespace = {"function": function}
    exec(f"def call({names}):\n    return function({names})", namespace)
    return numba.njit(namespace["call"])
