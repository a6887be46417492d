"""C20: one record of four degrees of freedom at once, replayed by three simulators. Britto Neto 2018, Table 14.

Simple: six equations that do not know of each other. Complete: the model with Coriolis efforts. Engine: a rigid-body
engine with the second method of added mass. All three have the numbers of the source and get the efforts of the truth
of `flatfish_multi_dof`, which couples axes.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from remora.evidence.requirements import StudyFunction, Value
from remora.evidence.studies.flatfish.coupled_axes import (
    COARSE_STEP,
    complete_errors,
    coupled,
    diagonal,
    only,
)
from remora.evidence.studies.flatfish.records import (
    DEPTH,
    DVL_NS,
    STEP_NS,
    TOGETHER,
    TOGETHER_SECONDS,
    driven,
    together_record,
)
from remora.files.arrays import Array
from remora.identification import replay
from remora.interop.added_mass_schemes import DirectCompensation, excess
from remora.interop.scheme_comparison import CompensatedEngine
from remora.vehicles.names import DEGREES_OF_FREEDOM

SIMULATORS = ("simple", "complete", "engine")


@cache
def engine_twists() -> Array:
    """Twists of the engine under the commands of the coupled truth, at the stamps of the record."""
    parameters = diagonal().parameters
    commands = driven(coupled(), TOGETHER["identification"], TOGETHER_SECONDS).commands
    engine = CompensatedEngine(parameters, DirectCompensation(excess(parameters)), COARSE_STEP, (0.0, 0.0, DEPTH))
    held, every = (round(period * 1e-9 / COARSE_STEP) for period in (STEP_NS, DVL_NS))
    twists = [engine.state[7:13]]
    for k in range(round(TOGETHER_SECONDS / COARSE_STEP)):
        engine.advance(commands[k // held])
        if (k + 1) % every == 0:
            twists.append(engine.state[7:13])
    return np.array(twists)


@cache
def mean_errors(seed: int) -> Array:
    """Mean absolute errors: three simulators, six degrees of freedom."""
    record, model = together_record(coupled(), "identification", seed), diagonal().parameters
    simple = [replay(only(record, axis), model).scores[axis].mae for axis in DEGREES_OF_FREEDOM]
    complete = complete_errors(record, model)
    engine = np.abs(engine_twists()[: len(record)] - record.twist).mean(axis=0)
    return np.array([simple, [complete[axis] for axis in DEGREES_OF_FREEDOM], engine])


def table(seeds: Sequence[int]) -> list[Value]:
    """The table of the source, mean over all seeds; engine and complete model shall agree as they do there."""
    errors = np.mean([mean_errors(seed) for seed in seeds], axis=0)
    apart = np.abs(errors[2] - errors[1])
    return [
        *(
            (f"{axis}: mean errors of engine and complete model apart", apart[i])
            for i, axis in enumerate(DEGREES_OF_FREEDOM)
        ),
        *(
            (f"{axis}: mean error, {name}", errors[j, i])
            for i, axis in enumerate(DEGREES_OF_FREEDOM)
            for j, name in enumerate(SIMULATORS)
        ),
    ]


STUDIES: dict[str, StudyFunction] = {
    "C20": table,
}
