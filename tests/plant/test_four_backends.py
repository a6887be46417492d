"""The same equations in plain Python, compiled, as CasADi symbols and on arrays of many vehicles agree to 1e-12."""

import casadi
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from remora.equations.actuators.response import actuator_slew, actuator_target
from remora.equations.actuators.slewing import slewing_acceleration, slewing_speed
from remora.equations.packed import Layout, outputs_count
from remora.equations.plant import body_rate, twist_rate
from remora.plant import derivative, pack
from sample_features import everything, packed_features, quaternions, reals, six, three, twists

VEHICLES = packed_features()
LIMIT = 1e-12


def largest_term(packed, state, outputs, water, external):
    """The size against which rounding is measured: every force alone, through the inverse inertia."""
    q, twist = state[3:7], state[7:]
    parts = [
        twist_rate(packed.row.tolist(), packed.layout, q, t, y, w, e)
        for t, y, w, e in [
            (twist, [0.0] * len(outputs), (0.0, 0.0, 0.0), (0.0,) * 6),
            ((0.0,) * 6, outputs, (0.0, 0.0, 0.0), (0.0,) * 6),
            ((0.0,) * 6, [0.0] * len(outputs), water, (0.0,) * 6),
            ((0.0,) * 6, [0.0] * len(outputs), (0.0, 0.0, 0.0), external),
        ]
    ]
    return np.abs(parts).max()


@st.composite
def situations(draw, packed):
    """A whole state, outputs of actuators, water velocity and external wrench."""
    state = (*draw(three(10.0)), *draw(quaternions), *draw(twists))
    thrusters = packed.layout.thrusters
    others = outputs_count(packed.layout) - thrusters
    turning = draw(st.lists(reals(-90.0, 90.0), min_size=thrusters, max_size=thrusters))
    small = draw(st.lists(reals(-0.35, 0.35), min_size=others, max_size=others))
    return state, (*turning, *small), draw(three(1.0)), draw(six(20.0))


def as_a_state(packed, state, outputs):
    """A whole state and commands that give moving masses these speeds and accelerations, as far as that can be."""
    return [*state, *outputs[: packed.actuators], *[0.0] * packed.layout.moving_masses]


def moving_as_commanded(packed, outputs, commands):
    """Outputs with the speeds and accelerations that moving masses have under commands."""
    outputs, first = list(outputs), packed.actuators - packed.layout.moving_masses
    for i in range(first, packed.actuators):
        slew = actuator_slew(packed.row.tolist(), packed.layout, i)
        target = actuator_target(packed.row.tolist(), packed.layout, i, commands[i])
        outputs[i + packed.layout.moving_masses] = slewing_speed(slew, outputs[i], target)
        outputs[i + 2 * packed.layout.moving_masses] = slewing_acceleration(slew, outputs[i], target)
    return tuple(outputs)


def symbolic_rate(packed):
    """body_rate as a CasADi function of the packed row and all the rest."""
    sizes = (packed.row.size, 13, outputs_count(packed.layout), 3, 6)
    row, state, outputs, water, external = (casadi.SX.sym(f"x{i}", n) for i, n in enumerate(sizes))
    parts = [[x[i] for i in range(x.shape[0])] for x in (state, water, external)]
    rate = body_rate(row, packed.layout, parts[0], outputs, parts[1], parts[2])
    return casadi.Function("rate", [row, state, outputs, water, external], [casadi.vertcat(*rate)])


@pytest.mark.parametrize("name", VEHICLES)
def test_compiled_symbolic_and_plain_agree(name):
    packed = VEHICLES[name]
    symbolic = symbolic_rate(packed)

    @settings(max_examples=60)
    @given(situations(packed))
    def agree(situation):
        state, outputs, water, external = situation
        commands = np.full(packed.actuators, 0.05)
        outputs = moving_as_commanded(packed, outputs, commands)
        plain = np.array(body_rate(packed.row.tolist(), packed.layout, state, outputs, water, external))
        compiled = derivative(packed, as_a_state(packed, state, outputs), commands, external, water)[:13]
        symbols = np.array(symbolic(packed.row, state, outputs, water, external)).ravel()
        scale = max(np.abs(plain).max(), largest_term(packed, state, outputs, water, external))
        np.testing.assert_allclose(compiled, plain, rtol=LIMIT, atol=LIMIT * scale)
        np.testing.assert_allclose(symbols, plain, rtol=LIMIT, atol=LIMIT * scale)

    agree()


@pytest.mark.parametrize("name", VEHICLES)
def test_arrays_of_vehicles_agree_with_single_ones(name):
    """Rows and states as arrays over vehicles: one call gives the rates of all."""
    packed, count = VEHICLES[name], 200
    random = np.random.default_rng(11)
    rows = packed.row * random.uniform(0.95, 1.05, (count, packed.row.size))
    states = random.uniform(-1.5, 1.5, (count, 13))
    states[:, 3:7] /= np.linalg.norm(states[:, 3:7], axis=1, keepdims=True)
    outputs = random.uniform(-0.3, 0.3, (count, outputs_count(packed.layout)))
    outputs[:, : packed.layout.thrusters] *= 200.0
    waters, externals = random.uniform(-1.0, 1.0, (count, 3)), random.uniform(-9.0, 9.0, (count, 6))
    together = body_rate(rows.T, packed.layout, tuple(states.T), outputs.T, tuple(waters.T), tuple(externals.T))
    for k in range(count):
        situation = (tuple(states[k]), tuple(outputs[k]), tuple(waters[k]), tuple(externals[k]))
        alone = np.array(body_rate(rows[k].tolist(), packed.layout, *situation))
        scale = max(np.abs(alone).max(), largest_term(packed._replace(row=rows[k]), *situation))
        found = np.array([np.broadcast_to(component, count)[k] for component in together])
        np.testing.assert_allclose(found, alone, rtol=LIMIT, atol=LIMIT * scale)


def test_the_vehicles_above_have_every_feature():
    """Every field of the layout takes more than one value among them, so no branch goes unseen."""
    for field in set(Layout._fields) - {"water"}:  # which says what compiled code is made for, and nothing of a vehicle
        assert len({getattr(p.layout, field) for p in VEHICLES.values()}) > 1, field
    assert {p.layout.thrust_law for p in VEHICLES.values()} == {0, 1, 2, 3}
    assert {p.simplifications for p in VEHICLES.values()} == {(), ("coriolis_off",), ("munk_off",)}


@given(command=reals(-150.0, 150.0))
def test_targets_of_actuators_agree(command):
    """Command maps and limits: plain Python, symbols and arrays; compiled as the rate of an actuator at rest."""
    packed = pack(everything())
    row, x = packed.row.tolist(), casadi.SX.sym("x")
    compiled = derivative(packed, [0, 0, 0, 1] + [0] * (9 + packed.actuators), [command] * packed.actuators)[13:]
    for i in range(packed.actuators):
        plain = actuator_target(row, packed.layout, i, command)
        symbolic = casadi.Function("target", [x], [actuator_target(row, packed.layout, i, x)])
        assert float(symbolic(command)) == pytest.approx(plain, rel=LIMIT, abs=0)
        arrays = actuator_target(row, packed.layout, i, np.array([command, 1.0]))
        assert arrays[0] == pytest.approx(plain, rel=LIMIT, abs=0)
        lag = 0.159 if i < packed.layout.thrusters else 0.1
        assert compiled[i] * lag == pytest.approx(plain, rel=LIMIT, abs=0)
