"""Currents: steady, sheared, gusty, tidal and gridded, and their gradients and rates."""

import math

import numpy as np
import pytest
from field_slopes import slopes_by_differences
from hypothesis import given, settings

from remora.equations.algebra.vectors import add3, matvec3, scale3, subtract3
from remora.equations.water.current import power_law_fraction
from remora.equations.water.local_water import CURRENT_SIZE, LAYERED_SIZE, STEADY_SIZE
from remora.sensors.errors.streams import Stream
from remora.world.number_checks import between
from remora.world.water.currents.grid import Gridded
from remora.world.water.currents.gusts import BLOCK, Gusts
from remora.world.water.currents.steady import PowerLaw, Sheared, Uniform, fraction_kernel
from remora.world.water.currents.tide import PERIODS, Constituent, Tide
from remora.world.water.local_water import NO_SURFACE, CompositeCurrent, LocalWater, Variation, plant_row
from remora.world.world import World
from sample_features import reals, three

SECOND = 1_000_000_000
SHEAR = Sheared((0.0, 5.0, 20.0), ((0.3, 0.0, 0.0), (0.2, 0.1, 0.0), (0.1, -0.1, 0.02)), level=-1.0)
TIDE = Tide((Constituent(0.8, 600.0, 0.4, 1.0, 0.3), Constituent(0.2, 431.0, -1.0, 0.2, -0.1)))


def gusts(seed=1, std=(0.1, 0.2, 0.05), time=(30.0, 20.0, 60.0)):
    return Gusts(std, time, Stream(seed, "gusts"))


def gridded(seed=3):
    random = np.random.default_rng(seed)
    axes = ((0.0, 100.0, 300.0), (0.0, 4.0, 10.0), (-50.0, 0.0, 30.0, 100.0), (-20.0, 20.0))
    return Gridded(*axes, random.normal(size=(3, 3, 4, 2, 3)), level=0.5)


FIELDS = {
    "uniform": Uniform((0.1, -0.2, 0.03)),
    "sheared": SHEAR,
    "power law": PowerLaw((1.0, 0.5, 0.0), bottom=40.0),
    "tide": TIDE,
    "gridded": gridded(),
    "sum": CompositeCurrent((SHEAR, TIDE, gridded()), 2.0),
}


@pytest.mark.parametrize("name", FIELDS)
def test_gradient_and_rate_are_those_of_the_velocity(name):
    field = FIELDS[name]
    for time in (33.0, 141.0, 250.0):
        for place in ((-20.0, 3.0, 2.0), (12.0, -7.0, 7.0), (60.0, 11.0, 5.0)):
            water = field.at(round(time * SECOND), place)
            gradient, rate = slopes_by_differences(field, round(time * SECOND), place)
            assert np.array(water.gradient) == pytest.approx(gradient, abs=1e-8)
            assert water.rate == pytest.approx(rate, abs=1e-8)


@pytest.mark.parametrize("field", [*FIELDS.values(), gusts()], ids=[*FIELDS, "gusts"])
def test_a_field_varies_with_no_more_than_it_declares(field):
    """A run samples steady water once, and layered water without its horizontal slopes."""
    samples = [
        field.at(round(t * SECOND), (n, e, d)) for t in (0.0, 40.0) for d in (1.0, 8.0) for n, e in ((0, 0), (30, -9))
    ]
    if field.variation == Variation.STEADY:
        assert set(samples) == {samples[0]}
    elif field.variation == Variation.LAYERED:
        assert all(a == b for a, b in zip(samples[::2], samples[1::2], strict=True))
        assert all(row[:2] == (0.0, 0.0) for water in samples for row in water.gradient)
    else:
        assert any(a != b for a, b in zip(samples[::2], samples[1::2], strict=True))


@pytest.mark.parametrize(
    ("fields", "size", "steady", "spacings"),
    [
        ((), STEADY_SIZE, (0.0, 0.0, 0.0), ()),
        ((Uniform((0.1, 0.0, 0.0)), Uniform((0.2, 0.5, 0.0))), STEADY_SIZE, (0.1 + 0.2, 0.5, 0.0), ()),
        ((Uniform((0.1, 0.0, 0.0)), SHEAR), LAYERED_SIZE, None, ()),
        (
            (TIDE, gusts(time=(3.0, 2.0, 4.0)), gusts(time=(5.0, 5.0, 5.0))),
            LAYERED_SIZE,
            None,
            (40_000_000, 100_000_000),
        ),
        ((TIDE, gridded()), CURRENT_SIZE, None, ()),
    ],
)
def test_a_world_describes_its_water_with_the_numbers_that_it_needs(fields, size, steady, spacings):
    world = World(CompositeCurrent(fields))
    assert (world.current_size, world.steady_current, world.node_spacings_ns) == (size, steady, spacings)


def test_a_uniform_current_is_alike_everywhere():
    field = Uniform((0.1, 0.2, 0.3))
    assert field.at(0, (0.0, 0.0, 0.0)) == field.at(5 * SECOND, (9.0, -9.0, 90.0)) == LocalWater((0.1, 0.2, 0.3))


def test_a_sheared_current_is_linear_between_its_nodes_and_held_outside():
    at = lambda depth: SHEAR.at(0, (7.0, 8.0, depth - 1.0))  # noqa: E731
    assert at(0.0).velocity == (0.3, 0.0, 0.0)
    assert at(2.5).velocity == pytest.approx((0.25, 0.05, 0.0))
    assert at(5.0).velocity == pytest.approx((0.2, 0.1, 0.0))
    assert at(12.5).velocity == pytest.approx((0.15, 0.0, 0.01))
    assert at(-3.0) == LocalWater((0.3, 0.0, 0.0))
    assert at(30.0) == LocalWater((0.1, -0.1, 0.02))


def test_the_compiled_power_law_has_the_bits_of_plain_python():
    for height in (-0.5, 0.0, 0.003, 0.01, 0.2, 0.77, 1.0, 1.3):
        assert fraction_kernel()(height, 1.0 / 7.0) == power_law_fraction(height, 1.0 / 7.0)


def test_the_power_law_is_that_of_the_boundary_layer():
    field = PowerLaw((2.0, 0.0, 0.0), bottom=60.0, level=10.0)
    assert field.at(0, (0.0, 0.0, 10.0)).velocity[0] == pytest.approx(2.0)
    assert field.at(0, (0.0, 0.0, 35.0)).velocity[0] == pytest.approx(2.0 * 0.5 ** (1 / 7))
    assert field.at(0, (0.0, 0.0, 60.0)).velocity[0] == 0.0
    assert field.at(0, (0.0, 0.0, 70.0)) == LocalWater((0.0, 0.0, 0.0))
    assert field.at(0, (0.0, 0.0, 5.0)) == LocalWater((2.0, 0.0, 0.0))
    near = [field.at(0, (0.0, 0.0, 60.0 - h)).velocity[0] for h in np.linspace(0.0, 1.0, 50)]
    assert np.all(np.diff(near) > 0.0)  # no jump where the linear part begins
    assert np.max(np.diff(near)) < 0.11


@given(reals(0.0, 900.0), three(60.0), reals(-0.5, 0.5), three(0.5))
@settings(max_examples=60, deadline=None)
def test_the_row_of_the_plant_gives_the_velocity_around_the_place(time, place, later, away):
    """U = velocity at the origin + gradient p + rate t is the local water itself, wherever the origin is."""
    water = FIELDS["sum"].at(round(time * SECOND), place)
    row = plant_row(water, place)
    assert (len(row), row[15]) == (17, 0.0)
    gradient = (row[3:6], row[6:9], row[9:12])
    by_row = add3(add3(row[:3], matvec3(gradient, add3(place, away))), scale3(later, row[12:15]))
    direct = add3(add3(water.velocity, matvec3(water.gradient, away)), scale3(later, water.rate))
    assert by_row == pytest.approx(direct, abs=1e-12)
    assert row[16] == 2.0


def test_fields_add_up():
    one, other, place = gusts(), SHEAR, (1.0, 2.0, 3.0)
    total = CompositeCurrent((one, other, TIDE), -4.0).at(7 * SECOND, place)
    parts = [field.at(7 * SECOND, place) for field in (one, other, TIDE)]
    assert total.velocity == pytest.approx(tuple(np.sum([p.velocity for p in parts], axis=0)))
    assert np.array(total.gradient) == pytest.approx(np.sum([p.gradient for p in parts], axis=0))
    assert total.rate == pytest.approx(tuple(np.sum([p.rate for p in parts], axis=0)))
    assert total.surface == -4.0
    assert CompositeCurrent(()).at(0, place) == LocalWater((0.0, 0.0, 0.0), surface=NO_SURFACE)


def test_a_tide_runs_around_its_ellipse():
    tide = Tide((Constituent(2.0, 400.0, direction=math.radians(90.0), minor=0.5),))
    at = lambda seconds: tide.at(seconds * SECOND, (0.0, 0.0, 0.0)).velocity  # noqa: E731
    assert at(0) == pytest.approx((0.0, 2.0, 0.0))  # east
    assert at(100) == pytest.approx((-0.5, 0.0, 0.0))  # a quarter later to the right of it: south
    assert at(200) == pytest.approx((0.0, -2.0, 0.0), abs=1e-12)
    late = Tide((Constituent(2.0, 400.0, phase=0.5 * math.pi),))
    assert late.at(100 * SECOND, (0.0, 0.0, 0.0)).velocity == pytest.approx((2.0, 0.0, 0.0))
    assert PERIODS["M2"] == pytest.approx(44714.16, abs=0.01)


def test_gusts_have_their_variance_and_correlation():
    """Over 6000 correlation times the variance is within 3 %, and the correlation falls as exp(-t / T)."""
    field = gusts(std=(0.1, 0.2, 0.0), time=(10.0, 10.0, 10.0))
    step = field.spacing_ns * 5  # on the nodes, where the process is exact: a tenth of the correlation time
    values = np.array([field.at(k * step, (0.0, 0.0, 0.0)).velocity for k in range(60_000)])
    # Deviations of the estimates: mean s sqrt(2/6000), variance s^2 sqrt(2/6000).
    assert np.abs(values.mean(axis=0)) == pytest.approx(np.zeros(3), abs=4 * 0.2 * math.sqrt(2 / 6000))
    assert values[:, :2].var(axis=0) == pytest.approx((0.01, 0.04), rel=4 * math.sqrt(2 / 6000))
    assert not values[:, 2].any()
    for lag, axis in ((5, 0), (10, 0), (20, 1)):
        x = values[:, axis] / values[:, axis].std()
        assert np.mean(x[lag:] * x[:-lag]) == pytest.approx(math.exp(-lag / 10), abs=0.07)
    assert abs(np.corrcoef(values[:, 0], values[:, 1])[0, 1]) < 0.08


def test_gusts_are_linear_between_nodes_with_their_rate():
    field = gusts()
    node = field.spacing_ns
    for k in (0, BLOCK - 1, BLOCK, 5 * BLOCK + 17):
        here, there = field.at(k * node, (0, 0, 0)), field.at((k + 1) * node, (0, 0, 0))
        middle = field.at(k * node + node // 2, (0, 0, 0))
        assert middle.velocity == pytest.approx(scale3(0.5, add3(here.velocity, there.velocity)), abs=1e-9)
        assert here.rate == pytest.approx(scale3(1e9 / node, subtract3(there.velocity, here.velocity)), abs=1e-9)


def test_gusts_do_not_depend_on_the_order_in_which_they_are_asked():
    times = [round(t * SECOND) for t in np.random.default_rng(2).uniform(0.0, 3000.0, 200)]
    straight, jumping = gusts(), gusts()
    in_order = {t: straight.at(t, (0, 0, 0)) for t in sorted(times)}
    assert {t: jumping.at(t, (0, 0, 0)) for t in times} == in_order
    assert gusts(seed=2).at(times[0], (0, 0, 0)) != in_order[times[0]]


def test_a_grid_is_exact_at_its_nodes_and_for_multilinear_currents():
    field = gridded()
    for i, j, k, m in ((0, 0, 0, 0), (1, 2, 3, 1), (2, 1, 2, 0)):
        place = (field.norths[k], field.easts[m], field.depths[j] + 0.5)
        there = field.at(round(field.times[i] * SECOND), place).velocity
        assert there == pytest.approx(field.velocities[i, j, k, m], abs=1e-12)
    t, d, n, e = np.meshgrid((0.0, 50.0), (0.0, 10.0), (0.0, 30.0), (-5.0, 5.0), indexing="ij")
    u = 0.1 + 0.01 * n + 0.02 * e - 0.03 * d + 0.001 * t
    linear = Gridded((0.0, 50.0), (0.0, 10.0), (0.0, 30.0), (-5.0, 5.0), np.stack([u, 2 * u, -u], -1))
    water = linear.at(20 * SECOND, (12.0, 1.0, 3.0))
    assert water.velocity == pytest.approx(scale3(0.1 + 0.12 + 0.02 - 0.09 + 0.02, (1.0, 2.0, -1.0)))
    assert np.array(water.gradient) == pytest.approx(np.outer((1.0, 2.0, -1.0), (0.01, 0.02, -0.03)))
    assert water.rate == pytest.approx((0.001, 0.002, -0.001))


def test_outside_a_grid_its_edge_holds():
    field = gridded()
    edge = field.at(50 * SECOND, (100.0, 5.0, 3.0))
    outside = field.at(50 * SECOND, (900.0, 5.0, 3.0))
    assert outside.velocity == pytest.approx(edge.velocity)
    assert [row[0] for row in outside.gradient] == [0.0, 0.0, 0.0]
    assert outside.gradient[0][1] == pytest.approx(edge.gradient[0][1])
    late, last = field.at(900 * SECOND, (1.0, 5.0, 3.0)), field.at(300 * SECOND, (1.0, 5.0, 3.0))
    assert late.velocity == pytest.approx(last.velocity)
    assert late.rate == (0.0, 0.0, 0.0)


def test_land_is_still_water_and_one_node_does_not_matter():
    values = np.ones((1, 1, 2, 1, 3))
    values[0, 0, 1] = np.nan
    field = Gridded((0.0,), (0.0,), (0.0, 10.0), (0.0,), values)
    assert field.at(0, (5.0, 77.0, 7.0)).velocity == pytest.approx((0.5, 0.5, 0.5))
    assert field.at(0, (10.0, 0.0, 0.0)).velocity == (0.0, 0.0, 0.0)
    assert between((4.0,), 9.0) == (0, 0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Uniform((math.nan, 0.0, 0.0)), "finite"),
        (lambda: Sheared((), ()), "one velocity for each depth"),
        (lambda: Sheared((0.0, 1.0), ((0.0, 0.0, 0.0),)), "2 depths and 1 velocities"),
        (lambda: Sheared((1.0, 1.0), ((0.0, 0.0, 0.0),) * 2), "growing order"),
        (lambda: PowerLaw((1.0, 0.0, 0.0), bottom=-1.0), "does not lie below"),
        (lambda: PowerLaw((1.0, 0.0, 0.0), bottom=9.0, exponent=0.0), "exponent"),
        (lambda: Tide((Constituent(1.0, 0.0),)), "period of the tide"),
        (lambda: gusts(std=(-0.1, 0.0, 0.0)), "not negative"),
        (lambda: gusts(time=(1.0, 0.0, 1.0)), "correlation time"),
        (lambda: gusts().at(-1, (0.0, 0.0, 0.0)), "time that is not negative"),
        (lambda: Gridded((), (0.0,), (0.0,), (0.0,), np.zeros((0, 1, 1, 1, 3))), "times of the grid are missing"),
        (lambda: Gridded((0.0,), (0.0,), (0.0,), (0.0,), np.zeros((1, 1, 1, 3))), "give \\(1, 1, 1, 1, 3\\)"),
        (lambda: Gridded((0.0,), (0.0,), (0.0,), (0.0,), np.full((1, 1, 1, 1, 3), np.inf)), "infinite"),
    ],
)
def test_bad_currents_are_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()
