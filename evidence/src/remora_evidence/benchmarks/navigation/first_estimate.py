"""Makes a navigation filter and one estimate, and prints the CPU seconds that this took: run by `filter_start`."""

import sys
import time

import numpy as np

from remora.messages.reading import Reading, Status
from remora.navigation.inertial.inertial_filter import Launch
from remora_evidence.benchmarks.navigation.monte_carlo import suite_filter


def main() -> None:
    """From the sensors of a suite to the first estimate."""
    begin = time.process_time()
    made = suite_filter()
    belief = made.aligned(Launch((0.0, 0.0, 5.0)), 0, (0.0, 0.0, -9.81, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    reading = Reading("depth", 10_000_000, 10_000_000, Status.OK, (51_000.0,))
    belief, (result,) = made.filter.step(belief, [reading])
    estimate = made.estimate(belief, 10_000_000, ())
    if result.outcome != "used" or not np.isfinite(estimate.p_NB).all():
        sys.exit(f"the reading was {result.outcome}")
    sys.stdout.write(f"{time.process_time() - begin}\n")


if __name__ == "__main__":
    main()
