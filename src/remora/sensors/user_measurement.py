"""Measurement of a user-defined class; its results are checked, and its errors name the file."""

import math
import re
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, final

from remora.files.user_code import raised_in
from remora.messages.reading import SensorChannel, Status, Values
from remora.messages.truth import Truth
from remora.sensors.environment import Environment
from remora.sensors.sensor import MAX_VALUES, Measurement, SensorError

_NAME = re.compile(r"[a-z][a-z0-9_]*")


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
