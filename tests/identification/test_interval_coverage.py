"""How often 95 % intervals hold the truth of an independent simulator, at every rate and for a table with several."""

from functools import cache

import numpy as np
import pytest
from pool_simulator import AXES, NAMES, THRUSTERS, TRUTH, VEHICLE, csv_text, flights, measured, wide_table

from remora.identification import inputs_of, record_from_arrays
from remora.identification.column_map import Table
from remora.identification.methods import METHODS, Task
from remora.identification.recorded import Reading, at_one_rate, read_recorded
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
    return read_recorded(path, vehicle_from_text(VEHICLE), Reading(Table({}, kind)))


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
