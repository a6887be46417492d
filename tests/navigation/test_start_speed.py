"""A filter that starts at rest and a vehicle that does not: refused with both numbers, before 73 m of error."""

import pytest

from remora.scenarios import ScenarioError
from remora.scenarios.reader import scenario_from_text

UNDER_WAY = """
name: under_way
duration: 10 s
step: 10 ms
vehicles:
  - name: auv
    file: remus100
    position: [0, 0, 6 m]
    velocity: [2 m/s, 0, 0]
    sensors: [imu, ahrs, dvl, pressure]
    navigation: {{part: filter, rate: 20 Hz{launch}}}
water: {{bottom_depth: 25 m}}
"""


def test_a_speed_std_that_contradicts_the_start_speed_is_refused() -> None:
    with pytest.raises(ScenarioError) as refused:
        scenario_from_text(UNDER_WAY.format(launch=", launch: {speed_std: 0.1 m/s}"))
    (problem,) = refused.value.problems
    assert problem.field == "vehicles[0].navigation.launch.speed_std"
    assert problem.line == 11
    assert "0.1 m/s, but the vehicle starts at 2 m/s: 20 of them" in problem.message


@pytest.mark.parametrize("launch", ["", ", launch: {speed_std: 1 m/s}"])
def test_a_speed_std_that_covers_the_start_speed_is_not(launch: str) -> None:
    assert scenario_from_text(UNDER_WAY.format(launch=launch)).vehicles
