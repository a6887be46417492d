"""Thrust and shaft speed over pulse width: linear plus quadratic law, or power law, beyond a dead zone."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.actuators.drives import PulseSpeed, PulseThrust, speed_from_pulse, thrust_from_pulse
from remora.files.arrays import Array
from remora.identification.bench.data import BenchDataError, columns, deviations
from remora.identification.bench.fitting import BenchParameter, fit_law
from remora.identification.bench.result import BenchFit

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
    pulses, forces
        Pulse widths, microseconds, and thrusts, N; positive beyond neutral.
    neutral
        Pulse width at rest, microseconds.
    sigma
        Standard deviation of each force, up to a common factor.
    standing
        Force below which the thruster is at rest, N; 0.5 % of the largest unless given.
    robust
        Whether outliers have reduced weight.
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
