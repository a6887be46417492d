"""Worlds of scenario files: every key becomes what it says, and what is wrong is told with its line."""

import math
from pathlib import Path

import numpy as np
import pytest

from remora.equations.geometry.earth import Geodetic
from remora.files.document import parse_document, problem_at
from remora.scenarios.builders.world import world_from
from remora.scenarios.load_context import SCENARIO_FILE, LoadContext
from remora.sensors.errors.streams import Stream
from remora.vehicles.vehicle_reader import load_vehicle
from remora.world import (
    NO_SURFACE,
    Ball,
    Box,
    CompositeCurrent,
    Constituent,
    FlatBed,
    GridBed,
    Gusts,
    Pipe,
    PowerLaw,
    ProfileBed,
    Rectangle,
    Scene,
    Sheared,
    Tide,
    Tunnel,
    Uniform,
    Waves,
    World,
)

SECOND = 1_000_000_000
WATCH_ALL = """\
water:
  surface_depth: -2 m
  current:
    - {kind: uniform, velocity: [0.1 m/s, 0, 0]}
    - {kind: shear, depths: [0, 10 m], velocities: [[0.3, 0, 0], [0.1, 0.05, 0]]}
    - {kind: power_law, velocity: [1 kn, 0, 0], exponent: 0.2}
    - {kind: gusts, std: [2 cm/s, 2 cm/s, 0.5 cm/s], correlation_time: 30 s}
    - {kind: tide, amplitude: 0.4 m/s, constituent: M2, direction: 90 deg, phase: 10 deg, minor: -0.1 m/s}
  waves: {significant_height: 0.5 m, peak_period: 4 s, direction: 45 deg, peakedness: 1, spreading: 4}
  column: {depths: [0, 30 m], temperatures: [15, 8], salinities: [34, 35]}
bed: {kind: flat, depth: 40 m}
obstacles:
  - {kind: box, name: crate, center: [5 m, 0, 39 m], size: [2 m, 1 m, 1 m], heading: 30 deg}
  - {kind: pipe, name: pipeline, start: [0, -50 m, 39.8 m], end: [0, 50 m, 39.8 m], diameter: 40 cm}
  - {kind: ball, name: buoy, center: [0, 0, 1 m], diameter: 1 m}
contact: {restitution: 0.2, friction: 0.6, contact_time: 0.2 s, sizes: {rov: [0.5 m, 0.4 m, 0.3 m]}}
"""


def read(text, folder=".", **setting):
    """The world of a text, and the problems with it as they are printed."""
    document = parse_document(text, "s.yaml", SCENARIO_FILE)
    context = LoadContext(Path(folder), 10_000_000, SECOND, 7, World(**setting), [], [], [], [])
    world = world_from(document.data, context)
    return world, [str(problem_at(document, finding)) for finding in (*document.findings, *context.findings)]


def test_every_key_becomes_what_it_says():
    world, problems = read(WATCH_ALL, surface_depth=-2.0, gravity=9.82)
    assert problems == []
    uniform, shear, power, gusts, tide, waves = world.water.fields
    assert uniform == Uniform((0.1, 0.0, 0.0))
    assert shear == Sheared((0.0, 10.0), ((0.3, 0.0, 0.0), (0.1, 0.05, 0.0)), -2.0)
    assert power == PowerLaw((1852.0 / 3600.0, 0.0, 0.0), 40.0, -2.0, 0.2)
    same = Gusts((0.02, 0.02, 0.005), (30.0, 30.0, 30.0), Stream(7, "world/current_3"))
    assert gusts.at(99 * SECOND, (0, 0, 0)) == same.at(99 * SECOND, (0, 0, 0))
    m2 = Constituent(0.4, 44714.16432, math.radians(90.0), math.radians(10.0), -0.1)
    assert tide == Tide((m2,))
    assert isinstance(waves, Waves)
    assert (waves.peakedness, waves.spreading, waves.water_depth, waves.gravity) == (1.0, 4.0, 42.0, 9.82)
    assert world.water.level == -2.0
    assert world.column.density(0.0) == pytest.approx(1025.2, abs=0.2)
    assert world.scene.bed == FlatBed(40.0)
    crate, pipe, buoy = world.scene.obstacles
    assert crate == Box("crate", (5.0, 0.0, 39.0), (2.0, 1.0, 1.0), math.radians(30.0))
    assert pipe == Pipe("pipeline", (0.0, -50.0, 39.8), (0.0, 50.0, 39.8), 0.2)
    assert buoy == Ball("buoy", (0.0, 0.0, 1.0), 0.5)
    assert (world.contact.restitution, world.contact.friction, world.contact.contact_time) == (0.2, 0.6, 0.2)
    contacts = world.contacts({"rov": load_vehicle("bluerov2_heavy").parameters}, 0.01)
    assert contacts["rov"].bodies["rov"].spheres[0].radius == 0.15
    assert world.steady_current is None


def test_a_plain_velocity_is_a_steady_current():
    tunnel = Tunnel(Rectangle(4.0, 4.0))
    world, problems = read("water: {current: [0.05 m/s, -0.03 m/s, 0]}", scene=Scene((tunnel,), FlatBed(9.0)))
    assert problems == []
    assert world.steady_current == (0.05, -0.03, 0.0)
    assert (world.scene.tunnels, world.scene.bed, world.water.level) == ((tunnel,), FlatBed(9.0), NO_SURFACE)
    assert world.contacts({}, 0.01) == {}
    assert read("name: nothing")[0] == World() == World(CompositeCurrent(()))
    assert World().steady_current == (0.0, 0.0, 0.0)
    assert read("contact: true")[0].contact is not None
    assert read("contact: false")[0].contact is None


def test_beds_of_every_kind(tmp_path):
    profile, problems = read("bed: {kind: profile, distances: [0, 9 m], depths: [5 m, 6 m], heading: 90 deg}")
    assert (profile.scene.bed, problems) == (ProfileBed((0.0, 9.0), (5.0, 6.0), (0.0, 0.0), math.radians(90.0)), [])
    here, problems = read("bed: {kind: grid, norths: [0, 9 m], easts: [0, 1 m], depths: [[5 m, 6 m], [7 m, 8 m]]}")
    assert isinstance(here.scene.bed, GridBed)
    assert (here.scene.bed.depth_at(9.0, 0.0), problems) == (7.0, [])
    (tmp_path / "map.asc").write_text(
        "ncols 3\nnrows 2\nxllcorner -5\nyllcorner 0\ncellsize 10\nNODATA_value -99\n-1 -2 -3\n-4 -99 -6\n"
    )
    mapped, problems = read("bed: {kind: grid, file: map.asc}", tmp_path, surface_depth=1.0)
    bed = mapped.scene.bed
    assert problems == []
    assert (bed.norths, bed.easts) == ((5.0, 15.0), (0.0, 10.0, 20.0))
    assert (bed.depth_at(15.0, 0.0), bed.depth_at(5.0, 0.0), bed.depth_at(5.0, 10.0)) == (2.0, 5.0, None)


def test_a_current_from_a_file(tmp_path):
    from scipy.io import netcdf_file

    with netcdf_file(tmp_path / "sea.nc", "w") as file:
        for axis, numbers in {"lat": [50.0, 50.1], "lon": [4.0, 4.1]}.items():
            file.createDimension(axis, 2)
            file.createVariable(axis, "d", (axis,))[:] = numbers
        for name, speed in {"u": 0.2, "v": 0.1}.items():
            file.createVariable(name, "d", ("lat", "lon"))[:] = np.full((2, 2), speed)
    origin = Geodetic(math.radians(50.05), math.radians(4.05), 0.0)
    world, problems = read("water: {current: {kind: grid, file: sea.nc}}", tmp_path, origin=origin)
    assert problems == []
    assert world.at(0, (0.0, 0.0, 5.0)).velocity == pytest.approx((0.1, 0.2, 0.0))
    _, problems = read("water: {current: {kind: grid, file: sea.nc}}", tmp_path)
    assert "Say where N is" in problems[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("water: {current: {kind: shear}}", "depths"),
        ("water: {current: {kind: sheer, depths: [0]}}", 'Did you mean "shear"'),
        ("water: {current: [{kind: gusts, std: 1 m, correlation_time: 3 s}]}", "water.current[0].std"),
        ("water: {current: [{kind: gusts, std: [1, 2], correlation_time: 3 s}]}", "or three"),
        ("water: {current: {kind: gusts, std: 1, correlation_time: 0 s}}", "correlation time of gusts"),
        ("water: {current: {kind: shear, depths: [0, 1], velocities: [[1, 2, 3]]}}", "one velocity for each depth"),
        ("water: {current: {kind: shear, depths: [1, 0], velocities: [[1, 2, 3], [1, 2, 3]]}}", "growing order"),
        ("water: {current: {kind: shear, depths: [1], velocities: [1]}}", "[north, east, down]"),
        ("water: {current: {kind: power_law, velocity: [1, 0, 0]}}", "needs a flat bed, or water_depth"),
        ("water: {current: {kind: tide, amplitude: 1 m/s}}", "needs one of period and constituent"),
        ("water: {current: {kind: grid, file: none.nc}}", "No such file"),
        ("water: {current: 3}", "a mapping with the key kind"),
        ("water: {waves: {significant_height: 1 m}}", "peak_period"),
        ("water: {waves: {significant_height: 1 m, peak_period: 5 s, peakedness: 9}}", "peakedness"),
        ("water: {waves: 5}", "waves"),
        ("water: {column: {depths: [0], densities: [1000], salinities: [35]}}", "needs densities with sound_speeds"),
        ("water: {column: {depths: [0, 1], densities: [1000], sound_speeds: [1500]}}", "different lengths"),
        ("water: {column: {depths: [0], temperatures: [99], salinities: [35]}}", "40 degrees"),
        ("bed: {kind: flat}", "depth"),
        ("bed: flat", "a mapping with the key kind"),
        ("bed: {kind: grid, norths: [0, 1], easts: [0, 1], depths: [[1, 2], [3]]}", "different lengths"),
        ("bed: {kind: grid, depths: [[1, 2], [3, 4]]}", "bed.norths"),
        ("bed: {kind: grid, file: none.asc}", "No such file"),
        ("obstacles: {kind: ball}", "expected a list"),
        ("obstacles: [{kind: ball, name: bed, center: [0, 0, 0], diameter: 1 m}]", "is taken already"),
        ("obstacles: [{kind: ball, name: a, center: [0, 0, 0], diameter: -1 m}]", "diameter"),
        ("obstacles: [{kind: box, name: a, center: [0, 0, 0], size: [1, 0, 1]}]", "sizes of a"),
        ("obstacles: [{kind: cone, name: a}]", "is no kind of obstacle"),
        ("contact: {restitution: 0}", "contact.restitution"),
        ("contact: {frictoin: 0.1}", 'Did you mean "friction"'),
        ("contact: {sizes: {rov: [1 m, 0, 1 m]}}", "above zero"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, words):
    _, problems = read(text)
    assert problems
    assert words in "\n".join(problems)
    assert all(problem.startswith("s.yaml:1") for problem in problems)


def test_two_beds_are_one_too_many():
    _, problems = read("bed: {kind: flat, depth: 4 m}", scene=Scene((), FlatBed(5.0)))
    assert "Keep one" in problems[0]
