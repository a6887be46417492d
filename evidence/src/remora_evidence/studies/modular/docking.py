"""modular-17.12 to 17.15 and modular-14.11: graphs, camera cones, distributed docking. Nielsen 2018, ch. 7 and 8."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from remora.control.docking.centralised import CentralisedSolver, decompose, team_cost
from remora.control.docking.distributed import DistributedPlanner, DockingRun, simulate_docking
from remora.control.docking.link import communication_budget
from remora.control.docking.team import (
    FAST_WEIGHTS,
    HALF_ANGLE,
    LITERAL_PRICES,
    NIELSEN_STARTS,
    PRINTED_WEIGHTS,
    SUBGRADIENT_PRICES,
    CommunicationGraph,
    DockingTeam,
    nielsen_team,
    star_graph,
)
from remora.equations.control.docking import cone_values
from remora_evidence.requirements import StudyFunction, Value
from remora_evidence.studies.modular.frozen_docking import frozen_figures

DURATION = 60.0  # s
NEAR = 0.4  # m, below which bearings are not judged
LIMIT = math.degrees(HALF_ANGLE)


def graphs_and_decomposition(seeds: Sequence[int]) -> list[Value]:
    """Neighbours and edges of the printed star, and the three-vertex example of dual decomposition."""
    star = CommunicationGraph(4, ((0, 1), (1, 2), (1, 3)))
    matches = (
        set(star.neighbours(1)) == {0, 2, 3},
        star.incident(1) == star.edges,
        star.neighbours(0) == (1,),
        star.incident(0) == ((0, 1),),
        star_graph(4, 1).is_connected,
    )
    return [
        ("sets of the star graph that differ", float(matches.count(False))),
        (
            "three vertices: largest error against the centralised minimiser",
            _three_vertices(np.random.default_rng(seeds[0])),
        ),
    ]


def _three_vertices(random: np.random.Generator) -> float:
    """Random strictly convex costs of (x, y), (x, y, z), (x, z) with shared y and z, against all at once."""
    sizes, shared = (2, 3, 2), (np.array([0, 1]), np.array([2, 1, 3]), np.array([4, 3]))
    squares = [random.normal(size=(n, n)) for n in sizes]
    hessians = [square @ square.T + np.eye(len(square)) for square in squares]
    linears = [random.normal(size=n) for n in sizes]
    whole, right = np.zeros((5, 5)), np.zeros(5)
    for H, c, at in zip(hessians, linears, shared, strict=True):
        whole[np.ix_(at, at)] += H
        right[at] -= c
    expected = np.linalg.solve(whole, right)
    minimisers = [
        lambda price, H=H, c=c: np.linalg.solve(H, -c - price) for H, c in zip(hessians, linears, strict=True)
    ]
    constraints = {
        (0, 1): {0: np.array([[0.0, 1.0]]), 1: np.array([[0.0, -1.0, 0.0]])},
        (1, 2): {1: np.array([[0.0, 0.0, 1.0]]), 2: np.array([[0.0, -1.0]])},
    }
    found = decompose(minimisers, constraints, step=0.4, iterations=500)
    return max(float(np.abs(x - expected[at]).max()) for x, at in zip(found.variables, shared, strict=True))


def camera_cones(seeds: Sequence[int]) -> list[Value]:
    """Both sides of a cone against the bearing, for random cameras."""
    random, wrong, checked = np.random.default_rng(1 + seeds[0]), 0, 20_000
    for _ in range(checked):
        axis, half, bearing = (
            random.uniform(-7.0, 7.0),
            random.uniform(1e-3, 0.5 * math.pi - 1e-6),
            random.uniform(-7, 7),
        )
        distance = random.uniform(1e-3, 50.0)
        offset = (distance * math.cos(bearing), distance * math.sin(bearing))
        away = abs((bearing - axis + math.pi) % (2.0 * math.pi) - math.pi)
        inside = max(cone_values(axis, half, offset)) <= 0.0
        # Within rounding of the side itself either answer is right.
        wrong += inside != (away <= half) and abs(away - half) > 1e-9
    return [("cameras whose sides and bearing disagree", float(wrong))]


def _run(duration: float = DURATION, **changes: object) -> DockingRun:
    return simulate_docking(DistributedPlanner(nielsen_team(**changes)), NIELSEN_STARTS, duration)


def _docking_figures(run: DockingRun) -> Iterator[Value]:
    """Figures of acceptance (i)."""
    distance, heading = run.distance(0, 1), np.degrees(np.abs(run.heading_difference(0, 1)))
    far = distance > NEAR
    bearings = [np.abs(run.bearing(0, 1)[far]), np.abs(run.bearing(1, 0)[far]), np.abs(run.target_bearing(0)[far])]
    limits = np.array([v.force_limits for v in run.team.vehicles])
    yield "distance at 60 s", float(distance[-1])
    yield "difference of headings at 60 s", float(heading[-1])
    for name, bearing in zip(("neighbour, first", "neighbour, second", "target"), bearings, strict=True):
        yield f"largest bearing: {name}", math.degrees(float(bearing.max()))
    yield "largest distance to the target", float(run.target_distance(0).max())
    yield "largest force over its limit", float((np.abs(run.forces) / limits).max())


def printed_algorithm(seeds: Sequence[int]) -> list[Value]:
    """Algorithm 1 with the printed price steps, projected."""
    return list(_docking_figures(_run(prices=SUBGRADIENT_PRICES)))


def _agreement(label: str, run: DockingRun) -> Iterator[Value]:
    """Iterations until the copies of the common pose agree; a sample without agreement counts twice the limit."""
    used = np.where(run.agreed_after == 0, 2 * run.team.iterations, run.agreed_after)
    yield f"{label} weights: iterations to agree, first sample", float(used[0])
    yield f"{label} weights: iterations to agree, median of all samples", float(np.median(used))
    yield f"{label} weights: iterations to agree, 95 % of all samples", float(np.percentile(used, 95))


def distributed_against_centralised() -> Iterator[tuple[str, float | str]]:
    """Cost of the plans of the first sample over that of the centralised optimum, less one."""
    try:
        best = CentralisedSolver(nielsen_team()).solve(np.array(NIELSEN_STARTS))
    except ImportError as missing:
        yield "distributed over centralised cost, 15 iterations", str(missing)
        return
    for iterations in (1, 3, 15):
        team = nielsen_team(iterations=iterations, stop_when_agreed=False)
        planner = DistributedPlanner(team)
        _, result = planner.sample(planner.initial(NIELSEN_STARTS), np.array(NIELSEN_STARTS))
        excess = team_cost(team, np.array(NIELSEN_STARTS), result.plans) / _cost(team, best.forces) - 1.0
        yield f"distributed over centralised cost, {iterations} iterations", 100.0 * excess


def _cost(team: DockingTeam, plans: np.ndarray) -> float:
    return team_cost(team, np.array(NIELSEN_STARTS), plans)


def docking(seeds: Sequence[int]) -> list[tuple[str, float | str]]:
    """The scenario with ADMM prices: docking, margin, printed weights, literal prices, agreement, frozen problems."""
    fast = _run(weights=FAST_WEIGHTS)
    margin = _run(margin=math.radians(2.0))
    far = margin.distance(0, 1) > NEAR
    narrow = [margin.bearing(0, 1)[far], margin.bearing(1, 0)[far], margin.target_bearing(0)[far]]
    slow, literal = _run(10.0, weights=PRINTED_WEIGHTS), _run(prices=LITERAL_PRICES)
    distance = slow.distance(0, 1)
    budget = communication_budget(fast.team.iterations, fast.team.horizon, fast.team.step)
    return [
        *_docking_figures(fast),
        ("time of docking", math.nan if fast.docked_at is None else fast.docked_at),
        ("margin of 2 degrees: largest bearing", math.degrees(max(float(np.abs(b).max()) for b in narrow))),
        ("printed weights: samples in which the distance grows", float((np.diff(distance) > 0.0).sum())),
        ("printed weights: difference of headings at 10 s", math.degrees(abs(slow.heading_difference(0, 1)[-1]))),
        ("printed weights: distance at 10 s", float(distance[-1])),
        *distributed_against_centralised(),
        ("communication", 1e-6 * budget.bit_rate),
        ("literal price rule: docked", float(literal.docked_at is not None)),
        ("literal price rule: distance at 60 s", float(literal.distance(0, 1)[-1])),
        *_agreement("fast", fast),
        *_agreement("printed", slow),
        *frozen_figures(),
    ]


def communication(seeds: Sequence[int]) -> list[Value]:
    """Bit rate of 15 iterations, 30 stages, 20 Hz, six values of 32 bit."""
    return [
        ("pose and common pose, 32 bit", 1e-6 * communication_budget(15, 30, 0.05).bit_rate),
        ("state and common pose, 32 bit", 1e-6 * communication_budget(15, 30, 0.05, values=9).bit_rate),
    ]


STUDIES: dict[str, StudyFunction] = {
    "modular-17.12": graphs_and_decomposition,
    "modular-17.13": camera_cones,
    "modular-17.14": printed_algorithm,
    "modular-17.15": communication,
    "modular-14.11": docking,
}
