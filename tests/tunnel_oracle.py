"""The tunnel missions of Gava et al. 2022 in a loop of their own, which the shipped loop is compared with."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from remora.control import TunnelControl, ardusub_cascade, echo_offsets, pseudo_inverse, simu2vita_control
from remora.control.feedback.feedback_linearisation import FeedbackLinearisation
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.guidance import TunnelGoal, TunnelGuidance, TunnelMeasurements, TunnelReference, simu2vita_guidance
from remora.plant import PackedVehicle, Stepper, initial_state, pack
from remora.vehicles import VehicleParameters, load_vehicle
from remora.world import Rectangle, Tunnel
from remora_evidence.studies.simu2vita.mission import Echoes, echoes

Inner: TypeAlias = Callable[[Array, Array, TunnelReference], Array]

STEP_NS, OUTER_STEPS = 2_500_000, 20  # 400 Hz and 20 Hz
START: Vector3 = (3.0, 1.0, -1.0)
ATTITUDE: Quaternion = (0.9764, -0.0199, 0.1776, 0.1209)
BODY_SIZE = 13


class Mission(NamedTuple):
    """What the run left behind; states, outputs and commands every 2.5 ms, readings every 50 ms."""

    times: Array
    states: Array
    commands: Array
    reading_times: Array
    readings: Array
    references: list[TunnelReference]
    outputs: Array  # N, of the thrusters


def as_heard(readings: Echoes, k: int) -> Echoes:
    """Readings without noise."""
    return readings


def as_it_is(state: Array, k: int) -> Array:
    """An estimate without error."""
    return state


def fly(
    seconds: float = 80.0,
    tunnel: Tunnel | None = None,
    start: tuple[Vector3, Quaternion] = (START, ATTITUDE),
    goal: TunnelGoal | None = None,
    guidance: TunnelGuidance | Any = None,
    control: TunnelControl | Any = None,
    inner: Inner | None = None,
    heard: Callable[[Echoes, int], Echoes] = as_heard,
    sensed: Callable[[Array, int], Array] = as_it_is,
) -> Mission:
    """Run the mission.

    `inner(state, outer wrench, reference)` gives the commands at 400 Hz unless left out; `heard(readings, k)` spoils
    the readings of sample k at 20 Hz, `sensed(state, k)` what controllers know of the state at sample k at 400 Hz.
    """
    parameters = load_vehicle("vita1").parameters
    packed = pack(parameters)
    tunnel = tunnel or Tunnel(Rectangle(8.0, 8.0), length=100.0)
    goal, guidance = goal or TunnelGoal(surge=0.2), guidance or simu2vita_guidance()
    control, inner = control or simu2vita_control(parameters), inner or linearised(parameters, packed)
    stepper, x = Stepper(packed, STEP_NS * 1e-9), initial_state(packed, *start)
    guided, controlled = guidance.initial(), control.initial()
    count = round(seconds * 1e9 / STEP_NS)
    states, commands = np.empty((count + 1, x.size)), np.empty((count, packed.actuators))
    readings, references = [], []
    for k in range(count):
        known = sensed(x, k)
        if k % OUTER_STEPS == 0:
            n, e, d, q0, q1, q2, q3 = x[:7].tolist()
            readings.append(heard(echoes(tunnel, (n, e, d), (q0, q1, q2, q3)), k // OUTER_STEPS))
            offsets = echo_offsets(*readings[-1])
            _, _, _, q0, q1, q2, q3, *twist = known[:BODY_SIZE].tolist()
            q_NB = (q0, q1, q2, q3)
            guided, reference = guidance.step(guided, k * STEP_NS, goal, TunnelMeasurements(twist[0], *offsets, q_NB))
            controlled, wrench = control.step(controlled, q_NB, tuple(twist), *offsets, reference)
            outer = np.array(wrench)
            references.append(reference)
        states[k] = x
        u = commands[k] = inner(known, outer, reference)
        x = stepper(x, u)
    states[count] = x
    return _mission(states, commands, readings, references)


def _mission(states: Array, commands: Array, readings: list[Echoes], references: list[TunnelReference]) -> Mission:
    times = sample_times(len(states))
    heard = np.array(readings, dtype=float)
    body, outputs = states[:, :BODY_SIZE], states[:, BODY_SIZE:]
    return Mission(times, body, commands, times[:-1:OUTER_STEPS], heard, references, outputs)


def sample_times(count: int) -> Array:
    """Seconds of so many samples at 400 Hz."""
    return np.asarray(np.arange(count) * STEP_NS * 1e-9, dtype=np.float64)


def linearised(parameters: VehicleParameters, packed: PackedVehicle) -> Inner:
    """Feedback linearisation and pseudo-inverse: what runs at 400 Hz in the simulated mission."""
    linearisation, allocation = FeedbackLinearisation(packed), pseudo_inverse(parameters)

    def inner(state: Array, outer: Array, _: TunnelReference) -> Array:
        return allocation.allocate(outer + linearisation.wrench(state))

    return inner


def cascaded(parameters: VehicleParameters) -> Inner:
    """The torque of an autopilot's cascade added to the forces of the outer controllers, at 400 Hz."""
    cascade, allocation = ardusub_cascade(parameters), pseudo_inverse(parameters)
    memory = [cascade.initial()]

    def inner(state: Array, outer: Array, reference: TunnelReference) -> Array:
        _, _, _, q0, q1, q2, q3, *twist = state[:BODY_SIZE].tolist()
        memory[0], torque = cascade.step(memory[0], (q0, q1, q2, q3), tuple(twist), reference.q_NR)
        return allocation.allocate(outer + np.array([0.0, 0.0, 0.0, *torque]))

    return inner
