"""Variants packed together have the bits of each packed alone, and are refused as a vehicle file would be."""

from dataclasses import replace

import numpy as np
import pytest

from remora.equations.hull.inertia import rigid_body_inertia
from remora.files.problems import InputError
from remora.plant import batch, pack, rollout
from remora.plant.plant import Plant
from remora.vehicles import load_vehicle, preset_names
from remora.vehicles.checks.invariants import violations_S1, violations_S2, violations_S5
from sample_features import everything, halves_of, random_definite
from sample_vehicles import bluerov2, glider, tuples

SHELL = load_vehicle("bluerov2")
HEAVY = Plant(load_vehicle("bluerov2_heavy"))
COUNT = 5
BODY = ("mass", "displaced_mass", "center_of_gravity", "center_of_buoyancy", "inertia")


def bits(array):
    return np.ascontiguousarray(array).tobytes()


def factors(random, *shape):
    return np.exp(0.1 * random.standard_normal((COUNT, *shape)))


def scattered(p, seed=2):
    """Values of every quantity around those of a vehicle; matrices keep symmetry and sign: S A S."""
    random = np.random.default_rng(seed)

    def matrices(nominal):
        scale = np.sqrt(factors(random, len(nominal)))
        return scale[:, :, None] * np.array(nominal) * scale[:, None, :]

    return {
        "mass": p.mass * factors(random),
        "displaced_mass": p.displaced_mass * factors(random),
        "center_of_gravity": p.p_BG + 0.01 * random.standard_normal((COUNT, 3)),
        "center_of_buoyancy": p.p_BC + 0.01 * random.standard_normal((COUNT, 3)),
        "inertia": factors(random)[:, None, None] * np.array(p.inertia_G),
        "added_mass": matrices(p.added_mass),
        "linear_damping": factors(random)[:, None, None] * np.array(p.linear_damping),
        "quadratic_damping": factors(random)[:, None, None] * np.array(p.quadratic_damping),
        "thrust": factors(random, len(p.thrusters)),
    }


def variant(p, given, i):
    """The parameters of one variant, written out by hand."""
    own = {name: tuples(values[i]) for name, values in given.items()}
    mass, p_BG = own.get("mass", p.mass), own.get("center_of_gravity", p.p_BG)
    inertia_G = own.get("inertia", p.inertia_G)
    moved = any(name in own for name in ("mass", "center_of_gravity", "inertia"))
    thrusters = tuple(
        t._replace(effectiveness_forward=f * t.effectiveness_forward, effectiveness_reverse=f * t.effectiveness_reverse)
        for t, f in zip(p.thrusters, own.get("thrust", (1.0,) * len(p.thrusters)), strict=True)
    )
    return p._replace(
        mass=mass,
        p_BG=p_BG,
        inertia_G=inertia_G,
        rigid_body_inertia=rigid_body_inertia(mass, p_BG, inertia_G) if moved else p.rigid_body_inertia,
        displaced_mass=own.get("displaced_mass", p.displaced_mass),
        p_BC=own.get("center_of_buoyancy", p.p_BC),
        added_mass=own.get("added_mass", p.added_mass),
        linear_damping=own.get("linear_damping", p.linear_damping),
        quadratic_damping=own.get("quadratic_damping", p.quadratic_damping),
        thrusters=thrusters,
    )


def check_rows(plant, given):
    made, p = plant.variations(**given), plant.vehicle.parameters
    for i in range(COUNT):
        alone = pack(variant(p, given, i), plant.locked, plant.simplifications)
        assert made[i].layout == alone.layout
        assert (made[i].locked, made[i].simplifications) == (alone.locked, alone.simplifications)
        assert bits(made.rows[i]) == bits(alone.row)


def two_heaves():
    """Every feature at once, with an added mass of rising that goes with the couplings of heave."""
    p = everything()
    return p._replace(heave_up=p.heave_up._replace(added_mass=0.98 * p.added_mass[2][2]))


PLANTS = {
    "plain": HEAVY,
    "full matrices, two heaves": Plant(replace(SHELL, parameters=two_heaves())),
    "locked": Plant(replace(SHELL, parameters=two_heaves()), locked=("sway", "roll")),
    "munk_off": Plant(replace(SHELL, parameters=two_heaves()), simplifications=("munk_off",)),
    "coriolis_off": Plant(replace(SHELL, parameters=two_heaves()), simplifications=("coriolis_off",)),
    "falcon": Plant(load_vehicle("falcon")),
    "remus100": Plant(load_vehicle("remus100")),
    "moving masses": Plant(replace(SHELL, parameters=glider())),
}


@pytest.mark.parametrize("name", PLANTS)
def test_rows_have_the_bits_of_packing_each_variant_alone(name):
    plant = PLANTS[name]
    given = scattered(plant.vehicle.parameters)
    check_rows(plant, given)
    for quantity in given:
        check_rows(plant, {quantity: given[quantity]})


@pytest.mark.parametrize(
    "name", [name for name in preset_names() if name not in ("falcon", "remus100", "bluerov2_heavy")]
)
def test_bundled_vehicles_can_be_varied(name):
    plant = Plant(load_vehicle(name))
    p = plant.vehicle.parameters
    given = {key: value for key, value in scattered(p).items() if "damping" not in key}
    if p.total_inertia_only:
        with pytest.raises(InputError, match=r"only the total inertia is known: mass, .* cannot vary"):
            plant.variations(**given)
        given = {key: value for key, value in given.items() if key not in BODY}
    if p.buoyancy_elements:
        given = {key: given[key] for key in given if key not in ("displaced_mass", "center_of_buoyancy")}
    check_rows(plant, given)


def test_diagonals_are_diagonal_matrices():
    random, shapes = np.random.default_rng(3), {"inertia": 3, "added_mass": 6, "quadratic_damping": 6}
    short = {name: random.uniform(1.0, 1.2, (COUNT, size)) for name, size in shapes.items()}
    full = {name: np.array([np.diag(row) for row in rows]) for name, rows in short.items()}
    assert bits(HEAVY.variations(**short).rows) == bits(HEAVY.variations(**full).rows)


def test_buoyancy_elements_scale_and_move_with_the_displacement():
    rov = bluerov2()._replace(buoyancy_elements=halves_of(bluerov2()))
    plant, moved = Plant(replace(SHELL, parameters=rov)), (0.1, 0.0, -0.02)
    made = plant.variations(displaced_mass=[2.0 * rov.displaced_mass], center_of_buoyancy=[moved])
    shift = np.subtract(moved, rov.p_BC)
    elements = tuple(
        part._replace(position=tuples(part.position + shift), displaced_mass=2.0 * part.displaced_mass)
        for part in rov.buoyancy_elements
    )
    alone = rov._replace(displaced_mass=2.0 * rov.displaced_mass, p_BC=moved, buoyancy_elements=elements)
    np.testing.assert_allclose(made.rows[0], pack(alone).row, rtol=0.0, atol=1e-14)


def test_variants_move_as_they_do_alone():
    p, given = HEAVY.vehicle.parameters, scattered(HEAVY.vehicle.parameters)
    start, commands = HEAVY.initial_state(position=(0, 0, 3)), np.linspace(-5.0, 8.0, 8)
    states = batch(HEAVY.variations(**given), np.tile(start, (COUNT, 1)), [commands], 0.1, 5, intervals=20)
    for i in range(COUNT):
        alone = rollout(pack(variant(p, given, i)), start, commands, 0.1, 5, intervals=20)
        np.testing.assert_allclose(states[i], alone, rtol=1e-10, atol=1e-12)
    assert np.ptp(states[:, -1, 2]) > 0.01


def test_no_argument_is_changed_and_the_vehicle_stays():
    given = scattered(HEAVY.vehicle.parameters)
    before, row = {name: bits(values) for name, values in given.items()}, bits(HEAVY.packed.row)
    HEAVY.variations(**given).rows[:] = 0.0
    assert {name: bits(values) for name, values in given.items()} == before
    assert bits(HEAVY.packed.row) == row


def with_value(values, index, value):
    changed = np.array(values, dtype=float)
    changed[index] = value
    return changed


GIVEN = scattered(HEAVY.vehicle.parameters)


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({}, "mass", r"nothing varies: give an array for at least one quantity, such as mass"),
        ({"mass": 12.0}, "mass", r"mass has shape \(\): give \(variants,\)"),
        ({"mass": []}, "mass", r"mass has 0 variants, .*: give the same number, at least 1"),
        ({"mass": "heavy"}, "mass", r"mass is not an array of numbers"),
        ({"mass": [1.0, 2.0j]}, "mass", r"mass is not an array of numbers"),
        ({"mass": [[1.0, 2.0], [1.0]]}, "mass", r"mass is not an array of numbers"),
        ({"mass": [12.0, np.nan]}, "mass", r"mass\[1\] is nan: give finite numbers"),
        ({"mass": [12.0, 13.0], "thrust": np.ones((3, 8))}, "thrust", r"thrust has 3 variants, mass has 2"),
        ({"added_mass": np.ones((4, 5))}, "added_mass", r"shape \(4, 5\): give \(variants, 6, 6\) or \(variants, 6\)"),
        ({"center_of_gravity": np.zeros((4, 2))}, "center_of_gravity", r"shape \(4, 2\): give \(variants, 3\)"),
        ({"thrust": np.ones((4, 6))}, "thrust", r"thrust has shape \(4, 6\): give \(variants, 8\)"),
        ({"thrust": -np.ones((1, 8))}, "thrust", r"thrust\[0, 0\] is -1: must not be negative"),
        ({"displaced_mass": [13.0, -1.0]}, "displaced_mass", r"displaced_mass\[1\] is -1: must not be negative"),
        ({"mass": with_value(GIVEN["mass"], 3, -1.0)}, "mass", r"^variant 3: mass must be above zero, found -1 kg\."),
        ({"mass": with_value(GIVEN["mass"], 3, 0.0)}, "mass", r"^variant 3: mass must be above zero"),
        (
            {"inertia": with_value(GIVEN["inertia"], (2, 0, 1), 0.1)},
            "inertia",
            r"^variant 2: inertia must be symmetric",
        ),
        ({"inertia": [[1, 1, 1], [1, 1, 2.5]]}, "inertia", r"^variant 1: .* break the triangle inequality"),
        ({"inertia": [[1, 1, 1], [-1, 1, 1]]}, "inertia", r"^variant 1: the smallest principal moment is -1"),
        (
            {"added_mass": with_value(GIVEN["added_mass"], (4, 0, 0), -0.1)},
            "added_mass",
            r"^variant 4: has a negative eigenvalue, -0\.1",
        ),
        (
            {"added_mass": with_value(GIVEN["added_mass"], (1, 0, 4), 0.5)},
            "added_mass",
            r"^variant 1: added mass must be symmetric",
        ),
        ({"linear_damping": [[1, 1, 1, 1, 1, -1]]}, "yaw", r"^variant 0: yaw damping adds energy"),
        ({"quadratic_damping": -np.ones((2, 6))}, "surge", r"^variant 0: surge damping adds energy above"),
        (
            {"linear_damping": [[[1, 5, 0, 0, 0, 0], [5, 1, 0, 0, 0, 0], *np.eye(6)[2:].tolist()]]},
            "damping",
            r"^variant 0: linear damping adds energy at low speed",
        ),
        (
            {"quadratic_damping": [np.eye(6), np.eye(6) - 1.5 * (np.eye(6, k=4) + np.eye(6, k=-4))]},
            "damping",
            r"^variant 1: coupled damping adds energy, for instance at",
        ),
    ],
)
def test_bad_variants_are_refused_by_name(given, field, words):
    with pytest.raises(InputError, match=words) as caught:
        HEAVY.variations(**given)
    assert caught.value.field == field


def test_borders_of_the_invariants_are_accepted():
    """A flat plate, no added mass, damping of one degree of freedom only."""
    flat = HEAVY.variations(inertia=[[1, 1, 2]], added_mass=np.zeros((1, 6)), linear_damping=[[0, 0, 1, 0, 0, 0]])
    assert len(flat) == 1
    assert len(HEAVY.variations(linear_damping=np.zeros((2, 6)), quadratic_damping=np.zeros((2, 6)))) == 2


def test_accepted_asymmetry_is_accepted():
    given = {"added_mass": with_value(GIVEN["added_mass"], (1, 0, 4), 0.5)}
    tolerant = replace(HEAVY.vehicle, accepted={"asymmetric_added_mass": "as published"})
    assert len(Plant(tolerant).variations(**given)) == COUNT


def random_variants(random):
    """Matrices on both sides of every invariant."""
    full = random.uniform(-1.0, 1.0, (6, 6)) * random.choice((0.1, 0.4, 1.0))
    moments = random_definite(random, (0.2, 0.3, 0.4), random.choice((0.1, 1.5)))
    return {
        "mass": random.choice((13.0, 13.0, 13.0, -1.0), ()),
        "inertia": moments,
        "added_mass": random_definite(random, (5.0, 7.0, 18.0, 0.2, 0.1, 0.2)) - random.choice((0.0, 0.15)) * np.eye(6),
        "linear_damping": np.diag(random.uniform(0.1, 2.0, 6)) + full,
        "quadratic_damping": np.diag(random.uniform(0.1, 2.0, 6)) + 0.5 * full.T,
    }


@pytest.mark.parametrize("quantity", ["mass", "inertia", "added_mass", "linear_damping", "quadratic_damping"])
def test_verdicts_are_those_of_the_invariants(quantity):
    """The condition that is evaluated for all variants at once accepts none that a vehicle file could not have."""
    random, p, verdicts = np.random.default_rng(11), HEAVY.vehicle.parameters, []
    for _ in range(25):
        given = {quantity: np.array(random_variants(random)[quantity])[None]}
        alone = variant(p, given, 0)
        violations = [*violations_S1(alone), *violations_S2(alone)]
        violations += violations_S5(alone) if "damping" in quantity else []
        verdicts.append(not violations)
        if violations:
            with pytest.raises(InputError) as caught:
                HEAVY.variations(**given)
            assert str(caught.value) == f"variant 0: {violations[0].text}"
        else:
            assert len(HEAVY.variations(**given)) == 1
    assert {True, False} == set(verdicts)
