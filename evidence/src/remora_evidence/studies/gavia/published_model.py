"""Table 3 of Randeni et al. 2018 as gyro-driven models: four fits, as printed and with the sign of alpha_5 put right.

Printed negative in three of four columns, alpha_5 must be positive in all: only then do the four fits agree on the
speed at a shaft speed, and 1.6 m/s lie inside the printed range of rpm. Surge is in newtons although the source divides
by mass, so the models have the literal scaling. Sway and heave illustrate only: quadratic sway damping adds energy, and
numbers differ up to 28 times between data sets.
"""

from remora.equations.estimation.gyro_driven import GyroDriven

_SURGE = {
    "RLS ID1": (0.5294, 0.0909, -2.5098, -8.5937, -22.3129, -32.7171, -7.1061, -13.5405),
    "RLS ID2": (0.3502, 0.0550, -2.8987, -7.4594, -18.2884, -29.7355, -16.1337, -12.7996),
    "PEM ID1": (0.5279, 0.0959, -2.4622, -8.6492, -22.4870, -32.8517, -7.0680, -13.5564),
    "PEM ID2": (0.4448, 0.3102, -2.1622, -7.4957, 18.2994, -29.5699, -13.1852, -12.8060),
}
_SWAY = {
    "RLS ID1": (0.0133, 0.0029, 0.0444, -0.0364, 0.0005, -0.0001, 0.0008),
    "RLS ID2": (0.0135, 0.0031, 0.0173, -0.0722, 0.0004, 0.0003, 0.0016),
    "PEM ID1": (0.0133, 0.0029, 0.0480, -0.0367, 0.0005, 0.0000, 0.0007),
    "PEM ID2": (0.0133, 0.0029, 0.0094, -0.0552, 0.0004, 0.0001, 0.0013),
}
_HEAVE = {
    "RLS ID1": (-0.0059, -0.0138, -0.0347, -0.0011, 0.0001, 0.0016),
    "RLS ID2": (-0.0062, -0.0186, -0.9837, 0.0044, -0.0032, 0.0020),
    "PEM ID1": (-0.0058, -0.0094, -0.0372, -0.0010, 0.0001, 0.0015),
    "PEM ID2": (-0.0061, -0.0038, -0.7185, -0.0083, -0.0028, 0.0020),
}
FITS = tuple(_SURGE)
THRUST_COEFFICIENT = 95e-6  # N per squared rpm, from 450 to 975 rpm


def published_model(fit: str, as_printed: bool = False) -> GyroDriven:
    """A fit of the table by its name; corrected unless it is wanted as printed."""
    surge = list(_SURGE[fit])
    if not as_printed:
        surge[4] = abs(surge[4])
    return GyroDriven(
        1.0,
        (*surge, 0.0, 0.0, 0.0),
        (*_SWAY[fit], 0.0, 0.0, 0.0, 0.0, 0.0),
        (*_HEAVE[fit], 0.0, 0.0),
        circular_heading=0.0,
    )
