"""Active faults of one vehicle in a run, and the resulting plant, inputs, current and sensors."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.vectors import ZERO3, add3, scale3
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.files.units import NEVER
from remora.plant.pack import PackedVehicle
from remora.plant.plant import Plant
from remora.run.faults.actuators import InputEffect, Partial
from remora.run.faults.body import (
    CurrentStep,
    Flooding,
    Loss,
    twist_in_changed_current,
    twist_with_water_taken_in,
    with_mass,
)
from remora.run.faults.fault import Fault, FaultEffect
from remora.run.faults.sensors import DeliveryEffect, SensorEffect
from remora.run.plant.packed_overrides import quaternion_in, with_shares
from remora.run.setup import Setup, VehicleSetup
from remora.sensors.sensor import Sensor
from remora.vehicles.checks.actuation import holding_input
from remora.vehicles.parameters import VehicleParameters

_CHANGES_PLANT = (Partial, Loss, Flooding)


class FaultTransition(NamedTuple):
    """A fault begins or ends."""

    step: int
    begins: bool
    place: int  # index of the fault


class FaultEvent(NamedTuple):
    """Log event of a fault."""

    fault: Fault
    state: str  # begins, ends or full
    text: str


class FaultsSnapshot(NamedTuple):
    """State of the faults between two steps."""

    done: int  # completed transitions
    held: tuple[float, ...]  # inputs that hold the actuator outputs at the start of the faults
    intake: tuple[float, ...]  # kg, water intake of each fault


def faulty_sensor(sensor: Sensor, faults: Sequence[Fault], name: str) -> Sensor:
    """The named sensor wrapped by its faults."""
    for fault in faults:
        if fault.target == name and isinstance(fault.effect, SensorEffect):
            sensor = fault.effect.wrapped(sensor, fault.start_ns, fault.until_ns)
    return sensor


def deliveries(faults: Sequence[Fault], name: str) -> tuple[tuple[Fault, DeliveryEffect], ...]:
    """Delivery faults of a sensor."""
    return tuple((f, f.effect) for f in faults if f.target == name and isinstance(f.effect, DeliveryEffect))


@final
class RunningFaults:
    """The faults of a vehicle; `update` begins and ends those that are due."""

    def __init__(self, vehicle: VehicleSetup, setup: Setup) -> None:
        self.faults, self._vehicle = vehicle.faults, vehicle
        self._step_ns, self._history = setup.step_ns, setup.method.history_size
        self._names = vehicle.plant.actuator_names
        self._transitions = sorted(_transitions(vehicle.faults, setup.step_ns))
        self._done = 0
        self._active: list[int] = []  # indices of active faults, in the order of the scenario
        self._held, self._intake = [0.0] * len(self.faults), [0.0] * len(self.faults)
        self._parameters = vehicle.plant.vehicle.parameters
        self.packed = self._with_faults(vehicle.plant)
        self.current_offset = ZERO3  # m/s in N, change of the current
        self._water = ZERO3  # m/s in N, at the vehicle

    def next_step(self, k: int) -> int:
        """Next step after step k at which a fault changes."""
        # A leak changes mass and balance at every step.
        if next(self._leaks(), None) is not None:
            return k + 1
        return self._transitions[self._done].step if self._done < len(self._transitions) else NEVER

    def disabled(self) -> tuple[str, ...]:
        """Thrusters that the allocation does not use."""
        return tuple(dict.fromkeys(self.faults[i].target for i in self._active if self.faults[i].known_to_allocation))

    @property
    def faulty(self) -> frozenset[str]:
        """Actuators that do not follow their commands at present."""
        active = (self.faults[i] for i in self._active)
        return frozenset(fault.target for fault in active if isinstance(fault.effect, InputEffect))

    def inputs(self, commanded: Array) -> Array:
        """Actuator inputs from the inputs of the drives."""
        given = commanded
        for i in self._active:
            fault = self.faults[i]
            if isinstance(fault.effect, InputEffect):
                # The drives keep their own row, which the faults must not change.
                given = given.copy() if given is commanded else given
                place = self._names.index(fault.target)
                rest = holding_input(self._parameters, place, 0.0)
                given[place] = fault.effect.applied(float(given[place]), self._held[i], rest)
        return given

    def update(self, k: int, state: Array, water: Vector3) -> tuple[Array, list[FaultEvent]]:
        """Begin and end faults at step k; returns the state after it and the log events. Water velocity in N, m/s."""
        notes: list[FaultEvent] = []
        self._water = water
        for i in list(self._leaks()):
            state = self._flood(i, k, state)
            if self._is_full(i):
                fault = self.faults[i]
                notes.append(
                    FaultEvent(fault, "full", f"{fault.kind}: the compartment is full, {self._intake[i]:g} kg")
                )
        while self._done < len(self._transitions) and self._transitions[self._done].step <= k:
            transition = self._transitions[self._done]
            self._skip_to(self._done + 1)
            state = self._apply(transition, state)
            fault = self.faults[transition.place]
            notes.append(_event(fault, "begins" if transition.begins else "ends"))
        return state, notes

    def _skip_to(self, done: int) -> None:
        """Set the number of completed transitions."""
        self._done, there = done, set[int]()
        for transition in self._transitions[:done]:
            (there.add if transition.begins else there.discard)(transition.place)
        self._active = sorted(there)

    def _apply(self, transition: FaultTransition, state: Array) -> Array:
        """Begin or end one fault; returns the state after it."""
        fault, effect = self.faults[transition.place], self.faults[transition.place].effect
        if isinstance(effect, InputEffect) and transition.begins:
            place = self._names.index(fault.target)
            self._held[transition.place] = holding_input(self._parameters, place, float(state[BODY_SIZE + place]))
        if isinstance(effect, CurrentStep):
            change = effect.change if transition.begins else scale3(-1.0, effect.change)
            state = self._in_changed_current(change, state)
        if isinstance(effect, _CHANGES_PLANT):
            self._repack()
        return state

    def _in_changed_current(self, change: Vector3, state: Array) -> Array:
        twist = twist_in_changed_current(
            self.packed, self._current_parameters(), change, _twist(state), quaternion_in(state), self._water
        )
        self.current_offset, self._water = self._current_offset(), add3(self._water, change)
        return self._with_twist(state, twist)

    def _leaks(self) -> Iterator[int]:
        """Faults with water intake at present."""
        for i in self._active:
            if isinstance(self.faults[i].effect, Flooding) and not self._is_full(i):
                yield i

    def _is_full(self, index: int) -> bool:
        effect = self.faults[index].effect
        return isinstance(effect, Flooding) and self._intake[index] >= self._parameters.density * effect.volume

    def _flood(self, index: int, k: int, state: Array) -> Array:
        """The state after the intake up to step k."""
        fault, effect = self.faults[index], self.faults[index].effect
        assert isinstance(effect, Flooding)
        elapsed = 1e-9 * (k * self._step_ns - fault.start_ns)
        taken = effect.water(elapsed, self._parameters.density)
        more, self._intake[index] = taken - self._intake[index], taken
        if more <= 0.0:
            return state
        self._repack()
        twist = twist_with_water_taken_in(
            self.packed, more, effect.place, _twist(state), quaternion_in(state), self._water
        )
        return self._with_twist(state, twist)

    def _with_twist(self, state: Array, twist: Sequence[float]) -> Array:
        """The state with another twist; the history of multistep methods is cleared."""
        changed = state.copy()
        changed[7:BODY_SIZE] = twist
        # A multistep method would carry a rate from before the jump across it.
        changed[len(changed) - self._history :] = 0.0
        return changed

    def _repack(self) -> None:
        """Pack the present vehicle."""
        plant = self._vehicle.plant
        parameters = self._current_parameters()
        if parameters is not self._parameters:
            plant = Plant(replace(plant.vehicle, parameters=parameters), plant.locked, plant.simplifications)
        self.packed = self._with_faults(plant)

    def _with_faults(self, plant: Plant) -> PackedVehicle:
        """The packed plant with its drive and the reduced effectiveness of its actuators."""
        drive = self._vehicle.drive
        packed = plant.packed if drive is None else drive.apply_to(plant.packed)
        shares = np.ones(len(self._names))
        for i in self._active:
            effect = self.faults[i].effect
            if isinstance(effect, Partial):
                shares[self._names.index(self.faults[i].target)] *= effect.share
        return packed if (shares == 1.0).all() else with_shares(packed, shares.tolist())

    def _current_parameters(self) -> VehicleParameters:
        """The vehicle without lost masses and with the water intake."""
        parameters = self._parameters
        # What has begun, active or not: the end of a fault brings no lost mass back and pumps no water out.
        begun = [transition.place for transition in self._transitions[: self._done] if transition.begins]
        for i in begun:
            effect = self.faults[i].effect
            if isinstance(effect, Loss):
                parameters = effect.remaining(parameters)
            elif isinstance(effect, Flooding) and self._intake[i] > 0.0:
                parameters = with_mass(parameters, self._intake[i], effect.place)
        return parameters

    def _current_offset(self) -> Vector3:
        current_offset = ZERO3
        for i in self._active:
            effect = self.faults[i].effect
            current_offset = add3(current_offset, effect.change) if isinstance(effect, CurrentStep) else current_offset
        return current_offset

    def snapshot(self) -> FaultsSnapshot:
        """State for a checkpoint."""
        return FaultsSnapshot(self._done, tuple(self._held), tuple(self._intake))

    def restore(self, snapshot: FaultsSnapshot) -> None:
        """Continue from a snapshot."""
        self._skip_to(snapshot.done)
        self._held, self._intake = list(snapshot.held), list(snapshot.intake)
        self.current_offset = self._current_offset()
        self._repack()


def _transitions(faults: Sequence[Fault], step_ns: int) -> Iterator[FaultTransition]:
    """Transitions of all faults, at the first step not before their times."""
    for index, fault in enumerate(faults):
        yield FaultTransition(-(-fault.start_ns // step_ns), True, index)
        if fault.stop_ns is not None:
            yield FaultTransition(-(-fault.stop_ns // step_ns), False, index)


def _event(fault: Fault, state: str) -> FaultEvent:
    words = fault.effect.summary
    return FaultEvent(fault, state, f"{fault.kind}: {words}" if state == "begins" else f"{fault.kind} ends")


def _twist(state: Array) -> Any:
    return tuple(state[7:BODY_SIZE].tolist())


def after_change(effect: FaultEffect, parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle after the full mass change of an effect; ValueError when no valid vehicle remains."""
    if isinstance(effect, Loss):
        return effect.remaining(parameters)
    if isinstance(effect, Flooding):
        return with_mass(parameters, parameters.density * effect.volume, effect.place)
    return parameters
