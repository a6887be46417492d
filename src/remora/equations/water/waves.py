"""Linear (Airy) waves: dispersion, spectra, and the motion of the water under a regular wave.

Depth d is positive downward from the still surface, h is the water depth. A wave a cos(k s - w t + phase), s along its
direction, raises the surface; water particles below move in ellipses that decay with depth. Dean and Dalrymple 1991,
ch. 3. All functions also take arrays of waves.
"""

from typing import NamedTuple

from remora.equations.algebra.elementary import cos, exp, log, minimum, select, sin, sqrt, tanh
from remora.equations.types import AngularFrequency, Matrix3, Seconds, Vector3

_NEWTON_STEPS = 6  # from the guess below four reach double precision at any depth; two are margin
_DEEP = 50.0  # k h beyond which no bed is felt: tanh is one


class RegularWave(NamedTuple):
    """One regular wave."""

    amplitude: float  # m
    frequency: float  # rad/s
    wave_number: float  # rad/m
    direction: float  # rad from north to east, where it runs to
    phase: float  # rad


class WaveMotion(NamedTuple):
    """Motion of the water under a wave at a point and time, in N."""

    elevation: float  # m, upward
    velocity: Vector3  # m/s
    gradient: Matrix3  # 1/s
    rate: Vector3  # m/s2
    head: float  # m of water: pressure above that of still water, over density and gravity


def wave_number(frequency: AngularFrequency, water_depth: float, gravity: float) -> float:
    """k of the dispersion relation w^2 = g k tanh(k h), rad/m, by Newton steps; an infinite depth is deep water."""
    deep = frequency * frequency / gravity
    # Eckart 1952: within 5 % everywhere.
    k = deep / sqrt(tanh(minimum(deep * water_depth, _DEEP)))
    for _ in range(_NEWTON_STEPS):
        kh = minimum(k * water_depth, _DEEP)
        t = tanh(kh)
        k = k - (k * t - deep) / (t + kh * (1.0 - t * t))
    return k


def pressure_share(wave_number: float, water_depth: float, depth: float) -> float:
    """Share of a wave that its pressure keeps at a depth: cosh k(h-d) / cosh kh, one at the still surface."""
    k = wave_number
    down, back = exp(-k * depth), exp(-k * (2.0 * water_depth - depth))
    share: float = (down + back) / (1.0 + exp(-2.0 * k * water_depth))
    return share


def wave_motion(wave: RegularWave, water_depth: float, place: Vector3, time: Seconds) -> WaveMotion:
    """Motion of the water under a wave at a point.

    `place` is north, east, and depth below the still surface.
    """
    n, e, d = place
    a, w, k = wave.amplitude, wave.frequency, wave.wave_number
    cn, ce = cos(wave.direction), sin(wave.direction)
    angle = k * (n * cn + e * ce) - w * time + wave.phase
    c, s = cos(angle), sin(angle)
    # cosh k(h-d) / sinh kh and sinh k(h-d) / sinh kh, written so that nothing overflows in deep water
    down, back, both_ways = exp(-k * d), exp(-k * (2.0 * water_depth - d)), exp(-2.0 * k * water_depth)
    C, S = (down + back) / (1.0 - both_ways), (down - back) / (1.0 - both_ways)
    ahead, sinking = a * w * C * c, -a * w * S * s
    stretching, shearing = -a * w * k * C * s, -a * w * k * S * c
    ahead_rate, sinking_rate = a * w * w * C * s, a * w * w * S * c
    return WaveMotion(
        a * c,
        (ahead * cn, ahead * ce, sinking),
        (
            (stretching * cn * cn, stretching * cn * ce, shearing * cn),
            (stretching * ce * cn, stretching * ce * ce, shearing * ce),
            (shearing * cn, shearing * ce, -stretching),
        ),
        (ahead_rate * cn, ahead_rate * ce, sinking_rate),
        a * pressure_share(k, water_depth, d) * c,
    )


def jonswap(frequency: AngularFrequency, significant_height: float, peak_period: Seconds, peakedness: float) -> float:
    """JONSWAP spectral density of the elevation, m2 s/rad. Hasselmann et al. 1973 in the form of DNV-RP-C205.

    A peakedness of one is the spectrum of Pierson and Moskowitz 1964; 3.3 is the mean of the JONSWAP measurements.
    """
    peak = 6.283185307179586 / peak_period
    r = peak / frequency
    r4 = r * r * r * r
    width = select(frequency > peak, 0.09, 0.07)
    away = (frequency - peak) / (width * peak)
    peaked = exp(log(peakedness) * exp(-0.5 * away * away))
    scale = (1.0 - 0.287 * log(peakedness)) * 0.3125 * significant_height * significant_height
    return scale * r4 / frequency * exp(-1.25 * r4) * peaked
