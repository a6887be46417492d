"""A current model of the user is one file beside the scenario: read, simulated, logged, and raised_in by its line."""

import math

import numpy as np
import pytest
from world_samples import logged, places, sphere_scenario

from remora.run.checkpoint import load_checkpoint, save_checkpoint
from remora.run.loop.loop import Loop, run
from remora.scenarios import ScenarioError
from remora.scenarios.builders.world import CURRENTS
from remora.world.water.local_water import CurrentContext

VORTEX = '''\
"""Water that turns like a solid body about a vertical axis."""

from dataclasses import dataclass

from remora.world import LocalWater


@dataclass(frozen=True)
class Vortex:
    context: object
    rate: float
    center: tuple = (0.0, 0.0)

    def at(self, time_ns, p_N):
        n, e = p_N[0] - self.center[0], p_N[1] - self.center[1]
        w = self.rate
        return LocalWater((-w * e, w * n, 0.0), ((0.0, -w, 0.0), (w, 0.0, 0.0), (0.0, 0.0, 0.0)))


def swell(context, amplitude, period):
    return Swell(amplitude, 6.283185307179586 / period)


class Swell:
    def __init__(self, amplitude, frequency):
        self.amplitude, self.frequency = amplitude, frequency

    def at(self, time_ns, p_N):
        import math

        t, w = 1e-9 * time_ns, self.frequency
        velocity = (self.amplitude * math.sin(w * t), 0.0, 0.0)
        return LocalWater(velocity, rate=(self.amplitude * w * math.cos(w * t), 0.0, 0.0))
'''
RATE, RADIUS = 0.1, 5.0


def vortex_run(folder, duration="60 s"):
    (folder / "vortex.py").write_text(VORTEX)
    top = f'water: {{current: {{kind: "vortex.py:Vortex", rate: {math.degrees(RATE)!r} deg/s, center: [2 m, -1 m]}}}}'
    start = f"name: drifter, position: [{2.0 + RADIUS} m, -1 m, 10 m], velocity: [0, {RATE * RADIUS} m/s, 0]"
    return sphere_scenario(folder, top, [start], duration=duration)


def test_a_neutral_sphere_circles_in_a_vortex_as_the_water_does(tmp_path):
    """Without drag it follows a water particle; a linear flow is exact for the plant, up to the error of RK4."""
    log = logged(vortex_run(tmp_path), tmp_path)
    angle = RATE * log["drifter/truth"].time
    exact = np.column_stack([2.0 + RADIUS * np.cos(angle), -1.0 + RADIUS * np.sin(angle), np.full(len(angle), 10.0)])
    assert angle[-1] > 5.9
    assert np.abs(places(log, "drifter") - exact).max() < 1e-9
    water = log["drifter/water"].table()
    assert np.hypot(water[:, 0], water[:, 1]) == pytest.approx(RATE * RADIUS, abs=1e-9)


def test_a_neutral_sphere_moves_with_a_current_that_oscillates(tmp_path):
    (tmp_path / "vortex.py").write_text(VORTEX)
    swell = '{kind: "vortex.py:swell", amplitude: 30 cm/s, period: 20 s}'
    top = f"water: {{current: [{{kind: uniform, velocity: [0, 0.2 m/s, 0]}}, {swell}]}}"
    log = logged(sphere_scenario(tmp_path, top, ["name: drifter, velocity: [0, 0.2 m/s, 0]"]), tmp_path)
    time, frequency = log["drifter/truth"].time, 2.0 * math.pi / 20.0
    exact = np.column_stack([0.3 / frequency * (1.0 - np.cos(frequency * time)), 0.2 * time, np.zeros(len(time))])
    trapezoidal_error = time[-1] * 0.05**2 / 12.0 * 0.3 * frequency**2  # of samples 50 ms apart
    assert np.abs(places(log, "drifter") - exact).max() < trapezoidal_error


def test_a_resumed_run_is_the_same(tmp_path):
    loop = Loop(vortex_run(tmp_path, "4 s"))
    loop.advance(150)
    save_checkpoint(tmp_path / "point", loop)
    again = Loop(vortex_run(tmp_path, "4 s"))
    again.restore(load_checkpoint(tmp_path / "point", again.setup).snapshot)
    for one in (loop, again):
        one.advance(200)
    assert (loop.vehicles[0].state == again.vehicles[0].state).all()


def test_it_is_made_with_its_site_and_its_options_in_si(tmp_path):
    (tmp_path / "own.py").write_text(
        "from remora.world import LocalWater\n"
        "class Own:\n"
        "    def __init__(self, context, speed, word='none'):\n"
        "        self.context, self.speed, self.word = context, speed, word\n"
        "    def at(self, time_ns, p_N):\n"
        "        return LocalWater((self.speed, 0.0, 0.0))\n"
    )
    top = """
water: {surface_depth: -2 m, current: [{kind: uniform, velocity: [0, 0, 0]},
        {kind: "own.py:Own", speed: 1 kn, word: ebb}]}
bed: {kind: flat, depth: 40 m}
origin: {latitude: 50 deg, longitude: 4 deg}
"""
    setup = sphere_scenario(tmp_path, top, ["name: drifter, position: [0, 0, 9 m]"])
    own = setup.environment.water.fields[1].inner
    assert (own.speed, own.word) == (1852.0 / 3600.0, "ebb")
    assert isinstance(own.context, CurrentContext)
    assert (own.context.level, own.context.flat_bed, own.context.folder) == (-2.0, 40.0, tmp_path)
    assert own.context.origin.latitude == math.radians(50.0)
    assert own.context.stream.name == "world/current_1"


WRONG = """\
from remora.world import LocalWater


class Good:
    def __init__(self, context, speed):
        self.speed = speed

    def at(self, time_ns, p_N):
        return LocalWater((self.speed, 0.0, 0.0))


class Bare:
    def __init__(self, context):
        pass


class Returns:
    def __init__(self, context, what):
        self.what = what

    def at(self, time_ns, p_N):
        nan = float("nan")
        return {
            "tuple": (0.1, 0.0, 0.0),
            "nothing": None,
            "nan": LocalWater((nan, 0.0, 0.0)),
            "two": LocalWater((0.1, 0.2)),
            "text": LocalWater(("0.1", 0.0, 0.0)),
            "gradient": LocalWater((0.1, 0.0, 0.0), (0.0, 0.0, 0.0)),
            "rate": LocalWater((0.1, 0.0, 0.0), rate=(0.0, 0.0, nan)),
        }[self.what]


def broken(context):
    raise RuntimeError("no chart")


number = 3
"""


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('{kind: "none.py:Good"}', "there is no file"),
        ('{kind: "wrong.py"}', "give the file and the name in it, e.g. my_file.py:MyCurrent"),
        ('{kind: "wrong.py:God"}', 'Did you mean "Good"'),
        ('{kind: "wrong.py:number"}', "that can be called"),
        ('{kind: "wrong.py:Good"}', "missing a required argument: 'speed'"),
        ('{kind: "wrong.py:Good", speed: 1, sped: 1}', "unexpected keyword argument 'sped'"),
        ('{kind: "wrong.py:Good", speed: 1 parsec}', 'the unit "parsec" is not known'),
        ('{kind: "wrong.py:Bare"}', "has no at; a current needs at(time_ns, p_N)"),
        ('{kind: "wrong.py:broken"}', "wrong.py:35 raised RuntimeError: no chart while the current was made"),
        ('{kind: "wrong.py:Returns", what: tuple}', "at returned tuple (0.1, 0.0, 0.0), not a LocalWater"),
        ('{kind: "wrong.py:Returns", what: nothing}', "at returned NoneType"),
        ('{kind: "wrong.py:Returns", what: other}', "wrong.py:23 raised KeyError: 'other'"),
        ('{kind: "wrong.py:Returns", what: nan}', "velocity of the water is (nan, 0.0, 0.0): give finite numbers"),
        ('{kind: "wrong.py:Returns", what: two}', "velocity of the water is (0.1, 0.2): give a tuple of three"),
        ('{kind: "wrong.py:Returns", what: text}', "velocity of the water is ('0.1', 0.0, 0.0)"),
        ('{kind: "wrong.py:Returns", what: gradient}', "gradient of the water is 0.0: give a tuple of three"),
        ('{kind: "wrong.py:Returns", what: rate}', "rate of the water is (0.0, 0.0, nan): give finite numbers"),
        ("{kind: vortecs}", "is no kind of current"),
        ("{kind: unifrom}", "Your own is my_file.py:MyCurrent."),
    ],
)
def test_faults_are_told_once_at_the_line_of_the_current(tmp_path, entry, told):
    (tmp_path / "wrong.py").write_text(WRONG)
    with pytest.raises(ScenarioError) as caught:
        sphere_scenario(tmp_path, f"water:\n  current:\n    - {entry}", ["name: drifter"])
    (problem,) = caught.value.problems
    assert told in str(problem)
    assert problem.line == 6
    assert problem.field.startswith("water.current[0]")


@pytest.mark.parametrize(
    ("text", "told"), [("x = (", ":1 raised SyntaxError"), ("\nimport nothing_such", ":2 raised ModuleNotFoundError")]
)
def test_a_file_that_does_not_load_is_blamed_by_its_line(tmp_path, text, told):
    (tmp_path / "wrong.py").write_text(text)
    with pytest.raises(ScenarioError, match="wrong") as caught:
        sphere_scenario(tmp_path, 'water: {current: {kind: "wrong.py:Good"}}', ["name: drifter"])
    assert told in str(caught.value)


def test_a_failure_in_a_run_is_told_with_file_line_and_time(tmp_path):
    (tmp_path / "late.py").write_text(
        "from remora.world import LocalWater\n"
        "class Late:\n"
        "    def __init__(self, context):\n"
        "        pass\n"
        "    def at(self, time_ns, p_N):\n"
        "        return LocalWater((0.1 / (time_ns < 500_000_000), 0.0, 0.0))\n"
    )
    setup = sphere_scenario(tmp_path, 'water: {current: {kind: "late.py:Late"}}', ["name: drifter"], duration="2 s")
    stopped = run(setup, tmp_path / "run.mcap").stopped
    assert stopped.startswith('"drifter": ')
    assert "late.py:6 raised ZeroDivisionError" in stopped
    assert ", at 0.45 s" in stopped


def test_every_bundled_kind_is_in_its_own_file():
    homes = [kind.make.__module__ for kind in CURRENTS.values()]
    assert len(set(homes)) == len(homes) == 6
    for name, kind in CURRENTS.items():
        assert kind.section.__module__ == kind.make.__module__
        assert kind.section.model_fields["kind"].annotation.__args__ == (name,)
