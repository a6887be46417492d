"""Sections of a vehicle file: thruster drive and battery."""

import itertools
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import model_validator

from remora.files.quantities import Is, Quantity, not_negative, positive, refused, unit_fault
from remora.files.section import Choice, Section
from remora.files.units import (
    CURRENT,
    ENERGY,
    FORCE,
    POWER,
    POWER_PER_CUBED_SPEED,
    PULSE,
    RATIO,
    RESISTANCE,
    THRUST_PER_PULSE,
    THRUST_PER_SQUARED_PULSE,
    TIME,
    TURN_RATE,
    VOLTAGE,
    Dimension,
)

LONGEST_PULSE = 0.02  # s; servo pulses repeat at 50 Hz
LARGEST_SCATTER = 0.3  # larger values could reverse a thruster
SMALLEST_SLOPE = 1.0  # N/s, one newton per second of pulse width: below any thruster
_Grid: TypeAlias = tuple[tuple[float, ...], ...]


def _pulse_width(value: Any) -> str | None:
    """Rule: a pulse width or a difference of two; a bare number would be in seconds."""
    widths = value if isinstance(value, tuple) else (value,)
    wrong = (width for width in widths if isinstance(width, float) and not 0.0 <= width <= LONGEST_PULSE)
    found = next(wrong, None)
    return None if found is None else f"found {found:g} s, but pulses last about 1500 us. Write the unit, e.g. 1500 us."


def _steep(value: float) -> str | None:
    """Rule: a plausible thrust per pulse width."""
    if value >= SMALLEST_SLOPE:
        return None
    return f"found {value:g} N/s, which no thruster has. Write the unit, e.g. 0.031 N/us."


def _scatter(value: float) -> str | None:
    """Rule: a relative deviation that reverses no thruster."""
    return None if 0.0 <= value <= LARGEST_SCATTER else f"must lie between 0 and {LARGEST_SCATTER:g}."


def _scatter_range(value: tuple[float, float]) -> str | None:
    """Rule: an ordered pair of relative deviations that reverse no thruster."""
    low, high = value
    if not -LARGEST_SCATTER <= low <= high <= LARGEST_SCATTER:
        return f"must be [lowest, highest], each between {-LARGEST_SCATTER:g} and {LARGEST_SCATTER:g}."
    return None


def ordered_band(value: tuple[float, float]) -> str | None:
    """Rule: lowest and highest width of a dead band."""
    low, high = value
    return None if 0.0 <= low <= high else "must be [lowest, highest], neither below zero."


def _rising(value: Any) -> str | None:
    """Rule: a list of numbers in rising order."""
    if not isinstance(value, tuple) or not value or any(isinstance(number, tuple) for number in value):
        return "must be a list of numbers."
    if any(b <= a for a, b in itertools.pairwise(value)):
        return "must be in rising order, each once."
    return None


def _rising_pulses(value: Any) -> str | None:
    """Rule: pulse widths in rising order, at least two."""
    return _rising(value) or _pulse_width(value) or (None if len(value) > 1 else "needs two pulse widths or more.")


Pulse: TypeAlias = Annotated[Quantity[float], Is(PULSE, rule=_pulse_width)]
# The unit depends on the command of the thruster and is checked there.
CommandQuantity: TypeAlias = Annotated[Quantity[float], Is(None, rule=not_negative)]
BandRange: TypeAlias = Annotated[Quantity[tuple[float, float]], Is(None, (2,), ordered_band)]


class PulseSection(Section):
    """Thrust from a pulse width x away from neutral: linear x + quadratic |x| x."""

    linear: Annotated[Quantity[float], Is(THRUST_PER_PULSE, rule=_steep)]
    quadratic: Annotated[Quantity[float], Is(THRUST_PER_SQUARED_PULSE, rule=not_negative)] | None = None


class PulseSpeedSection(Section):
    """Shaft speed from a pulse width x away from neutral: scale |x|^exponent, with x in microseconds."""

    scale: Annotated[Quantity[float], Is(TURN_RATE, rule=positive)]
    exponent: Annotated[Quantity[float], Is(RATIO, rule=positive)]


class TableSection(Section):
    """Thrust and optionally current over pulse width and voltage: one row per voltage."""

    pulses: Annotated[Quantity[tuple[float, ...]], Is(PULSE, None, _rising_pulses)]
    voltages: Annotated[Quantity[tuple[float, ...]], Is(VOLTAGE, None, _rising)]
    thrusts: Annotated[Quantity[_Grid], Is(FORCE, None)]
    currents: Annotated[Quantity[_Grid], Is(CURRENT, None, not_negative)] | None = None

    @model_validator(mode="after")
    def _rows_fit(self) -> "TableSection":
        wide, high = len(self.pulses.value), len(self.voltages.value)
        for key, grid in (("thrusts", self.thrusts), ("currents", self.currents)):
            if grid and not _has_shape(grid.value, high, wide):
                message = f"expected {high} rows of {wide} numbers: one row per voltage, one number per pulse width."
                raise refused("shape", message, key)
        return self


def _has_shape(grid: Any, rows: int, columns: int) -> bool:
    """Whether nested tuples are a grid of numbers of this size."""
    return (
        isinstance(grid, tuple)
        and len(grid) == rows
        and all(isinstance(row, tuple) and len(row) == columns for row in grid)
        and all(isinstance(number, float) for row in grid for number in row)
    )


class PowerSection(Section):
    """Electric power from shaft speed or thrust."""

    choices: ClassVar = (Choice(("per_cubed_speed", "per_thrust")),)
    per_cubed_speed: Annotated[Quantity[float], Is(POWER_PER_CUBED_SPEED, rule=positive)] | None = None
    per_thrust: Annotated[Quantity[float], Is(None, rule=positive, plain_only=True)] | None = None  # W/N^1.5


class DriveSection(Section):
    """Drive model between the command and the thruster input."""

    choices: ClassVar = (
        Choice(("pulse", "pulse_speed", "table"), required=False),
        Choice(("dead_band", "dead_band_range"), required=False),
        Choice(("scatter", "scatter_range"), required=False),
    )
    commands: Literal["pulses", "direct"] | None = None
    pulse: PulseSection | None = None
    pulse_speed: PulseSpeedSection | None = None
    table: TableSection | None = None
    neutral: Pulse | None = None
    resolution: CommandQuantity | None = None
    dead_band: CommandQuantity | None = None
    dead_band_range: BandRange | None = None
    delay: Annotated[Quantity[float], Is(TIME, rule=not_negative)] | None = None
    scatter: Annotated[Quantity[float], Is(RATIO, rule=_scatter)] | None = None
    scatter_range: Annotated[Quantity[tuple[float, float]], Is(RATIO, (2,), _scatter_range)] | None = None
    power: PowerSection | None = None

    @property
    def takes_pulses(self) -> bool:
        """Whether the drive has a pulse law."""
        return bool(self.pulse or self.pulse_speed or self.table)

    @model_validator(mode="after")
    def _commands_belong_to_pulses(self) -> "DriveSection":
        if self.commands and not self.takes_pulses:
            raise refused("key", "is not used without a pulse, pulse_speed or table. Remove it.", "commands")
        if self.commands == "direct" and self.table and self.table.currents:
            message = "direct goes past the table, whose currents then say nothing of the power. Write pulses."
            raise refused("key", message, "commands")
        return self

    @model_validator(mode="after")
    def _neutral_belongs_to_pulses(self) -> "DriveSection":
        if self.takes_pulses and self.neutral is None:
            raise refused("key", "is missing: at which pulse width does the thruster stand? E.g. 1500 us.", "neutral")
        if self.neutral and not self.takes_pulses:
            raise refused("key", "is not used without a pulse, pulse_speed or table. Remove it.", "neutral")
        if self.table and self.neutral:
            first, last = self.table.pulses.value[0], self.table.pulses.value[-1]
            if not first <= self.neutral.value <= last:
                raise refused("physics", "must lie within the pulses of the table.", "neutral")
        return self


def check_drive_fits(drive: DriveSection, plant_command: Dimension) -> None:
    """Refuse a drive whose output does not fit its thruster, or whose resolution has another unit than its command."""
    gives = FORCE if drive.pulse or drive.table else TURN_RATE if drive.pulse_speed else plant_command
    if gives != plant_command:
        law = next(key for key in ("pulse", "pulse_speed", "table") if getattr(drive, key))
        needs = "law: force" if gives == FORCE else "a law of the shaft speed"
        message = f"gives {gives.words}, so the thruster needs {needs} without a command_map."
        raise refused("key", message, "drive", law)
    command = PULSE if drive.takes_pulses else plant_command
    for key in ("resolution", "dead_band", "dead_band_range"):
        quantity = getattr(drive, key)
        if quantity is not None and (fault := command_fault(quantity, command)):
            raise refused("unit", fault, "drive", key)
    if drive.power and drive.power.per_thrust and plant_command != FORCE:
        raise refused("key", "needs law: force; give per_cubed_speed instead.", "drive", "power", "per_thrust")
    if drive.power and drive.power.per_cubed_speed and plant_command == FORCE:
        message = "needs a law of the shaft speed; give per_thrust instead."
        raise refused("key", message, "drive", "power", "per_cubed_speed")
    if drive.power and drive.table and drive.table.currents:
        raise refused("key", "follows from the currents of the table already. Remove one of them.", "drive", "power")


def command_fault(quantity: Quantity[Any], dimension: Dimension) -> str | None:
    """Message for a quantity whose unit does not fit commands of a dimension; None where it fits."""
    fault = None if quantity.unit == "SI" else unit_fault(quantity.unit, dimension)
    return fault or (_pulse_width(quantity.value) if dimension == PULSE else None)


class BatterySection(Section):
    """Battery and hotel load."""

    full_voltage: Annotated[Quantity[float], Is(VOLTAGE, rule=positive)]
    empty_voltage: Annotated[Quantity[float], Is(VOLTAGE, rule=positive)]
    resistance: Annotated[Quantity[float], Is(RESISTANCE, rule=not_negative)]
    capacity: Annotated[Quantity[float], Is(ENERGY, rule=positive)]
    hotel_load: Annotated[Quantity[float], Is(POWER, rule=not_negative)] | None = None

    @model_validator(mode="after")
    def _empties(self) -> "BatterySection":
        if self.empty_voltage.value > self.full_voltage.value:
            raise refused("physics", "must not be above the full_voltage.", "empty_voltage")
        return self
