"""The regression is the equation of motion: it holds on the plant's own accelerations, for every vehicle shipped."""

import numpy as np
import pytest

from remora.identification import known_names, values_of, with_values
from remora.identification.parameter_names import linear_names
from remora.identification.regression.regressor import (
    STRUCTURAL_ZERO,
    as_column,
    base_wrenches,
    motion_of,
    rate_product,
    relative_twist,
    unit_wrenches,
)
from remora.identification.replay import without_actuator_lags
from remora.plant import derivative, initial_state, pack
from remora.vehicles import load_vehicle, preset_names

SAMPLES = 20


def random_motion(parameters, seed):
    generator = np.random.default_rng(seed)
    twist = generator.normal(0.0, 0.3, (SAMPLES, 6))
    q = generator.normal(size=(SAMPLES, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    limits = [t.command_maximum for t in parameters.thrusters] + [0.2] * len(parameters.fins)
    outputs = generator.uniform(-0.5, 0.5, (SAMPLES, len(limits))) * np.array(limits)
    external, water = generator.normal(size=(SAMPLES, 6)), generator.normal(0.0, 0.2, (SAMPLES, 3))
    return twist, q, outputs, external, water


def residual(wrenches, rate, samples=SAMPLES):
    """Required less applied wrench, sample by sample."""
    inertial = rate_product(wrenches, tuple(rate.T))
    columns = []
    for i in range(6):
        parts = (inertial[i], wrenches.term[i], wrenches.effort[i])
        column = sum(as_column(part, samples) for part in parts)
        if i == 2:
            column = column + as_column(wrenches.heave_mass, samples) * rate[:, 2]
        columns.append(column)
    return np.column_stack(columns)


@pytest.mark.parametrize("name", preset_names())
def test_the_equation_holds_on_accelerations_of_the_plant(name):
    parameters = load_vehicle(name).parameters._replace(locked=(), envelope=None)
    twist, q, outputs, external, water = random_motion(parameters, 1)
    packed = pack(without_actuator_lags(parameters))
    rates = []
    for k in range(SAMPLES):
        state = initial_state(packed, quaternion=q[k], twist=twist[k], outputs=outputs[k])
        rates.append(derivative(packed, state, outputs[k], external[k], water[k])[7:13])
    # The rate of the twist relative to the water adds what the turning body sees of the steady current.
    relative = relative_twist(twist, q, water)
    carried = np.column_stack([np.cross(twist[:, 3:], (twist - relative)[:, :3]), np.zeros((SAMPLES, 3))])
    motion = motion_of(relative, q, outputs, external)
    left = residual(base_wrenches(packed, motion), np.array(rates) + carried)
    scale = np.abs(packed.row[:36]).max() * 10.0
    assert np.abs(left).max() < 1e-9 * scale


@pytest.mark.parametrize("simplifications", [(), ("munk_off",), ("coriolis_off",)])
@pytest.mark.parametrize("name", ["falcon", "remus100", "flatfish_multidof", "gavia", "vita1"])
def test_a_column_is_what_one_unit_of_the_parameter_changes(name, simplifications):
    vehicle = load_vehicle(name).parameters._replace(simplifications=simplifications)
    twist, q, outputs, external, _ = random_motion(vehicle, 2)
    rate = np.random.default_rng(3).normal(size=(SAMPLES, 6))
    motion = motion_of(twist, q, outputs, external)
    before = residual(base_wrenches(pack(vehicle), motion), rate)
    for parameter in linear_names(known_names(vehicle), vehicle):
        if parameter.startswith("thrusters.effectiveness") or parameter.endswith(".effectiveness"):
            # These set several numbers at once, which may differ to begin with.
            vehicle_now = with_values(vehicle, [parameter], [0.5])
            start = residual(base_wrenches(pack(vehicle_now), motion), rate)
        else:
            vehicle_now, start = vehicle, before
        value = values_of(vehicle_now, [parameter])[0]
        moved = with_values(vehicle_now, [parameter], [value + 1.0])
        expected = residual(base_wrenches(pack(moved), motion), rate) - start
        column = residual(unit_wrenches(parameter, vehicle_now, motion), rate)
        assert np.allclose(column, expected, rtol=1e-9, atol=1e-9 * np.abs(before).max()), parameter


def test_nothing_vanishes_from_sums_and_swallows_products():
    array = np.arange(3.0)
    assert (array + STRUCTURAL_ZERO) is array
    assert (STRUCTURAL_ZERO + array) is array
    assert np.array_equal(STRUCTURAL_ZERO - array, -array)
    assert (array - STRUCTURAL_ZERO) is array
    assert (array * STRUCTURAL_ZERO) is STRUCTURAL_ZERO
    assert (2.0 * STRUCTURAL_ZERO) is STRUCTURAL_ZERO
    assert abs(STRUCTURAL_ZERO) is STRUCTURAL_ZERO
    assert -STRUCTURAL_ZERO is STRUCTURAL_ZERO
