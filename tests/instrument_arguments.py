"""Random arguments of the measurement functions, as nested tuples of numbers."""

import inspect

import numpy as np

from remora.equations import instruments as see
from remora.equations.geometry.earth import Geodetic

# How large each argument is; those that are not named here are of the size one.
SIZES = {"gravity": 9.81, "sound_speed": 1500.0, "assumed_sound_speed": 1480.0, "density": 1025.0, "pressure": 1e6}
SHAPES = {
    "twist": 6, "twist_rate": 6, "beams": 4, "ranges": 4, "q_NB": 4, "q_BS": 4, "R_BS": (3, 3), "soft_iron": (3, 3),
    "correction": (3, 3), "directions": (4, 3),
}  # fmt: skip
SCALARS = {
    "gravity", "depth", "latitude", "pressure", "density", "intensity", "inclination", "declination", "roll", "pitch",
    "angle", "turn", "altitude", "distance", "sound_speed", "assumed_sound_speed", "heading", "half_angle", "azimuth",
    "right", "below", "attenuation", "faintest", "baseline", "bearing", "elevation",
}  # fmt: skip
FUNCTIONS = {name: f for name, f in vars(see).items() if inspect.isfunction(f) and name in see.__all__}


def rotation(random):
    q, _ = np.linalg.qr(random.standard_normal((3, 3)))
    return q * np.sign(np.linalg.det(q))


def draw(name, random):
    """A random argument as nested tuples of floats."""
    if name == "index":
        return 2
    if name in ("R_BS", "soft_iron"):
        return tuple(map(tuple, rotation(random).tolist()))
    if name in SCALARS:
        return float(SIZES.get(name, 1.0) * random.uniform(0.3, 0.9))
    if name in ("origin", "offsets"):
        made = Geodetic if name == "origin" else see.CompassOffsets
        return made(*random.uniform(0.2, 0.9, 3).tolist())
    values = random.uniform(0.2, 1.0, SHAPES.get(name, 3))
    if name.startswith("q_"):
        values /= np.linalg.norm(values)
    return tuple(map(tuple, values.tolist())) if values.ndim == 2 else tuple(values.tolist())


def rebuilt(like, leaves):
    """The nested shape of an argument around other leaves."""
    if isinstance(like, tuple):
        items = [rebuilt(item, leaves) for item in like]
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    return like if isinstance(like, int) else next(leaves)


def leaves(value):
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [] if isinstance(value, int) else [value]
