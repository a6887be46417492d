"""Motion of a vehicle on slow sinusoids, for tests of fits: the truth, and a vehicle file to start from."""

import numpy as np

from remora.plant import initial_state, pack, rollout
from remora.vehicles import load_vehicle

NAMES = ("surge_port", "surge_starboard", "sway_front", "sway_rear")
INTERVAL, ROWS = 0.1, 1500
TRUE = "flatfish_multidof"
START = "flatfish_gazebo_physical"


def motion() -> np.ndarray:
    """Stamps, three speeds and four shaft speeds of a vehicle on slow sinusoids, with a little noise."""
    parameters = load_vehicle(TRUE).parameters
    packed = pack(parameters, locked=("heave", "roll", "pitch"))
    generator, fine = np.random.default_rng(5), 10
    time = np.arange(ROWS * fine + 1) * INTERVAL / fine
    frequency, phase = generator.uniform(0.03, 0.2, (2, 6, 1)), generator.uniform(0.0, 6.28, (2, 6, 1))
    speeds = 30.0 * np.sin(2.0 * np.pi * frequency * time + phase).sum(axis=0).T
    names = list(parameters.thruster_names)
    speeds[:, [names.index("heave_front"), names.index("heave_rear")]] = 0.0
    start = initial_state(packed, outputs=speeds[0])
    states = rollout(packed, start, 0.5 * (speeds[:-1] + speeds[1:]), INTERVAL / fine)[::fine]
    twist = states[:, [7, 8, 12]] + 0.002 * generator.standard_normal((ROWS + 1, 3))
    shafts = speeds[::fine, [names.index(name) for name in NAMES]]
    return np.column_stack([time[::fine] + 1.7e9, twist, shafts])
