"""The part `instruments`: latest readings, lever arms, orientations and ages, on readings made by hand."""

import math

import pytest

from remora.equations.algebra.kinematics import position_rate
from remora.equations.algebra.quaternions import from_euler_zyx, product, rotation_matrix, to_euler_zyx
from remora.equations.algebra.vectors import add3, cross, matvec3
from remora.messages.part import PartInput
from remora.messages.reading import Reading, Status
from remora.navigation.parts.instruments import Instruments
from remora.scenarios import scenario_from_text

SECOND = 1_000_000_000
ARM, TILTED = (0.3, -0.2, 0.4), from_euler_zyx(0.2, -0.1, 0.5)
ANGLES, RATES, VELOCITY, PLACE = (0.3, -0.2, 1.1), (0.1, 0.2, -0.3), (0.6, -0.1, 0.2), (4.0, 5.0, 6.0)
TEXT = """
name: by_hand
duration: 1 s
water: {bottom_depth: 30 m, density: 1000 kg/m3}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [4 m, 5 m, 6 m]
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 10 Hz, orientation: {angles: [0.2, -0.1, 0.5]}}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 10 Hz, orientation: {angles: [0.2, -0.1, 0.5]}}
      - {name: dvl, kind: dvl, position: [0.3, -0.2, 0.4], rate: 5 Hz, latency: 0.1 s,
         orientation: {angles: [0.2, -0.1, 0.5]}}
      - {name: depth, kind: pressure, position: [0.3, -0.2, 0.4], rate: 10 Hz, parameters: {water: uniform}}
    navigation: {part: instruments, rate: 10 Hz, attitude: ahrs, rates: gyro, velocity: dvl, depth: depth%s}
"""


def part(more: str = "") -> Instruments:
    setup = scenario_from_text(TEXT % more)
    (found,) = (one.part for one in setup.vehicles[0].parts if isinstance(one.part, Instruments))
    return found


def readings(stamp_ns: int, **changed: tuple[float, ...]) -> list[Reading]:
    """What the sensors of a vehicle with this motion give."""
    q_NB, back = from_euler_zyx(*ANGLES), rotation_matrix((TILTED[0], -TILTED[1], -TILTED[2], -TILTED[3]))
    at_dvl = add3(VELOCITY, cross(RATES, ARM))
    deep = PLACE[2] + position_rate(q_NB, ARM)[2]
    values = {
        "ahrs": to_euler_zyx(product(q_NB, TILTED)),
        "gyro": matvec3(back, RATES),
        "dvl": (*matvec3(back, at_dvl), 10.0),
        "depth": (1000.0 * 9.81 * deep,),
        **changed,
    }
    return [Reading(f"rov/{name}", stamp_ns, stamp_ns, Status.OK, row) for name, row in values.items()]


def stepped(made: Instruments, *samples: tuple[int, list[Reading]]):
    """State and estimate after samples of time and new readings."""
    state, estimate = made.initial(), None
    for time_ns, new in samples:
        state, estimate = made.step(state, PartInput(time_ns, tuple(new), {}, None, None, (), (), None))
    return state, estimate


def test_lever_arms_and_orientations_are_taken_off() -> None:
    _, estimate = stepped(part(), (SECOND, readings(SECOND)))
    assert to_euler_zyx(estimate.q_NB) == pytest.approx(ANGLES)
    assert estimate.twist == pytest.approx((*VELOCITY, *RATES))
    assert estimate.p_NB[2] == pytest.approx(PLACE[2], abs=1e-3)


def test_a_reading_older_than_its_age_is_not_used() -> None:
    made = part(", max_age: {velocity: 0.5 s}")
    first = (SECOND, readings(SECOND))
    state, estimate = stepped(made, first, (SECOND + SECOND // 2, []))
    assert estimate.is_complete
    assert made.unmeasured(state) == {}
    state, estimate = stepped(made, first, (SECOND + SECOND // 2 + 1, []))
    assert estimate.unknown == ("velocity",)
    assert made.unmeasured(state) == {"velocity": "dvl gives no usable reading"}


@pytest.mark.parametrize(("stamp_ns", "word"), [(SECOND // 2, "older"), (3 * SECOND, "from the future")])
def test_a_stamp_out_of_order_does_not_replace_the_latest_reading(stamp_ns: int, word: str) -> None:
    late = [one for one in readings(stamp_ns, gyro=(9.0, 9.0, 9.0)) if one.sensor == "rov/gyro"]
    _, estimate = stepped(part(), (SECOND, readings(SECOND)), (SECOND + 1, late))
    assert estimate.twist[3:] == pytest.approx(RATES), word


def test_a_reading_without_values_is_not_used() -> None:
    gyro = next(one for one in readings(SECOND + 1) if one.sensor == "rov/gyro")
    off = [gyro._replace(status=Status.OFF, values=(math.nan,) * 3)]
    _, estimate = stepped(part(), (SECOND, readings(SECOND)), (SECOND + 1, off))
    assert estimate.twist[3:] == pytest.approx(RATES)


def test_the_latency_is_that_of_the_sensor_and_half_of_its_period() -> None:
    made = part()
    assert made.motion_latency == pytest.approx(0.1 + 0.1)
    assert made.turn_latency == pytest.approx(0.05)


def test_velocity_and_attitude_reckon_the_position_from_the_launch_on() -> None:
    made = part()
    new = [(SECOND * k // 5, readings(SECOND * k // 5)) for k in range(6)]
    state, estimate = stepped(made, *new)
    over_ground = position_rate(from_euler_zyx(*ANGLES), VELOCITY)
    assert estimate.p_NB[:2] == pytest.approx((PLACE[0] + over_ground[0], PLACE[1] + over_ground[1]), abs=0.01)
    assert "position" not in made.unmeasured(state)


def test_a_quantity_without_a_sensor_is_named() -> None:
    text = TEXT.replace(", velocity: dvl", "") % ""
    (made,) = (one.part for one in scenario_from_text(text).vehicles[0].parts)
    state, estimate = stepped(made, (SECOND, readings(SECOND)))
    assert estimate.unknown == ("velocity", "position")
    assert made.unmeasured(state)["velocity"] == "no sensor measures the velocity"
