"""modular-14.1 and 14.2: the two simulated cases of modules on a rod, Nielsen 2018, section 3.6."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.types import Vector6
from remora.files.arrays import Array
from remora.plant.multibody import BodyModel, MultibodyPlant
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.modular.module_pairs import (
    composite_accelerations,
    first_peak,
    integrated,
    module,
    pair,
    solved_pendulum,
)
from remora_evidence.studies.modular.pendulum import equivalent_pendulum

LENGTHS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)  # m, of the rod in case A
OUTPUT_STEP = 0.010003  # s: 30 s in 2,999 intervals
FINE = 4  # steps in one of these, where the symmetry of the motion is judged: its error is that of the integration
STEP = 0.01  # s
MASS, INERTIA = 20.0, 0.001  # kg and kg m2, of a module
ADDED, ADDED_INERTIA = 2.5, 0.0005  # kg and kg m2, as tabulated
DRAG, TURNING_DRAG = 5.0, 0.001  # kg/s and kg m2/s
REST = 120.0  # s, after which the pair has come to rest


class OscillationForm(NamedTuple):
    """A reading of the tabulated numbers of case A."""

    words: str
    gravity: float  # m/s2
    added: float  # kg

    def module(self, name: str, damped: bool = True) -> BodyModel:
        """A module, neutral, with its centre of buoyancy 0.1 m above that of gravity."""
        turning = ADDED_INERTIA if self.added else 0.0
        drag = _diagonal(DRAG, TURNING_DRAG) if damped else _diagonal(0.0, 0.0)
        added = _diagonal(self.added, turning)
        return module(name, MASS, (INERTIA,) * 3, added, drag, centre_of_buoyancy=-0.1, gravity=self.gravity)

    def pair(self, length: float, damped: bool = True, parts: int = 1) -> tuple[MultibodyPlant, Array]:
        """Two of them on a rod, m, the second rolled by 90 degrees; steps are parts of the one of the output."""
        bodies = self.module("A", damped), self.module("B", damped)
        return pair(bodies, 0.5 * length, True, OUTPUT_STEP / parts)


FORMS = (
    OscillationForm("gravity 10, no added mass", 10.0, 0.0),
    OscillationForm("tabulated numbers", 9.81, ADDED),
    OscillationForm("gravity 9.81, no added mass", 9.81, 0.0),
)


def _diagonal(straight: float, turning: float) -> Vector6:
    return (straight, straight, straight, turning, turning, turning)


def hydrostatic_oscillation(seeds: Sequence[int]) -> list[Value]:
    """Case A: time of the first peak of roll over the length of the rod, and what else must hold of every form."""
    values: list[Value] = []
    for length in LENGTHS:

        def rate(t: float, y: Array, length: float = length) -> tuple[float, float]:
            return y[1], equivalent_pendulum(y[0], y[1], 0.5 * length, (0.05, -0.05), 9.82, (0.25, 0.0))

        peak = first_peak(*solved_pendulum(rate, 3.0 * length))[0]
        values.append((f"equivalent pendulum: first peak at {length} m", peak))
    for form in FORMS:
        swings = [swung(form, length) for length in LENGTHS]
        for length, swing in zip(LENGTHS, swings, strict=True):
            peak, angle = first_peak(swing.times, swing.roll)
            values.append((f"{form.words}: first peak at {length} m", peak))
            if form is FORMS[0]:
                values.append((f"{form.words}: first peak roll at {length} m", float(np.degrees(angle))))
        values += _properties(form, swings)
    return values


class RodSwing(NamedTuple):
    """The first swing of a pair."""

    times: Array  # s
    roll: Array  # rad, of A
    unlike: float  # m/s, largest sum of heave of A and sway of B
    moved: float  # m, of the middle
    stretch: float  # largest deviation of a quaternion from unit length
    speed: float  # m/s, largest of a module


def swung(form: OscillationForm, length: float, damped: bool = True, parts: int = 1) -> RodSwing:
    """Until the first peak and a little beyond."""
    plant, state = form.pair(length, damped, parts)
    start, rows = plant.body_states(state)[:, :3].mean(axis=0), []
    for _ in range(round((2.3 * length + 0.3) / OUTPUT_STEP)):
        state = plant.step(state, steps=parts)
        rows.append(plant.body_states(state))
    x: Array = np.array(rows)
    times: Array = OUTPUT_STEP * np.arange(1.0, len(x) + 1.0)
    return RodSwing(
        times,
        2.0 * np.arctan2(x[:, 0, 4], x[:, 0, 3]),
        float(np.abs(x[:, 0, 9] + x[:, 1, 8]).max()),
        float(np.abs(x[:, :, :3].mean(axis=1) - start).max()),
        float(np.abs(np.linalg.norm(x[:, :, 3:7], axis=2) - 1.0).max()),
        float(np.linalg.norm(x[:, 0, 7:10], axis=1).max()),
    )


def _properties(form: OscillationForm, swings: Sequence[RodSwing]) -> list[Value]:
    """What holds of a form for every length of the rod."""
    fine = [swung(form, length, parts=FINE) for length in LENGTHS]
    free = [swung(form, length, damped=False) for length in LENGTHS]
    shares = [2.0 * first_peak(one.times, one.roll)[0] / length for one, length in zip(free, LENGTHS, strict=True)]
    speeds = [one.speed for one in free]
    at_rest = np.array([rest_rolls(form, length) for length in LENGTHS])
    return [
        (f"{form.words}: difference of heave of A and sway of B", max(one.unlike for one in fine)),
        (f"{form.words}: the same with steps of 10 ms", max(one.unlike for one in swings)),
        (f"{form.words}: motion of the middle", max(one.moved for one in swings)),
        (f"{form.words}: length of a quaternion beyond one", max(one.stretch for one in swings)),
        (f"{form.words}: roll of A at rest", _furthest(at_rest[:, 0], -45.0)),
        (f"{form.words}: roll of B at rest", _furthest(at_rest[:, 1], 45.0)),
        (f"{form.words}: undamped period over length, spread", 100.0 * (max(shares) / min(shares) - 1.0)),
        (f"{form.words}: largest undamped speed, spread", 100.0 * (max(speeds) / min(speeds) - 1.0)),
    ]


def _furthest(angles: Array, expected: float) -> float:
    """The angle that is furthest from what is expected."""
    return float(angles[np.argmax(np.abs(angles - expected))])


def rest_rolls(form: OscillationForm, length: float) -> tuple[float, float]:
    """Roll of A and of B at rest, deg."""
    plant, state = form.pair(length)
    x = plant.body_states(plant.step(state, steps=round(REST / OUTPUT_STEP)))
    a, b = (math.degrees(to_euler_zyx(tuple(row[3:7].tolist()))[0]) for row in x)
    return a, b


def open_loop(seeds: Sequence[int]) -> list[Value]:
    """Case B: the middle and the heading after 10 and 30 s, and the steady turn, over the surge drag of B."""
    values: list[Value] = []
    for drag in (5.0, 10.0, 15.0):
        name, plant, state = f"drag {drag:g}", *_unequal(drag)
        start, thrust = plant.body_states(state), _thrust()
        early = plant.step(state, (), thrust, steps=round(10.0 / STEP))
        late = plant.step(early, (), thrust, steps=round(20.0 / STEP))
        steady = plant.body_states(plant.step(late, (), thrust, steps=round(60.0 / STEP)))
        composite = composite_accelerations(plant, False, 0.5)
        y = integrated(lambda t, z: composite(z, thrust), start, STEP, 1000)[-1]  # noqa: B023
        for words, reached in (("after 10 s", early), ("after 30 s", late)):
            x = plant.body_states(reached)
            values += [
                (f"{name}, {words}: north of the middle", float(x[:, 0].mean())),
                (f"{name}, {words}: east of the middle", float(x[:, 1].mean())),
                (f"{name}, {words}: heading", math.degrees(to_euler_zyx(tuple(x[0, 3:7].tolist()))[2])),
            ]
        apart = np.abs(plant.body_states(early)[:, :3] - y[:, :3]).max()
        values.append((f"{name}: difference from the composite body after 10 s", float(apart)))
        values += [
            (f"{name}, steady: {what}", float(steady[0, i])) for what, i in (("surge", 7), ("sway", 8), ("yaw", 12))
        ]
        if drag != 5.0:
            along, aside, turn = steady[0, 7], steady[0, 8], steady[0, 12]
            radius = math.hypot(along - 0.5 * turn, aside) / turn
            values.append((f"{name}, steady: radius of the middle", float(radius)))
    return values


def _unequal(drag: float) -> tuple[MultibodyPlant, Array]:
    """Two modules side by side on a rod of 1 m, the second with another drag in surge."""
    A, B = (
        module(
            name, MASS, (INERTIA,) * 3, _diagonal(ADDED, ADDED_INERTIA),
            (surge, *_diagonal(DRAG, TURNING_DRAG)[1:]), centre_of_buoyancy=-0.1,
        )
        for name, surge in (("A", DRAG), ("B", drag))
    )  # fmt: skip
    return pair((A, B), 0.5, False, STEP)


def _thrust() -> Array:
    """1 N ahead on each module."""
    wrench = np.zeros((2, 6))
    wrench[:, 0] = 1.0
    return wrench


STUDIES: dict[str, StudyFunction] = {"modular-14.1": hydrostatic_oscillation, "modular-14.2": open_loop}
