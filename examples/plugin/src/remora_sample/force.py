"""`forces: [{model: skeg, z: 20 cm, drag: 40}]`: a plate below the hull that resists sway."""

from typing import NamedTuple

from remora.equations.algebra.elementary import sqrt
from remora.equations.hull.forms.form import Form, FormField


class Skeg(NamedTuple):
    """The parameters in a vehicle file."""

    z: float  # m, below B
    drag: float  # N (s/m)^1.5


def skeg_at(row, k):
    """The record whose numbers start at index k."""
    return Skeg(row[k], row[k + 1])


def skeg_wrench(skeg, twist):
    """Wrench about B in body axes that opposes the motion; the twist is relative to the water."""
    v = twist[1] - skeg.z * twist[3]
    force = skeg.drag * sqrt(abs(v)) * v
    return (0.0, force, 0.0, -skeg.z * force, 0.0, 0.0)


def at_density(skeg, ratio):
    """The skeg in water of another density."""
    return Skeg(skeg.z, ratio * skeg.drag)


def scaled(skeg, linear, quadratic):
    """A random variation: six factors of linear and six of quadratic damping."""
    return Skeg(skeg.z, quadratic[1] * skeg.drag)


SKEG = Form(
    name="skeg",
    record=Skeg,
    read=skeg_at,
    wrench=skeg_wrench,
    degree=0,  # power of the speed along one axis, 1 to 3; 0: no single power
    many=True,
    with_density=at_density,
    scaled=scaled,
    dissipates=True,
    fades=True,
    section=(FormField("z", "m", signs=(2,)), FormField("drag", "")),
    fitted=("drag",),
)
