"""Attachment of a link while bodies move: latch tolerance, weld at the current pose, impulse, removal of the error."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from remora.files.arrays import Array
from remora.plant.multibody.link_reports import Mismatch, drift, kinetic_energy, mismatch_of
from remora.plant.multibody.link_table import Link, LinkError, fitted
from remora.plant.multibody.multibody_plant import MultibodyPlant

CLOSING_SWEEPS = 12
NO_DIRECTION = 1e-9  # part of its length at which the ends of a distance link count as coincident
CLOSED = 1e-9  # m and rad: mismatch that may be left after the projection of poses


class LatchTolerance(NamedTuple):
    """Largest mismatch at which a latch catches: m, rad, m/s, rad/s."""

    distance: float
    angle: float = np.inf
    speed: float = np.inf
    rate: float = np.inf


class Attachment(NamedTuple):
    """Result of an attachment."""

    plant: MultibodyPlant
    state: Array
    mismatch: Mismatch  # just before it
    impulse: Array  # change of momentum of the second body about its B, in its axes, N s and N m s
    energy_lost: float  # J, never negative


def attach(
    plant: MultibodyPlant, state: ArrayLike, link: Link, tolerance: LatchTolerance, as_it_is: bool = True
) -> Attachment:
    """Attach a link: the plant with it, and the state after the impulse. Nielsen 2018, 3.5, as an event.

    Parameters
    ----------
    plant
        The linked bodies.
    state
        Their state at the instant of attachment.
    link
        The new link, with the poses of its ports.
    tolerance
        Largest mismatch at which the latch catches.
    as_it_is
        The link takes the geometry of the current poses, so that the impulse is conserved exactly; else the mismatch
        is removed by the mass-weighted projection of the poses, and angular impulse is conserved up to the mismatch.

    Raises
    ------
    LinkError
        When the mismatch exceeds the tolerance or the poses cannot be closed; nothing has changed then.
    """
    whole = plant.state_of(plant.rows(state))
    first, second = (_index(plant, link, name) for name in (link.first, link.second))
    x = plant.body_states(whole)
    found = mismatch_of(link, x[first], x[second])
    _check(link, found, tolerance)
    if as_it_is:
        link = fitted(link, x[first], x[second])
    joined = plant.with_links((*plant.links, link))
    before = kinetic_energy(joined, whole)
    struck = joined.project(whole, 0)
    lost = before - kinetic_energy(joined, struck)
    changed = joined.body_states(struck)[second, 7:] - x[second, 7:]
    inertia = joined.inertia_of(struck, second)
    end = struck if as_it_is else closed(joined, struck)
    return Attachment(joined, end, found, inertia @ changed, lost)


def closed(plant: MultibodyPlant, state: ArrayLike, tolerance: float = np.inf) -> Array:
    """The state with poses and velocities projected on all links.

    Parameters
    ----------
    plant
        The linked bodies.
    state
        Any state of theirs.
    tolerance
        Largest mismatch that may be removed, m and rad.

    Raises
    ------
    LinkError
        When a mismatch is larger, or loops cannot be closed; the message names the worst link.
    """
    before = drift(plant, state)
    _check_closing(before.links, tolerance, "poses do not fit its geometry")
    end = plant.project(state, CLOSING_SWEEPS) if plant.links else plant.state_of(plant.rows(state))
    _check_closing(drift(plant, end).links, CLOSED, "the loop cannot close")
    return end


def _check_closing(links: dict[str, Mismatch], tolerance: float, what: str) -> None:
    for name, one in links.items():
        if not max(one.distance, one.angle) <= tolerance:
            raise LinkError(
                f"link {name}: {what}: {one.distance:.3g} m and {one.angle:.3g} rad are left, {tolerance:g} allowed: "
                "change the poses of its bodies or its joint points"
            )


def _index(plant: MultibodyPlant, link: Link, name: str) -> int:
    if name not in plant.body_names:
        raise LinkError(f"link {link.name}: there is no body {name!r}: choose from {', '.join(plant.body_names)}")
    return plant.body_names.index(name)


def _check(link: Link, found: Mismatch, tolerance: LatchTolerance) -> None:
    """Refuse a mismatch outside the tolerance of the latch, and a distance link without a direction."""
    if link.kind == "distance" and found.distance >= link.length * (1.0 - NO_DIRECTION):
        raise LinkError(f"link {link.name}: its joint points coincide: a distance link needs them apart")
    units = ("m", "rad", "m/s", "rad/s")
    for name, value, limit, unit in zip(Mismatch._fields, found, tolerance, units, strict=True):
        if not value <= limit:
            raise LinkError(
                f"link {link.name}: {name} of {link.first!r} and {link.second!r} is {value:.3g} {unit}, the latch "
                f"catches up to {limit:g} {unit}: bring them closer together"
            )
