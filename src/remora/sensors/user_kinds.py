"""User-defined kinds of sensors: `kind: my_file.py:MySensor` in a vehicle file or scenario.

The class has `channels` and `read(truth, environment) -> (status, values)`, as a `Measurement`. The arguments of its
constructor are parameters of the data sheet, besides `mount`. Optional attributes are `groups`, `errors` and
`quantities`, as of bundled kinds.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import astuple
from pathlib import Path
from typing import Any

from remora.files import units
from remora.files.units import Dimension
from remora.files.user_code import UserCodeError, UserCodeNames, raised_in, user_object
from remora.messages.measured_quantities import SelectedChannels
from remora.sensors.data_sheet import DataSheet
from remora.sensors.error_ranges import ErrorRange, Unchecked
from remora.sensors.errors.distortions import WrapAngles
from remora.sensors.errors.error_model import (
    CONDITIONS,
    ChannelGroup,
    NoiseConditions,
    axis_errors,
    converter_effects,
    error_effects,
)
from remora.sensors.errors.streams import Stream
from remora.sensors.kind import SensorComponents, SensorKind, SensorKindError
from remora.sensors.mounting import Mounting
from remora.sensors.sensor import SensorError, SensorProblem
from remora.sensors.user_measurement import UserMeasurement, channels_fault

_NAMES = UserCodeNames("my_file.py:MySensor", "the folder of the file that names it")
_MOUNT = "mount"  # argument of the constructor that is no parameter


def user_kind(name: str, folder: Path) -> SensorKind:
    """The kind of a class `my_file.py:MySensor`; UserCodeError where it cannot be loaded or is no sensor."""
    return kind_of_class(name, user_object(name, folder, _NAMES), folder / name.partition(":")[0])


def kind_of_class(name: str, made_by: Any, file: Path) -> SensorKind:
    """The kind that a class of a file defines; UserCodeError where it is no sensor."""
    if not isinstance(made_by, type):
        called = getattr(made_by, "__name__", name)
        raise UserCodeError(f'{file}: "{called}" is no class. A sensor is a class with channels and read().')
    missing = [needed for needed in ("channels", "read") if not hasattr(made_by, needed)]
    if missing or not callable(getattr(made_by, "read", None)):
        lacks = " and no ".join(missing) or "method read"
        example = 'channels = (SensorChannel("depth", "m"),) and def read(self, truth, environment)'
        raise UserCodeError(f"{file}: {made_by.__name__} has no {lacks}. A sensor needs {example}.")
    try:
        return SensorKind(
            name, _components(made_by, file), errors=_errors(made_by), quantities=getattr(made_by, "quantities", {})
        )
    except SensorKindError as error:
        raise UserCodeError(f"{file}: {error}") from error


def _errors(made_by: type) -> Any:
    """Plausible errors that a class states; otherwise the units of its channels."""
    if (stated := getattr(made_by, "errors", None)) is not None:
        return stated
    channels, groups = getattr(made_by, "channels", ()), getattr(made_by, "groups", None)
    if not isinstance(channels, tuple) or channels_fault(channels):
        prefixes = [""] if groups is None else [group.prefix for group in groups]
        return {prefix: Unchecked("channels that depend on parameters") for prefix in prefixes}
    ranges: dict[str, ErrorRange | Unchecked] = {}
    first = 0
    for group in groups or (ChannelGroup("", len(channels)),):
        ranges[group.prefix] = _unit_range({channel.unit for channel in channels[first : first + group.size]})
        first += group.size
    return ranges


def _unit_range(found: set[str]) -> ErrorRange | Unchecked:
    """Errors of any size in the dimension of a single unit."""
    known = [value for value in vars(units).values() if isinstance(value, Dimension) and {value.units[0]} == found]
    return ErrorRange(known[0], math.inf) if known else Unchecked("channels without a common unit that files know")


def _components(made_by: type, file: Path) -> Callable[[DataSheet, Mounting, Stream], SensorComponents]:
    """Function that makes the measurement from data sheet and mounting."""

    def components(sheet: DataSheet, mounting: Mounting, stream: Stream) -> SensorComponents:
        arguments = _arguments(made_by, sheet, mounting)
        names = [name for name in arguments if name != _MOUNT]
        try:
            inner = made_by(**arguments)
            channels = inner.channels
        except Exception as error:
            message = f"{raised_in(file, error)} while the sensor was made."
            raise SensorError.of(sheet.sensor, SensorProblem("kind", message)) from error
        fault = channels_fault(channels)
        groups = getattr(inner, "groups", None) or (ChannelGroup("", 0 if fault else len(channels)),)
        fault = fault or _layout_fault(inner, len(channels), groups, names)
        if fault:
            message = f"{file}: {made_by.__name__}: {fault}"
            raise SensorError.of(sheet.sensor, SensorProblem("kind", message))
        measurement = UserMeasurement(inner, file, tuple(channels))
        wrap = WrapAngles(tuple(channel.unit == "rad" for channel in channels))
        return SensorComponents(measurement, tuple(groups), conversions=(wrap,) if any(wrap.is_angle) else ())

    return components


def _layout_fault(inner: Any, channels: int, groups: tuple[ChannelGroup, ...], arguments: list[str]) -> str:
    """Message for groups, quantities or arguments that do not fit the channels; empty for valid ones."""
    if (size := sum(group.size for group in groups)) != channels:
        return f"groups has {size} channels, but there are {channels}."
    for quantity, measured in getattr(inner, "quantities", {}).items():
        conversion = measured.conversion
        if isinstance(conversion, SelectedChannels) and max(astuple(conversion.values)) >= channels:
            most = max(astuple(conversion.values))
            return f'quantities["{quantity}"] selects value {most}, but the last one is {channels - 1}.'
    taken = sorted(_common_parameters(groups).intersection(arguments))
    if taken:
        return f'the argument "{taken[0]}" is a parameter of the common error model. Give it another name.'
    return ""


def _common_parameters(groups: tuple[ChannelGroup, ...]) -> frozenset[str]:
    """Names of the parameters of the error model and the timing."""
    sheet, stream = DataSheet("", {}), Stream(0, "")
    axis_errors(sheet, stream, groups)
    error_effects(sheet, stream, groups, NoiseConditions(1.0, CONDITIONS[0]))
    converter_effects(sheet, groups)
    return sheet.asked | {"condition", "start", "latency_jitter", "dropout"}


def _arguments(made_by: type, sheet: DataSheet, mounting: Mounting) -> dict[str, Any]:
    """Arguments of the constructor from the data sheet."""
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    known: Mapping[str, inspect.Parameter] = inspect.signature(made_by).parameters
    arguments: dict[str, Any] = {}
    for name, parameter in known.items():
        if parameter.kind not in named:
            continue
        if name == _MOUNT:
            arguments[name] = mounting.mount
        elif parameter.default is not inspect.Parameter.empty:
            arguments[name] = _given(sheet, name, parameter.default)
        else:
            arguments[name] = sheet.value(name)
            if not sheet.has(name):
                raise SensorError.of(
                    sheet.sensor, SensorProblem(name, f"is missing: {made_by.__name__} takes it without a default.")
                )
    return arguments


def _given(sheet: DataSheet, name: str, default: Any) -> Any:
    """A parameter of the type of its default; the default where it is not given."""
    if isinstance(default, bool):
        return sheet.flag(name, default)
    if isinstance(default, float):
        return sheet.number(name, default)
    if isinstance(default, int):
        return sheet.whole(name, default, -(10**9))
    if isinstance(default, tuple) and default and all(isinstance(item, float) for item in default):
        return sheet.numbers(name, len(default)) or default
    return sheet.value(name) if sheet.has(name) else default
