"""The excitation part of scenarios: every signal and manoeuvre can be written, and mistakes are named."""

import math

import pytest

from remora.guidance import Legs, Multisine, Sinusoid, Steps, TurningCircle, ZigZag
from remora.messages.estimate import Estimate
from remora.messages.part import PartInput, Role
from remora.scenarios import scenario_from_text
from remora.scenarios.load_context import ScenarioError


def excitation(options):
    text = (
        "name: a\nduration: 1 s\nvehicles:\n  - name: rov\n    file: bluerov2_heavy\n    navigation: truth\n"
        f"    guidance: {{part: excitation, {options}}}\n"
    )
    vehicle = scenario_from_text(text).vehicles[0]
    return next(part.part for part in vehicle.parts if part.role == Role.GUIDANCE).excitation


def test_every_signal_can_be_written():
    assert excitation("sway: {amplitude: 50 cm, period: 8 s, ramp: 2 s}").sway == Sinusoid(0.5, 8.0, 2.0)
    lines = "[{amplitude: 90 deg, frequency: 0.5 rad/s}, {amplitude: 0.1, period: 4 s, phase: 90 deg}]"
    found = excitation(f"yaw: {{lines: {lines}, ramp: 1 s, start: 2 s, stop: 30 s}}").yaw
    assert isinstance(found, Multisine)
    assert found.amplitudes == pytest.approx((0.5 * math.pi, 0.1))
    assert found.frequencies == pytest.approx((0.5, 0.5 * math.pi))
    assert found.phases == pytest.approx((0.0, 0.5 * math.pi))
    assert (found.ramp, found.start, found.stop) == (1.0, 2.0, 30.0)
    assert excitation("heave: {zig_zag: 1 m, period: 20 s}").heave == ZigZag(1.0, 20.0)
    assert excitation("surge: {levels: [0, 1 m, 200 cm], hold: 5 s}").surge == Steps((0.0, 1.0, 2.0), 5.0)
    assert excitation("circle: {radius: -3 m, speed: 0.4 m/s}").manoeuvre == TurningCircle(-3.0, 0.4)
    manoeuvre = excitation("id1: {speed: 0.5 m/s, turn: 30 deg, depth_change: 2 m}").manoeuvre
    assert isinstance(manoeuvre, Legs)
    assert manoeuvre.legs[0].heading == pytest.approx(math.radians(30.0))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("sway: {amplitude: 1 m}", "gives no period"),
        ("sway: {zig_zag: 1 m}", "gives no period"),
        ("sway: {levels: [1 m]}", "hold"),
        ("sway: {levels: [], hold: 1 s}", "at least one level"),
        ("sway: {lines: []}", "at least one"),
        ("sway: {lines: [{amplitude: 1 m, period: 4 s}], ramp: 5 s, stop: 8 s}", "no room for two ramps"),
        ("sway: {lines: [{amplitude: 1 deg, period: 4 s}]}", "deg"),
        ("yaw: {amplitude: 1 m, period: 4 s}", "m"),
        ("sway: {amplitude: 1 m, period: 4 s, hold: 3 s}", "does not go with amplitude"),
        ("sway: {amplitude: 1 m, levels: [1 m], period: 4 s}", "levels"),
        ("sway: {amplitude: 1 m, frequency: 0}", "above zero"),
        ("circle: {radius: 0, speed: 1}", "must not be zero"),
        ("circle: {radius: 1, speed: -1}", "speed"),
        ("circle: {radius: 1, speed: 1}, id1: {speed: 1}", "id1"),
        ("sway: {amplitud: 1 m, period: 4 s}", "Did you mean"),
    ],
)
def test_mistakes_are_named(options, words):
    with pytest.raises(ScenarioError) as refused:
        excitation(options)
    assert words in str(refused.value)


@pytest.mark.parametrize("part", ["feedback_linearisation", "cascade"])
def test_controllers_act_only_in_their_axes(part):
    """The part with one axis gives that component of the part with all of them, and nothing else."""

    def wrench(axes):
        text = (
            "name: a\nduration: 1 s\nvehicles:\n  - name: rov\n    file: bluerov2_heavy\n    navigation: truth\n"
            "    guidance: {part: hold, position: [0, 0, 2], heading: 0}\n"
            f"    control: {{part: {part}{axes}}}\n    allocation: bounded\n"
        )
        parts = {one.role: one.part for one in scenario_from_text(text).vehicles[0].parts}
        q = (math.cos(0.1), math.sin(0.1) * 0.6, math.sin(0.1) * 0.8, 0.0)
        estimate = Estimate(0, (0.0, 0.0, 2.0), q, (0.5, 0.2, 0.1, 0.1, -0.1, 0.2))
        now = PartInput(0, (), {}, estimate, None, (0.0,) * 6, (0.0,) * 6, None)
        _, reference = parts[Role.GUIDANCE].step(parts[Role.GUIDANCE].initial(), now)
        control = parts[Role.CONTROL]
        return control.step(control.initial(), now._replace(reference=reference))[1]

    whole, one = wrench(""), wrench(", axes: [pitch]")
    assert abs(whole[4]) > 1e-6
    assert one == pytest.approx((0.0, 0.0, 0.0, 0.0, whole[4], 0.0))
