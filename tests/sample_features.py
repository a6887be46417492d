"""Vehicles and motions drawn at random, and one vehicle for every feature of the plant."""

import math
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from remora.equations.actuators.thrusters import THRUST_FROM_SPEED, THRUST_FROM_SPEED_AND_INFLOW, ThrustCurve
from remora.equations.algebra.quaternions import normalize, rotation_matrix
from remora.equations.algebra.vectors import IDENTITY3
from remora.equations.hull.forms.cross_flow import CROSS_FLOW, Strip
from remora.equations.hull.forms.form import HullForce
from remora.equations.hull.forms.lift import LIFT, Lift
from remora.equations.hull.forms.module_damping import MODULE_DAMPING, ModuleDamping
from remora.equations.hull.forms.six_matrices import SIX_MATRICES, SixMatrices
from remora.equations.hull.forms.user_form import load_form
from remora.equations.hull.inertia import inertia_about_G
from remora.equations.hull.restoring import BuoyancyElement
from remora.plant.pack import pack
from remora.vehicles.parameters import HeaveUp
from sample_vehicles import (
    bluerov2,
    body,
    falcon,
    falcon_thrusters,
    glider,
    tail_fin,
    torpedo,
    trim_mass,
    tuples,
    with_fins,
    with_moving_masses,
    with_thrusters,
)


def everything():
    """No real vehicle: every feature at once, with full matrices, so that no term can hide behind a zero."""
    random = np.random.default_rng(7)
    base = general(random)
    drives = falcon_thrusters()[:3]
    scales = np.diag(base.quadratic_damping)
    # FlatFish's form, one definite matrix per speed, so that this vehicle too only loses energy.
    tensor = np.swapaxes([random_definite(random, 0.3 * scales) for _ in range(6)], 0, 1)
    lift = random_definite(random, scales, 0.2)
    full = base._replace(
        cubic_surge=1.7,
        forces=(
            HullForce(LIFT, (Lift(tuples(lift)),)),
            HullForce(SIX_MATRICES, (SixMatrices(tuples(tensor)),)),
            HullForce(CROSS_FLOW, (Strip(-0.4, 12.0, 15.0), Strip(0.3, 10.0, 7.0))),
            HullForce(MODULE_DAMPING, joined_modules(scales)),
        ),
        heave_up=HeaveUp(0.6 * base.added_mass[2][2], 0.9 * base.linear_damping[2][2], 0.5 * scales[2]),
    )
    tilted = tail_fin(0.3, chord=(0.6, 0.0, 0.8), normal=(-0.8, 0.0, 0.6), feels_cross_flow=0.0)
    with_drives = with_thrusters(full, drives, THRUST_FROM_SPEED_AND_INFLOW, mapped=True)
    return with_fins(with_drives, [tail_fin(0.7), tilted])


def joined_modules(scales):
    """Quadratic damping of two modules off the origin, one of them turned."""
    turned = rotation_matrix(normalize((0.8, 0.3, -0.4, 0.2)))
    return (
        ModuleDamping((0.5, -0.2, 0.1), IDENTITY3, tuples(np.diag(0.2 * scales))),
        ModuleDamping((-0.3, 0.4, -0.2), turned, tuples(np.diag(0.1 * scales))),
    )


def random_definite(random, scales, spread=0.4):
    """A full symmetric positive definite matrix with roughly these diagonal elements."""
    n = len(scales)
    root = np.eye(n) + spread * random.uniform(-1.0, 1.0, (n, n))
    size = np.sqrt(np.asarray(scales))
    return size[:, None] * (root @ root.T) * size


def general(random):
    """A body with full matrices everywhere and its points anywhere; only the physics of its inertia is kept."""
    mass = random.uniform(5.0, 50.0)
    parts = random.uniform(-0.3, 0.3, (5, 3))  # point masses make any inertia that a body can have
    spread = mass / 5.0 * (np.einsum("ni,ni->", parts, parts) * np.eye(3) - parts.T @ parts)
    points = random.uniform(-0.05, 0.05, (2, 3))
    inertia_G = inertia_about_G(mass, tuples(parts.mean(0)), tuples(0.5 * (spread + spread.T)))
    scales = mass * np.array([0.5, 0.9, 1.2, 0.02, 0.03, 0.03])
    return body(
        mass,
        inertia_G,
        p_BG=tuples(points[0]),
        p_BC=tuples(points[1]),
        displaced_mass=mass * random.uniform(0.95, 1.05),
        added_mass=tuples(random_definite(random, scales)),
        linear_damping=tuples(random_definite(random, scales)),
        quadratic_damping=tuples(random_definite(random, 2.0 * scales, 0.1)),
    )


general_vehicles = st.integers(0, 2**32 - 1).map(lambda seed: general(np.random.default_rng(seed)))


def reals(lowest, highest):
    """Strategy: numbers with their corners, zeros and signs, but none so small that a square would underflow."""
    return st.floats(lowest, highest).map(lambda x: x if abs(x) > 1e-9 else 0.0)


def six(size):
    """Strategy: a twist or wrench with components up to a size."""
    return st.tuples(*[reals(-size, size)] * 6)


def three(size):
    return st.tuples(*[reals(-size, size)] * 3)


twists = six(2.0)
_corners = st.tuples(*[reals(-1.0, 1.0)] * 4).filter(lambda q: math.hypot(*q) > 0.1)
quaternions = _corners.map(lambda q: tuples(np.array(q) / math.hypot(*q)))


def halves_of(vehicle):
    """The displaced water of a vehicle as two balls fore and aft."""
    x, y, z = vehicle.p_BC
    half = 0.5 * vehicle.displaced_mass
    return BuoyancyElement((x + 0.2, y, z), 0.1, half), BuoyancyElement((x - 0.2, y, z), 0.1, half)


def with_bulbs(vehicle):
    """The vehicle with two user-defined forces, of which one does not fade at the surface."""
    bulb, kept = (load_form(str(Path(__file__).with_name("sample_form.py")), name) for name in ("BULB", "KEPT"))
    numbers = (0.3, -0.2, 0.4, 5.0, 7.0, 11.0)
    own = (HullForce(bulb, (bulb.read(numbers, 0),), "bulb"), HullForce(kept, (kept.read(numbers[::-1], 0),), "kept"))
    return vehicle._replace(forces=(*vehicle.forces, *own))


def packed_features():
    """Packed vehicles that together have every feature of the plant, by name."""
    rov, auv, all_at_once = bluerov2(), torpedo(), everything()
    static = with_thrusters(
        rov,
        [t._replace(positive=ThrustCurve(0.01, 0, 0), negative=ThrustCurve(0.008, 0, 0)) for t in rov.thrusters],
        THRUST_FROM_SPEED,
    )
    return {
        "plain": pack(rov),
        "full matrices": pack(general(np.random.default_rng(5))),
        "thrust from speed": pack(static),
        "two heaves and six matrices": pack(falcon()),
        "one heave": pack(falcon()._replace(heave_up=None)),
        "lift, strips and fins": pack(auv),
        "motors, servos and moving masses": pack(glider()),
        "motors, servos and moving masses, locked": pack(
            glider(), locked=("sway", "roll"), simplifications=("coriolis_off",)
        ),
        "moving masses and two heaves": pack(
            with_moving_masses(falcon(), trim_mass(5.0, (0.1, 0.0, 0.0), (0.6, 0.8, 0.0)))
        ),
        "user-defined forces": pack(with_bulbs(rov)),
        "user-defined forces and everything": pack(with_bulbs(all_at_once)),
        "two buoyancy elements": pack(rov._replace(buoyancy_elements=halves_of(rov))),
        "everything": pack(all_at_once),
        "everything, locked": pack(all_at_once, locked=("sway", "roll", "pitch")),
        "coriolis_off": pack(all_at_once, simplifications=("coriolis_off",)),
        "munk_off": pack(all_at_once, simplifications=("munk_off",)),
    }
