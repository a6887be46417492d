"""Layout of a vehicle packed into one flat row of numbers, and functions that read its records.

Compiled code, symbolic expressions and batches take the parameters of a vehicle this way. A row holds the hull with
its basic force forms, the asymmetry of its heave mass and its envelope; the records of its optional force forms, those
of the table (`hull.forms.table`) and user-defined ones; thrusters and fins; servos and the swivel of each thruster,
moving masses, motors and four-quadrant series; last the buoyancy elements and the added mass, which matter at the
surface only.

Each reader takes the row and the index where its record starts. A long record is sliced first, so that compiled code
need not handle negative indices.
"""

from typing import Any, NamedTuple

from remora.equations.actuators.drives import Motor
from remora.equations.actuators.fins import Fin
from remora.equations.actuators.moving_mass import MovingMass
from remora.equations.actuators.quadrants import Disc
from remora.equations.actuators.servos import Swivel
from remora.equations.actuators.slewing import Slew
from remora.equations.actuators.thrusters import CommandMap, ThrustCurve, Thruster
from remora.equations.algebra.vectors import matrix6_at, vector3_at, vector6_at
from remora.equations.hull.forms.form import form_size
from remora.equations.hull.forms.table import BASIC_FORMS
from remora.equations.hull.inertia import HeaveAsymmetry
from remora.equations.hull.restoring import BuoyancyElement
from remora.equations.motion import Hull
from remora.equations.types import Numbers
from remora.equations.water.local_water import ANY_WATER, kind_of_water

CORIOLIS_START = 72  # of the inertia of the Coriolis wrench
DAMPING_START = 108  # of the records of the basic force forms
BODY_START = DAMPING_START + sum(form_size(form) for form in BASIC_FORMS)  # of mass, centres and gravity
HULL_SIZE = BODY_START + 9
HEAVE_START = HULL_SIZE
HEAVE_SIZE = 2
ENVELOPE_START = HEAVE_START + HEAVE_SIZE  # six speed limits of validity
ENVELOPE_SIZE = 6
FORMS_START = ENVELOPE_START + ENVELOPE_SIZE
THRUSTER_SIZE = 37
FIN_SIZE = 18
SERVO_SIZE = 4
SWIVEL_SIZE = 10  # followed by the factor of each servo in its angle
MOVING_MASS_SIZE = 15
MOTOR_SIZE = 7
BUOYANCY_ELEMENT_SIZE = 5
ADDED_MASS_SIZE = 36
DISC_SIZE = 2  # followed by the series, two numbers per order from zero on


# Part of the momentum in the Coriolis wrench.
FULL_CORIOLIS, WITHOUT_MUNK, WITHOUT_CORIOLIS = range(3)


class Layout(NamedTuple):
    """Content of a packed row: integers that are known before a run."""

    special: int  # 1: a feature of `equations.plant.special_wrench` is present
    locked: int  # 1: some degrees of freedom are locked
    asymmetric_heave: int  # 1: the heave mass depends on the direction of heave
    coriolis: int  # FULL_CORIOLIS, WITHOUT_MUNK or WITHOUT_CORIOLIS
    thrust_law: int  # code of a law of equations.actuators.laws
    mapped_commands: int  # 1: commands pass through the command map
    thrusters: int  # numbers of each
    fins: int
    slewing: int  # 1: fins, servos or moving masses have a rate limit, or their rate enters the dynamics
    motors: int  # 1: thrusters may have motors, whose commands are voltages
    harmonics: int  # order of the four-quadrant series; 0 where no thruster has one
    servos: int  # numbers of each
    moving_masses: int
    buoyancy_elements: int
    water: int  # the kind of water that compiled code is made for, or ANY_WATER
    forms: tuple[int, ...]  # count of records of each optional form of `hull.forms.table`
    forms_size: int  # count of numbers in all these records
    user_forms_size: int  # the same of user-defined forms
    user_forms: Any  # the form of each record of a user-defined force; in compiled code the address of their function


def is_general(layout: Layout) -> bool:
    """Whether a vehicle has rate limits, motors, four-quadrant series, servos or moving masses."""
    return layout.slewing + layout.motors + layout.harmonics + layout.servos + layout.moving_masses > 0


def water_kind(layout: Layout, size: int) -> int:
    """Kind of water from the number of its numbers; fixed where the layout is for one kind only."""
    return kind_of_water(size) if layout.water == ANY_WATER else layout.water


def actuator_count(layout: Layout) -> int:
    """Number of commands and of outputs: thrusters, fins, servos, moving masses, in this order."""
    return layout.thrusters + layout.fins + layout.servos + layout.moving_masses


def actuator_state_count(layout: Layout) -> int:
    """Size of the actuator part of a state: outputs, then speeds of moving masses."""
    return actuator_count(layout) + layout.moving_masses


def outputs_count(layout: Layout) -> int:
    """Size of the outputs of the plant: outputs, then speeds and accelerations of moving masses."""
    return actuator_count(layout) + 2 * layout.moving_masses


def user_forms_start(layout: Layout) -> int:
    """Start of the records of user-defined forms, after those of the table."""
    return FORMS_START + layout.forms_size


def thrusters_start(layout: Layout) -> int:
    """Start of the first thruster."""
    return user_forms_start(layout) + layout.user_forms_size


def fins_start(layout: Layout) -> int:
    """Start of the first fin."""
    return thrusters_start(layout) + THRUSTER_SIZE * layout.thrusters


def servos_start(layout: Layout) -> int:
    """Start of the first servo."""
    return fins_start(layout) + FIN_SIZE * layout.fins


def swivel_start(layout: Layout, index: int) -> int:
    """Start of the swivel of a thruster; there are none without servos."""
    present = 1 if layout.servos else 0
    return servos_start(layout) + SERVO_SIZE * layout.servos + present * (SWIVEL_SIZE + layout.servos) * index


def moving_mass_start(layout: Layout, index: int) -> int:
    """Start of a moving mass."""
    return swivel_start(layout, layout.thrusters) + MOVING_MASS_SIZE * index


def motor_start(layout: Layout, index: int) -> int:
    """Start of the motor of a thruster."""
    return moving_mass_start(layout, layout.moving_masses) + MOTOR_SIZE * layout.motors * index


def disc_start(layout: Layout, index: int) -> int:
    """Start of the four-quadrant series of a thruster."""
    present = 1 if layout.harmonics else 0
    size = present * (DISC_SIZE + 2 * (layout.harmonics + 1))
    return motor_start(layout, layout.thrusters) + size * index


def buoyancy_element_start(layout: Layout, index: int) -> int:
    """Start of a buoyancy element."""
    return disc_start(layout, layout.thrusters) + BUOYANCY_ELEMENT_SIZE * index


def added_mass_start(layout: Layout) -> int:
    """Start of the added mass, the mean of sinking and rising where heave is asymmetric."""
    return buoyancy_element_start(layout, layout.buoyancy_elements)


def packed_size(layout: Layout) -> int:
    """Length of the whole row."""
    return added_mass_start(layout) + ADDED_MASS_SIZE


def hull_at(row: Numbers) -> Hull:
    """The hull, at the start of the row."""
    return Hull(
        inertia=matrix6_at(row, 0),
        inverse_inertia=matrix6_at(row, 36),
        coriolis_inertia=matrix6_at(row, CORIOLIS_START),
        damping=damping_records_at(row, DAMPING_START),
        mass=row[BODY_START],
        displaced_mass=row[BODY_START + 1],
        p_BG=vector3_at(row, BODY_START + 2),
        p_BC=vector3_at(row, BODY_START + 5),
        gravity=row[BODY_START + 8],
    )


def damping_records_at(row: Numbers, k: int) -> Any:
    """One record of each basic force form; compiled code runs the loop unrolled (`plant.forms.unrolled_forms`)."""
    records = []
    for form in BASIC_FORMS:
        records.append(form.read(row, k))
        k += form_size(form)
    return tuple(records)


def heave_asymmetry_at(row: Numbers) -> HeaveAsymmetry:
    """Difference of inertia between sinking and rising, after the hull."""
    return HeaveAsymmetry(row[HEAVE_START], row[HEAVE_START + 1])


def thruster_at(row: Numbers, k: int) -> Thruster:
    """One thruster."""
    record = row[k : k + THRUSTER_SIZE]
    return Thruster(
        position=vector3_at(record, 0),
        axis=vector3_at(record, 3),
        effect=vector6_at(record, 6),
        effectiveness_forward=record[12],
        effectiveness_reverse=record[13],
        sense=record[14],
        positive=ThrustCurve(record[15], record[16], record[17]),
        negative=ThrustCurve(record[18], record[19], record[20]),
        inflow_is_signed=record[21],
        wake=record[22],
        rise_time=record[23],
        fall_time=record[24],
        command_minimum=record[25],
        command_maximum=record[26],
        command_map=command_map_at(record, 27),
    )


def command_map_at(row: Numbers, k: int) -> CommandMap:
    """The command map of a thruster."""
    return CommandMap(row[k], row[k + 1], row[k + 2], row[k + 3], vector3_at(row, k + 4), vector3_at(row, k + 7))


def fin_at(row: Numbers, k: int) -> Fin:
    """One fin."""
    record = row[k : k + FIN_SIZE]
    return Fin(
        position=vector3_at(record, 0),
        chord=vector3_at(record, 3),
        normal=vector3_at(record, 6),
        dynamic_area=record[9],
        lift_slope=record[10],
        drag_at_zero_lift=record[11],
        induced_drag=record[12],
        stall_angle=record[13],
        feels_cross_flow=record[14],
        lag=record[15],
        deflection_limit=record[16],
        rate_limit=record[17],
    )


def slew_at(row: Numbers, k: int) -> Slew:
    """Lag, rate limit and range of a servo or a moving mass."""
    return Slew(row[k], row[k + 1], row[k + 2], row[k + 3])


def swivel_at(row: Numbers, k: int) -> Swivel:
    """Swivel of a thruster."""
    record = row[k : k + SWIVEL_SIZE]
    return Swivel(vector3_at(record, 0), record[3], vector6_at(record, 4))


def moving_mass_at(row: Numbers, k: int) -> MovingMass:
    """One moving mass."""
    record = row[k : k + MOVING_MASS_SIZE]
    return MovingMass(
        position=vector3_at(record, 0),
        direction=vector3_at(record, 3),
        mass=record[6],
        filling=record[7],
        displacing=record[8],
        coriolis_factor=record[9],
        neutral=record[10],
        slew=slew_at(record, 11),
    )


def has_motor_at(row: Numbers, k: int) -> float:
    """1 where a thruster has a motor, followed by its numbers."""
    return row[k]


def motor_at(row: Numbers, k: int) -> Motor:
    """The motor of a thruster."""
    record = row[k : k + MOTOR_SIZE]
    return Motor(record[1], record[2], record[3], record[4], record[5], record[6])


def disc_at(row: Numbers, k: int) -> Disc:
    """Propeller disc of a four-quadrant series."""
    return Disc(row[k], row[k + 1])


def buoyancy_element_at(row: Numbers, k: int) -> BuoyancyElement:
    """One buoyancy element."""
    return BuoyancyElement(vector3_at(row, k), row[k + 3], row[k + 4])
