"""Columns of a log that stand for something else than they are said to are named."""

from dataclasses import replace

import numpy as np
import pytest
from pool_simulator import AXES, NAMES, THRUSTERS, VEHICLE, flights, measured
from record_example import damped_rov, diagonal_names, driven_record

from remora.identification import RecordError, inputs_of, record_from_arrays
from remora.identification.methods import METHODS
from remora.identification.validation import fit_and_validate
from remora.vehicles import vehicle_from_text
from remora.vehicles.names import DEGREES_OF_FREEDOM

ROV = vehicle_from_text(VEHICLE + "model: {locked: [roll, pitch]}\n")
PLACES = [0, 1, 2, 5]


def record_of(kind="commands", values=None, places=PLACES, every=1):
    flight = flights(range(1), 60.0)[0]
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, places] = measured(flight, 0)
    table = {"commands": flight.commands, "outputs": flight.outputs}[values or kind]
    inputs = inputs_of(kind, table[::every], THRUSTERS, ["N"] * 6)
    return record_from_arrays(flight.time[::every], twist[::every], inputs)


def warnings_of(record, vehicle=ROV, names=NAMES, axes=AXES):
    fit = fit_and_validate([record], vehicle, METHODS["instruments"], names, axes, hold_out=0.0, in_detail=False).fit
    return fit.warnings


def with_columns_exchanged(record, one, other):
    names = list(record.inputs.names)
    i, j = names.index(one), names.index(other)
    names[i], names[j] = names[j], names[i]
    return replace(record, inputs=record.inputs._replace(names=tuple(names)))


@pytest.mark.xdist_group("pool")
@pytest.mark.parametrize("other", ["rear_port", "front_starboard", "vertical_port"])
def test_exchanged_columns_of_two_thrusters_are_named(other):
    said = [words for words in warnings_of(with_columns_exchanged(record_of(), "front_port", other)) if "exch" in words]
    assert len(said) == 1
    assert "front_port" in said[0]
    assert other in said[0]


@pytest.mark.xdist_group("pool")
def test_exchanged_columns_of_two_speeds_are_named():
    words = warnings_of(record_of(places=[1, 0, 2, 5]))
    assert any("columns of surge and sway seem to be exchanged" in sentence for sentence in words)


def test_exchanged_rates_of_roll_and_yaw_are_named_or_refused():
    vehicle = damped_rov()
    record = driven_record(vehicle, seed=2, duration=60.0, noise=(0.005, 0.002))
    names = diagonal_names(DEGREES_OF_FREEDOM)
    assert not any("exchanged" in words for words in warnings_of(record, vehicle, names, DEGREES_OF_FREEDOM))
    wrong = replace(record, twist=record.twist[:, [0, 1, 2, 5, 4, 3]])
    try:
        words = " ".join(warnings_of(wrong, vehicle, names, DEGREES_OF_FREEDOM))
    except RecordError as error:
        words = str(error)
    assert "roll and yaw seem to be exchanged" in words


@pytest.mark.xdist_group("pool")
def test_outputs_given_as_commands_are_named():
    words = warnings_of(record_of(values="outputs"))
    assert any("outputs of actuators and no commands, the lag counts twice: give inputs=outputs" in w for w in words)
    assert not any("Inputs act" in w for w in warnings_of(record_of()))


@pytest.mark.xdist_group("pool")
def test_commands_that_change_more_often_than_they_are_logged_are_named():
    words = warnings_of(record_of(every=10))
    assert any("Commands that change more often than they were logged, every 0.2 s" in sentence for sentence in words)
