"""`ThrustLaw`: the declaration of a thruster law, from which packing, files, other water and allocation are derived.

`register` refuses a law without an answer, or one whose answers contradict each other.
"""

from collections.abc import Callable
from typing import NamedTuple

from remora.equations.actuators.thrusters import CommandMap, ThrustCurve, Thruster
from remora.equations.algebra.vectors import ZERO3, ZERO6
from remora.equations.types import Vector3

FORCE_OUTPUT, SHAFT_SPEED_OUTPUT = "force", "shaft_speed"  # N, rad/s
# Keys of a thruster section that hold coefficients of a law.
COEFFICIENT_KEYS = ("coefficient", "inflow_coefficient", "diameter", "thrust_coefficients", "quadrant_coefficients")


class LawError(ValueError):
    """A thruster law lacks an answer or contradicts itself."""


class LawCoefficients(NamedTuple):
    """Coefficients of a thruster section, pairs for forward and reverse thrust; None where the file gives none."""

    density: float  # kg/m3
    coefficient: tuple[float, float] | None = None  # N s2/rad2
    inflow_coefficient: tuple[float, float] | None = None  # N s2/(rad m)
    diameter: float | None = None  # m
    thrust_coefficients: tuple[Vector3, Vector3] | None = None  # alpha, beta, gamma of K_T(J)
    units_per_radian: float = 1.0  # of the shaft speed in K_T and J: 1, or 1 / (2 pi) per revolution


class ThrustLaw(NamedTuple):
    """A law by which the output of a thruster gives thrust along its axis."""

    name: str  # in a vehicle file
    code: int  # in a packed row; laws with one code share their equation
    output: str  # FORCE_OUTPUT or SHAFT_SPEED_OUTPUT
    depends_on_inflow: bool
    thrust: Callable[[Thruster, float, float], float]  # (thruster, output, advance speed): N
    output_for: Callable[[Thruster, float, float], float]  # (thruster, thrust, advance speed): its inverse
    with_density: Callable[[Thruster, float], Thruster]  # (thruster, density / density of the file)
    keys: tuple[str, ...]  # of COEFFICIENT_KEYS: those that a thruster section must have
    curves: Callable[[LawCoefficients], tuple[ThrustCurve, ThrustCurve]]  # of forward and reverse thrust
    signed_inflow: bool | None  # whether the direction of the inflow counts; None: as the section says
    covers: tuple[str, ...]  # further laws whose thrusters its equation treats alike, in a vehicle that has both


def scaled_curves(thruster: Thruster, ratio: float) -> Thruster:
    """The thruster with its thrust curves in proportion to the density of the water."""

    def curve(given: ThrustCurve) -> ThrustCurve:
        return ThrustCurve(ratio * given.square, ratio * given.advance, ratio * given.inflow)

    return thruster._replace(positive=curve(thruster.positive), negative=curve(thruster.negative))


def register_law(law: ThrustLaw) -> ThrustLaw:
    """The law itself, after all its answers are checked.

    Raises
    ------
    LawError
        With every fault of the law.
    """
    faults = _missing_answers(law) or _faults_of_behaviour(law)
    if faults:
        raise LawError(f"thruster law {law.name!r}: {' '.join(faults)}")
    return law


def _missing_answers(law: ThrustLaw) -> list[str]:
    faults = []
    if not (isinstance(law.name, str) and law.name.isidentifier()):
        faults.append("name is no identifier, such as four_quadrant.")
    faults += [
        f"{key} is no function."
        for key in ("thrust", "output_for", "with_density", "curves")
        if not callable(getattr(law, key))
    ]
    if law.output not in (FORCE_OUTPUT, SHAFT_SPEED_OUTPUT):
        faults.append(f"output is {law.output!r}: give {FORCE_OUTPUT} or {SHAFT_SPEED_OUTPUT}.")
    if law.depends_on_inflow not in (True, False) or law.signed_inflow not in (True, False, None):
        faults.append("depends_on_inflow and signed_inflow: give True or False.")
    if unknown := [key for key in law.keys if key not in COEFFICIENT_KEYS]:
        faults.append(f"keys names {', '.join(unknown)}: choose from {', '.join(COEFFICIENT_KEYS)}.")
    return faults


def _sample(law: ThrustLaw) -> Thruster:
    """A thruster of the law with some coefficients."""
    pair, rows = (0.02, 0.015), ((-0.2, -0.3, 0.4), (-0.1, -0.2, 0.3))
    forward, reverse = law.curves(LawCoefficients(1000.0, pair, (-0.01, -0.02), 0.1, rows))
    identity = CommandMap(-1.0, 1.0, 1.0, 1.0, ZERO3, ZERO3)
    return Thruster(
        ZERO3, (1.0, 0.0, 0.0), ZERO6, 1.0, 1.0, 1.0, forward, reverse, float(law.signed_inflow or 0.0), 1.0, 0.0, 0.0,
        -1.0, 1.0, identity,
    )  # fmt: skip


def _faults_of_behaviour(law: ThrustLaw) -> list[str]:
    """Answers that the equation contradicts at a sample."""
    thruster, faults = _sample(law), []
    for output in (40.0, -40.0):
        force = law.thrust(thruster, output, 0.0)
        if not abs(law.output_for(thruster, force, 0.0) - output) <= 1e-9 * abs(output):
            faults.append(f"output_for does not give back the output {output:g} of its thrust.")
        if not law.depends_on_inflow and law.thrust(thruster, output, 0.3) != force:
            faults.append("its thrust depends on the inflow, which depends_on_inflow denies.")
        if not isinstance(law.with_density(thruster, 1.1), Thruster):
            faults.append("with_density does not return a thruster.")
    return faults
