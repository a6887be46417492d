"""Learning of the velocity model by real-time calibration, from the estimate of the filter.

The regression is on the velocity through the water. What slow errors in the filter explain already is taken off,
so that filter and calibration do not learn the same thing twice; constant and heading terms stay with the filter.
"""

from typing import Any

from remora.equations.algebra.kinematics import down_in_body, to_body
from remora.equations.algebra.quaternions import to_euler_zyx
from remora.equations.algebra.vectors import subtract3
from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, heading_terms, rate_from_specific_force
from remora.equations.navigation.model_aided import model_of, modelled_rate
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.identification.gyro_driven.fit import Active, diverges_above
from remora.identification.gyro_driven.free_run import AXES
from remora.identification.gyro_driven.real_time_calibration import CalibrationState, RealTimeCalibration, Sample
from remora.identification.online.recursive import RecursiveState

DAMPING = Active(surge=(3, 4, 5), sway=(2, 3), heave=(1, 2))
INTERVAL_NS = 1_000_000_000  # between samples


def calibration_of(model: GyroDriven) -> RealTimeCalibration:
    """Calibration of the damping of a model, with a memory of about ten minutes."""
    return RealTimeCalibration(model, forgetting=0.998, prior=1.0, active=DAMPING)


def sample_of(state: Array, inputs: Array, circular_heading: float, gravity: float) -> Sample:
    """Sample of the calibration from state and inputs of the filter; the heading is the flag of the velocity model."""
    x, u = state.tolist(), inputs.tolist()
    q: Quaternion = (x[3], x[4], x[5], x[6])
    v = to_body(q, (x[7] - x[19] - x[21], x[8] - x[20] - x[22], x[9]))
    w = (u[0] - x[10], u[1] - x[11], u[2] - x[12])
    f = (u[3] - x[13], u[4] - x[14], u[5] - x[15])
    rate = rate_from_specific_force(f, down_in_body(q), gravity, (*v, *w), (u[6], u[7], u[8]), (0.0, 0.0, 0.0))
    _, pitch, heading = to_euler_zyx(q)
    rotation = Rotation(w, (u[6], u[7], u[8]), pitch, heading_terms(circular_heading, heading))
    model = model_of(tuple(u))
    slow, own = (modelled_rate(model, u[9], v, rotation, v[0] / share)[0] for share in (1.0 + x[23], 1.0))
    explained: Vector3 = subtract3(rate, (slow - own, x[24], x[25]))
    return Sample(v, explained, rotation, u[9], True)


def is_dissipative(model: GyroDriven, speed: float) -> bool:
    """Whether the damping of all axes brakes at every speed that the vehicle reaches, m/s."""
    return all(diverges_above(model, axis, speed) > 2.0 * abs(speed) for axis in AXES)


def stored(state: CalibrationState) -> tuple[Any, ...]:
    """State of a calibration as plain arrays, for a checkpoint."""
    return tuple(getattr(state, axis).memory for axis in AXES)


def restored(calibration: RealTimeCalibration, memories: tuple[Any, ...]) -> CalibrationState:
    """Inverse of `stored`."""
    begun = calibration.initial()
    parts = (
        RecursiveState(memory, getattr(begun, axis).size, getattr(begun, axis).form)
        for axis, memory in zip(AXES, memories, strict=True)
    )
    return CalibrationState(*parts)
