"""A user-defined controller and a user-defined sensor on a bundled vehicle: from the files to the depth it holds."""

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.logs import read_log
from remora.scenarios import ScenarioError, read_scenario

FILES = {
    "depth_control.py": '''\
from typing import NamedTuple


class Integral(NamedTuple):
    error: float


class DepthControl:
    """PID control of the depth by the heave force."""

    needs = ("depth", "velocity")

    def __init__(self, vehicle, period, depth, gain=80.0, damping=120.0, integral_gain=15.0):
        self.period, self.depth, self.gains = period, depth, (gain, damping, integral_gain)

    def initial(self):
        return Integral(0.0)

    def step(self, state, now):
        if now.estimate is None or not now.estimate.is_complete:
            return state, None
        error = self.depth - now.estimate.p_NB[2]
        state = Integral(state.error + error * self.period)
        gain, damping, integral_gain = self.gains
        force = gain * error - damping * now.estimate.twist[2] + integral_gain * state.error
        return state, (0.0, 0.0, force, 0.0, 0.0, 0.0)
''',
    "float_line.py": '''\
from remora.sensors import Measurement, MeasuredQuantity, SensorChannel, Status, selected


class FloatLine(Measurement):
    """Length of a line to a float on the surface."""

    channels = (SensorChannel("depth", "m"),)
    quantities = {"depth": MeasuredQuantity(selected(-1, -1, 0))}

    def read(self, truth, environment):
        return Status.OK, (truth.p_NB[2] - environment.surface_depth,)
''',
    "run.yaml": """\
name: hold_depth
duration: 30 s
water: {bottom_depth: 20 m}
vehicles:
  - name: rov
    file: bluerov2_heavy
    position: [0, 0, 5 m]
    sensors:
      - {name: ahrs, kind: ahrs, position: [0, 0, 0], rate: 20 Hz}
      - {name: gyro, kind: gyro, position: [0, 0, 0], rate: 20 Hz}
      - {name: dvl, kind: dvl, position: [0, 0, 0], rate: 10 Hz}
      - {name: line, kind: "float_line.py:FloatLine", position: [0, 0, 0], rate: 10 Hz, parameters: {std: 2 cm}}
    navigation: {part: instruments, rate: 20 Hz, attitude: ahrs, rates: gyro, velocity: dvl, depth: line}
    control: {part: "depth_control.py:DepthControl", rate: 20 Hz, depth: 700 cm}
    allocation: pseudo_inverse
""",
}


def written(folder, **changes):
    for name, text in FILES.items():
        (folder / name).write_text(text)
    text = FILES["run.yaml"]
    for old, new in changes.values():
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "run.yaml").write_text(text)
    return folder / "run.yaml"


def test_it_holds_the_depth_that_its_sensor_measures(tmp_path):
    file = written(tmp_path)
    done = CliRunner().invoke(main, ["run", str(file), "--out", str(tmp_path / "run.mcap")])
    assert done.exit_code == 0, done.output
    log = read_log(tmp_path / "run.mcap")
    truth, estimate = log["rov/truth"], log["rov/estimate"]
    late = truth.time_ns > 25e9
    assert np.abs(truth["p_NB_z"][late] - 7.0).max() < 0.05  # 5 m at the start, noise of 2 cm
    assert np.abs(estimate["p_NB_z"] - np.interp(estimate.time_ns, truth.time_ns, truth["p_NB_z"]))[1:].max() < 0.2
    assert estimate["sigma_p_N_z"][-1] == pytest.approx(0.02)
    picture = tmp_path / "run.png"
    assert CliRunner().invoke(main, ["plot", str(tmp_path / "run.mcap"), "--out", str(picture)]).exit_code == 0
    assert picture.stat().st_size > 10_000


def test_a_quantity_that_its_class_does_not_state_is_refused(tmp_path):
    file = written(tmp_path)
    (tmp_path / "float_line.py").write_text(FILES["float_line.py"].replace("quantities =", "no_quantities ="))
    with pytest.raises(ScenarioError) as caught:
        read_scenario(file)
    words = "a sensor of the kind float_line.py:FloatLine does not measure the depth. Name one of: pressure."
    assert words in str(caught.value)


def test_what_it_needs_must_be_measured(tmp_path):
    with pytest.raises(ScenarioError, match="needs the velocity, which the navigation never provides"):
        read_scenario(written(tmp_path, velocity=("velocity: dvl, ", "")))
