"""User-defined kinds of sensors: `kind: my_file.py:MySensor` in a vehicle file or scenario.

The class has `channels` and `read(truth, environment) -> (status, values)`, as a `Measurement`. The arguments of its
constructor are parameters of the data sheet, besides `mount`. Optional attributes are `groups`, `errors` and
`quantities`, as of bundled kinds.
"""

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from numbers import Real
from pathlib import Path
from typing import Any, final

from remora.files import units
from remora.files.units import Dimension
from remora.files.user_code import UserCodeError, UserCodeNames, raised_in, user_object
from remora.messages.measured_quantities import SelectedChannels
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Truth
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.environment import Environment
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
from remora.sensors.sensor import MAX_VALUES, Measurement, SensorError, SensorProblem

_NAMES = UserCodeNames("my_file.py:MySensor", "the folder of the file that names it")
_MOUNT = "mount"  # argument of the constructor that is no parameter
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def user_kind(name: str, folder: Path) -> SensorKind:
    """The kind of a class `my_file.py:MySensor`; UserCodeError where it cannot be loaded or is no sensor."""
    file = folder / name.partition(":")[0]
    made_by = user_object(name, folder, _NAMES)
    if not isinstance(made_by, type):
        raise UserCodeError(
            f'{file}: "{name.partition(":")[2]}" is no class. A sensor is a class with channels and read().'
        )
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


def channels_fault(channels: Any) -> str:
    """Message for channels that a log cannot hold; empty for valid ones."""
    example = 'such as channels = (SensorChannel("depth", "m"),)'
    if not isinstance(channels, (tuple, list)) or not all(isinstance(one, SensorChannel) for one in channels):
        return f"channels = {channels!r}: give a tuple of SensorChannel, {example}."
    if not 1 <= len(channels) <= MAX_VALUES:
        return f"has {len(channels)} channels. Give at least one and at most {MAX_VALUES}, {example}."
    for one in channels:
        if not _NAME.fullmatch(one.name) or one.name in ("status", "latency"):
            return f'channel "{one.name}": give lower-case letters, digits and _, and neither status nor latency.'
        if not one.unit:
            return f'channel "{one.name}" has no unit. Give one in SI, "1" for a plain number.'
    names = [one.name for one in channels]
    twice = sorted({name for name in names if names.count(name) > 1})
    return f'two channels are called "{twice[0]}". Give each another name.' if twice else ""


@final
@dataclass(frozen=True)
class UserMeasurement(Measurement):
    """Calls the user's object and checks what it returns."""

    inner: Any
    file: Path
    labels: tuple[SensorChannel, ...]

    @property
    def channels(self) -> tuple[SensorChannel, ...]:
        """As the object stated when it was made."""
        return self.labels

    def read(self, truth: Truth, environment: Environment) -> tuple[Status, Values]:
        """The reading of the object."""
        return self._checked("read", truth, environment)

    def sample(self, truth: Truth, environment: Environment, k: int) -> tuple[Status, Values]:
        """Sample k of an object that scans; its reading otherwise."""
        if getattr(type(self.inner), "sample", Measurement.sample) is Measurement.sample:
            return self.read(truth, environment)
        return self._checked("sample", truth, environment, k)

    def cause_of_loss(self, truth: Truth, environment: Environment) -> str:
        """As the object says; empty where it does not."""
        return str(self._called("cause_of_loss", truth, environment)) if hasattr(self.inner, "cause_of_loss") else ""

    def _called(self, method: str, *arguments: Any) -> Any:
        """Result of a method; SensorError with file and line where it raises."""
        try:
            return getattr(self.inner, method)(*arguments)
        except Exception as error:
            raise SensorError(raised_in(self.file, error)) from error

    def _checked(self, method: str, *arguments: Any) -> tuple[Status, Values]:
        """Status and values of a method; SensorError where they are not what a reading holds."""
        result = self._called(method, *arguments)
        fault = _pair_fault(result) or _values_fault(result[0], result[1], self.labels)
        if fault:
            name = f"{type(self.inner).__name__}.{method}()"
            raise SensorError(f"{self.file}: {name} returned {_shortened(result)}: {fault.removesuffix('.')}")
        status, values = result
        return status, tuple(map(float, values)) if status <= Status.PARTIAL else ()


def _pair_fault(result: Any) -> str:
    """Message for a result that is no pair of status and values."""
    if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[0], Status):
        return "give a status and the values, such as (Status.OK, (1.0,))."
    return ""


def _values_fault(status: Status, values: Any, channels: tuple[SensorChannel, ...]) -> str:
    """Message for values that do not fit the channels."""
    if status > Status.PARTIAL:
        return ""
    names = ", ".join(channel.name for channel in channels[:5]) + (", ..." if len(channels) > 5 else "")
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or not hasattr(values, "__iter__"):
        return f"the values must be a tuple of numbers, one for each channel: {names}."
    if len(values) != len(channels):
        return f"found {len(values)} values for {len(channels)} channels: {names}."
    for channel, value in zip(channels, values, strict=True):
        if isinstance(value, bool) or not isinstance(value, Real):
            return f"{channel.name} is no number."
        if math.isinf(value) or (math.isnan(value) and status is Status.OK):
            return f"{channel.name} is {float(value)}. Without a value give Status.NO_LOCK, or PARTIAL and a NaN."
    return ""


def _shortened(result: Any) -> str:
    text = repr(result)
    return text if len(text) <= 80 else text[:77] + "..."
