"""A pool vehicle in surge, sway, heave and yaw, simulated in plain NumPy apart from the package.

Roll and pitch are locked, B is the centre of gravity, weight equals buoyancy. Six thrusters with a first-order lag
follow held commands. Nothing is imported from the package, so that an error of its equations or of its resampling
cannot cancel itself here.
"""

from typing import NamedTuple

import numpy as np

AXES = ("surge", "sway", "heave", "yaw")
HEADS = ("added_mass", "damping.linear", "damping.quadratic")
NAMES = tuple(f"{head}.{axis}" for axis in AXES for head in HEADS)
RIGID = np.array([14.0, 14.0, 14.0, 0.4])
ADDED = np.array([6.0, 11.0, 18.0, 0.5])
LINEAR = np.array([9.0, 13.0, 16.0, 0.8])
QUADRATIC = np.array([32.0, 46.0, 60.0, 1.6])
TRUTH = np.column_stack([ADDED, LINEAR, QUADRATIC]).ravel()
LAG = 0.12  # s
STEP = 0.01  # s of the simulation; records have a row every second one
EVERY = 2
ACROSS = np.sqrt(0.5)
PLACES = {
    "front_starboard": ((0.16, 0.12, 0.0), (ACROSS, -ACROSS, 0.0)),
    "front_port": ((0.16, -0.12, 0.0), (ACROSS, ACROSS, 0.0)),
    "rear_starboard": ((-0.16, 0.12, 0.0), (-ACROSS, -ACROSS, 0.0)),
    "rear_port": ((-0.16, -0.12, 0.0), (-ACROSS, ACROSS, 0.0)),
    "vertical_starboard": ((0.0, 0.11, 0.0), (0.0, 0.0, -1.0)),
    "vertical_port": ((0.0, -0.11, 0.0), (0.0, 0.0, -1.0)),
}
THRUSTERS = tuple(PLACES)
# Force in surge, sway and heave and torque in yaw per newton of each thruster.
EFFECT = np.array([[*way, place[0] * way[1] - place[1] * way[0]] for place, way in PLACES.values()]).T
NOISE = np.array([0.006, 0.006, 0.006, 0.004])  # m/s and rad/s

VEHICLE = f"""
name: pool_vehicle
title: Vehicle of the independent simulator
source: tests
water: {{density: 1000 kg/m3, gravity: 9.81 m/s2}}
body: {{mass: 14 kg, volume: 14 litre, inertia: {{moments: [0.3, 0.4, 0.4]}},
       center_of_gravity: [0, 0, 0], center_of_buoyancy: [0, 0, 0]}}
added_mass: {{diagonal: [4.0, 8.0, 12.0, 0.2, 0.3, 0.3]}}
damping:
  linear: {{diagonal: [6, 9, 10, 0.3, 0.3, 0.5]}}
  quadratic: {{diagonal: [20, 30, 40, 0.5, 0.5, 1.0]}}
thruster_defaults: {{law: force, limits: [-40 N, 40 N], time_constant: {LAG} s}}
thrusters:
""" + "".join(
    f"  - {{name: {name}, position: [{', '.join(map(str, place))}], direction: [{', '.join(map(str, way))}]}}\n"
    for name, (place, way) in PLACES.items()
)


class Flight(NamedTuple):
    """A simulated flight at 50 Hz: rows of arrays over time."""

    time: np.ndarray  # s
    commands: np.ndarray  # N, held from a row to the next
    outputs: np.ndarray  # N, at the stamps
    speeds: np.ndarray  # m/s and rad/s, without noise
    heading: np.ndarray  # rad


def commands_of(generator: np.random.Generator, duration: float) -> np.ndarray:
    """Levels of random size and length for each thruster at 50 Hz, and slow sinusoids besides."""
    interval = STEP * EVERY
    rows = round(duration / interval)
    time = np.arange(rows) * interval
    table = np.empty((rows, len(THRUSTERS)))
    for k in range(len(THRUSTERS)):
        edges = np.cumsum(generator.uniform(0.5, 4.0, int(duration)))
        levels = generator.uniform(-9.0, 9.0, len(edges) + 1)
        waves = generator.uniform(0.02, 0.2, 2), generator.uniform(0.0, 6.28, 2)
        slow = 4.0 * np.sin(6.28 * waves[0][:, None] * time + waves[1][:, None]).sum(axis=0)
        table[:, k] = levels[np.searchsorted(edges, time, side="right")] + slow
    return table


def rates(speeds: np.ndarray, wrench: np.ndarray) -> np.ndarray:
    """Accelerations in surge, sway, heave and yaw [vehicle, axis]."""
    u, v, _, r = speeds.T
    inertia = RIGID + ADDED
    coupling = np.zeros_like(speeds)
    coupling[:, 0] = inertia[1] * v * r
    coupling[:, 1] = -inertia[0] * u * r
    coupling[:, 3] = (inertia[0] - inertia[1]) * u * v
    return (wrench + coupling - LINEAR * speeds - QUADRATIC * np.abs(speeds) * speeds) / inertia


def flights(
    seeds: range, duration: float, hold: int = 1, dead_band: float = 0.0, shares: tuple[float, ...] = (1.0,) * 6
) -> list[Flight]:
    """One flight per seed, from rest; classical Runge-Kutta with the exact outputs of the lags.

    Commands may be held over several rows, and those within a dead band, in N, have no effect. Each thruster gives a
    share of its thrust, which the outputs do not show.
    """
    commands = np.array([commands_of(np.random.default_rng(seed), duration) for seed in seeds])
    commands = np.repeat(commands[:, ::hold], hold, axis=1)[:, : commands.shape[1]]
    rows = commands.shape[1]
    half, whole = np.exp(-0.5 * STEP / LAG), np.exp(-STEP / LAG)
    speeds, outputs, heading = np.zeros((len(seeds), 4)), commands[:, 0].copy(), np.zeros(len(seeds))
    kept = [np.empty((len(seeds), rows, n)) for n in (6, 4, 1)]
    for k in range(rows):
        for table, now in zip(kept, (outputs, speeds, heading[:, None]), strict=True):
            table[:, k] = now
        for _ in range(EVERY):
            target = np.where(np.abs(commands[:, k]) < dead_band, 0.0, commands[:, k])
            between, after = (target + (outputs - target) * decay for decay in (half, whole))
            wrenches = [x * shares @ EFFECT.T for x in (outputs, between, after)]
            a = rates(speeds, wrenches[0])
            b = rates(speeds + 0.5 * STEP * a, wrenches[1])
            c = rates(speeds + 0.5 * STEP * b, wrenches[1])
            d = rates(speeds + STEP * c, wrenches[2])
            change = STEP * (a + 2.0 * b + 2.0 * c + d) / 6.0
            heading = heading + STEP * (speeds[:, 3] + 0.5 * change[:, 3])
            speeds, outputs = speeds + change, after
    time = np.arange(rows) * STEP * EVERY
    return [Flight(time, commands[i], kept[0][i], kept[1][i], kept[2][i, :, 0]) for i in range(len(seeds))]


def measured(flight: Flight, seed: int, noise: float = 1.0) -> np.ndarray:
    """The speeds with white noise."""
    return flight.speeds + noise * NOISE * np.random.default_rng([seed, 1]).standard_normal(flight.speeds.shape)


def wide_table(flight: Flight, seed: int, slow_every: int = 10, commands: bool = True) -> dict[str, np.ndarray]:
    """Columns of a table at 50 Hz in which a DVL fills every tenth row, a compass every fifth and the rest is NaN."""
    rows = np.arange(len(flight.time))
    speeds = measured(flight, seed)
    table = {"time": flight.time}
    for i, axis in enumerate(AXES):
        table[axis] = speeds[:, i] if axis == "yaw" else np.where(rows % slow_every == 3, speeds[:, i], np.nan)
    wrapped = (flight.heading + np.pi) % (2.0 * np.pi) - np.pi
    table["yaw_angle"] = np.where(rows % 5 == 0, wrapped, np.nan)
    inputs = flight.commands if commands else flight.outputs
    return {**table, **dict(zip(THRUSTERS, inputs.T, strict=True))}


def csv_text(table: dict[str, np.ndarray]) -> str:
    """The table as text, with empty cells for NaN."""
    rows = np.column_stack(list(table.values())).tolist()
    return "\n".join([",".join(table), *(",".join("" if x != x else repr(x) for x in row) for row in rows)]) + "\n"
