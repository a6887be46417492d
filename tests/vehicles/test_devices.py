"""Thrusters, fins and sensors as a file gives them."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from vehicle_example import changed

from remora.equations.actuators.thrusters import (
    OUTPUT_IS_FORCE,
    THRUST_FROM_SPEED,
    THRUST_FROM_SPEED_AND_INFLOW,
    Thruster,
    command_from_speed,
    speed_from_command,
    thrust,
)
from remora.equations.algebra.quaternions import normalize, rotation_matrix
from remora.equations.types import Quaternion
from remora.vehicles import Vehicle, VehicleFileError, vehicle_from_text
from remora.vehicles.axes import quaternion_from_matrix

DEFAULTS = "thruster_defaults: {law: force, limits: [-40 N, 50 N], time_constant: 0.1 s}\n"
PORT = "{name: port, position: [0, -0.2, 0], direction: [1, 0, 0]}"
STARBOARD = "  - {name: starboard, position: [0, 0.2, 0], direction: [1, 0, 0]}\n"
SENSOR = "{name: depth, kind: pressure, position: [0, 0, -0.15], rate: 20 Hz}"


def vehicle_with(thruster: str, *more: tuple[str, str]) -> Vehicle:
    """The example with this one thruster."""
    return vehicle_from_text(changed((DEFAULTS, ""), (PORT, thruster), (STARBOARD, ""), *more))


def thruster_with(fields: str, place: str = "direction: [0, 3, 4]") -> Thruster:
    return vehicle_with(f"{{name: a, position: [1, 2, 3], {place}, {fields}}}").parameters.thrusters[0]


def test_direction_is_scaled_to_unit_length() -> None:
    thruster = thruster_with("law: force, limits: [-1, 1]")
    assert thruster.axis == pytest.approx((0.0, 0.6, 0.8))
    assert thruster.effect[3:] == pytest.approx(tuple(np.cross((1, 2, 3), (0, 0.6, 0.8))))


@pytest.mark.parametrize(
    ("angles", "direction"),
    [
        ("[0, 0, -45 deg]", (0.70710678, -0.70710678, 0)),
        ("[0, 0, 135 deg]", (-0.70710678, 0.70710678, 0)),
        ("[0, 90 deg, 0]", (0, 0, -1)),
    ],
)
def test_angles_of_the_vita_thrusters(angles: str, direction: tuple[float, ...]) -> None:
    fields = f"{{name: a, position: [0, 0, 0], angles: {angles}, law: force, limits: none}}"
    vehicle = vehicle_with(fields, ("use: a first file to copy", "euler_order: xyz"))
    assert vehicle.parameters.thrusters[0].axis == pytest.approx(direction, abs=1e-8)
    assert vehicle.parameters.thrusters[0].command_maximum == math.inf


def test_the_order_of_angles_matters() -> None:
    fields = "{name: a, position: [0, 0, 0], angles: [30 deg, 40 deg, 50 deg], law: force, limits: none}"
    zyx = vehicle_with(fields).parameters.thrusters[0].axis
    xyz = vehicle_with(fields, ("use: a first file to copy", "euler_order: xyz")).parameters.thrusters[0].axis
    c, s = np.cos(np.radians((30, 40, 50))), np.sin(np.radians((30, 40, 50)))
    assert zyx == pytest.approx((c[1] * c[2], c[1] * s[2], -s[1]))
    # Simu2VITA eq. 22: first column of R_x R_y R_z.
    assert xyz == pytest.approx((c[1] * c[2], c[0] * s[2] + s[0] * s[1] * c[2], s[0] * s[2] - c[0] * s[1] * c[2]))


def test_elevation_tilts_down_and_azimuth_to_port_whatever_the_axes() -> None:
    fields = "{name: a, position: [0, 0, 0], elevation: 30 deg, azimuth: 90 deg, law: force, limits: none}"
    for axes in ("forward-right-down", "forward-left-up"):
        axis = vehicle_with(fields, ("use: a first file to copy", f"axes: {axes}")).parameters.thrusters[0].axis
        assert axis == pytest.approx((0.0, -math.cos(math.pi / 6), 0.5), abs=1e-12)


def test_advance_law_in_radians_and_in_revolutions() -> None:
    """K_T = 0.43 - 0.45 J of a T200 in revolutions per second: 3.634e-4 kg m and -3.144e-2 kg (Nielsen 2018)."""
    fields = "law: advance, limits: none, diameter: 76 mm, signed_inflow: true, coefficients_per: revolution"
    thruster = thruster_with(fields + ", thrust_coefficients: [0, -0.45, 0.43]")
    assert thruster.positive.square == pytest.approx(3.634e-4, rel=1e-3)
    assert thruster.positive.advance == pytest.approx(-3.144e-2, rel=1e-3)
    bilinear = thruster_with("law: bilinear, limits: none, coefficient: 3.634e-4, inflow_coefficient: -3.144e-2 kg")
    for speed, inflow in ((200.0, 0.5), (-200.0, 0.5), (150.0, -0.3)):
        expected = 3.634e-4 * abs(speed) * speed - 3.144e-2 * abs(speed) * inflow
        assert thrust(bilinear, speed, inflow) == pytest.approx(expected)
        assert thrust(thruster, speed, inflow) == pytest.approx(expected, rel=1e-3)


def test_forward_means_thrust_along_the_direction_for_either_sense() -> None:
    fields = "law: quadratic, limits: [-9, 9], coefficient: {forward: 2, reverse: 1}"
    plain, turned = thruster_with(fields), thruster_with(fields + ", sense: -1")
    assert (plain.positive.square, plain.negative.square) == (2.0, 1.0)
    assert (turned.positive.square, turned.negative.square) == (1.0, 2.0)


def test_small_fields_of_a_thruster() -> None:
    thruster = thruster_with(
        "law: quadratic, coefficient: 1, limits: [-60 rpm, 120 rpm], wake_fraction: 0.2, reaction: 1 cm, "
        "time_constant: {rise: 0.1, fall: 0.4}, effectiveness: {forward: 90 %, reverse: 0.5}, "
        "axis_effectiveness: [1, 0.5, 1, 1, 1, 1]"
    )
    assert thruster.wake == pytest.approx(0.8)
    assert (thruster.rise_time, thruster.fall_time) == (0.1, 0.4)
    assert (thruster.effectiveness_forward, thruster.effectiveness_reverse) == (0.9, 0.5)
    assert (thruster.command_minimum, thruster.command_maximum) == pytest.approx((-2 * math.pi, 4 * math.pi))
    assert thruster.effect[1] == pytest.approx(0.3)
    assert thruster.effect[4] == pytest.approx(np.cross((1, 2, 3), (0, 0.6, 0.8))[1] + 0.01 * 0.6)


def test_thrust_law_of_the_vehicle_is_the_most_general_one() -> None:
    for fields, law in (
        ("law: force, limits: none", OUTPUT_IS_FORCE),
        ("law: quadratic, coefficient: 1, limits: none", THRUST_FROM_SPEED),
        ("law: bilinear, coefficient: 1, inflow_coefficient: -1, limits: none", THRUST_FROM_SPEED_AND_INFLOW),
    ):
        vehicle = vehicle_with(f"{{name: a, position: [0, 0, 0], direction: [1, 0, 0], {fields}}}")
        assert vehicle.parameters.thrust_law == law
    mixed = "{name: a, position: [0, 0, 0], direction: [1, 0, 0], law: quadratic, coefficient: 1, limits: none}"
    more = "law: bilinear, coefficient: 1, inflow_coefficient: -1, limits: none"
    second = f"  - {{name: b, position: [0, 0, 0], direction: [1, 0, 0], {more}}}\n"
    text = changed((DEFAULTS, ""), (PORT, mixed), (STARBOARD, second))
    assert vehicle_from_text(text).parameters.thrust_law == THRUST_FROM_SPEED_AND_INFLOW


def test_without_a_command_map_the_command_is_the_output() -> None:
    command_map = thruster_with("law: force, limits: none").command_map
    for command in (-1e6, -3.0, -1e-9, 0.0, 1e-9, 7.0, 1e6):
        assert speed_from_command(command_map, command) == command
        assert command_from_speed(command_map, command) == command


def test_command_map_with_a_dead_band() -> None:
    """Linear and quadratic thrust of a PWM command with a dead band of 25 us (Nielsen 2018, eq. 4.8)."""
    vehicle = vehicle_with(
        "{name: a, position: [0, 0, 0], direction: [1, 0, 0], law: force, limits: [-400, 400], command_map: "
        "{positive: {knee: 25, slope: 0, curve: [2.52e-4, 3.123e-2, 0]}, "
        "negative: {knee: -25, slope: 0, curve: [-2.52e-4, 3.123e-2, 0]}}}"
    )
    assert vehicle.parameters.mapped_commands
    command_map = vehicle.parameters.thrusters[0].command_map
    assert speed_from_command(command_map, 24.0) == 0.0
    assert speed_from_command(command_map, 100.0) == pytest.approx(5.64, abs=0.01)
    assert speed_from_command(command_map, -200.0) == pytest.approx(-16.3, abs=0.1)


def test_facts_are_kept() -> None:
    vehicle = vehicle_with(
        "{name: a, position: [0, 0, 0], direction: [1, 0, 0], law: quadratic, coefficient: 1, limits: none, "
        "drive: {delay: 40 ms}, facts: {valid_speed: [450 rpm, 975 rpm], figures: {voltage: 16 V}}}"
    )
    facts = vehicle.thruster_facts[0]
    assert vehicle.parameters.drives[0].delay_ns == 40_000_000
    assert facts.valid_speed == pytest.approx((450 * math.pi / 30, 975 * math.pi / 30))
    assert facts.figures == {"voltage": 16.0}


FIN = (
    "{name: rudder, position: [-0.6, 0, 0], chord: [2, 0, 0], normal: [0, 1, 0], area: 66.5 cm2, lift_slope: 3.12, "
    "stall_angle: 20 deg, deflection_limit: 15 deg, feels_cross_flow: true}"
)


def test_fin() -> None:
    fin = vehicle_with("{name: a, position: [0, 0, 0], direction: [1, 0, 0], law: force, limits: none}",
                       ("sensors:", f"fins:\n  - {FIN}\nsensors:")).parameters.fins[0]  # fmt: skip
    assert fin.chord == (1.0, 0.0, 0.0)
    assert fin.dynamic_area == pytest.approx(0.5 * 1000 * 66.5e-4)
    assert fin.deflection_limit == pytest.approx(math.radians(15))
    assert fin.feels_cross_flow == 1.0


def test_fin_normal_must_be_perpendicular() -> None:
    text = changed(("sensors:", f"fins:\n  - {FIN.replace('normal: [0, 1, 0]', 'normal: [1, 1, 0]')}\nsensors:"))
    with pytest.raises(VehicleFileError, match=r"fins\[0\].normal .*they make 45 degrees"):
        vehicle_from_text(text)


@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: sum(x * x for x in q) > 1e-2))
def test_quaternion_of_a_rotation_matrix(raw: Quaternion) -> None:
    q = normalize(raw)
    again = quaternion_from_matrix(rotation_matrix(q))
    sign = 1.0 if np.dot(q, again) > 0 else -1.0
    assert np.allclose(np.array(again) * sign, q, atol=1e-9)


@pytest.mark.parametrize(
    "orientation",
    ["angles: [90 deg, 0, 0]", "matrix: [[1, 0, 0], [0, 0, -1], [0, 1, 0]]", "quaternion: [0.70711, 0.70711, 0, 0]"],
)
def test_three_ways_to_orient_a_sensor(orientation: str) -> None:
    sensor = SENSOR.replace("rate:", f"orientation: {{{orientation}}}, parameters: {{noise: 1 mm}}, rate:")
    read = vehicle_from_text(changed((SENSOR, sensor))).sensors[0]
    assert read.q_BS == pytest.approx((math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0), abs=1e-9)
    assert read.rate == 20.0
    assert read.parameters == {"noise": 1e-3}


def test_a_sensor_keeps_its_own_axes_when_those_of_the_file_are_converted() -> None:
    sensor = SENSOR.replace("rate:", "orientation: {angles: [0, 0, 0]}, rate:")
    text = changed((SENSOR, sensor), ("use: a first file to copy", "axes: forward-left-up"))
    read = vehicle_from_text(text).sensors[0]
    assert read.position == (0.0, 0.0, 0.15)
    assert read.q_BS is not None
    assert np.allclose(rotation_matrix(read.q_BS), np.diag([1.0, -1.0, -1.0]))


def test_what_is_no_rotation() -> None:
    for wrong in (
        "matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]",
        "matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 2]]",
        "quaternion: [1, 1, 0, 0]",
    ):
        text = changed((SENSOR, SENSOR.replace("rate:", f"orientation: {{{wrong}}}, rate:")))
        with pytest.raises(VehicleFileError, match=r"sensors\[0\].orientation"):
            vehicle_from_text(text)
