"""A kind of sensor: measurement, parameters of the data sheet, plausible errors, and quantities for navigation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, final

from remora.files.did_you_mean import suggestion
from remora.files.problems import InputError
from remora.files.quantities import Quantity
from remora.messages.estimate import POSE_AND_MOTION
from remora.messages.measured_quantities import MeasuredQuantities, MeasuredQuantity
from remora.messages.reading import SensorChannel
from remora.messages.truth import BeamGeometry, make_mount
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.error_ranges import ErrorRange, ErrorRanges, Unchecked, figure_fault, parameter_fault
from remora.sensors.errors.error_model import (
    CONDITIONS,
    ChannelGroup,
    NoiseConditions,
    axis_errors,
    converter_effects,
    error_effects,
)
from remora.sensors.errors.streams import Stream
from remora.sensors.sensor import Effect, Measurement, SensorError, SensorProblem
from remora.vehicles.sensor_kinds import ParameterFault
from remora.vehicles.vehicle import SensorEntry, Vehicle

AT_ORIGIN = Mounting(make_mount(), is_oriented=True)  # for data sheets that are only checked


class SensorComponents(NamedTuple):
    """Measurement and effects of a sensor."""

    measurement: Measurement
    groups: tuple[ChannelGroup, ...]  # of the measured channels
    specific: tuple[Effect, ...] = ()  # errors specific to the kind, before the common error model
    conversions: tuple[Effect, ...] = ()  # after all errors
    channels: tuple[SensorChannel, ...] | None = None  # where conversions change them
    geometry: BeamGeometry | None = None  # of ranging sensors


class SensorKindError(InputError):
    """The definition of a kind of sensor is incomplete or contradicts another."""


# Reads the parameters of the data sheet. Those that it only notes are documentation.
ReadComponents: TypeAlias = Callable[[DataSheet, Mounting, Stream], SensorComponents]


def _fits_any_vehicle(entry: SensorEntry, vehicle: Vehicle) -> SensorProblem | None:
    return None


@final
@dataclass(frozen=True)
class SensorKind:
    """Definition of a kind of sensor. All modules below `sensors.kinds` are searched for definitions.

    The vehicle fault is the parameter and message of a sensor that a vehicle cannot carry; None for a valid one.
    """

    name: str  # as files write it
    components: ReadComponents  # from data sheet, mounting and random stream, reading the parameters
    errors: ErrorRanges | None = None  # plausible ones by prefix of the parameters; `Unchecked(reason)` for none
    quantities: MeasuredQuantities | None = None  # of the estimate, given to navigation; {} for none
    max_rate: float | None = None  # Hz, that no such instrument exceeds; None where nothing is known
    needs_position: bool = True  # whether the measurement depends on the position on the vehicle
    vehicle_fault: Callable[[SensorEntry, Vehicle], SensorProblem | None] = _fits_any_vehicle

    def __post_init__(self) -> None:
        for fault in (_errors_fault(self.errors), _quantities_fault(self.quantities)):
            if fault:
                raise SensorKindError(f'kind of sensor "{self.name}": {fault}')

    @property
    def error_ranges(self) -> ErrorRanges:
        """Plausible errors by prefix."""
        return self.errors or {}

    @property
    def measured(self) -> MeasuredQuantities:
        """Quantities for navigation."""
        return self.quantities or {}

    def parameter_fault(self, name: str, parameter: Quantity[Any]) -> ParameterFault | None:
        """Fault in the unit or the size of a parameter; None where there is none."""
        return parameter_fault(self.error_ranges, name, parameter) or figure_fault(name, parameter)

    def data_sheet_faults(self, parameters: Mapping[str, Any], rate: float) -> list[tuple[str, str]]:
        """Wrong parameters of a sensor of this kind, in SI and read at a rate in Hz, each with a message.

        Parameters that are missing are none of them.
        """
        sheet = DataSheet(self.name, parameters)
        try:
            read_sheet(self, sheet, AT_ORIGIN, rate, Stream(0, self.name))
            sheet.finish()
        except SensorError as error:
            return [(field, message) for field, message in error.problems if field in parameters]
        except SensorKindError:
            return []  # of a user-defined kind, refused where a sensor is made
        return []

    def rate_fault(self, rate: float) -> str | None:
        """Message for a rate, in Hz, that is implausible for such an instrument; None for any other."""
        if self.max_rate is None or rate <= self.max_rate:
            return None
        meant = f"Did you mean {rate / 1000.0:g} Hz?" if rate / 1000.0 >= 0.1 else "Check the number and its unit."
        return f"no such instrument samples faster than {self.max_rate:g} Hz, but this is {rate:g} Hz. {meant}"


def _errors_fault(errors: Any) -> str | None:
    """Message for missing or wrong error ranges."""
    if not isinstance(errors, Mapping):
        example = 'errors={"": ErrorRange(LENGTH, 5.0)}, or {"": Unchecked("the reason")}'
        return f"errors is missing: give the plausible errors by the prefix of their parameters, e.g. {example}."
    for prefix, given in errors.items():
        if isinstance(given, ErrorRange) and given.max_error > 0.0:
            continue
        if not isinstance(given, Unchecked) or not given.reason.strip():
            return f'errors["{prefix}"] = {given!r}: give an ErrorRange above zero, or Unchecked with a reason.'
    return None


def _quantities_fault(quantities: Any) -> str | None:
    """Message for missing or wrong quantities."""
    known = ", ".join(POSE_AND_MOTION)
    if not isinstance(quantities, Mapping):
        return f"quantities is missing: give a MeasuredQuantity for each of {known} that it measures; {{}} for none."
    for name, given in quantities.items():
        if name not in POSE_AND_MOTION:
            return f'quantities: navigation has no quantity "{name}". {suggestion(str(name), POSE_AND_MOTION)}'
        if not isinstance(given, MeasuredQuantity):
            return f'quantities["{name}"] = {given!r}: give a MeasuredQuantity.'
    return None


class ReadSheet(NamedTuple):
    """A data sheet as the model of a sensor."""

    components: SensorComponents
    effects: tuple[Effect, ...]  # of all errors and conversions, in order
    timing: tuple[float, float, float]  # s, first sample and latency jitter; share of lost readings


def read_sheet(kind: SensorKind, sheet: DataSheet, mounting: Mounting, rate: float, stream: Stream) -> ReadSheet:
    """Read all parameters of a sensor that samples at a rate in Hz; mistakes are collected in the sheet."""
    parts = kind.components(sheet, mounting, stream)
    check_groups(kind, parts)
    pace = NoiseConditions(rate, sheet.word("condition", CONDITIONS, "static"))
    effects = (
        *axis_errors(sheet, stream, parts.groups),
        *parts.specific,
        *error_effects(sheet, stream, parts.groups, pace),
        *converter_effects(sheet, parts.groups),
        *parts.conversions,
    )
    start = sheet.number("start", 0.0, 0.0)
    jitter = sheet.number("latency_jitter", 0.0, 0.0)
    return ReadSheet(parts, effects, (start, jitter, sheet.number("dropout", 0.0, 0.0, 1.0)))


def check_groups(kind: SensorKind, components: SensorComponents) -> None:
    """Raise SensorKindError for channels that may have errors without a plausible range, or without a group."""
    for group in components.groups:
        if group.prefix not in kind.error_ranges:
            known = ", ".join(f'"{prefix}"' for prefix in kind.error_ranges) or "none"
            message = f'errors has no range for the prefix "{group.prefix}". Known here: {known}.'
            raise SensorKindError(f'kind of sensor "{kind.name}": {message}')
