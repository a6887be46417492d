"""The stand-ins for a tether, and tethers from plain numbers."""

import math

import numpy as np
import pytest

from remora.world.tethers.ends import fixed_end, moving_end, yielding_end
from remora.world.tethers.models import FlatPlate, SlackSpring, make_tether
from remora.world.tethers.tether import Tether

ORIGIN = (0.0, 0.0, 0.0)


def moving(velocity, position=ORIGIN):
    return yielding_end(position, velocity, ORIGIN, np.zeros((3, 3)))


def test_flat_plate_gives_the_printed_drag():
    """Nielsen 2018: 0.12 |u| u L newtons, 0.77 N at 0.9 m/s with 8 m of line."""
    plate = FlatPlate(8.0, 7.64e-3, 0.01, density=1000.0)
    state = plate.initial(ORIGIN, ORIGIN)
    _, pull = plate.step(state, moving((0.9, 0.0, 0.0)), fixed_end(ORIGIN))
    assert pull.vehicle == pytest.approx((-0.777, 0.0, 0.0), abs=1e-3)
    assert pull.far == ORIGIN
    _, with_current = plate.step(state, moving((0.9, 0.0, 0.0)), fixed_end(ORIGIN), (0.9, 0.0, 0.0))
    assert with_current.tension == 0.0


def test_spring_is_slack_until_it_is_taut():
    spring = SlackSpring(10.0, 1e4, 0.01, normal_drag=0.0)
    state = spring.initial(ORIGIN, (1.0, 0.0, 0.0))
    _, slack = spring.step(state, fixed_end(ORIGIN), fixed_end((9.9, 0.0, 0.0)))
    assert slack.tension == 0.0
    _, taut = spring.step(state, fixed_end(ORIGIN), fixed_end((6.3, 0.0, 8.0)))
    stretch = math.hypot(6.3, 8.0) - 10.0
    assert taut.tension == pytest.approx(1e3 * stretch, rel=1e-12)
    assert taut.far == pytest.approx(np.negative(taut.vehicle))


def test_spring_pays_out_and_drags_its_loop():
    spring = SlackSpring(10.0, 1e4, 0.01)
    state, pull = spring.step(
        spring.initial(ORIGIN, ORIGIN), moving((0.0, 1.0, 0.0)), fixed_end(ORIGIN), length_rate=0.5, elapsed=2.0
    )
    assert state.length == 11.0
    assert pull.vehicle == pytest.approx((0.0, -0.5 * 1025.0 * 1.2 * 0.01 * 5.0, 0.0))
    assert pull.far == ORIGIN


@pytest.mark.parametrize("elapsed", [0.001, 0.01, 0.1, 1.0])
def test_spring_and_drag_never_drive_a_body(elapsed):
    """A body of 10 kg on a hard spring with a loop loses energy at any step (a trifle apart when it goes slack)."""
    spring = SlackSpring(10.0, 1e6, 0.01)
    position, velocity, state = 10.5, 2.0, spring.initial(ORIGIN, ORIGIN)

    def energy():
        return 5.0 * velocity**2 + 0.5 * 1e5 * max(position - 10.0, 0.0) ** 2

    energies = [energy()]
    for _ in range(200):
        end = yielding_end((position, 0.0, 0.0), (velocity, 0.0, 0.0), ORIGIN, np.eye(3) / 10.0)
        state, pull = spring.step(state, end, fixed_end(ORIGIN), elapsed=elapsed)
        change = pull.vehicle[0] / 10.0 * elapsed
        position, velocity = position + elapsed * (velocity + 0.5 * change), velocity + change
        energies.append(energy())
    assert max(energies) < 1.01 * energies[0]
    assert energies[-1] < 0.9 * energies[0]


def test_from_plain_numbers():
    common = {"length": 100, "diameter": 0.01, "stiffness": 1e5}
    assert make_tether(mass=0.1, **common) == Tether(100, 0.01, 0.1, 1e5)
    assert make_tether("lumped", tether_density=1200.0, **common).mass == pytest.approx(1200.0 * math.pi * 25e-6)
    floating = make_tether("lumped", weight_in_water=-0.1, density=1000.0, gravity=10.0, **common)
    assert floating.mass == pytest.approx(1000.0 * math.pi * 25e-6 - 0.01)
    assert make_tether("slack_spring", **common) == SlackSpring(100, 1e5, 0.01)
    assert make_tether("flat_plate", length=8.0, diameter=0.01) == FlatPlate(8.0, 0.01)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({"model": "rope"}, 'unknown model of a tether "rope": choose from lumped, slack_spring, flat_plate'),
        ({"lenght": 3.0}, 'unknown number "lenght" of a lumped tether: known are length, diameter'),
        ({"length": 3.0}, "needs one of mass, tether_density, weight_in_water: none of them is given"),
        ({"mass": 0.1, "tether_density": 900.0}, "mass and tether_density is given"),
        ({"mass": 0.1, "length": 3.0}, 'a lumped tether needs "diameter"'),
        ({"model": "flat_plate", "length": 3.0}, 'a flat_plate tether needs "diameter"'),
        ({"model": "flat_plate", "length": 0.0, "diameter": 0.01}, r"length of the tether is 0\.0"),
        ({"model": "slack_spring", "length": 3, "diameter": 0.01, "stiffness": -1.0}, "stiffness of the tether is"),
    ],
)  # fmt: skip
def test_wrong_numbers_are_told(numbers, words):
    with pytest.raises(ValueError, match=words):
        make_tether(**numbers)


def test_a_winch_cannot_reel_in_more_than_there_is():
    for line in (SlackSpring(1.0, 1e4, 0.01), FlatPlate(1.0, 0.01)):
        end = moving_end(ORIGIN, ORIGIN, ORIGIN, ORIGIN, 1.0)
        with pytest.raises(ValueError, match="reels in 2 m/s with 1 m left"):
            line.step(line.initial(ORIGIN, ORIGIN), end, end, length_rate=-2.0, elapsed=1.0)
