"""Detection of taut tethers: distance of the ends close to the length."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import final

import numpy as np

from remora.equations.algebra.vectors import add3, scale3
from remora.run.monitoring.deviations import Deviation
from remora.run.plant.external_loads import ExternalLoads
from remora.run.plant.tether_setup import TetherSetup
from remora.run.plant.tethered_motion import attachment
from remora.run.setup import VehicleSetup
from remora.world.tethers.models import FlatPlate


@final
class TautTethers:
    """Taut tethers of one vehicle; not for vehicles without parts, which hang on their tether by design."""

    def __init__(self, vehicle: VehicleSetup, external_loads: ExternalLoads) -> None:
        self._bound, self._external_loads = vehicle.watch.tether, external_loads
        is_watched = self._bound is not None and bool(vehicle.parts)
        # The flat-plate model has drag only and no far end.
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
                text = partial(_taut_text, setup.name, line.state.length, line.pull.tension)
                yield Deviation("tether", setup.name, share / self._bound, text)


def _taut_text(name: str, length: float, pull: float) -> str:
    return f"{name} is taut at its length of {length:.4g} m and pulls with {pull:.2g} N"
