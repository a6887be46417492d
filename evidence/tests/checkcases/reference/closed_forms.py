"""Motions with a solution in closed form, each from the numbers of its problem file."""

import numpy as np
from scipy.integrate import quad
from scipy.spatial.transform import Rotation
from scipy.special import ellipj

from reference.body import body_of
from reference.integration import row
from reference.problem import Array, Problem, Run
from reference.trajectory import Trajectory


def log_cosh(x: Array) -> Array:
    """ln cosh x, also where cosh itself is too large."""
    return np.logaddexp(x, -x) - np.log(2.0)


def at_rest(problem: Problem, run: Run) -> Trajectory:
    """A neutral body at rest stays: every state is the first."""
    rotation = Rotation.from_quat(run.quaternion, scalar_first=True).as_matrix()
    first = row(run.position, rotation, np.concatenate([run.velocity, run.rates]))
    return Trajectory(run.name, problem.times, np.tile(first, (len(problem.times), 1)))


def _along(problem: Problem, run: Run, axis: int, path: Array, speed: Array) -> Trajectory:
    """A motion along one axis without turning."""
    states = np.zeros((len(problem.times), 13))
    states[:, 3] = 1.0
    states[:, axis], states[:, 7 + axis] = path, speed
    return Trajectory(run.name, problem.times, states)


def sinking_sphere(problem: Problem, run: Run) -> Trajectory:
    """From rest under net weight F against quadratic drag D: w = W tanh(t / T), W^2 = F / D, T = (m + m_a) W / F."""
    body = body_of(problem.vehicle)
    force = (body.mass - body.displaced_mass) * body.gravity
    final = np.sqrt(force / body.quadratic[2, 2])
    constant = (body.mass + body.added[2, 2]) * final / force
    scaled = problem.times / constant
    return _along(problem, run, 2, final * constant * log_cosh(scaled), final * np.tanh(scaled))


def surge(problem: Problem, run: Run) -> Trajectory:
    """From rest under a force F against a u + b u^2: y = u + a / 2b obeys m y' = b (Y^2 - y^2), so it is a tanh."""
    body = body_of(problem.vehicle)
    force, mass = run.inputs[0].wrench[0], body.mass + body.added[0, 0]
    a, b = body.linear[0, 0], body.quadratic[0, 0]
    shift, top = a / (2.0 * b), np.sqrt(a * a + 4.0 * b * abs(force)) / (2.0 * b)
    phase = np.arctanh(shift / top)
    argument = b * top / mass * problem.times + phase
    speed = top * np.tanh(argument) - shift
    path = mass / b * (log_cosh(argument) - log_cosh(phase)) - shift * problem.times
    return _along(problem, run, 0, np.sign(force) * path, np.sign(force) * speed)


def roll(problem: Problem, run: Run) -> Trajectory:
    """Released at rest at an angle: sin(phi / 2) = k cd(w t | k^2), k = sin(phi_0 / 2), w^2 = m_d g h / J."""
    body = body_of(problem.vehicle)
    height = body.p_BG[2] - body.p_BC[2]
    natural = np.sqrt(body.displaced_mass * body.gravity * height / (body.rigid[3, 3] + body.added[3, 3]))
    k = run.quaternion[1]
    sn, cn, dn, _ = ellipj(natural * problem.times, k * k)
    states = np.zeros((len(problem.times), 13))
    states[:, 4] = k * cn / dn
    states[:, 3] = np.sqrt(1.0 - states[:, 4] ** 2)
    states[:, 10] = -2.0 * natural * k * np.sqrt(1.0 - k * k) * sn / dn
    return Trajectory(run.name, problem.times, states)


def free_rotation(problem: Problem, run: Run) -> Trajectory:
    """Jacobi's solution for moments A < B < C, started with no rate about B, the momentum nearer to the axis of C.

    Rates are elliptic functions. The angles to the fixed momentum L follow from them, and the precession about L is an
    integral of a known function of time. Landau and Lifshitz, Mechanics, section 37.
    """
    body = body_of(problem.vehicle)
    moments = np.diag(body.rigid)[3:]
    momentum = Rotation.from_quat(run.quaternion, scalar_first=True).apply(moments * run.rates)
    size = float(np.linalg.norm(momentum))

    def rates_at(times: Array) -> Array:
        return _euler_rates(moments, run.rates, times)

    def precession(time: float) -> float:
        about = rates_at(np.array([time]))[0]
        return float(size * (moments * about**2)[:2].sum() / ((moments * about) ** 2)[:2].sum())

    rates, angle, states = rates_at(problem.times), 0.0, []
    to_fixed = _fixed_frame(run, moments, rates[0], size)
    velocity = Rotation.from_quat(run.quaternion, scalar_first=True).apply(run.velocity)
    for i, time in enumerate(problem.times):
        if i:
            angle += quad(precession, problem.times[i - 1], time, epsabs=1e-14, epsrel=1e-13)[0]
        rotation: Array = to_fixed @ _from_momentum_axes(moments, rates[i], angle, size)
        position = run.position + velocity * time
        states.append(row(position, rotation, np.concatenate([rotation.T @ velocity, rates[i]])))
    return Trajectory(run.name, problem.times, np.array(states))


def _euler_rates(moments: Array, start: Array, times: Array) -> Array:
    """Rates about the axes of the three moments, sorted upwards, from a start without rate about the middle one."""
    a, b, c = moments
    energy, momentum = (moments * start**2).sum(), ((moments * start) ** 2).sum()
    if not (a < b < c and start[1] == 0.0 and momentum > energy * b):
        raise ValueError("this solution needs moments in rising order, no middle rate, and L^2 > 2 E B")
    pace = np.sqrt((c - b) * (momentum - energy * a) / (a * b * c))
    modulus = (b - a) * (energy * c - momentum) / ((c - b) * (momentum - energy * a))
    sn, cn, dn, _ = ellipj(pace * times, modulus)
    middle = np.sqrt((energy * c - momentum) / (b * (c - b)))
    return np.stack([start[0] * cn, np.sign(start[0] * start[2]) * middle * sn, start[2] * dn], axis=1)


def _from_momentum_axes(moments: Array, rates: Array, precession: float, size: float) -> Array:
    """Rotation from the body to axes whose third is the momentum: Euler angles z, x, z."""
    first, second, third = moments * rates / size
    tilt, own = np.arctan2(np.hypot(first, second), third), np.arctan2(first, second)
    return np.asarray(Rotation.from_euler("ZXZ", [precession, tilt, own]).as_matrix())


def _fixed_frame(run: Run, moments: Array, rates: Array, size: float) -> Array:
    """Rotation from the axes of the momentum to the fixed ones, from the attitude at the start."""
    start = Rotation.from_quat(run.quaternion, scalar_first=True).as_matrix()
    return np.asarray(start @ _from_momentum_axes(moments, rates, 0.0, size).T)
