"""The faults of one vehicle on their way through a run: which are there, and what they make of the vehicle."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.vectors import ZERO3, Vector3, add3, scale3
from remora.files.arrays import Array
from remora.kernels.loops import BODY_SIZE
from remora.kernels.pack import PackedVehicle
from remora.kernels.plant import Plant
from remora.sensors.sensor import Sensor
from remora.simulation.faults.actuators import InputEffect, Partial
from remora.simulation.faults.body import (
    CurrentStep,
    Flooding,
    Loss,
    twist_in_changed_current,
    twist_with_water_taken_in,
    with_mass,
)
from remora.simulation.faults.fault import Effect, Fault
from remora.simulation.faults.sensors import HandoverEffect, SensorEffect
from remora.simulation.loop.clock import NEVER
from remora.simulation.plant.packed_overrides import quaternion_in, with_shares
from remora.simulation.setup import Setup, VehicleSetup
from remora.vehicles.checks.actuation import holding_input
from remora.vehicles.parameters import VehicleParameters

_CHANGES_PLANT = (Partial, Loss, Flooding)


class Turn(NamedTuple):
    """A fault begins or ends."""

    step: int
    begins: bool
    place: int  # of the fault in the list of the vehicle


class Note(NamedTuple):
    """What the log is told about a fault."""

    fault: Fault
    state: str  # begins, ends, or what else it came to
    text: str


class FaultMemory(NamedTuple):
    """All that faults carry from one step to the next."""

    turned: int  # how many turns lie behind
    held: tuple[float, ...]  # inputs that kept the outputs of actuators when their faults began
    taken: tuple[float, ...]  # kg of water that each fault has let in


def spoiled_sensor(sensor: Sensor, faults: Sequence[Fault], name: str) -> Sensor:
    """The sensor of a name with all that happens to what it measures."""
    for fault in faults:
        if fault.of == name and isinstance(fault.effect, SensorEffect):
            sensor = fault.effect.around(sensor, fault.start_ns, fault.until_ns)
    return sensor


def handovers(faults: Sequence[Fault], name: str) -> tuple[tuple[Fault, HandoverEffect], ...]:
    """What happens to the readings of a sensor on their way."""
    return tuple((f, f.effect) for f in faults if f.of == name and isinstance(f.effect, HandoverEffect))


@final
class RunningFaults:
    """The faults of a vehicle; `turn` lets everything begin and end that is due."""

    def __init__(self, vehicle: VehicleSetup, setup: Setup) -> None:
        self.faults, self._vehicle = vehicle.faults, vehicle
        self._step_ns, self._history = setup.step_ns, setup.method.history_size
        self._names = vehicle.plant.actuator_names
        self._turns = sorted(_turns(vehicle.faults, setup.step_ns))
        self._turned = 0
        self._active: list[int] = []  # faults that are there now, in the order of the scenario
        self._held, self._taken = [0.0] * len(self.faults), [0.0] * len(self.faults)
        self._parameters = vehicle.plant.vehicle.parameters
        self.packed = self._fitted(vehicle.plant)
        self.shift = ZERO3  # m/s, by how much the current is another, in N
        self._water = ZERO3  # m/s, around the vehicle while faults turn

    def next_step(self, k: int) -> int:
        """The next step after step k at which something changes."""
        if next(self._flowing(), None) is not None:
            return k + 1
        return self._turns[self._turned].step if self._turned < len(self._turns) else NEVER

    def disabled(self) -> tuple[str, ...]:
        """Thrusters that the allocation knows not to use."""
        return tuple(dict.fromkeys(self.faults[i].of for i in self._active if self.faults[i].known_to_allocation))

    @property
    def faulty(self) -> frozenset[str]:
        """Actuators that do not follow their commands now."""
        active = (self.faults[i] for i in self._active)
        return frozenset(fault.of for fault in active if isinstance(fault.effect, InputEffect))

    def inputs(self, asked: Array) -> Array:
        """What reaches the actuators of inputs that the drives give."""
        given = asked
        for i in self._active:
            fault = self.faults[i]
            if isinstance(fault.effect, InputEffect):
                given = given.copy() if given is asked else given
                place = self._names.index(fault.of)
                rest = holding_input(self._parameters, place, 0.0)
                given[place] = fault.effect.given(float(given[place]), self._held[i], rest)
        return given

    def turn(self, k: int, state: Array, water: Vector3) -> tuple[Array, list[Note]]:
        """Let faults begin and end at step k, in water of a velocity in N: the state just after it, what to tell."""
        notes: list[Note] = []
        self._water = water
        for i in list(self._flowing()):
            state = self._take_in(i, k, state)
            if self._is_full(i):
                fault = self.faults[i]
                notes.append(Note(fault, "full", f"{fault.kind}: the compartment is full, {self._taken[i]:g} kg"))
        while self._turned < len(self._turns) and self._turns[self._turned].step <= k:
            turn = self._turns[self._turned]
            self._go_to(self._turned + 1)
            state = self._turn(turn, state)
            fault = self.faults[turn.place]
            notes.append(_note(fault, "begins" if turn.begins else "ends"))
        return state, notes

    def _go_to(self, turned: int) -> None:
        """Put so many turns behind."""
        self._turned, there = turned, set[int]()
        for turn in self._turns[:turned]:
            (there.add if turn.begins else there.discard)(turn.place)
        self._active = sorted(there)

    def _turn(self, turn: Turn, state: Array) -> Array:
        """One fault begins or ends: the state just after it."""
        fault, effect = self.faults[turn.place], self.faults[turn.place].effect
        if isinstance(effect, InputEffect) and turn.begins:
            place = self._names.index(fault.of)
            self._held[turn.place] = holding_input(self._parameters, place, float(state[BODY_SIZE + place]))
        if isinstance(effect, CurrentStep):
            change = effect.change if turn.begins else scale3(-1.0, effect.change)
            state = self._in_changed_current(change, state)
        if isinstance(effect, _CHANGES_PLANT):
            self._refit()
        return state

    def _in_changed_current(self, change: Vector3, state: Array) -> Array:
        twist = twist_in_changed_current(
            self.packed, self._real_parameters(), change, _twist(state), quaternion_in(state), self._water
        )
        self.shift, self._water = self._shift(), add3(self._water, change)
        return self._with_twist(state, twist)

    def _flowing(self) -> Iterator[int]:
        """Faults that let water in now."""
        for i in self._active:
            if isinstance(self.faults[i].effect, Flooding) and not self._is_full(i):
                yield i

    def _is_full(self, index: int) -> bool:
        effect = self.faults[index].effect
        return isinstance(effect, Flooding) and self._taken[index] >= self._parameters.density * effect.volume

    def _take_in(self, index: int, k: int, state: Array) -> Array:
        """The state after the water that has come in by step k."""
        fault, effect = self.faults[index], self.faults[index].effect
        assert isinstance(effect, Flooding)
        elapsed = 1e-9 * (k * self._step_ns - fault.start_ns)
        taken = effect.water(elapsed, self._parameters.density)
        more, self._taken[index] = taken - self._taken[index], taken
        if more <= 0.0:
            return state
        self._refit()
        twist = twist_with_water_taken_in(
            self.packed, more, effect.place, _twist(state), quaternion_in(state), self._water
        )
        return self._with_twist(state, twist)

    def _with_twist(self, state: Array, twist: Sequence[float]) -> Array:
        """The state with another twist; a method that looks back starts anew, because its past is another motion."""
        changed = state.copy()
        changed[7:BODY_SIZE] = twist
        changed[len(changed) - self._history :] = 0.0
        return changed

    def _refit(self) -> None:
        """Pack the vehicle as it is now."""
        plant = self._vehicle.plant
        parameters = self._real_parameters()
        if parameters is not self._parameters:
            plant = Plant(replace(plant.vehicle, parameters=parameters), plant.locked, plant.simplifications)
        self.packed = self._fitted(plant)

    def _fitted(self, plant: Plant) -> PackedVehicle:
        """A packed plant with its drive and with what is left of its actuators."""
        drive = self._vehicle.drive
        packed = plant.packed if drive is None else drive.fitted(plant.packed)
        shares = np.ones(len(self._names))
        for i in self._active:
            effect = self.faults[i].effect
            if isinstance(effect, Partial):
                shares[self._names.index(self.faults[i].of)] *= effect.share
        return packed if (shares == 1.0).all() else with_shares(packed, shares.tolist())

    def _real_parameters(self) -> VehicleParameters:
        """The body as it is now: without what is lost, with the water taken in."""
        parameters = self._parameters
        begun = [turn.place for turn in self._turns[: self._turned] if turn.begins]
        for i in begun:
            effect = self.faults[i].effect
            if isinstance(effect, Loss):
                parameters = effect.left(parameters)
            elif isinstance(effect, Flooding) and self._taken[i] > 0.0:
                parameters = with_mass(parameters, self._taken[i], effect.place)
        return parameters

    def _shift(self) -> Vector3:
        shift = ZERO3
        for i in self._active:
            effect = self.faults[i].effect
            shift = add3(shift, effect.change) if isinstance(effect, CurrentStep) else shift
        return shift

    def memory(self) -> FaultMemory:
        """All that is needed to go on later."""
        return FaultMemory(self._turned, tuple(self._held), tuple(self._taken))

    def recall(self, memory: FaultMemory) -> None:
        """Take up what `memory` gave."""
        self._go_to(memory.turned)
        self._held, self._taken = list(memory.held), list(memory.taken)
        self.shift = self._shift()
        self._refit()


def _turns(faults: Sequence[Fault], step_ns: int) -> Iterator[Turn]:
    """When faults begin and end, on the grid of steps: at the first step that is not before it."""
    for index, fault in enumerate(faults):
        yield Turn(-(-fault.start_ns // step_ns), True, index)
        if fault.stop_ns is not None:
            yield Turn(-(-fault.stop_ns // step_ns), False, index)


def _note(fault: Fault, state: str) -> Note:
    words = fault.effect.words
    return Note(fault, state, f"{fault.kind}: {words}" if state == "begins" else f"{fault.kind} ends")


def _twist(state: Array) -> Any:
    return tuple(state[7:BODY_SIZE].tolist())


def after_change(effect: Effect, parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle after all that an effect does to its mass; ValueError when none is left."""
    if isinstance(effect, Loss):
        return effect.left(parameters)
    if isinstance(effect, Flooding):
        return with_mass(parameters, parameters.density * effect.volume, effect.place)
    return parameters
