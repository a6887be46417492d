"""R19 to R22: four degrees of freedom of the FlatFish excited at once, Britto Neto 2018, section 6.3.

The source replays the efforts of such a record with numbers from single degrees of freedom, and finds that these do
not carry over. Here the truth has what such records cannot show: added mass and damping that couple axes.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from remora.files.arrays import Array
from remora.identification import Fit, Record, fit_least_squares, replay, with_values
from remora.interop.added_mass_schemes import DirectCompensation, excess
from remora.interop.simple_engine import CompensatedEngine
from remora.plant import Stepper, initial_state
from remora.vehicles import Vehicle, load_vehicle
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora.vehicles.parameters import VehicleParameters
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.flatfish.fits import names_of
from remora_evidence.studies.flatfish.records import (
    AXES,
    BASIN,
    DEPTH,
    STEP_NS,
    TOGETHER,
    TOGETHER_SECONDS,
    driven,
    swing_record,
    together_record,
)

FINE_SECONDS, FINE_STEP, COARSE_STEP = 60.0, 0.001, 0.01
# Chosen: centres of added mass and of drag lie some centimetres away from the origin.
COUPLINGS = {
    "added_mass.pitch_surge": -20.0,
    "added_mass.pitch_heave": -50.0,
    "added_mass.roll_sway": 20.0,
    "added_mass.yaw_sway": 60.0,
    "damping.linear.heave_pitch": 10.0,
    "damping.linear.pitch_heave": 10.0,
    "damping.linear.sway_yaw": 20.0,
    "damping.linear.yaw_sway": 20.0,
    "damping.quadratic.sway_yaw": 60.0,
    "damping.quadratic.yaw_sway": 60.0,
}
# Pairs that a hull may couple that is the same on both sides; which of them it does is for the data to tell.
PAIRS = (
    ("surge", "heave"), ("surge", "pitch"), ("heave", "pitch"), ("sway", "roll"), ("sway", "yaw"), ("roll", "yaw"),
)  # fmt: skip
JUDGED = ("surge", "sway", "yaw")


@cache
def diagonal() -> Vehicle:
    """The numbers of the source, one degree of freedom at a time."""
    return load_vehicle("flatfish_multidof")


@cache
def coupled() -> VehicleParameters:
    """The truth."""
    return with_values(diagonal().parameters, tuple(COUPLINGS), list(COUPLINGS.values()))


def only(record: Record, axis: str) -> Record:
    """The record as if nothing but one degree of freedom had been measured."""
    kept = np.array(DEGREES_OF_FREEDOM) == axis
    return replace(record, twist=np.where(kept, record.twist, np.nan))


def simple_errors(record: Record) -> dict[str, float]:
    """Mean absolute errors of single degrees of freedom that do not know of each other."""
    model = diagonal().parameters
    return {axis: replay(only(record, axis), model).scores[axis].mae for axis in AXES}


def complete_errors(record: Record, model: VehicleParameters) -> dict[str, float]:
    """Mean absolute errors of the complete model in all six degrees of freedom."""
    scores = replay(record, model).scores
    return {axis: scores[axis].mae for axis in DEGREES_OF_FREEDOM}


@cache
def engine_errors(seconds: float, step: float) -> Array:
    """Mean difference of an engine with method 2 from the complete model, both under the recorded commands."""
    parameters = diagonal().parameters
    commands = driven(parameters, TOGETHER["identification"], TOGETHER_SECONDS).commands
    engine = CompensatedEngine(parameters, DirectCompensation(excess(parameters)), step, (0.0, 0.0, DEPTH))
    model, stepper = initial_state(engine.wet, (0.0, 0.0, DEPTH)), Stepper(engine.wet, step)
    count, held = round(seconds / step), round(STEP_NS * 1e-9 / step)
    total = np.zeros(6)
    for k in range(count):
        model = stepper(model, commands[k // held])
        engine.advance(model[13:])
        total += np.abs(engine.state[7:13] - model[7:13])
    return total / count


def engine_replay(seeds: Sequence[int]) -> list[Value]:
    """R19: engine with method 2 and complete model on the same commands: a minute at 1 ms, all of it at 10 ms."""
    return [
        (f"mean difference of {axis}, {1000.0 * step:g} ms", errors[i])
        for step, errors in (
            (FINE_STEP, engine_errors(FINE_SECONDS, FINE_STEP)),
            (COARSE_STEP, engine_errors(TOGETHER_SECONDS, COARSE_STEP)),
        )
        for i, axis in enumerate(DEGREES_OF_FREEDOM)
    ]


@cache
def simple_together(seed: int) -> dict[str, float]:
    """The simple model on all degrees of freedom at once."""
    return simple_errors(together_record(coupled(), "identification", seed))


@cache
def complete_together(seed: int) -> dict[str, float]:
    """The complete model with the same numbers on that record."""
    return complete_errors(together_record(coupled(), "identification", seed), diagonal().parameters)


def means(errors: Sequence[dict[str, float]]) -> dict[str, float]:
    """Mean over all seeds for each degree of freedom."""
    return {axis: float(np.mean([one[axis] for one in errors])) for axis in errors[0]}


def ordering(seeds: Sequence[int]) -> list[Value]:
    """R20: coupled motion spoils heave least, surge and yaw most; mean errors of all seeds."""
    errors = means([simple_together(seed) for seed in seeds])
    largest = min(errors["surge"], errors["yaw"])
    return [
        ("error of sway over that of heave", errors["sway"] / errors["heave"]),
        ("smaller error of surge and yaw over that of heave", largest / errors["heave"]),
        ("smaller error of surge and yaw over that of sway", largest / errors["sway"]),
        *((f"mean error of {axis}", errors[axis]) for axis in AXES),
    ]


def single_numbers_fail(seeds: Sequence[int]) -> list[Value]:
    """R21: what holds in single degrees of freedom does not hold in all at once, with or without Coriolis efforts."""
    alone = means([{axis: _alone(axis, seed) for axis in ("surge", "yaw")} for seed in seeds])
    simple = means([simple_together(seed) for seed in seeds])
    complete = means([complete_together(seed) for seed in seeds])
    figures = []
    for axis, single in alone.items():
        figures += [
            (f"{axis}: simple model, all at once over alone", simple[axis] / single),
            (f"{axis}: complete model, all at once over alone", complete[axis] / single),
            (f"{axis}: mean error alone", single),
        ]
    return [*figures, *((f"mean error of {axis}, complete model", complete[axis]) for axis in DEGREES_OF_FREEDOM)]


@cache
def _alone(axis: str, seed: int) -> float:
    record = swing_record(BASIN, axis, "validation", seed, truth=coupled())
    return replay(record, diagonal().parameters).scores[axis].mae


def full_names() -> list[str]:
    """Every inertia and damping, alone and in pairs, and the net buoyancy."""
    alone = [name for axis in DEGREES_OF_FREEDOM for name in names_of(axis)]
    masses = [f"added_mass.{b}_{a}" for a, b in PAIRS]
    both = [f"{x}_{y}" for a, b in PAIRS for x, y in ((a, b), (b, a))]
    return [*alone, *masses, *(f"damping.{law}.{pair}" for law in ("linear", "quadratic") for pair in both)]


def full_fit(seed: int) -> Fit:
    """All numbers of the complete model from one record of all degrees of freedom at once."""
    record = together_record(coupled(), "identification", seed)
    return fit_least_squares(record, diagonal(), full_names(), errors="instruments")


@cache
def validated(seed: int, is_fitted: bool) -> dict[str, float]:
    """Errors on another record, of the fit of a seed or of the numbers of the source."""
    model = full_fit(seed).vehicle if is_fitted else diagonal().parameters
    return complete_errors(together_record(coupled(), "validation", seed), model)


def full_model(seeds: Sequence[int]) -> list[Value]:
    """R22: identified as a whole the model predicts another record of this kind; worst of all seeds."""
    errors, before = [validated(seed, True) for seed in seeds], [validated(seed, False) for seed in seeds]
    worst, first = ({a: max(one[a] for one in many) for a in DEGREES_OF_FREEDOM} for many in (errors, before))
    return [
        *((f"mean error of {a}", worst[a]) for a in JUDGED),
        *((f"mean error of {a}", worst[a]) for a in ("heave", "roll", "pitch")),
        *((f"mean error of {a} before, diagonal numbers", first[a]) for a in JUDGED),
    ]


STUDIES: dict[str, StudyFunction] = {
    "R19": engine_replay,
    "R20": ordering,
    "R21": single_numbers_fail,
    "R22": full_model,
}
