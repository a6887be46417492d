"""Pauses of parts: while an assembly commands the actuators of its modules, their own guidance and control rest."""

from remora.messages.part import Lifecycle, Role
from remora.simulation.loop.clock import NEVER
from remora.simulation.loop.part_schedule import RunningParts
from remora.simulation.recorder import Recorder


def pause(parts: RunningParts, time_ns: int, vehicle: str, recorder: Recorder | None) -> None:
    """Pause guidance, control and allocation.

    Parameters
    ----------
    parts
        All parts of a vehicle.
    time_ns
        Now.
    vehicle
        Its name in the log.
    recorder
        For the events; None for none.
    """
    for part in parts.parts:
        if part.scheduled.role > Role.NAVIGATION and part.life is not Lifecycle.FINISHED:
            if recorder is not None:
                recorder.lifecycle(vehicle, part.scheduled, time_ns, part.life, Lifecycle.PAUSED)
            part.life, part.next, part.output = Lifecycle.PAUSED, NEVER, None


def resume(parts: RunningParts, k: int, step_ns: int) -> None:
    """Run paused parts again: guidance as it was, control and allocation from their initial state.

    Parameters
    ----------
    parts
        All parts of a vehicle.
    k
        Step from which on they run.
    step_ns
        Length of a step.
    """
    for part in parts.parts:
        if part.scheduled.role == Role.NAVIGATION:
            part.next = max(k, part.next)
        elif part.life is Lifecycle.PAUSED:
            part.next = max(k, -(-part.scheduled.start_ns // step_ns))
            if part.scheduled.role >= Role.CONTROL:
                part.state = part.scheduled.part.initial()
