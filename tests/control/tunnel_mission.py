"""The simulated tunnel mission of Gava et al. 2022: vita1 in a square tunnel, stepped with its controllers."""

from typing import Any, NamedTuple

import numpy as np

from remora.control import echo_offsets, pseudo_inverse, simu2vita_control
from remora.control.stabiliser import Stabiliser
from remora.equations.quaternions import rotation_matrix
from remora.equations.vectors import add3, matvec3, scale3
from remora.guidance import Present, TunnelGoal, simu2vita_guidance
from remora.kernels import Stepper, initial_state, pack
from remora.vehicles import load_vehicle
from remora.world import Rectangle, Tunnel

STEP_NS, OUTER_STEPS = 2_500_000, 20  # 400 Hz and 20 Hz
LOOKS = ((0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (0.0, 0.0, 1.0))  # starboard, port, up, down
FACE = 0.3  # m, half the cube on whose faces the echosounders sit
START, ATTITUDE = (3.0, 1.0, -1.0), (0.9764, -0.0199, 0.1776, 0.1209)


class Mission(NamedTuple):
    """What the run left behind; states and commands every 2.5 ms, readings every 50 ms."""

    times: Any
    states: Any
    commands: Any
    reading_times: Any
    readings: Any
    references: list


def echoes(tunnel, position, quaternion):
    """The four readings of a vehicle, in the order starboard, port, up, down; None for no wall."""
    R = rotation_matrix(quaternion)
    rays = [matvec3(R, look) for look in LOOKS]
    return tuple(tunnel.distance(add3(position, scale3(FACE, ray)), ray) for ray in rays)


def fly(
    seconds=80.0,
    tunnel=None,
    start=(START, ATTITUDE),
    goal=None,
    guidance=None,
    control=None,
    inner=None,
    heard=lambda readings, k: readings,
):
    """Run the mission; `inner(state, outer wrench, reference)` gives the commands at 400 Hz unless left out."""
    parameters = load_vehicle("vita1").parameters
    packed = pack(parameters)
    tunnel = tunnel or Tunnel(Rectangle(8.0, 8.0), length=100.0)
    goal, guidance = goal or TunnelGoal(surge=0.2), guidance or simu2vita_guidance()
    control, inner = control or simu2vita_control(parameters), inner or linearised(parameters, packed)
    stepper, x = Stepper(packed, STEP_NS * 1e-9), initial_state(packed, *start)
    guided, controlled = guidance.initial(), control.initial()
    count = round(seconds * 1e9 / STEP_NS)
    states, commands = np.empty((count + 1, 13)), np.empty((count, 8))
    readings, references = [], []
    for k in range(count):
        if k % OUTER_STEPS == 0:
            n, e, d, q0, q1, q2, q3, *twist = x[:13].tolist()
            q_NB = (q0, q1, q2, q3)
            readings.append(heard(echoes(tunnel, (n, e, d), q_NB), k // OUTER_STEPS))
            offsets = echo_offsets(*readings[-1])
            guided, reference = guidance.step(guided, k * STEP_NS, goal, Present(twist[0], *offsets, q_NB))
            controlled, wrench = control.step(controlled, q_NB, tuple(twist), *offsets, reference)
            outer = np.array(wrench)
            references.append(reference)
        states[k] = x[:13]
        u = commands[k] = inner(x, outer, reference)
        x = stepper(x, u)
    states[count] = x[:13]
    times = np.arange(count + 1) * STEP_NS * 1e-9
    return Mission(times, states, commands, times[:-1:OUTER_STEPS], np.array(readings, dtype=float), references)


def linearised(parameters, packed):
    """Feedback linearisation and pseudo-inverse: what runs at 400 Hz in the simulated mission."""
    stabiliser, allocation = Stabiliser(packed), pseudo_inverse(parameters)

    def inner(state, outer, _):
        return allocation.allocate(outer + stabiliser.wrench(state))

    return inner


def settling_time(times, errors, band):
    """The first sample after which all errors stay inside a band."""
    outside = np.flatnonzero(np.abs(errors).reshape(len(errors), -1).max(axis=1) > band)
    return times[outside[-1] + 1] if outside.size else times[0]
