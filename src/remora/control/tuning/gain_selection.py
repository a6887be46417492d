"""Gain selection for station keeping: position P and velocity PI gains from the vehicle file.

In each axis the gains with the largest stiffness against slow disturbances are chosen that keep the stated margins
behind thruster lag, latency and hold. Speeds are limited to what drag and thrust allow.
"""

import math
from typing import NamedTuple

import numpy as np

from remora.control.allocation.thrusters import HELD_AXES, pseudo_inverse
from remora.control.autopilots.position import LARGEST_SPEEDS, PositionControl, mission_control, position_control
from remora.control.feedback.attitude import PITCH, ROLL
from remora.control.tuning.loop_margins import CascadeGains, CascadeLoop, StabilityMargins, cascade_loop, margin_text
from remora.control.tuning.sampled_plant import LoopTiming, drive_delay, thruster_lag
from remora.equations.algebra.quaternions import IDENTITY
from remora.equations.types import Vector4
from remora.files.problems import InputError, listed
from remora.plant.plant import Plant
from remora.vehicles.checks.actuation import levelled_axes, reachable_wrench
from remora.vehicles.names import DEGREES_OF_FREEDOM

LARGEST_BANDWIDTH = 3.0  # rad/s, unless another is stated: above it noise of the velocity rules the commands
BANDWIDTHS, RATIOS = 48, 24  # of the search
LOWEST_BANDWIDTH = 0.05  # rad/s
THRUST_SHARE = 0.8  # of the thrust in an axis, for drag at the largest speed and for braking from it
LONGEST_LATENCY, MOST_PERIODS = 5.0, 200  # s, and in periods: each is a state of the sampled loop


class TuningGoals(NamedTuple):
    """Requirements of the gain selection."""

    phase_margin: float = math.radians(45.0)  # rad
    gain_margin: float = 2.0
    bandwidth: float | None = None  # rad/s, crossover of every axis; None: the largest that the margins allow
    max_speeds: Vector4 | None = None  # m/s and rad/s; None: the largest that thrust allows, within the usual ones
    noise: Vector4 | None = None  # m/s and rad/s, RMS change of the measured speeds from sample to sample; None: none
    noise_share: float = 0.01  # of the thrust in an axis, largest RMS change of the force by this noise
    smoothing: float | None = None  # 1/s, gain of the command smoothing; None: none


DEFAULT_GOALS = TuningGoals()


class TunedAxis(NamedTuple):
    """Gains of one axis and their margins."""

    axis: str
    timing: LoopTiming
    gains: CascadeGains
    margins: StabilityMargins
    max_speed: float  # m/s or rad/s
    thrust: float  # N or N m, available in this axis alone, in the weaker direction


class TunedControl(NamedTuple):
    """Gains of all held axes: surge, sway, heave and yaw."""

    goals: TuningGoals
    axes: tuple[TunedAxis, ...]
    uncontrolled: tuple[str, ...] = ()  # roll and pitch, where no thrusters level them


def tuned_control(
    plant: Plant, goals: TuningGoals = DEFAULT_GOALS, period: float = 0.05, latency: float = 0.0
) -> TunedControl:
    """Gains of position control for a vehicle.

    Parameters
    ----------
    plant
        The nominal vehicle.
    goals
        Margins, bandwidth and speeds.
    period
        Seconds between samples of the controller.
    latency
        Latency of the estimate, s.

    Raises
    ------
    InputError
        When goals contradict each other, the thrusters cannot control an axis independently, or margins, bandwidth and
        speeds cannot be met together.
    """
    check_goals(goals, period, latency)
    parameters = plant.vehicle.parameters
    _check_layout(plant)
    found: dict[tuple[float, float], tuple[CascadeGains, StabilityMargins]] = {}
    control = mission_control(position_control(parameters), parameters, plant.packed, period=period)
    reaches = reachable_wrench(parameters)
    plain = LoopTiming(period, 0.0, latency + drive_delay(parameters), smoothing=goals.smoothing or 0.0)
    timings = [plain._replace(lag=thruster_lag(parameters, i)) for i in HELD_AXES]
    reach = [min(abs(end) for end in reaches[i].alone) for i in HELD_AXES]
    cases = [(timings[k].lag, _largest_gain(goals, k, reach[k] / control.masses[k])) for k in range(len(HELD_AXES))]
    for lag, largest in sorted(set(cases), key=lambda case: (-case[0], case[1])):  # the slowest allows the least
        loop = cascade_loop(plain._replace(lag=lag))
        gains = fastest_gains(loop, goals, largest)
        found[lag, largest] = gains, loop.margins(gains)
    axes = []
    for k, i in enumerate(HELD_AXES):
        gains, margins = found[cases[k]]
        speed = _max_speed(control, k, reach[k], gains, goals)
        axes.append(TunedAxis(DEGREES_OF_FREEDOM[i], timings[k], gains, margins, speed, reach[k]))
    levelled = levelled_axes(parameters, plant.locked)
    free = [i for i in (ROLL, PITCH) if i not in levelled and DEGREES_OF_FREEDOM[i] not in plant.locked]
    return TunedControl(goals, tuple(axes), tuple(DEGREES_OF_FREEDOM[i] for i in free))


def _largest_gain(goals: TuningGoals, k: int, acceleration: float) -> float:
    """Velocity gain at which the noise changes the force by its share of the thrust, 1/s; infinite without noise.

    The acceleration is that of the thrust in the axis, m/s2 or rad/s2. Smoothing passes a share of a change at once.
    """
    if goals.noise is None or not goals.noise[k] > 0.0:
        return math.inf
    return goals.noise_share * acceleration / goals.noise[k]


def fastest_gains(loop: CascadeLoop, goals: TuningGoals, largest: float = math.inf) -> CascadeGains:
    """Gains with the largest stiffness against slow disturbances that keep the margins; velocity gain limited, 1/s.

    Raises an InputError when a stated bandwidth leaves less than the margins; it names the largest that does not.
    """
    best = _searched(loop, goals, goals.bandwidth, largest)[0]
    if best is not None:
        return best
    if largest < math.inf:
        _refuse_noise(loop, goals, largest)
    if goals.bandwidth is None:
        raise InputError(
            f"no bandwidth above {LOWEST_BANDWIDTH:g} rad/s keeps a phase margin of "
            f"{math.degrees(goals.phase_margin):.3g} deg and a gain margin of {margin_text(goals.gain_margin)} behind "
            f"{_words(loop)}. Ask for smaller margins, or shorten lag, latency or period."
        ).about("phase_margin")
    at_most = _largest_bandwidth(loop, goals, goals.bandwidth, largest)
    raise InputError(
        f"a bandwidth of {goals.bandwidth:.3g} rad/s {_nearest_margins(loop, goals, goals.bandwidth)} behind "
        f"{_words(loop)}; {math.degrees(goals.phase_margin):.3g} deg and {margin_text(goals.gain_margin)} are asked "
        f"for. Ask for {f'at most {at_most:.3g} rad/s, for ' if at_most else ''}smaller margins, or shorten lag, "
        f"latency or period."
    ).about("bandwidth", goals.bandwidth)


def _largest_bandwidth(loop: CascadeLoop, goals: TuningGoals, asked: float, largest: float) -> float:
    """Largest bandwidth below one that misses the margins, to three digits, rad/s; zero where the search finds none."""
    most = _searched(loop, goals, None, largest)[1]
    if not 0.0 < most < asked:
        return most
    digit = 10.0 ** (math.floor(math.log10(most)) - 2)
    low, high = math.floor(most / digit), math.ceil(asked / digit)
    while high - low > 1:
        middle = (low + high) // 2
        keeps = _searched(loop, goals, middle * digit, largest)[0] is not None
        low, high = (middle, high) if keeps else (low, middle)
    return low * digit


def _nearest_margins(loop: CascadeLoop, goals: TuningGoals, bandwidth: float) -> str:
    """Margins of the stable gains with this crossover, rad/s, that come nearest to those asked for."""
    found = []
    for ratio in np.geomspace(0.02, 0.5, RATIOS):
        gains = _crossing_at(loop, bandwidth, float(ratio))
        margins = loop.margins(gains)
        if margins.crossover > 0.0 and loop.radius(gains) < 1.0:
            gain = min(margins.gain, margins.gain_reduction)
            met = min(margins.phase / goals.phase_margin, math.log(gain) / math.log(goals.gain_margin))
            found.append((met, margins.phase, gain))
    if not found:
        return "makes the loop unstable"
    _, phase, gain = max(found)
    return f"leaves at best a phase margin of {math.degrees(phase):.3g} deg with a gain margin of {margin_text(gain)}"


def _refuse_noise(loop: CascadeLoop, goals: TuningGoals, largest: float) -> None:
    """InputError where the noise alone forbids what the margins allow."""
    best = _searched(loop, goals, goals.bandwidth)[0]
    if best is not None:
        raise InputError(
            f"the noise allows a velocity gain of {largest:.2g} 1/s at most, where it changes the force by "
            f"{100.0 * goals.noise_share:.3g} % of the thrust from sample to sample, and {best.velocity:.2g} 1/s are "
            "needed. Give a lower bandwidth, a larger share, or a filter with less noise."
        ).about("noise")


def _words(loop: CascadeLoop) -> str:
    period, lag, latency, _, smoothing = loop.timing
    filtered = f", commands smoothed over {1.0 / smoothing:.3g} s" if smoothing > 0.0 else ""
    return f"a thruster lag of {lag:.3g} s, a latency of {latency:.3g} s{filtered} and a period of {period:.3g} s"


def _searched(
    loop: CascadeLoop, goals: TuningGoals, bandwidth: float | None, largest: float = math.inf
) -> tuple[CascadeGains | None, float]:
    """Best gains, and the largest bandwidth that keeps the margins, rad/s; zero without any."""
    tried = np.geomspace(LOWEST_BANDWIDTH, LARGEST_BANDWIDTH, BANDWIDTHS) if bandwidth is None else [bandwidth]
    best, stiffest, most = None, 0.0, 0.0
    for crossover in tried:
        for ratio in np.geomspace(0.02, 0.5, RATIOS):
            gains = _crossing_at(loop, float(crossover), float(ratio))
            if gains.velocity > largest:
                continue
            margins = loop.margins(gains)
            met = margins.phase >= goals.phase_margin and min(margins.gain, margins.gain_reduction) >= goals.gain_margin
            met = met and margins.crossover > 0.0  # else the gain is above one up to half the sampling rate
            if not met or loop.radius(gains) >= 1.0:
                continue
            most = max(most, float(crossover))
            stiffness = gains.velocity * gains.position * gains.integral
            if stiffness > stiffest:
                best, stiffest = gains, stiffness
    return best, most


def _crossing_at(loop: CascadeLoop, crossover: float, ratio: float) -> CascadeGains:
    """Gains whose loop has the gain one at a frequency in rad/s, with P and I gains of this share of it."""
    gains = CascadeGains(ratio * crossover, 1.0, ratio * crossover)
    size = np.interp(crossover, loop.frequencies, np.abs(loop.response(gains)))
    return gains._replace(velocity=1.0 / float(size))


def _max_speed(control: PositionControl, k: int, reach: float, gains: CascadeGains, goals: TuningGoals) -> float:
    """Largest speed of an axis: drag, and braking as the position loop asks for, within the thrust."""
    mass, axis = control.masses[k], HELD_AXES[k]
    assert control.model is not None

    def drag(speed: float) -> float:
        u, v, w, r = (speed if i == k else 0.0 for i in range(4))
        assert control.model is not None
        return abs(control.resistance(control.model, IDENTITY, (u, v, w), r)[axis])

    share, name = THRUST_SHARE * reach, DEGREES_OF_FREEDOM[axis]
    unit, force = ("rad/s", "N m") if axis > 2 else ("m/s", "N")
    if goals.max_speeds is not None:
        speed = goals.max_speeds[k]
        if drag(speed) > share:
            raise InputError(
                f"{speed:.3g} {unit} in {name} need {drag(speed):.3g} {force} against drag, and the thrusters give "
                f"{share:.3g} {force} ({THRUST_SHARE:.0%} of their limit) in {name} alone. Ask for less speed."
            ).about("max_speeds", speed)
        return speed
    low, high = 0.0, min(LARGEST_SPEEDS[k], control.max_speeds[k])
    if max(drag(high), mass * gains.position * high) <= share:
        return high
    for _ in range(30):
        middle = 0.5 * (low + high)
        fits = max(drag(middle), mass * gains.position * middle) <= share
        low, high = (middle, high) if fits else (low, middle)
    return low


def check_goals(goals: TuningGoals, period: float, latency: float) -> None:
    """Refuse goals that contradict each other."""
    wrong = [
        ("period", period, "s", "above zero", 0.0 < period < math.inf),
        ("latency", latency, "s", "zero or more", 0.0 <= latency < math.inf),
        ("phase_margin", math.degrees(goals.phase_margin), "deg", "between 0 and 80", 0.0 < goals.phase_margin < 1.4),
        ("gain_margin", goals.gain_margin, "", "above 1", 1.0 < goals.gain_margin < math.inf),
        ("noise_share", goals.noise_share, "", "above 0 and at most 1", 0.0 < goals.noise_share <= 1.0),
    ]
    for field, value, unit, range_, holds in wrong:
        if not holds:
            raise InputError(f"{field} is {value:.3g} {unit}".rstrip() + f": must be {range_}.").about(field, value)
    longest = min(LONGEST_LATENCY, MOST_PERIODS * period)
    if latency > longest:
        raise InputError(
            f"latency is {latency:.3g} s: must be at most {longest:.3g} s with a period of {period:.3g} s. It is in s, "
            "not in ms."
        ).about("latency", latency)
    nyquist = math.pi / period
    if goals.bandwidth is not None and not 0.0 < goals.bandwidth < 0.5 * nyquist:
        raise InputError(
            f"bandwidth is {goals.bandwidth:.3g} rad/s: must be above zero and below {0.5 * nyquist:.3g} rad/s, half "
            f"of the Nyquist frequency at a period of {period:.3g} s."
        ).about("bandwidth", goals.bandwidth)
    if goals.smoothing is not None and not 0.0 < goals.smoothing * period < 1.0:
        raise InputError(
            f"smoothing is {goals.smoothing:.3g} 1/s: must be above zero and below {1.0 / period:.3g} 1/s, the rate."
        ).about("smoothing", goals.smoothing)
    if goals.noise is not None and not all(0.0 <= one < math.inf for one in goals.noise):
        raise InputError(f"noise is {goals.noise}: must not be negative.").about("noise")
    if goals.max_speeds is not None and not all(0.0 < speed < math.inf for speed in goals.max_speeds):
        raise InputError(f"max_speeds are {goals.max_speeds}: must be above zero.").about("max_speeds")


def _check_layout(plant: Plant) -> None:
    """Refuse vehicles whose thrusters cannot control surge, sway, heave and yaw independently."""
    parameters, name = plant.vehicle.parameters, plant.vehicle.name
    held = tuple(DEGREES_OF_FREEDOM[i] for i in HELD_AXES)
    lost = pseudo_inverse(parameters, HELD_AXES).uncontrollable if parameters.thrusters else held
    locked = tuple(axis for axis in held if axis in plant.locked)
    if not lost and not locked:
        _check_thrust(plant)
        return
    count = len(parameters.thrusters)
    rank = len(held) - len(lost)
    reason = (
        f"its {count} thruster{'' if count == 1 else 's'} reach {rank} of 4 directions and cannot control "
        f"{listed(lost)} independently"
        if lost
        else f"its model locks {listed(locked)}"
    )
    raise InputError(
        f"{name} cannot hold {listed(held)}: {reason}. Add or turn thrusters, or choose another controller, such as "
        "autopilot or fins."
    ).about("vehicle", name)


def _check_thrust(plant: Plant) -> None:
    """Refuse vehicles that cannot push both ways in an axis, or lift their own weight in water."""
    parameters = plant.vehicle.parameters
    for i, reach in enumerate(reachable_wrench(parameters)):
        low, high = reach.alone
        if i in HELD_AXES and not (low < 0.0 < high):
            raise InputError(
                f"the thrusters of {plant.vehicle.name} give {low:.3g} to {high:.3g} {'N m' if i > 2 else 'N'} in "
                f"{reach.name} alone, which holds nothing. Check their limits and directions."
            ).about("vehicle", plant.vehicle.name)
