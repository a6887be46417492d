"""`PackedBatch`: the packed parameters of many vehicles of one layout as one array."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.packed import ENVELOPE_START, Layout, actuator_count, actuator_state_count
from remora.files.arrays import Array
from remora.plant.pack import LARGEST_SPEED, PackedVehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM

Names: TypeAlias = tuple[str, ...]


@final
@dataclass(frozen=True, eq=False)
class PackedBatch:
    """Vehicles of one layout, ready to run: one row of packed parameters each.

    `len()` is their number; an index gives one of them as a `PackedVehicle`.
    """

    rows: Array  # [vehicle, parameter]
    layout: Layout
    locked: tuple[Names, ...]  # locked degrees of freedom of each vehicle, or one entry for all
    simplifications: tuple[Names, ...]  # the same for simplifications

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> PackedVehicle:
        i = range(len(self))[index]
        own = [names[min(i, len(names) - 1)] for names in (self.locked, self.simplifications)]
        return PackedVehicle(self.rows[i], self.layout, *own)

    def __iter__(self) -> Iterator[PackedVehicle]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"PackedBatch({len(self)} vehicles, {self.layout})"

    @property
    def actuators(self) -> int:
        """Number of thrusters, fins, servos and moving masses of each vehicle, in this order."""
        return actuator_count(self.layout)

    @property
    def actuator_states(self) -> int:
        """Size of the actuator part of a state: outputs of the actuators, then speeds of moving masses."""
        return actuator_state_count(self.layout)

    @cached_property
    def envelopes(self) -> Array:
        """Largest valid speeds of each vehicle [vehicle, degree of freedom]; LARGEST_SPEED where there is none."""
        return self.rows[:, ENVELOPE_START : ENVELOPE_START + 6].copy()

    @cached_property
    def has_bounds(self) -> bool:
        """Whether some states are not allowed: a vehicle has an envelope or locked degrees of freedom."""
        return any(self.locked) or bool((self.envelopes < LARGEST_SPEED).any())

    @cached_property
    def locked_axes(self) -> NDArray[np.bool_]:
        """Whether a degree of freedom is locked: [vehicle or one for all, degree of freedom]."""
        return np.array([[name in names for name in DEGREES_OF_FREEDOM] for names in self.locked])


def packed_batch(vehicles: Sequence[PackedVehicle] | PackedBatch) -> PackedBatch:
    """Packed vehicles, or plants with them, as one batch.

    Raises a ValueError for none, for other objects and for vehicles of several layouts.
    """
    if isinstance(vehicles, PackedBatch):
        return vehicles
    if not len(vehicles):
        raise ValueError("no vehicles: give at least one")
    vehicles = [getattr(vehicle, "packed", vehicle) for vehicle in vehicles]  # of a Plant
    for i, vehicle in enumerate(vehicles):
        if not isinstance(vehicle, PackedVehicle):
            raise ValueError(f"vehicle {i} is of type {type(vehicle).__name__}: give plants, as remora.Plant(vehicle)")
    layout = vehicles[0].layout
    for i, vehicle in enumerate(vehicles):
        if vehicle.layout is not layout and vehicle.layout != layout:
            raise ValueError(f"vehicle {i} has layout {vehicle.layout}, the first has {layout}: run them apart")
    rows = np.stack([vehicle.row for vehicle in vehicles])
    locked, simplifications = [v.locked for v in vehicles], [v.simplifications for v in vehicles]
    return PackedBatch(rows, layout, _common(locked), _common(simplifications))


def _common(names: list[Names]) -> tuple[Names, ...]:
    """The names of each vehicle; one entry where all are equal."""
    return (names[0],) if names.count(names[0]) == len(names) else tuple(names)
