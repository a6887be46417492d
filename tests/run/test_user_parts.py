"""Parts of one's own beside a scenario: made, run, stored, and raised_in by file and line when they are wrong."""

import pytest

from remora.logs import read_log
from remora.report.simulations.summary import run_summary
from remora.run.checkpoint import load_checkpoint, save_checkpoint
from remora.run.loop.loop import Loop, run
from remora.scenarios import ScenarioError, read_scenario

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


STAGE = """\
class Half:
    def __init__(self, vehicle, period, share=0.5):
        self.share = share

    def initial(self):
        return 0

    def step(self, state, time_ns, commands):
        return state + 1, [self.share * command for command in commands]
"""
STAGED = """\
name: staged
duration: 3 s
vehicles:
  - name: rov
    file: vita1
    commands: [{{at: 0 s, set: {{front_port: 20 N, rear_port: 20 N}}}}]
    actuators: {}
"""


def outputs(folder, actuators):
    (folder / "stage.py").write_text(STAGE)
    (folder / "run.yaml").write_text(STAGED.format(actuators))
    loop = Loop(read_scenario(folder / "run.yaml"))
    loop.advance(loop.steps)
    return loop.vehicles[0].state[[14, 16]].tolist()


def test_a_stage_and_start_times_stand_before_the_drives(tmp_path):
    assert outputs(tmp_path, "{}") == pytest.approx([20.0, 20.0], abs=1e-5)
    assert outputs(tmp_path, '{stage: "stage.py:Half"}') == pytest.approx([10.0, 10.0], abs=1e-5)
    shared = '{stage: {part: "stage.py:Half", share: 25 %}, starts: {rear_port: 5 s}}'
    assert outputs(tmp_path, shared) == pytest.approx([5.0, 0.0], abs=1e-5)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return state, commands[:1]", "commands of the stage has shape (1,): give (8,)"),
        ("return state, commands['first']", "its drive stage failed: TypeError: tuple indices must be"),
    ],
)
@pytest.mark.parametrize("others", ["", "  - {name: other, file: vita1, position: [9 m, 0, 0]}\n"])
def test_a_stage_that_fails_is_told_with_its_vehicle_and_time(tmp_path, body, told, others):
    head = STAGE[: STAGE.rindex("return ")]
    (tmp_path / "stage.py").write_text(head + body + "\n")
    (tmp_path / "run.yaml").write_text(STAGED.format('{stage: "stage.py:Half"}') + others)
    outcome = run(read_scenario(tmp_path / "run.yaml"), tmp_path / "log.mcap")
    assert outcome.stopped.startswith(f'"rov": {told}')
    assert outcome.stopped.endswith(", at 0 s")
    assert [event.level for event in read_log(tmp_path / "log.mcap").events][-1] == "fatal"


@pytest.mark.parametrize(
    ("actuators", "told"),
    [
        ("{stage: half}", "expected a stage of your own"),
        ('{stage: "stage.py:Hlf"}', 'Did you mean "Half"'),
        ('{stage: {part: "stage.py:Half", shar: 1}}', "unexpected keyword argument"),
        ("{starts: {rear_prt: 1 s}}", 'Did you mean "rear_port"'),
        ("{starts: {rear_port: -1 s}}", "must not be negative"),
        ("{saturation: maybe}", "expected true or false"),
    ],
)
def test_faults_of_actuators(tmp_path, actuators, told):
    with pytest.raises(ScenarioError) as caught:
        outputs(tmp_path, actuators)
    (problem,) = caught.value.problems
    assert (problem.line, told in str(problem)) == (7, True), str(problem)


REPORTING = """\
class Push:
    def __init__(self, vehicle, period, force=1.0):
        self.force = force

    def initial(self):
        return 0

    def step(self, state, now):
        return state + 1, (self.force, 0.0, 0.0, 0.0, 0.0, 0.0)

    def reports(self, before, after):
        if after == 5:
            yield "warning", "five steps", {"steps": after}
"""


def test_reports_of_a_part_without_log_fields_reach_log_and_summary(tmp_path):
    run(read_scenario(scenario(tmp_path, '{part: "my_parts.py:Push", rate: 10 Hz}', REPORTING)), tmp_path / "run.mcap")
    log = read_log(tmp_path / "run.mcap")
    told = [event for event in log.events if event.text == "five steps"]
    assert [(event.source, event.level, event.data) for event in told] == [("rov/control", "warning", {"steps": 5})]
    assert told[0].time_ns == 400_000_000  # the fifth sample
    assert any("five steps" in text for _, text in run_summary(log))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            '"warning", "five',
            '"warn", "five',
            "not a level (debug, info, warning, error, fatal), a text",
        ),
        ('{"steps": after}', "after", "not a level (debug, info, warning, error, fatal), a text"),
    ],
)
def test_a_report_of_another_form_stops_the_run_by_name(tmp_path, old, new, told):
    file = scenario(tmp_path, '{part: "my_parts.py:Push", rate: 10 Hz}', REPORTING.replace(old, new))
    outcome = run(read_scenario(file), tmp_path / "run.mcap")
    assert told in outcome.stopped
    assert '"rov", control "control"' in outcome.stopped


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("fields = ()", "has fields and no row(output); a part is logged by both together"),
        ("def row(self, output): return ()", "has row and no fields; a part is logged by both together"),
        ('fields, row = ("x",), tuple', "its fields are no tuple of remora.Field"),
        ('needs = "depth"', "its needs are 'depth': give a tuple of attitude, rates, velocity, depth, position"),
        ('needs = ("depht",)', "its needs are ('depht',): give a tuple of"),
    ],
)
def test_an_incomplete_statement_on_log_or_needs_is_refused(tmp_path, lines, told):
    part = REPORTING.replace("class Push:\n", f"class Push:\n    {lines}\n")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(scenario(tmp_path, '{part: "my_parts.py:Push"}', part))
    assert told in str(caught.value)


NAVIGATION = """\
from remora import Estimate


class Own:
    def __init__(self, vehicle, period):
        pass

    def initial(self):
        return 0

    def step(self, state, now):
        t = state
        return t + 1, Estimate(now.time_ns, (0.0, 0.0, 5.0), (1.0, 0.0, 0.0, 0.0), (0.0,) * 6, SIGMA)
"""
NAVIGATED = """\
name: own
duration: 1 s
vehicles:
  - {name: rov, file: vita1, position: [0, 0, 5 m], navigation: {part: "my_parts.py:Own", rate: 10 Hz}}
"""


def navigated(folder, part):
    (folder / "my_parts.py").write_text(part)
    (folder / "run.yaml").write_text(NAVIGATED)
    return run(read_scenario(folder / "run.yaml"), folder / "run.mcap")


def test_standard_deviations_of_own_navigation_reach_the_log(tmp_path):
    outcome = navigated(tmp_path, NAVIGATION.replace("SIGMA", "(0.1 + t, 0.2, 0.3), sigma_v_B=(0.01, 0.02, 0.03)"))
    assert not outcome.stopped
    estimate = read_log(tmp_path / "run.mcap")["rov/estimate"]
    assert estimate["sigma_p_N_x"][-1] == pytest.approx(9.1)  # the tenth sample, at 0.9 s
    assert estimate["sigma_v_B_z"][-1] == 0.03
    assert all(value != value for value in estimate["sigma_turn_B_x"])  # NaN: it states none
    fields = {field.name for field in estimate.channel.fields}
    assert {"sigma_p_N_z", "sigma_turn_B_z"} <= fields


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("(0.0,) * 6", "(0.0,) * 3", "an Estimate whose twist is [0, 0, 0], not 6 numbers"),
        ("(1.0, 0.0, 0.0, 0.0)", "(0.0, 0.0, 0.0)", "an Estimate whose q_NB is [0, 0, 0], not 4 numbers"),
        ("(1.0, 0.0, 0.0, 0.0)", "(0.5, 0.0, 0.0, 0.0)", "q_NB is [0.5, 0, 0, 0], not a unit quaternion"),
        (", SIGMA", ", 0.1", "an Estimate whose sigma_p_N is float 0.1, not 3 numbers"),
    ],
)
def test_an_estimate_of_another_shape_stops_the_run_by_name(tmp_path, old, new, told):
    outcome = navigated(tmp_path, NAVIGATION.replace(old, new).replace(", SIGMA", ""))
    assert told in outcome.stopped
