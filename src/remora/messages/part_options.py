"""Options of the parts of a scenario, and the vehicle data available when a part is built."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias, final

from remora.equations.algebra.vectors import ZERO3
from remora.equations.types import FourDof, Vector3
from remora.files.problems import InputError, Path, dotted
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Choice, Section
from remora.files.units import FREQUENCY, TIME
from remora.logs.schema import Field
from remora.messages.measured_quantities import MeasuredQuantities
from remora.messages.part import Part, PartInput, Role
from remora.messages.reading import LOWEST_RATE
from remora.messages.site import Site
from remora.messages.stated_errors import StatedErrors
from remora.messages.truth import BeamGeometry
from remora.plant.plant import Plant
from remora.vehicles.vehicle import SensorEntry, Vehicle


def _rate(value: float) -> str | None:
    return None if value >= LOWEST_RATE else f"must be above zero, at least {LOWEST_RATE:g} Hz."


Frequency: TypeAlias = Annotated[Quantity[float], Is(FREQUENCY, rule=_rate)]
Duration: TypeAlias = Annotated[Quantity[float], Is(TIME, rule=positive)]
Moment: TypeAlias = Annotated[Quantity[float], Is(TIME, rule=not_negative)]


class PartOptions(Section):
    """Options common to all parts; each kind of part adds its own."""

    choices: ClassVar[tuple[Choice, ...]] = (Choice(("rate", "period"), required=False),)
    part: str
    name: str | None = None
    rate: Frequency | None = None
    period: Duration | None = None
    start: Moment | None = None
    stop: Moment | None = None


class VehicleContext(NamedTuple):
    """Vehicle data available to a part when it is built: the nominal vehicle and its sensors."""

    name: str  # of the vehicle in the run
    plant: Plant  # the nominal vehicle
    period: float  # s, between the steps of the part
    sensors: Mapping[str, SensorEntry]  # by name
    site: Site
    launch: Vector3 = ZERO3  # m in N, initial position of the vehicle
    measured: Mapping[str, MeasuredQuantities] = MappingProxyType({})  # by kind, `SensorEntry.kind_key`
    errors: Mapping[str, Mapping[str, StatedErrors]] = MappingProxyType({})  # by name of the sensor, prefix of channels
    controllers: tuple[str, ...] = ()  # names of all parts for control
    beams: Mapping[str, BeamGeometry] = MappingProxyType({})  # of ranging sensors, by name
    asked_speeds: FourDof | None = None  # for control: the largest speeds of the guidance, where it states them
    latencies: tuple[float, float] = (0.0, 0.0)  # s, for control: of motion and turn, where navigation states them
    smoothing: float = 0.0  # 1/s, for control: gain of the command smoothing of the allocation; 0 for none
    lacks_sensors: bool = False  # some of its sensors are refused, so that a part is checked but not run
    launch_velocity: Vector3 = ZERO3  # m/s over ground in body axes, initial velocity of the vehicle

    @property
    def vehicle(self) -> Vehicle:
        """The nominal vehicle."""
        return self.plant.vehicle


class PlannedArrival(NamedTuple):
    """Arrival at a goal along the reference of a part, which a vehicle reaches no earlier."""

    time: float  # s after the first reference
    peak_speed: float  # m/s, the largest on the way from the start


class Goal(NamedTuple):
    """A target position of a part, and the option that sets it."""

    path: Path
    depth: float  # m, z in N
    north_east: tuple[float, float] | None = None  # m; None: unconstrained
    altitude: float | None = None  # m above the bed, in place of the depth
    tolerance: float = 0.0  # m, within which it counts as reached
    waits: float = 0.0  # s, least time besides the way to it
    planned: PlannedArrival | None = None  # None: by the way to it and the speeds of the part


class Beginning(NamedTuple):
    """Start time of an action of a part, and the option that sets it."""

    path: Path
    time_ns: int


class Remark(NamedTuple):
    """A remark on an option that is not necessarily a mistake."""

    path: Path
    text: str


class PartError(InputError):
    """A part cannot be built from its options; `path` leads to the wrong option."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path: Path = path
        self.about(dotted(path))


@final
class MissingSensorError(PartError):
    """The vehicle lacks a sensor that a part needs; follows from sensors that are refused themselves, if any are."""


class PartKind(NamedTuple):
    """A kind of part that scenarios can name."""

    name: str
    role: Role
    options: type[PartOptions]
    make: Callable[[Any, VehicleContext], Part]
    sees_truth: bool = False
    gives: str = ""  # of guidance: the kind of reference
    takes: tuple[str, ...] = ()  # of control: the kinds of reference that it follows; empty: it needs none
    gives_commands: bool = False  # of control: commands instead of a wrench, without allocation
    gives_by: Callable[[Any], str] | None = None  # of guidance: the kind of reference where its options decide


class QuietPart(ABC):
    """A part whose output is logged by its role, without log fields of its own."""

    needs: ClassVar[tuple[str, ...]] = ()  # quantities of the estimate that it requires

    @property
    def fields(self) -> tuple[Field, ...]:
        """None."""
        return ()

    @abstractmethod
    def initial(self) -> Any:
        """The state before the first step."""

    @abstractmethod
    def step(self, state: Any, now: PartInput) -> tuple[Any, Any]:
        """One sample."""

    def row(self, output: Any) -> Sequence[float]:
        """Nothing."""
        return ()
