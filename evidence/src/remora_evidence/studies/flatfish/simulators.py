"""C20: one record of four degrees of freedom at once, replayed by three simulators. Britto Neto 2018, Table 14.

All three have the numbers of the source and get the recorded efforts of the truth of `flatfish_multi_dof`, which
couples axes.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from remora.files.arrays import Array
from remora.interop.simulator_replays import SIMULATORS, replay_by_simulators
from remora.vehicles.names import DEGREES_OF_FREEDOM
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.flatfish.coupled_axes import coupled, diagonal
from remora_evidence.studies.flatfish.records import together_record


@cache
def mean_errors(seed: int) -> Array:
    """Mean absolute errors: three simulators, six degrees of freedom."""
    record = together_record(coupled(), "identification", seed)
    scores = replay_by_simulators(record, record, diagonal().parameters).scores
    return np.array([[scores[name][axis].mae for axis in DEGREES_OF_FREEDOM] for name in SIMULATORS])


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
