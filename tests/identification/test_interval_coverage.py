"""How often 95 % intervals hold the truth of an independent simulator, at every rate and for a table with several."""

from functools import cache

import numpy as np
import pytest
from pool_simulator import AXES, NAMES, THRUSTERS, TRUTH, VEHICLE, csv_text, flights, measured, wide_table

from remora.identification import inputs_of, record_from_arrays
from remora.identification.data.column_map import TableOptions
from remora.identification.data.log_files import LogReadOptions, at_input_rate, at_one_rate, read_log_record
from remora.identification.methods import METHODS, Task
from remora.identification.validation import fit_and_validate
from remora.vehicles import vehicle_from_text

RECORDS, DURATION = 20, 120.0  # s
LEAST = 0.90


@cache
def known_flights():
    return flights(range(RECORDS), DURATION)


def plain_record(flight, seed, kind):
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = measured(flight, seed)
    values = flight.commands if kind == "commands" else flight.outputs
    return record_from_arrays(flight.time, twist, inputs_of(kind, values, THRUSTERS, ["N"] * len(THRUSTERS)))


def table_record(flight, seed, kind, folder):
    path = folder / "wide.csv"
    path.write_text(csv_text(wide_table(flight, seed, commands=kind == "commands")))
    return read_log_record(path, vehicle_from_text(VEHICLE), LogReadOptions(TableOptions({}, kind)))


@pytest.mark.xdist_group("pool")
@pytest.mark.parametrize("kind", ["commands", "outputs"])
@pytest.mark.parametrize("rate", [50.0, 10.0, 5.0, None])
def test_intervals_hold_the_truth_of_the_pool_vehicle(kind, rate, tmp_path):
    """Twelve coefficients, twenty records; without a rate, a table with a DVL at 5 Hz and a gyro at 50 Hz."""
    vehicle, held = vehicle_from_text(VEHICLE), []
    for seed, flight in enumerate(known_flights()):
        record = table_record(flight, seed, kind, tmp_path) if rate is None else plain_record(flight, seed, kind)
        uniform = at_one_rate(record, None if rate == 50.0 else rate)
        assert uniform.interval == pytest.approx(0.2 if rate is None else 1.0 / rate)
        fit = METHODS["instruments"].fit(Task((uniform,), vehicle, NAMES, AXES))
        low, high = fit.intervals(0.95).T
        held.append((low <= TRUTH) & (high >= TRUTH))
    assert np.shape(held) == (RECORDS, len(TRUTH))
    assert np.mean(held) >= LEAST


@pytest.mark.xdist_group("pool")
def test_output_error_keeps_commands_at_their_rate_where_the_dvl_is_slower(tmp_path):
    """Commands change at 10 Hz, the DVL reads at 5 Hz: the dead band of 3 N must not see averages of two commands.

    Brought to 5 Hz, the fit had an inertia in yaw 8 % too small, far outside its interval.
    """
    band = VEHICLE.replace("thruster_defaults: {", "thruster_defaults: {drive: {dead_band: 1 N}, ")
    flight = flights(range(1), 30.0, hold=5, dead_band=3.0)[0]
    path = tmp_path / "wide.csv"
    path.write_text(csv_text(wide_table(flight, 0)))
    vehicle = vehicle_from_text(band)
    recorded = read_log_record(path, vehicle, LogReadOptions(TableOptions({}, "commands")))
    record = at_input_rate(recorded, None, sparse=True)
    assert record.interval == pytest.approx(0.02)  # readings lie between the commands of 10 Hz
    assert np.mean(np.isfinite(record.speed("heave"))) == pytest.approx(0.1, abs=0.01)
    as_given = np.isin(np.round(record.inputs.values, 6), np.round(flight.commands, 6))
    assert np.mean(as_given) > 0.999  # but for the ends of the record
    names = (*NAMES, "thrusters.dead_band")
    fit = fit_and_validate([recorded], vehicle, METHODS["output-error"], names, AXES, hold_out=0.0, in_detail=False).fit
    low, high = fit.intervals(0.95).T
    truth = np.array([*TRUTH, 3.0])
    assert np.mean((low <= truth) & (truth <= high)) >= LEAST
    assert fit.value("added_mass.yaw") == pytest.approx(0.5, rel=0.01)
    assert fit.value("thrusters.dead_band") == pytest.approx(3.0, abs=0.05)
