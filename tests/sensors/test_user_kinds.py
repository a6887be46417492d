"""User-defined sensors: a class in a file, with the error model of bundled kinds; mistakes name the file."""

import math
import re

import numpy as np
import pytest
from sensor_runs import AT_REST, readings

from remora.files.quantities import NumbersOrWords
from remora.files.user_code import UserCodeError
from remora.sensors import SensorError, Status, find_kind, make_sensor

GOOD = '''\
from dataclasses import dataclass

from remora.messages.truth import Mount
from remora.sensors import ErrorRange, MeasuredQuantity, Measurement, SensorChannel, Status, selected


class Depth:
    """Depth below the surface; a class of its own kind, without base class."""

    channels = (SensorChannel("depth", "m"),)
    quantities = {"depth": MeasuredQuantity(selected(-1, -1, 0))}

    def __init__(self, mount, gain=1.0, offset=(0.0, 0.0), is_dry=False, turns=1, word="plain", extra=None):
        self.mount, self.gain, self.offset, self.is_dry, self.turns = mount, gain, offset, is_dry, turns
        self.word, self.extra = word, extra

    def read(self, truth, environment):
        if self.is_dry:
            return Status.NO_LOCK, ()
        return Status.OK, [self.gain * (truth.p_NB[2] + self.mount.p_BS[2]) + sum(self.offset)]


@dataclass(frozen=True)
class Heading(Measurement):
    mount: Mount
    count: int = 1

    @property
    def channels(self):
        return tuple(SensorChannel(f"heading_{i}", "rad") for i in range(self.count))

    def read(self, truth, environment):
        return Status.OK, (3.0,) * self.count


class Pinger(Measurement):
    channels = (SensorChannel("angle", "rad"),)

    def read(self, truth, environment):
        return Status.OK, (0.0,)

    def sample(self, truth, environment, k):
        return Status.OK, (0.1 * k,)

    def cause_of_loss(self, truth, environment):
        return "nobody listens"
'''
BAD = """\
import math
import numpy as np
from remora.sensors import ChannelGroup, MeasuredQuantity, Measurement, SensorChannel, Status, selected

ONE = (SensorChannel("depth", "m"),)


class Reads:
    channels = ONE

    def __init__(self, what="raises"):
        self.what = what

    def read(self, truth, environment):
        if self.what == "raises":
            raise KeyError("no such luck")
        return {
            "too_many": (Status.OK, (1.0, 2.0)), "too_few": (Status.OK, ()), "nan": (Status.OK, (math.nan,)),
            "infinite": (Status.OK, (math.inf,)), "a_text": (Status.OK, ("deep",)), "a_word": (Status.OK, "1"),
            "truth": (Status.OK, (True,)), "one_number": (Status.OK, 1.0), "values_only": (1.0,), "nothing": None,
            "wrong_status": (0, (1.0,)),
        }[self.what]


class NoRead:
    channels = ONE


class NoChannels:
    def read(self, truth, environment):
        return Status.OK, (1.0,)


class Abstract(Measurement):
    channels = ONE


class Refuses:
    channels = ONE

    def __init__(self):
        raise ValueError("not today")

    def read(self, truth, environment):
        return Status.OK, (1.0,)


class Needs(NoChannels):
    channels = ONE

    def __init__(self, depth):
        self.depth = depth


class Empty(NoChannels):
    channels = ()


class Texts(NoChannels):
    channels = ("depth",)


class Twice(NoChannels):
    channels = ONE + ONE


class Spaces(NoChannels):
    channels = (SensorChannel("my depth", "m"),)


class NoUnit(NoChannels):
    channels = (SensorChannel("depth", ""),)


class BadQuantity(NoChannels):
    channels = ONE
    quantities = {"dept": 1}


class TakenName(NoChannels):
    channels = ONE

    def __init__(self, std=0.1):
        self.std = std


class Beyond(NoChannels):
    channels = ONE
    quantities = {"velocity": MeasuredQuantity(selected(0, 1, 2))}


class Groups(NoChannels):
    channels = ONE
    groups = (ChannelGroup("a_", 1), ChannelGroup("b_", 1))


def function(mount):
    return Reads()


number = 3
"""


def made(folder, kind, source=GOOD, seed=1, rate=10.0, **parameters):
    (folder / "mine.py").write_text(source)
    fields = {"name": "mine", "kind": f"mine.py:{kind}", "position": (0.0, 0.0, 0.5), "rate": rate}
    return make_sensor({**fields, "folder": str(folder), "parameters": parameters}, seed, "rov")


def test_a_class_measures_with_its_parameters_and_mount(tmp_path):
    sensor = made(tmp_path, "Depth", gain=2.0, offset=(0.25, 0.5), turns=3, word="bold", extra=[1.0, 2.0])
    (reading,) = readings(sensor, 1)
    assert reading.status == Status.OK
    assert reading.values == (2.0 * 5.5 + 0.75,)
    inner = sensor.measurement.inner
    assert (inner.turns, inner.word, inner.extra) == (3, "bold", [1.0, 2.0])
    (dry,) = readings(made(tmp_path, "Depth", is_dry=True), 1)
    assert dry.status == Status.NO_LOCK


def test_it_has_the_error_model_of_bundled_kinds(tmp_path):
    sensor = made(tmp_path, "Depth", std=0.1, bias=0.5, resolution=0.01, dropout=0.2, latency_jitter=0.01)
    found = readings(sensor, 4000)
    kept = np.array([reading.values[0] for reading in found if reading.status == Status.OK])
    assert len(kept) / 4000 == pytest.approx(0.8, abs=4.0 * math.sqrt(0.2 * 0.8 / 4000))
    assert kept.mean() == pytest.approx(6.0, abs=4.0 * 0.1 / math.sqrt(len(kept)))
    assert kept.std() == pytest.approx(0.1, rel=4.0 / math.sqrt(2.0 * len(kept)))
    assert np.allclose(kept / 0.01, np.rint(kept / 0.01))
    again = readings(made(tmp_path, "Depth", std=0.1, bias=0.5, resolution=0.01, dropout=0.2, latency_jitter=0.01), 50)
    assert repr(again) == repr(found[:50])


def test_angles_stay_wrapped_after_errors(tmp_path):
    (reading,) = readings(made(tmp_path, "Heading", count=2, bias=0.5), 1)
    assert reading.values == pytest.approx((3.5 - 2.0 * math.pi,) * 2)


def test_a_scanning_sensor_gets_the_number_of_its_sample(tmp_path):
    sensor = made(tmp_path, "Pinger")
    assert [reading.values[0] for reading in readings(sensor, 3)] == pytest.approx([0.0, 0.1, 0.2])
    assert sensor.cause_of_loss(AT_REST, None) == "nobody listens"


def test_parameters_are_checked_as_those_of_bundled_kinds(tmp_path):
    for parameters, words in (
        ({"gian": 1.0}, 'gian: unknown parameter. Did you mean "gain"'),
        ({"gain": "much"}, "gain: found 'much'; give a number"),
        ({"offset": [1.0]}, "offset: found 1 numbers; give one, or 2"),
        ({"is_dry": 1.0}, "is_dry: found 1.0; give true or false"),
        ({"turns": 1.5}, "turns: found 1.5; give a whole number"),
        ({"std": -1.0}, "std: found -1; give numbers not below 0"),
    ):
        with pytest.raises(SensorError, match=re.escape(words)):
            made(tmp_path, "Depth", **parameters)


def test_the_units_of_its_errors_are_those_of_its_channels(tmp_path):
    (tmp_path / "mine.py").write_text(GOOD)
    kind = find_kind("mine.py:Depth", tmp_path)
    assert "does not measure a length" in kind.parameter_fault("std", NumbersOrWords().read("5 deg")).message
    assert kind.parameter_fault("std", NumbersOrWords().read("500 m")) is None
    limited = GOOD.replace("    quantities", '    errors = {"": ErrorRange(LENGTH, 2.0)}\n    quantities')
    (tmp_path / "mine.py").write_text("from remora.files.units import LENGTH\n" + limited)
    fault = find_kind("mine.py:Depth", tmp_path).parameter_fault("std", NumbersOrWords().read(5))
    assert "no such sensor is off by more than 2 m" in fault.message


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("raises", "mine.py:16 raised KeyError: 'no such luck'"),
        ("too_many", "Reads.read() returned (<Status.OK: 0>, (1.0, 2.0)): found 2 values for 1 channels: depth"),
        ("too_few", "found 0 values for 1 channels: depth"),
        ("nan", "depth is nan. Without a value give Status.NO_LOCK, or PARTIAL and a NaN"),
        ("infinite", "depth is inf. Without a value"),
        ("a_text", "depth is no number"),
        ("a_word", "the values must be a tuple of numbers, one for each channel: depth"),
        ("truth", "depth is no number"),
        ("one_number", "the values must be a tuple of numbers, one for each channel: depth"),
        ("values_only", "give a status and the values, such as (Status.OK, (1.0,))"),
        ("nothing", "Reads.read() returned None: give a status and the values"),
        ("wrong_status", "give a status and the values"),
    ],
)
def test_a_wrong_reading_is_refused_with_the_file(tmp_path, what, words):
    sensor = made(tmp_path, "Reads", BAD, what=what)
    with pytest.raises(SensorError) as caught:
        readings(sensor, 1)
    assert words in str(caught.value)
    assert str(tmp_path / "mine.py") in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("Raeds", 'has no "Raeds" that can be called. Did you mean "Reads"'),
        ("number", 'has no "number" that can be called'),
        ("function", '"function" is no class. A sensor is a class with channels and read()'),
        ("NoRead", "NoRead has no read. A sensor needs channels = (SensorChannel"),
        ("NoChannels", "NoChannels has no channels"),
        ("Abstract", "raised TypeError: Can't instantiate abstract class Abstract"),
        ("Refuses", "mine.py:42 raised ValueError: not today while the sensor was made"),
        ("Needs", "depth: is missing: Needs takes it without a default"),
        ("Empty", "Empty: has 0 channels. Give at least one"),
        ("Texts", "Texts: channels = ('depth',): give a tuple of SensorChannel"),
        ("Twice", 'Twice: two channels are called "depth"'),
        ("Spaces", 'Spaces: channel "my depth": give lower-case letters'),
        ("NoUnit", 'channel "depth" has no unit'),
        ("TakenName", 'TakenName: the argument "std" is a parameter of the common error model. Give it another name.'),
        ("Beyond", 'Beyond: quantities["velocity"] selects value 2, but the last one is 0.'),
        ("Groups", "Groups: groups has 2 channels, but there are 1."),
        ("BadQuantity", 'navigation has no quantity "dept". Did you mean "depth"'),
    ],
)
def test_a_wrong_class_is_refused_when_the_sensor_is_made(tmp_path, kind, words):
    with pytest.raises(SensorError) as caught:
        made(tmp_path, kind, BAD)
    assert words in str(caught.value)
    assert "mine.py" in str(caught.value) or kind == "Needs"
    assert len(caught.value.problems) == 1


def test_an_absent_or_broken_file_is_named(tmp_path):
    with pytest.raises(UserCodeError, match=r"there is no file .*none.py. A path is relative"):
        find_kind("none.py:Depth", tmp_path)
    with pytest.raises(UserCodeError, match=r"give the file and the name in it, e.g. my_file.py:MySensor"):
        find_kind("none.py", tmp_path)
    (tmp_path / "broken.py").write_text("x = (")
    with pytest.raises(UserCodeError, match=r"broken.py:1 raised SyntaxError"):
        find_kind("broken.py:Depth", tmp_path)
