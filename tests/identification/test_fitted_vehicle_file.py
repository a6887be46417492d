"""A fitted vehicle goes into a file and comes back with the same numbers, its sigma and its source."""

from pathlib import Path

import numpy as np
import pytest

from remora.identification import (
    Fit,
    Identifiability,
    NegativeDampingError,
    ParameterNameError,
    known_names,
    values_of,
    with_values,
    write_vehicle_file,
)
from remora.identification.parameter_names import canonical
from remora.identification.parameters import units_of
from remora.vehicles import load_vehicle, preset_names, vehicle_from_text


def made_fit(vehicle, names, values, sigma=0.25):
    count = len(names)
    return Fit(
        method="made up",
        names=tuple(names),
        units=units_of(vehicle.parameters, names),
        values=np.array(values),
        covariance=np.eye(count) * sigma**2,
        degrees_of_freedom=np.inf,
        residuals={},
        noise={},
        identifiability=Identifiability(1.0, {}, (), (True,) * count),
        warnings=(),
        base=vehicle,
        data="a test",
        speeds=(0.2,) * 6,
    )


def some_names(vehicle):
    parameters = vehicle.parameters
    names = ["added_mass.surge", "added_mass.yaw", "damping.linear.surge", "damping.quadratic.sway"]
    if not parameters.total_inertia_only and "parts:" not in Path(vehicle.file).read_text():
        names += ["body.net_buoyancy", "body.center_of_buoyancy.z"]
    names += ["thrusters.effectiveness"] if parameters.thrusters else []
    return names + (["rising_heave.linear", "rising_heave.added_mass"] if parameters.heave_up else [])


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_comes_back_with_the_same_numbers(name):
    vehicle = load_vehicle(name)
    names = some_names(vehicle)
    fit = made_fit(vehicle, names, values_of(vehicle.parameters, names) * 1.01 + 0.001)
    loaded = vehicle_from_text(fit.to_yaml(negative_damping="a set that is kept for a test"))
    assert loaded.name == f"{name}_fitted"
    assert loaded.parameters._replace(envelope=None) == fit.vehicle._replace(envelope=None)


@pytest.mark.parametrize("names", [["added_mass.surge"], ["damping.cubic_surge"], ["damping.lift.yaw_sway"]])
def test_combined_lift_is_taken_apart(names):
    vehicle = load_vehicle("remus100")
    fit = made_fit(vehicle, names, values_of(vehicle.parameters, names) + 1.0)
    assert vehicle_from_text(fit.to_yaml()).parameters == fit.vehicle


def test_each_fitted_number_carries_sigma_and_source(tmp_path):
    vehicle = load_vehicle("falcon")
    fit = made_fit(vehicle, ["added_mass.roll_sway", "damping.linear.surge"], [-20.0, 30.0])
    write_vehicle_file(fit, tmp_path / "fitted.yaml", name="falcon_2")
    figures = load_vehicle(tmp_path / "fitted.yaml").provenance
    fitted = figures["damping.linear.elements.surge_surge"]
    assert (fitted.value, fitted.sigma, fitted.source) == (30.0, 0.25, "made up, fitted to a test")
    assert figures["added_mass.elements.roll_sway"].sigma == 0.25
    assert "Proctor" in figures["damping.linear.elements.sway_sway"].source


def test_thrust_shares_are_written_per_thruster_and_way():
    vehicle = load_vehicle("falcon")
    fit = made_fit(vehicle, ["thrusters.vertical.effectiveness.reverse"], [0.7])
    thruster = vehicle_from_text(fit.to_yaml()).parameters.thrusters[4]
    assert (thruster.effectiveness_forward, thruster.effectiveness_reverse) == (0.15, 0.7)


def test_negative_damping_needs_a_reason_and_gets_an_envelope():
    vehicle = load_vehicle("flatfish_multidof")
    fit = made_fit(vehicle, ["damping.quadratic.surge"], [-100.0])
    with pytest.raises(NegativeDampingError, match=r"surge damping adds energy above 0.7477 m/s"):
        fit.to_yaml()
    loaded = vehicle_from_text(fit.to_yaml(negative_damping="only for a comparison"))
    assert loaded.historical.reason == "only for a comparison"
    assert loaded.historical.envelope[0] == pytest.approx(0.2)


def test_a_set_that_is_dissipative_again_loses_its_history():
    vehicle = load_vehicle("flatfish_basin_ls")
    names = ["damping.quadratic.surge", "damping.quadratic.heave"]
    assert vehicle_from_text(made_fit(vehicle, names, [10.0, 10.0]).to_yaml()).historical is None


def test_numbers_that_the_data_do_not_show_have_no_sigma():
    vehicle = load_vehicle("falcon")
    fit = made_fit(vehicle, ["damping.linear.surge"], [30.0], sigma=np.inf)
    figures = vehicle_from_text(fit.to_yaml()).provenance
    assert figures["damping.linear.elements.surge_surge"].sigma is None


@pytest.mark.parametrize("name", ["falcon", "remus100", "vita1"])
def test_every_known_name_reads_back_what_was_written(name):
    parameters = load_vehicle(name).parameters
    for k, one in enumerate(known_names(parameters)):
        changed = with_values(parameters, [one], [0.1 + 0.001 * k])
        assert values_of(changed, [one])[0] == pytest.approx(0.1 + 0.001 * k, abs=1e-9)
        assert changed._replace(**{f: getattr(parameters, f) for f in parameters._fields if f != "mass"}) == parameters


def test_unknown_names_are_refused_with_the_nearest():
    parameters = load_vehicle("falcon").parameters
    with pytest.raises(ParameterNameError, match=r'Did you mean "added_mass.surge"'):
        values_of(parameters, ["added_mass.surg"])
    with pytest.raises(ParameterNameError):
        values_of(load_vehicle("remus100").parameters, ["rising_heave.linear"])


def test_spellings_of_one_number_become_one():
    assert canonical("added_mass.surge_surge") == "added_mass.surge"
    assert canonical("added_mass.sway_roll") == "added_mass.roll_sway"
    assert canonical("damping.linear.sway_roll") == "damping.linear.sway_roll"


def test_intervals_follow_student():
    fit = made_fit(load_vehicle("falcon"), ["damping.linear.surge"], [30.0], sigma=1.0)
    assert np.allclose(fit.intervals(0.95), [[30.0 - 1.959964, 30.0 + 1.959964]], atol=1e-5)
    few = Fit(**{**fit.__dict__, "degrees_of_freedom": 4.0})
    assert np.allclose(few.intervals(0.95), [[30.0 - 2.776445, 30.0 + 2.776445]], atol=1e-5)
    assert "damping.linear.surge" in fit.table()
