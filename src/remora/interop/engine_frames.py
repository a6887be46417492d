"""Worlds and body axes of other engines, against ours: north-east-down and forward-right-down."""

from remora.equations.algebra.quaternions import Quaternion
from remora.files.did_you_mean import nearest

HALF = 0.5**0.5
# The rotation that turns vectors of the engine's world E into N.
WORLDS: dict[str, Quaternion] = {
    "north-west-up": (0.0, 1.0, 0.0, 0.0),
    "east-north-up": (0.0, HALF, HALF, 0.0),
    "north-east-down": (1.0, 0.0, 0.0, 0.0),
}
# The rotation that turns vectors of our body axes B into those of the engine, F.
BODY_AXES: dict[str, Quaternion] = {
    "forward-left-up": (0.0, 1.0, 0.0, 0.0),
    "forward-right-down": (1.0, 0.0, 0.0, 0.0),
}


def chosen_frame(kind: str, known: dict[str, Quaternion], name: str) -> Quaternion:
    """The rotation of a named frame, or an error that says which names there are."""
    if name not in known:
        near = nearest(str(name), known, most=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(map(repr, known))}"
        raise ValueError(f"{kind} {name!r} is not known: {hint}")
    return known[name]
