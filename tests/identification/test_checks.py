"""Records that would give wrong numbers are refused with the reason."""

from dataclasses import replace

import numpy as np
import pytest
from record_example import damped_rov, diagonal_names, driven_record

from remora.identification import Column, RecordError, fit_least_squares, record_from_arrays, record_from_csv
from remora.identification.data.checks import check_record, rates_of_attitude
from remora.vehicles import load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM

ROV = damped_rov()


@pytest.fixture(scope="module")
def record():
    return driven_record(ROV, duration=30.0)


@pytest.fixture(scope="module")
def shafts():
    """A vehicle whose inputs are shaft speeds, with roll, pitch and heave held."""
    flatfish = load_vehicle("flatfish_multidof")
    return flatfish, driven_record(flatfish, duration=60.0, interval=0.1, locked=("heave", "roll", "pitch"), share=0.2)


def with_twist(record, column, change):
    twist = record.twist.copy()
    twist[:, column] = change(twist[:, column])
    return replace(record, twist=twist)


def test_good_records_are_fitted(record, shafts):
    fit_least_squares(record, ROV)
    fit_least_squares(shafts[1], shafts[0])


def test_degrees_per_second_are_found_against_the_attitude():
    time = np.arange(0.0, 40.0, 0.1)
    yaw = 0.1 * np.sin(0.5 * time)
    quaternion = np.column_stack([np.cos(0.5 * yaw), 0.0 * yaw, 0.0 * yaw, np.sin(0.5 * yaw)])
    twist = np.zeros((len(time), 6))
    twist[:, 5] = 0.05 * np.cos(0.5 * time)
    good = record_from_arrays(time, twist, quaternion=quaternion)
    assert check_record(good, ["yaw"], 1.0) == pytest.approx(0.1)
    in_degrees = with_twist(good, 5, lambda r: r * 180.0 / np.pi)
    with pytest.raises(RecordError, match=r"rate of yaw is 57\.\d times the change of its angle: it is in deg/s"):
        check_record(in_degrees, ["yaw"], 1.0)


def test_degrees_per_second_are_found_by_size_alone(record):
    turned = with_twist(replace(record, quaternion=None), 5, lambda r: r * 180.0 / np.pi)
    with pytest.raises(RecordError, match=r"yaw reaches .* rad/s: are these degrees per second"):
        fit_least_squares(turned, ROV)


def test_speeds_that_no_vehicle_has_are_refused(record):
    with pytest.raises(RecordError, match=r"surge reaches .* m/s: which unit is this"):
        fit_least_squares(with_twist(record, 0, lambda u: u * 1000.0), ROV)


def test_revolutions_per_minute_are_found_against_the_limits_and_the_motion(shafts):
    vehicle, good = shafts
    in_rpm = replace(good, inputs=good.inputs._replace(values=good.inputs.values * 60.0 / (2.0 * np.pi)))
    with pytest.raises(RecordError, match=r"surge_\w+ reaches .* rpm given as rad/s"):
        fit_least_squares(in_rpm, vehicle)
    wide = tuple(t._replace(command_minimum=-1e4, command_maximum=1e4) for t in vehicle.parameters.thrusters)
    unlimited = replace(vehicle, parameters=vehicle.parameters._replace(thrusters=wide))
    with pytest.raises(RecordError, match=r"the thrust is 9\d\.?\d* times what the motion needs: rpm given as rad/s"):
        fit_least_squares(in_rpm, unlimited)
    too_slow = replace(good, inputs=good.inputs._replace(values=good.inputs.values * 2.0 * np.pi / 60.0))
    with pytest.raises(RecordError, match=r"the motion needs .* times the thrust"):
        fit_least_squares(too_slow, vehicle)


def test_holes_are_refused_with_the_row_and_the_fix(record):
    holed = record.twist.copy()
    holed[100:103, 2] = np.nan
    with pytest.raises(RecordError, match=r"twist is NaN in 3 rows, the first is row 100.*without"):
        fit_least_squares(replace(record, twist=holed), ROV)
    values = record.inputs.values.copy()
    values[7] = np.nan
    with pytest.raises(RecordError, match=r"outputs is NaN in 1 rows, the first is row 7"):
        fit_least_squares(replace(record, inputs=record.inputs._replace(values=values)), ROV)


def test_short_and_quiet_records_are_refused(record):
    with pytest.raises(RecordError, match=r"too short: its longest part without a gap has 0.95 s, but 2 s"):
        fit_least_squares(record.rows(0, 20), ROV)
    with pytest.raises(RecordError, match=r"rows for .* parameters in .*too short"):
        fit_least_squares(record.rows(0, 60), ROV)
    with pytest.raises(RecordError, match=r"does not move in sway"):
        fit_least_squares(with_twist(record, 1, lambda v: 0.0 * v), ROV)
    still = replace(record, inputs=record.inputs._replace(values=np.ones_like(record.inputs.values)))
    with pytest.raises(RecordError, match=r"inputs that never change"):
        fit_least_squares(still, ROV)


def test_axes_and_actuators_must_be_there(record):
    with pytest.raises(RecordError, match=r"has no speed of heave. It has: surge, sway"):
        fit_least_squares(with_twist(record, 2, lambda w: w * np.nan), ROV, axes=DEGREES_OF_FREEDOM)
    names = ("bow", *record.inputs.names[1:])
    with pytest.raises(RecordError, match=r"inputs of bow, but the actuators of the vehicle are: front_starboard"):
        fit_least_squares(replace(record, inputs=record.inputs._replace(names=names)), ROV)
    with pytest.raises(RecordError, match=r"no parameter acts in heave"):
        fit_least_squares(record, ROV, diagonal_names(["surge"])[1:], axes=["surge", "heave"])


def angles_table(path, scale):
    time = np.arange(0.0, 20.0, 0.1)
    yaw, rate = 0.8 * np.sin(0.5 * time), 0.4 * np.cos(0.5 * time)
    table = np.column_stack([time, rate, np.cos(time), 0.0 * time, 0.0 * time, scale * yaw])
    np.savetxt(path, table, delimiter=",", header="time,r,n,roll,pitch,yaw", comments="")
    return path


def test_angles_in_degrees_are_found_against_their_rates(tmp_path):
    attitude = {angle: angle for angle in ("roll", "pitch", "yaw")}
    path = angles_table(tmp_path / "angles.csv", 180.0 / np.pi)
    with pytest.raises(RecordError, match=r"yaw angle changes 57\.\d times as fast as its rate says: it is in degrees"):
        record_from_csv(path, {"yaw": "r"}, {"main": "n"}, attitude=attitude)
    named = {**attitude, "yaw": Column("yaw", "deg")}
    good = record_from_csv(path, {"yaw": "r"}, {"main": "n"}, attitude=named)
    rates = rates_of_attitude(good.quaternion, 0.1)
    assert np.allclose(rates[:-1, 2], good.speed("yaw")[:-1], atol=0.02)


def test_large_roll_and_pitch_are_degrees(tmp_path):
    path = tmp_path / "pitch.csv"
    path.write_text("time,r,n,roll,pitch,yaw\n0,0,1,0,5,0\n1,0,2,0,6,0\n")
    attitude = {angle: angle for angle in ("roll", "pitch", "yaw")}
    with pytest.raises(RecordError, match=r"pitch reaches 6 rad: it is in degrees"):
        record_from_csv(path, {"yaw": "r"}, {"main": "n"}, attitude=attitude)
    with pytest.raises(RecordError, match=r"attitude lacks pitch, yaw"):
        record_from_csv(path, {"yaw": "r"}, {"main": "n"}, attitude={"roll": "roll"})
