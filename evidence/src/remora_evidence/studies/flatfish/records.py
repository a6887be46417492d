"""Records of the FlatFish in a basin and in a bay, Britto Neto 2018, made again with its identified numbers as truth.

No data of the source survive. Its control chain drives the compiled vehicle, one degree of freedom to and fro while the
others hold, or all four at once. What the source does not print is chosen: gains of 0.5 1/s for position and of the
inertia times 1 1/s for velocity, no speed limits, noise of the instruments. The chain sees the true motion, so noise
is in the record only, and a run is made once for any number of seeds.
"""

import math
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias, final

import numpy as np

from remora.control import flatfish_chain
from remora.control.allocation.commands import commands_from_forces
from remora.control.autopilots.position import position_control
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.guidance import ExcitationGuidance
from remora.identification import Record, inputs_of, interval_averaged, record_from_arrays
from remora.identification.data.record import Times
from remora.plant import Stepper, initial_state, pack
from remora.sensors import Stream
from remora.vehicles import Vehicle, load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora_evidence.studies.sampling import normals

AXES = ("surge", "sway", "heave", "yaw")
# Set-points begin forward, to the left, up: the axes of the source. In heave that matters, as buoyancy pushes up.
TURNED_OVER = {"surge": 1.0, "sway": -1.0, "heave": -1.0, "yaw": -1.0}
Part: TypeAlias = Literal["identification", "validation"]
Effort: TypeAlias = Literal["averaged", "sampled"]  # around each stamp, or at it
DEPTH = 3.0  # m
STEP_NS, CONTROL_NS = 50_000_000, 100_000_000
DVL_NS, RATE_NS = 250_000_000, 100_000_000  # stamps of linear speeds, and of the yaw rate after decimation
DVL_NOISE, RATE_NOISE = 0.01, 0.001  # m/s and rad/s, one standard deviation
POSITION_GAIN = 0.5  # 1/s
# How the records differ from those of the source, for the figures that they lead to.
PULSES, PULSE_LENGTHS, PULSE_FORCES = 5, (0.5, 2.0), (30.0, 60.0)  # number, s, N


class SwingTest(NamedTuple):
    """A sinusoid of the set-point in one degree of freedom."""

    seconds: float
    amplitude: float  # m or rad
    frequency: float  # rad/s

    @property
    def speed(self) -> float:
        """Amplitude of the speed that is asked for, m/s or rad/s."""
        return self.amplitude * self.frequency


@final
@dataclass(frozen=True, eq=False)
class TrialSite:
    """Where the trials were, the vehicle of that place, and its records by degree of freedom."""

    name: str
    preset: str
    identification: dict[str, SwingTest]
    validation: dict[str, SwingTest]

    @property
    def vehicle(self) -> Vehicle:
        """The truth."""
        return _loaded(self.preset)


@cache
def _loaded(preset: str) -> Vehicle:
    return load_vehicle(preset)


def _swings(*tests: tuple[float, float, float]) -> dict[str, SwingTest]:
    return {axis: SwingTest(*numbers) for axis, numbers in zip(AXES, tests, strict=True)}


# For surge, sway, heave and yaw: seconds, amplitude, and frequency in rad/s.
BASIN = TrialSite(
    "basin",
    "flatfish_basin_adaptive",
    _swings((430, 1, 0.2), (356, 1, 0.2), (313, 1, 0.2), (332, 0.5, 0.1)),
    _swings((409, 1, 0.25), (345, 1, 0.25), (332, 1, 0.25), (289, 0.5, 0.2)),
)
BAY = TrialSite(
    "bay",
    "flatfish_bay_adaptive",
    _swings((297, 2, 0.2), (285, 2, 0.2), (284, 1, 0.15), (299, 1, 0.2)),
    _swings((284, 2, 0.15), (307, 2, 0.15), (296, 1, 0.13), (306, 1, 0.15)),
)
SITES = (BASIN, BAY)
# All four at once, in the basin. The source has one such record; frequencies of the second are chosen.
TOGETHER_SECONDS = 342.0
TOGETHER: dict[Part, ExcitationGuidance] = {
    "identification": ExcitationGuidance.all_four((1.0, -1.0, -1.0, -0.5), (0.3, 0.25, 0.2, 0.2)),
    "validation": ExcitationGuidance.all_four((1.0, -1.0, -1.0, -0.5), (0.2, 0.3, 0.25, 0.15)),
}


class Trouble(NamedTuple):
    """What the estimators do not know of."""

    pulses: int | None = None  # seed of command pulses in the axis that swings; None for none
    water: Vector3 = (0.0, 0.0, 0.0)  # m/s, steady current in N
    lag: float = 0.0  # s, of the thrusters; the record knows their commands only


CALM = Trouble()


class DrivenRun(NamedTuple):
    """A run without noise at the steps of the plant; the wrench is what the commands of the thrusters ask for."""

    time_ns: Times
    twist: Array
    quaternion: Array
    commands: Array  # of the thrusters, held from row to row as is the wrench
    wrench: Array


def swing_record(
    site: TrialSite,
    axis: str,
    part: Part,
    seed: int | None = None,
    effort: Effort = "averaged",
    trouble: Trouble = CALM,
    truth: VehicleParameters | None = None,
) -> Record:
    """A record of one degree of freedom: its speed, attitude and the wrench of the thrusters.

    Without a seed it is the true motion. `effort` says how the wrench, held for 0.1 s each time, comes to the stamps of
    the speed; `trouble` are pulses, current and lag of which the record says nothing; `truth` is a vehicle in place of
    that of the site.
    """
    swing = getattr(site, part)[axis]
    excitation = ExcitationGuidance.single(axis, TURNED_OVER[axis] * swing.amplitude, swing.frequency)
    run = driven(truth or site.vehicle.parameters, excitation, swing.seconds, trouble, axis)
    return record_of(run, (axis,), f"{site.name}, {axis}, {part}", seed, effort)


def together_record(truth: VehicleParameters, part: Part, seed: int | None = None) -> Record:
    """A record with all four degrees of freedom excited at once, all six speeds measured at 4 Hz."""
    run = driven(truth, TOGETHER[part], TOGETHER_SECONDS)
    return record_of(run, DEGREES_OF_FREEDOM, f"basin, all at once, {part}", seed, "averaged")


def with_water(record: Record, water: Vector3) -> Record:
    """The record with the current supplied."""
    return replace(record, water=np.broadcast_to(np.array(water), (len(record), 3)))


@lru_cache(maxsize=64)
def driven(
    parameters: VehicleParameters,
    excitation: ExcitationGuidance,
    seconds: float,
    trouble: Trouble = CALM,
    axis: str = "surge",
) -> DrivenRun:
    """Drive a vehicle from rest at 3 m with the chain of the source; pulses of command come in one axis."""
    chain = flatfish_chain(parameters, position_control(parameters, (POSITION_GAIN,) * 4, max_speeds=_UNLIMITED))
    packed = pack(lagging(parameters, trouble.lag))
    stepper, state = Stepper(packed, STEP_NS * 1e-9), initial_state(packed, (0.0, 0.0, DEPTH))
    surroundings = np.array([0.0] * 6 + list(trouble.water))
    controlled, swinging = chain.initial(), excitation.initial()
    time_ns = np.arange(0, round(seconds * 1e9) + 1, STEP_NS)
    pulse = np.zeros((len(time_ns), 6))
    if trouble.pulses is not None:
        pulse[:, DEGREES_OF_FREEDOM.index(axis)] = pulse_forces(time_ns, trouble.pulses)
    states, wrench = np.empty((len(time_ns), 13)), np.empty((len(time_ns), 6))
    commanded = np.empty((len(time_ns), packed.actuators))
    commands, made = np.zeros(packed.actuators), np.zeros(6)
    for k, now in enumerate(time_ns.tolist()):
        states[k] = state[:13]
        if now % CONTROL_NS == 0:
            body = state.tolist()
            p, q, twist = tuple(body[:3]), tuple(body[3:7]), tuple(body[7:13])
            swinging, reference = excitation.step(swinging, now, p, to_euler_zyx(q)[2])
            controlled, wanted = chain.control.step(controlled, p, q, twist, reference)
            allocated = chain.allocation.allocate(np.array(wanted) + pulse[k])
            made = allocated.wrench
            commands = np.array(commands_from_forces(parameters, allocated.forces.tolist()))
        wrench[k], commanded[k] = made, commands
        state = stepper(state, commands, surroundings)
    return DrivenRun(time_ns, states[:, 7:], states[:, 3:7], commanded, wrench)


_UNLIMITED = (math.inf,) * 4


def lagging(parameters: VehicleParameters, lag: float) -> VehicleParameters:
    """The vehicle with thrusters that follow their commands with a first-order lag."""
    thrusters = tuple(one._replace(rise_time=lag, fall_time=lag) for one in parameters.thrusters)
    return parameters._replace(thrusters=thrusters)


def pulse_forces(time_ns: Times, seed: int) -> Array:
    """Pulses of command at times, lengths, sizes and signs of chance, one in each fifth of the record."""
    stream, force = Stream(seed, "command pulses"), np.zeros(len(time_ns))
    seconds = time_ns * 1e-9
    for k in range(PULSES):
        when, length, size, sign = stream.uniforms(k, 4)
        duration = PULSE_LENGTHS[0] + length * (PULSE_LENGTHS[1] - PULSE_LENGTHS[0])
        start = (k + when) * (seconds[-1] - duration) / PULSES
        height = PULSE_FORCES[0] + size * (PULSE_FORCES[1] - PULSE_FORCES[0])
        force[(seconds >= start) & (seconds < start + duration)] = height if sign < 0.5 else -height
    return force


def record_of(run: DrivenRun, measured: tuple[str, ...], source: str, seed: int | None, effort: Effort) -> Record:
    """What the instruments make of a run: only these degrees of freedom, with noise unless the seed is None."""
    period = RATE_NS if measured == ("yaw",) else DVL_NS
    every = period // STEP_NS
    at = run.time_ns[::every]
    twist = np.full((len(at), 6), np.nan)
    for axis in measured:
        i = DEGREES_OF_FREEDOM.index(axis)
        twist[:, i] = run.twist[::every, i]
        if seed is not None:
            spread = DVL_NOISE if i < 3 else RATE_NOISE
            twist[:, i] += spread * normals(seed, f"{source}/{axis}", len(at))
    wrench = run.wrench[::every]
    if effort == "averaged":
        wrench = interval_averaged(run.time_ns, run.wrench, True, at, period * 1e-9)
    noise = "without noise" if seed is None else f"seed {seed}"
    return record_from_arrays(
        at, twist, inputs_of("wrench", wrench), quaternion=run.quaternion[::every], source=f"{source}, {noise}"
    )
