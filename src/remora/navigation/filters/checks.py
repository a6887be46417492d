"""Checks of what a filter is made from."""

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.user_code import user_line
from remora.navigation.filters.compiling import FilterModels, FilterSizes, model_functions
from remora.navigation.filters.models import AidingModel


def finite_numbers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    """An array of this shape, refused when a number is not finite."""
    array = np.asarray(values, dtype=float)
    if array.shape != shape or not np.isfinite(array).all():
        raise InputError(f"{name} has shape {array.shape}: give {shape} finite numbers").about(name)
    return array


def check_aiding(name: str, aiding: AidingModel) -> None:
    """Refuse impossible numbers of an aiding sensor."""
    sigma = np.asarray(aiding.sigma, dtype=float)
    if sigma.ndim != 1 or sigma.size == 0 or not np.isfinite(sigma).all() or (sigma <= 0.0).any():
        raise InputError(f"sigma of {name} is {aiding.sigma}: give positive standard deviations").about(
            "sigma", aiding.sigma
        )
    if aiding.wrap and len(aiding.wrap) != sigma.size:
        raise InputError(f"wrap of {name} has {len(aiding.wrap)} entries for {sigma.size} values").about(
            "wrap", aiding.wrap
        )
    if not 0.0 < aiding.gate <= 1.0:
        raise InputError(f"gate of {name} is {aiding.gate}: give a probability in (0, 1]").about("gate", aiding.gate)
    if not 0.0 <= aiding.latency < np.inf:
        raise InputError(f"latency of {name} is {aiding.latency}: give seconds, not negative").about(
            "latency", aiding.latency
        )
    if not aiding.recovery > 0.0:
        raise InputError(f"recovery of {name} is {aiding.recovery}: give a positive time in seconds").about(
            "recovery", aiding.recovery
        )
    if aiding.own_parameters < 0:
        raise InputError(f"own_parameters of {name} is {aiding.own_parameters}: give a number of values").about(
            "own_parameters", aiding.own_parameters
        )


def check_changes(sensor: str, aidings: dict[str, AidingModel], changes: dict[str, Any]) -> AidingModel:
    """An aiding sensor with changes that need no compilation."""
    if sensor not in aidings:
        known = ", ".join(aidings)
        raise InputError(f"the filter has no aiding sensor {sensor!r}: it has {known}").about(
            "sensor", sensor, tuple(aidings)
        )
    old, free = aidings[sensor], [name for name in AidingModel._fields if name not in ("measure", "own_parameters")]
    for name in changes:
        if name not in free:
            raise InputError(f"{name} of {sensor} cannot be changed in a compiled filter").about(
                name, name, tuple(free)
            )
    new = old._replace(**changes)
    check_aiding(sensor, new)
    if len(new.sigma) != len(old.sigma):
        raise InputError(f"sigma of {sensor} has {len(new.sigma)} entries: give {len(old.sigma)}").about(
            "sigma", new.sigma
        )
    return new


def check_functions(models: FilterModels, names: tuple[str, ...], sizes: FilterSizes, parameters: Array) -> None:
    """Refuse functions whose results do not fit the sizes, as far as they can be evaluated without a state.

    Parameters
    ----------
    models
        The functions.
    names
        Of the aiding sensors.
    sizes
        Expected lengths.
    parameters
        Row that the functions read.
    """
    for function in model_functions(models):
        if not isinstance(function, FunctionType):
            raise InputError(f"{function!r} is not a plain function: give one on tuples of numbers").about("filter")
    x, inputs, row, chart = (1.0,) * sizes.states, (0.0,) * sizes.inputs, parameters, models.chart
    expected: list[tuple[str, int, Callable[[], tuple[Any, ...]]]] = [
        ("minus", sizes.errors, lambda: chart.minus(x, x)),
        ("plus", sizes.states, lambda: chart.plus(x, (0.0,) * sizes.errors)),
        ("process", sizes.states, lambda: models.process(x, inputs, 0.01, row)),
    ]
    for name, measure, size in zip(names, models.measures, sizes.measured, strict=True):
        expected.append((f"measure of {name}", size, partial(measure, x, inputs, row)))
    if models.noise_input is not None:
        expected.append(("noise_input", sizes.errors * sizes.noises, partial(models.noise_input, x, inputs, 0.01, row)))
    if models.noise_scale is not None:
        expected.append(("noise_scale", sizes.errors, partial(models.noise_scale, x, inputs, 0.01, row)))
    for name, size, call in expected:
        try:
            values = call()
        except ArithmeticError:  # a division by zero at this state; the compiler compares the lengths once more
            continue
        except Exception as error:
            what = f"{name} raised {type(error).__name__}: {error}, at {user_line(error)}"
            raise InputError(f"{what}, for {len(x)} states, {len(inputs)} inputs and {len(row)} parameters").about(
                name
            ) from error
        if not isinstance(values, tuple):
            raise InputError(f"{name} returns {values!r:.60}: give a tuple of numbers").about(name, values)
        found = len(values)
        integer = next((value for value in values if not isinstance(value, float)), None)
        if integer is not None:
            fix = f"write {integer}.0" if isinstance(integer, int) else "give plain numbers"
            raise InputError(f"{name} returns {values!r:.60}, with {integer!r:.20}: {fix}").about(
                name, integer, fix=fix
            )
        if found != size:
            raise InputError(f"{name} returns {found} numbers: {size} are expected").about(name, found, (str(size),))
