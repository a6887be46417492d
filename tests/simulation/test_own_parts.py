"""Parts of one's own beside a scenario: made, run, stored, and blamed by file and line when they are wrong."""

import pytest

from remora.simulation.checkpoint import load_checkpoint, save_checkpoint
from remora.simulation.loop import Loop
from remora.simulation.scenarios import ScenarioError, read_scenario

SCENARIO = """\
name: own
duration: 2 s
vehicles:
  - name: rov
    file: vita1
    navigation: {{part: truth, rate: 10 Hz}}
    control: {control}
    allocation: pseudo_inverse
"""
PART = '''\
from typing import NamedTuple


class Memory(NamedTuple):
    steps: int


class Push:
    """Pushes ahead."""

    def __init__(self, vehicle, period, force, word="none"):
        self.force, self.period, self.mass, self.word = force, period, vehicle.parameters.mass, word

    def initial(self):
        return Memory(0)

    def step(self, state, now):
        return Memory(state.steps + 1), (self.force, 0.0, 0.0, 0.0, 0.0, 0.0)


def not_a_part(vehicle, period):
    return 3


def broken(vehicle, period):
    raise RuntimeError("no such luck")


number = 3
'''


def scenario(folder, control, part=PART):
    (folder / "my_parts.py").write_text(part)
    (folder / "run.yaml").write_text(SCENARIO.format(control=control))
    return folder / "run.yaml"


def test_it_is_made_with_vehicle_period_and_options_and_runs(tmp_path):
    file = scenario(tmp_path, '{part: "my_parts.py:Push", rate: 20 Hz, force: 3 kN, word: hello}')
    setup = read_scenario(file)
    own = setup.vehicles[0].parts[1].part.inner
    assert (own.force, own.period, own.mass, own.word) == (3000.0, 0.05, 13.5, "hello")
    loop = Loop(setup)
    loop.advance(50)
    assert loop.vehicles[0].state[7] > 0.1
    save_checkpoint(tmp_path / "point", loop)
    again = Loop(read_scenario(file))
    again.restore(load_checkpoint(tmp_path / "point", again.setup).snapshot)
    for one in (loop, again):
        one.advance(100)
    assert (loop.vehicles[0].state == again.vehicles[0].state).all()


def test_its_default_name_is_that_of_its_role(tmp_path):
    part = read_scenario(scenario(tmp_path, '{part: "my_parts.py:Push", force: 1}')).vehicles[0].parts[1]
    assert part.name == "control"


@pytest.mark.parametrize(
    ("control", "told"),
    [
        ('{part: "none.py:Push"}', "there is no file"),
        ('{part: "my_parts.py"}', "give the file and the name in it"),
        ('{part: "my_parts.py:Psh"}', 'Did you mean "Push"'),
        ('{part: "my_parts.py:number"}', "that can be called"),
        ('{part: "my_parts.py:Push"}', "missing a required argument: 'force'"),
        ('{part: "my_parts.py:Push", force: 1, forces: 2}', "unexpected keyword argument 'forces'"),
        ('{part: "my_parts.py:Push", force: 1 parsec}', 'the unit "parsec" is not known'),
        ('{part: "my_parts.py:not_a_part"}', "has no initial and no step"),
        ('{part: "my_parts.py:broken"}', "my_parts.py:26 raised RuntimeError: no such luck"),
        ('{part: "my_parts.py:Push", force: 1, rate: 3 Hz}', "no multiple of the step"),
    ],
)
def test_faults_are_told_at_the_line_of_the_part(tmp_path, control, told):
    with pytest.raises(ScenarioError) as caught:
        read_scenario(scenario(tmp_path, control))
    (problem,) = caught.value.problems
    assert told in str(problem)
    assert problem.line == 7


@pytest.mark.parametrize(
    ("text", "told"), [("x = (", ":1 raised SyntaxError"), ("\nimport nothing_such", ":2 raised ModuleNotFoundError")]
)
def test_a_file_that_does_not_load_is_blamed_by_its_line(tmp_path, text, told):
    with pytest.raises(ScenarioError, match="my_parts") as caught:
        read_scenario(scenario(tmp_path, '{part: "my_parts.py:Push"}', text))
    assert told in str(caught.value)
