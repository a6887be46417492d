"""Commands and limited commands carry the units of their actuators, in the log, its tables and its pictures."""

from dataclasses import replace

import pytest

import remora
from remora.logs import comparison


def flown(file, **more):
    entry = {"name": "v", "file": file, "position": [0, 0, 5], **more}
    return remora.simulate(remora.make_scenario(name="drift", duration="0.2 s", vehicles=[entry]))


def units(log, channel):
    return {field.name: field.unit for field in log.channels[f"v/{channel}"].fields}


@pytest.fixture(scope="module")
def rov():
    return flown("bluerov2_heavy")


def test_forces_shaft_speeds_fins_and_plain_commands_have_their_units(rov):
    for channel in ("commands", "limited", "outputs"):
        assert set(units(rov, channel).values()) == {"N"}
    torpedo = flown("remus100")
    for channel in ("commands", "limited", "outputs"):
        assert units(torpedo, channel) == {"propeller": "rad/s", "rudder": "rad", "stern_planes": "rad"}
    falcon = flown("falcon")
    assert set(units(falcon, "commands").values()) == {"1"}  # percent of full scale
    assert set(units(falcon, "outputs").values()) == {"rad/s"}


def test_pulse_widths_are_microseconds_and_newtons_behind_the_drives():
    log = flown("bluerov2_heavy", actuators={"commands": "pulses"})
    assert set(units(log, "commands").values()) == {"us"}
    assert set(units(log, "inputs").values()) == set(units(log, "limited").values()) == {"N"}
    assert (log["v/commands"].table() == 1500.0).all()  # neutral


def test_units_stay_in_files_and_pictures(rov, tmp_path):
    rov.to_csv(tmp_path / "log")
    assert units(remora.read_log(tmp_path / "log"), "commands") == units(rov, "commands")
    assert any("[N]" in axes.get_ylabel() for axes in rov.plot("v/commands").figure.axes)


def without_units(log, *names):
    """The log with the unit 1 for all fields of some channels, as older versions wrote it."""
    series = dict(log.series)
    for name in names:
        fields = tuple(field._replace(unit="1") for field in series[name].channel.fields)
        series[name] = replace(series[name], channel=series[name].channel._replace(fields=fields))
    return replace(log, series=series, channels={name: one.channel for name, one in series.items()})


def test_logs_without_these_units_are_read_and_compared(rov):
    assert comparison.compare(without_units(rov.log, "v/commands", "v/limited"), rov.log).same
    assert comparison.compare(without_units(rov.log, "v/outputs"), rov.log).redefined == ("v/outputs",)
