"""Battery model: power of thrusters and hotel load, state of charge and terminal voltage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.actuators.drives import charge_rate, power_from_speed, power_from_thrust, terminal_voltage
from remora.files.arrays import Array
from remora.vehicles.drives import DIRECT, Supply, ThrusterDrive
from remora.vehicles.thrust_table import ThrustTable, current_at
from remora.vehicles.vehicle import Vehicle


class BatteryState(NamedTuple):
    """State of charge and voltage."""

    charge: float  # state of charge, from 0 (empty) to 1 (full)
    voltage: float  # V, at its terminals


@final
@dataclass(frozen=True)
class BatteryModel:
    """The battery of a vehicle with its consumers; `make_battery` builds it."""

    supply: Supply
    drives: tuple[ThrusterDrive, ...]  # one per thruster

    def initial(self, charge: float = 1.0) -> BatteryState:
        """The battery under hotel load at a state of charge, full by default."""
        if not 0.0 <= charge <= 1.0:
            raise ValueError(f"charge is {charge}: give a number between 0, empty, and 1, full")
        return BatteryState(charge, terminal_voltage(self.supply.battery, charge, self.supply.hotel_load))

    def step(
        self,
        state: BatteryState,
        outputs: Sequence[float] | Array,
        commands: Sequence[float] | Array,
        elapsed_ns: int,
        charging: float = 0.0,
    ) -> tuple[BatteryState, float, float, float]:
        """Discharge at constant power over a time: the new state, power drawn in W, voltage in V and state of charge.

        Outputs are those of a plant state, thrusters first, N or rad/s; commands of the drives are for thrust tables
        with currents. Charging power, W, beyond that of the consumers charges the battery. An empty battery keeps its
        empty voltage; the loop then stops the thrusters.
        """
        if elapsed_ns < 0:
            raise ValueError(f"elapsed_ns is {elapsed_ns}: time never goes back")
        battery, seconds = self.supply.battery, 1e-9 * elapsed_ns
        power = self.power(outputs, commands, state.voltage) - charging
        # Midpoint rule, because the voltage falls with the charge. An empty battery has no rate, so the last step uses
        # the rate at its start.
        rate = charge_rate(battery, state.charge, power)
        middle = _share(state.charge + 0.5 * seconds * rate)
        charge = _share(state.charge + seconds * (charge_rate(battery, middle, power) if middle > 0.0 else rate))
        voltage = terminal_voltage(battery, charge, power)
        return BatteryState(charge, voltage), power, voltage, charge

    def power(self, outputs: Sequence[float] | Array, commands: Sequence[float] | Array, voltage: float) -> float:
        """Electric power of the thrusters and the hotel load, W."""
        triples = zip(self.drives, outputs, commands, strict=False)  # fins, servos and moving masses consume nothing
        return self.supply.hotel_load + sum(
            _power(drive, float(output), float(command), voltage) for drive, output, command in triples
        )


def _power(drive: ThrusterDrive, output: float, command: float, voltage: float) -> float:
    """Electric power of one thruster, W."""
    if isinstance(drive.law, ThrustTable) and drive.law.currents:
        return current_at(drive.law, command, voltage) * voltage
    return power_from_speed(drive.power_per_cubed_speed, output) + power_from_thrust(drive.power_per_thrust, output)


def _share(charge: float) -> float:
    return min(max(charge, 0.0), 1.0)


def make_battery(vehicle: Vehicle) -> BatteryModel:
    """The battery model of a vehicle; a ValueError when its file has no battery."""
    parameters = vehicle.parameters
    if parameters.supply is None:
        raise ValueError(
            f'"{vehicle.name}" has no battery. Add a section battery to its file, or omit the battery model.'
        )
    return BatteryModel(parameters.supply, parameters.drives or (DIRECT,) * len(parameters.thrusters))
