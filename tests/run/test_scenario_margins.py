"""Margins of the loop of a scenario: linearised software and plant."""

import io
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from remora.cli import main
from remora.control.tuning.loop_margins import STABLE, OperatingPoint, SampledLoop, linear_plant
from remora.control.tuning.sampled_plant import linearised_chain
from remora.files.problems import InputError
from remora.plant.plant import Plant
from remora.report.control_loops import margins_figure, print_margins
from remora.run.stability.loop_checks import _judged, plain_linear_plant, unstable_loop
from remora.run.stability.scenario_loop import loop_of
from remora.run.stability.scenario_margins import _operating_point, scenario_margins
from remora.scenarios.load_context import ScenarioError
from remora.scenarios.scenario import Scenario, load_scenario, make_scenario


def holding(control: dict[str, object], rate: int = 20, current: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Scenario:
    points = [{"position": [0, 0, 5], "heading": 0, "stay": "5 s"}]
    return make_scenario(
        name="hold",
        duration="20 s",
        water={"current": list(current)},
        vehicles=[
            {
                "name": "rov",
                "file": "bluerov2_heavy",
                "position": [0, 0, 5],
                "navigation": {"part": "truth", "rate": f"{rate} Hz"},
                "guidance": {"part": "waypoints", "rate": "10 Hz", "speed": 0.2, "points": points},
                "control": {"part": "position", "rate": f"{rate} Hz", **control},
                "allocation": {"part": "bounded", "rate": f"{rate} Hz"},
            }
        ],
    )


def test_gain_margin_of_every_axis_is_where_that_axis_becomes_unstable() -> None:
    setup = holding({}, current=(0.2, -0.1, 0.0)).setup
    found = loop_of(setup.vehicles[0])
    plant = Plant(setup.vehicles[0].nominal)
    point, state = _operating_point(found, plant, (0.2, -0.1, 0.0))
    software = linearised_chain(found.chain, state, found.start)
    loop = SampledLoop(software, found.actuation, found.timing)
    nominal = loop.margins(plant.packed, point)
    assert [axis.axis for axis in nominal.axes] == ["surge", "sway", "heave", "roll", "pitch", "yaw"]
    for i, axis in enumerate(nominal.axes):
        for factor, stable in ((0.97, True), (1.03, False)):
            scale = np.ones(6)
            scale[i] = factor * axis.margins.gain
            other = replace(loop, actuation=loop.actuation * scale)
            assert (other.margins(plant.packed, point, 10).radius < STABLE) is stable, axis.axis


def test_margins_do_not_depend_on_the_heading_of_the_start() -> None:
    scenario = holding({})
    turned = scenario.with_({"vehicles[0].angles": [0, 0, "63 deg"]})
    first, second = (scenario_margins(one.setup, draws=0).nominal for one in (scenario, turned))
    assert [a.margins.phase for a in first.axes] == pytest.approx([a.margins.phase for a in second.axes], rel=1e-3)


def test_parameters_within_30_percent_leave_the_default_gains_stable() -> None:
    report = scenario_margins(holding({}).setup, draws=20)
    assert report.unstable == 0
    assert min(draw.phase for draw in report.draws) < min(axis.margins.phase for axis in report.nominal.axes)
    stream = io.StringIO()
    print_margins(report, stream, 120)
    assert "20 vehicles with parameters within 30%: 0 unstable" in stream.getvalue()
    assert len(margins_figure(report).subfigs) == 2


def test_unstable_gains_are_refused_before_the_run_with_numbers() -> None:
    with pytest.raises(ScenarioError, match=r"make the surge loop unstable.*largest pole is 1\.\d+ per step"):
        holding({"velocity_gains": [60, 1, 1, 1]})


@pytest.mark.parametrize(
    ("part", "gains", "at_fault"),
    [
        ("position", {"position_gains": [6] * 4, "velocity_gains": [2] * 4}, "position_gains"),
        ("position", {"integral_gains": [30] * 4, "velocity_gains": [2] * 4}, "integral_gains"),
        ("position", {"velocity_gains": [40] * 4, "position_gains": [0.4] * 4}, "velocity_gains"),
        ("cascade_p", {"position_gains": [8] * 4, "velocity_gains": [2] * 4}, "position_gains"),
    ],
)
def test_the_gains_of_the_unstable_loop_are_named(part: str, gains: dict[str, object], at_fault: str) -> None:
    with pytest.raises(ScenarioError, match=rf"control\.{at_fault} = .* loop unstable.*(Keep|Lower) {at_fault}"):
        holding({}).with_({"vehicles[0].control": {"part": part, "rate": "20 Hz", **gains}})


def test_integral_gains_of_a_pid_are_named_with_a_bound_in_their_unit() -> None:
    control = {"part": "pid", "rate": "20 Hz", "velocity_gains": [2] * 4, "integral_gains": [30] * 4}
    with pytest.raises(ScenarioError, match=r"control\.integral_gains = .* Stay well below [\d.]+ 1/s2\."):
        velocity_controlled("20 Hz").with_({"vehicles[0].control": control})


def test_a_loop_without_lag_margin_is_reported_with_what_to_change() -> None:
    """Late sensors destabilise gains that are stable with the truth; a run would diverge slowly."""
    sensors = {"attitude": "ahrs", "rates": "gyro", "velocity": "dvl", "depth": "depth"}
    report = scenario_margins(load_scenario("bluerov_square").with_({
        "vehicles[0].navigation": {"part": "instruments", "rate": "50 Hz", **sensors},
        "vehicles[0].control[0].velocity_gains": [9, 9, 9, 9],
    }).setup, draws=2)  # fmt: skip
    assert not report.nominal.is_stable
    assert 0.0 < report.stable_share < 1.0
    stream = io.StringIO()
    print_margins(report, stream, 200)
    assert "UNSTABLE: largest pole 1." in stream.getvalue()
    assert "Multiply the gains by at most" in stream.getvalue()


LATE = {
    "part": "instruments",
    "rate": "20 Hz",
    "attitude": "ahrs",
    "rates": "gyro",
    "velocity": "slow_dvl",
    "depth": "depth",
}
SLOW_DVL = {"from": "dvl", "name": "slow_dvl", "latency": "1.5 s"}
LYAPUNOV = {"part": "lyapunov", "rate": "20 Hz", "mission": [{"do": "go_to", "position": [0, 0, 5], "heading": 0}]}
CHAINS: dict[str, dict[str, object]] = {
    "position": {"velocity_gains": [3, 3, 3, 1]},
    "cascade_p": {"velocity_gains": [3, 3, 3, 1]},
    "lqr": {},
    "pid": {"velocity_gains": [3, 3, 3, 3]},
    "sliding_mode": {},
    "l1_adaptive": {},
}


@pytest.mark.parametrize("part", CHAINS)
def test_a_loop_that_the_latency_of_sensors_makes_unstable_is_reported_before_the_run(part: str) -> None:
    """Stable with the true state; behind a latency of 1.5 s the warning has the pole, as the margins have it."""
    guidance = {} if part in ("position", "cascade_p", "lqr") else {"vehicles[0].guidance": LYAPUNOV}
    scenario = holding({}).with_({"vehicles[0].control": {"part": part, "rate": "20 Hz", **CHAINS[part]}, **guidance})
    assert scenario.setup.vehicles[0].load_warnings == ()
    late = scenario.with_(
        {
            "water": {"bottom_depth": 20},
            "vehicles[0].navigation": LATE,
            "vehicles[0].sensors": ["ahrs", "gyro", "depth", SLOW_DVL],
        }
    ).setup
    (warning,) = late.vehicles[0].load_warnings
    found = unstable_loop(late.vehicles[0])
    assert found is not None
    assert f"the largest pole is {found.radius:.4g} per sample of 0.05 s" in warning.text
    assert "latency of 1.5" in warning.text
    share = found.stable_share
    assert (f"at most {share:.2g}" if share else "No share of its gains is stable") in warning.text
    judged = scenario_margins(late, draws=0)
    assert judged.nominal.radius == pytest.approx(found.radius, rel=0.02)


def test_the_loop_check_linearises_as_the_margins_do() -> None:
    vehicle = holding({}).setup.vehicles[0]
    found = loop_of(vehicle)
    point = OperatingPoint(np.array([*found.start.p_NB, *found.start.q_NB, *np.zeros(6)]), np.zeros(6), (0.0, 0.0, 0.0))
    packed = Plant(vehicle.nominal).packed
    for plain, exact in zip(plain_linear_plant(packed, found.start), linear_plant(packed, point), strict=True):
        assert plain == pytest.approx(exact, abs=1e-4)


def test_the_delay_of_drives_is_part_of_the_margins() -> None:
    scenario = load_scenario("falcon_boathouse")
    vehicle = scenario.setup.vehicles[0]
    assert loop_of(vehicle).timing.latency == pytest.approx(0.04)


def test_lyapunov_guidance_closes_the_position_loop() -> None:
    scenario = holding({}).with_(
        {
            "vehicles[0].guidance": {"part": "lyapunov", "rate": "20 Hz", "mission": [
                {"do": "go_to", "position": [0, 0, 5], "heading": 0}]},
            "vehicles[0].control": {"part": "pid", "rate": "20 Hz"},
        }
    )  # fmt: skip
    vehicle = scenario.setup.vehicles[0]
    found, plant = loop_of(vehicle), Plant(vehicle.nominal)
    point, state = _operating_point(found, plant, (0.0, 0.0, 0.0))
    loop = SampledLoop(linearised_chain(found.chain, state, found.start), found.actuation, found.timing)
    poles = np.linalg.eigvals(loop._closed(loop._sampled(*linear_plant(plant.packed, point)), loop.software))
    assert np.abs(poles).max() < STABLE
    # Velocity control alone would leave the position at 1. Roll without linear damping has poles on the unit circle.
    assert np.abs(poles - 1.0).min() > 1e-5


def velocity_controlled(guidance_rate: str) -> Scenario:
    """Lyapunov guidance above a pid at 20 Hz."""
    guidance = {**LYAPUNOV, "rate": guidance_rate, "integral_gains": [0, 0, 0, 0]}
    return holding({}).with_(
        {"vehicles[0].guidance": guidance, "vehicles[0].control": {"part": "pid", "rate": "20 Hz"}}
    )


def test_slow_guidance_leaves_levelling_at_the_rate_of_the_controller() -> None:
    setups = [velocity_controlled(rate).setup for rate in ("1 Hz", "20 Hz")]
    assert setups[0].vehicles[0].load_warnings == ()
    slow, fast = (scenario_margins(setup, draws=2) for setup in setups)
    assert slow.timing.period == pytest.approx(0.05)
    assert slow.nominal.is_stable
    assert slow.unstable == 0
    of_slow, of_fast = ({row.axis: row.margins for row in one.nominal.axes} for one in (slow, fast))
    for axis in ("roll", "pitch"):
        assert of_slow[axis].gain == pytest.approx(of_fast[axis].gain, rel=1e-3), axis
    for axis in ("surge", "sway", "yaw"):
        assert of_slow[axis].crossover < 0.95 * of_fast[axis].crossover, axis


@pytest.mark.parametrize(("gain", "is_stable"), [(1.8, True), (2.2, False)])
def test_slow_guidance_is_unstable_where_the_held_velocity_overshoots(gain: float, is_stable: bool) -> None:
    """A velocity of -gain times the error, held for 1 s, multiplies the error by 1 - gain."""
    vehicle = velocity_controlled("1 Hz").setup.vehicles[0]
    loop = loop_of(vehicle)
    assert loop.chain.guidance is not None
    law = loop.chain.guidance.law._replace(proportional=(gain,) * 4)
    chain = replace(loop.chain, guidance=replace(loop.chain.guidance, law=law))
    found = _judged(loop._replace(chain=chain), Plant(vehicle.nominal).packed)
    assert (found is None) is is_stable
    if found is not None:
        assert found.axis in ("surge", "sway", "heave", "yaw")
        assert "per sample of 0.05 s with guidance every 1 s" in str(found)


@pytest.mark.parametrize("name", ["tunnel"])
def test_loops_that_cannot_be_linearised_at_rest_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="are not computed"):
        scenario_margins(load_scenario(name).setup, draws=0)


def test_commands_print_gains_and_margins(tmp_path: object) -> None:
    runner = CliRunner()
    tuned = runner.invoke(main, ["tune", "bluerov2_heavy", "--bandwidth", "1.5"])
    assert tuned.exit_code == 0
    assert "velocity_gains: [" in tuned.output
    assert runner.invoke(main, ["tune", "remus100", "--speed", "9"]).exit_code == 2
    assert "velocity_gains: [" in runner.invoke(main, ["tune", "docked_pair", "--bandwidth", "1"]).output
    assert runner.invoke(main, ["tune", "ring_of_six"]).exit_code == 2  # it has joints
    judged = runner.invoke(main, ["margins", "falcon_boathouse", "--draws", "5", "--out", f"{tmp_path}/m.png"])
    assert judged.exit_code == 0
    assert "picture:" in judged.output
