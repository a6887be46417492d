"""Motion of vehicles that are joined by links: one coupled integration, and links that attach and end in a run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, final

import numpy as np

from remora.files.arrays import Array
from remora.files.units import SECOND
from remora.logs.schema import Level
from remora.plant.failures import RunError
from remora.plant.multibody import BodyModel, LatchTolerance, Link, LinkError, MultibodyPlant, attach, drift, reactions
from remora.plant.pack import PackedVehicle
from remora.run.loop.errors import vehicle_failure
from remora.run.monitoring.limits import WatchWarning
from remora.run.plant.external_loads import WRENCH_SIZE, aged
from remora.run.recorder import Recorder
from remora.run.setup import LinkPeriod, LinkSetup, Setup

if TYPE_CHECKING:
    from remora.run.plant.motion import VehicleMotion


_DETACHED = (0.0,) * 9  # log row
_NO_GAP = (0.0, 0.0)  # of a latch, which constrains nothing
_ANY = LatchTolerance(np.inf)
_NEVER = "never came inside its latch tolerance"


class LinksSnapshot(NamedTuple):
    """Links between two steps, for a checkpoint."""

    attached: tuple[tuple[Any, ...], ...]  # fields of each attached link
    periods: tuple[int, ...]  # of each link: periods that are over
    warned: tuple[WatchWarning, ...]


@final
class LinkedMotion:
    """Couples the motion of all vehicles with links. `update` attaches and ends links, `moved` integrates a step.

    Motions are those of the vehicles with links, by name; a run without a log has no recorder.
    """

    def __init__(self, setup: Setup, motions: Mapping[str, "VehicleMotion"], recorder: Recorder | None) -> None:
        self._setup, self._motions, self._recorder = setup, dict(motions), recorder
        self._links = {one.name: one for one in setup.links}
        bodies = tuple(BodyModel(name, motion.packed) for name, motion in self._motions.items())
        attached = tuple(one.link for one in setup.links if one.is_attached)
        self._plant = MultibodyPlant(bodies, attached, setup.step_ns / SECOND)
        self._watched = {vehicle.name: bool(vehicle.watch.unfinished) for vehicle in setup.vehicles}
        self._over = dict.fromkeys(self._links, 0)  # periods of each link that are over
        self._warned: list[WatchWarning] = []
        self._partial: dict[int, MultibodyPlant] = {}  # plants of shorter steps, by their length in ns
        self._known: dict[tuple[int, int], Array] = {}  # states by time and start of the step
        self._time_ns, self._logged_ns = 0, -1  # of the present step and of the logged rows
        self._logged: dict[str, tuple[float, ...]] = {}
        for motion in self._motions.values():
            motion.join(self)

    @property
    def warned(self) -> tuple[WatchWarning, ...]:
        """Links that did not attach as asked."""
        return tuple(self._warned)

    def neighbours(self, name: str) -> set[str]:
        """Vehicles that a link joins to a vehicle at present."""
        pairs = [{link.first, link.second} for link in self._plant.links]
        return {other for pair in pairs if name in pair for other in pair} - {name}

    def are_attached(self, names: Iterable[str]) -> bool:
        """Whether all links of these names are attached."""
        return set(names) <= {link.name for link in self._plant.links}

    def invalidate(self) -> None:
        """Forget states within the step, because a state or an input has changed."""
        self._known.clear()

    def set_packed(self, name: str, packed: PackedVehicle) -> None:
        """Continue with another packed vehicle."""
        bodies = [replace(body, packed=packed) if body.name == name else body for body in self._plant.bodies]
        self._set_plant(self._plant.with_bodies(bodies))

    def moved(self, name: str, grid_ns: int) -> Array:
        """Row of a vehicle at the end of the step that begins at grid_ns."""
        return self.row_at(name, grid_ns + self._setup.step_ns, grid_ns)

    def row_at(self, name: str, time_ns: int, grid_ns: int) -> Array:
        """Row of a vehicle at a time within the step that begins at grid_ns."""
        key = (time_ns, grid_ns)
        if key not in self._known:
            self._known = {old: state for old, state in self._known.items() if old[1] == grid_ns}
            self._known[key] = self._propagated(grid_ns, time_ns)
        return self._row(self._known[key], name)

    def acceleration_at(self, name: str, time_ns: int, grid_ns: int) -> Array:
        """Rate of the twist of a vehicle at a time within a step."""
        self.row_at(name, time_ns, grid_ns)
        found = self._plant.accelerations(self._known[time_ns, grid_ns], *self._inputs(time_ns, grid_ns))
        row: Array = found[self._index(name)]
        return row

    def link_row(self, name: str) -> tuple[float, ...]:
        """Log row of a link now: attached, wrench on its second body about the joint, gap in m and rad."""
        if self._logged_ns != self._time_ns:
            self._logged, self._logged_ns = self._link_rows(), self._time_ns
        return self._logged.get(name, _DETACHED)

    def _link_rows(self) -> dict[str, tuple[float, ...]]:
        """Log rows of all attached links."""
        if not self._plant.links:
            return {}
        state = self._gathered()
        wrenches = reactions(self._plant, state, *self._inputs(self._time_ns, self._time_ns))
        gaps = {name: (one.distance, one.angle) for name, one in drift(self._plant, state).links.items()}
        return {
            link.name: (1.0, *row, *gaps.get(link.name, _NO_GAP))
            for link, row in zip(self._plant.links, wrenches.tolist(), strict=True)
        }

    def update(self, time_ns: int) -> None:
        """Attach and end links that are due at a step."""
        self._time_ns = time_ns
        for link in self._links.values():
            period = self._period(link)
            if period is None:
                continue
            is_attached = self.are_attached([link.name])
            if _is_due(period.detach_ns, time_ns):
                self._end_period(link, period, time_ns, is_attached)
            elif not is_attached and _is_due(period.attach_ns, time_ns):
                self._try_to_attach(link, period, time_ns)

    def _period(self, link: LinkSetup) -> LinkPeriod | None:
        """The present or next period of a link; None after the last."""
        over = self._over[link.name]
        return link.periods[over] if over < len(link.periods) else None

    def _end_period(self, link: LinkSetup, period: LinkPeriod, time_ns: int, is_attached: bool) -> None:
        self._over[link.name] += 1
        if not is_attached:
            self._warn(link, f"{_NEVER}{self._missed(link, period)}", time_ns)
            return
        self._set_plant(self._plant.detach(link.name))
        level: Level = "warning" if period.fails else "info"
        self._event(time_ns, link, level, "fails" if period.fails else "detached")

    def _try_to_attach(self, link: LinkSetup, period: LinkPeriod, time_ns: int) -> None:
        """Attach a link that is inside its tolerance; outside it waits, or is given up with a warning."""
        try:
            made = attach(self._plant, self._gathered(), link.link, period.tolerance or _ANY)
        except LinkError as error:
            if not period.waits:
                self._over[link.name] += 1
                self._warn(link, f"did not attach: {error}", time_ns)
            return
        self._set_plant(made.plant)
        for name, motion in self._motions.items():
            motion.set_state(self._row(made.state, name).copy())
        data = {
            "impulse": np.asarray(made.impulse).tolist(),
            "energy_lost": float(made.energy_lost),
            "mismatch": [float(x) for x in made.mismatch],
        }
        self._event(time_ns, link, "info", f"attached, {made.energy_lost:.3g} J lost", data)

    def end(self, time_ns: int) -> None:
        """Warn of links that still wait at the end of the run."""
        for link in self._links.values():
            period = self._period(link)
            if period is not None and period.waits and not self.are_attached([link.name]):
                self._warn(link, f"{_NEVER}{self._missed(link, period)}", time_ns)

    def _missed(self, link: LinkSetup, period: LinkPeriod) -> str:
        """Sentence on the first quantity that is outside the latch tolerance now; empty where none is."""
        try:
            attach(self._plant, self._gathered(), link.link, period.tolerance or _ANY)
        except LinkError as error:
            return f". At the end, {str(error).partition(': ')[2]}"
        return ""

    def snapshot(self) -> LinksSnapshot:
        """State for a checkpoint."""
        fields = Link.__dataclass_fields__
        attached = tuple(tuple(getattr(link, key) for key in fields) for link in self._plant.links)
        return LinksSnapshot(attached, tuple(self._over.values()), tuple(self._warned))

    def restore(self, snapshot: LinksSnapshot) -> None:
        """Continue from a snapshot."""
        self._set_plant(self._plant.with_links([Link(*fields) for fields in snapshot.attached]))
        self._over = dict(zip(self._links, snapshot.periods, strict=True))
        self._warned = list(snapshot.warned)

    def _set_plant(self, plant: MultibodyPlant) -> None:
        self._plant = plant
        self._partial.clear()
        self.invalidate()

    def _index(self, name: str) -> int:
        return list(self._motions).index(name)

    def _row(self, state: Array, name: str) -> Array:
        return self._plant.rows(state)[self._index(name)]

    def _gathered(self) -> Array:
        return np.concatenate([motion.state for motion in self._motions.values()])

    def _inputs(self, time_ns: int, grid_ns: int) -> tuple[Array, Array, Array]:
        """Commands, external wrenches and water of all vehicles at a time within a step."""
        motions: Sequence[VehicleMotion] = tuple(self._motions.values())
        commands = np.concatenate([motion.inputs_at(time_ns) for motion in motions])
        elapsed = (time_ns - grid_ns) / SECOND
        rows = np.array([aged(motion.external_loads.inputs, elapsed) for motion in motions])
        return commands, rows[:, :WRENCH_SIZE], rows[:, WRENCH_SIZE:]

    def _propagated(self, from_ns: int, until_ns: int) -> Array:
        """State of all vehicles at a later time within the step; inputs may change before it."""
        for motion in self._motions.values():
            motion.external_loads.update(from_ns, motion.state)
        state, start_ns = self._gathered(), from_ns
        try:
            while from_ns < until_ns:
                due_ns = min(motion.inputs_due(from_ns) for motion in self._motions.values())
                break_ns = min(due_ns, until_ns)
                plant = self._plant_of(break_ns - from_ns)
                state = plant.step(state, *self._inputs(from_ns, start_ns))
                from_ns = break_ns
        except (RunError, ValueError) as error:
            index = getattr(error, "vehicle", None)
            name = list(self._motions)[index] if isinstance(index, int) else next(iter(self._motions))
            raise vehicle_failure(name, error, from_ns) from error
        return state

    def _plant_of(self, length_ns: int) -> MultibodyPlant:
        """The plant with steps of this length."""
        if length_ns == self._setup.step_ns:
            return self._plant
        if length_ns not in self._partial:
            self._partial[length_ns] = replace(self._plant, time_step=length_ns / SECOND)
        return self._partial[length_ns]

    def _warn(self, link: LinkSetup, text: str, time_ns: int) -> None:
        if self._watched[link.link.second]:
            self._warned.append(WatchWarning(time_ns, link.name, "unfinished", text, 1))
        self._event(time_ns, link, "warning", text)

    def _event(self, time_ns: int, link: LinkSetup, level: Level, text: str, data: Any = None) -> None:
        if self._recorder is not None:
            between = {"first": link.link.first, "second": link.link.second}
            self._recorder.event(time_ns, link.name, level, text, {**between, **(data or {})})


def _is_due(at_ns: int | None, time_ns: int) -> bool:
    return at_ns is not None and time_ns >= at_ns
