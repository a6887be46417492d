"""CPU time until a navigation filter gives its first estimate, compiled now and from the cache."""

import tempfile
from collections.abc import Mapping

from remora_evidence.benchmarks.startup import started_seconds

MODULE = "remora_evidence.benchmarks.navigation.first_estimate"


def measure_filter_start(runs: int = 3) -> Mapping[str, float | str]:
    """In fresh processes with a cache of their own, empty for the first one; imports are not counted."""
    with tempfile.TemporaryDirectory() as folder:
        cache = {"REMORA_CACHE_DIR": folder}
        compiled = started_seconds(cache, MODULE)
        warm = min(started_seconds(cache, MODULE) for _ in range(runs))
    return {"filter_compile_seconds": compiled, "filter_warm_seconds": warm}
