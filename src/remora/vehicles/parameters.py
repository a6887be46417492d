"""Vehicle parameters of the equations of motion: SI, body axes forward-right-down, matrices stored positive."""

import math
from typing import Any, NamedTuple

from remora.equations.actuators.drives import Motor
from remora.equations.actuators.fins import Fin
from remora.equations.actuators.moving_mass import MovingMass
from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.servos import Swivel
from remora.equations.actuators.slewing import Slew
from remora.equations.actuators.thrusters import Thruster
from remora.equations.algebra.vectors import add_matrix6
from remora.equations.hull.forms.form import Form, HullForce
from remora.equations.hull.forms.table import records_of, with_records
from remora.equations.hull.restoring import BuoyancyElement
from remora.equations.types import Matrix3, Matrix6, Vector3, Vector6
from remora.vehicles.drives import DIRECT, Supply, ThrusterDrive, without_pulses

SMALLEST_RADIUS = 1e-6  # m, of a buoyancy element: a body may displace nothing


class HeaveUp(NamedTuple):
    """The (heave, heave) elements while rising; the matrices hold the values while sinking."""

    added_mass: float  # kg
    linear_damping: float  # kg/s
    quadratic_damping: float  # kg/m


class QuadrantSeries(NamedTuple):
    """Fourier series of the four-quadrant thrust coefficient C_T* of a thruster."""

    disc: Disc
    cosines: tuple[float, ...]  # from order zero on
    sines: tuple[float, ...]  # the first has no effect


class VehicleParameters(NamedTuple):
    """All parameters of the equations of motion of one vehicle, about its origin B."""

    mass: float  # kg
    displaced_mass: float  # kg: density x volume
    p_BG: Vector3  # m, centre of gravity
    p_BC: Vector3  # m, centre of buoyancy
    inertia_G: Matrix3  # kg m2, about G
    rigid_body_inertia: Matrix6  # about B
    added_mass: Matrix6
    linear_damping: Matrix6
    quadratic_damping: Matrix6  # d_i = sum_j D_ij |v_j| v_j
    cubic_surge: float  # kg s/m2
    heave_up: HeaveUp | None
    gravity: float  # m/s2
    density: float  # kg/m3
    thrusters: tuple[Thruster, ...]
    thruster_names: tuple[str, ...]
    thrust_law: int  # code of a law of equations.actuators.laws
    mapped_commands: bool  # some thruster has a command map
    fins: tuple[Fin, ...]
    fin_names: tuple[str, ...]
    locked: tuple[str, ...]  # locked degrees of freedom
    simplifications: tuple[str, ...]  # of coriolis_off, munk_off
    envelope: Vector6 | None  # largest valid |speed| per degree of freedom
    total_inertia_only: bool  # True: rigid-body inertia unknown, added_mass holds the total
    drives: tuple[ThrusterDrive, ...] = ()  # one per thruster, or empty
    pulse_drives: tuple[ThrusterDrive, ...] = ()  # the same with the pulse laws of the file; empty without one
    supply: Supply | None = None  # battery and hotel load
    servos: tuple[Slew, ...] = ()
    servo_names: tuple[str, ...] = ()
    swivels: tuple[Swivel | None, ...] = ()  # per thruster; empty without servos
    thruster_servos: tuple[int | None, ...] = ()  # index of the servo that turns each thruster
    moving_masses: tuple[MovingMass, ...] = ()  # included in mass and volume above at their neutral outputs
    moving_mass_names: tuple[str, ...] = ()
    motors: tuple[Motor | None, ...] = ()  # per thruster; empty where commands are not voltages
    buoyancy_elements: tuple[BuoyancyElement, ...] = ()  # spheres that make up the volume; empty: one sphere
    quadrants: tuple[QuadrantSeries | None, ...] = ()  # per thruster; empty without a four-quadrant law
    forces: tuple[HullForce, ...] = ()  # hull forces beyond the terms above: lift, six matrices, strips, user-defined


def actuator_names(parameters: VehicleParameters) -> tuple[str, ...]:
    """Names of all actuators in the order of commands and outputs: thrusters, fins, servos, moving masses."""
    p = parameters
    return (*p.thruster_names, *p.fin_names, *p.servo_names, *p.moving_mass_names)


def actuator_groups(parameters: VehicleParameters) -> dict[str, tuple[str, ...]]:
    """Names of the actuators by kind."""
    p = parameters
    return {
        "thrusters": p.thruster_names,
        "fins": p.fin_names,
        "servos": p.servo_names,
        "moving_masses": p.moving_mass_names,
    }


def form_records(parameters: VehicleParameters, form: Form) -> tuple[Any, ...]:
    """Records of a hull force form of a vehicle."""
    return records_of(parameters.forces, form)


def with_form(parameters: VehicleParameters, form: Form, *records: Any) -> VehicleParameters:
    """The vehicle with these records of a hull force form; without the form where there are none."""
    return parameters._replace(forces=with_records(parameters.forces, form, records))


def total_inertia(parameters: VehicleParameters) -> Matrix6:
    """Rigid-body inertia plus added mass; while sinking where heave depends on its direction."""
    return add_matrix6(parameters.rigid_body_inertia, parameters.added_mass)


def with_heave(matrix: Matrix6, value: float) -> Matrix6:
    """A matrix with another (heave, heave) element."""
    z = matrix[2]
    return (matrix[0], matrix[1], (z[0], z[1], value, z[3], z[4], z[5]), matrix[3], matrix[4], matrix[5])


def net_buoyancy(parameters: VehicleParameters) -> float:
    """Net buoyancy (buoyancy minus weight), N: positive for a vehicle that rises."""
    return (parameters.displaced_mass - parameters.mass) * parameters.gravity


def with_pulse_commands(parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle with pulse-width commands for each thruster whose file entry has a pulse law.

    Raises a ValueError when the file has no such law.
    """
    if not parameters.pulse_drives:
        raise ValueError("its file has no pulse, pulse_speed or table in the drive of any thruster")
    return parameters._replace(drives=parameters.pulse_drives)


def with_direct_commands(parameters: VehicleParameters) -> VehicleParameters:
    """The vehicle with commands in thruster units, bypassing the pulse laws."""
    drives = tuple(map(without_pulses, parameters.drives))
    return parameters._replace(drives=drives if any(drive != DIRECT for drive in drives) else ())


def with_symmetric_heave(parameters: VehicleParameters) -> VehicleParameters:
    """The parameters with the sinking heave coefficients in both directions; energy and momentum are then conserved."""
    return parameters._replace(heave_up=None)


def buoyancy_elements_of(parameters: VehicleParameters) -> tuple[BuoyancyElement, ...]:
    """The buoyancy elements of a vehicle; without any, one sphere of its whole volume."""
    if parameters.buoyancy_elements:
        return parameters.buoyancy_elements
    radius = sphere_radius(parameters.displaced_mass / parameters.density)
    return (BuoyancyElement(parameters.p_BC, radius, parameters.displaced_mass),)


def sphere_radius(volume: float) -> float:
    """Radius of a sphere of a volume in m3; not zero, because a body may displace nothing."""
    return max((0.75 * volume / math.pi) ** (1.0 / 3.0), SMALLEST_RADIUS)
