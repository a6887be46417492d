"""What differs from thruster to thruster by chance, commands in steps, and commands by pulse width."""

import json
from dataclasses import replace

import numpy as np
import pytest

from driven_vehicles import FORCE_LAW, driven
from remora.logs import read_log
from remora.run.loop.loop import Loop, run
from remora.run.plant.drive import make_drive
from remora.scenarios import ScenarioError, scenario_from_text
from remora.sensors.errors.streams import Stream
from remora.vehicles import VehicleFileError, load_vehicle
from remora.vehicles.parameters import with_direct_commands, with_pulse_commands
from remora.vehicles.variants.scatter import Spread, scattered

RUNS = 400


def setup_of(vehicle, actuators, more="", seed=1):
    return scenario_from_text(f"""\
name: drives
duration: 1 s
seed: {seed}
vehicles:
  - name: rov
    file: {vehicle}
    actuators: {actuators}
    {more}
""")


def drive_of(*given, **named):
    return setup_of(*given, **named).vehicles[0].drive


def test_a_dead_band_is_drawn_uniformly_for_each_thruster_and_run():
    vehicle = driven(FORCE_LAW, "dead_band_range: [1 N, 3 N]", "dead_band_range: [1 N, 3 N]")
    bands = np.array([[d.dead_band for d in make_drive(vehicle, seed, "rov").drives] for seed in range(RUNS)])
    assert 1.0 <= bands.min() < 1.02
    assert 2.98 < bands.max() < 3.0
    assert bands.mean() == pytest.approx(2.0, abs=0.08)
    assert bands.std() == pytest.approx(2.0 / np.sqrt(12.0), rel=0.08)
    assert abs(np.corrcoef(bands.T)[0, 1]) < 0.15
    again = make_drive(vehicle, 7, "rov")
    assert [d.dead_band for d in again.drives] == pytest.approx(bands[7], abs=0.0)
    _, demand = again.step(again.initial(), 0, [0.999 * again.drives[0].dead_band, 3.0])
    assert demand.before_saturation == (0.0, 3.0)


def test_controllers_know_the_least_dead_band_only():
    vehicle = driven(FORCE_LAW, "dead_band_range: [1 N, 3 N]")
    assert vehicle.parameters.drives[0].dead_band == 1.0


def test_uniform_scatter_of_units():
    vehicle = driven(FORCE_LAW, "scatter_range: [-10 %, 20 %]")
    drawn = np.array([make_drive(vehicle, seed, "rov").thrust_factors[0] for seed in range(RUNS)])
    assert 0.9 <= drawn.min() < 0.91
    assert 1.19 < drawn.max() < 1.2
    assert drawn.mean() == pytest.approx(1.05, abs=0.02)
    assert drawn.std() == pytest.approx(0.3 / np.sqrt(12.0), rel=0.08)


def test_a_falcon_takes_whole_percents_and_has_a_dead_band_of_up_to_five():
    """The chosen set of drives for the simulations of Proctor 2014."""
    chosen = "{resolution: 1, dead_band_range: [0, 5]}"
    drives = [drive_of("falcon", chosen, seed=seed) for seed in range(12)]
    bands = np.array([[d.dead_band for d in drive.drives] for drive in drives])
    assert bands.min() >= 0.0
    assert 4.0 < bands.max() < 5.0
    assert len(np.unique(bands)) == bands.size
    assert {d.delay_ns for d in drives[0].drives} == {40_000_000}  # that of the file stays
    _, demand = drives[0].step(drives[0].initial(), 0, [50.4, -50.6, 0.3, 99.7, 12.0])
    assert demand.before_saturation == (50.0, -51.0, 0.0, 100.0, 12.0)


def test_a_seed_gives_the_same_run_again_and_another_one_another():
    more = "commands: [{at: 0 s, set: {vertical: 4.5, front_port: 3, rear_port: 2.2}}]"
    ends = []
    for seed in (5, 5, 6, 8):
        loop = Loop(setup_of("falcon", "{resolution: 1, dead_band_range: [0, 5]}", more, seed))
        loop.advance(100)
        ends.append(loop.vehicles[0].state)
    assert np.array_equal(ends[0], ends[1])
    assert not np.array_equal(ends[0], ends[2])
    assert not np.array_equal(ends[2], ends[3])


def test_a_log_tells_what_was_drawn_so_that_a_fit_can_be_judged(tmp_path):
    setup = setup_of("falcon", "{dead_band_range: [0, 5]}")
    run(setup, tmp_path / "run.mcap")
    told = json.loads(read_log(tmp_path / "run.mcap").header.notes["drives rov"])
    drive = setup.vehicles[0].drive
    assert told == {name: {"dead_band": d.dead_band} for name, d in zip(drive.names, drive.drives, strict=True)}
    plain = setup_of("falcon", "{saturation: true}")
    assert plain.vehicles[0].drive.drawn == {}


@pytest.mark.parametrize(
    ("vehicle", "actuators", "words"),
    [
        ("falcon", "{dead_band_range: [5, 0]}", r"dead_band_range.*\[lowest, highest\]"),
        ("falcon", "{dead_band_range: [-1, 5]}", "dead_band_range"),
        ("falcon", "{dead_band: 1 N}", "does not measure"),
        ("falcon", "{dead_band: 1, dead_band_range: [0, 5]}", "beside dead_band"),
        ("bluerov2", "{commands: pulses, dead_band: 25}", "us"),
        ("falcon", "{commands: pulses}", "has no pulse"),
        ("falcon", "{commands: micros}", "commands"),
        ("sphere_bare", "{resolution: 1}", "no thrusters"),
    ],
)
def test_wrong_drives_of_a_scenario_are_refused(vehicle, actuators, words):
    with pytest.raises(ScenarioError, match=words):
        setup_of(vehicle, actuators)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("dead_band_range: [3 N, 1 N]", "lowest, highest"),
        ("dead_band_range: [1 us, 2 us]", "does not measure"),
        ("dead_band: 1 N, dead_band_range: [0 N, 1 N]", "beside dead_band"),
        ("scatter_range: [-50 %, 10 %]", "between"),
        ("scatter: 3 %, scatter_range: [-3 %, 3 %]", "beside scatter"),
        ("commands: direct", "is not used without"),
    ],
)
def test_wrong_drives_of_a_vehicle_file_are_refused(fields, words):
    with pytest.raises(VehicleFileError, match=words):
        driven(FORCE_LAW, fields)


def test_uniform_scatter_of_a_plant():
    """Every figure within its share, as often high as low, and never more than that."""
    parameters = load_vehicle("falcon").parameters
    spread = Spread(mass=0.2, added_mass=0.2, quadratic_damping=0.2, thrust=0.1, uniform=True)
    drawn = [scattered(parameters, spread, Stream(seed, "rov/plant")) for seed in range(200)]
    factors = np.array([p.mass for p in drawn]) / parameters.mass
    assert 0.8 <= factors.min() < 0.81
    assert 1.19 < factors.max() <= 1.2
    assert factors.std() == pytest.approx(0.4 / np.sqrt(12.0), rel=0.1)
    added = np.array([p.added_mass[1][1] for p in drawn]) / parameters.added_mass[1][1]
    assert np.abs(added - 1.0).max() <= 0.2 + 1e-12
    thrust = np.array([[t.effectiveness_forward for t in p.thrusters[:4]] for p in drawn])
    assert np.abs(thrust - 1.0).max() <= 0.1
    assert abs(np.corrcoef(factors, added)[0, 1]) < 0.2


def test_uniform_scatter_in_a_scenario_and_its_limit():
    more = "scatter: {distribution: uniform, mass: 20 %, thrust: 10 %}"
    (vehicle,) = setup_of("falcon", "{saturation: true}", more).vehicles
    ratio = vehicle.plant.vehicle.parameters.mass / vehicle.nominal.parameters.mass
    assert ratio != 1.0
    assert 0.8 <= ratio <= 1.2
    with pytest.raises(ScenarioError, match="at most"):
        setup_of("falcon", "{saturation: true}", more.replace("20 %", "100 %"))


PULSED = {
    "bluerov": ("surge_port", 1700.0, 2000.0 * np.pi / 30.0, 1.0),
    "bluerov_cfd": ("surge_port", 1700.0, 2000.0 * np.pi / 30.0, 1.0),
    "bluerov2": ("front_port", 1900.0, 51.48, 1e-9),
    "bluerov2_heavy": ("front_port", 1100.0, -39.91, 1e-9),
    "sphere_with_thruster": ("t200", 1600.0, 5.643, 1e-9),
}


@pytest.mark.parametrize("name", PULSED)
def test_presets_take_pulses_where_a_scenario_asks_for_them(name):
    thruster, pulse, wanted, tolerance = PULSED[name]
    more = f"commands: [{{at: 0 s, set: {{{thruster}: {pulse} us}}}}]"
    (vehicle,) = setup_of(name, "{commands: pulses}", more).vehicles
    place = vehicle.nominal.parameters.thruster_names.index(thruster)
    count = len(vehicle.nominal.parameters.thrusters)
    commands = [1500.0] * count
    commands[place] = pulse
    _, demand = vehicle.drive.step(vehicle.drive.initial(), 0, commands)
    assert demand.before_saturation[place] == pytest.approx(wanted, abs=tolerance)
    _, demand = vehicle.drive.step(vehicle.drive.initial(), 0, [1524.0] * count)
    assert demand.before_saturation == (0.0,) * count  # within the dead band


@pytest.mark.parametrize("name", PULSED)
def test_presets_take_their_own_units_by_default(name):
    parameters = load_vehicle(name).parameters
    assert parameters.drives == ()
    assert with_direct_commands(with_pulse_commands(parameters)) == parameters
    with pytest.raises(ScenarioError, match="does not measure"):
        setup_of(name, "{saturation: true}", f"commands: [{{at: 0 s, set: {{{PULSED[name][0]}: 1600 us}}}}]")


def test_a_loop_flies_alike_by_pulses_and_by_newtons():
    """Allocation inverts the law: the same way while forces are large; near the end the dead band leaves a little."""
    more = """navigation: truth
    guidance: {part: hold, rate: 10 Hz, position: [1 m, 0, 1 m], heading: 0}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}"""
    ways = []
    for commands in ("direct", "pulses"):
        setup = setup_of("bluerov2_heavy", f"{{commands: {commands}}}", more)
        loop = Loop(replace(setup, duration_ns=40_000_000_000))
        loop.advance(500)
        early = loop.vehicles[0].state[:3].copy()
        loop.advance(4000)
        ways.append((early, loop.vehicles[0].state[:3]))
    (direct, direct_end), (pulsed, pulsed_end) = ways
    assert np.abs(direct[[0, 2]]).min() > 0.2
    assert pulsed == pytest.approx(direct, abs=0.05)
    assert direct_end == pytest.approx([1.0, 0.0, 1.0], abs=0.01)
    assert pulsed_end == pytest.approx(direct_end, abs=0.12)


@pytest.mark.parametrize(
    "more",
    [
        "commands: [{at: 0.5 s, set: {front_port: 1500 us}}]",
        """navigation: {part: truth, start: 0.9 s}
    guidance: {part: hold, rate: 10 Hz}
    control: {part: position, rate: 10 Hz}
    allocation: {part: bounded, rate: 10 Hz}""",
    ],
)
def test_thrusters_that_take_pulses_rest_at_neutral_and_not_at_zero(more):
    """A pulse width of zero would be full thrust astern."""
    loop = Loop(setup_of("bluerov2_heavy", "{commands: pulses}", more))
    loop.advance(80)
    assert np.abs(loop.vehicles[0].state[13:]).max() == 0.0
    assert np.all(loop.vehicles[0].actuators.commands[1:] == 1500.0)


def test_the_pilot_gives_pulses_where_its_vehicle_takes_them():
    more = """navigation: truth
    guidance: {part: dive_and_turn, rate: 10 Hz, depth: 1 m}
    control: {part: autopilot, rate: 10 Hz}"""
    loop = Loop(setup_of("bluerov2_heavy", "{commands: pulses}", more))
    loop.advance(100)
    assert np.all((loop.vehicles[0].actuators.commands >= 1100.0) & (loop.vehicles[0].actuators.commands <= 1900.0))
    assert loop.vehicles[0].state[9] > 0.05  # it sinks
