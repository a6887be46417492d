"""The baseline of the comparison: MuJoCo with a free ellipsoid in water, at the same step of 10 ms.

The ellipsoid has MuJoCo's ellipsoid fluid forces (added mass, drag, lift, Magnus force), no thrusters, no contacts
and no weight: less work than our vehicle. Every window starts from the same motion, so that nothing decays to rest.
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from remora.distribution import install_line
from remora_evidence.benchmarks.vehicle import SEED, TWIST

STEP = 0.01  # s
MISSING = f"MuJoCo is not installed: {install_line('mujoco')}"

_XML = """
<mujoco>
  <option timestep="{step}" density="1000" viscosity="0.001" gravity="0 0 0" integrator="{integrator}"/>
  <worldbody>
    <body>
      <freejoint/>
      <geom type="ellipsoid" size="{size}" density="1000" fluidshape="ellipsoid"/>
    </body>
  </worldbody>
</mujoco>
"""


def is_present() -> bool:
    """Whether MuJoCo can be imported."""
    try:
        importlib.import_module("mujoco")
    except ImportError:
        return False
    return True


def steps_in_c(integrator: str, count: int) -> Callable[[], None]:
    """Steps inside MuJoCo's own loop."""
    mujoco, model, data = _body(integrator)

    def work() -> None:
        data.qvel[:] = TWIST
        mujoco.mj_step(model, data, count)

    return work


def steps_from_python(count: int) -> Callable[[], None]:
    """Euler steps, each one call from Python."""
    mujoco, model, data = _body("Euler")

    def work() -> None:
        data.qvel[:] = TWIST
        step = mujoco.mj_step
        for _ in range(count):
            step(model, data)

    return work


def rollouts(bodies: int, count: int) -> Callable[[], None]:
    """MuJoCo's `rollout` on one thread with Euler: bodies of different shapes, every state kept."""
    mujoco, first, data = _body("Euler")
    random = np.random.default_rng(SEED)
    models = [first] + [_body("Euler", 1.0 + 0.1 * random.random())[1] for _ in range(bodies - 1)]
    kind = mujoco.mjtState.mjSTATE_FULLPHYSICS
    data.qvel[:] = TWIST
    state = np.empty(mujoco.mj_stateSize(first, kind))
    mujoco.mj_getState(first, data, state, kind)
    rollout = importlib.import_module("mujoco.rollout").rollout
    starts, states = np.tile(state, (bodies, 1)), np.empty((bodies, count, state.size))

    def work() -> None:
        rollout(models, data, starts, nstep=count, state=states)

    return work


def _body(integrator: str, scale: float = 1.0) -> tuple[Any, Any, Any]:
    """MuJoCo with a model of the ellipsoid and its data."""
    mujoco = importlib.import_module("mujoco")
    size = f"{0.5 * scale} {0.2 * scale} {0.2 * scale}"
    model = mujoco.MjModel.from_xml_string(_XML.format(step=STEP, integrator=integrator, size=size))
    return mujoco, model, mujoco.MjData(model)
