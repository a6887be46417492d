"""Water that varies in whole runs: bodies that go with it, frames that move with it, surfaces, waves and its faults."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from world_samples import SECOND, logged, places, sphere_scenario

from remora.run.loop.loop import Loop
from remora.run.plant.sampled_water import SampledWater
from remora.scenarios import scenario_from_text
from remora.world.world import World

LIVELY = """
water:
  current:
    - {kind: shear, depths: [0, 4 m, 20 m], velocities: [[0.4, 0, 0], [0.2, 0.1, 0], [-0.1, 0, 0]]}
    - {kind: gusts, std: [5 cm/s, 5 cm/s, 4 cm/s], correlation_time: 20 s}
    - {kind: tide, amplitude: 0.3 m/s, period: 300 s, direction: 60 deg, minor: 0.1 m/s}
"""


def way_of_the_water(world: World, start: Any, seconds: float, step: float = 0.01) -> Any:
    """Where a drop of water goes: dp/dt = U(p, t) by RK4."""
    p = np.array(start, dtype=float)

    def speed(time: float, place: Any) -> Any:
        return np.array(world.at(round(time * SECOND), tuple(place.tolist())).velocity)

    for k in range(round(seconds / step)):
        t = k * step
        a = speed(t, p)
        b = speed(t + 0.5 * step, p + 0.5 * step * a)
        c = speed(t + 0.5 * step, p + 0.5 * step * b)
        p = p + step / 6.0 * (a + 2.0 * b + 2.0 * c + speed(t + step, p + step * c))
    return p


def with_the_water(setup: Any) -> Loop:
    """A loop whose vehicles start with the velocity of the water around them; they look north."""
    loop = Loop(setup)
    for vehicle in loop.vehicles:
        vehicle.state[7:10] = setup.environment.at(0, tuple(vehicle.state[:3].tolist())).velocity
    return loop


def test_a_neutral_sphere_stays_with_the_water(tmp_path: Path) -> None:
    """Shear, gusts and tide for a minute and over twenty metres: within a centimetre."""
    setup = sphere_scenario(tmp_path, LIVELY, ["name: ball, position: [1 m, -2 m, 3.5 m]"])
    loop = with_the_water(setup)
    loop.advance(loop.steps)
    drop = way_of_the_water(setup.environment, (1.0, -2.0, 3.5), 60.0)
    state = loop.vehicles[0].state
    assert np.linalg.norm(drop - [1.0, -2.0, 3.5]) > 20.0
    assert np.linalg.norm(state[:3] - drop) < 0.01
    assert loop.vehicles[0].water_velocity == pytest.approx(state[7:10].tolist(), abs=1e-3)


@pytest.mark.parametrize(
    "more", ["", "surface_depth: -30 m,", "column: {depths: [0], densities: [1000], sound_speeds: [1500]},"]
)
def test_a_uniform_current_is_a_moving_frame(more: str) -> None:
    """Driven and turning: the same motion relative to the water, also under a far surface and in a column."""
    text = """
name: frame
duration: 10 s
water: {density: 1000 kg/m3, %s}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    velocity: [%s m/s, %s m/s, 0]
    commands: [{at: 0 s, set: {front_port: 9 N, rear_starboard: 5 N, vertical_rear_port: 6 N}}]
"""
    current = f"{more} current: [{{kind: uniform, velocity: [0.3, 0, 0]}}, {{kind: uniform, velocity: [0, -0.2, 0]}}]"
    still = Loop(scenario_from_text(text % (more.rstrip(","), 0, 0)))
    moved = Loop(scenario_from_text(text % (current, 0.3, -0.2)))
    for loop in (still, moved):
        loop.advance(loop.steps)
    here, there = still.vehicles[0].state, moved.vehicles[0].state
    assert np.linalg.norm(here[:3] - [0.0, 0.0, 5.0]) > 0.3
    assert np.abs(there[:3] - here[:3] - 10.0 * np.array([0.3, -0.2, 0.0])).max() < 1e-8
    assert np.abs(there[3:7] - here[3:7]).max() < 1e-8


def test_a_neutral_sphere_at_rest_under_a_surface_stays_at_rest(tmp_path: Path) -> None:
    """T1 in the loop: to the last bit, deep and within the reach of the surface."""
    entries = ["name: deep, position: [0, 0, 8 m]", "name: near, position: [5 m, 0, 0.6 m]"]
    loop = Loop(sphere_scenario(tmp_path, "water: {surface_depth: 0 m}", entries, drag=20.0))
    starts = [vehicle.state.copy() for vehicle in loop.vehicles]
    loop.advance(loop.steps)
    for vehicle, start in zip(loop.vehicles, starts, strict=True):
        assert np.array_equal(vehicle.state, start)


def test_a_light_sphere_comes_up_and_floats_where_its_weight_is_displaced(tmp_path: Path) -> None:
    entry = ["name: ball, position: [0, 0, 6 m]"]
    loop = Loop(sphere_scenario(tmp_path, "water: {surface_depth: 0.5 m}", entry, mass=25.0, drag=120.0))
    loop.advance(loop.steps)
    state, radius = loop.vehicles[0].state, (0.75 * 0.04 / math.pi) ** (1.0 / 3.0)
    h = state[2] - 0.5 + radius  # height of the cap under water
    assert abs(state[9]) < 1e-5
    assert h * h * (3.0 * radius - h) / (4.0 * radius**3) == pytest.approx(25.0 / 40.0, abs=1e-4)


def test_a_floating_sphere_rides_on_long_waves(tmp_path: Path) -> None:
    """It swings by itself within a second, so that it follows waves of twelve seconds to a tenth of their height."""
    top = "water: {waves: {significant_height: 1 m, peak_period: 12 s}}\nlog: {rate: 5 Hz}"
    setup = sphere_scenario(tmp_path, top, ["name: ball, position: [0, 0, 0]"], mass=20.0, drag=120.0, duration="40 s")
    log = logged(setup, tmp_path)
    world, times = setup.environment, log["ball/truth"].time_ns.tolist()
    found = places(log, "ball")
    surface = np.array([world.at(t, (n, e, d)).surface for t, (n, e, d) in zip(times, found.tolist(), strict=True)])
    late = np.array(times) > 10 * SECOND
    assert np.ptp(surface[late]) > 0.5
    assert np.abs((found[:, 2] - surface)[late]).max() < 0.1
    assert np.ptp(found[:, 0]) > 0.2  # and is moved to and fro


CHANGE = "faults: [{fault: current, change: [0.2 m/s, -0.1 m/s, 0], at: 1.03 s, until: 2.07 s}]"


def test_a_step_of_the_current_in_water_that_varies(tmp_path: Path) -> None:
    """A neutral sphere is taken along by exactly the step, both ways, and the log has the water as it is."""
    entry = "name: ball, position: [0, 0, 3 m], velocity: [0.1 m/s, 0, 0]"
    setup = sphere_scenario(tmp_path, LIVELY, [f"{entry}, {CHANGE}"], duration="3.04 s")
    calm = sphere_scenario(tmp_path, LIVELY, [entry], duration="3.04 s")
    log, other = logged(setup, tmp_path), logged(calm, tmp_path, "calm.mcap")
    times, change = log["ball/truth"].time_ns, np.array([0.2, -0.1, 0.0])
    speed, calm_speed = (each["ball/truth"].table()[:, 7:10] for each in (log, other))
    first, last = np.searchsorted(times, [1.03 * SECOND, 2.07 * SECOND])
    assert np.array_equal(speed[:first], calm_speed[:first])
    assert speed[first] - calm_speed[first] == pytest.approx(change, abs=1e-9)
    gained = speed[last] - speed[last - 1]
    assert gained == pytest.approx(-change, abs=2e-3)  # and 10 ms of the water's own change
    at_rest = setup.environment
    water, found = log["ball/water"].table(), places(log, "ball")
    true = np.array([at_rest.at(t, tuple(p)).velocity for t, p in zip(times.tolist(), found.tolist(), strict=True)])
    holds = (times >= 1.03 * SECOND) & (times < 2.07 * SECOND)
    assert np.abs(water - true - np.where(holds[:, None], change, 0.0)).max() < 1e-4


def test_the_last_row_of_the_water_is_that_of_the_end(tmp_path: Path) -> None:
    """A run that ends between two looks at the water tells the same as one that goes on."""
    entry = ["name: ball, position: [0, 0, 3 m]"]
    short, long = (sphere_scenario(tmp_path, LIVELY, entry, duration=time) for time in ("1.03 s", "1.2 s"))
    ends = logged(short, tmp_path, "short.mcap")["ball/water"].table()[-1]
    goes_on = logged(long, tmp_path, "long.mcap")["ball/water"].table()[103]
    assert ends == pytest.approx(goes_on, abs=1e-12)


def test_calm_water_that_is_not_sampled_again_moves_a_rising_vehicle_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The vehicle comes from deep water to the surface, in a steady current that a fault changes on the way."""
    text = """
name: rising
duration: 6 s
step: 5 ms
water: {surface_depth: 0 m, current: [{kind: uniform, velocity: [0.2 m/s, -0.1 m/s, 0]}]}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 1.6 m]
    velocity: [0, 0, -1.5 m/s]
    faults: [{fault: current, change: [0.1 m/s, 0, 0], at: 0.6 s, until: 2 s}]
"""
    states, sizes = [], set()
    for is_sampled_again in (False, True):
        if is_sampled_again:
            monkeypatch.setattr(SampledWater, "continues", lambda self, time_ns, depth: False)
        loop = Loop(scenario_from_text(text))
        for step in range(40, 1200, 40):
            loop.advance(step)
            sizes.add(loop.vehicles[0].external_loads.inputs.size)
        states.append(loop.vehicles[0].state.copy())
    assert np.array_equal(*states)
    assert len(sizes) == 2  # deep water first, then near the surface
