"""modular-6dof: two BlueROV2 Heavy dock port to port in six degrees of freedom, in a current.

Position control, levelling and allocation of the full vehicles follow the references of a rendezvous. The true motion
decides: latched, or in contact before. The latch joins them, and one controller holds the assembly in its place.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from remora.control.docking.team import Latch
from remora.files.arrays import Array
from remora.logs import read_log
from remora.run.loop.loop import run
from remora.scenarios.reader import scenario_from_text
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.modular import port_rendezvous
from remora_evidence.studies.modular.port_contact import BodyBox, PortedBody, bodies_touch, port_gap
from remora_evidence.studies.modular.port_rendezvous import MEETINGS, RATE, SIDE, DockingTrial, Rendezvous

LATCH = Latch(0.05, math.radians(5.0), 0.1)
FIRST, DURATION = 36.0, 120.0  # s, of a first try and in all
APART, DEPTH, CURRENT = 5.0, 5.0, 0.2  # m, m, m/s
LARGEST_TURN, LARGEST_DEPTH = math.radians(45.0), 0.5  # off the common heading and depth at the start
HULL = BodyBox((0.0, 0.0, 0.0), (0.457, 0.575, 0.254))
ARM = SIDE - 0.5 * HULL.size[1]
BODIES = tuple(
    PortedBody((HULL, BodyBox((0.0, s * (SIDE - 0.5 * ARM), 0.0), (0.06, ARM, 0.06))), (0.0, s * SIDE, 0.0))
    for s in (1.0, -1.0)
)


PAIR = f"""
name: side_by_side
title: Two BlueROV2 Heavy side by side
source: spacing of the connector of Nielsen 2018
modules:
  - {{name: rov0, file: bluerov2_heavy, ports: {{starboard: {{position: [0, {SIDE} m, 0]}}}}}}
  - {{name: rov1, file: bluerov2_heavy, ports: {{larboard: {{position: [0, -{SIDE} m, 0]}}}}}}
links: [{{name: dock, kind: rigid, between: [rov0/starboard, rov1/larboard]}}]
"""
CONTROL = {"part": "position", "rate": "50 Hz", "velocity_gains": [4, 4, 4, 4]}
ALLOCATION = {"part": "bounded", "rate": "50 Hz"}


class DockingOutcome(NamedTuple):
    """End of one docking."""

    latched_at: float | None  # s
    touched_at: float | None  # s, contact outside the latch
    closest: float  # m, between the ports
    joined: float = 0.0  # s as one body until the end of the run
    moved: float = math.inf  # m, largest distance of the first vehicle from its place at the latch

    @property
    def is_success(self) -> bool:
        """Latched without contact before."""
        return self.latched_at is not None and self.touched_at is None


def scenario_of(trial: DockingTrial, meeting: int, duration: float) -> dict[str, Any]:
    """Scenario of a trial: random headings, depths, line of approach and direction of the current."""
    random = np.random.default_rng(1000 + trial.seed)
    common, flow = random.uniform(-math.pi, math.pi, 2)
    turns = random.uniform(-LARGEST_TURN, LARGEST_TURN, 2)
    depths = DEPTH + random.uniform(-LARGEST_DEPTH, LARGEST_DEPTH, 2)
    side = common + 0.5 * math.pi
    places = ((0.0, 0.0), (APART * math.cos(side), APART * math.sin(side)))
    beacon = {
        "name": "beacon",
        "kind": f"{port_rendezvous.__name__}:Beacon",
        "position": [0, 0, 0],
        "rate": f"{RATE} Hz",
    }
    sensors: list[Any] = [beacon] if trial.navigation == "truth" else ["imu", "ahrs", "gyro", "depth", "dvl", beacon]
    navigation: Any = "truth" if trial.navigation == "truth" else {"part": trial.navigation, "rate": "50 Hz"}
    return {
        "name": "port_docking",
        "duration": f"{duration} s",
        "seed": trial.seed,
        "log": {"rate": "20 Hz"},
        "water": {
            "current": [f"{CURRENT * math.cos(flow)} m/s", f"{CURRENT * math.sin(flow)} m/s", 0],
            "bottom_depth": "15 m",
        },
        "vehicles": [
            {
                "name": "pair",
                "file": "side_by_side.yaml",
                "model": "bodies",
                "modules": {
                    f"rov{i}": {
                        "position": [f"{places[i][0]} m", f"{places[i][1]} m", f"{depths[i]} m"],
                        "angles": [0, 0, f"{common + turns[i]} rad"],
                        "sensors": sensors,
                        "navigation": navigation,
                        "guidance": {
                            "part": f"{port_rendezvous.__name__}:DockingGuidance",
                            "rate": f"{RATE} Hz",
                            "meeting": meeting,
                            "index": i,
                        },
                        "control": CONTROL,
                        "allocation": ALLOCATION,
                    }
                    for i in (0, 1)
                },
                "links": {"dock": {"latch_from": "0.1 s", "tolerance": _tolerance()}},
                "assembly": {
                    "guidance": {"part": "hold", "rate": f"{RATE} Hz"},
                    "control": CONTROL,
                    "allocation": ALLOCATION,
                },
            }
        ],
    }


def _tolerance() -> dict[str, str]:
    """The latch in a scenario; it does not look at the rate."""
    return {
        "distance": f"{LATCH.distance} m",
        "angle": f"{LATCH.heading} rad",
        "speed": f"{LATCH.speed} m/s",
        "rate": "1 rad/s",
    }


@cache
def dock(trial: DockingTrial) -> DockingOutcome:
    """Run a trial until it is decided, or to its end."""
    for duration in (FIRST, DURATION):
        outcome = docked_within(trial, duration)
        if outcome.latched_at is not None or outcome.touched_at is not None:
            break
    return outcome


def docked_within(trial: DockingTrial, duration: float) -> DockingOutcome:
    """Run a trial for some seconds and judge its true motion: the first latch, and contact before it."""
    meeting = len(MEETINGS)
    MEETINGS[meeting] = Rendezvous(trial)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "run.mcap"
        (Path(folder) / "side_by_side.yaml").write_text(PAIR, encoding="utf-8")
        text = json.dumps(scenario_of(trial, meeting, duration))
        outcome = run(scenario_from_text(text, "port_docking", Path(folder)), file)
        if outcome.stopped:
            raise RuntimeError(f"{trial} stopped at {outcome.time_ns * 1e-9:g} s: {outcome.stopped}")
        log = read_log(file)
    del MEETINGS[meeting]
    truths = [log.series[f"pair/rov{i}/truth"] for i in (0, 1)]
    found = judged(truths[0].time, truths[0].table(), truths[1].table())
    attached = np.asarray(log.series["pair/dock"]["attached"], dtype=bool)
    if not attached[-1]:
        return found
    times, places = truths[0].time[attached], truths[0].table()[attached, :3]
    moved = float(np.linalg.norm(places - places[0], axis=1).max())
    return found._replace(joined=float(times[-1] - times[0]), moved=moved)


def judged(times: Array, first: Array, second: Array) -> DockingOutcome:
    """Outcome of recorded states of both vehicles, 13 numbers at each time in s."""
    closest, bodies = math.inf, (BODIES[0], BODIES[1])
    for time, a, b in zip(times, first, second, strict=True):
        gap = port_gap(bodies, (a, b))
        closest = min(closest, gap.distance)
        if gap.within(LATCH):
            return DockingOutcome(float(time), None, closest)
        if bodies_touch(bodies, (a, b)):
            return DockingOutcome(None, float(time), closest)
    return DockingOutcome(None, None, closest)


VARIANTS = {
    "true states": ("truth", 0.0, 0.0),
    "navigation filter": ("filter", 0.0, 0.0),
    "navigation filter, 10 % loss and 0.2 s delay": ("filter", 0.1, 0.2),
}


def port_docking(seeds: Sequence[int]) -> list[Value]:
    """Share of docked pairs and the slowest of them."""
    found = []
    for name, variant in VARIANTS.items():
        outcomes = [dock(DockingTrial(seed, *variant)) for seed in seeds]
        times = [outcome.latched_at for outcome in outcomes if outcome.latched_at is not None]
        found.append((f"{name}: docked", 100.0 * sum(outcome.is_success for outcome in outcomes) / len(outcomes)))
        found.append((f"{name}: contact outside the latch", float(sum(o.touched_at is not None for o in outcomes))))
        found.append((f"{name}: slowest docking", max(times, default=math.inf)))
        docked = [outcome for outcome in outcomes if outcome.is_success]
        joined = sum(outcome.joined > 0.0 for outcome in docked)
        found.append((f"{name}: joined of those docked", 100.0 * joined / max(len(docked), 1)))
        moved = max((outcome.moved for outcome in docked), default=math.inf)
        found.append((f"{name}: largest motion of a joined pair", moved))
    return found


STUDIES: dict[str, StudyFunction] = {"modular-6dof": port_docking}
