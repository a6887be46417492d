"""Thrust curves of a bench test: over shaft speed, with and without inflow, and over pulse width or command.

Forces are positive along the axis of the thruster, shaft speeds in rad/s, advance speeds in m/s along the axis.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from remora.equations.actuators.drives import (
    ANTI_DIRECTIONAL,
    PulseSpeed,
    PulseThrust,
    flow_regime,
    speed_from_pulse,
    thrust_from_pulse,
)
from remora.equations.actuators.thrusters import (
    CommandMap,
    ThrustCurve,
    Thruster,
    quadratic,
    speed_from_command,
    static_thrust,
    thrust,
    thruster_effect,
)
from remora.equations.types import Vector3
from remora.files.arrays import Array
from remora.identification.bench.fitting import BenchDataError, BenchParameter, columns, deviations, fit_law
from remora.identification.bench.result import BenchFit
from remora.vehicles.assembly.actuators import IDENTITY_MAP

_SQUARE, _ADVANCE, _INFLOW = "N s2/rad2", "N s2/(rad m)", "N s2/m2"
_KNEE_CANDIDATES = 60  # coarse search; then all commands around the best
_NO_CURVE = ThrustCurve(0.0, 0.0, 0.0)
_AXIS: Vector3 = (1.0, 0.0, 0.0)


def bench_thruster(positive: ThrustCurve, negative: ThrustCurve, sense: float = 1.0) -> Thruster:
    """Thruster at the origin along x, without losses at a hull.

    Positive rotation, with the first curve, gives positive thrust where the sense is 1, negative where it is -1.
    """
    return Thruster(
        position=(0.0, 0.0, 0.0),
        axis=_AXIS,
        effect=thruster_effect((0.0, 0.0, 0.0), _AXIS, 0.0),
        effectiveness_forward=1.0,
        effectiveness_reverse=1.0,
        sense=sense,
        positive=positive,
        negative=negative,
        inflow_is_signed=1.0,
        wake=1.0,
        rise_time=0.0,
        fall_time=0.0,
        command_minimum=-math.inf,
        command_maximum=math.inf,
        command_map=IDENTITY_MAP,
    )


def fit_quadratic_thrust(
    speeds: ArrayLike, forces: ArrayLike, sigma: ArrayLike | None = None, alike: bool = False, robust: bool = False
) -> BenchFit[Thruster]:
    """Thrust C |n| n, with a coefficient for each direction of rotation, or one for both.

    Parameters
    ----------
    speeds, forces, sigma
        Shaft speeds, rad/s, and thrusts, N, in still water, and standard deviation of each force, up to a common
        factor.
    alike, robust
        Whether both directions share one coefficient, and whether outliers have reduced weight.
    """
    n, f = columns(2, speeds=speeds, forces=forces)
    sense = _sense(n, f)
    ways, warnings = _ways_seen(n)
    names = ("both",) if alike else ways
    numbers = [BenchParameter(f"square.{name}", _SQUARE, _square_start(n, f), 0.0) for name in names]

    def law_of(values: Array) -> Thruster:
        squares = dict(zip(names, values.tolist(), strict=True))
        forward, reverse = (ThrustCurve(squares.get(way, float(values[0])), 0.0, 0.0) for way in _WAYS)
        return bench_thruster(forward, reverse, sense)

    fit = fit_law(
        "thrust C |n| n on a bench", numbers, law_of, lambda t: static_thrust(t, n), f, _column(sigma, f), robust=robust
    )
    return fit.with_warnings(*warnings) if not alike else fit


_WAYS = ("positive", "negative")


def fit_inflow_thrust(
    speeds: ArrayLike,
    advances: ArrayLike,
    forces: ArrayLike,
    diameter: float,
    sigma: ArrayLike | None = None,
    inflow_square: bool = True,
    robust: bool = False,
) -> BenchFit[Thruster]:
    """Thrust over shaft and advance speed, K_T over J, for each direction of rotation in the data.

    Only points with inflow against the thrust are used: a curve of this form does not apply to others (Proctor 2014,
    ch. 3).

    Parameters
    ----------
    speeds, advances, forces, sigma
        Shaft speeds, rad/s, advance speeds along the axis, m/s, thrusts, N, and standard deviation of each force, up to
        a common factor.
    diameter
        Diameter of the propeller, m.
    inflow_square, robust
        Whether K_T has a term in J^2 (Proctor) or is a straight line (Nielsen), and whether outliers have reduced
        weight.
    """
    n, v, f = columns(3, speeds=speeds, advances=advances, forces=forces)
    deviations = _column(sigma, f)
    sense = _sense(n, f)
    regime = np.asarray(flow_regime(n, np.sign(sense * n), v, diameter, np.inf))
    used = (n != 0.0) & (regime != ANTI_DIRECTIONAL)
    ways, warnings = _ways_seen(n[used])
    numbers = [number for way in ways for number in _curve_numbers(way, n[used], f[used], inflow_square)]
    terms = 3 if inflow_square else 2

    def law_of(values: Array) -> Thruster:
        curves = {way: _curve(values[terms * i : terms * (i + 1)].tolist()) for i, way in enumerate(ways)}
        return bench_thruster(curves.get("positive", _NO_CURVE), curves.get("negative", _NO_CURVE), sense)

    fit = fit_law(
        "thrust over shaft and advance speed",
        numbers,
        law_of,
        lambda t: thrust(t, n[used], v[used]),
        f[used],
        None if deviations is None else deviations[used],
        robust=robust,
    )
    dropped = int(np.sum(~used))
    dropped_warning = (
        [f"{dropped} of {len(n)} points stand still or push against the water and were left out."] if dropped else []
    )
    return fit.with_warnings(*warnings, *dropped_warning)


def thrust_coefficients(curve: ThrustCurve, density: float, diameter: float, per: str = "radian") -> Vector3:
    """Coefficients a, b, c of K_T(J) = a J^2 + b J + c.

    Parameters
    ----------
    curve, density, diameter
        Thrust curve, density of the water, kg/m3, and diameter of the propeller, m.
    per
        "radian" or "revolution": unit of the shaft speed n in J and K_T.
    """
    turn = {"radian": 1.0, "revolution": 2.0 * np.pi}[per]
    return (
        curve.inflow / (density * diameter**2),
        curve.advance * turn / (density * diameter**3),
        curve.square * turn**2 / (density * diameter**4),
    )


def fit_command_map(
    commands: ArrayLike, speeds: ArrayLike, knees: tuple[float, float] | None = None, robust: bool = False
) -> BenchFit[CommandMap]:
    """Steady shaft speed over command: linear inside the knees, quadratic beyond (Proctor 2014, eq. 3.24).

    Parameters
    ----------
    commands, speeds, robust
        Commands, steady shaft speeds, rad/s, and whether outliers have reduced weight.
    knees
        Reverse and forward knee, in the unit of the commands; by least squares unless given.
    """
    d, n = columns(8, commands=commands, speeds=speeds)
    warnings: list[str] = []
    if knees is None:
        knees = (-_best_knee(-d, -n), _best_knee(d, n))
        warnings.append(f"The knees {knees[0]:.4g} and {knees[1]:.4g} were searched; their own error is not counted.")
    reverse, forward = knees
    for side, beyond in (("reverse", d < reverse), ("forward", d > forward)):
        if len(np.unique(d[beyond])) < 3:
            raise BenchDataError(f"fewer than 3 commands lie beyond the {side} knee. Run more, or give other knees.")
    numbers = [
        BenchParameter("slope.reverse", "rad/s", 1.0),
        *(BenchParameter(f"reverse.{x}", "rad/s", 0.0, scale=s) for x, s in zip("abc", _map_scales(n, d), strict=True)),
        BenchParameter("slope.forward", "rad/s", 1.0),
        *(BenchParameter(f"forward.{x}", "rad/s", 0.0, scale=s) for x, s in zip("abc", _map_scales(n, d), strict=True)),
    ]

    def law_of(values: Array) -> CommandMap:
        x = values.tolist()
        return CommandMap(reverse, forward, x[0], x[4], (x[1], x[2], x[3]), (x[5], x[6], x[7]))

    fit = fit_law(
        "shaft speed over command", numbers, law_of, lambda m: speed_from_command(m, d), n, robust=robust
    ).with_warnings(*warnings)
    return fit.with_warnings(*_knee_warnings(fit.law))


def _knee_warnings(m: CommandMap) -> list[str]:
    """Warnings about jumps at the knees, where the map cannot be inverted."""
    warnings = []
    for side, knee, slope, curve in (
        ("reverse", m.knee_reverse, m.slope_reverse, m.reverse),
        ("forward", m.knee_forward, m.slope_forward, m.forward),
    ):
        jump = quadratic(curve, knee) - slope * knee
        if abs(jump) > 0.01 * abs(slope * knee):
            warnings.append(f"The map jumps by {jump:.3g} rad/s at the {side} knee.")
    return warnings


def _best_knee(commands: Array, speeds: Array) -> float:
    """Positive command of the best transition from a line through zero to a parabola."""
    side = commands > 0.0
    d, n = commands[side], speeds[side]
    levels = np.unique(d)
    if len(levels) < 6:
        raise BenchDataError("fewer than 6 commands in one direction: no knee can be found. Give the knees.")
    candidates = levels[1:-3]
    every = max(len(candidates) // _KNEE_CANDIDATES, 1)
    best = min(range(0, len(candidates), every), key=lambda i: _left_over(d, n, float(candidates[i])))
    near = range(max(best - every, 0), min(best + every + 1, len(candidates)))
    return float(candidates[min(near, key=lambda i: _left_over(d, n, float(candidates[i])))])


def _left_over(d: Any, n: Any, knee: float) -> float:
    inside = d <= knee
    units = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    basis = np.stack([quadratic(unit, d[~inside]) + 0.0 * d[~inside] for unit in units], axis=1)
    beyond = np.linalg.lstsq(basis, n[~inside], rcond=None)[0]
    line = float(d[inside] @ n[inside] / (d[inside] @ d[inside]))
    return float(np.sum((n[inside] - line * d[inside]) ** 2) + np.sum((n[~inside] - basis @ beyond) ** 2))


def _map_scales(speeds: Array, commands: Array) -> Vector3:
    top, full = float(np.abs(speeds).max()) or 1.0, float(np.abs(commands).max()) or 1.0
    return top / full**2, top / full, top


def _curve(terms: Sequence[float]) -> ThrustCurve:
    return ThrustCurve(terms[0], terms[1], terms[2] if len(terms) > 2 else 0.0)


def _curve_numbers(way: str, n: Array, f: Array, inflow_square: bool) -> list[BenchParameter]:
    top, full = max(float(np.abs(n).max()), 1e-9), max(float(np.abs(f).max()), 1e-9)
    numbers = [
        BenchParameter(f"square.{way}", _SQUARE, _square_start(n, f), 0.0),
        BenchParameter(f"advance.{way}", _ADVANCE, 0.0, scale=full / top),
    ]
    return [*numbers, BenchParameter(f"inflow.{way}", _INFLOW, 0.0, scale=full)] if inflow_square else numbers


def _square_start(n: Array, f: Array) -> float:
    x = n * np.abs(n)
    return max(abs(float(x @ f)) / max(float(x @ x), 1e-300), 1e-12)


def _sense(n: Array, f: Array) -> float:
    """Whether positive rotation gives positive thrust."""
    return 1.0 if float(np.sum(n * np.abs(n) * f)) >= 0.0 else -1.0


def _ways_seen(n: Array) -> tuple[tuple[str, ...], list[str]]:
    """Directions of rotation in the data, and warnings about missing ones."""
    seen: dict[str, NDArray[np.bool_]] = {"positive": n > 0.0, "negative": n < 0.0}
    ways = tuple(way for way, points in seen.items() if points.any())
    if not ways:
        raise BenchDataError("the shaft never turned. Give points with shaft speeds other than zero.")
    missing = [way for way in seen if way not in ways]
    return ways, [f"There are no points of {way} rotation; nothing is known about it." for way in missing]


def _column(sigma: ArrayLike | None, forces: Array) -> Array | None:
    return None if sigma is None else deviations(sigma, forces)


_STANDING = 0.005  # share of the largest reading below which a thruster is at rest


def fit_pulse_thrust(
    pulses: ArrayLike,
    forces: ArrayLike,
    neutral: float = 1500.0,
    sigma: ArrayLike | None = None,
    standing: float | None = None,
    robust: bool = False,
) -> BenchFit[PulseThrust]:
    """Thrust K_L x + K_Q |x| x over the pulse width x from neutral, zero inside the dead zone (Nielsen 2018).

    Both directions share the coefficients; fit them separately where they differ.

    Parameters
    ----------
    pulses, forces, neutral
        Pulse widths, microseconds, thrusts, N, positive beyond neutral, and pulse width at rest.
    sigma, robust
        Standard deviation of each force, up to a common factor, and whether outliers have reduced weight.
    standing
        Force below which the thruster is at rest, N; 0.5 % of the largest unless given.
    """
    pulse, force = columns(3, pulses=pulses, forces=forces)
    away = pulse - neutral
    dead, warnings = dead_zone(away, force, standing)
    used: Any = np.abs(away) >= max(dead, 1e-9)
    full, top = float(np.abs(away).max()), float(np.abs(force).max()) or 1.0
    numbers = [
        BenchParameter("linear", "N/us", top / full, 0.0),
        BenchParameter("quadratic", "N/us2", 0.0, 0.0, scale=top / full**2),
    ]

    def law_of(values: Array) -> PulseThrust:
        return PulseThrust(float(values[0]), float(values[1]), dead)

    return fit_law(
        "thrust over pulse width",
        numbers,
        law_of,
        lambda law: thrust_from_pulse(law, away[used]),
        force[used],
        _chosen(sigma, force, used),
        robust=robust,
    ).with_warnings(*warnings)


def fit_pulse_speed(
    pulses: ArrayLike,
    speeds: ArrayLike,
    neutral: float = 1500.0,
    sigma: ArrayLike | None = None,
    standing: float | None = None,
    robust: bool = False,
) -> BenchFit[PulseSpeed]:
    """Shaft speed a |x|^b over the pulse width x from neutral, zero inside the dead zone (Nielsen 2018).

    Parameters
    ----------
    pulses, speeds
        Pulse widths, microseconds, and shaft speeds, rad/s.
    neutral, sigma, standing, robust
        As for `fit_pulse_thrust`, for speeds.
    """
    pulse, speed = columns(3, pulses=pulses, speeds=speeds)
    away = pulse - neutral
    dead, warnings = dead_zone(away, speed, standing)
    used: Any = np.abs(away) >= max(dead, 1e-9)
    full, top = float(np.abs(away).max()), float(np.abs(speed).max()) or 1.0
    # Fitted as the speed at full pulse: scale and exponent are nearly inseparable otherwise.
    numbers = [BenchParameter("speed_at_full_pulse", "rad/s", top, 0.0), BenchParameter("exponent", "", 0.6, 0.01, 5.0)]

    def law_of(values: Array) -> PulseSpeed:
        exponent = float(values[1])
        return PulseSpeed(float(values[0]) / full**exponent, exponent, dead)

    return fit_law(
        "shaft speed over pulse width",
        numbers,
        law_of,
        lambda law: speed_from_pulse(law, away[used]),
        speed[used],
        _chosen(sigma, speed, used),
        robust=robust,
    ).with_warnings(*warnings)


def dead_zone(away: Array, reading: Array, standing: float | None = None) -> tuple[float, list[str]]:
    """Half width of the dead zone, midway between the last pulse at rest and the first turning one, and warnings."""
    turns = np.abs(reading) > (_STANDING * float(np.abs(reading).max()) if standing is None else standing)
    if not turns.any():
        raise BenchDataError("the thruster never ran: every reading is as good as zero. Give points beyond the band.")
    first = float(np.abs(away[turns]).min())
    still = np.abs(away[~turns])
    inside = still[still < first]
    warnings = []
    if not inside.size:
        warnings.append("No point lies inside the dead zone; it is taken as zero.")
    late = int(np.sum(still >= first))
    if late:
        warnings.append(f"{late} points beyond {first:g} us are at rest although nearer ones turn.")
    return (0.5 * (first + float(inside.max())) if inside.size else 0.0), warnings


def _chosen(sigma: ArrayLike | None, like: Array, used: Any) -> Array | None:
    return None if sigma is None else deviations(sigma, like)[used]
