"""Drives and batteries in vehicle files: numbers with their units, and clear words where something is wrong."""

import re

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.interpolate import RegularGridInterpolator

from driven_vehicles import BATTERY, FORCE_LAW, PULSE, PULSE_SPEED, SPEED_LAW, TABLE, driven, driven_text
from remora.vehicles import VehicleFileError, load_vehicle, vehicle_from_text
from remora.vehicles.checks.actuation import thrust_limits
from remora.vehicles.thrust_table import ThrustTable, current_at, pulse_for, thrust_at


def test_numbers_of_a_drive() -> None:
    fields = PULSE + ", resolution: 1 us, delay: 40 ms, scatter: 3 %, power: {per_thrust: 4}"
    drive = driven(FORCE_LAW, fields).parameters.drives[0]
    assert drive.law == pytest.approx((3.123e-2, 2.52e-4, 0.0), rel=1e-12)
    assert drive[1:8] == (1500.0, 1.0, 25.0, 40_000_000, pytest.approx(0.03), 0.0, 4.0)
    speed = driven(SPEED_LAW, PULSE_SPEED).parameters.drives[0].law
    assert speed == pytest.approx((97.6 * np.pi / 30, 0.57, 0.0))


def test_a_battery_and_where_its_numbers_come_from() -> None:
    vehicle = driven(FORCE_LAW, "", more=BATTERY)
    supply = vehicle.parameters.supply
    assert supply is not None
    assert supply.battery == pytest.approx((16.8, 12.8, 0.05, 266 * 3600.0))
    assert supply.hotel_load == 20.0
    assert vehicle.provenance["battery.capacity"].source == "worked example"
    assert vehicle.parameters.drives == ()


def test_drives_of_defaults_go_to_every_thruster() -> None:
    falcon = load_vehicle("falcon")
    assert [drive.delay_ns for drive in falcon.parameters.drives] == [40_000_000] * 5
    assert "30 to 50 ms" in falcon.provenance["thrusters[2].drive.delay"].source


def test_all_lengths_of_pulses_stay_whole() -> None:
    """28 us are 28 and not 28.000000000000004, so that a pulse at the edge of a dead band is outside it."""
    widths = range(1, 400, 7)
    drives = [f"neutral: 1500 us, pulse: {{linear: 0.03 N/us}}, dead_band: {width} us" for width in widths]
    assert [drive.dead_band for drive in driven(FORCE_LAW, *drives).parameters.drives] == list(widths)


def table() -> ThrustTable:
    law = driven(FORCE_LAW, TABLE, more=BATTERY).parameters.drives[0].law
    assert isinstance(law, ThrustTable)
    return law


@given(st.floats(1050.0, 1950.0), st.floats(9.0, 19.0))
def test_tables_are_read_as_scipy_reads_them(pulse: float, voltage: float) -> None:
    read = table()
    inside = (np.clip(voltage, 10.0, 18.0), np.clip(pulse, 1100.0, 1900.0))
    for ours, grid in ((thrust_at, read.thrusts), (current_at, read.currents)):
        theirs = RegularGridInterpolator((read.voltages, read.pulses), grid)(inside)
        assert ours(read, pulse, voltage) == pytest.approx(theirs, rel=1e-12, abs=1e-9)


@given(st.floats(-0.999, 0.999), st.floats(9.0, 19.0))
def test_the_pulse_for_a_thrust_gives_that_thrust(share: float, voltage: float) -> None:
    read = table()
    wanted = share * abs(thrust_at(read, 1900.0 if share > 0.0 else 1100.0, voltage))
    pulse = pulse_for(read, 1500.0, wanted, voltage)
    assert thrust_at(read, pulse, voltage) == pytest.approx(wanted, abs=1e-9)
    assert pulse_for(read, 1500.0, 1e3, voltage) == 1900.0


def test_thrust_that_does_not_grow_with_the_pulse_is_met_nearest_to_neutral() -> None:
    """Bench tables wobble: 12 V rows of a T200 fall and rise again by a few grams."""
    wobbly = ThrustTable((1500.0, 1600.0, 1700.0, 1800.0), (12.0,), ((0.0, 10.0, 8.0, 12.0),), None)
    assert pulse_for(wobbly, 1500.0, 9.0, 12.0) == pytest.approx(1590.0)
    assert pulse_for(wobbly, 1500.0, 11.0, 12.0) == pytest.approx(1775.0)
    assert pulse_for(wobbly, 1500.0, 20.0, 12.0) == 1800.0


def test_a_table_bounds_what_allocation_may_ask_for() -> None:
    limits = thrust_limits(driven("law: force, limits: none", TABLE, more=BATTERY).parameters)
    assert limits[0] == pytest.approx((-36 - 9 * 0.7, 45 + 12 * 0.7))


WRONG = {
    "pulse without unit": (FORCE_LAW, "neutral: 1500, pulse: {linear: 0.03 N/us}", "Write the unit, e.g. 1500 us"),
    "slope without unit": (FORCE_LAW, "neutral: 1500 us, pulse: {linear: 0.03}", "Write the unit, e.g. 0.031 N/us"),
    "dead band without unit": (FORCE_LAW, "neutral: 1500 us, pulse: {linear: 0.03 N/us}, dead_band: 25", "25 s"),
    "dead band of another kind": (FORCE_LAW, "dead_band: 5 rpm", "does not measure a force"),
    "no neutral": (FORCE_LAW, "pulse: {linear: 0.03 N/us}", "at which pulse width"),
    "needless neutral": (FORCE_LAW, "neutral: 1500 us", "is not used without"),
    "two laws": (FORCE_LAW, PULSE + ", pulse_speed: {scale: 9 rpm, exponent: 1}", "Keep one of them"),
    "pulse of a shaft speed": (SPEED_LAW, PULSE, "the thruster needs law: force"),
    "speed of a force": (FORCE_LAW, PULSE_SPEED, "a law of the shaft speed"),
    "power of another kind": (FORCE_LAW, "power: {per_cubed_speed: 1 W s3/rad3}", "give per_thrust instead"),
    "power of no kind": (FORCE_LAW, "power: {}", "per_cubed_speed"),
    "negative delay": (FORCE_LAW, "delay: -1 ms", "must not be negative"),
    "great scatter": (FORCE_LAW, "scatter: 50 %", "between 0 and 0.3"),
    "unknown key": (FORCE_LAW, "deadband: 3 N", "Did you mean"),
    "rows that do not fit": (
        FORCE_LAW,
        "neutral: 1500 us, table: {pulses: [1400 us, 1500 us], voltages: [12 V], thrusts: [[1, 2, 3]]}",
        "expected 1 rows of 2 numbers",
    ),
    "pulses in disorder": (
        FORCE_LAW,
        "neutral: 1500 us, table: {pulses: [1500 us, 1400 us], voltages: [12 V], thrusts: [[1, 2]]}",
        "rising order",
    ),
    "a negative pulse": (
        FORCE_LAW,
        "neutral: 1500 us, table: {pulses: [-1400 us, 1500 us], voltages: [12 V], thrusts: [[1, 2]]}",
        "found -0.0014 s, but pulses last about 1500 us",
    ),
    "several voltages without battery": (FORCE_LAW, TABLE, "Add a section battery"),
    "neutral outside the table": (
        FORCE_LAW,
        "neutral: 1300 us, table: {pulses: [1400 us, 1500 us], voltages: [12 V], thrusts: [[1, 2]]}",
        "within the pulses",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_drive_is_said_with_its_line(case: str) -> None:
    law, drive, words = WRONG[case]
    with pytest.raises(VehicleFileError) as caught:
        driven(law, drive)
    assert re.search(re.escape(words), str(caught.value)), str(caught.value)
    assert all(problem.line for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("12.8 V", "18 V", "must not be above the full_voltage"),
        ("266 Wh", "18 Ah", "does not measure an energy"),
        ("50 mohm", "-1 ohm", "must not be negative"),
        ("hotel_load: 20 W", "hotel: 20 W", "Did you mean"),
    ],
)
def test_what_is_wrong_with_a_battery_is_said(old: str, new: str, words: str) -> None:
    with pytest.raises(VehicleFileError, match=words):
        driven(FORCE_LAW, "", more=BATTERY.replace(old, new))


def test_old_keys_say_where_they_went() -> None:
    text = driven_text(FORCE_LAW + ", facts: {delay: 40 ms}", "")
    with pytest.raises(VehicleFileError, match="belongs into drive"):
        vehicle_from_text(text)


def test_a_counter_of_turns_needs_a_shaft() -> None:
    text = driven_text(FORCE_LAW, "").replace("kind: pressure", "kind: shaft_speed")
    with pytest.raises(VehicleFileError, match="has a shaft speed"):
        vehicle_from_text(text)
