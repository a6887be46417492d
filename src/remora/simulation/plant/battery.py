"""Electric energy: what the thrusters draw, what is left in the battery and the voltage it still gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, final

from remora.equations.actuators.drives import charge_rate, power_from_speed, power_from_thrust, terminal_voltage
from remora.files.arrays import Array
from remora.vehicles.drives import DIRECT, Supply, ThrusterDrive
from remora.vehicles.thrust_table import ThrustTable, current_at
from remora.vehicles.vehicle import Vehicle


class EnergyState(NamedTuple):
    """Where the battery stands."""

    charge: float  # from 0, empty, to 1, full
    voltage: float  # V, at its terminals


@final
@dataclass(frozen=True)
class Energy:
    """The battery of a vehicle and all that draws from it; `make_energy` builds it."""

    supply: Supply
    drives: tuple[ThrusterDrive, ...]  # one per thruster

    def initial(self, charge: float = 1.0) -> EnergyState:
        """The battery before anything turns, full unless told otherwise."""
        if not 0.0 <= charge <= 1.0:
            raise ValueError(f"charge is {charge}: give a share between 0, empty, and 1, full")
        return EnergyState(charge, terminal_voltage(self.supply.battery, charge, self.supply.hotel_load))

    def step(
        self,
        state: EnergyState,
        outputs: Sequence[float] | Array,
        commands: Sequence[float] | Array,
        elapsed_ns: int,
    ) -> tuple[EnergyState, float, float, float]:
        """Draw for a time: the state, power in W, voltage in V and charge after it.

        Parameters
        ----------
        state
            The state before.
        outputs
            Of the actuators, as in a state of the plant, thrusters first: N or rad/s.
        commands
            That the drives were given, for the currents of tables.
        elapsed_ns
            For how long. The power is held over it.

        Notes
        -----
        An empty battery gives the empty voltage on and on; the loop then stops the thrusters.
        """
        if elapsed_ns < 0:
            raise ValueError(f"elapsed_ns is {elapsed_ns}: time never goes back")
        battery, power, seconds = self.supply.battery, self.power(outputs, commands, state.voltage), 1e-9 * elapsed_ns
        # The voltage falls while the charge does, so the rate is taken in the middle of the step. An empty battery has
        # none, so on the last step the one at its start empties it.
        rate = charge_rate(battery, state.charge, power)
        middle = _share(state.charge + 0.5 * seconds * rate)
        charge = _share(state.charge + seconds * (charge_rate(battery, middle, power) if middle > 0.0 else rate))
        voltage = terminal_voltage(battery, charge, power)
        return EnergyState(charge, voltage), power, voltage, charge

    def power(self, outputs: Sequence[float] | Array, commands: Sequence[float] | Array, voltage: float) -> float:
        """Electric power of the thrusters and the hotel load, W."""
        triples = zip(self.drives, outputs, commands, strict=False)  # fins and the like draw nothing
        return self.supply.hotel_load + sum(
            _power(drive, float(output), float(command), voltage) for drive, output, command in triples
        )


def _power(drive: ThrusterDrive, output: float, command: float, voltage: float) -> float:
    """What one thruster draws."""
    if isinstance(drive.law, ThrustTable) and drive.law.currents:
        return current_at(drive.law, command, voltage) * voltage
    return power_from_speed(drive.power_per_cubed_speed, output) + power_from_thrust(drive.power_per_thrust, output)


def _share(charge: float) -> float:
    return min(max(charge, 0.0), 1.0)


def make_energy(vehicle: Vehicle) -> Energy:
    """The energy part of a vehicle.

    Raises
    ------
    ValueError
        When its file has no battery.
    """
    parameters = vehicle.parameters
    if parameters.supply is None:
        raise ValueError(f'"{vehicle.name}" has no battery. Add a section battery to its file, or leave energy out.')
    return Energy(parameters.supply, parameters.drives or (DIRECT,) * len(parameters.thrusters))
