"""Details of cooperative docking on their own: cones of agents, prices, links, ports and the record of a run."""

import numpy as np
import pytest

from remora.control.docking.agent import DockingAgent, DockingMessage, EdgeConsensus, consensus_rule
from remora.control.docking.distributed import DistributedPlanner, DockingRun, is_docked, port_poses, port_velocities
from remora.control.docking.link import DockingLink
from remora.control.docking.team import (
    ADMM_PRICES,
    AGREED,
    NIELSEN_STARTS,
    NIELSEN_VEHICLE,
    SUBGRADIENT_PRICES,
    DockingCamera,
    DockingTeam,
    Latch,
    nielsen_team,
    path_graph,
)
from remora.equations.control.docking import PlanarModel, cone_values, planar_step

STARTS = np.array(NIELSEN_STARTS)
PORTS = (NIELSEN_VEHICLE._replace(port=(0.4, 0.2, 0.3)), NIELSEN_VEHICLE._replace(port=(-0.1, 0.5, 0.0)))


def agent_of(team, margins, index=0):
    agent = DockingAgent(team, index)
    return agent, agent.initial(STARTS[index], {1 - index: STARTS[1 - index]}, margins)


def test_an_agent_sees_narrowed_cones_and_the_sides_of_the_mounted_camera_of_its_neighbour() -> None:
    team, margins = nielsen_team(targets={}), {(0, 1): 0.1, (1, 0): 0.2}
    agent, state = agent_of(team, margins)
    problem = agent.problem(state, STARTS[0])
    mounting, half_angle = team.cameras[0, 1]
    assert problem.cones[0] == pytest.approx([mounting, half_angle - 0.1])
    mounting, half_angle = team.cameras[1, 0]
    point, carrier = np.array([2.7, 1.3]), STARTS[1]
    offset = tuple(point - carrier[:2])
    values = cone_values(carrier[2] + mounting, half_angle - 0.2, offset)
    for stage in problem.watchers[0]:
        sides = stage[0:2] @ point + stage[2], stage[3:5] @ point + stage[5]
        assert sides == pytest.approx(values)


def test_sequences_of_an_agent_move_on_by_one_stage() -> None:
    agent, state = agent_of(nielsen_team(targets={}), {(0, 1): 0.0, (1, 0): 0.0})
    stages = np.arange(31.0)
    prices = np.stack([stages, stages], axis=1)
    edge = EdgeConsensus(np.tile(stages[:, None], 3), np.tile(10.0 * stages[:, None], 3))
    known = state.neighbours[1]._replace(
        own_prices=prices, other_prices=2.0 * prices, clearance_prices=stages, edge=edge
    )
    after = agent.next_sample(state._replace(neighbours={1: known})).neighbours[1]
    later = np.append(stages[1:], 30.0)
    assert np.array_equal(after.own_prices[:, 0], later)
    assert np.array_equal(after.other_prices[:, 1], 2.0 * later)
    assert np.array_equal(after.clearance_prices, later)
    assert np.array_equal(after.edge.point[:, 0], later)
    assert np.array_equal(after.edge.price[:, 2], 10.0 * later)


def test_prices_of_a_clearance_rise_where_vehicles_are_too_close_and_fall_elsewhere() -> None:
    round_ones = (NIELSEN_VEHICLE._replace(radius=0.3),) * 2
    agent = DockingAgent(DockingTeam(path_graph(2), round_ones), 0)
    before, here = np.full(31, 100.0), np.zeros((31, 3))
    for apart, change in ((0.4, 0.2), (0.9, -0.3)):
        found = agent._clearance_prices(before, 1, here, here + np.array([apart, 0.0, 0.0]))
        assert found == pytest.approx(before + agent.team.prices.kappa * change)


def test_only_hulls_with_a_radius_keep_a_clearance() -> None:
    one = NIELSEN_VEHICLE._replace(radius=0.3)
    assert DockingTeam(path_graph(2), (one, one._replace(radius=0.5))).clearance(0, 1) == pytest.approx(0.8)
    assert DockingTeam(path_graph(2), (one, NIELSEN_VEHICLE)).clearance(0, 1) == 0.0


def test_the_cone_of_a_target_is_narrowed_by_its_margin() -> None:
    team = nielsen_team()
    row = team.target_row(0, 0.1)
    assert row[3:] == pytest.approx([team.targets[0].camera.mounting, team.targets[0].camera.half_angle - 0.1])


def test_idle_iterations_and_rounding_are_those_of_the_link() -> None:
    link = DockingLink(idle=0.3, resolution=0.01)
    state = link.initial(np.random.default_rng(0))
    active = [one for _ in range(1000) for one in link.active(state, 2)[0]]
    assert np.mean(active) == pytest.approx(0.7, abs=0.03)
    values = np.array([[0.126, -0.126, 0.124]])
    sent = link.sent(state, 0.0, 0, {0: {1: DockingMessage(values, values)}})
    assert sent.underway[0].message.poses[0] == pytest.approx([0.13, -0.13, 0.12])


@pytest.mark.parametrize("prices", [ADMM_PRICES, SUBGRADIENT_PRICES], ids=lambda one: one.rule)
def test_copies_of_two_fixed_ports_agree_on_their_mean(prices) -> None:
    """Least squares of the distances of both ports to a common pose, by exchange of messages alone."""
    ports = np.array([[[1.0, -2.0, 0.3]], [[3.0, 1.0, -0.5]]])
    rule = consensus_rule((15.0, 15.0, 15.0), prices)
    edges = [EdgeConsensus(one, np.zeros_like(one)) for one in ports]
    for _ in range(200):
        copies = [rule.copy(port, {0: edge}) for port, edge in zip(ports, edges, strict=True)]
        sent = [rule.outgoing(copy, edge) for copy, edge in zip(copies, edges, strict=True)]
        edges = [rule.updated(edges[i], sent[i], sent[1 - i]) for i in range(2)]
    for copy in copies:
        assert copy == pytest.approx(ports.mean(axis=0), abs=1e-6)


def test_velocities_of_ports_are_the_derivatives_of_their_poses() -> None:
    vehicles = tuple(one._replace(current=(0.1 * i, -0.2)) for i, one in enumerate(PORTS))
    team = DockingTeam(path_graph(2), vehicles)
    states = np.array([[1.0, 2.0, 0.7, 0.3, -0.2, 0.5], [0.0, 1.0, -1.2, -0.1, 0.4, -0.6]])
    h, ends = 1e-5, []
    for sign in (1.0, -1.0):
        models = [PlanarModel(v.inertia, v.drag, v.current) for v in vehicles]
        pairs = zip(models, states, strict=True)
        moved = np.array([planar_step(m, tuple(x), (0.0, 0.0, 0.0), sign * h) for m, x in pairs])
        ends.append(port_poses(team, moved)[:, :2])
    assert port_velocities(team, states) == pytest.approx((ends[0] - ends[1]) / (2.0 * h), abs=1e-8)


@pytest.mark.parametrize("turn", [0.1, -0.1])
def test_ports_that_are_turned_either_way_are_not_docked(turn) -> None:
    team = DockingTeam(path_graph(2), (NIELSEN_VEHICLE,) * 2)
    states = np.zeros((2, 6))
    assert is_docked(team, states, Latch())
    states[1, 2] = turn
    assert not is_docked(team, states, Latch())


def test_the_bearing_of_a_neighbour_is_off_the_axis_of_its_camera() -> None:
    team = nielsen_team(cameras={(0, 1): DockingCamera(0.4, 0.5)}, targets={})
    states = np.zeros((1, 2, 6))
    states[0, 0, 2], states[0, 1, :2] = 0.2, (np.cos(0.9), np.sin(0.9))
    run = DockingRun(team, np.zeros(1), states, np.zeros((0, 2, 3)), np.zeros(0), np.zeros(0), None)
    assert run.bearing(0, 1)[0] == pytest.approx(0.9 - 0.2 - 0.4)


def test_agreement_is_counted_from_the_first_iteration_and_measured_by_the_first_gap() -> None:
    planner = DistributedPlanner(nielsen_team(stop_when_agreed=False))
    state = planner.initial(NIELSEN_STARTS)
    assert state.scale == pytest.approx(np.abs(STARTS[0, :3] - STARTS[1, :3]).max())
    _, result = planner.sample(state, STARTS)
    assert result.iterations == len(result.disagreements) == 15
    assert result.disagreements[result.agreed_after - 1] < AGREED
    assert np.all(result.disagreements[: result.agreed_after - 1] >= AGREED)
