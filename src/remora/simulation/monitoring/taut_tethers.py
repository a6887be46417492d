"""Tethers that hold their vehicle back: lines whose ends are as far apart as they are long."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import final

import numpy as np

from remora.equations.algebra.vectors import add3, scale3
from remora.simulation.monitoring.deviations import Deviation
from remora.simulation.plant.external_loads import ExternalLoads
from remora.simulation.plant.tether_setup import TetherSetup
from remora.simulation.plant.tethered_motion import attachment
from remora.simulation.setup import VehicleSetup
from remora.world.tethers.simplified import FlatPlate


@final
class TautTethers:
    """Looks at the tethers of one vehicle. What hangs on a line and has no parts is meant to be held by it."""

    def __init__(self, vehicle: VehicleSetup, external_loads: ExternalLoads) -> None:
        self._bound, self._external_loads = vehicle.watch.tether, external_loads
        is_watched = self._bound is not None and bool(vehicle.parts)
        # A flat plate has only drag: it ends nowhere.
        self._tethers: list[tuple[int, TetherSetup]] = [
            (i, one) for i, one in enumerate(vehicle.tethers) if is_watched and not isinstance(one.tether, FlatPlate)
        ]
        self.is_needed = bool(self._tethers)

    def found(self, time_ns: int, body: Sequence[float]) -> Iterator[Deviation]:
        """Tethers that are straight or stretched."""
        assert self._bound is not None
        state = np.array(body)
        for i, setup in self._tethers:
            line = self._external_loads.tethers[i]
            far = add3(setup.far, scale3(1e-9 * time_ns, setup.far_velocity))
            share = math.dist(attachment(state, setup.p_BA)[0], far) / line.state.length
            if share > self._bound:
                words = partial(_words, setup.name, line.state.length, line.pull.tension)
                yield Deviation("tether", setup.name, share / self._bound, words)


def _words(name: str, length: float, pull: float) -> str:
    return f"{name} is taut at its length of {length:.4g} m and pulls with {pull:.2g} N"
