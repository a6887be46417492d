"""Shares of thrust: dead, weak, reversed and one-way thrusters are fitted or named."""

import numpy as np
import pytest
from pool_simulator import AXES, NAMES, THRUSTERS, TRUTH, VEHICLE, flights, measured

from remora.identification import inputs_of, record_from_arrays
from remora.identification.data.log_files import read_log_record
from remora.identification.data.read_options import make_read_options
from remora.identification.methods import METHODS, Task
from remora.identification.validation import fit_and_validate, make_replay_settings, validate_record
from remora.run.loop.loop import run
from remora.scenarios.scenario import make_scenario
from remora.vehicles import load_vehicle, vehicle_from_text

ROV = vehicle_from_text(VEHICLE + "model: {locked: [roll, pitch]}\n")
SHARE = "thrusters.front_port.effectiveness"


def record_with(share, seed=0, duration=60.0, thruster="front_port"):
    shares = tuple(share if name == thruster else 1.0 for name in THRUSTERS)
    flight = flights(range(seed, seed + 1), duration, shares=shares)[0]
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = measured(flight, seed)
    return record_from_arrays(flight.time, twist, inputs_of("commands", flight.commands, THRUSTERS, ["N"] * 6))


@pytest.mark.xdist_group("pool")
@pytest.mark.parametrize("share", [0.0, 0.02])
def test_output_error_fits_the_share_of_a_dead_thruster(share):
    """A share of zero moves nothing, which was taken for a scale of thrust that nothing fixes."""
    fit = METHODS["output-error"].fit(Task((record_with(share),), ROV, (*NAMES, SHARE), AXES))
    assert fit.names == (*NAMES, SHARE)
    assert abs(fit.value(SHARE) - share) < 0.002
    assert np.allclose(fit.values[:-1], TRUTH, rtol=0.03)


def findings(record, vehicle=ROV, names=NAMES, axes=AXES):
    """Warnings of a fit of the whole record; those about what was assumed are left out."""
    fit = fit_and_validate([record], vehicle, METHODS["instruments"], names, axes, hold_out=0.0, in_detail=False).fit
    return fit, [words for words in fit.warnings if "taken as" not in words]


@pytest.mark.xdist_group("pool")
@pytest.mark.parametrize("share", [0.82, 0.97])
def test_a_slightly_weak_thruster_that_biases_the_fit_is_named(share):
    _, words = findings(record_with(share))
    [said] = [sentence for sentence in words if sentence.startswith("thruster front_port gives ")]
    assert float(said.split()[3]) == pytest.approx(100.0 * share, abs=0.5)
    assert "Fit thrusters.front_port.effectiveness too" in said
    mended, words = findings(record_with(share), names=(*NAMES, SHARE))
    assert not [sentence for sentence in words if "thruster " in sentence]
    assert mended.value(SHARE) == pytest.approx(share, abs=0.005)


@pytest.mark.xdist_group("pool")
def test_healthy_thrusters_of_many_records_get_no_word():
    for seed in range(4):
        assert findings(record_with(1.0, seed=seed))[1] == []


@pytest.mark.xdist_group("pool")
def test_thrust_that_is_weaker_in_reverse_is_not_taken_for_a_current_or_buoyancy():
    class OneWay(tuple):
        """Shares that act on negative thrust only: outputs times these."""

        __array_ufunc__ = None

        def __rmul__(self, outputs):
            return np.where(outputs < 0.0, 0.75, 1.0) * outputs

    flight = flights(range(1), 60.0, shares=OneWay())[0]
    half = 0.5 * flight.heading
    twist = np.full((len(flight.time), 6), np.nan)
    twist[:, [0, 1, 2, 5]] = measured(flight, 0)
    quaternion = np.column_stack([np.cos(half), 0.0 * half, 0.0 * half, np.sin(half)])
    inputs = inputs_of("commands", flight.commands, THRUSTERS, ["N"] * 6)
    _, words = findings(record_from_arrays(flight.time, twist, inputs, quaternion=quaternion))
    assert not [sentence for sentence in words if sentence.startswith("a steady current")]
    [said] = [sentence for sentence in words if sentence.startswith("thrust in reverse is 75 %")]
    assert "better than a weak thruster, a current or a constant force" in said
    assert "Fit thrusters.*.effectiveness.reverse too" in said


@pytest.mark.xdist_group("pool")
@pytest.mark.parametrize("thruster", ["front_port", "vertical_port"])
def test_a_thruster_that_pushes_the_wrong_way_is_named_with_what_helps(thruster):
    _, words = findings(record_with(-1.0, thruster=thruster))
    [said] = [sentence for sentence in words if sentence.startswith("thruster ")]
    assert said.startswith(f"thruster {thruster} pushes against its command, with about -100 %")
    assert f"Turn the direction of {thruster} round in the vehicle file" in said
    assert "effectiveness" not in said


def test_thrusters_that_hold_station_in_a_current_are_not_blamed(tmp_path):
    """At a steady heading and steady commands a current is a constant force, which is named instead."""
    vehicle = {
        "name": "rov",
        "file": "bluerov2_heavy",
        "position": [0, 0, 3],
        "navigation": {"part": "truth", "rate": "50 Hz"},
        "guidance": {"part": "hold", "rate": "10 Hz", "position": [0, 0, 3], "heading": 0},
        "control": {"part": "position", "rate": "50 Hz"},
        "allocation": {"part": "bounded", "rate": "50 Hz"},
    }
    scenario = make_scenario(
        name="held", duration=20, log={"rate": "50 Hz"}, water={"current": [0.2, 0.1, 0]}, vehicles=[vehicle]
    )
    log = tmp_path / "held.mcap"
    run(scenario.setup, log)
    model = load_vehicle("bluerov2_heavy")
    record = read_log_record(log, model, make_read_options())
    assumed = validate_record(record, model.parameters, make_replay_settings()).assumed
    assert not [sentence for sentence in assumed if "thruster" in sentence]
    [said] = [sentence for sentence in assumed if sentence.startswith("A constant force")]
    assert "surge, sway and yaw" in said
