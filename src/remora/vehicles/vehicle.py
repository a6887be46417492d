"""The loaded vehicle: parameters of the equations, provenance of each number, sensors and metadata."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any, NamedTuple, final

from remora.equations.types import Quaternion, Vector3, Vector6
from remora.vehicles import parameters as numbers
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.sensor_kinds import FindKind


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
@dataclass(frozen=True, repr=False)
class Vehicle:
    """A vehicle with its parameters and the provenance of every number.

    Equal vehicles have equal numbers and texts, whatever file they come from.
    """

    name: str
    title: str
    source: str
    use: str
    notes: str
    file: str = field(compare=False)
    parameters: VehicleParameters
    historical: Historical | None
    sensors: tuple[SensorEntry, ...]
    thruster_facts: tuple[ThrusterFacts, ...]
    figures: Mapping[str, Any]  # SI, named numbers that no equation uses
    accepted: Mapping[str, str]  # accepted findings with their reasons
    provenance: Mapping[str, SourcedValue]  # dotted field path -> number
    implausible_sensors: tuple[tuple[str, str], ...] = ()  # field and message of implausible sensor parameters
    find_kind: FindKind | None = field(default=None, compare=False, repr=False)  # of the kinds of its sensors
    text: str = field(default="", compare=False)  # of its vehicle file
    looks: tuple[Mapping[str, Any], ...] = ()  # solids of the section `looks`, in body axes

    def with_(
        self, changes: Mapping[str, Any] | None = None, *, source: str = "set in Python", **fields: Any
    ) -> "Vehicle":
        """The vehicle with changed fields of its file, validated as a file is.

        Parameters
        ----------
        changes
            Dotted field of the file -> value, such as ``{"thrusters[0].time_constant": "0.1 s"}`` or
            ``{"added_mass.diagonal[0]": 7}``.
        source
            Source of the changed numbers that state none themselves.
        fields
            Fields by name: those at the top of the file, and those of `body`, `water` and `damping`. Values are written
            as in a file: numbers in SI, texts such as "14 kg", lists, arrays or mappings, in the axes of the file. Six
            numbers are a diagonal, six by six a matrix. None removes a field.

        Raises
        ------
        InputError
            For a field that a vehicle file does not have.
        VehicleFileError
            With every problem of the changed vehicle at once.

        Examples
        --------
        >>> from remora import load_vehicle
        >>> heavy = load_vehicle("bluerov2_heavy").with_(mass="14 kg", source="weighed with the skid")
        >>> heavy.parameters.mass, heavy.provenance["body.mass"].source
        (14.0, 'weighed with the skid')
        """
        from remora.vehicles.variants.changed_fields import with_changed_fields

        return with_changed_fields(self, {} if changes is None else changes, fields, source)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the vehicle file, with its comments and sources; `load_vehicle` reads an equal vehicle back.

        An existing file is replaced.

        Raises
        ------
        InputError
            When the path does not end in .yaml, the parameters are not those of the text of the vehicle, or a Python
            file that it names is not found from the folder of the path.
        """
        from remora.vehicles.saving import save_vehicle

        save_vehicle(self, path)

    def check(self) -> bool:
        """Print what `remora check` prints; whether all physical invariants hold."""
        from remora.vehicles.checks.report import print_report

        return print_report(self)

    def __repr__(self) -> str:
        return f"<Vehicle {self.name}: {self.title}>"

    def _repr_html_(self) -> str:
        from remora.vehicles.checks.report import html_summary

        return html_summary(self)


def with_symmetric_heave(vehicle: Vehicle) -> Vehicle:
    """The vehicle with the sinking heave coefficients in both directions; energy and momentum are then conserved."""
    return replace(vehicle, parameters=numbers.with_symmetric_heave(vehicle.parameters))
