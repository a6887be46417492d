"""The tables of gains and limits in docs/control.md and docs/scenarios.md are those of the code."""

import math
import re

import pytest

from pages import page
from remora.control.autopilots import sliding_mode, velocity_tracking
from remora.control.autopilots.cascade import ANGLE_GAIN, RATE_GAINS
from remora.control.autopilots.position import (
    CORRECTION_SHARE,
    INTEGRAL_GAINS,
    LARGEST_SPEEDS,
    MISSION_VELOCITY_GAINS,
    POSITION_GAINS,
)
from remora.control.autopilots.tunnel import simu2vita_control
from remora.control.feedback.attitude import TILT_GAINS
from remora.control.parts import autopilot, l1_adaptive, linear_quadratic, predictive
from remora.control.parts.controllers import SPEED_MARGIN
from remora.control.parts.linear_quadratic import DEFAULT_QUADRATIC as QUADRATIC
from remora.control.predictive.controller import OBSERVER_TIME
from remora.control.predictive.problem import DEFAULT_WEIGHTS as PREDICTIVE
from remora.guidance import velocity_guidance, waypoints
from remora.guidance.parts import dive_and_turn as diving
from remora.vehicles import load_vehicle

TUNNEL = simu2vita_control(load_vehicle("vita1").parameters)
WAYPOINTS = (waypoints.TOLERANCE, waypoints.HEADING_TOLERANCE, waypoints.MAX_LEAD)
KNOWN = {
    ("`position`", "`position_gains`"): POSITION_GAINS,
    ("`position`", "`velocity_gains`"): MISSION_VELOCITY_GAINS,
    ("`position`", "`integral_gains`"): INTEGRAL_GAINS,
    ("`position`", "`max_speeds`"): LARGEST_SPEEDS,
    (
        "`position`, `autopilot`, velocity controllers",
        "tilt, rate and integral gain of levelling; velocity controllers do without the last",
    ): TILT_GAINS,
    ("`position`, `autopilot`", "share of the thrust of an axis for the integral"): (CORRECTION_SHARE,),
    ("`autopilot`", "depth and heading to speed"): (autopilot.SPEED_PER_ERROR, autopilot.TURN_PER_ERROR),
    ("`autopilot`", "speed to acceleration"): autopilot.ACCELERATION_PER_SPEED,
    ("`autopilot`", "largest speed ahead, down and turn rate"): tuple(autopilot.LARGEST_SPEEDS[i] for i in (0, 2, 5)),
    ("`tunnel`", "surge P, I"): (TUNNEL.surge.proportional, TUNNEL.surge.integral),
    ("`tunnel`", "lateral P, I, D"): (TUNNEL.lateral.proportional, TUNNEL.lateral.integral, TUNNEL.lateral.derivative),
    ("`tunnel`", "vertical P, I, D"): (
        TUNNEL.vertical.proportional,
        TUNNEL.vertical.integral,
        TUNNEL.vertical.derivative,
    ),
    ("`tunnel`", "attitude gains of roll, pitch, yaw"): TUNNEL.orientation.attitude,
    ("`tunnel`", "rate gains of roll, pitch, yaw"): TUNNEL.orientation.rate,
    ("`cascade`", "angle gain"): (ANGLE_GAIN,),
    ("`cascade`", "rate P, I, D of roll and pitch"): RATE_GAINS[0],
    ("`cascade`", "rate P, I, D of yaw"): RATE_GAINS[2],
    ("`waypoints`", "`acceleration`, `turn_rate`"): (waypoints.ACCELERATION, waypoints.TURN_RATE),
    ("`waypoints`", "`tolerance`, `heading_tolerance`, `max_lead`"): WAYPOINTS,
    ("`lyapunov`", "`proportional_gains`, `integral_gains` of each axis"): (
        velocity_guidance.FALCON_PROPORTIONAL[0],
        velocity_guidance.FALCON_INTEGRAL[0],
    ),
    ("`lyapunov`", "`max_speeds`"): velocity_guidance.FALCON_SPEEDS,
    ("`lyapunov`", "share of `max_integrals` in the speeds"): (velocity_guidance.INTEGRAL_SHARE,),
    ("`lyapunov`", "`upper_thresholds`"): velocity_guidance.FALCON_UPPER,
    ("`lyapunov`", "`lower_thresholds`"): velocity_guidance.FALCON_LOWER,
    ("`pid`, `adaptive`", "`velocity_gains`"): velocity_tracking.FALCON_GAINS,
    ("`sliding_mode`", "share of the thrust for `switching_gains`"): (sliding_mode.SWITCHING_SHARE,),
    ("`l1_adaptive`", "`model_gains`"): velocity_tracking.FALCON_GAINS,
    ("`l1_adaptive`", "`filter_bandwidths` over `model_gains`"): (l1_adaptive.FILTER_SHARE,),
    ("`lqr`", "`position_error`, `heading_error`, `speed_error`, `wrench_share`, `max_error`"): (
        QUADRATIC.position,
        QUADRATIC.heading,
        QUADRATIC.speed,
        QUADRATIC.wrench,
        linear_quadratic.LARGEST_ERROR,
    ),
    ("`predictive`", "`horizon`, `iterations`"): (predictive.HORIZON, predictive.ITERATIONS),
    ("`predictive`", "`stage`"): (predictive.SHORTEST_STAGE,),
    (
        "`predictive`",
        "`position_error`, `heading_error`, `tilt_error`, `force_share`, `increment_share`",
    ): (
        PREDICTIVE.position,
        PREDICTIVE.heading,
        PREDICTIVE.tilt,
        PREDICTIVE.force,
        PREDICTIVE.increment,
    ),
    ("`predictive`", "`observer_time`"): (OBSERVER_TIME,),
    ("`cascade_p`", "`position_gains`"): POSITION_GAINS,
    ("`cascade_p`", "`velocity_gains`"): MISSION_VELOCITY_GAINS,
    ("`dive_and_turn`", "`depth`, `heading`, `speed`"): (
        diving.DEFAULT_DEPTH,
        diving.DEFAULT_TURN,
        diving.DEFAULT_SPEED,
    ),
    ("`dive_and_turn`", "`ahead_at`, `turn_at`, `stop_at`"): (
        diving.DEFAULT_AHEAD_AT,
        diving.DEFAULT_TURN_AT,
        diving.DEFAULT_STOP_AT,
    ),
}


def documented():
    rows = page("control.md").split("## Gains and limits\n")[1].split("\n## ")[0].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows if row.startswith("| `")]
    return {(part, what): numbers for part, what, numbers, *_ in cells if numbers != "true"}


def test_every_row_of_the_table_is_checked():
    assert set(documented()) == set(KNOWN)


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: f"{row[0]} {row[1]}".replace("`", ""))
def test_documented_gains_and_limits_are_those_of_the_code(row):
    numbers = [float(text) for text in documented()[row].split(", ")]
    assert numbers == pytest.approx(list(KNOWN[row]), rel=1e-3)


def test_defaults_of_waypoints_in_the_page_on_scenarios():
    names = "acceleration|turn_rate|tolerance|heading_tolerance|max_lead"
    told = {name: float(value) for name, value in re.findall(rf"`({names})` ([\d.]+)", page("scenarios.md"))}
    told["heading_tolerance"] = math.radians(told["heading_tolerance"])
    for name, value in told.items():
        assert value == pytest.approx(getattr(waypoints, name.upper())), name
    assert set(told) == set(names.split("|"))
    assert f"{SPEED_MARGIN:g} times" in page("control.md")
    assert f"waited for {waypoints.PATIENCE:g} s" in page("scenarios.md")
