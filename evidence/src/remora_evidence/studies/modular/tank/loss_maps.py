"""modular-14.7-map: thrust lost over pulse width and towing speed, with 99 % bars. Nielsen 2018, section 5.4."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from remora.equations.actuators.drives import speed_from_pulse
from remora.equations.actuators.thrusters import static_thrust, thrust
from remora.files.arrays import Array
from remora.identification.bench import LossMap, thrust_loss_band, thrust_loss_map
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.modular.tank.tank_tests import (
    SPEED_LAW,
    WAY_PULSES,
    WAY_SPEEDS,
    twin_under_way,
    way_data,
    way_thruster,
)

MONOTONE_UP_TO = 0.5  # m/s


@cache
def loss_map(seed: int) -> LossMap:
    """The map of the twin."""
    pulses, shaft_speeds, tow_speeds, _ = way_data(seed)
    return thrust_loss_map(twin_under_way(seed), pulses, shaft_speeds, tow_speeds)


@cache
def true_losses() -> Array:
    """What is lost without noise: a row for each pulse width, a column for each towing speed."""
    one, shaft = way_thruster(), [speed_from_pulse(SPEED_LAW, pulse - 1500.0) for pulse in WAY_PULSES.tolist()]
    return np.array([[1.0 - thrust(one, n, way) / static_thrust(one, n) for way in WAY_SPEEDS] for n in shaft])


@cache
def curve_bars(seed: int) -> Array:
    """Half widths of the 99 % band of the fitted curve, in the order of the map."""
    curve, ways = twin_under_way(seed).curve, np.array(WAY_SPEEDS)
    shaft: Any = [speed_from_pulse(SPEED_LAW, pulse - 1500.0) for pulse in WAY_PULSES.tolist()]
    bands = [thrust_loss_band(curve, n, ways) for n in shaft]
    return np.array([0.5 * (high - low) for _, low, high in bands])


def mapped_losses(seeds: Sequence[int]) -> list[Value]:
    """How often the bars hold the truth, how wide they are, and whether the loss grows with speed."""
    maps, true = [loss_map(seed) for seed in seeds], true_losses()
    held = 100.0 * np.mean([(one.low <= true) & (true <= one.high) for one in maps])
    half = 100.0 * np.mean([0.5 * (one.high - one.low) for one in maps], axis=(0, 1))
    curve = 100.0 * np.mean([curve_bars(seed) for seed in seeds], axis=(0, 1))
    return [
        ("bars that hold the true loss, all cells and seeds", float(held)),
        (
            "loss that does not grow with speed up to 0.5 m/s, pulse widths beyond their bars",
            float(max(_falling(one) for one in maps)),
        ),
        *((f"half width of the bars at {way} m/s, mean", half[j]) for j, way in ((0, 0.1), (-1, 0.9))),
        *(
            (f"half width of the bars of the fitted curve at {way} m/s, mean", curve[j])
            for j, way in ((0, 0.1), (-1, 0.9))
        ),
        ("largest error of a cell", 100.0 * max(float(np.abs(one.loss - true).max()) for one in maps)),
    ]


def _falling(one: LossMap) -> int:
    """Pulse widths at which the loss falls from one towing speed to the next by more than both bars allow."""
    slow = one.tow_speeds <= MONOTONE_UP_TO
    return int((one.high[:, slow][:, 1:] < one.low[:, slow][:, :-1]).any(axis=1).sum())


STUDIES: dict[str, StudyFunction] = {"modular-14.7-map": mapped_losses}
