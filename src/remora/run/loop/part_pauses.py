"""Parts of a module while an assembly commands its actuators.

Guidance, control and allocation rest. Navigation goes on, and may watch the thrusters of the whole.
"""

from collections.abc import Mapping

from remora.files.units import NEVER
from remora.messages.part import JoinedFaultDetection, Lifecycle, Role, joins_assemblies
from remora.plant.plant import Plant
from remora.run.loop.part_schedule import RunningParts
from remora.run.loop.running_part import ActuatorChain, RunningPart
from remora.run.recorder import Recorder


def pause(parts: RunningParts, time_ns: int, vehicle: str, recorder: Recorder | None) -> None:
    """Pause guidance, control and allocation of a vehicle."""
    for part in parts.parts:
        if part.scheduled.role > Role.NAVIGATION and part.life is not Lifecycle.FINISHED:
            if recorder is not None:
                recorder.lifecycle(vehicle, part.scheduled, time_ns, part.life, Lifecycle.PAUSED)
            part.life, part.next, part.output = Lifecycle.PAUSED, NEVER, None


def resume(parts: RunningParts, k: int, step_ns: int) -> None:
    """Run paused parts again from step k on: guidance as it was, control and allocation from their initial state."""
    for part in parts.parts:
        if part.scheduled.role == Role.NAVIGATION:
            part.next = max(k, part.next)
        elif part.life is Lifecycle.PAUSED:
            part.next = max(k, -(-part.scheduled.start_ns // step_ns))
            if part.scheduled.role >= Role.CONTROL:
                part.state = part.scheduled.part.initial()


def lost_thrust(parts: RunningParts) -> dict[str, float]:
    """Shares of the thrust that navigation has found to be lost, by name of the thruster."""
    found = _detection(parts)
    return {} if found is None else dict(found[0].lost_thrust(found[0].state))


def watch_whole(parts: RunningParts, whole: Plant | None, actuators: ActuatorChain, lost: Mapping[str, float]) -> bool:
    """Compare the motion with that of the whole, whose actuators an assembly commands; whether navigation can.

    `whole` is the model of the whole about the origin of the module, None to compare it with nothing; `actuators` are
    those of the whole, and `lost` has the known losses of thrust by name of the thruster in the whole.
    """
    if (found := _detection(parts)) is None:
        return False
    part, detection = found
    watching = detection.watching(whole)
    part.use(watching)
    part.state, parts.commanded = watching.watching_from(part.state, lost), actuators
    return True


def watch_own(parts: RunningParts, actuators: ActuatorChain, lost: Mapping[str, float], time_ns: int) -> None:
    """Compare the motion with that of the vehicle itself again; its allocation does without lost thrusters.

    `lost` has the known losses of thrust by name of the thruster.
    """
    parts.commanded, parts.detected, parts.tested = actuators, tuple(lost), ()
    if (found := _detection(parts)) is not None:
        part, detection = found
        part.use(detection)
        part.state = detection.watching_from(part.state, lost)
    parts.update_allocation(time_ns)


def _detection(parts: RunningParts) -> tuple[RunningPart, JoinedFaultDetection] | None:
    """Navigation that can watch the thrusters of an assembly; None without."""
    for part in parts.parts:
        if part.scheduled.role == Role.NAVIGATION and joins_assemblies(found := part.scheduled.part):
            return part, found
    return None
