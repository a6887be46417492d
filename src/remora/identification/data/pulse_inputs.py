"""Conversion of recorded pulse widths by the drives of a vehicle to thrust, N, or shaft speed, rad/s."""

import numpy as np

from remora.files.arrays import Array
from remora.files.units import PULSE, unit_named
from remora.identification.data.record import Record
from remora.identification.problems import RecordError
from remora.identification.sampling.own_stamps import signal_of, values_at
from remora.vehicles.assembly.drives import MICROSECONDS
from remora.vehicles.checks.actuation import input_dimension
from remora.vehicles.drives import ThrusterDrive, full_voltage, input_from_command, is_outside_table
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.thrust_table import ThrustTable

# Largest share of samples outside the table of a drive.
_MOST_BEYOND = 0.5


def takes_pulses(vehicle: VehicleParameters, name: str) -> bool:
    """Whether the drive of a thruster takes pulse widths."""
    return _drive(vehicle, name).law is not None


def through_drives(record: Record, vehicle: VehicleParameters, voltage: Array | None = None) -> Record:
    """The record with pulse-width commands, s, converted to thruster commands.

    Resolution, dead band and law of each drive apply, but not its delay. The voltage, V, has one value per row, NaN
    where unknown; that of the full battery unless given.
    """
    inputs = record.inputs
    if inputs is None or inputs.kind != "commands":
        return record
    values, units = inputs.values.copy(), list(inputs.units)
    tables: list[ThrustTable] = []
    supply = None if voltage is None else _everywhere(record, voltage)
    for k, name in enumerate(inputs.names):
        unit = unit_named(units[k]) if units[k] else None
        if unit is None or not PULSE.accepts(unit):
            continue
        drive = _drive(vehicle, name)
        # Rounded as in vehicle files, so that a pulse at the edge of a dead band stays there.
        values[:, k] = _driven(record, drive, name, np.round(MICROSECONDS * values[:, k], 6), supply, vehicle)
        units[k] = input_dimension(vehicle, name).units[0]
        tables += [drive.law] if isinstance(drive.law, ThrustTable) else []
    if tuple(units) == inputs.units:
        return record
    message = "Pulse widths were converted to thruster commands by the drives of the vehicle"
    if tables:
        usual = f"at {full_voltage(tables[0], vehicle.supply):g} V, since no voltage was recorded"
        message += f", tables {usual if supply is None else 'at the recorded voltage'}"
    return record.with_note(f"{message}.", inputs=inputs._replace(values=values, units=tuple(units)))


def _drive(vehicle: VehicleParameters, name: str) -> ThrusterDrive:
    known = dict(zip(vehicle.thruster_names, vehicle.pulse_drives, strict=False))
    return known.get(name, ThrusterDrive())


def _driven(
    record: Record, drive: ThrusterDrive, name: str, pulses: Array, supply: Array | None, vehicle: VehicleParameters
) -> Array:
    """Command of one thruster."""
    table = drive.law if isinstance(drive.law, ThrustTable) else None
    usual = full_voltage(table, vehicle.supply) if table else 0.0
    volts = np.full(len(pulses), usual) if table is None or supply is None else supply
    # The law is scalar; only distinct pairs of pulse and voltage are evaluated.
    pairs, places = np.unique(np.column_stack([pulses, volts]), axis=0, return_inverse=True)
    known = np.isfinite(pairs).all(axis=1)
    found = np.full(len(pairs), np.nan)
    found[known] = [input_from_command(drive, pulse, volt) for pulse, volt in pairs[known].tolist()]
    beyond = np.zeros(len(pairs), dtype=bool)
    beyond[known] = [is_outside_table(drive, pulse, volt) for pulse, volt in pairs[known].tolist()]
    share = float(np.mean(beyond[places.ravel()]))
    if share > _MOST_BEYOND:
        message = f"{name}: {100.0 * share:.0f} % of the pulse widths or voltages lie outside the table of the drive"
        raise RecordError(f"{message}. Name the unit of the column, or give a table that reaches them.", record.source)
    return found[places.ravel()]


def _everywhere(record: Record, voltage: Array) -> Array:
    """Voltage in every row by interpolation, constant before the first and after the last reading."""
    signal = signal_of(record.time, voltage, longest=np.inf)
    if not len(signal.time):
        raise RecordError("the column of the voltage is empty. Leave it out of the map.", record.source)
    return values_at(signal, np.clip(record.time, signal.time[0], signal.time[-1]))
