"""Structural zero: terms with a zero parameter are skipped.

The equations accept any operand with arithmetic operators. A structural zero in place of a parameter removes its terms
without computing them, and shows which components of a wrench a parameter affects.
"""

from typing import Any, final


@final
class StructuralZero:
    """Exact zero: the identity of sums, absorbing in products."""

    __slots__ = ()
    __array_ufunc__ = None  # arrays defer to the operators of this class

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return -other

    def __rsub__(self, other: Any) -> Any:
        return other

    def __mul__(self, other: Any) -> "StructuralZero":
        return self

    __rmul__ = __mul__
    __truediv__ = __mul__

    def __neg__(self) -> "StructuralZero":
        return self

    def __abs__(self) -> "StructuralZero":
        return self

    def __float__(self) -> float:
        return 0.0


STRUCTURAL_ZERO: Any = StructuralZero()
STRUCTURAL_ZERO3: Any = (STRUCTURAL_ZERO,) * 3
STRUCTURAL_ZERO6: Any = (STRUCTURAL_ZERO,) * 6
STRUCTURAL_ZERO66: Any = (STRUCTURAL_ZERO6,) * 6


def unit66(i: int, j: int, value: float = 1.0) -> Any:
    """6x6 matrix with one nonzero element."""
    return tuple(
        tuple(value if (row, column) == (i, j) else STRUCTURAL_ZERO for column in range(6)) for row in range(6)
    )
