"""Pulse widths in microseconds as recorded commands: through the drives of the vehicle, or refused."""

import numpy as np
import pytest
from pool_simulator import THRUSTERS, VEHICLE, csv_text, flights, wide_table

from remora.identification import RecordError
from remora.identification.data.column_map import TableOptions
from remora.identification.data.log_files import LogReadOptions, read_log_record
from remora.vehicles import vehicle_from_text

LAW = "drive: {pulse: {linear: 0.03 N/us, quadratic: 2e-4 N/us2}, neutral: 1500 us, dead_band: 25 us}"
TABLE = (
    "drive: {table: {pulses: [1100 us, 1500 us, 1900 us], voltages: [12 V, 16 V], "
    "thrusts: {value: [[-20, 0, 24], [-30, 0, 36]], unit: N}}, neutral: 1500 us}"
)
BATTERY = "battery: {full_voltage: 16 V, empty_voltage: 12 V, resistance: 50 mohm, capacity: 200 Wh}\n"


def with_drive(drive, more=""):
    return vehicle_from_text(VEHICLE.replace("law: force,", f"law: force, {drive},") + more)


@pytest.fixture(scope="module")
def table():
    columns = wide_table(flights(range(1), 20.0)[0], 0)
    return {name: np.rint(1500.0 + 20.0 * v) if name in THRUSTERS else v for name, v in columns.items()}


def record_of(vehicle, table, path, kind="commands", **more):
    columns = {name: f"{name}:us" for name in THRUSTERS}
    path.write_text(csv_text({**table, **more}))
    return read_log_record(path, vehicle, LogReadOptions(TableOptions(columns, kind)))


def test_pulse_widths_go_through_the_drive_of_the_vehicle(table, tmp_path):
    record = record_of(with_drive(LAW), table, tmp_path / "log.csv")
    away = np.column_stack([table[name] for name in THRUSTERS]) - 1500.0
    thrust = np.where(np.abs(away) < 25.0, 0.0, 0.03 * away + 2e-4 * np.abs(away) * away)
    assert np.any(np.abs(away) < 25.0)
    assert np.any(np.abs(away) == 25.0)  # the edge of the dead band belongs to the law
    assert record.inputs.values == pytest.approx(thrust, abs=1e-9)
    assert record.inputs.units == ("N",) * 6
    assert any("by the drives of the vehicle" in sentence for sentence in record.provenance)


def test_pulse_widths_are_read_where_the_law_of_a_file_is_not_its_default(table, tmp_path):
    direct = with_drive(LAW.replace("drive: {", "drive: {commands: direct, "))
    assert direct.parameters.drives == ()
    pulsed = record_of(with_drive(LAW), table, tmp_path / "log.csv")
    assert (record_of(direct, table, tmp_path / "log.csv").inputs.values == pulsed.inputs.values).all()


def test_thrust_tables_take_the_voltage_that_was_recorded(table, tmp_path):
    vehicle, path = with_drive(TABLE, BATTERY), tmp_path / "log.csv"
    rows = len(table["time"])
    slow = np.where(np.arange(rows) % 50 == 0, np.linspace(16.0, 12.0, rows), np.nan)
    pulse = table["front_port"] - 1500.0
    per_us = np.where(pulse > 0.0, 36.0, 30.0) / 400.0
    assert record_of(vehicle, table, path).inputs.values[:, 1] == pytest.approx(per_us * pulse)  # of a full battery
    record = record_of(vehicle, table, path, voltage=slow)
    share = (slow[0] - np.interp(np.arange(rows), np.arange(rows)[::50], slow[::50])) / 4.0
    assert record.inputs.values[:, 1] == pytest.approx(per_us * pulse * (1.0 - share / 3.0), abs=1e-6)
    assert any("at the recorded voltage" in sentence for sentence in record.provenance)


def test_pulse_widths_without_a_drive_or_as_outputs_are_refused(table, tmp_path):
    for vehicle, kind in ((vehicle_from_text(VEHICLE), "commands"), (with_drive(LAW), "outputs")):
        with pytest.raises(RecordError, match=r'"us" does not measure a force\. .*Pulse widths need commands'):
            record_of(vehicle, table, tmp_path / "log.csv", kind)
    wrong = {name: values - 1500.0 if name in THRUSTERS else values for name, values in table.items()}
    with pytest.raises(RecordError, match="outside the table of the drive"):
        record_of(with_drive(TABLE, BATTERY), wrong, tmp_path / "log.csv")
