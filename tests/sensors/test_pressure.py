"""X13 and X14: drift and dynamic pressure of depth sensors."""

import math

import numpy as np
import pytest
from sensor_runs import AT_REST, readings, sensor, values

import remora
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.geometry.earth import Geodetic
from remora.equations.instruments import depth_from_pressure, pressure_at_depth
from remora.run.loop.loop import Loop
from remora.run.plant.environment import LocalEnvironment
from remora.run.recorder import Recorder
from remora.scenarios import scenario_from_text
from remora.sensors import OpenWater, make_sensor
from remora.sensors.errors.streams import Stream
from remora.vehicles import load_vehicle
from remora.world.water.local_water import CompositeCurrent
from remora.world.water.waves import Waves
from remora.world.world import World

LATITUDE = math.radians(48.65)
BOATHOUSE = OpenWater(bottom_depth=5.0, origin=Geodetic(LATITUDE, -2.15, 0.0), density=1025.0)
FALCON = next(entry for entry in load_vehicle("falcon").sensors if entry.kind == "pressure")
AT_TWO_METRES = AT_REST._replace(p_NB=(0.0, 0.0, 2.0))


@pytest.mark.parametrize(("time", "error"), [(90.0, 0.016), (150.0, 0.027)])
def test_drift_of_the_falcons_depth(time, error):
    """0.0027 bar in 150 s: 1.6 cm after 90 s and 2.7 cm after 150 s."""
    made = make_sensor(FALCON, 1, "", {"parameters": {"bias_range": None, "static_variance": 0.0}})
    found = readings(made, round(time * 20.0) + 1, AT_TWO_METRES, BOATHOUSE)
    first, last = (depth_from_pressure(reading.values[0], LATITUDE) for reading in (found[0], found[-1]))
    assert last - first == pytest.approx(error, abs=0.0005)
    assert found[-1].stamp_ns == time * 1e9


def test_dynamic_pressure_of_a_port_that_faces_the_flow():
    """2050 Pa at 2 m/s, exactly; a shielded port reads none of it."""
    fast = AT_TWO_METRES._replace(twist=(2.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    uniform = {"water": "uniform"}
    still = values(sensor("pressure", **uniform, dynamic_pressure_share=1.0), 1, AT_TWO_METRES, BOATHOUSE)[0, 0]
    moving = values(sensor("pressure", **uniform, dynamic_pressure_share=1.0), 1, fast, BOATHOUSE)[0, 0]
    assert still == 1025.0 * 9.81 * 2.0
    assert moving == still + 2050.0
    assert values(sensor("pressure", **uniform), 1, fast, BOATHOUSE)[0, 0] == still


def test_dynamic_pressure_is_that_of_the_speed_through_the_water():
    drifting = AT_TWO_METRES._replace(
        q_NB=from_euler_zyx(0.0, 0.0, math.pi / 2), twist=(2.0, 0.0, 0.0, 0.0, 0.0, 0.0), water_velocity_N=(0, 2.0, 0)
    )
    made = sensor("pressure", dynamic_pressure_share=1.0)
    assert values(made, 1, drifting, BOATHOUSE)[0, 0] == pytest.approx(pressure_at_depth(2.0, LATITUDE), rel=1e-12)


def test_depth_counts_from_the_surface_and_at_the_place_of_the_sensor():
    """The origin of the Falcon's N is 0.64 m above the water."""
    water = OpenWater(surface_depth=0.64, origin=BOATHOUSE.origin)
    rolled = AT_TWO_METRES._replace(q_NB=from_euler_zyx(math.pi / 2, 0.0, 0.0))
    found = values(sensor("pressure", position=(0.0, 0.3, 0.0)), 1, rolled, water)[0, 0]
    assert found == pytest.approx(pressure_at_depth(2.0 - 0.64 + 0.3, LATITUDE), rel=1e-12)


def test_out_of_the_water_only_the_air_is_left():
    made = sensor("pressure", bias=101_325.0)
    assert values(made, 1, AT_REST._replace(p_NB=(0.0, 0.0, -1.0)))[0, 0] == 101_325.0


def test_bias_of_the_falcon_lies_in_its_range_and_noise_is_as_printed():
    runs = np.array([values(make_sensor(FALCON, seed), 1, AT_TWO_METRES, BOATHOUSE)[0, 0] for seed in range(300)])
    bias = (runs - pressure_at_depth(2.0 - 0.0 + 0.26171, LATITUDE)) * 1e-5
    assert bias.min() > 0.7 - 0.001
    assert bias.max() < 1.05 + 0.001
    assert bias.std() == pytest.approx(0.35 / math.sqrt(12.0), rel=0.1)
    one = values(make_sensor(FALCON, 1, "", {"parameters": {"drift": 0.0}}), 20_000, AT_TWO_METRES, BOATHOUSE)[:, 0]
    assert (one * 1e-5).var() == pytest.approx(4.0e-8, rel=0.05)


def test_pressure_feels_the_waves_and_they_fade_with_depth():
    """The head of the wave at the sensor comes on top of its depth; out of the water, in a trough, it reads zero."""
    sea = Waves(1.0, 4.0, Stream(1, "sea"))
    for depth in (0.4, 2.0, 30.0):
        seen, heads = [], []
        for k in range(200):
            world = World(water=CompositeCurrent((sea,), 0.0))
            here = LocalEnvironment(world, head=lambda p, k=k: sea.at(k * 100_000_000, p).head)
            truth = AT_TWO_METRES._replace(p_NB=(0.0, 0.0, depth))
            seen.append(values(sensor("pressure", water="uniform"), 1, truth, here)[0, 0] / (1025.0 * 9.81) - depth)
            heads.append(sea.at(k * 100_000_000, (0.0, 0.0, depth)).head)
        np.testing.assert_allclose(seen, np.maximum(heads, -depth), atol=1e-9)
    assert np.std(seen) < 0.01 * 0.25  # a hundredth of that at the surface


WAVES = """
name: afloat
duration: 4 s
water: {waves: {significant_height: 1 m, peak_period: 5 s}}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 2 m]
    sensors: [{name: depth, kind: pressure, position: [0, 0, 0], rate: 10 Hz, parameters: {water: uniform}}]
"""


def test_the_depth_sensor_of_a_run_feels_the_waves(tmp_path):
    setup = scenario_from_text(WAVES)
    with_log = Loop(setup, Recorder.open(setup, tmp_path / "run.mcap"))
    with_log.advance(with_log.steps)
    with_log.recorder.close()
    log = remora.read_log(tmp_path / "run.mcap")
    read, truth = log["rov/depth"], log["rov/truth"]
    at = np.searchsorted(truth.time_ns, read.time_ns)
    places = truth.table("p_NB_x", "p_NB_y", "p_NB_z")[at]
    heads = [
        setup.environment.at(t, tuple(p)).head for t, p in zip(read.time_ns.tolist(), places.tolist(), strict=True)
    ]
    seen = read["pressure"] / (setup.environment.density * setup.environment.gravity) - places[:, 2]
    assert np.ptp(heads) > 0.1
    np.testing.assert_allclose(seen, heads, atol=1e-6)
