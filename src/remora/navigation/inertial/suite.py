"""Sensor suite of a vehicle as a navigation filter uses it: inputs, aiding sensors, states and noise."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import IDENTITY, rotation_matrix
from remora.equations.algebra.vectors import ZERO3
from remora.equations.geometry.earth import earth_rate_ned
from remora.equations.types import Quaternion, Vector3
from remora.files.problems import InputError
from remora.messages.reading import Values
from remora.messages.site import Site
from remora.messages.stated_errors import StatedErrors
from remora.navigation.inertial.aiding_sensors import (
    AIDING_KINDS,
    POINT_KINDS,
    REST,
    AidingSensor,
    SuiteContext,
    bottom_rest,
    place_of_sensor,
)
from remora.navigation.inertial.state_blocks import (
    DRAG_TIME,
    MEAN_TIME,
    MEAN_VELOCITY,
    ErrorBlock,
    StateLayout,
    bias_block,
    coupling_block,
    leakage_block,
    of_known,
)
from remora.vehicles.vehicle import SensorEntry

# Chosen for vehicles without an inertial unit: random walk of the velocity in body axes, m/s per root second, and of
# the angular velocity where there are no gyros, rad/s per root second.
FREE_ACCELERATION, FREE_TURNING = 0.1, 0.3
LARGEST_TURN = math.radians(20.0)  # standard deviation of an attitude beyond which a linearised filter is overconfident
HEADING_TIME = 60.0  # s for which a heading without a sensor is to be known; chosen
TURN_RATE_SIGMA = 0.5  # rad/s, at the start
# Random walk of the water current, m/s per root second (0.02 m/s in ten minutes), and of the bottom depth, m.
CURRENT_WALK, BOTTOM_WALK = 8e-4, 0.1
# Roles of the sensors that observe a further state, and what these sensors are.
_OBSERVERS = {
    "dvl_bias": (("velocity", "water"), "a dvl or current meter"),
    "dvl_scale": (("velocity", "water"), "a dvl or current meter"),
    "dvl_misalignment": (("velocity", "water"), "a dvl or current meter"),
    "pressure_bias": (("depth",), "a pressure sensor"),
    "current": (("water",), "a dvl with water track or a current meter"),
    "bottom": (("velocity", "bottom"), "an altimeter or a dvl with bottom track"),
}
# Roles of the sensors that bound the error of the velocity, and roles that do so by positions.
BOUND_VELOCITY, FIXES = frozenset({"velocity", "water", "position"}), frozenset({"position"})
_EXCLUSIVE = ("attitude", "velocity", "depth", "water")


class FurtherStates(NamedTuple):
    """Standard deviations of states that the data sheets do not ask for; zero leaves a state out."""

    dvl_bias: float = 0.0  # m/s
    dvl_scale: float = 0.0
    dvl_misalignment: float = 0.0  # rad
    pressure_bias: float = 0.0  # Pa
    current: float = 0.0  # m/s, north and east; the vertical current is a tenth of it
    bottom: float = 0.0  # m, depth of the bottom
    mean_velocity: float = 0.0  # m/s, each body axis, and of the velocity about it; without accelerometers


NO_FURTHER_STATES = FurtherStates()


class InputSensor(NamedTuple):
    """The sensor that drives the process model."""

    name: str
    driven_by: str  # "imu", "gyro", or empty without one
    q_BS: Quaternion
    p_BI: Vector3  # m
    period_ns: int
    size: int


class SensorSuite(NamedTuple):
    """Inputs, aiding sensors and states of a filter."""

    inputs: InputSensor
    aidings: tuple[AidingSensor, ...]
    layout: StateLayout
    noise: Values  # random walk of each error coordinate, per root second
    gravity: float
    earth_rate_N: Vector3
    unused: tuple[str, ...]  # sensors that the filter has no use for
    uncharted: tuple[str, ...] = ()  # unused ones that measure against points of unknown place

    def aiding(self, role: str) -> AidingSensor | None:
        """The first sensor of a role."""
        return next((one for one in self.aidings if one.role == role), None)


def sensor_suite(
    entries: Sequence[SensorEntry],
    errors: Mapping[str, Mapping[str, StatedErrors]],
    site: Site,
    further: FurtherStates = NO_FURTHER_STATES,
    rests: bool = False,
) -> SensorSuite:
    """The suite of a vehicle.

    Parameters
    ----------
    entries
        Its sensors.
    errors
        Errors that their data sheets state, by name of the sensor.
    site
        Nominal conditions.
    further
        States besides those that follow from stated errors.
    rests
        Whether the vehicle may be known to rest on the bottom.

    Raises
    ------
    InputError
        When there is no sensor that aids the filter, one without a position, or none that observes a further state.
    """
    entry = _input_entry(entries)
    inputs = _inputs(entry)
    context = SuiteContext(site, inputs.p_BI, further.bottom > 0.0, further.current > 0.0)
    aidings: list[AidingSensor] = []
    unused: list[str] = []
    uncharted: list[str] = []
    for one in entries:
        made = AIDING_KINDS[one.kind](one, errors[one.name], context) if one.kind in AIDING_KINDS else None
        taken = {aiding.role for aiding in aidings} & set(_EXCLUSIVE)
        if made is not None and made.role not in taken:
            aidings.append(made)
        elif one is not entry:
            unused.append(one.name)
            uncharted += [one.name] if one.kind in POINT_KINDS else []
    if rests and any(one.name == REST for one in entries):
        raise InputError(f'the filter reserves the name "{REST}": give this sensor another one').about("sensors", REST)
    aidings += [bottom_rest()] if rests else []
    if not aidings:
        raise InputError("no sensor aids the filter: it needs attitude, velocity, depth or position").about("sensors")
    _check_observed(aidings, further)
    if further.mean_velocity > 0.0 and inputs.driven_by == "imu":
        raise InputError("accelerometers drive the velocity: a mean is estimated of a vehicle without them").about(
            "states.mean_velocity", further.mean_velocity
        )
    own = errors[entry.name] if entry is not None else {}
    layout = of_known([*_input_blocks(inputs, own, site.gravity), *_all_blocks(aidings, further, inputs)])
    senses_earth = entry is not None and bool(entry.parameters.get("measures_earth_rate"))
    earth = earth_rate_ned(site.origin.latitude) if senses_earth else ZERO3
    noise = _noise(inputs, own, layout)
    return SensorSuite(
        inputs, tuple(aidings), layout, noise, site.gravity, earth, tuple(unused), tuple(uncharted)
    )  # fmt: skip


def excessive_biases(suite: SensorSuite) -> str:
    """Why the heading of a suite is soon unknown; empty where it is not.

    Without an attitude sensor a gyro bias about the vertical turns the heading, and is hardly observable.
    """
    if suite.inputs.driven_by != "imu" or suite.aiding("attitude") is not None:
        return ""
    sigma = {block.name: max(block.sigma) for block in suite.layout.blocks}
    gyro = sigma.get("gyro_bias", 0.0)
    if gyro * HEADING_TIME <= LARGEST_TURN:
        return ""
    limit, seconds = math.degrees(LARGEST_TURN), LARGEST_TURN / gyro
    return (
        f"without an attitude sensor, a gyro bias of {math.degrees(gyro):.2g} deg/s turns the heading by {limit:.0f} "
        f"deg within {seconds:.0f} s; without position fixes the standard deviations are too small beyond. "
        "Fit an ahrs, compass or ins."
    )


def unknown_points(suite: SensorSuite) -> str:
    """Which sensors a filter cannot use, because it does not know the points that they measure; empty for none."""
    if not suite.uncharted:
        return ""
    names = ", ".join(suite.uncharted)
    return (
        f"{names}: not used, because the places of its stations or targets are not known. Give points in N, or names"
        " of points of the scenario."
    )


def _check_observed(aidings: Sequence[AidingSensor], further: FurtherStates) -> None:
    found = {one.role for one in aidings}
    for name, (roles, sensors) in _OBSERVERS.items():
        if getattr(further, name) > 0.0 and not found.intersection(roles):
            raise InputError(f"no sensor of the filter observes this state: it needs {sensors}").about(f"states.{name}")


def _input_entry(entries: Sequence[SensorEntry]) -> SensorEntry | None:
    """The inertial unit, else the gyros."""
    for kind in ("imu", "gyro"):
        for entry in entries:
            if entry.kind == kind:
                return entry
    return None


def _inputs(entry: SensorEntry | None) -> InputSensor:
    if entry is None:
        return InputSensor("inputs", "", IDENTITY, ZERO3, 0, 0)
    p_BI = place_of_sensor(entry) if entry.kind == "imu" else ZERO3
    period, size = round(1e9 / (entry.rate or 1.0)), 6 if entry.kind == "imu" else 3
    return InputSensor(entry.name, entry.kind, entry.q_BS or IDENTITY, p_BI, period, size)


def _group(inputs: InputSensor, errors: Mapping[str, StatedErrors], prefix: str) -> StatedErrors:
    return errors[prefix if inputs.driven_by == "imu" else ""]


def _input_blocks(inputs: InputSensor, errors: Mapping[str, StatedErrors], gravity: float) -> list[ErrorBlock | None]:
    """Errors of the inertial unit or the gyros."""
    if not inputs.driven_by:
        return [ErrorBlock("turn_rate", (TURN_RATE_SIGMA,) * 3, (FREE_TURNING,) * 3)]
    gyro = _group(inputs, errors, "gyro_")
    blocks = [bias_block("gyro_bias", gyro), coupling_block("gyro_coupling", gyro)]
    if inputs.driven_by == "imu":
        force = errors["accelerometer_"]
        blocks += [bias_block("accelerometer_bias", force), coupling_block("accelerometer_coupling", force)]
        blocks.append(leakage_block("gyro_leakage", gyro, gravity))
    return blocks


def _all_blocks(
    aidings: Sequence[AidingSensor], further: FurtherStates, inputs: InputSensor
) -> list[ErrorBlock | None]:
    """Errors of the aiding sensors, and further states; the options replace what the data sheets state."""
    named = {block.name: block for aiding in aidings for block in aiding.blocks}
    asked = {
        "dvl_bias": ErrorBlock("dvl_bias", (further.dvl_bias,) * 3, (0.0,) * 3),
        "dvl_scale": ErrorBlock("dvl_scale", (further.dvl_scale,), (0.0,)),
        "dvl_misalignment": ErrorBlock("dvl_misalignment", (further.dvl_misalignment,) * 3, (0.0,) * 3),
        "pressure_bias": ErrorBlock("pressure_bias", (further.pressure_bias,), (0.0,)),
        "current": ErrorBlock(
            "current", (further.current, further.current, 0.1 * further.current), (CURRENT_WALK,) * 3
        ),
        "bottom": ErrorBlock("bottom", (further.bottom,), (BOTTOM_WALK,)),
        MEAN_VELOCITY: _mean_velocity(further.mean_velocity, bool({one.role for one in aidings} & BOUND_VELOCITY)),
    }
    return list((named | {name: block for name, block in asked.items() if block.sigma[0] > 0.0}).values())


def _mean_velocity(sigma: float, is_observed: bool) -> ErrorBlock:
    """The mean velocity, m/s each axis: a random walk where a sensor follows it, else of this size for ever."""
    share = 1.0 if is_observed else 2.0
    rate = 0.0 if is_observed else 1.0 / MEAN_TIME
    return ErrorBlock(MEAN_VELOCITY, (sigma,) * 3, (sigma * math.sqrt(share / MEAN_TIME),) * 3, rate)


def _noise(inputs: InputSensor, errors: Mapping[str, StatedErrors], layout: StateLayout) -> Values:
    """Random walk of each error coordinate in the chart `plus_heading`.

    Its tilts and heading are rotations about the axes of N: gyros of different noise count as the noisiest.
    """
    turning: Values = (0.0,) * 3
    moving: Values = (FREE_ACCELERATION,) * 3
    for block in layout.blocks:
        if block.name == MEAN_VELOCITY:  # a stationary deviation from the mean as large as the mean itself
            moving = tuple(sigma * math.sqrt(2.0 / DRAG_TIME) for sigma in block.sigma)
    root = math.sqrt(1e-9 * inputs.period_ns)
    if inputs.driven_by:
        turning = (max(_group(inputs, errors, "gyro_").white) * root,) * 3
    if inputs.driven_by == "imu":
        moving = _in_body(inputs.q_BS, errors["accelerometer_"].white, root)
    return (0.0, 0.0, 0.0, *moving, *turning, *(value for block in layout.blocks for value in block.noise))


def _in_body(q_BS: Quaternion, white: Values, root: float) -> Values:
    """White noise of a sensor as a random walk along the body axes."""
    R = np.array(rotation_matrix(q_BS))
    walk = np.sqrt(R**2 @ (np.array(white) * root) ** 2)
    return tuple(walk.tolist())
