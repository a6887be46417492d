"""Position error against distance travelled, with bands in percent of the distance."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.files.problems import InputError
from remora.report.drawing import BLUE, SKY

if TYPE_CHECKING:  # matplotlib takes half a second to load, so only a picture that is drawn loads it
    from matplotlib.figure import Figure

# Percent of distance: DVL on the bottom, model-aided, water track (Randeni et al. 2018).
BANDS = {0.1: "bottom track", 1.5: "model-aided", 4.0: "water track"}


class LocalisationErrors(NamedTuple):
    """Horizontal error along a track."""

    distance: Array  # m travelled over ground
    error: Array  # m
    sigma: Array  # m, of both horizontal components together


def localisation_errors(true_position: ArrayLike, position: ArrayLike, sigma: ArrayLike) -> LocalisationErrors:
    """Horizontal errors of an estimate.

    Parameters
    ----------
    true_position
        n x 3 in N, m.
    position
        n x 3: the estimate at the same times, m.
    sigma
        n x 3: its standard deviations, m.

    Raises
    ------
    InputError
        When the shapes differ.
    """
    true, found, std = (np.asarray(one, dtype=float) for one in (true_position, position, sigma))
    if not true.shape == found.shape == std.shape or true.ndim != 2 or true.shape[1] != 3:
        raise InputError(f"shapes are {true.shape}, {found.shape} and {std.shape}: give n x 3 each").about("position")
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(true[:, :2], axis=0).T))])
    return LocalisationErrors(travelled, np.hypot(*(found - true)[:, :2].T), np.hypot(*std[:, :2].T))


def localisation_figure(errors: LocalisationErrors) -> "Figure":
    """Error and three standard deviations against distance, with the bands of 0.1, 1.5 and 4 %."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.0), layout="constrained")
    axes = figure.add_subplot()
    far = float(errors.distance[-1])
    axes.fill_between(errors.distance, 0.0, 3.0 * errors.sigma, color=SKY, alpha=0.3, label="3 sigma")
    axes.plot(errors.distance, errors.error, color=BLUE, label="error")
    for percent, name in BANDS.items():
        axes.plot([0.0, far], [0.0, 0.01 * percent * far], color="0.4", linestyle="--", linewidth=0.8)
        axes.annotate(f"{percent:g} % {name}", (far, 0.01 * percent * far), ha="right", va="bottom", fontsize=7)
    axes.set_xlabel("distance travelled [m]")
    axes.set_ylabel("horizontal error [m]")
    axes.set_xlim(0.0, far)
    axes.set_ylim(bottom=0.0)
    axes.legend(loc="upper left", fontsize=8)
    axes.grid(alpha=0.3)
    return figure
