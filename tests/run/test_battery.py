"""Electric battery: what is drawn, what is left, and that nothing is lost on the way."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.integrate import solve_ivp

from driven_vehicles import BATTERY, FORCE_LAW, SPEED_LAW, TABLE, driven
from remora.run.plant.battery import make_battery
from remora.vehicles import load_vehicle

CAPACITY = 266 * 3600.0
SECOND = 1_000_000_000


def by_thrust():
    return make_battery(driven(FORCE_LAW, "power: {per_thrust: 4.0}", "", more=BATTERY))


def test_power_from_thrust_speed_and_current():
    assert by_thrust().power([25.0, 30.0], [25.0, 30.0], 16.0) == pytest.approx(20.0 + 4.0 * 125.0)
    turning = make_battery(driven(SPEED_LAW, "power: {per_cubed_speed: 1e-5 W s3/rad3}", more=BATTERY))
    assert turning.power([-200.0], [-200.0], 16.0) == pytest.approx(20.0 + 80.0)
    measured = make_battery(driven(FORCE_LAW, TABLE, more=BATTERY))
    assert measured.power([30.0], [1800.0], 16.0) == pytest.approx(20.0 + 15.0 * 16.0)
    assert measured.power([0.0], [1500.0], 16.0) == 20.0


@given(st.floats(0.0, 30.0), st.floats(0.2, 1.0))
def test_what_leaves_the_cells_is_used_or_heats_the_battery(force, charge):
    """Over ten minutes: loss of charge x capacity = power x time + resistance x current squared, summed up."""
    battery = by_thrust()
    state, _, _, start = battery.step(battery.initial(charge), [force, 0.0], [force, 0.0], 0)
    used = 0.0
    for _ in range(60):
        before = state.voltage
        state, power, voltage, left = battery.step(state, [force, 0.0], [force, 0.0], 10 * SECOND)
        used += 10.0 * power + 5.0 * 0.05 * ((power / before) ** 2 + (power / voltage) ** 2)
        assert (left, voltage) == (state.charge, state.voltage)
    assert state.charge == 0.0 or (start - state.charge) * CAPACITY == pytest.approx(used, rel=1e-4)


def test_a_station_refills_the_battery_up_to_full():
    battery = by_thrust()
    state = battery.initial(0.0)
    for _ in range(100):
        before = state.charge
        state, power, voltage, charge = battery.step(state, [0.0, 0.0], [0.0, 0.0], 10 * SECOND, charging=220.0)
        assert power == pytest.approx(20.0 - 220.0)
        current = power / voltage
        # The resistance takes its part of what the station gives.
        assert (charge - before) * CAPACITY == pytest.approx(10.0 * (200.0 - 0.05 * current**2), rel=1e-3)
    later = battery.step(battery.initial(0.999), [0.0, 0.0], [0.0, 0.0], 1000 * SECOND, charging=220.0)
    assert later[3] == 1.0


def test_discharge_against_integration():
    """ConstantWrench power until nearly empty, against an integrator that knows the circuit and not our functions."""

    def rate(t, y):
        open_voltage = 12.8 + 4.0 * y[0]
        current = (open_voltage - np.sqrt(open_voltage**2 - 4.0 * 0.05 * power)) / (2.0 * 0.05)
        return [-open_voltage * current / CAPACITY]

    battery = by_thrust()
    state = battery.initial()
    for _ in range(150):
        state, power, voltage, charge = battery.step(state, [25.0, 0.0], [25.0, 0.0], 10 * SECOND)
    truth = solve_ivp(rate, (0.0, 1500.0), [1.0], rtol=1e-10, atol=1e-12).y[0, -1]
    assert 0.0 < charge < 0.2
    assert charge == pytest.approx(truth, abs=1e-6)
    assert voltage == pytest.approx(12.8 + 4.0 * charge - 0.05 * power / voltage, rel=1e-9)


def test_the_voltage_sags_under_load_and_an_empty_battery_stays_empty():
    battery = by_thrust()
    state = battery.initial()
    idle = battery.step(state, [0.0, 0.0], [0.0, 0.0], SECOND)
    loaded = battery.step(state, [40.0, 0.0], [40.0, 0.0], SECOND)
    assert loaded[2] < idle[2] < 16.8
    empty = battery.initial(0.0)
    _, _, voltage, charge = battery.step(empty, [10.0, 0.0], [10.0, 0.0], SECOND)
    assert charge == 0.0
    assert 0.0 < voltage < 12.8
    assert battery.step(state, [40.0, 0.0], [40.0, 0.0], 0)[3] == state.charge
    nearly = battery.initial(1e-6)
    assert battery.step(nearly, [40.0, 0.0], [40.0, 0.0], 10 * SECOND)[3] == 0.0


def test_what_is_wrong_is_said():
    with pytest.raises(ValueError, match="no battery"):
        make_battery(load_vehicle("falcon"))
    with pytest.raises(ValueError, match="between 0"):
        by_thrust().initial(1.5)
    with pytest.raises(ValueError, match="never goes back"):
        by_thrust().step(by_thrust().initial(), [0.0, 0.0], [0.0, 0.0], -1)
