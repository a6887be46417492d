"""The loaded vehicle: parameters of the equations, provenance of each number, sensors and metadata."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

from remora.equations.algebra.quaternions import Quaternion
from remora.equations.algebra.vectors import Vector3, Vector6
from remora.vehicles import parameters as numbers
from remora.vehicles.parameters import VehicleParameters


class SourcedValue(NamedTuple):
    """A number of a vehicle file with unit, source and uncertainty."""

    value: Any  # SI, in the axes of the file; nested tuples for vectors and matrices
    unit: str  # as written in the file
    source: str
    sigma: Any  # one standard deviation in SI, or None


class Historical(NamedTuple):
    """Reason for keeping a vehicle that violates an invariant, and the speeds up to which it may be used."""

    reason: str
    violates: tuple[str, ...]
    envelope: Vector6  # largest |speed| per degree of freedom; infinite where the file names none


class ThrusterFacts(NamedTuple):
    """Data of a thruster that the equations of motion do not use."""

    name: str
    valid_speed: tuple[float, float] | None  # rad/s, shaft speeds for which the thrust law was measured
    diameter: float | None  # m, propeller
    critical_advance_ratio: float | None  # V / (n D) beyond which an opposing flow reverses the jet
    figures: Mapping[str, Any]  # SI


class SensorEntry(NamedTuple):
    """The entry of one sensor in a vehicle file; None where the file gives no value."""

    name: str
    kind: str
    device: str
    notes: str
    position: Vector3 | None  # m, p_BS
    q_BS: Quaternion | None  # rotates sensor vectors into body axes
    rate: float | None  # Hz
    latency: float | None  # s
    parameters: Mapping[str, Any]  # of the data sheet, SI
    folder: str = ""  # to which the path of a user-defined kind is relative

    @property
    def kind_key(self) -> str:
        """The kind; with the folder of its file where it is user-defined."""
        return f"{self.folder}/{self.kind}" if self.folder else self.kind


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
    figures: Mapping[str, Any]  # SI, named numbers that no equation uses
    accepted: Mapping[str, str]  # accepted findings with their reasons
    provenance: Mapping[str, SourcedValue]  # dotted field path -> number
    implausible_sensors: tuple[tuple[str, str], ...] = ()  # field and message of implausible sensor parameters


def with_symmetric_heave(vehicle: Vehicle) -> Vehicle:
    """The vehicle with the sinking heave coefficients in both directions; energy and momentum are then conserved."""
    return replace(vehicle, parameters=numbers.with_symmetric_heave(vehicle.parameters))
