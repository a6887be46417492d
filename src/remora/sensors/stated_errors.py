"""Errors that the entry of a sensor states, read as the error model of the simulated sensor reads them."""

import math
from collections.abc import Mapping
from pathlib import Path

from remora.messages.reading import Values
from remora.messages.stated_errors import StatedErrors
from remora.messages.truth import make_mount
from remora.sensors.data_sheet import DataSheet, Mounting
from remora.sensors.errors.error_model import CONDITIONS, ChannelGroup, NoiseConditions, white_std
from remora.sensors.errors.streams import Stream
from remora.sensors.registry import find_kind
from remora.vehicles.vehicle import SensorEntry


def stated_errors(entry: SensorEntry) -> Mapping[str, StatedErrors]:
    """Errors of each group of channels of a sensor, by the prefix of its parameters; a grade is filled in."""
    sheet = DataSheet(entry.name, entry.parameters)
    kind = find_kind(entry.kind, Path(entry.folder))
    mounting = Mounting(make_mount(entry.position or (0.0, 0.0, 0.0), entry.q_BS or (1.0, 0.0, 0.0, 0.0)), True)
    groups = kind.components(sheet, mounting, Stream(0, entry.name)).groups
    pace = NoiseConditions(entry.rate or 1.0, sheet.word("condition", CONDITIONS, "static"))
    return {group.prefix: _errors(sheet, group, pace) for group in groups}


def _errors(sheet: DataSheet, group: ChannelGroup, pace: NoiseConditions) -> StatedErrors:
    prefix, size = group.prefix, group.size

    def numbers(name: str) -> Values:
        return tuple(map(abs, sheet.numbers(prefix + name, size) or (0.0,) * size))

    time = sheet.number("correlation_time", 0.0, 0.0)
    accuracy, wander = numbers("accuracy"), numbers("bias_wander")
    white = white_std(sheet, pace, prefix, size) or (0.0,) * size
    steps = tuple(step / math.sqrt(12.0) for step in numbers("resolution"))
    drift = tuple(gathered / sheet.number(prefix + "drift_time", 1.0, 1e-9) for gathered in numbers("drift"))
    is_slow = any(accuracy) and time > 0.0
    return StatedErrors(
        tuple(map(math.hypot, white, steps, (0.0,) * size if is_slow else accuracy)),
        tuple(map(math.hypot, numbers("bias"), numbers("bias_std"))),
        tuple(map(math.hypot, wander, accuracy if is_slow else (0.0,) * size)),
        time if is_slow else sheet.number(prefix + "bias_wander_time", 100.0, 0.0) if any(wander) else 0.0,
        numbers("bias_walk"),
        tuple(map(math.hypot, numbers("scale_error"), numbers("scale_std"), numbers("scale_asymmetry"))),
        max(numbers("misalignment")) if group.is_vector else 0.0,
        max(numbers("nonorthogonality")) if group.is_vector else 0.0,
        drift if any(drift) else (),
        sheet.number("gyro_force_sensitivity", 0.0, 0.0) if prefix == "gyro_" else 0.0,
    )
