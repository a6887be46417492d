"""Events of a run, counted: what a short list keeps."""

from remora.logs import Event
from remora.report.simulations.event_tally import EventTally


def test_errors_stay_in_a_list_that_has_no_room_for_all_warnings():
    tally = EventTally()
    tally.add(Event(k, "rov/dvl", "warning", f"weak echo {k}") for k in range(5))
    tally.add([Event(9, "rov/imu", "error", "not a number"), Event(10, "rov/imu", "info", "fine again")])
    kept = tally.gravest(3, "warning")
    assert [entry.level for entry in kept] == ["warning", "warning", "error"]
    assert [entry.first_ns for entry in kept] == [0, 1, 9]


def test_the_same_words_of_the_same_part_are_one_entry():
    tally = EventTally()
    tally.add(Event(k, "rov/dvl", "warning", "no lock") for k in (2, 5, 7))
    (entry,) = tally.entries()
    assert (entry.first_ns, entry.last_ns, entry.times) == (2, 7, 3)
    assert tally.counts["warning"] == 3
