"""A new force form, written into a folder of its own, works everywhere a bundled one does."""

import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import casadi
import numpy as np
import pytest
from record_example import driven_record

import remora
from remora.equations.packed import packed_size, thrusters_start, user_forms_start
from remora.equations.plant import body_rate, body_rate_in_water
from remora.equations.water.local_water import SURFACED, WATER_SIZE, water_from
from remora.identification import fit_least_squares, values_of, with_values
from remora.interop.dry_body import dry
from remora.plant import Stepper, batch, derivative, initial_state, pack, rollout
from remora.sensors.errors.streams import Stream
from remora.vehicles import VehicleFileError, load_vehicle, vehicle_from_text
from remora.vehicles.checks.check import check_vehicle
from remora.vehicles.checks.report import report_lines
from remora.vehicles.library import preset_path
from remora.vehicles.variants.other_water import in_water
from remora.vehicles.variants.scatter import Spread, scattered

FORM = '''
"""Drag of a skeg below the hull, with the power 1.5 of its speed sideways."""

from typing import NamedTuple

from remora.equations.algebra.elementary import sqrt
from remora.equations.hull.forms.form import Form, FormField, register

POWER_SHARE = 1.0


class Skeg(NamedTuple):
    z: float  # m, below B
    drag: float  # N (s/m)^1.5


def skeg_at(row, k):
    return Skeg(row[k], row[k + 1])


def skeg_wrench(skeg, twist):
    v = twist[1] - skeg.z * twist[3]
    force = POWER_SHARE * skeg.drag * sqrt(abs(v)) * v
    return (0.0, force, 0.0, -skeg.z * force, 0.0, 0.0)


def at_density(skeg, ratio):
    return Skeg(skeg.z, ratio * skeg.drag)


def scaled(skeg, linear, quadratic):
    return Skeg(skeg.z, quadratic[1] * skeg.drag)


SKEG = register(
    Form(
        name="skeg",
        record=Skeg,
        read=skeg_at,
        wrench=skeg_wrench,
        degree=0,
        many=True,
        with_density=at_density,
        scaled=scaled,
        dissipates=True,
        fades=True,
        section=(FormField("z", "m", signs=(2,)), FormField("drag", "")),
        fitted=("drag",),
    )
)
TOWED = SKEG._replace(name="towed", fades="it hangs below the hull and stays under water")
'''
ENTRY = 'forces: [{model: "skeg.py:SKEG", z: 20 cm, drag: 40, source: "towing tank"}]\n'
TWIST = (0.3, 0.5, -0.1, 0.2, -0.1, 0.4)
STATE = (0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0, *TWIST)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("forms")
    (made / "skeg.py").write_text(FORM)
    return made


def vehicle_in(folder, forces=ENTRY, preset="bluerov2_heavy", name="with_skeg.yaml"):
    path = folder / name
    path.write_text(preset_path(preset).read_text(encoding="utf-8") + "\n" + forces, encoding="utf-8")
    return load_vehicle(path)


@pytest.fixture(scope="module")
def vehicle(folder):
    return vehicle_in(folder)


def wrench_of_skeg(z=0.2, drag=40.0, twist=TWIST):
    """The same force by hand: right-hand side."""
    v = twist[1] - z * twist[3]
    force = -drag * abs(v) ** 1.5 * np.sign(v)
    return np.array([0.0, force, 0.0, -z * force, 0.0, 0.0])


def test_the_file_gives_the_record_and_its_source(vehicle):
    (force,) = vehicle.parameters.forces
    assert (force.name, tuple(force.records[0])) == ("skeg", (0.2, 40.0))
    assert vehicle.provenance["forces[0].drag"].source == "towing tank"
    assert vehicle.provenance["forces[0].z"].unit == "cm"
    packed = pack(vehicle.parameters)
    assert packed.row.size == packed_size(packed.layout)
    start = user_forms_start(packed.layout)
    assert packed.row[start : start + 2].tolist() == [0.2, 40.0]
    assert thrusters_start(packed.layout) == start + 2


def test_a_file_with_other_axes_turns_the_declared_signs(folder):
    turned = vehicle_in(folder, ENTRY.replace("z: 20 cm", "z: -20 cm"), "flatfish_gazebo", "left_up.yaml")
    assert turned.parameters.forces[0].records[0] == (0.2, 40.0)


def test_four_back_ends_agree(vehicle):
    packed, bare = pack(vehicle.parameters), pack(vehicle.parameters._replace(forces=()))
    inputs = ([0.0] * packed.actuators, (0.1, 0.0, 0.0), (1.0, 2.0, 3.0, 0.0, 0.1, 0.0))
    plain = np.array(body_rate(packed.row.tolist(), packed.layout, STATE, *inputs))
    without = np.array(body_rate(bare.row.tolist(), bare.layout, STATE, *inputs))
    flow = (0.2, *TWIST[1:])  # through the water
    inertia = np.array(vehicle.parameters.rigid_body_inertia) + np.array(vehicle.parameters.added_mass)
    by_hand = np.linalg.solve(inertia, wrench_of_skeg(twist=flow))
    np.testing.assert_allclose(plain[7:] - without[7:], by_hand, rtol=1e-10, atol=1e-12)
    compiled = derivative(packed, [*STATE, *[0.0] * packed.actuators], *inputs[::2], water=inputs[1])
    np.testing.assert_allclose(compiled[:13], plain, rtol=1e-12, atol=1e-13)
    twist = casadi.SX.sym("twist", 6)
    symbols = (*STATE[:7], *casadi.vertsplit(twist))
    symbolic = casadi.Function(
        "rate", [twist], [casadi.vertcat(*body_rate(packed.row, packed.layout, symbols, *inputs))]
    )
    np.testing.assert_allclose(np.array(symbolic(TWIST)).ravel(), plain, rtol=1e-12, atol=1e-13)
    many = tuple(np.full(7, x) for x in STATE)
    arrays = body_rate(np.tile(packed.row[:, None], 7), packed.layout, many, *inputs)
    for found, expected in zip(arrays, plain, strict=True):
        np.testing.assert_allclose(np.broadcast_to(found, 7), expected, rtol=1e-12, atol=1e-13)


def test_sway_decays_as_the_exact_solution(vehicle):
    """m v' = -c v^1.5 along one free axis: v = (v0^-0.5 + c t / 2 m)^-2."""
    p = vehicle.parameters
    none = ((0.0,) * 6,) * 6
    alone = p._replace(linear_damping=none, quadratic_damping=none, mass=p.displaced_mass)
    packed = pack(alone, locked=("surge", "heave", "roll", "pitch", "yaw"))
    states = rollout(packed, initial_state(packed, twist=(0, 0.8, 0, 0, 0, 0)), [0.0] * 8, 0.1, 20, intervals=50)
    mass = packed.row[7]
    exact = (0.8**-0.5 + 0.5 * 40.0 / mass * 0.1 * np.arange(51)) ** -2.0
    np.testing.assert_allclose(states[:, 8], exact, rtol=1e-9)


def test_batches_and_steppers_give_the_bits_of_a_rollout(vehicle):
    """Own drag per vehicle, in SIMD groups and alone, in still and in sheared water."""
    p = vehicle.parameters
    form = p.forces[0].form
    packed = [
        pack(p._replace(forces=(p.forces[0]._replace(records=(form.read((0.2, drag), 0),)),)))
        for drag in (0.0, 10.0, 40.0, 90.0, 20.0)
    ]
    start = initial_state(packed[0], (0.0, 0.0, 5.0), twist=TWIST)
    together = batch(packed, [start] * 5, np.zeros((5, 1, 8)), 0.1, 10, intervals=10)
    alone = [rollout(one, start, [0.0] * 8, 0.1, 10, intervals=10) for one in packed]
    np.testing.assert_array_equal(together, alone)
    assert len({tuple(end) for end in together[:, -1, 7:9]}) == 5
    stepped = start
    for _ in range(100):
        stepped = Stepper(packed[2], 0.01)(stepped, np.zeros(8))
    np.testing.assert_array_equal(stepped, alone[2][-1])


def test_check_covers_the_form(folder, vehicle):
    report = report_lines(vehicle)
    assert report[0]
    assert "hull force skeg: 1 record, dissipates, fades at the surface" in report[1]
    assert all(finding.holds for finding in check_vehicle(vehicle))
    with pytest.raises(VehicleFileError, match=r"sway damping adds energy at .* with the force skeg"):
        vehicle_in(folder, ENTRY.replace("drag: 40", "drag: -400"), name="wrong.yaml")


def test_scatter_other_water_and_dry_body_follow_the_form(vehicle):
    p = vehicle.parameters
    drawn = scattered(p, Spread(quadratic_damping=0.2), Stream(3, "skeg"))
    factor = drawn.forces[0].records[0].drag / 40.0
    assert factor != 1.0
    assert factor == pytest.approx(drawn.quadratic_damping[1][1] / p.quadratic_damping[1][1], rel=1e-12)
    assert in_water(p, 1.1 * p.density, 9.81).forces[0].records[0] == (0.2, pytest.approx(44.0))
    assert dry(p).forces == ()


def drift(folder, scatter=""):
    """Truth of a drifting vehicle with the force in dense water, from a scenario file."""
    (folder / "drift.yaml").write_text(
        "name: drift\nduration: 2 s\nstep: 10 ms\nlog: {rate: 10 Hz}\n"
        "water: {density: 1100 kg/m3, gravity: 9.81 m/s2}\n"
        "vehicles:\n  - {name: rov, file: with_skeg.yaml, position: [0, 0, 5 m], "
        f"velocity: [0, 0.8 m/s, 0], commands: []{scatter}}}\n"
    )
    log = remora.simulate(folder / "drift.yaml", seed=3)
    return np.column_stack([log["rov/truth"][name] for name in ("p_NB_y", "v_NB_B_y")])


def test_a_scenario_runs_it_in_other_water_and_scattered(folder, vehicle):
    p = in_water(vehicle.parameters, 1100.0, 9.81)
    packed = pack(p)
    start = initial_state(packed, (0.0, 0.0, 5.0), twist=(0, 0.8, 0, 0, 0, 0))
    states = rollout(packed, start, [0.0] * 8, 0.1, 10, intervals=20)
    np.testing.assert_allclose(drift(folder), states[:, [1, 8]], rtol=1e-9, atol=1e-12)
    scattered_run = drift(folder, ", scatter: {quadratic_damping: 20 %}")
    drawn = pack(scattered(p, Spread(quadratic_damping=0.2), Stream(3, "rov/plant")))
    states = rollout(drawn, start, [0.0] * 8, 0.1, 10, intervals=20)
    np.testing.assert_allclose(scattered_run, states[:, [1, 8]], rtol=1e-9, atol=1e-12)


def rate_in_air(parameters):
    """Compiled and plain acceleration 50 m above the water."""
    packed, numbers = pack(parameters), np.zeros(WATER_SIZE)
    state = [0.0, 0.0, -50.0, *STATE[3:], *[0.0] * 8]
    compiled = derivative(packed, state, [0.0] * 8, water=numbers)[7:13]
    water = water_from(numbers.tolist(), SURFACED)
    plain = body_rate_in_water(packed.row.tolist(), packed.layout, tuple(state[:13]), [0.0] * 8, water, 0.0, (0.0,) * 6)
    np.testing.assert_allclose(compiled, plain[7:], rtol=1e-11, atol=1e-12)
    return compiled


def test_the_force_fades_above_the_surface_unless_its_form_says_why_not(folder, vehicle):
    bare = rate_in_air(vehicle.parameters._replace(forces=()))
    np.testing.assert_allclose(rate_in_air(vehicle.parameters), bare, rtol=0, atol=1e-12)
    towed = vehicle_in(folder, ENTRY.replace("SKEG", "TOWED"), name="towed.yaml")
    kept = np.array(towed.parameters.rigid_body_inertia) @ (rate_in_air(towed.parameters) - bare)
    np.testing.assert_allclose(kept, wrench_of_skeg(), rtol=1e-9, atol=1e-9)
    assert "does not fade at the surface (it hangs below the hull" in "\n".join(report_lines(towed)[1])


def test_a_fit_recovers_the_drag_and_writes_it_into_a_file(folder, vehicle, tmp_path):
    record = driven_record(vehicle, seed=4, duration=60.0, noise=(1e-4, 1e-4))
    names = ("forces.skeg.drag", "damping.quadratic.sway", "added_mass.sway")
    truth = values_of(vehicle.parameters, names)
    wrong = replace(vehicle, parameters=with_values(vehicle.parameters, names, 0.7 * truth))
    fit = fit_least_squares(record, wrong, names, axes=("sway", "roll"))
    low, high = fit.intervals(0.999).T
    assert np.all((low < truth) & (truth < high)), fit.table()
    assert fit.sigma[0] < 0.05 * truth[0]
    (tmp_path / "fitted.yaml").write_text(fit.to_yaml())
    again = load_vehicle(tmp_path / "fitted.yaml")
    assert again.parameters.forces[0].records[0].drag == pytest.approx(fit.value("forces.skeg.drag"), rel=1e-12)
    assert again.provenance["forces[0].drag"].sigma == pytest.approx(fit.sigma[0])


def test_copies_in_other_processes_are_equal_and_changed_files_are_refused(folder, vehicle, tmp_path):
    stored = pickle.dumps(vehicle.parameters)
    assert pickle.loads(stored) == vehicle.parameters
    (tmp_path / "stored").write_bytes(stored)
    program = "import pickle, sys; p = pickle.load(open(sys.argv[1], 'rb')); print(p.forces[0].records[0])"
    run = [sys.executable, "-c", program, str(tmp_path / "stored")]
    assert "Skeg(z=0.2, drag=40.0)" in subprocess.run(run, capture_output=True, text=True, check=True).stdout
    moved = tmp_path / "moved"
    moved.mkdir()
    (moved / "skeg.py").write_text(FORM)
    kept = pickle.dumps(vehicle_in(moved).parameters)
    (moved / "skeg.py").write_text(FORM.replace("POWER_SHARE = 1.0", "POWER_SHARE = 0.5"))
    with pytest.raises(ValueError, match="has changed since the vehicle was loaded"):
        pickle.loads(kept)


def test_an_edited_file_is_compiled_again(vehicle, tmp_path):
    """Its content is part of the key of the cache: a constant changes the result."""
    (tmp_path / "skeg.py").write_text(FORM.replace("POWER_SHARE = 1.0", "POWER_SHARE = 0.5"))
    weaker = vehicle_in(tmp_path)
    rates = [
        derivative(pack(parameters), [*STATE, *[0.0] * 8], [0.0] * 8)[7:13]
        for parameters in (vehicle.parameters._replace(forces=()), weaker.parameters, vehicle.parameters)
    ]
    np.testing.assert_allclose(2.0 * (rates[1] - rates[0]), rates[2] - rates[0], rtol=1e-9, atol=1e-11)


MISTAKES = {
    "no such file": ('model: "keel.py:SKEG"', "there is no file"),
    "no such name": ('model: "skeg.py:KEEL"', 'has no Form "KEEL". It has SKEG, TOWED'),
    "no form": ('model: "skeg.py:sqrt"', 'has no Form "sqrt"'),
    "no name": ('model: "skeg.py"', "give the file and the name of the Form in it"),
    "unknown bundled form": ("model: lifft", 'Did you mean "lift"'),
    "a form with a section of its own": ("model: linear", "there is no force form of this name"),
    "unknown parameter": ("z: 20 cm, area: 3", "unknown key"),
    "wrong unit": ("z: 20 kg", 'the unit "kg" does not measure a quantity in m'),
    "missing parameter": ("", "is missing"),
    "not a number": ("z: deep", "expected a number"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_in_the_list_are_named(folder, mistake):
    text, message = MISTAKES[mistake]
    given = text if text.startswith("model") else f'model: "skeg.py:SKEG", {text}'.rstrip(", ")
    others = "z: 20 cm, drag: 40" if text.startswith("model") else "drag: 40"
    with pytest.raises(VehicleFileError) as caught:
        vehicle_in(folder, f"forces: [{{{given}, {others}, source: mine}}]\n", name="mistake.yaml")
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.field.startswith("forces[0]")


def test_a_name_given_twice_and_a_broken_file_are_named(folder, tmp_path):
    twice = ENTRY.replace("forces: [", "").replace("]\n", "")
    with pytest.raises(VehicleFileError, match='another force is called "skeg"'):
        vehicle_in(folder, f"forces: [{twice}, {twice}]\n", name="twice.yaml")
    two = vehicle_in(folder, f"forces: [{twice}, {twice.replace('z:', 'name: second, z:')}]\n", name="two.yaml")
    assert [force.name for force in two.parameters.forces] == ["skeg", "second"]
    (tmp_path / "skeg.py").write_text(FORM.replace("degree=0", "degree=2"))
    with pytest.raises(VehicleFileError, match="degree is 2, but the wrench along one axis does not grow"):
        vehicle_in(tmp_path)
    (tmp_path / "skeg.py").write_text(FORM + "\n1 / 0\n")
    with pytest.raises(VehicleFileError, match=r"skeg.py:\d+ raised ZeroDivisionError"):
        vehicle_in(tmp_path)


def test_bundled_forms_can_be_listed_too():
    text = Path(preset_path("bluerov2_heavy")).read_text(encoding="utf-8")
    listed = "forces: [{model: cross_flow, x: 0.1, sideways: 5 kg/m, vertical: 6 kg/m, source: mine}]\n"
    p = vehicle_from_text(f"{text}\n{listed}").parameters
    assert pack(p).layout.forms == (0, 0, 1, 0, 0)
    assert pack(p).layout.user_forms == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("from remora.equations.algebra.elementary import sqrt", "from math import sqrt", "for arrays of speeds"),
        ("sqrt(abs(v)) * v", "v / sqrt(abs(v)) * abs(v)", "ZeroDivisionError: float division by zero at rest"),
        ("    force = ", "    if v > 0.0:\n        v = 1.0 * v\n    force = ", "for arrays of speeds"),
    ],
)
def test_a_wrench_that_runs_for_single_speeds_only_is_refused_with_its_line(tmp_path, old, new, said):
    assert FORM.count(old) == 1
    (tmp_path / "skeg.py").write_text(FORM.replace(old, new))
    with pytest.raises(VehicleFileError, match=said) as caught:
        vehicle_in(tmp_path)
    assert "forces[0].model" in str(caught.value)
    assert "skeg.py:2" in str(caught.value)
    assert "elementary" in str(caught.value)


def test_a_vehicle_is_not_saved_where_its_force_is_not_found(vehicle, tmp_path):
    with pytest.raises(VehicleFileError, match="there is no file"):
        vehicle.save(tmp_path / "elsewhere" / "copy.yaml")
    assert not (tmp_path / "elsewhere").exists()


def test_equal_files_in_other_folders_do_not_share_compiled_code(tmp_path):
    """The cached code of one folder named a module that a process with another folder does not have."""
    program = (
        "import sys; from remora.plant import derivative, initial_state, pack\n"
        "from remora.vehicles import load_vehicle\n"
        "packed = pack(load_vehicle(sys.argv[1]).parameters)\n"
        "print(derivative(packed, initial_state(packed, twist=(0, 0.5, 0, 0, 0, 0)), [0.0] * 8)[8])"
    )
    printed = set()
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "skeg.py").write_text(FORM)
        vehicle_in(tmp_path / name)
        command = [sys.executable, "-c", program, str(tmp_path / name / "with_skeg.yaml")]
        printed.add(subprocess.run(command, check=True, capture_output=True, text=True, timeout=200).stdout)
    assert len(printed) == 1
