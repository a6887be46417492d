"""Plausibility of vehicle parameters: physically possible values that suggest a wrong unit or sign.

Each quantity has a range wide enough for everything from a palm-sized float to a submarine. A value outside becomes a
warning with the likely mistake. Lengths are relative to the size of the vehicle, the edge of a cube of water of its
mass, so that a wrong density does not affect the other checks.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import rotation_matrix
from remora.equations.algebra.vectors import diagonal6
from remora.files.arrays import Array
from remora.vehicles.checks.actuation import command_range, reachable_wrench
from remora.vehicles.checks.hydrostatics import natural_periods, trim_attitude
from remora.vehicles.checks.invariants import damping_terms, dissipative_forces, forces_wrench
from remora.vehicles.checks.one_sided import one_sided_axes, restless_thrusters
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, with_pulse_commands
from remora.vehicles.pulse_range import pulse_range
from remora.vehicles.vehicle import SensorEntry, Vehicle

WATER = 1000.0  # kg/m3, for the size of a vehicle
DOPPLER_LOGS = ("dvl", "dvl_beams")  # kinds of sensors
FASTEST = 1e3  # m/s or rad/s; higher terminal speeds count as infinite


class Mistake(NamedTuple):
    """A likely mistake: times the factor, the number would be inside its range."""

    factor: float
    question: str  # may name {value} and {right}


class Range(NamedTuple):
    """Plausible range of a quantity."""

    lowest: float
    highest: float
    unit: str
    mistakes: tuple[Mistake, ...] = ()
    otherwise: str = "Check the number and its unit."


class CheckedQuantity(NamedTuple):
    """A quantity of a vehicle to be checked against the range of its kind."""

    kind: str
    field: str  # of the vehicle file
    what: str
    value: float


class Implausible(NamedTuple):
    """A quantity outside its range."""

    field: str
    text: str


_LENGTH_MISTAKES = (Mistake(1e-3, "Are these millimetres?"), Mistake(1e-2, "Are these centimetres?"))
_ROOT = math.sqrt
RANGES: dict[str, Range] = {
    "density": Range(
        950.0,
        1300.0,
        "kg/m3",
        (
            Mistake(1e3, "Did you mean {right:.4g} kg/m3 ({value:.4g} g/cm3)?"),
            Mistake(16.018463, "Did you mean {right:.4g} kg/m3 ({value:.4g} lb/ft3)?"),
            Mistake(1e-3, "Did you mean {right:.4g} kg/m3?"),
        ),
    ),
    "gravity": Range(
        9.7,
        9.9,
        "m/s2",
        (
            Mistake(1e-2, "Did you mean {right:.4g} m/s2 ({value:.4g} cm/s2)?"),
            Mistake(0.3048, "Did you mean {right:.4g} m/s2 ({value:.4g} ft/s2)?"),
            Mistake(9.80665, "Did you mean {right:.4g} m/s2 ({value:.4g} g)?"),
        ),
    ),
    "mass": Range(
        0.01,
        1e8,
        "kg",
        (
            Mistake(1e-3, "Did you mean {right:.4g} kg ({value:.4g} g)?"),
            Mistake(1e3, "Did you mean {right:.4g} kg ({value:.4g} t)?"),
        ),
    ),
    "displaced": Range(
        0.7,
        1.4,
        "times the mass",
        (
            Mistake(1e-3, "Is the volume in litres, or the mass in tonnes?"),
            Mistake(1e3, "Is the mass in grams, or the volume in units of 1000 m3?"),
            Mistake(1 / 9.81, "Is the buoyancy in newtons where kilograms are wanted?"),
            Mistake(9.81, "Is the weight in newtons where the mass in kilograms is wanted?"),
            Mistake(2.2046226, "Is the mass in pounds?"),
        ),
        "Nothing that floats up or sinks so hard can be steered: check volume and ballast.",
    ),
    "body_density": Range(
        300.0,
        3000.0,
        "kg/m3",
        (Mistake(1e3, "Is the density of the water in g/cm3?"), Mistake(1e-3, "Is the volume in litres?")),
    ),
    "gyration": Range(
        0.08,
        6.0,
        "times the size",
        (
            Mistake(_ROOT(1e-4), "Are the moments of inertia in kg cm2?"),
            Mistake(_ROOT(1e-6), "Are the moments of inertia in kg mm2?"),
            Mistake(_ROOT(1e-7), "Are the moments of inertia in g cm2?"),
            Mistake(_ROOT(1e-9), "Are the moments of inertia in g mm2?"),
            Mistake(_ROOT(1e3), "Are the moments of inertia in t m2?"),
        ),
    ),
    "centre": Range(0.0, 10.0, "times the size", _LENGTH_MISTAKES),
    "separation": Range(0.0, 1.0, "times the size", _LENGTH_MISTAKES),
    "added_mass": Range(
        0.0, 20.0, "times the displaced mass", (Mistake(1e-3, "Is the added mass in grams or the body in tonnes?"),)
    ),
    "added_inertia": Range(
        0.0,
        6.0,
        "times the size",
        (Mistake(_ROOT(1e-4), "Is it in kg cm2?"), Mistake(_ROOT(1e-6), "Is it in kg mm2?")),
    ),
    "speed": Range(
        0.02,
        20.0,
        "m/s",
        (Mistake(0.1, "Is the thrust in newtons and the damping in other units?"),),
        "Check the thrust limits and the damping.",
    ),
    "turn_rate": Range(0.005, 60.0, "rad/s", (), "Check the lever arms, the thrust limits and the damping."),
    "thrust": Range(
        1e-4,
        10.0,
        "times the weight",
        (
            Mistake(1e-3, "Is the thrust in millinewtons or the mass in tonnes?"),
            Mistake(9.81, "Is the thrust in kilogram-force?"),
        ),
    ),
    "dead_band": Range(
        0.0,
        0.5,
        "times the way from neutral to the limit",
        (),
        "Less than half of the commands would do anything: check its width and unit.",
    ),
    "neutral": Range(300.0, 3000.0, "us", (), "Pulses of servos and speed controllers last about 1500 us."),
    "lever": Range(0.0, 10.0, "times the size", _LENGTH_MISTAKES),
    "lag": Range(0.0, 10.0, "s", (Mistake(1e-3, "Did you mean {right:.4g} s ({value:.4g} ms)?"),)),
    "latency": Range(0.0, 10.0, "s", (Mistake(1e-3, "Did you mean {right:.4g} s ({value:.4g} ms)?"),)),
    "doppler_tilt": Range(
        0.0, 90.0, "deg", (), "Its beams look up: turn it by 180 deg about x, unless it tracks ice above the vehicle."
    ),
    "roll": Range(
        -90.0, 90.0, "deg", (), "It rests upside down: z points down, so G lies below C where its z is the larger one."
    ),
    "pitch": Range(
        -45.0, 45.0, "deg", (), "Check the x of both centres, and whether their z are exchanged: z points down."
    ),
    "period": Range(
        0.2, 600.0, "s", (), "Check the distance between the centres and the moments of inertia."
    ),
}  # fmt: skip


def implausible(vehicle: Vehicle) -> list[Implausible]:
    """All implausible quantities of a vehicle, with the likely mistakes."""
    found = [*implausible_hull(vehicle.parameters), *_outside(_of_devices(vehicle))]
    one_sided = (*restless_thrusters(vehicle.parameters), *one_sided_axes(vehicle.parameters))
    found += [Implausible(field, text) for field, text in one_sided]
    return [*found, *(Implausible(field, text) for field, text in vehicle.implausible_sensors)]


def implausible_hull(parameters: VehicleParameters) -> list[Implausible]:
    """Implausible quantities of water and body."""
    return _outside([*_of_water(parameters), *_of_body(parameters)])


def implausible_sensor(parameters: VehicleParameters, sensor: SensorEntry) -> list[Implausible]:
    """Implausible position and latency of a sensor that a vehicle carries; fields of the entry."""
    return _outside(one._replace(field=field) for field, one in _of_sensor(parameters, sensor))


def _outside(measured: Iterable[CheckedQuantity]) -> list[Implausible]:
    return [Implausible(one.field, _words(one)) for one in measured if not _inside(one.kind, one.value)]


def _inside(kind: str, value: float) -> bool:
    return RANGES[kind].lowest <= value <= RANGES[kind].highest


def _words(one: CheckedQuantity) -> str:
    r = RANGES[one.kind]
    right = (mistake for mistake in r.mistakes if _inside(one.kind, one.value * mistake.factor))
    mistake = next(right, None)
    question = r.otherwise
    if mistake is not None:
        question = mistake.question.format(value=one.value, right=one.value * mistake.factor)
    found = f"{one.what} is {one.value:.4g} {r.unit}"
    return f"{found}, and every vehicle lies between {r.lowest:g} and {r.highest:g} {r.unit}. {question}"


def size_of(p: VehicleParameters) -> float:
    """Edge of a cube of water with the mass of the vehicle, in m."""
    return float(np.cbrt(max(p.mass, 1e-9) / WATER))


def _of_water(p: VehicleParameters) -> Iterator[CheckedQuantity]:
    yield CheckedQuantity("density", "water.density", "the density of the water", p.density)
    yield CheckedQuantity("gravity", "water.gravity", "gravity", p.gravity)


def _of_body(p: VehicleParameters) -> Iterator[CheckedQuantity]:
    """Mass, volume, centres and inertia; nothing where only a total inertia is known."""
    if p.total_inertia_only or p.mass <= 0.0:
        return
    yield CheckedQuantity("mass", "body.mass", "the mass", p.mass)
    if not _inside("mass", p.mass):
        return  # reference of all following checks
    size = size_of(p)
    if p.displaced_mass > 0.0:
        yield CheckedQuantity("displaced", "body", "the displaced water", p.displaced_mass / p.mass)
        volume = p.displaced_mass / p.density
        yield CheckedQuantity(
            "body_density", "body", f"the mass of {1e3 * volume:.4g} litres of vehicle", p.mass / volume
        )
    for name, moment in zip(DEGREES_OF_FREEDOM[3:], np.diag(np.array(p.inertia_G)).tolist(), strict=True):
        radius = math.sqrt(max(moment, 0.0) / p.mass) / size
        yield CheckedQuantity("gyration", "body.inertia", f"the radius of gyration in {name}", radius)
    yield CheckedQuantity("centre", "body.center_of_gravity", "the distance from B", math.hypot(*p.p_BG) / size)
    yield CheckedQuantity("centre", "body.center_of_buoyancy", "the distance from B", math.hypot(*p.p_BC) / size)
    yield CheckedQuantity("separation", "body", "the distance between G and C", math.dist(p.p_BG, p.p_BC) / size)
    yield from _of_added_mass(p, size)
    yield from _of_attitude(p)


def _of_added_mass(p: VehicleParameters, size: float) -> Iterator[CheckedQuantity]:
    displaced = max(p.displaced_mass, p.mass)
    for i, (name, added) in enumerate(zip(DEGREES_OF_FREEDOM, np.diag(np.array(p.added_mass)).tolist(), strict=True)):
        if i < 3:
            yield CheckedQuantity("added_mass", "added_mass", f"the added mass in {name}", added / displaced)
        else:
            radius = math.sqrt(max(added, 0.0) / displaced) / size
            yield CheckedQuantity(
                "added_inertia", "added_mass", f"the radius of gyration of the added mass in {name}", radius
            )


def _of_attitude(p: VehicleParameters) -> Iterator[CheckedQuantity]:
    """Trim and natural periods of the free axes."""
    trim, periods = trim_attitude(p), natural_periods(p)
    for name, period in zip(("roll", "pitch"), periods, strict=True):
        if name in p.locked:
            continue
        if trim is not None:
            yield CheckedQuantity(name, "body", f"{name} at rest", math.degrees(getattr(trim, name)))
        if math.isfinite(period):
            yield CheckedQuantity("period", "body", f"the natural period of {name}", period)


def _of_devices(vehicle: Vehicle) -> Iterator[CheckedQuantity]:
    """Positions, thrust and time constants of thrusters, fins and sensors."""
    p = vehicle.parameters
    size = size_of(p)
    sized = not p.total_inertia_only and _inside("mass", p.mass)
    places = [
        *((name, thruster.position) for name, thruster in zip(p.thruster_names, p.thrusters, strict=True)),
        *((name, fin.position) for name, fin in zip(p.fin_names, p.fins, strict=True)),
    ]
    for name, position in places if sized else ():
        yield CheckedQuantity("lever", name, "the distance from B", math.hypot(*position) / size)
    for name, thruster in zip(p.thruster_names, p.thrusters, strict=True):
        yield CheckedQuantity("lag", name, "the time constant", max(thruster.rise_time, thruster.fall_time))
    for name, fin in zip(p.fin_names, p.fins, strict=True):
        yield CheckedQuantity("lag", name, "the time constant", fin.lag)
    yield from (one for sensor in vehicle.sensors for _, one in _of_sensor(p, sensor))
    yield from _of_drives(p)
    if p.thrusters and sized:
        yield from _of_thrust(p)


def _of_sensor(p: VehicleParameters, sensor: SensorEntry) -> Iterator[tuple[str, CheckedQuantity]]:
    """Position and latency of a sensor, with the field of its entry."""
    if sensor.position is not None and not p.total_inertia_only and _inside("mass", p.mass):
        distance = math.hypot(*sensor.position) / size_of(p)
        yield "position", CheckedQuantity("lever", sensor.name, "the distance from B", distance)
    if sensor.q_BS is not None and sensor.kind in DOPPLER_LOGS:
        tilt = math.degrees(math.acos(max(-1.0, min(1.0, rotation_matrix(sensor.q_BS)[2][2]))))
        what = "the angle between the middle of its beams and down"
        yield "orientation", CheckedQuantity("doppler_tilt", sensor.name, what, tilt)
    if sensor.latency is not None:
        yield "latency", CheckedQuantity("latency", sensor.name, "the latency", sensor.latency)


def _of_drives(p: VehicleParameters) -> Iterator[CheckedQuantity]:
    """Dead bands relative to the command range, and neutral pulse widths."""
    yield from _of_used_drives(p)
    if p.pulse_drives and p.drives != p.pulse_drives and all(drive.law is None for drive in p.drives):
        yield from _of_used_drives(with_pulse_commands(p))


def _of_used_drives(p: VehicleParameters) -> Iterator[CheckedQuantity]:
    for index, (name, drive) in enumerate(zip(p.thruster_names, p.drives, strict=False)):
        pulses = pulse_range(p, name)
        if pulses:
            yield CheckedQuantity("neutral", name, "the neutral pulse width", pulses.neutral)
        low, high = (pulses.lowest, pulses.highest) if pulses else command_range(p, index)
        ways = [abs(end - drive.neutral) for end in (low, high) if end != drive.neutral]
        if ways:
            share = (drive.dead_band + drive.dead_band_spread) / min(ways)
            yield CheckedQuantity("dead_band", name, "the dead band of the drive", share)


def _of_thrust(p: VehicleParameters) -> Iterator[CheckedQuantity]:
    """Full thrust relative to weight, and terminal speeds."""
    reaches = reachable_wrench(p)
    strongest = max(abs(end) for reach in reaches[:3] for end in reach.most)
    yield CheckedQuantity("thrust", "thrusters", "full thrust", strongest / (p.mass * p.gravity))
    for i, reach in enumerate(reaches):
        wrench = max(abs(reach.alone[0]), abs(reach.alone[1]))
        if wrench == 0.0 or reach.name in p.locked:
            continue
        what = f"the terminal speed at full thrust in {reach.name}"
        speed = terminal_speed(p, i, wrench)
        if speed is not None:
            yield CheckedQuantity("speed" if i < 3 else "turn_rate", "damping", what, speed)


def terminal_speed(p: VehicleParameters, axis: int, wrench: float) -> float | None:
    """Terminal speed at which damping balances a wrench along one axis; None without damping or balance."""
    unit, forces = diagonal6((1.0, 1.0, 1.0, 1.0, 1.0, 1.0))[axis], dissipative_forces(damping_terms(p))

    def resistance(speeds: Array) -> Array:
        twist: Any = tuple(speeds * part for part in unit)
        return np.broadcast_to(forces_wrench(forces, twist)[axis], speeds.shape)

    limit = p.envelope[axis] if p.envelope else FASTEST
    if not resistance(np.array([0.1, 1.0, 10.0])).any() or (math.isfinite(limit) and limit < FASTEST):
        return None
    speeds = np.geomspace(1e-6, FASTEST, 1000)
    balanced = resistance(speeds) >= wrench
    return float(speeds[balanced.argmax()]) if balanced.any() else FASTEST
