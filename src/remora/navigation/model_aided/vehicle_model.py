"""Gyro-driven velocity model of a known vehicle: its plant, sampled and fitted by least squares.

The rotation is imposed by the torque that the fins need for it. A fin gives a force with its torque, so sway and heave
include the force of the fins in a turn. Without fins it is a pure torque.
"""

from typing import Any

import numpy as np

from remora.equations.actuators.propulsion import thrusters_wrench
from remora.equations.algebra.pose import ATTITUDE, TWIST
from remora.equations.algebra.quaternions import from_euler_zyx
from remora.equations.estimation.gyro_driven import GyroDriven, Rotation, heading_terms
from remora.files.arrays import Array
from remora.identification.gyro_driven.fit import EXTENDED, TERMS, terms_of
from remora.identification.gyro_driven.free_run import AXES
from remora.plant.pack import PackedVehicle, pack
from remora.plant.rollouts import derivative
from remora.vehicles.parameters import total_inertia
from remora.vehicles.vehicle import Vehicle

SAMPLES = 400
# Half ranges of the samples: sway and heave as shares of the speed, turn rates, angular accelerations, roll and pitch.
SLIP, RATES, TURNING, ROLL, PITCH = 0.1, 0.15, 0.03, 0.1, 0.35


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
