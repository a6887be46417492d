"""Smoothing of the commands of an allocation (Proctor 2014, eq. 6.14)."""

from dataclasses import dataclass, replace
from typing import Any, final

from remora.equations.control.velocity_tracking import smoothed_command
from remora.messages.part import AllocationResult, FaultTolerantAllocation, PartInput
from remora.messages.part_options import QuietPart


@final
@dataclass(frozen=True, eq=False)
class SmoothedAllocation(QuietPart):
    """An allocation whose commands pass a first-order low-pass filter, from the neutral commands on."""

    allocation: FaultTolerantAllocation
    neutral: tuple[float, ...]  # commands at rest
    gain: float  # 1/s
    period: float  # s

    def without_thrusters(self, disabled: tuple[str, ...]) -> "SmoothedAllocation":
        """The same allocation without some thrusters."""
        return replace(self, allocation=self.allocation.without_thrusters(disabled))

    @property
    def uncontrollable(self) -> tuple[str, ...]:
        """Requested degrees of freedom that cannot be controlled."""
        return self.allocation.uncontrollable

    def initial(self) -> tuple[tuple[float, ...], Any]:
        """The neutral commands, and the state of the allocation."""
        return self.neutral, self.allocation.initial()

    def step(self, state: tuple[tuple[float, ...], Any], now: PartInput) -> tuple[tuple[tuple[float, ...], Any], Any]:
        """Smoothed commands, and the missing wrench of the allocation."""
        last, inner = state
        inner, output = self.allocation.step(inner, now)
        commands = output.commands if isinstance(output, AllocationResult) else output
        smoothed = tuple(
            smoothed_command(before, float(command), self.gain, self.period)
            for before, command in zip(last, commands, strict=True)
        )
        if isinstance(output, AllocationResult):
            return (smoothed, inner), AllocationResult(smoothed, output.missing)
        return (smoothed, inner), list(smoothed)
