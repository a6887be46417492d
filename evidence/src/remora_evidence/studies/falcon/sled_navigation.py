"""The Falcon in the loop with its own filter: readings of the sled as they arrive, and the filter of 19 states.

Readings have the printed noise under way, latencies and drift; the plant is the one that neither filter nor controller
knows. Before the run the filter settles for five seconds on a vehicle at rest, as the source asks. Proctor 2014, ch. 4.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, final

import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.files.arrays import Array
from remora.messages.estimate import Estimate
from remora.messages.reading import Reading, Status
from remora.navigation.falcon.cycle import AdditiveFalconFilter, AdditiveState
from remora.navigation.falcon.filter_setup import THRUSTERS, additive_filter
from remora.navigation.falcon.presets import ModelNoise
from remora.navigation.falcon.sled import sled_of
from remora.plant import derivative, pack
from remora.sensors import Sensor, Truth
from remora_evidence.studies.falcon.array_runs import (
    REST,
    SITE,
    SLED,
    STEP,
    WATER,
    ArrayTrial,
    packed_plant,
    sled_sensor,
)
from remora_evidence.studies.falcon.closed_loop import (
    PERIOD,
    FalconRun,
    FalconTrial,
    Passed,
    disturbance_of,
    estimate_of,
    fly_by,
    nominal,
)
from remora_evidence.studies.falcon.thrust_steps import falcon
from remora_evidence.studies.sampling import normals

SURFACE = -1.0  # m, z of the surface: the waypoints start at the origin, and the rover must be under water there
LAUNCH_STD = 0.3  # m, of the position that the filter starts from
PERIOD_NS, STEP_NS = round(1e9 * PERIOD), round(1e9 * STEP)
SETTLING = round(REST / PERIOD)  # samples at rest
OPEN_WATER = replace(WATER, surface_depth=SURFACE)


@lru_cache(maxsize=1)
def sled_filter() -> AdditiveFalconFilter:
    """The filter of the nominal vehicle; as in the source, only the latency of the SBL is compensated."""
    sled = sled_of(falcon().sensors, SITE._replace(surface_depth=SURFACE), ModelNoise().force_time)
    return AdditiveFalconFilter(additive_filter(pack(nominal(False)), sled, "tuned"), sled)


class SledState(NamedTuple):
    """What the navigation keeps."""

    filter: AdditiveState
    sensors: tuple[Any, ...]  # states, in the order of SLED
    late: tuple[Reading, ...] = ()  # measured, not yet arrived


@final
@dataclass(frozen=True)
class SledNavigation:
    """Readings of one run, and the filter that uses them."""

    trial: FalconTrial

    step = STEP

    def initial(self, state: Array) -> SledState:
        """After settling at rest at a state of the plant."""
        start = state[:3] + LAUNCH_STD * normals(self.trial.seed, "launch", 3)
        actuators = len(state) - BODY_SIZE
        initial = sled_filter().initial(position=start, speeds=np.zeros(actuators))
        known = SledState(initial, tuple(sensor.initial() for sensor in _sensors(self.trial.seed)))
        still = Passed((state,) * (round(PERIOD / STEP) + 1), np.zeros(actuators))
        for k in range(1 - SETTLING, 0):
            known, _ = self.estimate(known, k, still)
        return known

    def estimate(self, held: SledState, k: int, passed: Passed) -> tuple[SledState, Estimate]:
        """The filter after the readings that have arrived since the last sample."""
        time_ns = (SETTLING + k) * PERIOD_NS
        sensors, measured = self._measured(held.sensors, k, passed)
        known = (*held.late, *measured)
        arrived = sorted((one for one in known if one.arrival_ns <= time_ns), key=lambda one: one.arrival_ns)
        late = tuple(one for one in known if one.arrival_ns > time_ns)
        state, _ = sled_filter().step(_driven(held.filter, passed), time_ns, _shafts(passed), arrived)
        after = SledState(state, sensors, late)
        return after, estimate_of(state.belief.state, k)

    def _measured(self, states: tuple[Any, ...], k: int, passed: Passed) -> tuple[tuple[Any, ...], list[Reading]]:
        """States of the sensors, and their readings since the last sample."""
        last_ns = (SETTLING + k - 1) * PERIOD_NS
        after, found = [], []
        for sensor, before in zip(_sensors(self.trial.seed), states, strict=True):
            state, period = before, sensor.description.period_ns
            for i in range(last_ns // period + 1, (last_ns + PERIOD_NS) // period + 1):
                truth = self._truth(i * period, (i * period - last_ns) // STEP_NS, k, passed, sensor)
                state, reading = sensor.step(state, truth, OPEN_WATER, i)
                found += [] if reading is None else [reading]
            after.append(state)
        return tuple(after), found

    def _truth(self, time_ns: int, j: int, k: int, passed: Passed, sensor: Sensor) -> Truth:
        """Truth after j steps since the last sample; with accelerations for the inertial unit of a moving vehicle."""
        state = passed.states[min(j, len(passed.states) - 1)]
        now = estimate_of(state, k)
        truth = Truth(time_ns, now.p_NB, now.q_NB, now.twist)
        if k <= 0 or sensor.description.name != "imu":
            return truth
        external = disturbance_of(self.trial).at((k - 1) * PERIOD + j * STEP)
        rate = derivative(packed_plant(self.trial), state, passed.taken, external)[7:BODY_SIZE]
        u, v, w, p, q, r = rate.tolist()
        return truth._replace(twist_rate=(u, v, w, p, q, r))


def _driven(state: AdditiveState, passed: Passed) -> AdditiveState:
    """The filter with the shaft speeds that were measured over the interval to be predicted."""
    stamp_ns = state.belief.stamp_ns
    speeds = Reading(THRUSTERS, stamp_ns, stamp_ns, Status.OK, _shafts(passed))
    return state._replace(belief=sled_filter().filter.step(state.belief, [speeds])[0])


def _shafts(passed: Passed) -> tuple[float, ...]:
    """Measured shaft speeds, rad/s."""
    return tuple(passed.states[-1][BODY_SIZE:].tolist())


@lru_cache(maxsize=64)
def _sensors(seed: int) -> tuple[Sensor, ...]:
    """The sensors of the sled with the errors of a run."""
    return tuple(sled_sensor(name, ArrayTrial(seed)) for name in SLED)


def fly_by_sled(trial: FalconTrial, target: tuple[float, float, float, float]) -> FalconRun:
    """From rest at the origin to a target of north, east, down and heading, m and rad, as the source flies it."""
    return fly_by(SledNavigation(trial), trial, target)
