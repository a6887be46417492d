"""Readings on their way to the parts of a vehicle."""

from remora.messages.reading import Reading, Status
from remora.run.loop.loop import Loop
from sample_runs import MILLISECOND, sample_setup


def reading(sensor: str, stamp: int, arrival: int) -> Reading:
    return Reading(f"rov/{sensor}", stamp * MILLISECOND, arrival * MILLISECOND, Status.OK, (float(stamp),))


def test_readings_are_handed_on_in_the_order_of_their_arrival() -> None:
    """A reading that overtakes an older one arrives first, and the latest arrival is the one that is kept."""
    sensors = Loop(sample_setup()).vehicles[0].sensors
    slow, quick, other = reading("dvl", 10, 90), reading("dvl", 20, 40), reading("imu", 5, 60)
    sensors.in_transit = [slow, quick, other]
    assert sensors.arrived(30 * MILLISECOND) == []
    assert sensors.arrived(95 * MILLISECOND) == [quick, other, slow]
    assert sensors.readings["dvl"] == slow
    assert sensors.in_transit == []
