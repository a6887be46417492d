"""Derivatives of the plant by CasADi, from the functions that compiled code runs, and random situations for them."""

import casadi
import numpy as np

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.algebra.quaternions import conjugate, product
from remora.equations.packed import ENVELOPE_START, hull_at
from remora.equations.water.local_water import kind_of_water, water_from
from remora.plant import EULER, RK4
from remora.plant.dual.linearisation import GROUPS, PlantJacobian
from remora.plant.dual.plant_derivatives import actuator_rates, rate_or_step, started, turned
from remora.plant.loops import IntegrationPlan
from remora.plant.stages import StepArrays, WholeArrays, fill_decays

LIMIT = 1e-12
STEP = 0.005  # s: every bundled vehicle is stable with it


def symbolic_work(packed, method, step, x):
    """The work space of the compiled derivatives as arrays of symbols, and the symbols of the error coordinates."""
    actuators, carried = packed.actuators, packed.actuator_states
    errors = casadi.SX.sym("errors", 12 + carried + actuators + 9)
    d = [errors[i] for i in range(errors.shape[0])]
    given = [x[i] for i in range(x.shape[0])]
    q = turned(tuple(given[3:7]), d[3:6])
    body = [*(given[i] + d[i] for i in range(3)), *q, *(given[i] + d[i - 1] for i in range(7, 13))]
    rest = [given[13 + i] + d[12 + i] for i in range(carried + actuators + 9)] + given[13 + carried + actuators + 9 :]
    decays = np.zeros((actuators, 2, method.nodes))
    fill_decays(packed.row, packed.layout, method.weights, step, decays)

    def empty(*shape):
        return np.zeros(shape, dtype=object)

    wide = actuators + 2 * packed.layout.moving_masses
    of_actuators = StepArrays(
        row=packed.row.tolist(), start=np.array(rest[:carried], dtype=object),
        commands=np.array(rest[carried : carried + actuators], dtype=object), targets=empty(actuators), decays=decays,
        outputs=empty(method.nodes, wide), thruster_wrenches=empty(method.nodes, 6),
    )  # fmt: skip
    environment = np.array(rest[carried + actuators :], dtype=object)
    work = WholeArrays(of_actuators, np.array(body, dtype=object), environment, empty(method.stages, 13))
    return work, errors


def symbolic_derivatives(packed, method, step, water=3):
    """Values and derivatives of the quaternion form, as a function of state, commands, wrench and water.

    The equations are the functions that compiled code runs, here on symbols.
    """
    x = casadi.SX.sym("x", BODY_SIZE + packed.actuator_states + packed.actuators + 6 + water)
    work, errors = symbolic_work(packed, method, step, x)
    before = casadi.vertcat(*work.body[3:7])
    plan = IntegrationPlan(method.rule, method.weights, method.tolerances, step, 1 if step else 0, 1)
    flow = water_from(work.environment[6:], kind_of_water(water))
    body = started(work, packed.layout, step > 0, flow)
    body = rate_or_step(work, packed.layout, plan, body, flow, 0.0)
    if not step:
        actuator_rates(work, packed.layout, flow)
    value = casadi.vertcat(*body, *work.actuators.start)
    both = [value, casadi.jacobian(value, errors), before, casadi.jacobian(before, errors)]
    at_zero = casadi.substitute(both, [errors], [casadi.SX.zeros(errors.shape[0])])
    return casadi.Function("derivatives", [x], at_zero)


def vector_part(q, columns):
    """Twice the vector part of conjugate(q) times each column."""
    return np.array([2.0 * np.array(product(conjugate(tuple(q)), tuple(c)))[1:] for c in columns.T]).T


def in_error_coordinates(found, step):
    """Value and Jacobian with the rows of a rotation vector, from those of the quaternion."""
    value, jacobian, q, q_slopes = (np.array(one) for one in found)
    value, q = value.ravel(), q.ravel()
    if step:
        rotation = vector_part(value[3:7], jacobian[3:7])
    else:
        rotation = vector_part(q, jacobian[3:7]) + vector_part(value[3:7], q_slopes)
    return value, np.vstack([jacobian[:3], rotation, jacobian[7:]])


def random_inputs(packed, random, water=3):
    """State, commands (some beyond their limits), external wrench and water of a random situation."""
    q = random.standard_normal(4)
    limits = packed.row[ENVELOPE_START : ENVELOPE_START + 6]
    twist = random.uniform(-1.0, 1.0, 6) * np.minimum((0.8, 0.4, 0.3, 0.4, 0.4, 0.4), 0.4 * limits)
    free = np.array([name not in packed.locked for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")])
    size = np.where(np.arange(packed.actuators) < packed.layout.thrusters, 80.0, 0.3)
    outputs, commands = size * random.uniform(-1.0, 1.0, (2, packed.actuators))
    speeds = random.uniform(-0.1, 0.1, packed.layout.moving_masses)
    flow = 0.2 * np.minimum(limits[:3].min(), 1.0) * random.uniform(-1.0, 1.0, water)
    wrench = 0.5 * np.diag(hull_at(packed.row).inertia) * random.uniform(-1.0, 1.0, 6)
    pose = [*random.uniform(-5.0, 5.0, 3), *(q / np.linalg.norm(q))]
    return np.concatenate([pose, twist * free, outputs, speeds, commands, wrench, flow])


def assert_agree(packed, step, count, seed, water=3):
    """Compiled and symbolic derivatives agree at random situations, rounding counted against the largest slope."""
    method = RK4 if step else EULER
    compiled, symbolic = PlantJacobian(packed, GROUPS, step or None), symbolic_derivatives(packed, method, step, water)
    random = np.random.default_rng(seed)
    for _ in range(count):
        inputs = random_inputs(packed, random, water)
        value, jacobian = in_error_coordinates(symbolic(inputs), step)
        found_value, found = compiled(inputs)
        np.testing.assert_allclose(found_value, value, rtol=LIMIT, atol=LIMIT * np.abs(value).max())
        scale = np.abs(jacobian).max(axis=1, keepdims=True)
        assert (np.abs(found - jacobian) <= LIMIT * scale).all()
