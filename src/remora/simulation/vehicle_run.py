"""One vehicle on its way through a run: its sensors, the parts of its loop, and the compiled plant."""

import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from remora.equations.packed import outputs_count
from remora.equations.vectors import ZERO3, ZERO6, Vector3, Wrench, add6
from remora.kernels import running
from remora.kernels.compilation import kernels_for
from remora.kernels.failures import RunError
from remora.kernels.loops import BODY_SIZE, Array
from remora.kernels.pack import PackedVehicle, resting_outputs
from remora.logs.problems import seconds
from remora.logs.schema import Level
from remora.navigation.estimate import Estimate
from remora.sensors.reading import Reading, Status, nothing
from remora.sensors.truth import Truth
from remora.simulation.around import Around
from remora.simulation.clock import SECOND
from remora.simulation.faults.body import Snag
from remora.simulation.faults.running import Note, RunningFaults
from remora.simulation.influences import InfluenceMemory, Influences, drifted
from remora.simulation.informing import informed_part, lost_directions
from remora.simulation.roles import Allotment, Life, Now, Role
from remora.simulation.running_parts import NEVER, NOBODY, RunningPart, RunningSensor
from remora.simulation.setup import ScheduledPart, Setup, VehicleSetup
from remora.world.contact import Change

_WAITING, _ACTIVE = Life.WAITING, Life.ACTIVE
_OK = Status.OK
_new_tuple = tuple.__new__


class LoopError(RuntimeError):
    """A part of the loop failed: which one, of which vehicle, and when."""

    def __init__(self, what: str, time_ns: int) -> None:
        super().__init__(f"{what}, at {seconds(time_ns)}")
        self.time_ns = time_ns


class Memory(NamedTuple):
    """All that a vehicle carries from one step to the next: plain data, to be stored and taken up again."""

    state: Array
    commands: Array
    inputs: Array
    parts: tuple[tuple[Any, ...], ...]
    sensors: tuple[tuple[Any, int, int, bool], ...]
    on_their_way: tuple[Reading, ...]
    readings: dict[str, Reading]
    missing: Wrench
    drive: Any
    energy: Any
    faults: Any
    influences: InfluenceMemory


class Listener(NamedTuple):
    """Where a vehicle tells what happens to it; a run without a log has none."""

    reading: Callable[[Reading, int], None]  # and when it was measured, whatever its stamp says
    output: Callable[[ScheduledPart, int, Any], None]
    life: Callable[[ScheduledPart, int, Life, Life], None]
    event: Callable[[str, int, Level, str, Mapping[str, Any]], None]
    sample: Callable[["VehicleRun", int], None]


@final
class VehicleRun:
    """Runs one vehicle. `act` lets everything happen that is due at a step of the grid, `move` goes on to the next."""

    def __init__(self, setup: Setup, vehicle: VehicleSetup, listener: Listener | None = None) -> None:
        self.setup, self.vehicle, self.name = setup, vehicle, vehicle.name
        self.listener = listener
        self._step_ns = setup.step_ns
        self._log_period = NEVER if listener is None else (setup.log_period_ns or _log_period(setup)) // setup.step_ns
        packed = vehicle.plant.packed if vehicle.drive is None else vehicle.drive.fitted(vehicle.plant.packed)
        self._fit(packed)
        self._actuators = packed.actuators
        self._faults = RunningFaults(vehicle, setup) if vehicle.faults else None
        self._next_fault = NEVER if self._faults is None else self._faults.next_step(-1)
        self._codes: NDArray[np.int64] = np.array(packed.layout, dtype=np.int64)
        self.influences = Influences(setup, vehicle)
        self._rate_kernels: dict[int, Any] = {}  # by how many numbers the water has
        self._rate = np.zeros(BODY_SIZE + packed.carried)
        self._rate_outputs = np.zeros(outputs_count(packed.layout))
        self.state: Array = np.array(vehicle.start, dtype=float)
        self._surroundings = self.influences.surroundings
        self._is_steady, self._is_pushed = self.influences.are_steady, not self.influences.are_only_water
        self._steady_water = self.influences.water_around(ZERO3)  # the current where it is alike everywhere and always
        self._felt_ns = -1  # the step whose influences are among the surroundings
        self._age_at, self._looked_ns, self._look_ns = 0, 0, -1  # of water alone: when to look at it anew
        self.commands: Array = resting_outputs(packed)
        self._commands_shape, self._rest = self.commands.shape, self.commands
        self._inputs = self.commands
        self.missing: Wrench = ZERO6
        self._begin_parts()
        self._begin_drive()
        self._truth: Truth | None = None
        self.measuring_ns = 0  # when the latest sample was taken
        self.whereabouts: Callable[[str], Vector3 | None] = _nowhere
        self._plan_next()

    def _begin_parts(self) -> None:
        """Parts and sensors before their first step."""
        has_allocation = any(part.role == Role.ALLOCATION for part in self.vehicle.parts)
        in_order = sorted(self.vehicle.parts, key=lambda part: part.role)
        self._parts = [RunningPart(part, self._step_ns, has_allocation) for part in in_order]
        self._controllers = [part for part in self._parts if part.gives_wrench]
        self._navigation = next((part for part in self._parts if part.scheduled.role == Role.NAVIGATION), NOBODY)
        self._guidance = next((part for part in self._parts if part.scheduled.role == Role.GUIDANCE), NOBODY)
        self._sensors = [
            RunningSensor(sensor, self.vehicle.name, self.vehicle.faults) for sensor in self.vehicle.sensors
        ]
        self._on_their_way: list[Reading] = []
        self._readings: dict[str, Reading] = {}
        self._known = MappingProxyType(self._readings)

    def _begin_drive(self) -> None:
        """Drive and battery before the first command."""
        # A drive that lets all commands through at once only fits the plant, and is not asked again.
        self._drive = None if self.vehicle.drive is None or self.vehicle.drive.is_direct else self.vehicle.drive
        self._energy = self.vehicle.energy
        self._has_extras = bool(self._is_pushed or self._drive or self._energy)
        outputs = self.state[BODY_SIZE : BODY_SIZE + self._actuators].tolist()
        self._drive_state: Any = None
        self._energy_state: Any = None if self._energy is None else self._energy.initial()
        self.power: tuple[float, float, float] | None = None
        self._beyond_table: tuple[str, ...] = ()
        if self._drive is not None:
            begun = self._drive_state = self._drive.initial(outputs)
            self._inputs = self._drive.inputs(begun, 0)
        if self._energy is not None:
            self._draw_power(0)

    def _plan_next(self) -> None:
        """The next step of the grid at which anything is due."""
        parts = min((part.next for part in self._parts), default=NEVER)
        parts = min(parts, self._next_fault)  # looked at together, so that a run without faults does not pay for them
        sensors = min((sensor.next_ns for sensor in self._sensors), default=NEVER)
        self._next_part, self._next_sensor_ns = parts, sensors

    def suffer(self, k: int) -> None:
        """Let faults begin and end that are due at step k."""
        if self._next_fault <= k:
            self._feel(k * self._step_ns)
            self._turn_faults(k, k * self._step_ns)

    def act(self, k: int) -> None:
        """Let sensors measure and parts run that are due at step k, in the order of their roles."""
        time_ns = k * self._step_ns
        if self._next_fault <= k:
            self.suffer(k)
        if not self._is_steady:
            self._feel(time_ns)
        if self._next_sensor_ns <= time_ns:
            self._measure_until(time_ns, time_ns)
        if self._next_part <= k:
            if self._on_their_way:
                self._deliver(time_ns)
            self._run_parts(k, time_ns)
        if k % self._log_period == 0 and self.listener is not None:
            self.listener.sample(self, time_ns)

    def advance(self, first: int, last: int) -> None:
        """All that happens from one step of the grid until another, for a vehicle that is alone in its run."""
        step_ns, stepper, log_period = self._step_ns, self._stepper, self._log_period
        k, is_steady = first, self._is_steady
        try:
            for k in range(first, last):
                if self._next_part <= k or k % log_period == 0 or self._next_sensor_ns <= k * step_ns:
                    self.act(k)
                    stepper = self._stepper  # a fault may have changed the vehicle
                if self._has_extras or self._next_sensor_ns < (k + 1) * step_ns:
                    self.measure(k)
                    self.move(k)
                else:
                    if not is_steady:
                        self._feel(k * step_ns)
                    self.state = stepper(self.state, self._inputs, self._surroundings)
                    self._truth = None
        except (RunError, ValueError) as error:
            raise self._failure(error, k * step_ns) from error

    def settle(self, time_ns: int) -> None:
        """Bring the water up to the end of the run, where no step begins."""
        if 0 <= self._felt_ns < time_ns and not self._is_pushed:
            self.influences.go_on((time_ns - self._felt_ns) / SECOND)

    def _fit(self, packed: PackedVehicle) -> None:
        """Go on with this packed vehicle."""
        self._packed = packed
        self._stepper = running.Stepper(packed, self._step_ns / SECOND, self.setup.method)

    def _turn_faults(self, k: int, time_ns: int) -> None:
        """Let faults begin and end that are due at step k."""
        assert self._faults is not None
        try:
            self.state, notes = self._faults.turn(k, self.state, self.water_velocity)
            for note in notes:
                self._catch_line(note, time_ns)
        except ValueError as error:
            raise self._failure(error, time_ns) from error
        self._next_fault = self._faults.next_step(k)
        self._truth, self._felt_ns = None, -1
        for note in notes:
            self._tell_fault(note, time_ns)
        self._suffer_faults(time_ns)

    def _suffer_faults(self, time_ns: int | None) -> None:
        """Take over what the faults in force make of vehicle, water, allocation and inputs; a time: and tell it."""
        faults = self._faults
        if faults is None:
            return
        if faults.packed is not self._packed:
            self._fit(faults.packed)
        self.influences.change_current(faults.shift)
        self._surroundings, self._steady_water = self.influences.surroundings, self.influences.water_around(ZERO3)
        self._inform_allocation(faults.disabled(), time_ns)
        if time_ns is not None:
            asked = self.commands if self._drive is None else self._drive.inputs(self._drive_state, time_ns)
            self._inputs = faults.inputs(asked)
        self._plan_next()

    def _catch_line(self, note: Note, time_ns: int) -> None:
        """Catch a tether, or let it go unless it is caught once more."""
        fault, snags = note.fault, [one for one in self.vehicle.faults if isinstance(one.effect, Snag)]
        if not isinstance(fault.effect, Snag):
            return
        if note.state == "begins":
            self.influences.snag(fault.of, fault.effect.along)
        elif not any(one.of == fault.of and one.holds(time_ns) for one in snags):
            self.influences.free(fault.of)

    def _inform_allocation(self, disabled: tuple[str, ...], time_ns: int | None) -> None:
        """Let the allocation do without some thrusters, from its next step on."""
        for part in self._parts:
            if part.scheduled.role != Role.ALLOCATION or part.disabled == disabled:
                continue
            known, part.disabled = informed_part(part.scheduled.part, disabled), disabled
            part.step = known.step
            if time_ns is not None and self.listener is not None:
                lost = lost_directions(part.scheduled.part, known)
                words = f"does without {', '.join(disabled)}" if disabled else "uses all thrusters again"
                words += f"; cannot make {', '.join(lost)}" if lost else ""
                data = {"disabled": list(disabled), "lost": list(lost)}
                self.listener.event(f"{self.name}/{part.scheduled.name}", time_ns, "warning", words, data)

    def _tell_fault(self, note: Note, time_ns: int) -> None:
        if self.listener is not None:
            fault = note.fault
            data = {"fault": fault.kind, "of": fault.of, "state": note.state, **fault.effect.figures}
            source = f"{self.name}/{fault.of}" if fault.of else self.name
            self.listener.event(source, time_ns, "warning", note.text, data)

    def measure(self, k: int) -> None:
        """Work out what acts over the step that begins at step k, and take all samples within it."""
        time_ns = k * self._step_ns
        self._feel(time_ns)
        if self._next_sensor_ns < time_ns + self._step_ns:
            self._measure_until(time_ns, time_ns + self._step_ns - 1)

    def move(self, k: int) -> None:
        """Carry the vehicle over the step that begins at step k of the grid, all samples within it being taken."""
        time_ns = k * self._step_ns
        end_ns = time_ns + self._step_ns
        try:
            if self._drive is None:
                self.state = self._stepper(self.state, self._inputs, self._surroundings)
            else:
                self.state = self._carried(time_ns, end_ns)
        except (RunError, ValueError) as error:
            raise self._failure(error, time_ns) from error
        if self._energy is not None:
            self._draw_power(self._step_ns)
        if self._is_pushed:
            self._tell_touches(self.influences.pass_on(), time_ns)
        self._truth = None

    def _tell_touches(self, found: tuple[Change, ...], time_ns: int) -> None:
        if self.listener is not None:
            for change in found:
                data = {"other": change.other, "begins": change.begins}
                level: Level = "warning" if change.begins else "info"
                self.listener.event(f"{self.name}/contact", time_ns, level, change.words, data)

    def _draw_power(self, elapsed_ns: int) -> None:
        assert self._energy is not None
        outputs = tuple(self.state[BODY_SIZE : BODY_SIZE + self._actuators].tolist())
        commands = tuple(self.commands.tolist())
        self._energy_state, *power = self._energy.step(self._energy_state, outputs, commands, elapsed_ns)
        self.power = (power[0], power[1], power[2])

    def _feel(self, grid_ns: int) -> None:
        """Let all that acts over the step that begins at a time of the grid act, on sensors as on the plant."""
        if self._is_steady or self._felt_ns == grid_ns:
            return
        if 0 <= self._felt_ns < grid_ns < self._look_ns:
            self._felt_ns, self._surroundings[self._age_at] = grid_ns, 1e-9 * (grid_ns - self._looked_ns)
            return
        try:
            if self._is_pushed:
                self._surroundings = self.influences.feel(grid_ns, self.state, self._rate_under)
            else:
                self._surroundings, self._age_at, self._look_ns = self.influences.feel_water(grid_ns, self.state)
                self._looked_ns = self.influences.looked_ns
        except (RunError, ValueError) as error:
            raise self._failure(error, grid_ns) from error
        self._felt_ns = grid_ns

    def _rate_under(self, surroundings: Array) -> Array:
        """The rate of the state under a wrench and in water."""
        return self._rate_of(self.state, surroundings)

    def _rate_of(self, state: Array, surroundings: Array) -> Array:
        kernel, rate, water = self._rate_kernels.get(surroundings.size), self._rate, surroundings[6:]
        if kernel is None:
            kernel = self._rate_kernels[surroundings.size] = kernels_for(self._packed.layout, water.size).rate
        inputs = np.concatenate([surroundings[:6], self._inputs, water])
        kernel(self._packed.row, self._codes, state[: rate.size], inputs, self._rate_outputs, rate)
        return rate

    def _carried(self, from_ns: int, until_ns: int) -> Array:
        """The state at a later time: a step of the grid, or a part of it; inputs may change on the way."""
        try:
            return self._moved(from_ns, until_ns)
        except (RunError, ValueError) as error:
            raise self._failure(error, from_ns) from error

    def _moved(self, from_ns: int, until_ns: int) -> Array:
        """The same, with the errors of the plant."""
        state, start_ns = self.state, from_ns
        while from_ns < until_ns:
            break_ns, inputs = until_ns, self._inputs
            if self._drive is not None:
                inputs = self._reaching(self._drive.inputs(self._drive_state, from_ns))
                due_ns = self._drive.due(self._drive_state, from_ns)
                break_ns = until_ns if due_ns is None else min(due_ns, until_ns)
            if break_ns - from_ns == self._step_ns:
                state = self._stepper(state, inputs, self._surroundings)
            else:
                length = (break_ns - from_ns) / SECOND
                around = drifted(self._surroundings, (from_ns - start_ns) / SECOND)
                method = self.setup.method
                packed = self._packed
                state = running.rollout(packed, state, inputs, length, 1, around[:6], around[6:], method)[-1]
            from_ns = break_ns
        return state

    def place_at(self, time_ns: int, grid_ns: int) -> Vector3:
        """Where the vehicle is at a time within the step that begins at a time of the grid."""
        self._feel(grid_ns)
        n, e, d = (self.state if time_ns == grid_ns else self._carried(grid_ns, time_ns))[:3].tolist()
        return (n, e, d)

    def truth_at(self, time_ns: int, grid_ns: int) -> Truth:
        """The truth at a time within the step that begins at a time of the grid."""
        if self._truth is not None and self._truth.time_ns == time_ns:
            return self._truth
        self._feel(grid_ns)
        state = self.state if time_ns == grid_ns else self._carried(grid_ns, time_ns)
        rate = self._rate_of(state, drifted(self._surroundings, (time_ns - grid_ns) / SECOND))
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = state[:BODY_SIZE].tolist()
        a1, a2, a3, a4, a5, a6 = rate[7:BODY_SIZE].tolist()
        twist, twist_rate = (u, v, w, p, q, r), (a1, a2, a3, a4, a5, a6)
        outputs = tuple(state[BODY_SIZE : BODY_SIZE + self._actuators].tolist())
        elapsed = (time_ns - grid_ns) / SECOND
        water = self._steady_water if self._is_steady else self.influences.water_around((n, e, d), elapsed)
        self._truth = Truth(time_ns, (n, e, d), (q0, q1, q2, q3), twist, twist_rate, water, outputs)
        return self._truth

    def _measure_until(self, grid_ns: int, last_ns: int) -> None:
        """Take all samples that are due up to a time, in the order of their times; the grid's state is at grid_ns."""
        while True:
            sensor = min(self._sensors, key=_next_time)
            if sensor.next_ns > last_ns:
                break
            self.measuring_ns = sensor.next_ns
            truth = self.truth_at(sensor.next_ns, grid_ns)
            around = self._around(truth.p_NB[2])
            try:
                sensor.state, reading = sensor.sensor.step(sensor.state, truth, around, sensor.k)
            except ValueError as error:
                raise LoopError(f'"{self.name}", sensor "{sensor.name}": {error}', sensor.next_ns) from error
            if reading is not None:
                if sensor.handovers or sensor.is_refused or not _is_sound(reading):
                    self._hand_over(sensor, reading)
                else:
                    self._on_their_way.append(reading)
                    if self.listener is not None:
                        self.listener.reading(reading, sensor.next_ns)
            sensor.took_sample()
        self._next_sensor_ns = sensor.next_ns

    def _around(self, depth: float) -> Around:
        """What sensors sense around the vehicle while they measure."""
        setting = self.setup.setting
        return Around(setting, self.whereabouts, self._water_at, depth - setting.surface_depth)

    def _water_at(self, place: Vector3) -> Vector3:
        return self.influences.water_velocity(self.measuring_ns, place)

    def _hand_over(self, sensor: RunningSensor, reading: Reading) -> None:
        """Send a reading on its way: values that are no numbers never leave, faults make it late, double or twisted."""
        time_ns, sound = sensor.next_ns, _is_sound(reading)
        if not sound:
            sensor.refused += 1
        if self.listener is not None and sensor.is_refused == sound:
            self._tell_refused(sensor, reading, sound)
        sensor.is_refused = not sound
        safe = reading if sound else reading._replace(status=Status.OFF, values=nothing(len(reading.values)))
        readings: tuple[Reading, ...] = (safe,)
        for fault, effect in sensor.handovers:
            if fault.holds(time_ns):
                readings = tuple(
                    copy for one in readings for copy in effect.handed_over(one, sensor.k, sensor.period_ns)
                )
        self._on_their_way.extend(readings)
        if self.listener is not None:
            for one in readings:
                self.listener.reading(one, time_ns)

    def _tell_refused(self, sensor: RunningSensor, reading: Reading, sound: bool) -> None:
        assert self.listener is not None
        names = [channel.name for channel in sensor.sensor.description.channels]
        bad = [name for name, value in zip(names, reading.values, strict=True) if not math.isfinite(value)]
        level: Level = "info" if sound else "error"
        words = "gives numbers again" if sound else f"{', '.join(bad)}: not a number. Its readings count as off."
        self.listener.event(
            f"{self.name}/{sensor.name}", sensor.next_ns, level, words, {} if sound else {"channels": bad}
        )

    def _deliver(self, time_ns: int) -> None:
        """Hand over all readings that have arrived, in the order of their arrival."""
        arrived = [reading for reading in self._on_their_way if reading.arrival_ns <= time_ns]
        if not arrived:
            return
        self._on_their_way = [reading for reading in self._on_their_way if reading.arrival_ns > time_ns]
        arrived.sort(key=_arrival)
        scope = len(self.name) + 1
        for reading in arrived:
            self._readings[reading.sensor[scope:]] = reading
        for part in self._parts:
            part.fresh += arrived

    def _run_parts(self, k: int, time_ns: int) -> None:
        """Let all parts run that are due, and find out when the next one is."""
        nearest = self._next_fault
        for part in self._parts:
            if part.next <= k:
                if k < part.stop:
                    self._run_part(part, time_ns)
                else:
                    self._end_part(part, time_ns)
            if part.next < nearest:
                nearest = part.next
        self._next_part = nearest

    def _run_part(self, part: RunningPart, time_ns: int) -> None:
        fresh: tuple[Reading, ...] = ()
        if part.fresh:
            fresh = tuple(part.fresh)
            part.fresh.clear()
        seen = (
            time_ns,
            fresh,
            self._known,
            self._navigation.output,
            self._guidance.output,
            self.wrench() if part.gives_commands else ZERO6,
            self.missing,
            self._truth_for_parts(time_ns) if part.sees_truth else None,
        )
        try:
            # As Now(*seen), which takes three times as long.
            part.state, output = part.step(part.state, _new_tuple(Now, seen))
        except Exception as error:
            raise self._part_failure(part, time_ns, f"failed: {type(error).__name__}: {error}") from error
        part.next += part.period
        if part.life is not _ACTIVE or output is None:
            self._live(part, time_ns, _WAITING if output is None else _ACTIVE)
        if part.gives_commands:
            self._command(part, output, time_ns)
        elif output is not None:
            output = self._checked(part, output, time_ns)
        part.output = output
        if part.is_logged and output is not None and self.listener is not None:
            self.listener.output(part.scheduled, time_ns, output)

    def _end_part(self, part: RunningPart, time_ns: int) -> None:
        part.next, part.output = NEVER, None
        self._live(part, time_ns, Life.FINISHED)
        if part.gives_commands:
            self._command(part, None, time_ns)

    def _truth_for_parts(self, time_ns: int) -> Truth:
        n, e, d, q0, q1, q2, q3, u, v, w, p, q, r = self.state[:BODY_SIZE].tolist()
        water = self.water_velocity
        return _new_tuple(Truth, (time_ns, (n, e, d), (q0, q1, q2, q3), (u, v, w, p, q, r), ZERO6, water, ()))

    def _live(self, part: RunningPart, time_ns: int, life: Life) -> None:
        if self.listener is not None and part.life is not life:
            self.listener.life(part.scheduled, time_ns, part.life, life)
        part.life = life

    def _checked(self, part: RunningPart, output: Any, time_ns: int) -> Any:
        """The output, or a refusal: the part that gave nonsense is named, and not the one that stumbles over it."""
        if part.gives_wrench:
            output = output.tolist() if isinstance(output, np.ndarray) else output
            if len(output) != 6 or not math.isfinite(sum(output)):
                part.output = None
                raise self._part_failure(part, time_ns, f"gave {_shown(output)}, not a wrench of six finite numbers")
        elif part is self._navigation and not isinstance(output, Estimate):
            part.output = None
            raise self._part_failure(part, time_ns, f"gave {type(output).__name__}, not an Estimate")
        return output

    def _command(self, part: RunningPart, output: Any, time_ns: int) -> None:
        """Commands in force from now on; a part that has nothing to give lets all actuators rest."""
        if type(output) is Allotment:
            self.missing, output = output.missing, output.commands
        commands = self._rest if output is None else np.array(output, dtype=float)
        if commands.shape != self._commands_shape or not math.isfinite(commands.dot(commands)):
            wanted = f"{self._actuators} finite commands"
            raise self._part_failure(part, time_ns, f"gave {_shown(commands.ravel().tolist())}, not {wanted}")
        self.commands = self._inputs = commands
        if self._drive is not None:
            voltage = None if self.power is None else self.power[1]
            self._drive_state, demand = self._drive.step(self._drive_state, time_ns, commands, voltage)
            self._inputs = self._drive.inputs(self._drive_state, time_ns)
            self._note_beyond_table(demand.beyond_table, time_ns)
        if self._faults is not None:
            self._inputs = self._faults.inputs(self._inputs)

    def _reaching(self, inputs: Array) -> Array:
        """What reaches the actuators of inputs that the drive gives."""
        return inputs if self._faults is None else self._faults.inputs(inputs)

    def _note_beyond_table(self, names: tuple[str, ...], time_ns: int) -> None:
        """Tell once when an actuator leaves the table of its drive."""
        if self.listener is not None:
            for name in (name for name in names if name not in self._beyond_table):
                words = "its pulse width or voltage lies outside the table of its drive"
                self.listener.event(f"{self.name}/{name}", time_ns, "warning", words, {})
        self._beyond_table = names

    def wrench(self) -> Wrench:
        """What all controllers together ask for."""
        total = ZERO6
        for part in self._controllers:
            if part.output is not None:
                total = part.output if total is ZERO6 else add6(total, part.output)
        return total

    @property
    def estimate(self) -> Estimate | None:
        """What navigation knows."""
        return self._navigation.output

    @property
    def refused(self) -> tuple[str, ...]:
        """Sensors that gave values which are no numbers."""
        return tuple(f"{self.name}/{sensor.name}" for sensor in self._sensors if sensor.refused)

    @property
    def water_velocity(self) -> Vector3:
        """The current around the vehicle in N, m/s."""
        if self._is_steady:  # asked for by every part that sees the truth
            return self._steady_water
        n, e, d = self.state[:3].tolist()
        return self.influences.water_around((n, e, d))

    @property
    def inputs(self) -> Array:
        """What reaches the actuators now."""
        return self._inputs

    def _part_failure(self, part: RunningPart, time_ns: int, what: str) -> LoopError:
        role, name = part.scheduled.role.name.lower(), part.scheduled.name
        return LoopError(f'"{self.name}", {role} "{name}" {what}', time_ns)

    def _failure(self, error: Exception, time_ns: int) -> LoopError:
        what = error.what if isinstance(error, RunError) else str(error)
        return LoopError(f'"{self.name}": {what}', time_ns)

    def memory(self) -> Memory:
        """All that is needed to go on later."""
        return Memory(
            self.state.copy(),
            self.commands.copy(),
            self._inputs.copy(),
            tuple((part.state, part.next, part.life, part.output, tuple(part.fresh)) for part in self._parts),
            tuple((sensor.state, sensor.k, sensor.refused, sensor.is_refused) for sensor in self._sensors),
            tuple(self._on_their_way),
            dict(self._readings),
            self.missing,
            (self._drive_state, self._beyond_table),
            (self._energy_state, self.power),
            None if self._faults is None else (self._faults.memory(), self._next_fault),
            self.influences.memory(),
        )

    def recall(self, memory: Memory) -> None:
        """Take up what `memory` gave."""
        self.state, self.commands, self.missing = memory.state.copy(), memory.commands.copy(), memory.missing
        for part, (state, due, life, output, fresh) in zip(self._parts, memory.parts, strict=True):
            part.state, part.next, part.life, part.output, part.fresh = state, due, life, output, list(fresh)
        for sensor, (state, k, refused, is_refused) in zip(self._sensors, memory.sensors, strict=True):
            sensor.state, sensor.k, sensor.refused, sensor.is_refused = state, k, refused, is_refused
            sensor.next_ns = sensor.start_ns + k * sensor.period_ns
        self._on_their_way = list(memory.on_their_way)
        self._readings.clear()
        self._readings.update(memory.readings)
        (self._drive_state, self._beyond_table), (self._energy_state, self.power) = memory.drive, memory.energy
        self._inputs = memory.inputs.copy()
        self.influences.recall(memory.influences)
        self._surroundings = self.influences.surroundings
        self._truth, self._felt_ns = None, -1
        if self._faults is not None:
            told, self._next_fault = memory.faults
            self._faults.recall(told)
            self._suffer_faults(None)
        self._plan_next()


def _log_period(setup: Setup) -> int:
    """A hundredth of a second, or what comes next to it on the grid of steps."""
    return max(1, round(10_000_000 / setup.step_ns)) * setup.step_ns


def _nowhere(name: str) -> Vector3 | None:
    return None


def _is_sound(reading: Reading) -> bool:
    """Whether a reading that says that all is well has numbers only."""
    return reading.status != _OK or math.isfinite(sum(reading.values))


def _next_time(sensor: RunningSensor) -> int:
    return sensor.next_ns


def _arrival(reading: Reading) -> int:
    return reading.arrival_ns


def _shown(values: Iterable[Any]) -> str:
    text = ", ".join(f"{value:.6g}" if isinstance(value, float) else str(value) for value in values)
    return f"[{text if len(text) < 80 else text[:77] + '...'}]"
