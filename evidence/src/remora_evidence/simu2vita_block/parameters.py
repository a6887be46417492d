"""Parameters of the vehicle block of Gava et al. 2022 in its three tabs, and the vehicle that they describe.

Body axes forward, right, down; SI; matrices and damping positive. Per-actuator fields take one number for all.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.actuators.thrusters import OUTPUT_IS_FORCE, CommandMap, ThrustCurve, Thruster, thruster_effect
from remora.equations.algebra.quaternions import matrix_from_euler_xyz
from remora.equations.algebra.vectors import IDENTITY3, ZERO3, ZERO6, matvec3
from remora.equations.hull.inertia import inertia_about_G, rigid_body_inertia
from remora.files.arrays import Array
from remora.run.loop import clock
from remora.vehicles.checks.invariants import added_mass_violations, inertia_violations
from remora.vehicles.parameters import VehicleParameters
from remora.vehicles.vehicle import Vehicle

_NO_CURVE = ThrustCurve(0.0, 0.0, 0.0)
_NO_MAP = CommandMap(-math.inf, math.inf, 1.0, 1.0, (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))


class BlockError(ValueError):
    """Invalid parameters of a block; `problems` lists all mistakes."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))

    def __reduce__(self) -> tuple[type["BlockError"], tuple[list[str]]]:
        return (type(self), (list(self.problems),))


@final
@dataclass(frozen=True)
class ActuatorTab:
    """Actuators: limits on the reference, then a first-order lag of unit gain."""

    number: int
    time_constants: ArrayLike = ()  # s
    initial_states: ArrayLike = 0.0  # N for propellers, rad for fins
    start_times: ArrayLike = 0.0  # s: references act from here on
    lower_limits: ArrayLike = -math.inf
    upper_limits: ArrayLike = math.inf
    disable_saturation: bool = False
    use_external_clock: bool = False


@final
@dataclass(frozen=True)
class AllocationTab:
    """Wrench from actuator outputs: a matrix with a column per actuator, fixed or supplied at run time."""

    matrix: ArrayLike | None = None  # 6 x n, wrench about B per unit of output
    use_external_matrix: bool = False


@final
@dataclass(frozen=True)
class DynamicsTab:
    """Body, water and initial state."""

    mass: float  # kg
    volume: float  # m3
    inertia: ArrayLike  # kg m2, 3 x 3 or its diagonal, about B
    center_of_gravity: ArrayLike = ZERO3  # m
    added_mass: ArrayLike = ZERO6  # 6 x 6 or its diagonal
    linear_damping: ArrayLike = ZERO6  # column of 6
    nonlinear_damping: ArrayLike = ZERO6  # column of 6, times |v| v
    water_current: ArrayLike = ZERO3  # m/s, 3 or 6
    gravity: float = 9.81  # m/s2
    density: float = 1000.0  # kg/m3
    center_of_buoyancy: ArrayLike = ZERO3  # m
    initial_pose: ArrayLike = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)  # north, east, down, quaternion with scalar first
    initial_velocity: ArrayLike = ZERO6  # body axes


class BlockNumbers(NamedTuple):
    """Checked parameters of the tabs."""

    vehicle: VehicleParameters
    matrix: Array  # 6 x n; zero where none is given
    initial_states: Array
    starts_ns: list[int]
    lower_limits: Array
    upper_limits: Array
    current: Array  # 3
    pose: Array
    velocity: Array


@final
class _Reader:
    """Converts fields into arrays and collects mistakes; an invalid field becomes NaN and passes the other checks."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def array(self, field: str, value: ArrayLike, *shapes: tuple[int, ...], infinite: bool = False) -> Array:
        """Numbers of one of the shapes; the caller expands shapes other than the first."""
        try:
            array = np.array(value, dtype=float)
        except (TypeError, ValueError):
            array = np.array(math.nan)
        if array.shape not in shapes and not (array.size == 0 and 0 in shapes[0]):
            self.problems.append(f"{field} has shape {array.shape}: give {' or '.join(map(str, shapes))} numbers")
        elif np.any(np.isnan(array)) or not (infinite or np.all(np.isfinite(array))):
            self.problems.append(f"{field} holds something that is not a finite number: {value!r}")
        else:
            return array
        return np.full(shapes[0], math.nan)

    def each(self, field: str, value: ArrayLike, count: int, infinite: bool = False) -> Array:
        """One number per actuator, or one for all."""
        array = self.array(field, value, (count,), (), infinite=infinite)
        return np.broadcast_to(array, (count,)).copy() if array.ndim == 0 else array.reshape(count)

    def square(self, field: str, value: ArrayLike, size: int) -> Array:
        """A square matrix, or its diagonal."""
        array = self.array(field, value, (size, size), (size,))
        return np.diag(array) if array.ndim == 1 else array

    def number(self, field: str, value: float) -> float:
        """One number."""
        return float(self.array(field, value, ()))

    def refuse(self, field: str, values: ArrayLike, bad: Callable[[Array], Any], advice: str) -> None:
        """Record every invalid value of a field."""
        array = np.asarray(values, dtype=float)
        for index in np.argwhere(np.asarray(bad(array))):
            place = "".join(f"[{i}]" for i in index)
            self.problems.append(f"{field}{place} is {array[tuple(index)]:g}: {advice}")


def checked(
    actuators: ActuatorTab, allocation: AllocationTab, dynamics: DynamicsTab, has_function: bool, problems: list[str]
) -> BlockNumbers:
    """Checked parameters; raises a BlockError with all mistakes, after the given problems."""
    read = _Reader()
    count = actuators.number
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
        read.problems.append(f"actuators.number is {count!r}: give a whole number of at least 0")
        raise BlockError([*problems, *read.problems])
    lags = read.each("actuators.time_constants", actuators.time_constants, count)
    read.refuse("actuators.time_constants", lags, lambda x: x <= 0.0, "must be above zero")
    lower = read.each("actuators.lower_limits", actuators.lower_limits, count, infinite=True)
    upper = read.each("actuators.upper_limits", actuators.upper_limits, count, infinite=True)
    read.refuse("actuators.lower_limits", lower, lambda x: x > upper, "must not be above the upper limit")
    starts = read.each("actuators.start_times", actuators.start_times, count)
    matrix = _matrix(read, allocation, count, has_function)
    vehicle = _vehicle(read, dynamics, matrix, lags)
    pose = read.array("dynamics.initial_pose", dynamics.initial_pose, (7,))
    length = float(np.linalg.norm(pose[3:]))
    if not 1e-6 < length < 1e6 and not math.isnan(length):
        read.problems.append(f"dynamics.initial_pose has a quaternion of length {length:g}: give a rotation")
    numbers = BlockNumbers(
        vehicle=vehicle,
        matrix=matrix,
        initial_states=read.each("actuators.initial_states", actuators.initial_states, count),
        starts_ns=[nanoseconds("start", t) for t in starts[np.isfinite(starts)].tolist()],
        lower_limits=lower,
        upper_limits=upper,
        current=_current(read, dynamics.water_current),
        pose=pose,
        velocity=read.array("dynamics.initial_velocity", dynamics.initial_velocity, (6,)),
    )
    if problems or read.problems:
        raise BlockError([*problems, *read.problems])
    return numbers


def _matrix(read: _Reader, allocation: AllocationTab, count: int, has_function: bool) -> Array:
    """The static matrix; zero where none is needed."""
    if allocation.matrix is not None:
        return read.array("allocation.matrix", allocation.matrix, (6, count)).reshape(6, count)
    if count and not allocation.use_external_matrix and not has_function:
        fix = "or set use_external_matrix; zeros leave the actuators without effect"
        read.problems.append(f"allocation.matrix is missing: give 6 x {count} numbers, {fix}")
    return np.zeros((6, count))


def _current(read: _Reader, value: ArrayLike) -> Array:
    """Linear velocity of the current, from three or six numbers."""
    try:
        return current_velocity("dynamics.water_current", value)
    except ValueError as error:
        read.problems.append(str(error))
        return np.zeros(3)


def current_velocity(field: str, value: ArrayLike) -> Array:
    """Linear velocity from three or six numbers; a rotating current is refused."""
    read = _Reader()
    array = read.array(field, value, (3,), (6,))
    read.refuse(f"{field}[3:]", array[3:], lambda x: x != 0.0, "a current is irrotational here: give 0")
    if read.problems:
        raise ValueError("; ".join(read.problems))
    return array[:3]


def _vehicle(read: _Reader, tab: DynamicsTab, matrix: Array, lags: Array) -> VehicleParameters:
    """The vehicle of the tabs for the compiled plant; NaN where a field is invalid."""
    scalars = {name: read.number(f"dynamics.{name}", getattr(tab, name)) for name in _SCALARS}
    for name, value in scalars.items():
        if name == "mass":
            read.refuse("dynamics.mass", value, lambda x: x <= 0.0, "must be above zero")
        else:
            read.refuse(f"dynamics.{name}", value, lambda x: x < 0.0, "must not be negative")
    p_BG = tuples(read.array("dynamics.center_of_gravity", tab.center_of_gravity, (3,)))
    p_BC = tuples(read.array("dynamics.center_of_buoyancy", tab.center_of_buoyancy, (3,)))
    damping = [read.array(f"dynamics.{name}", getattr(tab, name), (6,)) for name in _DAMPING]
    for name, column in zip(_DAMPING, damping, strict=True):
        read.refuse(f"dynamics.{name}", column, lambda x: x < 0.0, "damping is given positive, so at least 0")
    inertia_G = inertia_about_G(scalars["mass"], p_BG, tuples(read.square("dynamics.inertia", tab.inertia, 3)))
    added = tuples(read.square("dynamics.added_mass", tab.added_mass, 6))
    rigid = rigid_body_inertia(scalars["mass"], p_BG, inertia_G)
    _refuse_impossible_inertia(read, inertia_G, added, rigid)
    return VehicleParameters(
        mass=scalars["mass"],
        displaced_mass=scalars["density"] * scalars["volume"],
        p_BG=p_BG,
        p_BC=p_BC,
        inertia_G=inertia_G,
        rigid_body_inertia=rigid,
        added_mass=added,
        linear_damping=tuples(np.diag(damping[0])),
        quadratic_damping=tuples(np.diag(damping[1])),
        gravity=scalars["gravity"],
        density=scalars["density"],
        thrusters=tuple(_actuator(column, lag) for column, lag in zip(matrix.T, lags, strict=True)),
        thruster_names=tuple(f"actuator_{i + 1}" for i in range(lags.size)),
        **_PLAIN_FEATURES,
    )


_SCALARS, _DAMPING = ("mass", "volume", "gravity", "density"), ("linear_damping", "nonlinear_damping")
# Features of a vehicle that the block does not have.
_PLAIN_FEATURES: dict[str, Any] = {
    "cubic_surge": 0.0, "heave_up": None,
    "thrust_law": OUTPUT_IS_FORCE, "mapped_commands": False, "fins": (), "fin_names": (),
    "locked": (), "simplifications": (), "envelope": None, "total_inertia_only": False,
}  # fmt: skip


def _refuse_impossible_inertia(read: _Reader, inertia_G: Any, added: Any, rigid: Any) -> None:
    """Invariants of the inertia about G and of the added mass, where they are valid numbers."""
    if np.all(np.isfinite(inertia_G)):
        faults = inertia_violations(inertia_G)
        read.problems.extend(f"dynamics.inertia, seen about the center of gravity: {fault.text}" for fault in faults)
        if np.all(np.isfinite(added)) and not faults:
            faults = added_mass_violations(added, rigid)
            # The first sentence states the fault; the rest concerns vehicle files.
            read.problems.extend(f"dynamics.added_mass: {fault.text.split('. ')[0]}" for fault in faults)


def _actuator(column: Array, lag: float) -> Thruster:
    """An actuator whose output acts through its column, without limits: the block saturates references."""
    return Thruster(
        position=ZERO3, axis=(1.0, 0.0, 0.0), effect=tuples(column), effectiveness_forward=1.0,
        effectiveness_reverse=1.0, sense=1.0, positive=_NO_CURVE, negative=_NO_CURVE, inflow_is_signed=0.0, wake=0.0,
        rise_time=float(lag), fall_time=float(lag), command_minimum=-math.inf, command_maximum=math.inf,
        command_map=_NO_MAP,
    )  # fmt: skip


def tuples(array: ArrayLike) -> Any:
    """An array as nested tuples of floats."""
    rows = np.asarray(array, dtype=float).tolist()
    return tuple(tuple(row) if isinstance(row, list) else row for row in rows)


def propeller_matrix(positions: ArrayLike, angles: ArrayLike) -> Array:
    """Allocation matrix of propellers from positions (m) and angles (rad), R = R_x R_y R_z. Gava et al. 2022."""
    columns = [
        thruster_effect(tuples(position), matvec3(matrix_from_euler_xyz(*turn), IDENTITY3[0]), 0.0)
        for position, turn in zip(np.array(positions, dtype=float), tuples(angles), strict=True)
    ]
    return np.array(columns).reshape(len(columns), 6).T


def nanoseconds(name: str, seconds: float | Decimal) -> int:
    """Nanoseconds of a time in seconds, in decimal arithmetic without loss of digits."""
    try:
        return clock.nanoseconds(seconds)
    except clock.ClockError as error:
        raise ValueError(f"{name} is {seconds!r}: give a finite number of seconds") from error


def tabs_from_vehicle(vehicle: Vehicle) -> tuple[ActuatorTab, AllocationTab, DynamicsTab]:
    """The tabs of a vehicle; raises a BlockError that names features which the block cannot represent."""
    p = vehicle.parameters
    if problems := [f"{vehicle.name} has {thing}: the block knows none" for thing in _unknown(p)]:
        raise BlockError(problems)
    matrix = np.array([np.array(t.effect) * t.effectiveness_forward for t in p.thrusters]).reshape(-1, 6).T
    actuators = ActuatorTab(
        number=len(p.thrusters),
        time_constants=tuple(t.rise_time for t in p.thrusters),
        lower_limits=tuple(t.command_minimum for t in p.thrusters),
        upper_limits=tuple(t.command_maximum for t in p.thrusters),
    )
    dynamics = DynamicsTab(
        mass=p.mass,
        volume=p.displaced_mass / p.density,
        inertia=tuple(row[3:] for row in p.rigid_body_inertia[3:]),
        center_of_gravity=p.p_BG,
        added_mass=p.added_mass,
        linear_damping=tuples(np.diag(p.linear_damping)),
        nonlinear_damping=tuples(np.diag(p.quadratic_damping)),
        gravity=p.gravity,
        density=p.density,
        center_of_buoyancy=p.p_BC,
    )
    return actuators, AllocationTab(tuples(matrix)), dynamics


def _unknown(p: VehicleParameters) -> list[str]:
    """Features of a vehicle that the tabs cannot represent."""
    linear, quadratic = np.array(p.linear_damping), np.array(p.quadratic_damping)
    coupled = any(np.any(m != np.diag(np.diag(m))) for m in (linear, quadratic))
    things = {
        "coupled damping": coupled,
        "cubic surge damping": p.cubic_surge != 0.0,
        **{f"the hull force {force.name or force.form.name}": True for force in p.forces},
        "fins (use nonlinear_allocation)": bool(p.fins),
        "servos (give Alloc_matrix from outside)": bool(p.servos),
        "moving masses": bool(p.moving_masses),
        "a heave that depends on its direction": p.heave_up is not None,
        "locked degrees of freedom": bool(p.locked),
        "simplifications": bool(p.simplifications),
        "a total inertia without its rigid-body part": p.total_inertia_only,
        "thrusters whose output is no force": bool(p.thrusters) and p.thrust_law != OUTPUT_IS_FORCE,
        "command maps": p.mapped_commands,
        "time constants that differ between rise and fall": any(t.rise_time != t.fall_time for t in p.thrusters),
        "thrust that counts differently forward and in reverse": any(
            t.effectiveness_forward != t.effectiveness_reverse for t in p.thrusters
        ),
    }
    return [thing for thing, present in things.items() if present]
