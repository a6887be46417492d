"""Gyro-driven velocity model of model-aided navigation: from the plant of a vehicle, and its learning under way.

The plant is sampled and fitted by least squares. The rotation is imposed by the torque that the fins need for it. A fin
gives a force with its torque, so sway and heave include the force of the fins in a turn. Without fins it is a pure
torque.

Learning is real-time calibration from the estimate of the filter. The regression is on the velocity through the water.
What slow errors in the filter explain already is taken off, so that filter and calibration do not learn the same thing
twice; constant and heading terms stay with the filter.
"""

from typing import Any

import numpy as np

from remora.equations.actuators.propulsion import thrusters_wrench
from remora.equations.algebra.kinematics import down_in_body, to_body
from remora.equations.algebra.pose import ATTITUDE, TWIST
from remora.equations.algebra.quaternions import from_euler_zyx, to_euler_zyx
from remora.equations.algebra.vectors import subtract3
from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, heading_terms, rate_from_specific_force
from remora.equations.navigation.model_aided import model_of, modelled_rate
from remora.equations.types import Quaternion, Vector3
from remora.files.arrays import Array
from remora.identification.gyro_driven.calibration import CalibrationState, RealTimeCalibration, Sample
from remora.identification.gyro_driven.fit import EXTENDED, TERMS, Active, diverges_above, terms_of
from remora.identification.gyro_driven.free_run import AXES
from remora.identification.online.recursive import RecursiveState
from remora.plant.pack import PackedVehicle, pack
from remora.plant.rollouts import derivative
from remora.vehicles.parameters import total_inertia
from remora.vehicles.vehicle import Vehicle

SAMPLES = 400
# Half ranges of the samples: sway and heave as shares of the speed, turn rates, angular accelerations, roll and pitch.
SLIP, RATES, TURNING, ROLL, PITCH = 0.1, 0.15, 0.03, 0.1, 0.35
DAMPING = Active(surge=(3, 4, 5), sway=(2, 3), heave=(1, 2))
INTERVAL_NS = 1_000_000_000  # between samples


def gyro_driven_model(vehicle: Vehicle, speeds: tuple[float, float] = (0.8, 2.2)) -> GyroDriven:
    """Model of a vehicle in calm water, for a range of speeds ahead in m/s."""
    packed, drawn = pack(vehicle.parameters), _samples(speeds)
    rates = np.array([_velocity_rate(packed, vehicle, row) for row in drawn])
    mass = total_inertia(vehicle.parameters)[0][0]
    velocity: Any = tuple(drawn[:, :3].T)
    turn: Any = tuple(drawn[:, 3:6].T)
    acceleration: Any = tuple(drawn[:, 6:9].T)
    rotation = Rotation(turn, acceleration, drawn[:, 10], heading_terms(1.0, np.zeros(SAMPLES)))  # type: ignore[arg-type]
    numbers = {}
    for i, axis in enumerate(AXES):
        columns = list(getattr(EXTENDED, axis))
        matrix = np.column_stack([np.broadcast_to(term, SAMPLES) for term in terms_of(axis, velocity, rotation)])
        found = np.zeros(len(TERMS[axis]))
        target = (mass if axis == "surge" else 1.0) * rates[:, i]
        found[columns] = np.linalg.lstsq(matrix[:, columns], target, rcond=None)[0]
        numbers[axis] = tuple(found.tolist())
    return GyroDriven(mass, numbers["surge"], numbers["sway"], numbers["heave"], 1.0)


def _samples(speeds: tuple[float, float]) -> Array:
    """Velocity, turn rates, angular acceleration, roll and pitch: the same for every vehicle and run."""
    unit = np.random.default_rng(0).uniform(-1.0, 1.0, (SAMPLES, 11))
    low, high = speeds
    ahead = 0.5 * (low + high) + 0.5 * (high - low) * unit[:, :1]
    scales = np.array([RATES] * 3 + [TURNING] * 3 + [ROLL, PITCH])
    return np.column_stack([ahead, SLIP * ahead * unit[:, 1:3], scales * unit[:, 3:]])


def _velocity_rate(packed: PackedVehicle, vehicle: Vehicle, row: Array) -> Array:
    """Rate of the velocity of the plant without thrust, with this rotation imposed by its fins."""
    state = np.zeros(13 + packed.actuator_states)
    state[ATTITUDE] = from_euler_zyx(float(row[9]), float(row[10]), 0.0)
    state[2] = 100.0  # submerged
    state[TWIST] = row[:6]
    free = derivative(packed, state, np.zeros(packed.actuators))[TWIST]
    mobility = np.linalg.inv(np.array(total_inertia(vehicle.parameters))) @ _imposed(vehicle)
    torque = np.linalg.solve(mobility[3:], row[6:9] - free[3:])
    return np.asarray((free + mobility @ torque)[:3])


def _imposed(vehicle: Vehicle) -> Array:
    """Wrench per torque: fins at their mean place push sideways for yaw and up or down for pitch."""
    wrench = np.vstack([np.zeros((3, 3)), np.eye(3)])
    places = [fin.position[0] for fin in vehicle.parameters.fins]
    if places and (arm := float(np.mean(places))) != 0.0:
        wrench[1, 2], wrench[2, 1] = 1.0 / arm, -1.0 / arm
    return wrench


def thrust_ahead(packed: PackedVehicle, outputs: tuple[float, ...], velocity: tuple[float, float, float]) -> float:
    """Thrust of all thrusters along surge, N, from outputs of all actuators and velocity through the water, SI."""
    return float(thrusters_wrench(packed.row.tolist(), packed.layout, outputs, (*velocity, 0.0, 0.0, 0.0))[0])


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
