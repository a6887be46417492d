"""A vehicle as loaded: its parameters, and what people and later parts want to know about it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Vector3, Vector6
from remora.vehicles import parameters as numbers
from remora.vehicles.parameters import VehicleParameters


class Figure(NamedTuple):
    """A number of a vehicle file with where it comes from."""

    value: Any  # SI, in the axes of the file; nested tuples for vectors and matrices
    unit: str  # as written in the file
    source: str
    sigma: Any  # one standard deviation in SI, or None


class Historical(NamedTuple):
    """Why a vehicle is kept although it breaks an invariant."""

    reason: str
    violates: tuple[str, ...]
    envelope: Vector6  # largest |speed| per degree of freedom; infinite where the file names none


class ThrusterFacts(NamedTuple):
    """What is known of a thruster and not used by the plant."""

    name: str
    valid_speed: tuple[float, float] | None  # rad/s, shaft speeds between which its law is known to hold
    diameter: float | None  # m, of its propeller
    losing_ratio: float | None  # of advance and shaft speed x diameter beyond which its jet loses against the flow
    figures: Mapping[str, Any]  # SI


class SensorEntry(NamedTuple):
    """One sensor, as far as it is known."""

    name: str
    kind: str
    device: str
    notes: str
    position: Vector3 | None  # m, p_BS
    q_BS: Quaternion | None  # turns vectors of the sensor into the body
    rate: float | None  # Hz
    latency: float | None  # s
    parameters: Mapping[str, Any]  # of the data sheet, SI


@final
@dataclass(frozen=True)
class Vehicle:
    """A vehicle with its parameters and the provenance of every number."""

    name: str
    title: str
    source: str
    use: str
    notes: str
    file: str
    parameters: VehicleParameters
    historical: Historical | None
    sensors: tuple[SensorEntry, ...]
    thruster_facts: tuple[ThrusterFacts, ...]
    figures: Mapping[str, Any]  # SI, named numbers that no equation reads
    accepted: Mapping[str, str]  # findings that the file stands by, with the reason
    provenance: Mapping[str, Figure]  # dotted field -> number


def with_one_heave_mass(vehicle: Vehicle) -> Vehicle:
    """The same vehicle with the heave of sinking both ways, for which energy and impulse are conserved."""
    return replace(vehicle, parameters=numbers.with_one_heave_mass(vehicle.parameters))
