"""What every part of a scenario is made from: its options, and what it may know of the vehicle it is made for."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias

from remora.equations.algebra.vectors import ZERO3, Vector3
from remora.files.problems import Path
from remora.files.quantities import Is, Quantity, not_negative, positive
from remora.files.section import Choice, Section
from remora.files.units import FREQUENCY, TIME
from remora.kernels.plant import Plant
from remora.logs.schema import Field
from remora.messages.part import Now, Part, Role
from remora.messages.reading import LOWEST_RATE
from remora.messages.site import Site
from remora.vehicles.vehicle import Sensor as SensorEntry, Vehicle


def _rate(value: float) -> str | None:
    return None if value >= LOWEST_RATE else f"must be above zero, at least {LOWEST_RATE:g} Hz."


Frequency: TypeAlias = Annotated[Quantity[float], Is(FREQUENCY, rule=_rate)]
Duration: TypeAlias = Annotated[Quantity[float], Is(TIME, rule=positive)]
Moment: TypeAlias = Annotated[Quantity[float], Is(TIME, rule=not_negative)]


Four: TypeAlias = tuple[float, float, float, float]  # surge, sway, heave, yaw


class PartOptions(Section):
    """What a scenario may say about any part; each kind of part adds options of its own."""

    choices: ClassVar[tuple[Choice, ...]] = (Choice(("rate", "period"), required=False),)
    part: str
    name: str | None = None
    rate: Frequency | None = None
    period: Duration | None = None
    start: Moment | None = None
    stop: Moment | None = None


class Onboard(NamedTuple):
    """What a part may know when it is made: the vehicle as it is believed to be, and what it carries."""

    name: str  # of the vehicle in the run
    plant: Plant  # the nominal vehicle
    period: float  # s, between the steps of the part
    sensors: Mapping[str, SensorEntry]  # by name
    site: Site
    launch: Vector3 = ZERO3  # where the vehicle is put into the water, m in N
    controllers: tuple[str, ...] = ()  # names of all parts for control
    asked_speeds: Four | None = None  # for control: the largest that the guidance asks for, where it says so

    @property
    def vehicle(self) -> Vehicle:
        """The nominal vehicle."""
        return self.plant.vehicle


class Goal(NamedTuple):
    """Where a part asks the vehicle to be, and the option that says so."""

    path: Path
    depth: float  # m, z in N
    north_east: tuple[float, float] | None = None  # m; None: anywhere


class Beginning(NamedTuple):
    """When something that a part does begins, and the option that says so."""

    path: Path
    time_ns: int


class Remark(NamedTuple):
    """Something about an option that need not be a mistake."""

    path: Path
    text: str


class PartError(ValueError):
    """A part cannot be made from its options; the path leads to the option that is wrong."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path: Path = path


class PartKind(NamedTuple):
    """A part that scenarios can name."""

    name: str
    role: Role
    options: type[PartOptions]
    make: Callable[[Any, Onboard], Part]
    sees_truth: bool = False
    gives: str = ""  # of guidance: the sort of reference
    takes: tuple[str, ...] = ()  # of control: the sorts of reference that it can follow; empty: it needs none
    gives_commands: bool = False  # of control: commands instead of a wrench, so that no allocation follows


class QuietPart(ABC):
    """A part whose output is logged by its role and needs no row of its own."""

    needs: ClassVar[tuple[str, ...]] = ()  # quantities of the estimate without which it can give nothing

    @property
    def fields(self) -> tuple[Field, ...]:
        """None."""
        return ()

    @abstractmethod
    def initial(self) -> Any:
        """The state before the first step."""

    @abstractmethod
    def step(self, state: Any, now: Now) -> tuple[Any, Any]:
        """One sample."""

    def row(self, output: Any) -> Sequence[float]:
        """Nothing."""
        return ()
