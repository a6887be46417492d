"""Cross-log consistency: parameters that differ when each record is fitted separately."""

from itertools import combinations

import numpy as np

from remora.identification.methods import FitMethod, Task

# Smallest difference of inconsistent values, in standard deviations and as a share of the value.
_SIGMAS, _SHARE = 5.0, 0.1


def cross_log_inconsistencies(task: Task, method: FitMethod) -> list[str]:
    """A sentence for each parameter in which records disagree."""
    if len(task.records) < 2:
        return []
    alone = []
    for record in task.records:
        try:
            alone.append((record.source, method.fit(task._replace(records=(record,)))))
        except ValueError:  # too short for a separate fit
            continue
    sentences = []
    for (one, a), (other, b) in combinations(alone, 2):
        for name in sorted(set(a.names) & set(b.names), key=a.names.index):
            i, k = a.names.index(name), b.names.index(name)
            apart, unsure = abs(a.values[i] - b.values[k]), float(np.hypot(a.sigma[i], b.sigma[k]))
            if apart > max(_SIGMAS * unsure, _SHARE * max(abs(a.values[i]), abs(b.values[k]))):
                sentences.append(
                    f"{name}: {one} alone says {a.values[i]:.4g} +- {a.sigma[i]:.2g}, {other} alone "
                    f"{b.values[k]:.4g} +- {b.sigma[k]:.2g} (one sigma): they contradict each other."
                )
    return sentences
