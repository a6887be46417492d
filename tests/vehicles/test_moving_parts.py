"""Servos, moving masses, motors and four-quadrant propellers as a file gives them, and what is wrong with them."""

import math

import numpy as np
import pytest
from vehicle_example import EXAMPLE, changed, line_of

from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.slewing import UNLIMITED_RATE, Slew
from remora.equations.actuators.thrusters import THRUST_IN_FOUR_QUADRANTS
from remora.plant import initial_state, pack, rollout
from remora.plant.plant import Plant
from remora.vehicles import VehicleFileError, vehicle_from_text
from remora.vehicles.checks.actuation import allocation_matrix
from remora.vehicles.checks.check import check_vehicle
from remora.vehicles.checks.report import report_data, report_lines

DEFAULTS = "thruster_defaults: {law: force, limits: [-40 N, 50 N], time_constant: 0.1 s}\n"
PORT = "{name: port, position: [0, -0.2, 0], direction: [1, 0, 0]}"
STARBOARD = "{name: starboard, position: [0, 0.2, 0], direction: [1, 0, 0]}"
FIN = (
    "{name: tail, position: [-0.5, 0, 0], chord: [1, 0, 0], normal: [0, 1, 0], area: 0.01, lift_slope: 3, "
    "stall_angle: 20 deg, deflection_limit: 25 deg, time_constant: 0.1, rate_limit: 60 deg/s, feels_cross_flow: true}"
)
SERVO = "{name: tilt, axis: [0, 2, 0], limits: [-90 deg, 90 deg], time_constant: 0.1, rate_limit: 120 deg/s}"
MOTOR = (
    "{inertia: 4e-4 kg m2, resistance: 0.2 V/A, torque_constant: 0.02 N m/A, friction: 4e-5, "
    "propeller_torque: 5e-6 N m s2/rad2, propeller_relief: 3e-4}"
)
SERIES = "{cosine: [0, 0.3, 0, -0.1], sine: [0, -0.9, 0.02]}"
SLIDE = (
    "{name: battery, kind: mass, position: [10 cm, 0, 1 cm], direction: [1, 0, 0], mass: 2 kg, "
    "limits: [-5 cm, 5 cm], neutral: 1 cm, time_constant: 0.5 s, rate_limit: 1 cm/s}"
)
TANK = (
    "{name: ballast, kind: tank, position: [0, 0, 2 cm], limits: [0, 0.5 kg], neutral: 200 g, "
    "time_constant: 2, rate_limit: 3 kg/min}"
)
BLADDER = "{name: bladder, kind: bladder, position: [0, 0, 0], limits: [-0.1 L, 0.2 L], time_constant: 3 s}"


def moving(port=PORT[:-1] + ", servo: tilt}", servos=SERVO, moving_masses=(SLIDE, TANK, BLADDER), *more):
    text = changed(
        (PORT, port),
        (
            "sensors:",
            f"fins:\n  - {FIN}\nservos:\n  - {servos}\nmoving_masses:\n  - "
            + "\n  - ".join(moving_masses)
            + "\nsensors:",
        ),
        *more,
    )
    return text


def test_order_of_actuators_everywhere():
    plant = Plant(vehicle_from_text(moving()))
    names = ("port", "starboard", "tail", "tilt", "battery", "ballast", "bladder")
    assert plant.actuator_names == names
    assert plant.state_names[13:] == (*names, "battery speed", "ballast speed", "bladder speed")
    state = plant.initial_state()
    assert state[13:].tolist() == [0.0, 0.0, 0.0, 0.0, 0.01, 0.2, 0.0, 0.0, 0.0, 0.0]
    assert plant.step(state, state[13:20], 0.1).shape == state.shape


def test_numbers_of_a_file():
    p = vehicle_from_text(moving()).parameters
    assert p.fins[0].rate_limit == pytest.approx(math.radians(60.0))
    assert p.servos[0] == pytest.approx((0.1, math.radians(120.0), -math.pi / 2, math.pi / 2))
    assert (p.thruster_servos, p.swivels[1]) == ((0, None), None)
    assert p.swivels[0].hinge == (0.0, 1.0, 0.0)
    slide, tank, bladder = p.moving_masses
    assert slide.slew == Slew(0.5, 0.01, -0.05, 0.05)
    assert (slide.mass, slide.neutral, slide.direction) == (2.0, 0.01, (1.0, 0.0, 0.0))
    assert (tank.filling, tank.neutral, tank.slew.rate_limit) == (1.0, 0.2, pytest.approx(0.05))
    assert (bladder.displacing, bladder.mass, bladder.slew.rate_limit) == (1000.0, 0.0, UNLIMITED_RATE)
    assert p.moving_masses[2].slew.highest == pytest.approx(2e-4)


def test_axes_of_the_file_turn_servos_and_loads_along():
    """Forward-left-up is a rotation, so a positive angle turns the same way about the turned axis."""
    slide = SLIDE.replace("direction: [1, 0, 0]", "direction: [0, 3, 4]")
    other = vehicle_from_text(
        moving(moving_masses=[slide]).replace("use: a first", "axes: forward-left-up\nuse: a first")
    )
    p = other.parameters
    assert p.swivels[0].hinge == (0.0, -1.0, 0.0)
    assert p.moving_masses[0].direction == pytest.approx((0.0, -0.6, -0.8))
    assert p.moving_masses[0].position == (0.1, 0.0, -0.01)
    # Pushing forward, a quarter turn about left points the push down in any axes.
    np.testing.assert_allclose(allocation_matrix(p, [math.pi / 2])[:3, 0], [0.0, 0.0, 1.0], atol=1e-15)


def test_motor_and_four_quadrants():
    port = (
        "{name: port, position: [0, -0.2, 0], direction: [1, 0, 0], law: four_quadrant, diameter: 20 cm, "
        f"quadrant_coefficients: {SERIES}, motor: {MOTOR}, limits: [-24 V, 24 V]}}"
    )
    starboard = STARBOARD[:-1] + ", law: quadratic, coefficient: 0.01, limits: [-90, 90]}"
    vehicle = vehicle_from_text(changed((DEFAULTS, ""), (PORT, port), (STARBOARD, starboard)))
    p = vehicle.parameters
    assert p.thrust_law == THRUST_IN_FOUR_QUADRANTS
    assert p.motors[1] is None
    assert p.quadrants[1] is None
    assert p.motors[0].torque_constant == 0.02
    assert p.quadrants[0].disc == pytest.approx(Disc(1000.0 / 2 * math.pi / 4 * 0.04, 0.07))
    packed = pack(p)
    assert (packed.layout.motors, packed.layout.harmonics) == (1, 3)
    states = rollout(packed, initial_state(packed), [12.0, 50.0], 0.5, 50, intervals=6)
    assert states[-1, 13] > 200.0  # the motor turns, and both push ahead
    assert states[-1, 14] == 50.0
    assert states[:, 7].max() > 0.2


def test_check_lists_servos_and_loads():
    vehicle = vehicle_from_text(moving())
    sound, lines = report_lines(vehicle)
    assert sound
    text = "\n".join(lines)
    assert "servo tilt: -90 to 90 deg, lag 0.1 s, at most 120 deg/s, turns port" in text
    assert "moving mass battery: mass of 2 kg, -0.05 to 0.05 m, neutral at 0.01 m, lag 0.5 s, at most 0.01 m/s" in text
    assert "moving mass ballast: tank, 0 to 0.5 kg, neutral at 0.2 kg, lag 2 s, at most 0.05 kg/s" in text
    assert "moving mass bladder: bladder, -0.0001 to 0.0002 m3, neutral at 0 m3, lag 3 s" in text
    data = report_data(vehicle)
    assert data["moving_masses"]["ballast"]["unit"] == "kg"
    assert data["servos"]["tilt"]["highest"] == pytest.approx(math.pi / 2)
    assert next(f for f in check_vehicle(vehicle) if f.invariant == "S7").holds


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("servo: tilt", "servo: tild", "there is no servo of this name"),
        (", servo: tilt}", "}", "no thruster uses this servo"),
        ("limits: [-90 deg, 90 deg]", "limits: [90 deg, -90 deg]", "limits must be [lowest, highest]"),
        ("limits: [-90 deg, 90 deg]", "limits: [-1 m, 1 m]", "does not measure an angle"),
        ("rate_limit: 60 deg/s", "rate_limit: 0", "must be above zero"),
        ("rate_limit: 60 deg/s", "rate_limit: 1 m/s", "does not measure a turn rate"),
        ("direction: [1, 0, 0], mass: 2 kg", "mass: 2 kg", "a mass that moves needs it"),
        ("direction: [1, 0, 0], mass: 2 kg", "direction: [1, 0, 0]", "a mass that moves needs it"),
        ("mass: 2 kg", "mass: 15 kg", "moving masses weigh and displace 15"),
        (
            "position: [10 cm, 0, 1 cm]",
            "position: [90 cm, 0, 1 cm]",
            "the body without its moving masses is impossible",
        ),
        ("limits: [-5 cm, 5 cm]", "limits: [-5 kg, 5 kg]", "does not measure a length"),
        ("rate_limit: 1 cm/s", "rate_limit: 1 kg/s", "does not measure a speed"),
        ("neutral: 1 cm", "neutral: 9 cm", "outside the limits"),
        ("time_constant: 0.5 s", "time_constant: 0", "must be above zero"),
        ("time_constant: 0.5 s, ", "", "is missing"),
        ("limits: [0, 0.5 kg]", "limits: [-1, 0.5 kg]", "a tank holds no less than nothing"),
        ("kind: tank", "kind: tank, mass: 2", "is not used by a tank"),
        ("kind: bladder", "kind: blader", "Did you mean"),
        ("name: ballast", "name: battery", "this name is taken already"),
    ],
)
def test_mistakes_are_named(old, new, words):
    text = moving()
    assert text.count(old) == 1, old
    with pytest.raises(VehicleFileError) as error:
        vehicle_from_text(text.replace(old, new))
    assert any(words in problem.message for problem in error.value.problems), str(error.value)
    assert all(problem.line for problem in error.value.problems)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (f"law: force, limits: [-24, 24], motor: {MOTOR}", 'the law "force" knows of none'),
        (f"law: quadratic, coefficient: 1, time_constant: 0.1, limits: [-24, 24], motor: {MOTOR}", "from the motor"),
        (f"law: quadratic, coefficient: 1, limits: [-24 N, 24 N], motor: {MOTOR}", "does not measure a voltage"),
        (f"law: quadratic, coefficient: 1, limits: [-1, 1], quadrant_coefficients: {SERIES}", "is not used by the law"),
        ("law: four_quadrant, diameter: 0.2, limits: [-1, 1]", 'the law "four_quadrant" needs it'),
        ("law: four_quadrant, diameter: 0.2, limits: none, quadrant_coefficients: {cosine: [1], sine: [0, 1]}", "2 to"),
        ("law: four_quadrant, diameter: 0.2, limits: none, quadrant_coefficients: {cosine: [1, 2], sine: [1, 1]}",
         "Start the list with 0"),
    ],
)  # fmt: skip
def test_mistakes_of_thrusters_are_named(fields, words):
    text = changed((DEFAULTS, ""), (f"  - {STARBOARD}\n", ""), (PORT, PORT[:-1] + f", {fields}}}"))
    with pytest.raises(VehicleFileError) as error:
        vehicle_from_text(text)
    assert any(words in problem.message for problem in error.value.problems), str(error.value)
    assert all(problem.line == line_of(text, "name: port") for problem in error.value.problems)


def test_the_example_has_none_of_them():
    p = vehicle_from_text(EXAMPLE).parameters
    assert (p.servos, p.swivels, p.moving_masses, p.motors, p.quadrants) == ((), (), (), (), ())
