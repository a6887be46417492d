"""Faults that navigation detects: failed thrusters reach the allocation, and a lost inertial unit is survived."""

import math

import pytest
from fault_runs import logged

from remora.simulation.loop.loop import Loop
from remora.simulation.scenarios import ScenarioError
from remora.simulation.scenarios.scenario import load_scenario

DEAD = {"fault": "dead", "of": "front_starboard", "at": "20 s"}


def test_the_allocation_follows_the_detector_and_not_the_fault(tmp_path):
    """The fault informs nobody on board; the allocation changes where the filter names the thruster."""
    setup = load_scenario("bluerov_station").with_({"duration": "30 s"}).setup
    _, log = logged(setup, tmp_path)
    (named,) = [e for e in log.events if "thruster" in e.data]
    assert named.source == "rov/navigation"
    assert named.data["thruster"] == "front_starboard"
    assert 20.0 < 1e-9 * named.time_ns < 30.0
    (allocated,) = [e for e in log.events if "disabled" in e.data]
    assert allocated.data == {"disabled": ["front_starboard"], "lost": []}
    assert allocated.time_ns == named.time_ns
    commands = log["rov/commands"]
    assert (commands["front_starboard"][commands.time > 1e-9 * named.time_ns + 0.1] == 0.0).all()
    assert (commands["front_starboard"][(commands.time > 1.0) & (commands.time < 20.0)] != 0.0).any()


def test_an_injected_fault_cannot_inform_an_allocation_that_has_a_detector():
    with pytest.raises(ScenarioError, match=r"detects failed thrusters.*Leave this out"):
        load_scenario("bluerov_station").with_({"vehicles[0].faults": [{**DEAD, "allocation": "fault_tolerant"}]})


def test_a_vehicle_survives_the_loss_of_its_inertial_unit_alone():
    """It goes on by attitude, Doppler log, depth and position; no healthy sensor is rejected for long."""
    changes = {"duration": "40 s", "vehicles[0].faults": [{"fault": "off", "of": "imu", "at": "10 s"}]}
    loop = Loop(load_scenario("bluerov_station").with_(changes).setup)
    errors = []
    for k in range(2000, loop.steps + 1, 100):
        loop.advance(k)
        vehicle = loop.vehicles[0]
        errors.append(math.dist(vehicle.estimate.p_NB, vehicle.state[:3]))
        assert math.dist(vehicle.state[:3], (0.0, 0.0, 6.0)) < 1.0
    assert max(errors) < 0.5
