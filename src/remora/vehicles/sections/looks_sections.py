"""Section `looks` of a vehicle file: simple solids that show the vehicle in pictures. No equation uses them."""

import re
from typing import Annotated, ClassVar, Literal

from pydantic import model_validator

from remora.files.quantities import Is, Quantity, has_direction, positive, refused
from remora.files.section import Length, Length3, Section
from remora.files.units import RATIO

_NEEDED = {
    "box": ("size",),
    "frame": ("size",),
    "capsule": ("length", "diameter"),
    "ball": ("diameter",),
    "mesh": ("file",),
}
_ALLOWED = {"box": (), "frame": ("bar",), "capsule": ("axis",), "ball": (), "mesh": ("scale",)}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class ShapeSection(Section):
    """One solid: a box, a frame of bars, a capsule, a ball, or the mesh of an STL file."""

    shape: Literal["box", "frame", "capsule", "ball", "mesh"]
    colour: str = "#8a9ba5"
    position: Length3 | None = None
    size: Length3 | None = None
    bar: Length | None = None
    length: Length | None = None
    diameter: Length | None = None
    axis: Annotated[Quantity[tuple[float, float, float]], Is(RATIO, (3,), has_direction)] | None = None
    file: str | None = None
    scale: Annotated[Quantity[float], Is(RATIO, rule=positive)] | None = None

    _other: ClassVar[tuple[str, ...]] = ("size", "bar", "length", "diameter", "axis", "file", "scale")

    @model_validator(mode="after")
    def _fits(self) -> "ShapeSection":
        needed, allowed = _NEEDED[self.shape], _ALLOWED[self.shape]
        missing = [name for name in needed if getattr(self, name) is None]
        if missing:
            raise refused("looks", f"a {self.shape} needs {' and '.join(missing)}.")
        extra = [n for n in self._other if getattr(self, n) is not None and n not in (*needed, *allowed)]
        if extra:
            raise refused("looks", f"a {self.shape} has no {extra[0]}. Remove it.")
        if not _COLOUR.fullmatch(self.colour):
            raise refused("looks", f'colour "{self.colour}" is not one. Write it as "#rrggbb", such as "#1e88c7".')
        if self.size is not None and min(self.size.value) <= 0.0:
            raise refused("looks", "size must be three positive lengths.")
        return self


class LooksSection(Section):
    """The solids of a vehicle."""

    shapes: list[ShapeSection]
