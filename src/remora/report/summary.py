"""A dive-and-turn run in words."""

import numpy as np

import remora
from remora.simulation.dive_and_turn import INTERRUPTED, NAME, DiveRun
from remora.simulation.recording import file_hash
from remora.vehicles.hydrostatics import net_buoyancy_words, trim_words

Line = tuple[str, str]


def provenance(run: DiveRun) -> str:
    """What is needed to get the same numbers again, in one line."""
    north, east, _ = run.start.water
    vehicle = run.plant.vehicle
    return (
        f"remora {remora.__version__}, scenario {NAME}, vehicle {vehicle.name} sha256 {file_hash(vehicle.file)}, "
        f"seed {run.seed}, current north {north!r} m/s east {east!r} m/s"
    )


def summary(run: DiveRun, files: tuple[str, ...]) -> list[Line]:
    """Pairs of a word and what there is to say about it."""
    vehicle, end = run.plant.vehicle, run.recording.rows[-1, 0]
    lines = [("vehicle", f"{vehicle.name}: {vehicle.title}"), ("source", vehicle.source)]
    if vehicle.historical:
        lines.append(("historical", vehicle.historical.reason))
    lines += [
        ("net buoyancy", net_buoyancy_words(vehicle.parameters)),
        ("trim at rest", trim_words(vehicle.parameters)),
        ("left out", _left_out(run)),
        ("simulated", f"{end:.1f} s{_ended(run)}, RK4 at 10 ms, control at 10 Hz"),
        ("speed", _speed_words(run, end)),
        *_motion(run),
        ("seed", f"{run.seed}"),
        ("version", f"remora {remora.__version__}"),
        ("vehicle file", f"sha256 {file_hash(vehicle.file)}"),
    ]
    return [*lines, *(("written", file) for file in files)]


def _left_out(run: DiveRun) -> str:
    """Locked degrees of freedom and simplifications, or that there are none."""
    parts = [f"{name} locked" for name in run.plant.locked] + list(run.plant.simplifications)
    return ", ".join(parts) if parts else "nothing: no degree of freedom locked, no simplification"


def _ended(run: DiveRun) -> str:
    if run.stopped is None:
        return ""
    return ", interrupted" if run.stopped == INTERRUPTED else ", then it failed"


def _speed_words(run: DiveRun, end: float) -> str:
    """Simulated per wall second, of the plant alone and of the whole loop."""
    if not run.plant_seconds > 0.0:
        return "nothing stepped"
    return (
        f"{end / run.plant_seconds:.0f} x real time stepping the plant, "
        f"{end / run.total_seconds:.0f} x with control in Python"
    )


def _motion(run: DiveRun) -> list[Line]:
    """The current, where the run ended and how far it leaned."""
    r, water = run.recording, run.start.water
    strength, towards = np.hypot(water[0], water[1]), _compass(np.arctan2(water[1], water[0]))
    depth, north, east = (r.column(name)[-1] for name in ("down", "north", "east"))
    heading = _compass(r.column("heading")[-1])
    roll, pitch = (np.degrees(np.abs(r.column(name)).max()) for name in ("roll", "pitch"))
    slow = [("driven", f"at {r.column('asked_speed').max():.2f} m/s, {run.slowed}")] if run.slowed else []
    return [
        *slow,
        ("current", f"{strength:.3f} m/s towards {towards:.0f} deg"),
        ("ended at", f"depth {depth:.2f} m, heading {heading:.1f} deg, {north:.1f} m north, {east:.1f} m east"),
        ("largest tilt", f"roll {roll:.1f} deg, pitch {pitch:.1f} deg"),
    ]


def _compass(angle: float) -> float:
    """An angle in degrees from 0 to 360."""
    return float(np.degrees(angle) % 360.0)
