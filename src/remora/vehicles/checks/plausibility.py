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
from remora.vehicles.checks.plausible_ranges import RANGES, doubt, is_inside
from remora.vehicles.checks.thruster_places import misplaced_thrusters, one_sided_axes, restless_thrusters
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters, with_pulse_commands
from remora.vehicles.pulse_range import pulse_range
from remora.vehicles.vehicle import SensorEntry, Vehicle

WATER = 1000.0  # kg/m3, for the size of a vehicle
DOPPLER_LOGS = ("dvl", "dvl_beams")  # kinds of sensors
FASTEST = 1e3  # m/s or rad/s; higher terminal speeds count as infinite


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


def implausible(vehicle: Vehicle) -> list[Implausible]:
    """All implausible quantities of a vehicle, with the likely mistakes."""
    found = [*implausible_hull(vehicle.parameters), *_outside(_of_devices(vehicle))]
    actuation = (*restless_thrusters(vehicle.parameters), *one_sided_axes(vehicle.parameters))
    states_axes = vehicle.text.startswith("axes:") or "\naxes:" in vehicle.text
    actuation += (*misplaced_thrusters(vehicle.parameters, states_axes),)
    if any(field == "axes" for field, _ in actuation):  # the cause of an attitude that is upside down
        found = [one for one in found if "at rest is" not in one.text]
    found += [Implausible(field, text) for field, text in actuation]
    return [*found, *(Implausible(field, text) for field, text in vehicle.implausible_sensors)]


def implausible_hull(parameters: VehicleParameters) -> list[Implausible]:
    """Implausible quantities of water and body."""
    return _outside([*_of_water(parameters), *_of_body(parameters)])


def implausible_sensor(parameters: VehicleParameters, sensor: SensorEntry) -> list[Implausible]:
    """Implausible position and latency of a sensor that a vehicle carries; fields of the entry."""
    return _outside(one._replace(field=field) for field, one in _of_sensor(parameters, sensor))


def _outside(measured: Iterable[CheckedQuantity]) -> list[Implausible]:
    return [
        Implausible(one.field, doubt(RANGES[one.kind], one.what, one.value))
        for one in measured
        if not _inside(one.kind, one.value)
    ]


def _inside(kind: str, value: float) -> bool:
    return is_inside(RANGES[kind], value)


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
    if sized:
        yield from _of_looks(vehicle, size)
        yield from _of_battery(p)
    if p.thrusters and sized:
        yield from _of_thrust(p)


def _of_looks(vehicle: Vehicle, size: float) -> Iterator[CheckedQuantity]:
    """Sizes of the solids that show the vehicle."""
    for index, solid in enumerate(vehicle.looks):
        sizes = [*solid.get("size", ()), solid.get("length", 0.0), solid.get("diameter", 0.0)]
        corners = np.array(solid.get("triangles", ()), dtype=float).reshape(-1, 3)
        sizes += np.ptp(corners, axis=0).tolist() if len(corners) else []
        what = f"the largest extent of the {solid['shape']}"
        yield CheckedQuantity("looks", f"looks.shapes[{index}]", what, max(sizes) / size)


def _of_battery(p: VehicleParameters) -> Iterator[CheckedQuantity]:
    """Voltage, resistance, energy and hotel load, the last two relative to the mass."""
    if p.supply is None:
        return
    battery = p.supply.battery
    yield CheckedQuantity("battery_voltage", "battery", "the voltage of the full battery", battery.full_voltage)
    yield CheckedQuantity("battery_resistance", "battery", "the resistance", battery.resistance)
    yield CheckedQuantity("specific_energy", "battery", "the capacity", battery.capacity / p.mass)
    yield CheckedQuantity("specific_load", "battery", "the hotel load", p.supply.hotel_load / p.mass)


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
