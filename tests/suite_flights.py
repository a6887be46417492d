"""A prescribed flight with a small sensor suite, and readings of its simulated sensors."""

import math

import numpy as np

from remora.equations.algebra.quaternions import from_euler_zyx, rotation_matrix
from remora.equations.instruments import point_position, velocity_in_N
from remora.equations.navigation.charts import NavigationPose, minus_heading
from remora.messages.site import ORIGIN, Site
from remora.messages.truth import Truth
from remora.navigation.inertial.inertial_filter import Launch, make_inertial_filter
from remora.navigation.inertial.state_functions import pose
from remora.navigation.inertial.suite import sensor_suite
from remora.sensors.environment import OpenWater
from remora.sensors.library import make_sensor
from remora.sensors.stated_errors import stated_errors
from remora.vehicles.vehicle import SensorEntry

WATER = OpenWater(bottom_depth=30.0)
SITE = Site(WATER.density, WATER.gravity, 0.0, ORIGIN, True)
IMU = {
    "accelerometer_random_walk": 1e-3, "accelerometer_bias_std": 0.02, "gyro_random_walk": 3e-4, "gyro_bias_std": 1e-3,
}  # fmt: skip
ANGLES = {"roll_std": 0.005, "pitch_std": 0.005, "heading_std": 0.01}


def entry(name, kind, position, rate, latency, parameters, q_BS=None):
    return SensorEntry(name, kind, "", "", position, q_BS, rate, latency, parameters)


SUITE = (
    entry("imu", "imu", (0.1, -0.05, 0.02), 50.0, 0.0, IMU),
    entry("ahrs", "ahrs", (0.0, 0.0, 0.0), 10.0, 0.0, ANGLES),
    entry("dvl", "dvl", (0.3, 0.1, 0.2), 5.0, 0.2, {"std": 0.005}),
    entry("depth", "pressure", (-0.2, 0.0, 0.1), 5.0, 0.0, {"std": 50.0, "bias_std": 300.0}),
)


def angles_at(t, pitch=0.0, roll=0.0):
    return (roll + 0.1 * math.sin(0.7 * t), pitch + 0.08 * math.sin(0.5 * t + 1.0), 3.0 + 0.3 * t)


def velocity_at(t, speed):
    heading = 3.0 + 0.3 * t
    return np.array([speed * math.cos(heading), speed * math.sin(heading), 0.05 * math.cos(0.4 * t)])


def position_at(t, speed):
    """Integral of the velocity, from the origin of the circle."""
    heading = 3.0 + 0.3 * t
    return (
        speed / 0.3 * (math.sin(heading) - math.sin(3.0)),
        -speed / 0.3 * (math.cos(heading) - math.cos(3.0)),
        8.0 + 0.125 * math.sin(0.4 * t),
    )


def twist_at(t, speed, lean):
    """Velocity and angular velocity in body axes, from the analytic attitude."""
    roll, pitch, _ = angles_at(t, *lean)
    rates = (0.07 * math.cos(0.7 * t), 0.04 * math.cos(0.5 * t + 1.0), 0.3)
    R = np.array(rotation_matrix(from_euler_zyx(*angles_at(t, *lean))))
    w = (
        rates[0] - math.sin(pitch) * rates[2],
        math.cos(roll) * rates[1] + math.sin(roll) * math.cos(pitch) * rates[2],
        -math.sin(roll) * rates[1] + math.cos(roll) * math.cos(pitch) * rates[2],
    )
    return np.concatenate([R.T @ velocity_at(t, speed), w])


def truth_at(time_ns, speed=1.0, lean=(0.0, 0.0)):
    t, h = 1e-9 * time_ns, 1e-4
    rate = (twist_at(t + h, speed, lean) - twist_at(t - h, speed, lean)) / (2.0 * h)
    q = from_euler_zyx(*angles_at(t, *lean))
    twist = twist_at(t, speed, lean)
    return Truth(time_ns, position_at(t, speed), q, tuple(twist.tolist()), tuple(rate.tolist()))


def flight(seconds, speed=1.0, lean=(0.0, 0.0), step_ns=20_000_000):
    """Truth by time; all sensors of the suite sample at multiples of the step."""
    return {k * step_ns: truth_at(k * step_ns, speed, lean) for k in range(round(seconds * 1e9) // step_ns + 1)}


def readings(entries, truths, seed, water=WATER):
    """Readings of simulated sensors over a flight."""
    found = []
    for one in entries:
        sensor = make_sensor(one, seed)
        state, label = sensor.initial(), sensor.description
        for k in range(max(truths) // label.period_ns + 1):
            truth = truths.get(k * label.period_ns)
            if truth is not None:
                state, reading = sensor.step(state, truth, water, k)
                found.append(reading)
    return found


def suite_filter(entries=SUITE, **options):
    errors = {one.name: stated_errors(one) for one in entries}
    return make_inertial_filter(sensor_suite(entries, errors, SITE, **options))


def launch_of(truths, random=None):
    offset = 0.1 * random.standard_normal(3) if random is not None else np.zeros(3)
    return Launch(tuple((np.array(truths[0].p_NB) + offset).tolist()))


def error_of(made, truth, state):
    """Error of position, velocity and attitude of the inertial unit, in the chart of the filter."""
    r = made.suite.inputs.p_BI
    p, v = point_position(truth.p_NB, truth.q_NB, r), velocity_in_N(truth.q_NB, truth.twist, r)
    true = NavigationPose(p, v, truth.q_NB)
    return np.array(sum(minus_heading(true, pose(tuple(state))), ()))
