"""Force that oscillates along each body axis with a slowly varying amplitude, phase and frequency.

Each axis has the force and its quadrature, a quarter of a period ahead. Both turn together by the angular frequency and
decay, so that the process noise may change amplitude and phase.
"""

from remora.equations.algebra.elementary import cos, exp, log, sin
from remora.equations.navigation.process_models import decayed3
from remora.equations.types import Numbers, Seconds, Vector3

MEMORY = 60.0  # s, over which amplitude and phase persist


def oscillating_force(state: Numbers) -> Vector3:
    """Force, N in body axes, of a filter state; force, quadrature and angular frequency of three axes start at 25."""
    return (state[25], state[26], state[27])


def oscillating_force_rate(state: Numbers) -> Vector3:
    """Rate of that force, N/s: angular frequency times quadrature."""
    return (state[31] * state[28], state[32] * state[29], state[33] * state[30])


def turned_phase(force: float, quadrature: float, angle: float) -> tuple[float, float]:
    """Force and quadrature of one axis after a phase angle, rad.

    `angle` is angular frequency times elapsed time.
    """
    c, s = cos(angle), sin(angle)
    return (c * force + s * quadrature, c * quadrature - s * force)


def oscillated(state: Numbers, elapsed: Seconds) -> tuple[float, ...]:
    """Force, quadrature and angular frequency of the three axes after a time, s: nine numbers."""
    surge = turned_phase(state[25], state[28], state[31] * elapsed)
    sway = turned_phase(state[26], state[29], state[32] * elapsed)
    heave = turned_phase(state[27], state[30], state[33] * elapsed)
    force = decayed3((surge[0], sway[0], heave[0]), 1.0 / MEMORY, elapsed)
    quadrature = decayed3((surge[1], sway[1], heave[1]), 1.0 / MEMORY, elapsed)
    return force + quadrature + (state[31], state[32], state[33])


def oscillation_plus(state: Numbers, error: Numbers) -> tuple[float, ...]:
    """Nine numbers moved by an error, entries 24 to 32 of it; frequencies by a ratio, so that they stay positive."""
    return (
        state[25] + error[24], state[26] + error[25], state[27] + error[26],
        state[28] + error[27], state[29] + error[28], state[30] + error[29],
        state[31] * exp(error[30]), state[32] * exp(error[31]), state[33] * exp(error[32]),
    )  # fmt: skip


def oscillation_minus(state: Numbers, reference: Numbers) -> tuple[float, ...]:
    """Error of the nine numbers: inverse of `oscillation_plus`."""
    return (
        state[25] - reference[25], state[26] - reference[26], state[27] - reference[27],
        state[28] - reference[28], state[29] - reference[29], state[30] - reference[30],
        log(state[31] / reference[31]), log(state[32] / reference[32]), log(state[33] / reference[33]),
    )  # fmt: skip
