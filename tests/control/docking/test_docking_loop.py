"""Closed loop: latch, price rules, agreement, graphs of several vehicles, and links that lose, delay and round."""

import numpy as np
import pytest

from remora.control.docking.agent import DockingAgent, DockingMessage
from remora.control.docking.distributed import DistributedPlanner, is_docked, simulate_docking
from remora.control.docking.link import DockingLink
from remora.control.docking.team import (
    LITERAL_PRICES,
    NIELSEN_LATCH,
    NIELSEN_STARTS,
    NIELSEN_VEHICLE,
    PRINTED_WEIGHTS,
    SUBGRADIENT_PRICES,
    DockingTeam,
    Latch,
    PoseUncertainty,
    nielsen_team,
    path_graph,
    ring_graph,
    star_graph,
)

WIDE = Latch(0.15, np.radians(5.0))
NEAR = ((4.0, 1.5, 0.2, 0.0, 0.0, 0.0), (3.6, 0.8, 0.0, 0.0, 0.0, 0.0))


def test_vehicles_agree_early_and_keep_their_limits() -> None:
    run = simulate_docking(DistributedPlanner(nielsen_team()), NIELSEN_STARTS, 6.0)
    assert run.agreed_after[0] <= 8
    assert np.median(run.agreed_after) <= 8
    assert np.all(run.iterations <= 15)
    assert np.degrees(np.abs([run.bearing(0, 1), run.bearing(1, 0), run.target_bearing(0)]).max()) < 25.5
    assert run.target_distance(0).max() < 3.01
    assert np.all(np.abs(run.forces) <= np.array([5.0, 5.0, 1.5]) + 1e-9)
    assert np.all(np.diff(run.distance(0, 1)) <= 0.0)


def test_printed_weights_agree_as_well() -> None:
    planner = DistributedPlanner(nielsen_team(weights=PRINTED_WEIGHTS))
    _, result = planner.sample(planner.initial(NIELSEN_STARTS), np.array(NIELSEN_STARTS))
    assert 1 <= result.agreed_after <= 8


def test_the_run_ends_inside_the_latch() -> None:
    run = simulate_docking(DistributedPlanner(nielsen_team(targets={})), NEAR, 40.0, stop_when_docked=True)
    assert run.docked_at is not None
    assert run.times[-1] == pytest.approx(run.docked_at)
    assert run.distance(0, 1)[-1] < 0.05
    assert abs(run.heading_difference(0, 1)[-1]) < np.radians(2.0)
    assert not is_docked(run.team, run.states[-1], Latch(distance=1e-4))
    assert not is_docked(run.team, run.states[-1], Latch(speed=0.0))


def test_cone_prices_as_printed_never_fall() -> None:
    """The literal rule stalls because a cone is paid for after it has been entered; study modular-14.11 has the run."""
    inside = (np.tile([0.0, 0.0, 0.5 * np.pi], (31, 1)), np.tile([3.0, 0.0, 0.0], (31, 1)))
    outside = (np.zeros((31, 3)), np.tile([3.0, 0.0, 0.0], (31, 1)))
    margins, paid = {(0, 1): 0.0}, np.full((31, 2), 50.0)
    literal, projected = (DockingAgent(nielsen_team(prices=p), 0) for p in (LITERAL_PRICES, SUBGRADIENT_PRICES))
    assert np.array_equal(literal._cone_prices(margins, paid, (0, 1), *inside), paid)
    fallen = projected._cone_prices(margins, paid, (0, 1), *inside)
    assert np.all(fallen < paid)
    assert np.all(fallen >= 0.0)
    assert literal._cone_prices(margins, paid, (0, 1), *outside).max() > 50.0


def test_ports_meet_instead_of_centres() -> None:
    sides = [NIELSEN_VEHICLE._replace(port=(0.0, y, 0.0)) for y in (-0.3, 0.3)]
    team = nielsen_team(vehicles=tuple(sides), targets={})
    run = simulate_docking(DistributedPlanner(team), NEAR, 40.0, stop_when_docked=True)
    assert run.docked_at is not None
    assert run.distance(0, 1)[-1] < NIELSEN_LATCH.distance
    apart = run.states[-1, 0, :2] - run.states[-1, 1, :2]
    assert np.linalg.norm(apart) == pytest.approx(0.6, abs=0.06)


def test_hulls_keep_their_clearance_although_their_centres_should_meet() -> None:
    closest = []
    for radius in (0.0, 0.3):
        vehicles = (NIELSEN_VEHICLE._replace(radius=radius),) * 2
        run = simulate_docking(DistributedPlanner(DockingTeam(path_graph(2), vehicles)), NEAR, 20.0)
        closest.append(run.distance(0, 1).min())
    assert closest[0] < 0.05
    assert closest[1] == pytest.approx(0.6, abs=0.03)


@pytest.mark.parametrize("graph", [ring_graph(4), star_graph(5, 1)], ids=["ring", "star"])
def test_several_vehicles_meet_on_any_connected_graph(graph) -> None:
    random = np.random.default_rng(3)
    starts = np.zeros((graph.size, 6))
    starts[:, :2], starts[:, 2] = random.uniform(-1, 1, (graph.size, 2)), random.uniform(-0.5, 0.5, graph.size)
    team = DockingTeam(graph, (NIELSEN_VEHICLE,) * graph.size)
    run = simulate_docking(DistributedPlanner(team), starts, 40.0, WIDE, stop_when_docked=True)
    assert run.docked_at is not None


LINKS = {
    "lossy": DockingLink(loss=0.3),
    "late": DockingLink(loss=0.1, delay=0.2),
    "coarse": DockingLink(resolution=0.005),
    "asynchronous": DockingLink(idle=0.3),
}


@pytest.mark.parametrize("name", LINKS)
def test_docking_survives_a_bad_link(name) -> None:
    planner = DistributedPlanner(nielsen_team(targets={}, iterations=4), LINKS[name])
    run = simulate_docking(planner, NEAR, 45.0, WIDE, stop_when_docked=True, random=np.random.default_rng(4))
    assert run.docked_at is not None


def message(value: float) -> DockingMessage:
    return DockingMessage(np.full((4, 3), value) + np.arange(4)[:, None], np.full((4, 3), 0.1234))


def test_messages_arrive_after_the_delay_moved_on_in_time() -> None:
    link = DockingLink(delay=0.1, resolution=0.01)
    state = link.sent(link.initial(None), 0.0, 0, {0: {1: message(5.0)}})
    assert link.received(state, 0.05, 1)[0] == {}
    received, state = link.received(state, 0.1, 2)
    assert np.array_equal(received[1][0].poses[:, 0], [7.0, 8.0, 8.0, 8.0])
    assert np.allclose(received[1][0].consensus, 0.12)
    assert state.underway == ()


def test_the_share_of_lost_messages_is_that_of_the_link() -> None:
    link = DockingLink(loss=0.25)
    state = link.initial(np.random.default_rng(0))
    for _ in range(2000):
        state = link.sent(state, 0.0, 0, {0: {1: message(0.0)}})
    assert len(state.underway) / 2000 == pytest.approx(0.75, abs=0.03)


def test_uncertain_poses_narrow_the_cones() -> None:
    planner = DistributedPlanner(nielsen_team())
    state = planner.initial(NIELSEN_STARTS)
    unsure = [PoseUncertainty(0.05, 0.02)] * 2
    after, _ = planner.sample(state, np.array(NIELSEN_STARTS), unsure)
    assert all(margin > 0.04 for margin in after.agents[0].margins.values())
    assert set(state.agents[0].margins.values()) == {0.0}


def test_wrong_states_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 3\)"):
        DistributedPlanner(nielsen_team()).initial(np.zeros((2, 3)))


@pytest.mark.parametrize("duration", [-2.0, 0.0, 0.01, np.nan, np.inf, "60 s"])
def test_durations_below_a_step_are_refused(duration: object) -> None:
    planner = DistributedPlanner(nielsen_team())
    with pytest.raises(ValueError, match="give seconds, at least one step"):
        simulate_docking(planner, NIELSEN_STARTS, duration)  # type: ignore[arg-type]
