"""The numbers of a vehicle, frozen: SI, body axes forward-right-down, matrices positive."""

from typing import NamedTuple

from remora.equations.actuators.drives import Motor
from remora.equations.actuators.fins import Fin
from remora.equations.actuators.moving_mass import MovingMass
from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.servos import Swivel
from remora.equations.actuators.slewing import Slew
from remora.equations.actuators.thrusters import Thruster
from remora.equations.algebra.vectors import Matrix3, Matrix6, Vector3, Vector6, add_matrix6
from remora.equations.hull.damping import Strip, Tensor6
from remora.equations.hull.surface import BuoyancyElement
from remora.vehicles.drives import DIRECT, Supply, ThrusterDrive, without_pulses


class HeaveUp(NamedTuple):
    """The (heave, heave) elements while rising; the matrices hold those while sinking."""

    added_mass: float  # kg
    linear_damping: float  # kg/s
    quadratic_damping: float  # kg/m


class QuadrantSeries(NamedTuple):
    """The four-quadrant thrust coefficient of a thruster: a Fourier series."""

    disc: Disc
    cosines: tuple[float, ...]  # from order zero on
    sines: tuple[float, ...]  # the first counts for nothing


class VehicleParameters(NamedTuple):
    """Everything that the equations of motion need to know about one vehicle, about its origin B."""

    mass: float  # kg
    displaced_mass: float  # kg: density x volume
    p_BG: Vector3  # m, centre of gravity
    p_BC: Vector3  # m, centre of buoyancy
    inertia_G: Matrix3  # kg m2, about G
    rigid_body_inertia: Matrix6  # about B
    added_mass: Matrix6
    linear_damping: Matrix6
    quadratic_damping: Matrix6  # d_i = sum_j D_ij |v_j| v_j
    tensor_damping: Tensor6 | None  # d_i = sum_jk Q_ijk |v_j| v_k
    lift: Matrix6 | None  # |u| L nu on the side of damping
    cubic_surge: float  # kg s/m2
    strips: tuple[Strip, ...]
    heave_up: HeaveUp | None
    gravity: float  # m/s2
    density: float  # kg/m3
    thrusters: tuple[Thruster, ...]
    thruster_names: tuple[str, ...]
    thrust_law: int  # see equations.thrusters
    mapped_commands: bool  # some thruster has a command map
    fins: tuple[Fin, ...]
    fin_names: tuple[str, ...]
    locked: tuple[str, ...]  # degrees of freedom that do not move
    simplifications: tuple[str, ...]  # of coriolis_off, munk_off
    envelope: Vector6 | None  # largest |speed| per degree of freedom for which the numbers hold
    total_inertia_only: bool  # True: no rigid-body part is known, so that added_mass holds the total
    drives: tuple[ThrusterDrive, ...] = ()  # one per thruster, or none at all
    pulse_drives: tuple[ThrusterDrive, ...] = ()  # the same with the laws of pulses that the file knows; none: no law
    supply: Supply | None = None  # the battery and what else it feeds
    servos: tuple[Slew, ...] = ()
    servo_names: tuple[str, ...] = ()
    swivels: tuple[Swivel | None, ...] = ()  # of each thruster; none at all without servos
    thruster_servos: tuple[int | None, ...] = ()  # the servo that turns each thruster
    moving_masses: tuple[MovingMass, ...] = ()  # the mass and volume above contain them at their neutral outputs
    moving_mass_names: tuple[str, ...] = ()
    motors: tuple[Motor | None, ...] = ()  # of each thruster; none at all where commands are no voltages
    buoyancy_elements: tuple[
        BuoyancyElement, ...
    ] = ()  # spheres that make up the volume; none: one sphere of all of it
    quadrants: tuple[QuadrantSeries | None, ...] = ()  # of each thruster; none at all without such a law


def actuator_names(parameters: VehicleParameters) -> tuple[str, ...]:
    """Names of all actuators in the order of commands and outputs: thrusters, fins, servos, moving masses."""
    p = parameters
    return (*p.thruster_names, *p.fin_names, *p.servo_names, *p.moving_mass_names)


def actuator_groups(parameters: VehicleParameters) -> dict[str, tuple[str, ...]]:
    """The same names by what they are."""
    p = parameters
    return {
        "thrusters": p.thruster_names,
        "fins": p.fin_names,
        "servos": p.servo_names,
        "moving_masses": p.moving_mass_names,
    }


def total_inertia(parameters: VehicleParameters) -> Matrix6:
    """Rigid body plus added mass, while sinking where heave depends on its direction."""
    return add_matrix6(parameters.rigid_body_inertia, parameters.added_mass)


def net_buoyancy(parameters: VehicleParameters) -> float:
    """Buoyancy less weight in newtons: positive for a vehicle that floats up."""
    return (parameters.displaced_mass - parameters.mass) * parameters.gravity


def with_pulse_commands(parameters: VehicleParameters) -> VehicleParameters:
    """The same vehicle, commanded by pulse widths wherever its file has a law for them.

    Raises
    ------
    ValueError
        When the file has no such law.
    """
    if not parameters.pulse_drives:
        raise ValueError("its file has no pulse, pulse_speed or table in the drive of any thruster")
    return parameters._replace(drives=parameters.pulse_drives)


def with_direct_commands(parameters: VehicleParameters) -> VehicleParameters:
    """The same vehicle, commanded in the units of its thrusters, past any law of pulses."""
    made = tuple(map(without_pulses, parameters.drives))
    return parameters._replace(drives=made if any(drive != DIRECT for drive in made) else ())


def with_one_heave_mass(parameters: VehicleParameters) -> VehicleParameters:
    """The same numbers with the heave of sinking both ways, for which energy and impulse are conserved."""
    return parameters._replace(heave_up=None)
