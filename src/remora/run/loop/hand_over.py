"""Hand-over of a running vehicle to an allocation without thrusters that its navigation found to have failed."""

from collections.abc import Sequence
from typing import final

from remora.control.allocation.bumpless_transfer import BumplessTransfer, TransferState
from remora.control.allocation.fault_tolerant import is_fault_tolerant
from remora.equations.types import Wrench
from remora.files.arrays import Array
from remora.run.loop.running_part import RunningPart
from remora.vehicles.parameters import VehicleParameters


@final
class HandOver:
    """Follows the motion by the estimates, and transfers what controllers made up for; `state` is for checkpoints."""

    def __init__(self, parameters: VehicleParameters) -> None:
        self._transfer, self.state = BumplessTransfer(parameters), TransferState()

    def relief(self, time_ns: int) -> Wrench:
        """Wrench to take off the demanded one, N and N m."""
        return self._transfer.relief(self.state, time_ns)

    def follow(self, navigation: RunningPart, time_ns: int) -> None:
        """Take the latest estimate."""
        if navigation.output is not None:
            self.state = self._transfer.moved(self.state, time_ns, navigation.output.twist)

    def begin(
        self,
        navigation: RunningPart,
        parts: Sequence[RunningPart],
        failed: Sequence[str],
        commands: Array,
        time_ns: int,
    ) -> None:
        """Hand over to an allocation without thrusters that have just failed; commands are those until now."""
        giver = next((one for one in parts if is_fault_tolerant(one.scheduled.part)), None)
        if giver is None:
            return
        known = {} if navigation.lost_thrust is None else navigation.lost_thrust(navigation.state)
        lost = {name: float(known.get(name, 1.0)) for name in failed}
        take_over = getattr(giver.scheduled.part, "taking_over", None)
        if take_over is not None:
            giver.state = take_over(giver.state, lost)
        else:
            self.state = self._transfer.handed_over(self.state, time_ns, lost, commands.tolist())
