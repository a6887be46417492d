"""The engine stand-in is a rigid body; schemes do to it what theory says; the direct one is exact."""

import math

import numpy as np
import pytest

from remora.equations.algebra.vectors import ZERO6
from remora.equations.engine import direct_wrench
from remora.equations.packed import hull_at
from remora.guidance import PoseReference
from remora.interop.added_mass_schemes import (
    DelayedCompensation,
    DirectCompensation,
    LastAcceleration,
    Uncompensated,
    added_mass_ratio,
    excess,
)
from remora.interop.simple_engine import CompensatedEngine, Engine
from remora.plant import pack, rollout
from remora.vehicles import load_vehicle
from remora.vehicles.parameters import total_inertia
from remora_evidence.benchmarks.vehicle import full_vehicle
from remora_evidence.scheme_comparison import compare_with_reference
from remora_evidence.studies.flatfish.engine import pushed, touched

FLATFISH = load_vehicle("flatfish_gazebo").parameters
GOAL = PoseReference((10.0, 10.0, 8.0), math.pi, (0.0, 0.0, 0.0), 0.0)


def test_the_engine_falls_as_a_stone_and_answers_forces_with_its_rigid_body_alone():
    engine = Engine(FLATFISH, 0.01)
    state = engine.initial()
    for _ in range(100):
        state = engine.advance(state, (35.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    assert state[9] == pytest.approx(9.81, rel=1e-12)
    assert state[7] == pytest.approx(0.1, rel=1e-12)
    # Semi-implicit: the new speed moves it, so it is half a step ahead of the exact fall.
    assert state[2] == pytest.approx(0.5 * 9.81 + 0.5 * 0.01 * 9.81, rel=1e-12)


def test_its_own_efforts_are_what_it_integrates():
    """A turning body with its centre of gravity off the origin: the step is M_RB^-1 (Coriolis + weight)."""
    parameters = full_vehicle()
    engine = Engine(parameters, 1e-3)
    state = engine.initial()
    state[7:13] = (0.3, -0.2, 0.5, 0.4, -0.6, 0.2)
    carried, weight = engine.native(state.tolist())
    rate = (engine.advance(state, ZERO6)[7:13] - state[7:13]) / 1e-3
    M_RB = np.array(parameters.rigid_body_inertia)
    np.testing.assert_allclose(M_RB @ rate, np.add(carried, weight), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("hook", [False, True])
def test_contact_meets_body_or_body_and_water(hook):
    """Full matrices: column by column the inverse of one or the other inertia."""
    parameters = full_vehicle()
    inertia = total_inertia(parameters) if hook else parameters.rigid_body_inertia
    np.testing.assert_allclose(touched(parameters, hook), np.linalg.inv(inertia), rtol=1e-7, atol=1e-12)


def test_the_direct_scheme_is_the_direct_wrench():
    """K F - e in the words of the dissertation, and inverse dynamics in ours, with contact in both."""
    parameters = full_vehicle()
    body = CompensatedEngine(parameters, DirectCompensation(excess(parameters)), 1e-3, (0.0, 0.0, 0.0))
    body.state[7:13] = (0.3, -0.2, 0.5, 0.4, -0.6, 0.2)
    before, contact, outputs = body.state.copy(), (3.0, -1.0, 2.0, 0.5, 0.2, -0.3), np.full(6, 40.0)
    body.advance(outputs, contact, hook=True)
    packed, state = pack(parameters), before.tolist()
    given = direct_wrench(
        packed.row, packed.layout, body.engine.hull, tuple(state[3:7]), tuple(state[7:13]), outputs, (0, 0, 0), contact
    )
    after = body.engine.advance(before, tuple(np.add(given, contact).tolist()))
    np.testing.assert_allclose(body.state, after, rtol=1e-12, atol=1e-12)
    assert hull_at(packed.row.tolist()).inertia != body.engine.hull.inertia


def errors(scheme, step=0.01):
    return compare_with_reference(FLATFISH, scheme, GOAL, 20.0, step).mean_errors


def test_every_shortcut_is_worse_than_the_direct_method():
    """At 10 ms over 20 s; the two mistakes in rebuilding the efforts are as bad as no added mass at all."""
    K = excess(FLATFISH)
    direct = errors(DirectCompensation(K))
    assert np.all(errors(DelayedCompensation(K)) > direct)
    for scheme in (
        DelayedCompensation(K, forgets_coriolis=True),
        DelayedCompensation(K, keeps_compensation=True),
        Uncompensated(),
    ):
        assert np.all(errors(scheme)[:3] > 10.0 * direct[:3])


def test_the_naive_scheme_is_lost_within_a_tenth_of_a_second():
    run = compare_with_reference(FLATFISH, LastAcceleration(FLATFISH.added_mass), GOAL, 1.0)
    assert run.diverged_after is not None
    assert run.diverged_after < 100
    assert np.all(np.isinf(run.mean_errors))


def test_the_naive_scheme_turns_at_the_spectral_radius_also_with_couplings():
    """Neither the diagonal nor the norm decides, but the spectral radius of M_RB^-1 M_A."""
    parameters = full_vehicle()
    for wanted in (0.95, 1.05):
        factor = wanted / added_mass_ratio(parameters)
        scaled = tuple(tuple(factor * x for x in row) for row in parameters.added_mass)
        light = parameters._replace(added_mass=scaled)
        assert added_mass_ratio(light) == pytest.approx(wanted)
        error = pushed(light, LastAcceleration(scaled), 400)
        assert error < 1e-2 if wanted < 1.0 else error > 1e3


def test_the_reference_is_the_plant():
    """The side that is driven by commands alone is `rollout` itself."""
    run = compare_with_reference(FLATFISH, DirectCompensation(excess(FLATFISH)), GOAL, 0.1, 0.01)
    state = np.zeros(13 + 6)
    state[2], state[3] = 3.0, 1.0
    from remora.control import flatfish_chain

    chain = flatfish_chain(FLATFISH)
    _, output = chain.step(chain.initial(), (0.0, 0.0, 3.0), (1.0, 0.0, 0.0, 0.0), ZERO6, GOAL)
    there = rollout(pack(FLATFISH), state, output.commands, 0.01, intervals=10)
    np.testing.assert_allclose(run.reference, there[1:, 7:13], atol=1e-12)
