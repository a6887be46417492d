"""World and body frames of other engines, relative to north-east-down and forward-right-down."""

from remora.equations.types import Quaternion
from remora.files.did_you_mean import nearest

HALF = 0.5**0.5
# Rotation of vectors from the engine's world E into N.
WORLDS: dict[str, Quaternion] = {
    "north-west-up": (0.0, 1.0, 0.0, 0.0),
    "east-north-up": (0.0, HALF, HALF, 0.0),
    "north-east-down": (1.0, 0.0, 0.0, 0.0),
}
# Rotation of vectors from body axes B into those of the engine, F.
BODY_AXES: dict[str, Quaternion] = {
    "forward-left-up": (0.0, 1.0, 0.0, 0.0),
    "forward-right-down": (1.0, 0.0, 0.0, 0.0),
}


def frame_rotation(kind: str, known: dict[str, Quaternion], name: str) -> Quaternion:
    """Rotation of a named frame; ValueError with the known names."""
    if name not in known:
        near = nearest(str(name), known, most=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(map(repr, known))}"
        raise ValueError(f"{kind} {name!r} is not known: {hint}")
    return known[name]
