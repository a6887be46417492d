"""Events of a run, counted: what a short list keeps."""

from remora.logs import Event
from remora.report.simulations.event_tally import EventTally
from remora.report.simulations.summary import MOST_WARNINGS, MOST_WATCHED, _event_lines


def test_errors_stay_in_a_list_that_has_no_room_for_all_warnings():
    tally = EventTally()
    tally.add(Event(k, "rov/dvl", "warning", f"weak echo {k}") for k in range(5))
    tally.add([Event(9, "rov/imu", "error", "not a number"), Event(10, "rov/imu", "info", "fine again")])
    kept = tally.gravest(3, "warning")
    assert [entry.level for entry in kept] == ["warning", "warning", "error"]
    assert [entry.first_ns for entry in kept] == [0, 1, 9]


def test_losses_come_before_failures_and_failures_before_recoveries():
    tally = EventTally()
    tally.add([
        Event(1, "rov/allocation", "warning", "does without fs", {"disabled": ["fs"], "lost": []}),
        Event(2, "rov/dvl", "warning", "off ends", {"fault": "off", "state": "ends"}),
        Event(3, "rov/ap", "warning", "dead: is dead", {"fault": "dead", "state": "begins"}),
        Event(4, "rov/navigation", "warning", "ap has lost about 69 % of its thrust", {"lost": 0.69}),
        Event(5, "rov/allocation", "warning", "cannot make sway", {"disabled": ["fs", "ap"], "lost": ["sway"]}),
        Event(6, "rov/navigation", "warning", "dvl is lost", {"health": "lost"}),
        Event(7, "rov/imu", "error", "not a number"),
    ])  # fmt: skip
    assert [entry.first_ns for entry in tally.by_gravity("warning")] == [7, 5, 6, 3, 4, 1, 2]
    assert [entry.first_ns for entry in tally.gravest(3)] == [5, 6, 7]


def test_the_summary_says_how_many_warnings_it_leaves_out_and_where_they_are():
    tally = EventTally()
    tally.add(Event(k, "rov/dvl", "warning", f"weak echo {k}") for k in range(MOST_WARNINGS + 3))
    tally.add([Event(90, "rov/dvl", "error", "broken")])
    tally.add(Event(k, "rov/watch", "warning", f"late {k}") for k in range(MOST_WATCHED + 1))
    lines = _event_lines(tally, "run.mcap")
    assert [text for label, text in lines if label == "error"] == ["9e-08 s  rov/dvl: broken"]
    assert ("warning", "and 4 more among the events of run.mcap") in lines
    assert ("not as asked", "and 1 more among the events of run.mcap") in lines


def test_the_same_words_of_the_same_part_are_one_entry():
    tally = EventTally()
    tally.add(Event(k, "rov/dvl", "warning", "no lock") for k in (2, 5, 7))
    (entry,) = tally.entries()
    assert (entry.first_ns, entry.last_ns, entry.times) == (2, 7, 3)
    assert tally.counts["warning"] == 3
