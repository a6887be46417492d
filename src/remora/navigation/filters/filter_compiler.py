"""A filter from the functions that a user writes."""

from collections.abc import Callable
from functools import partial
from math import inf
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.files.user_code import user_line
from remora.navigation.filters.compiling import FilterModels, FilterSizes, compiled_event_loop, model_functions
from remora.navigation.filters.error_state_filter import ErrorStateFilter, FilterSetup
from remora.navigation.filters.models import AidingModel, Chart, NoiseInput, NoiseScale, Process, check_aiding
from remora.navigation.filters.readings import IntakeLimits, nanoseconds


def compile_filter(
    chart: Chart,
    process: Process,
    aidings: dict[str, AidingModel],
    *,
    states: int,
    noise: ArrayLike,
    noise_input: NoiseInput | ArrayLike | None = None,
    noise_scale: NoiseScale | None = None,
    noise_per_interval: bool = False,
    errors: int | None = None,
    inputs: str = "inputs",
    input_size: int = 0,
    parameters: ArrayLike = (),
    lag: float = 1.0,
    gap: float = inf,
    early: float = 0.1,
    delay: float = 2.0,
    unscented: bool = False,
) -> ErrorStateFilter:
    """An error-state Kalman filter from plain functions on tuples; exact Jacobians are derived and compiled.

    Parameters
    ----------
    chart
        plus(state, error) and minus(state, reference): errors of the state as vectors.
    process
        process(state, inputs, elapsed, parameters): the state after a time in seconds with held inputs.
    aidings
        Sensor name -> measurement model, standard deviations, angles, gate and latency.
    states
        Numbers of a state.
    noise
        Standard deviation of the process noise on each error coordinate or noise input, unit per square root of a
        second.
    noise_input
        Gains of white noise inputs on the error coordinates: a matrix with one row per coordinate, or a function
        noise_input(state, inputs, elapsed, parameters) that returns its rows one after the other. Without it the noise
        is on each error coordinate.
    noise_scale
        noise_scale(state, inputs, elapsed, parameters): factor of `noise` on each error coordinate, where it
        grows with the motion. Not together with `noise_input`.
    noise_per_interval
        Whether `noise` is the standard deviation of each interval between events, whatever its length.
    errors
        Error coordinates, if `noise_input` is a function; as many as states by default.
    inputs
        Name of the sensor whose readings are the inputs of the process model.
    input_size
        Numbers of its readings.
    parameters
        Row of numbers that the models read.
    lag
        Seconds by which readings may be late.
    gap
        Seconds by which a reading may be ahead of the estimate.
    early
        Seconds by which a stamp may be later than the arrival of its reading.
    delay
        Longest delay of a reading with a delayed residual, s.
    unscented
        Whether the filter is unscented: prediction and update by sigma points instead of Jacobians.

    Raises
    ------
    InputError
        When a size, a standard deviation, a gate or a latency is impossible.
    """
    densities = np.asarray(noise, dtype=float)
    if densities.ndim != 1 or not np.isfinite(densities).all() or (densities < 0.0).any():
        raise InputError("noise holds a negative or infinite number, or is not a row").about("noise")
    for name, time in {"lag": lag, "gap": gap, "early": early, "delay": delay}.items():
        if not time >= 0.0 or (name == "lag" and time == inf):
            raise InputError(f"{name} is {time}: give a time in seconds, not negative").about(name, time)
    if inputs in aidings:
        raise InputError(f"{inputs!r} names the inputs and an aiding sensor: give another name").about("inputs", inputs)
    for name, aiding in aidings.items():
        check_aiding(name, aiding)
        if unscented and aiding.delayed_residual:
            raise InputError(f"delayed_residual of {name}: the unscented filter has none").about("delayed_residual")
    if noise_input is not None and noise_scale is not None:
        raise InputError("noise_input and noise_scale exclude each other: scale the gains").about("noise_scale")
    gains, function = _noise_gains(noise_input, densities.size, states if errors is None else errors)
    models = FilterModels(chart, process, tuple(aiding.measure for aiding in aidings.values()), function, noise_scale)
    row, measured = np.array(parameters, dtype=float), tuple(len(aiding.sigma) for aiding in aidings.values())
    sizes = FilterSizes(states, len(gains), input_size, densities.size, row.size, measured, unscented)
    own = max([0, *(aiding.own_parameters for aiding in aidings.values())])
    check_functions(models, tuple(aidings), sizes, np.concatenate([row, np.zeros(own)]))
    limits = IntakeLimits(nanoseconds(early), nanoseconds(delay))
    setup = FilterSetup(
        sizes, densities**2, gains.ravel(), noise_per_interval, inputs, row, nanoseconds(lag), nanoseconds(gap), limits
    )
    return ErrorStateFilter(compiled_event_loop(models, sizes), aidings, setup, models)


def _noise_gains(
    given: NoiseInput | ArrayLike | None, noises: int, errors: int
) -> tuple[Array, Callable[..., tuple[Any, ...]] | None]:
    """Gains of the noise inputs, and the function that computes them if there is one."""
    if given is None:
        return np.eye(noises), None
    if callable(given):
        return np.zeros((errors, noises)), given
    matrix = np.array(given, dtype=float)
    if matrix.ndim != 2 or matrix.shape[1] != noises or not np.isfinite(matrix).all():
        raise InputError(f"noise_input has shape {matrix.shape}: give a column for each of {noises} noises").about(
            "noise_input", matrix.shape
        )
    return matrix, None


def check_functions(models: FilterModels, names: tuple[str, ...], sizes: FilterSizes, parameters: Array) -> None:
    """Refuse functions whose results do not fit the sizes, as far as they can be evaluated without a state."""
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
