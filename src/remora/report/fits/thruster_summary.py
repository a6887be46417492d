"""Text summary of a thrust law over pulse width and voltage."""

from collections.abc import Sequence

from remora.identification.bench.powered_thruster import PoweredThruster
from remora.identification.bench.result import BenchFit
from remora.identification.bench.voltage_tables import HeldOutTable


def thruster_lines(fit: BenchFit[PoweredThruster], held: Sequence[HeldOutTable]) -> list[str]:
    """Parameters of the law, then leave-one-out errors by voltage."""
    lines = fit.table().splitlines()
    for one in held:
        where = "beyond the others" if one.outside else "between the others"
        largest = 100.0 * one.largest / one.full_scale
        lines.append(
            f"{one.voltage:g} V left out, {where}: error {100.0 * one.share:.2f} % rms, {largest:.2f} % at most, "
            f"of {one.full_scale:.1f} N"
        )
    return lines
