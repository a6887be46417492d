"""Readings of a single sensor, for studies of its figures."""

from remora.sensors import Reading, Sensor, Surroundings, Truth


def readings(sensor: Sensor, count: int, truth: Truth, water: Surroundings) -> list[Reading]:
    """So many readings of a vehicle that keeps its place and speed."""
    state, found = sensor.initial(), []
    for k in range(count):
        now = truth._replace(time_ns=sensor.description.start_ns + k * sensor.description.period_ns)
        state, reading = sensor.step(state, now, water, k)
        if reading is not None:
            found.append(reading)
    return found
