"""Doppler logs and current profilers."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sensor_runs import AT_REST, WATER, readings, sensor, values

from remora.equations.algebra.kinematics import to_body
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.sensors import OpenWater, Status, make_sensor
from remora.vehicles import load_vehicle

FALCON = next(entry for entry in load_vehicle("falcon").sensors if entry.kind == "dvl")
MOVING = AT_REST._replace(
    q_NB=from_euler_zyx(0.1, -0.15, 0.8), twist=(0.5, -0.2, 0.1, 0.05, -0.03, 0.2), water_velocity_N=(0.3, 0.2, 0.0)
)


def test_the_log_of_the_falcon():
    """The printed velocity at the lever arm, the printed variance, latency and limits."""
    made = make_sensor(FALCON, 1, "falcon")
    found = readings(made, 20_000, MOVING)
    velocity = np.array([reading.values[:3] for reading in found])
    np.testing.assert_allclose(velocity.mean(axis=0), (0.465179, -0.29711, 0.094139), atol=4 * 0.0039 / math.sqrt(2e4))
    np.testing.assert_allclose(velocity.var(axis=0), 1.5e-5, rtol=0.05)
    assert found[0].arrival_ns - found[0].stamp_ns == 250_000_000
    low = AT_REST._replace(p_NB=(0.0, 0.0, 18.8))
    tilted = AT_REST._replace(q_NB=from_euler_zyx(0.0, math.radians(20.1), 0.0))
    assert [readings(made, 1, truth)[0].status for truth in (low, tilted)] == [Status.NO_LOCK] * 2


@given(roll=st.floats(-0.3, 0.3), pitch=st.floats(-0.3, 0.3), turn=st.floats(-3.0, 3.0))
def test_by_beam_and_by_vector_agree_without_errors(roll, pitch, turn):
    truth = MOVING._replace(q_NB=from_euler_zyx(roll, pitch, 0.4))
    place = {"position": (0.3, 0.1, 0.2), "q_BS": from_euler_zyx(0.05, 0.02, 0.1)}
    vector = values(sensor("dvl", **place), 1, truth)[0]
    beams = values(sensor("dvl", by_beam=True, beam_angle=math.radians(25), beam_turn=turn, **place), 1, truth)[0]
    np.testing.assert_allclose(beams[:4], vector, rtol=1e-12, atol=1e-12)
    assert beams[4] == pytest.approx(0.0, abs=1e-12)


def test_noise_of_the_beams_spreads_as_their_geometry_says():
    """Horizontal components scatter by 1 / (sqrt 2 sin angle) of a beam, the vertical one by 1 / (2 cos angle)."""
    found = values(sensor("dvl", by_beam=True, beam_angle=math.radians(30), beam_std=0.01), 20_000)
    expected = 0.01 * np.array((1 / math.sqrt(0.5), 1 / math.sqrt(0.5), 1 / math.sqrt(3.0)))
    np.testing.assert_allclose(found[:, :3].std(axis=0), expected, rtol=0.03)
    assert found[:, 4].std() == pytest.approx(0.01 / math.sqrt(0.5), rel=0.03)


@dataclass(frozen=True)
class Hole:
    """Open water whose bottom ends at a line: no echo from beyond it."""

    water: OpenWater
    edge_north: float

    def __getattr__(self, name):
        return getattr(self.water, name)

    def distance(self, origin_N, direction_N):
        found = self.water.distance(origin_N, direction_N)
        return None if found is None or origin_N[0] + found * direction_N[0] > self.edge_north else found


def test_three_beams_are_enough_and_two_are_not():
    made = sensor("dvl", by_beam=True, beam_angle=math.radians(30), beam_turn=0.0, beam_std=1e-12)
    moving = AT_REST._replace(twist=(0.5, -0.2, 0.1, 0.0, 0.0, 0.0))
    reach = 15.0 * math.tan(math.radians(30))
    (reading,) = readings(made, 1, moving, Hole(WATER, 0.5 * reach))
    assert reading.status == Status.PARTIAL
    np.testing.assert_allclose(reading.values, (0.5, -0.2, 0.1, 15.0, 0.0), atol=1e-10)
    (reading,) = readings(made, 1, moving, Hole(WATER, -0.5 * reach))
    assert reading.status == Status.NO_LOCK


def test_single_beams_are_given_as_long_as_one_meets_the_bottom():
    """With 30 degrees, beams ahead and astern see sin 30 of surge, all see cos 30 of heave."""
    made = sensor("dvl_beams", beam_angle=math.radians(30))
    moving = AT_REST._replace(twist=(0.5, 0.0, 0.1, 0.0, 0.0, 0.0))
    reach = 15.0 * math.tan(math.radians(30))
    (reading,) = readings(made, 1, moving, Hole(WATER, -0.5 * reach))
    assert reading.status == Status.PARTIAL
    down = 0.1 * math.cos(math.radians(30))
    np.testing.assert_allclose(reading.values[:4], (math.nan, math.nan, down - 0.25, math.nan), atol=1e-12)
    assert reading.values[6] == pytest.approx(15.0 / math.cos(math.radians(30)))
    (reading,) = readings(made, 1, moving, Hole(WATER, -2.0 * reach))
    assert reading.status == Status.NO_LOCK


def test_water_track_is_against_the_water():
    (found,) = values(sensor("dvl", track="water"), 1, MOVING)
    np.testing.assert_allclose(found, np.subtract(MOVING.twist[:3], to_body(MOVING.q_NB, (0.3, 0.2, 0.0))), atol=1e-12)
    current = OpenWater(current=(0.0, 1.0, 0.0))
    (layer,) = values(sensor("dvl", track="water", water_layer=3.0), 1, AT_REST, current)
    np.testing.assert_allclose(layer, (0.0, -1.0, 0.0))


def test_a_wrong_sound_speed_stretches_velocity_and_altitude():
    for by_beam in (False, True):
        made = sensor("dvl", by_beam=by_beam, assumed_sound_speed=1485.0)
        (found,) = values(made, 1, AT_REST._replace(twist=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
        np.testing.assert_allclose(found[:4], (0.99, 0.0, 0.0, 0.99 * 15.0), atol=1e-12)


def test_misalignment_of_a_log_turns_its_velocity():
    made = sensor("dvl", cross_coupling=[[0, -0.01, 0], [0.01, 0, 0], [0, 0, 0]])
    (found,) = values(made, 1, AT_REST._replace(twist=(2.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    np.testing.assert_allclose(found, (2.0, 0.02, 0.0, 15.0))


def test_cells_below_the_bottom_or_beside_it_are_missing():
    """15 m above the bottom with beams at 20 degrees: clear down to 15 cos 20 = 14.1 m."""
    made = sensor("adcp", cells=20, cell_size=1.0, blank=0.5, beam_angle=math.radians(20))
    moving = AT_REST._replace(twist=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    (reading,) = readings(made, 1, moving, OpenWater(bottom_depth=20.0, current=(0.0, 0.5, 0.0)))
    cells = np.array(reading.values).reshape(-1, 3)
    assert reading.status == Status.PARTIAL
    assert np.isnan(cells[13:]).all()
    np.testing.assert_allclose(cells[:13], [(-1.0, 0.5, 0.0)] * 13, atol=1e-12)
