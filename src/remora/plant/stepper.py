"""`Stepper`: one vehicle stepped by a fixed interval per call."""

from __future__ import annotations  # so that help() shows ArrayLike and not its expansion

from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from remora.equations.algebra.pose import BODY_SIZE
from remora.equations.water.local_water import STEADY_SIZE
from remora.files.arrays import Array
from remora.plant.compilation import kernels, kernels_for
from remora.plant.entries import prepared_size
from remora.plant.failures import check_start, failure, has_bounds
from remora.plant.forms.user_forms import codes_of
from remora.plant.inputs import STILL_WATER, ZERO_WRENCH, check_interval, check_quaternion, numbers, water_width
from remora.plant.loops import FINISHED
from remora.plant.methods import RK4, IntegrationMethod, check_method
from remora.plant.pack import PackedVehicle

STEADY_ENVIRONMENT = 6 + STEADY_SIZE  # numbers of an external wrench and a steady current
STILL_ENVIRONMENT = np.zeros(STEADY_ENVIRONMENT)  # no external wrench, no current


@final
class Stepper:
    """Steps one vehicle by one fixed interval per call, with the least overhead of a call from Python.

    Parameters
    ----------
    packed
        The vehicle.
    interval
        Length of the interval, s.
    method
        Integration method.
    steps
        Steps of the method in the interval; an adaptive method chooses its own.
    """

    def __init__(self, packed: PackedVehicle, interval: float, method: IntegrationMethod = RK4, steps: int = 1) -> None:
        check_interval(interval, steps)
        check_method(method)
        self.packed, self.interval, self.method = packed, float(interval), method
        self._size = BODY_SIZE + packed.actuator_states + method.history_size
        sizes = (method.stages, method.nodes)
        codes = [method.rule, *sizes, packed.row.size, self._size, int(steps)]
        self.codes = np.append(codes_of(packed.layout), codes)
        self.prepared = np.zeros(prepared_size(packed.layout, packed.row.size, *sizes))
        known = np.concatenate([packed.row, method.weights.ravel(), method.tolerances, [self.interval]])
        self.prepared[: known.size] = known
        kernels().prepare(self.prepared, self.codes, packed.row.size, *sizes)
        self._kernel = kernels_for(packed.layout).step_once
        self._kernels = {STEADY_ENVIRONMENT: self._kernel}  # by the size of the environment, once used
        self.has_bounds = has_bounds(packed)

    def __call__(
        self,
        state: Array,
        commands: Array,
        environment: Array = STILL_ENVIRONMENT,
        *,
        external: ArrayLike | None = None,
        water: ArrayLike | None = None,
    ) -> Array:
        """The state one interval later.

        Parameters
        ----------
        state
            The state now.
        commands
            Commands of the actuators, held over the interval.
        environment
            External wrench about B in body axes, then the water in N: its velocity, or the numbers of varying water
            (see `rollout`).
        external, water
            The same separately, as in `rollout`; an environment row that is made once is faster in a loop.

        Raises
        ------
        ValueError
            When an input has the wrong shape or holds a NaN.
        RunError
            When the motion leaves the vehicle's envelope or diverges.
        """
        if water is not None or external is not None:
            environment = _environment(environment, external, water)
        try:
            end = state.copy()
            if self.has_bounds:
                check_start(self.packed, end, environment[6:])
            kernel = self._kernel if environment.size == STEADY_ENVIRONMENT else self._kernel_for(environment.size)
            if kernel(self.prepared, self.codes, end, commands, environment) == FINISHED:
                return end
        except (AttributeError, TypeError):  # not contiguous rows of floats, which is what the compiled code takes
            pass
        return self._converted(state, commands, environment)

    def _converted(self, state: ArrayLike, commands: ArrayLike, environment: ArrayLike) -> Array:
        """The same for anything that converts to an array; raises for what does not."""
        end = numbers("state", state, (self._size,)).copy()
        check_quaternion(end)
        held = numbers("commands", commands, (self.packed.actuators,)).copy()
        width = water_width([np.ravel(environment)[6:]])
        size = 6 + width
        row = numbers("environment", environment, (size,)).copy()
        if self._kernel_for(size)(self.prepared, self.codes, end, held, row) != FINISHED:
            raise failure(self.packed, end, row[6:], self.interval, 0)
        return end

    def _kernel_for(self, environment: int) -> Any:
        if environment not in self._kernels:
            self._kernels[environment] = kernels_for(self.packed.layout, environment - 6).step_once
        return self._kernels[environment]


def _environment(given: Array, external: ArrayLike | None, water: ArrayLike | None) -> Array:
    """One environment row from a wrench and water that are given separately."""
    if given is not STILL_ENVIRONMENT:
        raise ValueError("environment holds an external wrench and the water: give either it, or external and water")
    flow = STILL_WATER if water is None else numbers("water", water, (water_width([water]),))
    wrench = ZERO_WRENCH if external is None else numbers("external wrench", external, (6,))
    return np.concatenate([wrench, flow])


def environment_row(external: ArrayLike, water: ArrayLike) -> Array:
    """One environment row from a wrench and water, of which a stepper checks the numbers."""
    if external is ZERO_WRENCH and water is STILL_WATER:
        return STILL_ENVIRONMENT
    if np.shape(external) != (6,):
        raise ValueError(f"external wrench has shape {np.shape(external)}: give (6,)")
    return np.concatenate([external, water])


@final
class KeptSteppers:
    """Steppers of one vehicle for the intervals and methods in use, so that a repeated step prepares nothing."""

    MOST = 16  # a run with more different intervals prepares each of them again

    def __init__(self, packed: PackedVehicle) -> None:
        self._packed = packed
        self._kept: dict[tuple[float, int, int], Stepper] = {}

    def __reduce__(self) -> tuple[type[KeptSteppers], tuple[PackedVehicle]]:
        return (type(self), (self._packed,))  # compiled code is not copied

    def stepper(self, interval: float, steps: int, method: IntegrationMethod) -> Stepper:
        """The stepper of an interval, from an earlier call where there was one."""
        key = (interval, steps, id(method))  # a kept stepper holds its method, so the id stays its own
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) == self.MOST:
                self._kept.clear()
            found = self._kept[key] = Stepper(self._packed, interval, method, steps)
        return found
